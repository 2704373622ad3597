"""What `search_web` asks: an engine, a plain function; the one that is installed is found here.

Left out: judging what they find. Whatever has this type is an engine.
"""

import importlib
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from wirebook_utils.extras import extra

Row: TypeAlias = Mapping[str, Any]
"""`{"title": ..., "href": ..., "body": ...}`, as ddgs gives it; what is missing is filled."""

Engine: TypeAlias = Callable[[str, int, str | None, float], Iterable[Row] | None]
"""Takes the query, how many rows, the region, and the seconds it may take."""


def installed_engine(backends: Sequence[str] = ()) -> Engine:
    """Give `ddgs`, or the same library under its old name if that is what is there.

    `backends` are the engines that the library may ask. Raises `UsageError` with the line to type
    if neither is installed.
    """
    with extra("search", "Web search"):
        try:
            from wirebook_utils.search_web.by_ddgs import ddgs
        except ModuleNotFoundError as missing:
            try:
                importlib.import_module("duckduckgo_search")
            except ModuleNotFoundError:
                raise missing from None
            return partial(duckduckgo_search, backends=backends)
        return partial(ddgs, backends=backends)


def duckduckgo_search(
    query: str, top: int, region: str | None, seconds: float, *, backends: Sequence[str] = ()
) -> Iterable[Row] | None:
    """Ask `duckduckgo_search`, the name of `ddgs` until 2025."""
    library = importlib.import_module("duckduckgo_search")
    # It warns of its new name, and sets filters of its own before that.
    with warnings.catch_warnings(record=True):
        client = library.DDGS(timeout=seconds)
        asked = {"backend": ",".join(backends)} if backends else {}
        rows: list[Row] | None = client.text(query, region=region, max_results=top, **asked)
    return rows
