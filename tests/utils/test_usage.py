"""The meter of a run: calls counted, tokens only as far as they are known."""

import asyncio
import contextvars
import threading

import pytest
from wirebook_utils import Usage
from wirebook_utils.usage import counted, metering, record


def say_hi(prompt: str) -> str:
    """Reply and report nothing."""
    return "hi"


def one_token(prompt: str) -> str:
    """Report one token each way."""
    record("m", 1, 1)
    return "hi"


def test_calls_are_counted_and_tokens_added() -> None:
    """Two calls with a record each: both counts, and the sums."""

    @counted
    def call(prompt: str) -> str:
        record("m", 10, 2, cached=4, reasoning=1)
        return prompt

    with metering() as meter:
        assert (call("a"), call("b")) == ("a", "b")
    assert meter.usage == Usage(2, 20, 4, 8, 2)


def test_tokens_stay_unknown_unless_every_reply_records() -> None:
    """A sum that lacks a part is no sum."""
    quiet = counted(say_hi)
    with metering() as meter:
        quiet("a")
        record("m", 10, 2)
        quiet("b")
    assert meter.usage == Usage(2)


def test_call_that_failed_is_counted_and_owes_no_tokens() -> None:
    """One call raises, the next replies with a record: two calls, known tokens."""

    @counted
    def call(prompt: str) -> str:
        if prompt == "bad":
            raise ConnectionError
        record("m", 1, 1)
        return "ok"

    with metering() as meter:
        with pytest.raises(ConnectionError):
            call("bad")
        call("good")
    assert meter.usage == Usage(2, 1, 1, 0, 0)


def test_async_functions_count_alike() -> None:
    """The call counts when it is made, a failure when it comes."""

    @counted
    async def call(prompt: str) -> str:
        await asyncio.sleep(0)
        if prompt == "bad":
            raise ConnectionError
        record("m", 1, 1)
        return "ok"

    async def main() -> Usage:
        with metering() as meter:
            await asyncio.gather(call("a"), call("bad"), call("c"), return_exceptions=True)
        return meter.usage

    assert asyncio.run(main()) == Usage(3, 2, 2, 0, 0)


def test_run_inside_a_run_counts_for_both_and_never_twice() -> None:
    """A function counted again, in a meter inside a meter, is one call on each."""
    call = counted(counted(say_hi))
    with metering() as outer:
        with metering() as inner:
            call("a")
        call("b")
    assert (inner.usage.calls, outer.usage.calls) == (1, 2)


def test_tokens_and_failures_of_an_inner_run_reach_the_outer_one() -> None:
    """What is recorded inside counts outside; a call that failed inside owes no tokens there."""

    @counted
    def fails(prompt: str) -> str:
        raise ConnectionError

    with metering() as outer, metering() as inner:
        counted(one_token)("a")
        with pytest.raises(ConnectionError):
            fails("b")
    assert inner.usage == outer.usage == Usage(2, 1, 1, 0, 0)


def test_threads_of_a_run_share_its_meter() -> None:
    """A thread with a copy of the context counts on the same meter; nothing is lost."""
    call = counted(one_token)
    with metering() as meter:
        threads = [
            threading.Thread(
                target=contextvars.copy_context().run,
                args=(lambda: [call("x") for _ in range(500)],),
            )
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert meter.usage == Usage(2000, 2000, 2000, 0, 0)


def test_outside_a_run_nothing_is_kept() -> None:
    """`record` and `counted` cost nothing where nobody measures."""
    record("m", 1, 1)
    assert counted(say_hi)("x") == "hi"
