"""`search_web`: hits, no hits and a refusal stay apart, whatever an engine does."""

import sys
import time
import urllib.error
from collections.abc import Callable, Iterable
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from wirebook_utils import Hit, RateLimited, Search, ServiceError, UsageError, search_web
from wirebook_utils.search_web.engine import Row
from wirebook_utils.search_web.hits import plain
from wirebook_utils.time_left import ending_by

A: Row = {"title": "A", "href": "http://a.example/", "body": "About a."}
B: Row = {"title": "B", "href": "http://b.example/", "body": "About b."}


class RatelimitException(Exception):
    """Has the name of the one in ddgs."""


class Engine:
    """Gives what it is told to, call by call, and the last for ever; keeps what it was asked."""

    def __init__(self, *replies: Iterable[Row] | Exception | None) -> None:
        self.replies = [*replies]
        self.asked: list[tuple[str, int, str | None, float]] = []

    def __call__(
        self, query: str, top: int, region: str | None, seconds: float
    ) -> Iterable[Row] | None:
        self.asked.append((query, top, region, seconds))
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        return reply


class Clock:
    """Time that passes only by sleeping."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def ask(engine: Engine, clock: Clock | None = None, **settings: Any) -> list[Hit]:
    """Search with a clock that nobody has to wait for."""
    clock = clock or Clock()
    return search_web("otters", engine=engine, clock=clock, sleep=clock.sleep, **settings)


def test_it_is_a_search() -> None:
    """It goes where a `Search` goes, as it is."""
    search: Search = search_web
    assert callable(search)


def test_hits_are_in_order_with_their_rank() -> None:
    """Title, link and text are the engine's, the score is 1/rank, and no span is claimed."""
    assert ask(Engine([A, B])) == [
        Hit("A", "http://a.example/", "About a.", 1.0, None),
        Hit("B", "http://b.example/", "About b.", 0.5, None),
    ]
    engine = Engine([A, B])
    assert len(ask(engine, top=1, region="de-de")) == 1
    assert engine.asked[0][1:3] == (1, "de-de")


@pytest.mark.parametrize(
    "refusal",
    [
        RateLimited("202 Ratelimit"),
        RatelimitException("not now"),
        RuntimeError("https://duckduckgo.com/html 202 Ratelimit"),
        ServiceError("too many", status=429),
    ],
    ids=lambda error: type(error).__name__,
)
def test_s048_rate_limit_is_waited_out(refusal: Exception) -> None:
    """Two refusals and then a hit are a hit; for ever is `RateLimited`, after four tries."""
    clock = Clock()
    assert ask(Engine(refusal, refusal, [A]), clock)[0].title == "A"
    assert len(clock.slept) == 2
    engine, clock = Engine(refusal), Clock()
    with pytest.raises(RateLimited, match=r"by Engine is blocked .* after 4 attempts: wait .*--s"):
        ask(engine, clock)
    assert len(engine.asked) == 4
    assert clock.slept == sorted(clock.slept)
    assert all(2**n * 0.75 <= slept <= 2**n * 1.25 for n, slept in enumerate(clock.slept))


def test_s049_blocked_is_not_no_results() -> None:
    """Hits, no hits and blocked are a list, an empty list and an error of its own."""
    outcomes: list[object] = []
    for reply in ([A], [], RateLimited("a captcha")):
        try:
            outcomes.append(len(ask(Engine(reply))))
        except RateLimited as error:
            outcomes.append(type(error))
    assert outcomes == [1, 0, RateLimited]


@pytest.mark.parametrize("nothing", [None, [], RuntimeError("No results found."), iter(())])
def test_s050_nothing_has_one_form(nothing: Any) -> None:
    """None, an empty list and an exception that says so are an empty list, asked once."""
    engine = Engine(nothing)
    assert ask(engine) == []
    assert len(engine.asked) == 1


