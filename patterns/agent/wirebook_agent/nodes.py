"""The boxes of the research agent: decide, look up, write."""

from typing import Any, NamedTuple, TypedDict

from wirebook import Node
from wirebook.core import settle
from wirebook_utils import CallLLM, Hit, Search
from wirebook_utils.stand_in import NO_EVIDENCE

from wirebook_agent.prompts import BadReply, Decision, decide_prompt, read_decision, write_prompt

MAX_NOTES = 12


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


async def reply_to(prompt: str, call_llm: CallLLM) -> str:
    """Ask the model; raise `TypeError` if what it gives is no text."""
    reply: Any = await settle(call_llm(prompt))
    if not isinstance(reply, str):
        raise TypeError(f"call_llm gave {reply!r}, not text. Let it return the model's reply.")
    return reply


class Decide(Node[Research, Research, Decision]):
    """Let the model choose between one more search and the answer."""

    def __init__(self, call_llm: CallLLM, max_searches: int) -> None:
        super().__init__(max_retries=3)
        self.call_llm, self.max_searches = call_llm, max_searches

    def prep(self, shared: Research) -> Research:
        return shared.copy()

    async def exec(self, known: Research) -> Decision:
        prompt = decide_prompt(known["question"], known["notes"], known["searches"])
        return read_decision(await reply_to(prompt, self.call_llm))

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
        hits: list[object] = [*await settle(self.search(query))]
        for hit in hits:
            if not isinstance(hit, Hit):
                raise TypeError(f"search gave {hit!r}, not a Hit(title, url, text, score).")
        return Found([hit for hit in hits if isinstance(hit, Hit)])

    def exec_fallback(self, query: str, exc: Exception) -> Found:
        return Found([], f"The search for {query!r} failed: {exc}")

    def post(self, shared: Research, query: str, found: Found) -> None:
        shared["searches"].append(query)
        if found.problem:
            shared["problems"].append(found.problem)
        known = {(note.url, note.span, note.text) for note in shared["notes"]}
        new = [hit for hit in found.hits if (hit.url, hit.span, hit.text) not in known]
        shared["notes"] = [*shared["notes"], *new][:MAX_NOTES]


class Write(Node[Research, Research, str | None]):
    """Let the model answer from the notes; without notes there is nothing to ask it."""

    def __init__(self, call_llm: CallLLM) -> None:
        super().__init__(max_retries=3)
        self.call_llm = call_llm

    def prep(self, shared: Research) -> Research:
        return shared.copy()

    async def exec(self, known: Research) -> str | None:
        if not known["notes"]:
            return None
        reply = await reply_to(write_prompt(known["question"], known["notes"]), self.call_llm)
        if not reply.strip():
            raise BadReply("The reply is empty.")
        return None if reply.strip().upper().startswith(NO_EVIDENCE) else reply.strip()

    def exec_fallback(self, known: Research, exc: Exception) -> str | None:
        """Quote the best note if the model says nothing: never empty-handed."""
        if not isinstance(exc, BadReply):
            raise exc
        return f"{known['notes'][0].text} [1]"

    def post(self, shared: Research, known: Research, text: str | None) -> None:
        shared["text"] = text
