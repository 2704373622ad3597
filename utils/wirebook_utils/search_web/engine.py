"""What `search_web` asks: an engine, a plain function; the one that is installed is found here.

Left out: more engines. Whatever has this type is one, and so is a whole search of your own, which
takes the place of `search_web`.
"""

import importlib
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from wirebook_utils.extras import extra

Row: TypeAlias = Mapping[str, Any]
"""`{"title": ..., "href": ..., "body": ...}`, as ddgs gives it; what is missing is filled."""

Engine: TypeAlias = Callable[[str, int, str | None, float], Iterable[Row] | None]
"""Takes the query, how many rows, the region, and the seconds it may take."""


def installed_engine() -> Engine:
    """Give `ddgs`, or the same library under its old name if that is what is there.

    Raises `UsageError` with the line to type if neither is.
    """
    with extra("search", "Web search"):
        try:
            from wirebook_utils.search_web.by_ddgs import ddgs
        except ModuleNotFoundError as missing:
            try:
                importlib.import_module("duckduckgo_search")
            except ModuleNotFoundError:
                raise missing from None
            return duckduckgo_search
        return ddgs


def duckduckgo_search(
    query: str, top: int, region: str | None, seconds: float
) -> Iterable[Row] | None:
    """Ask `duckduckgo_search`, the name of `ddgs` until 2025."""
    library = importlib.import_module("duckduckgo_search")
    # It warns of its new name, and sets filters of its own before that.
    with warnings.catch_warnings(record=True):
        client = library.DDGS(timeout=seconds)
        rows: list[Row] | None = client.text(query, region=region, max_results=top)
    return rows