def test_s051_missing_fields_are_filled() -> None:
    """A row without text or title is kept; one with neither title nor link is left out."""
    rows: list[Row] = [
        A,
        {"title": "B", "href": "http://b"},
        {"title": None, "href": "http://c", "body": None},
        {"href": "", "body": "lost"},
        {"title": "D", "body": 5},
        {},
    ]
    assert [(h.title, h.url, h.text, h.score) for h in ask(Engine(rows), top=9)] == [
        ("A", "http://a.example/", "About a.", 1),
        ("B", "http://b", "B", 1 / 2),
        ("http://c", "http://c", "", 1 / 3),
        ("D", "", "5", 1 / 4),
    ]


class HTTPStatusError(Exception):
    """Has its status at its response, as those of httpx and requests have."""

    class response:  # noqa: N801 - an attribute there
        """What the server said."""

        status_code = 503


@pytest.mark.parametrize(
    "error",
    [
        ServiceError("overloaded", status=503),
        HTTPStatusError("overloaded"),
        urllib.error.HTTPError("http://a.example", 503, "overloaded", Message(), None),
    ],
    ids=lambda error: type(error).__name__,
)
def test_s052_http_error_names_its_status(error: Exception) -> None:
    """The status stands in the error, as a number and in its text, with what to do."""
    with pytest.raises(ServiceError, match=r"HTTP 503.*overloaded.*try again later") as caught:
        ask(Engine(error))
    assert caught.value.status == 503
    assert not isinstance(caught.value, RateLimited)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (TimeoutError("operation timed out"), "longer than it had: give it more time"),
        (
            OSError("[Errno -3] Temporary failure in name resolution"),
            "no address was found for it: look at the network",
        ),
        (ConnectionRefusedError("Connection refused"), "cannot be reached: look at the network"),
        (OSError("certificate verify failed"), "certificate was not accepted: look at the clock"),
        (KeyError("title"), "it said KeyError: 'title': try again"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_any_failure_is_one_sentence_that_says_what_to_do(error: Exception, said: str) -> None:
    """It names the engine, and is not asked again; what it came from is its cause."""
    engine = Engine(error)
    with pytest.raises(ServiceError, match=f"by Engine failed, .*{said}.* --search") as caught:
        ask(engine)
    assert caught.value.__cause__ is error
    assert "\n" not in str(caught.value)
    assert len(engine.asked) == 1


def test_query_in_an_address_is_no_status() -> None:
    """An address in an error, which holds the query, is neither read nor told."""
    error = RuntimeError("error sending request for url (https://x.example/?q=HTTP+429) > dns")
    with pytest.raises(ServiceError) as caught:
        ask(Engine(error))
    assert type(caught.value) is ServiceError
    assert "x.example" not in str(caught.value)


def test_waits_end_with_the_time() -> None:
    """No wait goes past the timeout, the default of 20 s or the time that the run has left."""
    clock, engine = Clock(), Engine(RateLimited("no"))
    with pytest.raises(RateLimited, match="after one attempt"):
        ask(engine, clock, timeout=0.4)
    assert clock.slept == []
    assert engine.asked[0][3] == 0.4
    ask(engine := Engine([A]))
    assert engine.asked[0][3] == 20
    with ending_by(time.monotonic() + 3):
        ask(engine := Engine([A]))
    assert 2 < engine.asked[0][3] <= 3
    with ending_by(time.monotonic()), pytest.raises(ServiceError, match="no time is left"):
        ask(Engine([A]))


def test_engine_says_how_long_to_wait() -> None:
    """What the engine asks for is waited, if there is time, and handed on if not."""
    clock = Clock()
    assert ask(Engine(RateLimited("no", retry_after=7), [A]), clock) != []
    assert clock.slept == [7]
    with pytest.raises(RateLimited) as caught:
        ask(Engine(RateLimited("no", retry_after=60, status=202)))
    assert (caught.value.retry_after, caught.value.status) == (60, 202)


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("  two\n words\t", "two words"),
        ("水獺為什麼牽手?", "水獺為什麼牽手?"),
        ("Зачем выдры держатся?", "Зачем выдры держатся?"),
        ("لماذا تمسك ثعالب الماء", "لماذا تمسك ثعالب الماء"),
        ("می‌خواهم 🦦 👩‍👩‍👧", "می‌خواهم 🦦 👩‍👩‍👧"),
        ("bell\x07 \x1b[31mred \ud800", "bell [31mred"),
        ("word " * 200, ("word " * 80).strip()),
        ("字" * 500, "字" * 400),
    ],
)
def test_query_is_one_line_of_bounded_length(query: str, asked: str) -> None:
    """White space is joined, control characters go, long ones are cut, scripts are kept."""
    engine = Engine([A])
    search_web(query, engine=engine)
    assert engine.asked[0][0] == asked


