"""When it is tried again, how long it waits before, and when it stops."""

import threading
from datetime import UTC, datetime

import pytest
from wirebook_utils import RateLimited, ServiceError
from wirebook_utils.call_llm.retry import retry_after, wait_before
from wirebook_utils.time_left import ending_by

from tests.contracts.server import Play, answer
from tests.contracts.speech import Talk, publicly

NOW = datetime(2026, 12, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
@pytest.mark.feature("408, 429, 5xx and 529 are tried again")
def test_passing_fault_is_tried_again(talk: Talk, status: int) -> None:
    """Two faults and a reply: three requests, with waits that double."""
    talk.plays(answer({}, status), answer({}, status), "hi")
    assert talk.ask() == "hi"
    assert talk.slept == [0.5, 1.0]


def test_it_gives_up_after_five(talk: Talk) -> None:
    """A service that stays down is asked five times."""
    talk.plays(answer({}, 503))
    with pytest.raises(ServiceError):
        talk.ask()
    assert talk.slept == [0.5, 1.0, 2.0, 4.0]
    assert len(talk.server.asked) == 5


@pytest.mark.feature("`Retry-After` is kept")
def test_waits_as_long_as_it_is_asked_to(talk: Talk) -> None:
    """Retry-After is heeded; the finer header goes first."""
    talk.plays(answer({}, 429, retry_after="7"), answer({}, 429, retry_after_ms="250"), "hi")
    assert talk.ask() == "hi"
    assert talk.slept == [7.0, 0.25]


def test_never_waits_longer_than_the_time_it_has(talk: Talk) -> None:
    """Asked to wait past its time, it says so at once, and for how long it should have."""
    talk.plays(answer({}, 429, retry_after="61"))
    with pytest.raises(RateLimited, match="Wait 61 s") as caught:
        talk.ask()
    assert caught.value.retry_after == 61
    assert talk.slept == []
    with pytest.raises(ServiceError):
        talk.ask(timeout=0.4)
    assert talk.slept == []


def test_deadline_shortens_the_time(talk: Talk) -> None:
    """With less time left than `timeout`, that counts, and with none nothing is sent."""
    talk.plays(answer({}, 429, retry_after="50"))
    with ending_by(0), pytest.raises(ServiceError, match="no whole reply within 0 s"):
        talk.ask()
    assert not talk.server.asked


def test_spent_budget_does_not_pass(talk: Talk) -> None:
    """A 429 for want of money is not tried again."""
    error = {"message": "You exceeded your quota", "code": "insufficient_quota"}
    talk.plays(answer({"error": error}, 429))
    with pytest.raises(RateLimited):
        talk.ask()
    assert len(talk.server.asked) == 1


@pytest.mark.parametrize("drips", [True, False])
@pytest.mark.feature("a slow reply ends in time")
def test_slow_reply_ends_in_time(talk: Talk, drips: bool) -> None:
    """A reply that does not end is given up after `timeout`, even if the server keeps dripping."""
    talk.plays(Play(parts=(b"{}",), until=threading.Event(), drips=drips))
    with pytest.raises(ServiceError, match=r"within 0\.01 s. Raise timeout"):
        publicly(talk, timeout=0.01)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Tue, 01 Dec 2026 12:00:10 GMT"}, 10.0),
        ({"retry-after": "Tue, 01 Dec 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
    ],
)
def test_retry_after_is_read(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds, milliseconds and a date are understood; anything else says nothing."""
    assert retry_after(headers, NOW) == seconds


def test_waits_grow_and_spread() -> None:
    """They double up to eight seconds, and jitter takes off at most half."""
    assert [wait_before(n, None, 1.0) for n in (2, 3, 4, 7, 1000)] == [0.5, 1.0, 2.0, 8.0, 8.0]
    assert wait_before(2, None, 0.0) == 0.25
    assert wait_before(2, 9.0, 0.0) == 9.0
