"""An engine for any address that answers in JSON: Brave's, a SearXNG of your own, or another.

By the standard library, one request a search. Left out: POST, paging, and redirects, which would
carry a key to somebody else.
"""

import json
import os
import time
import urllib.request
from collections.abc import Mapping, Sequence
from functools import partial
from http.client import HTTPResponse
from typing import Any, cast
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit

from wirebook_utils.errors import RateLimited, ServiceError, UsageError
from wirebook_utils.search_web.engine import Engine, Row

MOST = 4_000_000
"""Bytes of an answer that are read."""

BRAVE = "https://api.search.brave.com/res/v1/web/search"
BRAVE_MOST = 20


def json_engine(
    url: str,
    *,
    rows: Sequence[str] = ("results",),
    fields: Mapping[str, str] | None = None,
    params: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    query: str = "q",
) -> Engine:
    """Make an engine of an address: `url?q=...` answers in JSON, with the rows at the path `rows`.

    `fields` says where a row has its `title`, `href` and `body`: `title`, `url` and `content` if
    not given. `params` and `headers` are sent with each request, and neither is ever in an error.

    Raises `UsageError` if the address is none of the web.
    """
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).netloc:
        raise UsageError(f"json_engine({url!r}): give an address, such as http://localhost/search")
    keys = {"title": "title", "href": "url", "body": "content", **(fields or {})}

    def by_json(asked: str, top: int, region: str | None, seconds: float) -> list[Row]:
        address = f"{url}{'&' if '?' in url else '?'}{urlencode({query: asked, **(params or {})})}"
        given = _rows(_fetch(address, headers or {}, seconds), rows)
        found: list[Row] = [{key: row.get(n) for key, n in keys.items()} for row in given]
        return found[:top]

    return by_json


def brave(query: str, top: int, region: str | None, seconds: float) -> list[Row]:
    """Ask Brave's API, with the key in `BRAVE_API_KEY`."""
    key = os.environ.get("BRAVE_API_KEY", "").strip()
    if not key:
        raise UsageError("Brave's search needs a key. Set BRAVE_API_KEY")
    country, _, language = (region or "").partition("-")
    where = {"country": country, "search_lang": language} if region else {}
    ask = json_engine(
        BRAVE,
        rows=("web", "results"),
        fields={"body": "description"},
        params={"count": str(min(top, BRAVE_MOST)), **where},
        headers={"X-Subscription-Token": key},
    )
    return [*(ask(query, top, region, seconds) or ())]


class _Stays(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Take a redirect for the error that it is here."""


def _fetch(address: str, headers: Mapping[str, str], seconds: float) -> bytes:
    """Get the answer within the time. Raises `RateLimited` or `ServiceError` with what it said."""
    ends = time.monotonic() + seconds
    accepted = {"Accept": "application/json", "User-Agent": "wirebook", **headers}
    request = urllib.request.Request(address, headers=accepted)
    opener = urllib.request.build_opener(_Stays)
    try:
        with opener.open(request, timeout=seconds) as response:
            return b"".join(iter(partial(_more, response, ends, []), b""))
    except HTTPError as error:
        with error:
            said = error.read(500).decode(errors="replace")
        for secret in headers.values():
            said = said.replace(secret, "***")
        told = f"{error.reason}: {said}" if said else str(error.reason)
        if error.code == 429:
            wait = error.headers.get("retry-after", "")
            seconds_asked = float(wait) if wait.isdecimal() else None
            raise RateLimited(f"429 {told}", retry_after=seconds_asked) from None
        raise ServiceError(told, status=error.code) from None


def _more(response: HTTPResponse, ends: float, sizes: list[int]) -> bytes:
    """Read a bit more, as long as there is time and it is not too much."""
    if time.monotonic() >= ends:
        raise TimeoutError("timed out")
    piece = response.read1(65_536)
    sizes.append(len(piece))
    if sum(sizes) > MOST:
        raise ServiceError(f"its answer has more than {MOST:,} bytes")
    return piece


def _rows(answer: bytes, path: Sequence[str]) -> list[Row]:
    """Find the rows in an answer; where their place is not there, nothing was found."""
    try:
        found: Any = json.loads(answer)
    except ValueError:
        told = answer[:200].decode(errors="replace")
        raise ServiceError(f"its answer is no JSON: {told}") from None
    for name in path:
        found = cast("dict[str, Any]", found).get(name) if isinstance(found, dict) else found
        if found is None:
            return []
    if not isinstance(found, list):
        raise ServiceError(f"there is no list of rows at {'.'.join(path)} of its answer")
    given: list[Any] = found  # pyright: ignore[reportUnknownVariableType]
    return [row for row in given if isinstance(row, dict)]
