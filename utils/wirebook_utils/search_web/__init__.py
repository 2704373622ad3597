"""Search the web: a `Search` like any other, over the library `ddgs`."""

from wirebook_utils.search_web.engine import Engine, Row
from wirebook_utils.search_web.search import search_web

__all__ = ["Engine", "Row", "search_web"]
