"""Search the web: a `Search` like any other, over the library `ddgs` and what answers in JSON."""

from wirebook_utils.search_web.by_json import brave, json_engine
from wirebook_utils.search_web.engine import Engine, Row
from wirebook_utils.search_web.search import search_web

__all__ = ["Engine", "Row", "brave", "json_engine", "search_web"]
