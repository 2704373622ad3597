"""The engine `ddgs`: a library that asks several search engines, one after the other.

ddgs passes over every response but 200, so that a refusal looks like a page without results. Here
the status of each response is kept, and an empty list means that somebody looked and found nothing.

Left out: its proxies (it reads `DDGS_PROXY` itself), dates, pages, images and news.
"""

import re
import time
from collections.abc import Iterable, Sequence
from typing import Any

from ddgs.base import BaseSearchEngine
from ddgs.ddgs import DDGS
from ddgs.engines import ENGINES
from ddgs.exceptions import DDGSException, TimeoutException
from ddgs.http_client import HttpClient, Response

from wirebook_utils.errors import RateLimited, ServiceError, UsageError
from wirebook_utils.search_web.engine import Row

EACH = 5.0
"""The most seconds that one request may take, so that the next engine has its turn."""

REFUSED = (202, 403, 418, 429)

# They know titles only: that they find nothing does not say that the web has nothing.
_ENCYCLOPEDIAS = ("grokipedia", "wikipedia")
_CAPTCHA = re.compile(r"anomaly-modal|g-recaptcha|h-captcha|cf-chl-|unusual traffic|not a robot")


def ddgs(
    query: str, top: int, region: str | None, seconds: float, *, backends: Sequence[str] = ()
) -> Iterable[Row]:
    """Ask ddgs: rows, none if an engine of the web found none, or an error with the status.

    `backends` are the engines that it may ask, all that it has if none is named. Raises
    `UsageError` if it does not have one.
    """
    if unknown := [name for name in backends if name not in ENGINES["text"]]:
        raise UsageError(
            f"ddgs has no engine {unknown[0]!r}. Give some of: {', '.join(ENGINES['text'])}"
        )
    statuses: dict[str, int] = {}
    chosen = {"region": region} if region else {}
    chosen |= {"backend": ",".join(backends)} if backends else {}
    try:
        return _Watched(statuses, seconds).text(query, max_results=top, **chosen)
    except DDGSException as error:
        _look_at(statuses, error)
        return []


def _look_at(statuses: dict[str, int], error: DDGSException) -> None:
    """Raise what kept ddgs from finding anything, unless an engine of the web answered."""
    if any(status == 200 and name not in _ENCYCLOPEDIAS for name, status in statuses.items()):
        return
    bad = {name: status for name, status in statuses.items() if status != 200}
    refused = {name: status for name, status in bad.items() if status in REFUSED}
    told = ", ".join(f"{name} {status}" for name, status in (refused or bad).items())
    if refused:
        raise RateLimited(told, status=max(refused.values())) from error
    if bad:
        raise ServiceError(told, status=max(bad.values())) from error
    raise error


class _Watched(DDGS):
    """ddgs, with a note of the last response of each engine, within a time for all of them."""

    def __init__(self, statuses: dict[str, int], seconds: float) -> None:
        super().__init__()
        self._statuses = statuses
        self._ends = time.monotonic() + seconds

    def _get_engines(self, category: str, backend: str) -> list[BaseSearchEngine[Any]]:
        engines = super()._get_engines(category, backend)
        for engine in engines:
            client = engine.http_client
            engine.http_client = _Client(client, engine.name, self._statuses, self._ends)
        return engines


class _Client(HttpClient):
    """The HTTP client of one engine."""

    def __init__(self, inner: HttpClient, name: str, statuses: dict[str, int], ends: float) -> None:
        self.client = inner.client
        self._name, self._statuses, self._ends = name, statuses, ends

    def request(self, *args: Any, **kwargs: Any) -> Response:
        self._statuses.pop(self._name, None)
        left = self._ends - time.monotonic()
        if left <= 0:
            raise TimeoutException("timed out")
        response = super().request(*args, **{"timeout": min(left, EACH), **kwargs})
        # A page that asks for a human is a refusal, whatever its status says.
        asks = response.status_code == 200 and _CAPTCHA.search(response.text)
        self._statuses[self._name] = 403 if asks else response.status_code
        return response
