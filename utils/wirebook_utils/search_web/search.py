"""`search_web`: hits, no hits or an error, and never one for the other.

Left out: reading the pages that are found, and keeping results: `cached` does that.
"""

import os
import random
import re
import time
from collections.abc import Callable, Sequence
from functools import partial

from wirebook_utils.contracts import Hit
from wirebook_utils.errors import RateLimited, ServiceError, UsageError
from wirebook_utils.search_web.by_json import brave
from wirebook_utils.search_web.engine import Engine, Row, installed_engine
from wirebook_utils.search_web.hits import hits, plain, visible
from wirebook_utils.time_left import time_left

SECONDS = 20.0
ATTEMPTS = 4
LONGEST = 400
"""The most characters of a query; engines refuse or cut longer ones."""

_REFUSAL = re.compile(r"rate ?limit|too many requests|\b(?:202|429)\b", re.I)
_NOTHING = re.compile(r"no results", re.I)
_REASONS = (
    (r"timeout|timed out", "it took longer than it had", "give it more time"),
    (r"certificate|tls|ssl", "its certificate was not accepted", "look at the clock and the proxy"),
    (r"dns|resol|getaddrinfo", "no address was found for it", "look at the network"),
    (r"connect|network|unreachable", "it cannot be reached", "look at the network"),
)
_ELSE = "or give another search, by search=, --docs FOLDER or --search MODULE:FUNCTION."


def search_web(
    query: str,
    *,
    top: int = 5,
    region: str | None = None,
    timeout: float | None = None,
    backends: Sequence[str] = (),
    engine: Engine | None = None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> list[Hit]:
    """Search the web and give at most `top` hits, best first; an empty list if there are none.

    `score` is 1/rank, `text` the engine's snippet; nothing of the pages themselves is read.
    `region` is a country and a language such as `"us-en"`. All takes at most `timeout` seconds, 20
    unless said otherwise, and no longer than `time_left()`; an engine that says "not so often" is
    asked up to four times within that. `engine` is what is asked: ddgs, or a function of yours.
    `backends` are the engines that ddgs may ask, such as `["mojeek", "brave"]`. Where it is refused
    or fails, Brave's API is asked if `BRAVE_API_KEY` is set.

    Raises `RateLimited` if the engine refuses for now, `ServiceError` if it could not be asked or
    failed, and `UsageError` if the query is empty or the library is not installed.
    """
    asked = _query(query)
    if top < 1:
        raise UsageError(f"top={top}: ask for at least one hit.")
    if region is not None and not re.fullmatch("[a-z]{2}-[a-z]{2,3}", region):
        raise UsageError(f"No region {region!r}. Give a country and a language, such as 'us-en'.")
    if engine and backends:
        raise UsageError("backends are engines of ddgs, and another engine is given. Give one.")
    engines, ends = [engine] if engine else _ready(backends), clock() + _seconds(timeout)

    def left() -> float:
        return ends - clock()

    def asking(at: int) -> Callable[[], list[Row]]:
        name, after = _name(engines[at]), len(engines) - at

        def ask() -> list[Row]:
            share = clock() + left() / after  # so that the next one has its turn

            def once() -> list[Row]:
                return _rows(engines[at], asked, top, region, share - clock())

            return _patiently(once, name, left, sleep, ATTEMPTS if after == 1 else 1)

        ask.__name__ = name
        return ask

    return hits(_first_of([asking(at) for at in range(len(engines))]), top)


def _ready(backends: Sequence[str]) -> list[Engine]:
    """Give the engines that are there: the library, and Brave if there is a key to it."""
    return [installed_engine(backends), *([brave] if os.environ.get("BRAVE_API_KEY") else [])]


def _first_of(asking: Sequence[Callable[[], list[Row]]]) -> list[Row]:
    if len(asking) == 1:
        return asking[0]()
    from wirebook_utils.first_of import first_of

    return first_of(*asking)()


def _name(engine: Engine) -> str:
    function = engine.func if isinstance(engine, partial) else engine
    return getattr(function, "__name__", type(function).__name__)


def _patiently(
    once: Callable[[], list[Row]],
    name: str,
    left: Callable[[], float],
    sleep: Callable[[float], object],
    tries: int,
) -> list[Row]:
    """Ask again, after longer and longer waits, while the engine refuses and time is left."""
    attempt = 1
    while True:
        try:
            return once()
        except RateLimited as refusal:
            pause = max(refusal.retry_after or 0.0, 2 ** (attempt - 1) * random.uniform(0.75, 1.25))
            if attempt == tries or pause >= left():
                raise _refused(name, refusal, attempt) from refusal
        except UsageError:
            raise
        except Exception as error:
            raise _failed(name, error) from error
        sleep(pause)
        attempt += 1


def _query(query: str) -> str:
    asked = visible(query)
    if len(asked) > LONGEST:
        # At the end of a word, in scripts that have a space there.
        asked = asked[: LONGEST + 1].rpartition(" ")[0] or asked[:LONGEST]
    if not asked:
        raise UsageError("The query is empty. Give some words to search the web for.")
    return asked


def _seconds(timeout: float | None) -> float:
    if timeout is not None and not timeout > 0:
        raise UsageError(f"timeout={timeout:g}: give the seconds of a search, more than 0.")
    seconds, left = SECONDS if timeout is None else timeout, time_left()
    if left == 0:
        raise ServiceError("Web search was not asked, since no time is left: give the run more.")
    return seconds if left is None else min(seconds, left)


def _rows(ask: Engine, query: str, top: int, region: str | None, seconds: float) -> list[Row]:
    """Ask once, and tell apart the three things that an exception of an engine can mean."""
    try:
        return list(ask(query, top, region, seconds) or ())
    except (RateLimited, UsageError):
        raise
    except Exception as error:
        said, status = _said(error), _status(error)
        if status in (202, 429) or (status is None and _REFUSAL.search(said)):
            raise RateLimited(plain(error), status=status or 429) from error
        if status is None and _NOTHING.search(said):
            return []
        raise


def _said(error: Exception) -> str:
    """Give what an error says, in one line, without addresses: the query stands in them."""
    said = str(error) if isinstance(error, ServiceError) else f"{type(error).__name__}: {error}"
    return plain(re.sub(r" ?(?:for url )?\(?https?://[^\s)>]+\)?", "", said))[:200]


def _status(error: Exception) -> int | None:
    """Find the HTTP status where the usual clients keep it: at the error or at its response."""
    for at in (error, getattr(error, "response", None)):
        for name in ("status", "status_code"):
            if isinstance(status := getattr(at, name, None), int):
                return status
    return None


def _refused(name: str, refusal: RateLimited, attempts: int) -> RateLimited:
    times = f"{attempts} attempts" if attempts > 1 else "one attempt"
    return RateLimited(
        f"Web search by {name} is blocked for now ({_said(refusal)}), after {times}: "
        f"wait some minutes, {_ELSE}",
        status=refusal.status,
        retry_after=refusal.retry_after,
    )


def _failed(name: str, error: Exception) -> ServiceError:
    said, status = _said(error), _status(error)
    reason, advice = f"it said {said}", "try again later"
    if status:
        reason = f"the answer was HTTP {status}, {said}"
    else:
        for pattern, what, do in _REASONS:
            if re.search(pattern, said, re.I):
                reason, advice = what, do
                break
    return ServiceError(f"Web search by {name} failed, {reason}: {advice}, {_ELSE}", status=status)
