"""Engines that answer in JSON, on a server of this machine, and Brave's as the second one."""

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from wirebook_agent import research
from wirebook_utils import RateLimited, ServiceError, UsageError, search_web
from wirebook_utils.search_web import brave, json_engine
from wirebook_utils.search_web.engine import Row
from wirebook_utils.stand_in import stand_in

# The function `search_web` hides the package of its name.
by_json, search = (import_module(f"wirebook_utils.search_web.{n}") for n in ("by_json", "search"))

ROWS = {
    "results": [{"title": "Sea <b>otters</b>", "url": "https://a.example/", "content": "Hands."}]
}


class Server(ThreadingHTTPServer):
    """Answers with what it is given, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Reply)
        self.status, self.body, self.headers = 200, json.dumps(ROWS).encode(), dict[str, str]()
        self.asked: list[tuple[str, dict[str, list[str]], dict[str, str]]] = []
        self.url = f"http://127.0.0.1:{self.server_port}/search"
        self.drip = 0.0

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves before the end is meant."""


class Reply(BaseHTTPRequestHandler):
    """One answer, bit by bit if it drips."""

    def do_GET(self) -> None:
        """Answer."""
        server, parts = self.server, urlsplit(self.path)
        assert isinstance(server, Server)
        server.asked.append((parts.path, parse_qs(parts.query), dict(self.headers)))
        self.send_response(server.status)
        for name, value in server.headers.items():
            self.send_header(name, value)
        self.end_headers()
        step = 1 if server.drip else len(server.body) or 1
        for at in range(0, len(server.body), step):
            self.wfile.write(server.body[at : at + step])
            self.wfile.flush()
            time.sleep(server.drip)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[Server]:
    """Serve on this machine."""
    made = Server()
    thread = threading.Thread(target=made.serve_forever, args=(0.005,), daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join()


def ask(server: Server, **settings: Any) -> list[str]:
    """Search there without waiting between attempts."""
    engine = json_engine(server.url, **settings)
    found = search_web("otters & co", engine=engine, sleep=lambda _: None, timeout=2)
    return [f"{hit.title} {hit.url} {hit.text}" for hit in found]


def test_rows_become_hits(server: Server) -> None:
    """As a SearXNG answers, without any setting."""
    assert ask(server) == ["Sea otters https://a.example/ Hands."]
    assert server.asked[0][:2] == ("/search", {"q": ["otters & co"]})


def test_place_of_rows_and_fields_can_be_said(server: Server) -> None:
    """Another path to the rows, other names, settings and headers of every request."""
    row = {"name": "Otters", "link": "https://a.example/", "snippet": "Hands."}
    server.body = json.dumps({"web": {"items": [row, "odd", {}]}}).encode()
    found = ask(
        server,
        rows=("web", "items"),
        fields={"title": "name", "href": "link", "body": "snippet"},
        params={"format": "json"},
        headers={"X-Key": "sk-secret"},
        query="text",
    )
    assert found == ["Otters https://a.example/ Hands."]
    assert server.asked[0][1] == {"text": ["otters & co"], "format": ["json"]}
    assert server.asked[0][2]["X-Key"] == "sk-secret"


@pytest.mark.parametrize("body", [b"{}", b'{"results": []}', b'{"results": null}', b"[]"])
def test_no_rows_are_no_hits(server: Server, body: bytes) -> None:
    """Somebody looked and found nothing."""
    server.body = body
    assert ask(server) == []


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (500, b"boom", "HTTP 500, .*boom"),
        (401, b"bad key sk-secret", r"HTTP 401, .*bad key \*\*\*"),
        (302, b"", "HTTP 302"),
        (200, b"<html>", "no JSON: <html>|no JSON"),
        (200, b'{"results": "many"}', "no list of rows at results"),
        (200, b"[" * 100_000, "no JSON|recursion"),
    ],
)
def test_failure_says_status_and_body_and_no_key(
    server: Server, status: int, body: bytes, said: str
) -> None:
    """S-052: what the server said stands in the error, but for what is secret."""
    server.status, server.body, server.headers = status, body, {"Location": "http://127.0.0.1:9/"}
    with pytest.raises(ServiceError, match=said) as caught:
        ask(server, headers={"X-Key": "sk-secret"})
    assert "sk-secret" not in str(caught.value)
    assert caught.value.status == (status if status != 200 else None)


def test_refusal_is_waited_out_as_long_as_it_asks(server: Server) -> None:
    """S-048: 429 is asked again, after `Retry-After`, and then is `RateLimited`."""
    server.status, server.body, server.headers = 429, b"slow down", {"Retry-After": "3"}
    waits: list[float] = []
    with pytest.raises(RateLimited, match="after 4 attempts") as caught:
        search_web("otters", engine=json_engine(server.url), sleep=waits.append, timeout=60)
    assert (len(server.asked), caught.value.retry_after) == (4, 3)
    assert min(waits) >= 3


