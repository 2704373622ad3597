"""The boxes of the research agent: decide, look up, write."""

from typing import NamedTuple, TypedDict

from wirebook import Node
from wirebook.core import settle
from wirebook_utils import (
    BadReply,
    CallLLM,
    Hit,
    Search,
    ServiceError,
    StopReason,
    UsageError,
    ask,
)
from wirebook_utils.coverage import COVERED, coverage
from wirebook_utils.sections import NO_EVIDENCE

from wirebook_agent.cite import cited
from wirebook_agent.notes import cut, unknown
from wirebook_agent.prompts import (
    QUERY_LIMIT,
    AlreadySearched,
    Decision,
    decide_prompt,
    makes_sense,
    reread_prompt,
    was_made,
    write_prompt,
)


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
    stop_reason: StopReason | None
    """Why it came to its end before the model said so, if it did."""


def begin(question: str) -> Research:
    """Make the state that a run starts with."""
    return {
        "question": question,
        "notes": [],
        "query": "",
        "searches": [],
        "problems": [],
        "text": None,
        "stop_reason": None,
    }


class Next(NamedTuple):
    """What to do next, and why the model was not asked, or not heard, if so."""

    action: str
    query: str = ""
    reason: str = ""
    stop_reason: StopReason | None = None
    problem: str = ""

    def __str__(self) -> str:
        step = f"{self.action}: {self.query}" if self.query else self.action
        return f"{step} ({self.reason})" if self.reason else step


class Found(NamedTuple):
    """What a search gave: its hits, or the problem it had."""

    hits: list[Hit]
    problem: str = ""
    failed: bool = False

    def __str__(self) -> str:
        return self.problem or f"{len(self.hits)} found"


class Written(NamedTuple):
    """The text, or `None` if the notes do not hold it, and the problem there was with the model."""

    text: str | None
    problem: str = ""
    stop_reason: StopReason | None = None

    def __str__(self) -> str:
        return self.text or "nothing"


class Decide(Node[Research, Research, Next]):
    """Let the model choose between one more search and the answer."""

    def __init__(self, call_llm: CallLLM, max_searches: int) -> None:
        super().__init__()
        self.call_llm, self.max_searches = call_llm, max_searches

    def prep(self, shared: Research) -> Research:
        return shared.copy()

    async def exec(self, known: Research) -> Next:
        searches = known["searches"]
        if len(searches) >= self.max_searches:
            reason = f"{len(searches)} searches are the most"
            return Next("answer", reason=reason, stop_reason="max_steps")
        prompt = decide_prompt(known["question"], known["notes"], searches, known["problems"])
        decision = await settle(ask(self.call_llm, prompt, Decision, check=makes_sense(searches)))
        return Next(decision.action, decision.query, decision.reason)

    def exec_fallback(self, known: Research, exc: Exception) -> Next:
        """Search for the question itself, or answer from what is there, if no reply was usable."""
        question, searches = known["question"][:QUERY_LIMIT], known["searches"]
        if isinstance(again := exc.__cause__, AlreadySearched):
            if known["stop_reason"] == "error":  # a dead search is the reason, and is told already
                return Next("answer", reason="no other search was wanted")
            if not known["notes"] and not was_made(question, searches):
                return Next("search", question, "nothing was found yet")
            return Next("answer", stop_reason="stuck", problem=again.told)
        problem, stop_reason = _problem(exc)
        if searches:
            return Next("answer", stop_reason=stop_reason, problem=problem)
        return Next("search", question, stop_reason=stop_reason, problem=problem)

    def post(self, shared: Research, known: Research, step: Next) -> str:
        _note(shared, step.problem, step.stop_reason)
        shared["query"] = step.query
        return step.action


