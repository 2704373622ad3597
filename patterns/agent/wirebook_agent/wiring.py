"""The card of the research agent."""

from collections.abc import Callable
from os import PathLike
from typing import Any

from wirebook_utils import Answer, CallLLM, Limits, Search, UsageError, Wiring
from wirebook_utils.search_files import search_files
from wirebook_utils.search_web import search_web

from wirebook_agent.flow import MAX_SEARCHES, research_flow
from wirebook_agent.research import research


def ask(
    question: str,
    *,
    call_llm: CallLLM,
    search: Search | None = None,
    embed: Callable[..., Any] | None = None,
    docs: str | PathLike[str] | None = None,
    limits: Limits | None = None,
) -> Answer:
    """Answer a question with `search`, over the files of the folder `docs`, or from the web.

    Raises `UsageError` if both are given, or there is no text below the folder; else as `research`.
    """
    if search is not None and docs is not None:
        raise UsageError("A search and a folder are given. Give one of --search and --docs.")
    if docs is not None:
        search = search_files(docs)
    return research(question, call_llm=call_llm, search=search or search_web, limits=limits)


agent = Wiring(
    name="agent",
    summary="Searches until it can answer: decide, look up, decide again, write.",
    when="One search is not enough to know what to ask for next.",
    when_not="The first search always finds it: then retrieve once and answer.",
    build=research_flow,
    ask=ask,
    needs=frozenset({"call_llm", "search"}),
    calls=f"searches + (searches < {MAX_SEARCHES}) + (notes > 0)",
    fails_when=(
        f"It searches for ever: after {MAX_SEARCHES}, or at a limit, it answers from its notes.",
        "The model wants the same search again: it answers from its notes, as stuck.",
        "It overlooks the answer in its notes: it is shown the best one again, for one more call.",
        "The sources do not hold the answer: it says so, as no_evidence.",
        "The model or the search is down: it quotes what it has, as error.",
    ),
)
