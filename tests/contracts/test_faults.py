"""What services and networks do wrong, and what is said about it."""

import socket
import sys
import traceback

import pytest
from wirebook_utils import RateLimited, ServiceError, UsageError, WirebookError

from tests.contracts.server import Play, answer, events
from tests.contracts.speech import KEY, MODELS, Talk

FAILURES = [
    (400, UsageError, r"refused the request \(400\): no such thing. Change or leave out"),
    (
        401,
        UsageError,
        r"refused the key \(401\): no such thing. Put one that is valid into \w+_KEY",
    ),
    (403, UsageError, "is not for this key"),
    (404, UsageError, "Name another model, by model='provider:name' or WIREBOOK_MODEL"),
    (413, UsageError, "refused the request"),
    (429, RateLimited, "takes no more calls for now .* Wait a while"),
    (500, ServiceError, "Try again later, or ask another model"),
    (503, ServiceError, "failed"),
    (529, ServiceError, "failed"),
]


@pytest.mark.parametrize(("status", "kind", "text"), FAILURES, ids=[str(f[0]) for f in FAILURES])
@pytest.mark.feature("each status is the error that says what to do")
def test_failure_is_named(talk: Talk, status: int, kind: type[WirebookError], text: str) -> None:
    """An error names the model, the status, the server's words and what to do."""
    talk.plays(answer({"error": {"message": "no such thing"}}, status))
    with pytest.raises(kind, match=text) as caught:
        talk.ask()
    assert type(caught.value) is kind
    assert str(caught.value).startswith(f"{MODELS[talk.provider]} at {talk.server.url}/v1/")
    assert getattr(caught.value, "status", status) == status


def test_caller_mends_what_is_refused_so_it_is_asked_once(talk: Talk) -> None:
    """400, 401, 403 and 404 are not tried again."""
    for status in (400, 401, 403, 404):
        talk.plays(answer({}, status))
        with pytest.raises(UsageError):
            talk.ask()
    assert len(talk.server.asked) == 4
    assert talk.slept == []


@pytest.mark.parametrize("status", [401, 429, 500, 200])
@pytest.mark.feature("no error holds the key")
def test_key_stands_in_no_error(talk: Talk, status: int) -> None:
    """Neither the text nor the traceback holds the key, though the server echoes it."""
    talk.plays(answer({"error": {"message": f"Wrong key {KEY}!"}}, status))
    with pytest.raises(WirebookError, match=r"Wrong key \*\*\*!") as caught:
        talk.ask()
    shown = "".join(traceback.format_exception(caught.value))
    assert KEY not in shown + repr(caught.value.__context__) + repr(vars(caught.value))


def test_page_in_place_of_an_error_is_quoted_plainly(talk: Talk) -> None:
    """Of an HTML page the words remain, without markup and control characters, and not too many."""
    page = f"<head><title>x</title></head><h1>Bad\x1b[31m gateway</h1>{'blah ' * 200}"
    talk.plays(Play(502, (page.encode(),), kind="text/html"))
    with pytest.raises(ServiceError, match=r"\(502\): Bad \[31m gateway blah .* …\.") as caught:
        talk.ask()
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("kind", ["text/html", "application/json"])
@pytest.mark.feature("a body that is no JSON is `ServiceError`")
def test_reply_that_is_no_json_is_a_service_error(talk: Talk, kind: str) -> None:
    """A page with status 200, such as a log-in, is not taken for a reply, and not asked again."""
    talk.plays(Play(200, (b"<h1>Log in</h1>",), kind=kind))
    with pytest.raises(ServiceError, match=r"no JSON.*Check base_url") as caught:
        talk.ask()
    assert caught.value.status == 200
    assert len(talk.server.asked) == 1


def test_reply_of_another_shape_is_a_service_error(talk: Talk) -> None:
    """JSON that is no reply at all is shown as it is."""
    talk.plays(answer(["what"]) if not talk.streams else events('["what"]'))
    with pytest.raises(ServiceError):
        talk.ask()


@pytest.mark.feature("nobody there is `ServiceError`")
def test_nobody_there(talk: Talk) -> None:
    """Connection refused: tried again, and then the final URL is in the error."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(ServiceError, match=f"{url}/v1/.* cannot be reached") as caught:
        talk.ask(base_url=url)
    assert caught.value.status is None
    assert len(talk.slept) == 4


def test_error_without_a_status_is_told_once(talk: Talk) -> None:
    """An error in a reply that says no more than a text may be anything: it is not repeated."""
    talk.plays(answer({"error": "no such luck"}))
    with pytest.raises(ServiceError, match=r"/v1/\S+ failed: no such luck\. Try again later"):
        talk.ask()
    assert len(talk.server.asked) == 1


def test_missing_sdk_is_named(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra the error ends with the line to type."""
    for name in ("openai", "anthropic", "httpx2"):
        monkeypatch.setitem(sys.modules, name, None)
    extra = "anthropic" if talk.provider == "anthropic" else "openai"
    with pytest.raises(UsageError, match=f"Try: pip install 'wirebook-utils.{extra}.'"):
        talk.ask()


def test_error_inside_a_reply(talk: Talk) -> None:
    """What a service tells of in a reply or stream that began well is an error all the same."""
    body = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    talk.plays(events(body) if talk.streams else answer(body))
    with pytest.raises(ServiceError, match=r"\(529\): Overloaded") as caught:
        talk.ask()
    assert caught.value.status == 529
    assert len(talk.server.asked) == 5