def test_server_that_drips_is_left_in_time(server: Server) -> None:
    """The time is for the whole answer."""
    server.drip = 0.02
    began = time.monotonic()
    with pytest.raises(ServiceError, match="longer than it had"):
        search_web("otters", engine=json_engine(server.url), timeout=0.1)
    assert time.monotonic() - began < 1


def test_answer_without_end_is_left(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not everything is read into memory."""
    monkeypatch.setattr(by_json, "MOST", 100)
    server.body = b"x" * 1_000
    with pytest.raises(ServiceError, match="more than 100 bytes"):
        ask(server)


@pytest.mark.parametrize("url", ["", "localhost:8080", "file:///etc/passwd", "http://", "ftp://x/"])
def test_address_that_is_none_is_told(url: str) -> None:
    """When it is made, with an example."""
    with pytest.raises(UsageError, match="give an address"):
        json_engine(url)


@pytest.fixture
def brave_here(server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """Let Brave's API be the server of this machine, and there be a key to it."""
    monkeypatch.setattr(by_json, "BRAVE", server.url)
    monkeypatch.setenv("BRAVE_API_KEY", "brave-key")
    row = {"title": "Otters", "url": "https://b.example/", "description": "<strong>Hands</strong>"}
    server.body = json.dumps({"web": {"results": [row]}}).encode()
    return server


def test_brave_is_asked_as_its_api_wants(brave_here: Server) -> None:
    """The key in its header, the number of rows, country and language apart."""
    found = search_web("otters", engine=brave, top=30, region="us-en")
    assert [(hit.title, hit.text) for hit in found] == [("Otters", "Hands")]
    _, params, headers = brave_here.asked[0]
    assert params == {"q": ["otters"], "count": ["20"], "country": ["us"], "search_lang": ["en"]}
    assert headers["X-Subscription-Token"] == "brave-key"


def test_brave_without_a_key_is_told() -> None:
    """It says which variable to set."""
    with pytest.raises(UsageError, match="BRAVE_API_KEY"):
        search_web("otters", engine=brave)


def always(engine: Any) -> Any:
    """Make what gives this engine as the one that is installed."""

    def installed(backends: object) -> Any:
        return engine

    return installed


def first(*errors: Exception) -> Any:
    """Make a first engine that raises, and counts."""

    def blocked(query: str, top: int, region: str | None, seconds: float) -> list[Row]:
        asked.append(seconds)
        raise errors[0]

    asked: list[float] = []
    blocked.asked = asked  # type: ignore[attr-defined] # pyright: ignore[reportFunctionMemberAccess]
    return blocked


@pytest.mark.parametrize("error", [RateLimited("ddgs 202"), ServiceError("x"), TimeoutError("x")])
def test_second_engine_steps_in(
    brave_here: Server, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Where the library is refused or fails, Brave is asked at once, with half of the time left."""
    engine = first(error)
    monkeypatch.setattr(search, "installed_engine", always(engine))
    assert [hit.title for hit in search_web("otters", timeout=8)] == ["Otters"]
    assert len(engine.asked) == 1
    assert 3 < engine.asked[0] <= 4


def test_both_engines_blocked_is_one_error(
    brave_here: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S-049: it names both, and is `RateLimited`, not an empty list."""
    brave_here.status = 429
    monkeypatch.setattr(search, "installed_engine", always(first(RateLimited("202"))))
    with pytest.raises(RateLimited, match=r"\(1\) blocked: Web search .* \(2\) brave: Web search"):
        search_web("otters", sleep=lambda _: None)


def test_agent_says_that_the_search_was_limited(
    brave_here: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S-048: refused for ever, a run ends with a text that says so, and not with an exception."""
    brave_here.status = 429
    monkeypatch.setattr(search, "installed_engine", always(first(RateLimited("202"))))

    def find(query: str) -> Any:
        return search_web(query, sleep=lambda _: None)

    answer = research("What do otters hold?", call_llm=stand_in, search=find)
    assert answer.stop_reason == "error"
    assert "is blocked for now" in answer.text


def test_backends_are_passed_on_or_told() -> None:
    """Only engines that ddgs has, and none beside an engine of one's own."""
    with pytest.raises(UsageError, match=r"no engine 'altavista'. Give some of: .*mojeek"):
        search_web("otters", backends=["altavista"])
    with pytest.raises(UsageError, match="Give one"):
        search_web("otters", backends=["mojeek"], engine=brave)