class LookUp(Node[Research, str, Found]):
    """Search for the query that `Decide` chose. A search that fails has found nothing."""

    def __init__(self, search: Search) -> None:
        super().__init__(max_retries=2)
        self.search = search

    def prep(self, shared: Research) -> str:
        return shared["query"]

    async def exec(self, query: str) -> Found:
        hits = [cut(hit) for hit in await settle(self.search(query)) or ()]
        return Found(hits, "" if hits else f"The search for {query!r} found nothing.")

    def exec_fallback(self, query: str, exc: Exception) -> Found:
        if isinstance(exc, UsageError):
            raise exc
        return Found([], f"The search for {query!r} failed: {exc}", failed=True)

    def post(self, shared: Research, query: str, found: Found) -> None:
        shared["searches"].append(query)
        # Where all searches fail, it is not the sources that lack the answer.
        _note(shared, found.problem, "error" if found.failed and not shared["notes"] else None)
        if found.hits and shared["stop_reason"] == "error":
            shared["stop_reason"] = None
        shared["notes"] = [*shared["notes"], *unknown(found.hits, shared["notes"])]


class Write(Node[Research, Research, Written]):
    """Let the model answer from the notes; without notes there is nothing to ask it."""

    def __init__(self, call_llm: CallLLM) -> None:
        super().__init__()
        self.call_llm = call_llm

    def prep(self, shared: Research) -> Research:
        return shared.copy()

    async def exec(self, known: Research) -> Written:
        notes = known["notes"]
        if not notes:
            return Written(None)

        def cites(text: str) -> None:
            if not _denies(text, notes) and not cited(text, notes)[1]:
                raise ValueError("It cites no note: put its number after a statement, as [1].")

        prompt = write_prompt(known["question"], notes)
        text = await settle(ask(self.call_llm, prompt, str, check=cites))
        if _denies(text, notes):
            text = await self._reread(known["question"], notes)
        return Written(None if _denies(text, notes) else text)

    async def _reread(self, question: str, notes: list[Hit]) -> str:
        """Show the model once more, and alone, the note that covers most of the question.

        Small models overlook in five notes what they find in one.
        """
        shares = coverage(question, [note.text for note in notes])
        best = max(shares)
        if best <= COVERED:
            return NO_EVIDENCE
        at = shares.index(best)
        text = await settle(ask(self.call_llm, reread_prompt(question, notes[at]), str))
        if _denies(text, []):
            return NO_EVIDENCE
        # It saw one note and no number: whatever it cites, it is this note.
        return f"{cited(text, [])[0]} [{at + 1}]"

    def exec_fallback(self, known: Research, exc: Exception) -> Written:
        """Take what the model says without citing; quote the best note if it says nothing."""
        problem, stop_reason = _problem(exc)
        text = exc.reply.strip() if isinstance(exc, BadReply) else ""
        return Written(text or f"{known['notes'][0].text} [1]", problem, stop_reason)

    def post(self, shared: Research, known: Research, written: Written) -> None:
        shared["text"] = written.text
        if shared["notes"] and not written.problem and shared["stop_reason"] == "error":
            shared["stop_reason"] = None  # the model came back
        _note(shared, written.problem, written.stop_reason)


def _denies(text: str, notes: list[Hit]) -> bool:
    """Tell whether a text says that there is no answer; one that begins so and cites is one."""
    said = text.lstrip("*_#>\"'`“ ")
    if said.startswith(NO_EVIDENCE):
        return True
    return said.upper().startswith(NO_EVIDENCE) and not cited(text, notes)[1]


def _problem(exc: Exception) -> tuple[str, StopReason | None]:
    """Say what is wrong with the model, if the run can go on without it; else raise that."""
    if isinstance(exc, BadReply):
        return f"The model's reply cannot be used. {exc}", None
    if isinstance(exc, ServiceError):
        return f"The model failed: {exc}", "error"
    raise exc


def _note(shared: Research, problem: str, stop_reason: StopReason | None = None) -> None:
    if problem:
        shared["problems"].append(problem)
    # What failed says more than the limit that it led to.
    if stop_reason and shared["stop_reason"] != "error":
        shared["stop_reason"] = stop_reason
