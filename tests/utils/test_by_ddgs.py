"""The engine ddgs itself, with engines of its own kind that ask a server on this machine."""

import logging
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest
from ddgs.base import BaseSearchEngine
from ddgs.engines import ENGINES
from ddgs.results import TextResult
from wirebook_utils import RateLimited, ServiceError, search_web

PAGE = (
    "<ul><li><a href='https://a.example/'>Sea &amp; <b>otters</b></a><p>They hold hands.</p></li>"
    "<li><a href='https://b.example/'>水獺</a></li></ul>"
)
EMPTY = "<p>Nothing matches.</p>"
Use = Callable[..., "Server"]


class Server(ThreadingHTTPServer):
    """Answers `/NAME?q=...` with the status and page set for that name; keeps the queries."""

    def __init__(self, replies: dict[str, list[tuple[int, str]]]) -> None:
        super().__init__(("127.0.0.1", 0), Reply)
        self.replies, self.asked = replies, list[tuple[str, str]]()

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves before the end is meant."""


class Reply(BaseHTTPRequestHandler):
    """One answer; status 0 is none, after a while."""

    def do_GET(self) -> None:
        """Answer the next of what this engine has, and the last for ever."""
        parts = urlsplit(self.path)
        name = parts.path.strip("/")
        server = self.server
        assert isinstance(server, Server)
        server.asked.append((name, parse_qs(parts.query)["q"][0]))
        replies = server.replies[name]
        status, page = replies.pop(0) if len(replies) > 1 else replies[0]
        if not status:
            time.sleep(0.3)
        self.send_response(status or 200)
        self.end_headers()
        self.wfile.write(page.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def engine(of: str, at: str) -> type[BaseSearchEngine[Any]]:
    """Make an engine as ddgs has them, which asks our server."""

    class Local(BaseSearchEngine[TextResult]):
        name = of
        category = "text"
        provider = of
        search_url = at
        search_method = "GET"
        items_xpath = "//li"
        elements_xpath: ClassVar[Mapping[str, str]] = {
            "title": ".//a//text()",
            "href": ".//a/@href",
            "body": ".//p//text()",
        }

        def build_payload(self, query: str, *_: Any, **__: Any) -> dict[str, Any]:
            return {"q": query}

    return Local


@contextmanager
def serving(server: Server) -> Generator[None]:
    """Serve inside this block."""
    thread = threading.Thread(target=server.serve_forever, args=(0.005,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Iterator[Use]:
    """Let ddgs have engines of these names only, each with its replies."""
    running: list[Any] = []

    def start(**replies: list[tuple[int, str]]) -> Server:
        server = Server(replies)
        running.append(serving(server))
        running[-1].__enter__()
        url = f"http://127.0.0.1:{server.server_port}"
        table = {name: engine(name, f"{url}/{name}") for name in replies}
        monkeypatch.setitem(ENGINES, "text", table)
        return server

    yield start
    for each in running:
        each.__exit__(None, None, None)


def search(query: str = "otters", timeout: float = 20) -> list[str]:
    """Search by ddgs without waiting between the attempts."""
    return [hit.title for hit in search_web(query, timeout=timeout, sleep=lambda seconds: None)]


def test_hits_of_ddgs(use: Use) -> None:
    """The page of a search engine becomes hits, by the real library."""
    use(local=[(200, PAGE)])
    first, second = search_web("otters")
    assert (first.title, first.url) == ("Sea & otters", "https://a.example/")
    assert (first.text, first.score) == ("They hold hands.", 1)
    assert (second.title, second.url, second.text) == ("水獺", "https://b.example/", "水獺")


@pytest.mark.parametrize("query", ["水獺為什麼牽手", "Зачем выдры", "ثعالب الماء", "🦦 a+b & c=d"])
def test_query_of_any_script_arrives(use: Use, query: str) -> None:
    """What the engine is asked is the query, to the letter."""
    server = use(local=[(200, PAGE)])
    search(query)
    assert server.asked == [("local", query)]


def test_nothing_found_is_an_empty_list(use: Use) -> None:
    """An engine that looked and found nothing is believed, though another one refused."""
    use(local=[(200, EMPTY)], other=[(429, "")])
    assert search() == []


@pytest.mark.parametrize("status", [202, 403, 429])
def test_refusal_is_not_nothing(use: Use, status: int) -> None:
    """ddgs says "no results"; here it is `RateLimited`, after four tries."""
    server = use(local=[(status, "")], wikipedia=[(200, EMPTY)])
    with pytest.raises(RateLimited, match=rf"by ddgs is blocked .*local {status}") as caught:
        search()
    assert caught.value.status == status
    assert [name for name, _ in server.asked].count("local") == 4


def test_page_for_humans_is_a_refusal(use: Use) -> None:
    """A captcha with status 200 is no empty list."""
    use(local=[(200, "<div class='anomaly-modal'>Select all ducks</div>")])
    with pytest.raises(RateLimited, match="local 403"):
        search()


def test_refusal_that_passes_is_waited_out(use: Use) -> None:
    """Two refusals and then hits are hits."""
    use(local=[(202, ""), (429, ""), (200, PAGE)])
    assert search() == ["Sea & otters", "水獺"]


def test_status_stands_in_the_error(use: Use) -> None:
    """A server that fails is named with its status."""
    use(local=[(503, "")])
    with pytest.raises(ServiceError, match="HTTP 503, local 503") as caught:
        search()
    assert caught.value.status == 503


def test_time_is_for_all_engines_together(use: Use) -> None:
    """Engines that do not answer in time take no longer together than they may."""
    use(**{name: [(0, PAGE)] for name in "abcdef"})
    begin = time.monotonic()
    with pytest.raises(ServiceError, match="longer than it had"):
        search(timeout=0.1)
    assert time.monotonic() - begin < 0.29


def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """No connection is told as such, without the address and the query in it."""
    monkeypatch.setitem(ENGINES, "text", {"local": engine("local", "http://127.0.0.1:9/")})
    with pytest.raises(ServiceError, match="it cannot be reached") as caught:
        search("secret")
    assert "secret" not in str(caught.value)


def test_nothing_is_printed_or_kept(
    use: Use, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """A search says nothing on the terminal and warns of nothing."""
    quiet = [(500, "")]
    use(local=[(200, PAGE)], other=quiet, wikipedia=quiet, grokipedia=quiet)
    with caplog.at_level(logging.WARNING):
        search()
    assert capfd.readouterr() == ("", "")
    assert caplog.records == []


def test_only_the_named_backends_are_asked(use: Use) -> None:
    """Another engine that would answer first is left out."""
    server = use(first=[(200, PAGE)], second=[(200, PAGE)])
    assert search_web("otters", backends=["second"])[0].title == "Sea & otters"
    assert {name for name, _ in server.asked} == {"second"}
