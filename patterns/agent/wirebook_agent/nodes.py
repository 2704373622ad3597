"""The boxes of the research agent: decide, look up, write."""

from collections.abc import Callable
from dataclasses import replace
from typing import Generic, NamedTuple, TypedDict, TypeVar

from wirebook import Node
from wirebook.core import settle
from wirebook_utils import CallLLM, Hit, Search
from wirebook_utils.stand_in import NO_EVIDENCE

from wirebook_agent.cite import cited
from wirebook_agent.prompts import (
    BadReply,
    Decision,
    again,
    decide_prompt,
    read_decision,
    read_text,
    write_prompt,
)

NEW_NOTES = 5
"""A search adds no more notes, so that the last search counts as much as the first."""

NOTE_SIZE = 2_000
"""Characters of a note. All bounds together keep a prompt to what a small model can read."""

Exec = TypeVar("Exec")
T = TypeVar("T")


class Research(TypedDict):
    """What the nodes of a run share."""

    question: str
    notes: list[Hit]
    """What was found, each passage once, in the order of finding; the model sees them numbered."""
    query: str
    """What is looked up next."""
    searches: list[str]
    """The queries that were looked up."""
    problems: list[str]
    """What failed on the way without ending the run."""
    text: str | None
    """The answer; `None` says that the notes do not hold it."""


def begin(question: str) -> Research:
    """Make the state that a run starts with."""
    return {
        "question": question,
        "notes": [],
        "query": "",
        "searches": [],
        "problems": [],
        "text": None,
    }


class Found(NamedTuple):
    """What a search gave: its hits, or the problem it had."""

    hits: list[Hit]
    problem: str = ""

    def __str__(self) -> str:
        return self.problem or f"{len(self.hits)} found"


class _Asks(Node[Research, Research, Exec], Generic[Exec]):
    """A node that asks the model, and again with what was wrong if its reply cannot be used."""

    def __init__(self, call_llm: CallLLM) -> None:
        super().__init__(max_retries=3)
        self.call_llm = call_llm
        # A flow visits a copy of the node, so this lasts for the attempts of one visit.
        self.problem = ""

    def prep(self, shared: Research) -> Research:
        return shared.copy()

    async def ask(self, prompt: str, read: Callable[[object], T]) -> T:
        """Give what `read` makes of the reply; it raises `BadReply` if that is nothing."""
        if self.cur_retry and self.problem:
            prompt = again(prompt, self.problem)
        try:
            return read(await settle(self.call_llm(prompt)))
        except BadReply as problem:
            self.problem = str(problem)
            raise


class Decide(_Asks[Decision]):
    """Let the model choose between one more search and the answer."""

    def __init__(self, call_llm: CallLLM, max_searches: int) -> None:
        super().__init__(call_llm)
        self.max_searches = max_searches

    async def exec(self, known: Research) -> Decision:
        prompt = decide_prompt(
            known["question"], known["notes"], known["searches"], known["problems"]
        )
        return await self.ask(prompt, read_decision)

    def exec_fallback(self, known: Research, exc: Exception) -> Decision:
        """Search for the question itself, or answer from what is there, if no reply was usable."""
        if not isinstance(exc, BadReply):
            raise exc
        return Decision("answer") if known["searches"] else Decision("search", known["question"])

    def post(self, shared: Research, known: Research, decision: Decision) -> str:
        earlier = {query.casefold() for query in shared["searches"]}
        if decision.action == "answer":
            return "answer"
        if decision.query.casefold() in earlier or len(earlier) >= self.max_searches:
            return "answer"
        shared["query"] = decision.query
        return "search"


class LookUp(Node[Research, str, Found]):
    """Search for the query that `Decide` chose. A search that fails has found nothing."""

    def __init__(self, search: Search) -> None:
        super().__init__(max_retries=2)
        self.search = search

    def prep(self, shared: Research) -> str:
        return shared["query"]

    async def exec(self, query: str) -> Found:
        return Found([_cut(hit) for hit in await settle(self.search(query)) or ()])

    def exec_fallback(self, query: str, exc: Exception) -> Found:
        return Found([], f"The search for {query!r} failed: {exc}")

    def post(self, shared: Research, query: str, found: Found) -> None:
        shared["searches"].append(query)
        if found.problem:
            shared["problems"].append(found.problem)
        known = {(note.url, note.span, note.text) for note in shared["notes"]}
        new = [hit for hit in found.hits if (hit.url, hit.span, hit.text) not in known]
        shared["notes"] = [*shared["notes"], *new[:NEW_NOTES]]


class Write(_Asks[str | None]):
    """Let the model answer from the notes; without notes there is nothing to ask it."""

    async def exec(self, known: Research) -> str | None:
        if not known["notes"]:
            return None

        def read(reply: object) -> str | None:
            text = read_text(reply)
            if text.upper().startswith(NO_EVIDENCE):
                return None
            if not cited(text, known["notes"])[1]:
                raise BadReply("It cites no note: put its number after a statement, as [1].", text)
            return text

        return await self.ask(write_prompt(known["question"], known["notes"]), read)

    def exec_fallback(self, known: Research, exc: Exception) -> str | None:
        """Take what the model says without citing; quote the best note if it says nothing."""
        if not isinstance(exc, BadReply):
            raise exc
        return exc.reply or f"{known['notes'][0].text} [1]"

    def post(self, shared: Research, known: Research, text: str | None) -> None:
        shared["text"] = text


def _cut(hit: object) -> Hit:
    """Shorten a text that is too long for a note, and its span with it."""
    if not isinstance(hit, Hit):
        raise TypeError(f"search gave {hit!r}, not a Hit(title, url, text, score).")
    if len(hit.text) <= NOTE_SIZE:
        return hit
    span = (hit.span[0], hit.span[0] + NOTE_SIZE) if hit.span else None
    return replace(hit, text=hit.text[:NOTE_SIZE], span=span)