def test_what_cannot_be_used_is_said() -> None:
    """No query, no hits wanted, no time and no such region are the caller's to mend."""
    for query in ("", " \n", "\x00"):
        with pytest.raises(UsageError, match="query is empty"):
            search_web(query, engine=Engine([A]))
    wrong: list[dict[str, Any]] = [{"top": 0}, {"timeout": 0}, {"region": "Germany"}]
    for settings in wrong:
        with pytest.raises(UsageError, match=next(iter(settings))):
            ask(Engine([A]), **settings)


def test_duplicates_are_told_by_their_address() -> None:
    """Scheme, www, a fragment and a last slash make no other page; another query does."""
    links = ["http://a.example/x", "https://www.A.example/x/#top", "http://a.example/x?p=2"]
    found = ask(Engine([{"title": "t", "href": link} for link in links]))
    assert [(hit.url, hit.score) for hit in found] == [(links[0], 1), (links[2], 1 / 2)]


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("<b>Sea</b> otters &amp; <em class='x'>kelp</em>", "Sea otters & kelp"),
        ("AT&amp;T &lt;b&gt;bold&lt;/b&gt; &#8212; dash", "AT&T bold — dash"),
        ("a < b and List<String> > c", "a < b and List<String> > c"),
        ("x<script>alert(1)</script>y<!-- no -->z", "x y z"),
        ("one\x1b[31m\x00two\u202ethree\ud800", "one[31mtwothree"),
        ("line\n\n  line\u00a0end", "line line end"),
        ("😀 é 水", "😀 é 水"),
        ("<!--" * 9000, "<!--" * 500),
        ("字" * 9000, "字" * 2000),
        (None, ""),
    ],
)
def test_fields_are_plain_text(field: object, text: str) -> None:
    """Tags, entities, control characters and endless fields are gone; other text is as it was."""
    assert plain(field) == text


@pytest.mark.parametrize("link", ["javascript:alert(1)", " data:text/html,x", "http://[", None])
def test_link_that_is_no_page_is_left_out(link: object) -> None:
    """What would run something is not handed on as a link; its title and text are."""
    [hit] = ask(Engine([{"title": "t", "href": link, "body": "b"}]))
    assert (hit.title, hit.url, hit.text) == ("t", "", "b")


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let a library be not installed."""

    def hide(*names: str) -> None:
        ours = [m for m in sys.modules if m.endswith("by_ddgs")]
        theirs = [m for m in sys.modules if m.partition(".")[0] in names]
        for module in ours + theirs:
            monkeypatch.delitem(sys.modules, module)
        for name in names:
            monkeypatch.setitem(sys.modules, name, None)

    return hide


def test_library_that_is_missing_is_named(without: Callable[..., None]) -> None:
    """Without ddgs and its old name, the line to type is said."""
    without("ddgs", "ddgs.base", "duckduckgo_search")
    with pytest.raises(UsageError, match=r"Web search needs .*ddgs.*'wirebook-utils\[search\]'$"):
        search_web("otters")


OLD = """
import warnings

class DDGS:
    def __init__(self, timeout):
        warnings.simplefilter("always")
        warnings.warn("renamed to `ddgs`!", RuntimeWarning, stacklevel=2)

    def text(self, keywords, region=None, max_results=None):
        return [{"title": keywords, "href": "http://a", "body": f"{region} {max_results}"}]
"""


def test_library_under_its_old_name_serves(
    without: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`duckduckgo_search` is asked if ddgs is not there; its warning is not seen."""
    without("ddgs", "ddgs.base")
    (tmp_path / "duckduckgo_search.py").write_text(OLD, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    try:
        [hit] = search_web("otters", top=3)
    finally:
        sys.modules.pop("duckduckgo_search", None)
    assert (hit.title, hit.text) == ("otters", "None 3")
