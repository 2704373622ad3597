"""The agent in one call: a question in, an `Answer` out."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from wirebook_utils import (
    Answer,
    CallLLM,
    Limits,
    Search,
    Step,
    Stopped,
    StopReason,
    UsageError,
    arun_flow,
    run_flow,
)
from wirebook_utils.call_llm import call_llm
from wirebook_utils.layers import Layer, PerRun, deadline, step_limit, strict, trace
from wirebook_utils.search_web import search_web
from wirebook_utils.usage import Meter, counted, metering
from wirebook_utils.waiting import run_async, waits

from wirebook_agent.cite import cited
from wirebook_agent.flow import MAX_SEARCHES, research_flow
from wirebook_agent.nodes import Research, begin

NOTHING = "The sources that were searched do not hold an answer to this question."
STOPPED = "Stopped before an answer was found."
FAILED = "There is no answer, since something failed."
NEEDED = {
    "call_llm": "a function that takes a prompt and gives text",
    "search": "a function that takes a query and gives hits, such as search_files(folder)",
}


def research(
    question: str,
    *,
    call_llm: CallLLM = call_llm,
    search: Search = search_web,
    limits: Limits | None = None,
    max_searches: int = MAX_SEARCHES,
) -> Answer:
    """Answer a question by searching, and name the sources.

    `call_llm` takes a prompt and gives text, and is the ready one by default; `search` takes a
    query and gives hits, by default from the web. They may be async functions; inside a running
    event loop, those are for `aresearch`.

    It always gives an answer, and its `stop_reason` says why it ended: `answered`; `no_evidence`,
    where nothing was found or the text cites nothing that was; `max_steps` and `deadline` at a
    limit, `stuck` where the model asked for the same search again, from what there was until then;
    `error` where the model failed, or all that was searched.

    Raises `UsageError` for an empty question or what is no function, `ValueError` for limits that
    let nothing run, and what `call_llm` raises, unless that is a `ServiceError` or `BadReply`.
    """
    if waits(call_llm, search):
        return run_async(
            lambda: aresearch(
                question,
                call_llm=call_llm,
                search=search,
                limits=limits,
                max_searches=max_searches,
            ),
            "aresearch(...)",
        )
    run = _Run(question, call_llm, search, limits or Limits(), max_searches)
    with run.bounded():
        run_flow(run.flow, run.shared, layers=run.layers)
    return run.answer()


async def aresearch(
    question: str,
    *,
    call_llm: CallLLM = call_llm,
    search: Search = search_web,
    limits: Limits | None = None,
    max_searches: int = MAX_SEARCHES,
) -> Answer:
    """Answer as `research` does, with functions that may wait."""
    run = _Run(question, call_llm, search, limits or Limits(), max_searches)
    with run.bounded():
        await arun_flow(run.flow, run.shared, layers=run.layers)
    return run.answer()


class _Run:
    """One run: what goes in, and the answer made of what came out."""

    def __init__(
        self, question: str, call_llm: CallLLM, search: Search, limits: Limits, max_searches: int
    ) -> None:
        if not question.strip():
            raise UsageError("The question is empty. Ask something.")
        if max_searches < 1:
            raise UsageError(
                f"max_searches={max_searches}: the agent has to search. Give 1 or more."
            )
        given: dict[str, object] = {"call_llm": call_llm, "search": search}
        for name, value in given.items():
            if not callable(value):
                raise UsageError(f"{name}={value!r} is no function. Give {NEEDED[name]}.")
        self.flow = research_flow(counted(call_llm), search, max_searches=max_searches)
        self.shared: Research = begin(question.strip())
        self.reasons: list[StopReason] = []
        self.spans: list[dict[str, Any]] = []
        self.layers: list[Layer | PerRun] = [
            strict,
            step_limit(limits.steps, exit="answer", told=self.reasons.append),
            deadline(limits.seconds, exit="answer", told=self.reasons.append),
            trace(self.spans),
        ]
        self.meter = Meter()
        self.began = time.perf_counter()

    @contextmanager
    def bounded(self) -> Generator[None]:
        """Count what the run uses, and keep the reason of a limit that ended it."""
        try:
            with metering() as self.meter:
                yield
        except Stopped as stopped:
            self.reasons.append(stopped.reason)

    def answer(self) -> Answer:
        """Make the answer: only sources that the text cites, numbered from 1."""
        shared = self.shared
        text, sources = cited(shared["text"] or "", shared["notes"])
        # A text that cites nothing is shown, but nothing that was found bears it out.
        ended: StopReason = "answered" if sources else "no_evidence"
        return Answer(
            text=text or self._nothing(),
            stop_reason=self.reasons[0] if self.reasons else shared["stop_reason"] or ended,
            sources=sources,
            steps=self._steps(),
            usage=self.meter.usage,
            data={
                "searches": shared["searches"],
                "notes": len(shared["notes"]),
                "problems": shared["problems"],
                "seconds": time.perf_counter() - self.began,
            },
        )

    def _nothing(self) -> str:
        """Say that there is no answer, and what went wrong last, if anything did."""
        failed = self.shared["stop_reason"] == "error"
        said = STOPPED if self.reasons else FAILED if failed else NOTHING
        return " ".join([said, *self.shared["problems"][-1:]])

    def _steps(self) -> tuple[Step, ...]:
        visits = [s for s in self.spans if s["attributes"]["wirebook.phase"] == "run"]
        # The last visit to end is that of the flow itself.
        return tuple(_step(span) for span in visits[:-1])


def _step(span: dict[str, Any]) -> Step:
    attributes = span["attributes"]
    seconds = (span["endTimeUnixNano"] - span["startTimeUnixNano"]) / 1e9
    path = str(attributes["wirebook.path"]).partition("/")[2]
    return Step(path, attributes.get("wirebook.action"), seconds)
