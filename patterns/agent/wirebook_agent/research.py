"""The agent in one call: a question in, an `Answer` out."""

import time
from collections.abc import Awaitable, Callable
from typing import Any

from wirebook_utils import (
    Answer,
    CallLLM,
    Limits,
    Prompt,
    Search,
    Step,
    Stopped,
    StopReason,
    Usage,
    UsageError,
    arun_flow,
    run_flow,
)
from wirebook_utils.layers import Layer, PerRun, deadline, step_limit, strict, trace

from wirebook_agent.cite import cited
from wirebook_agent.flow import research_flow
from wirebook_agent.nodes import Research, begin

NOTHING = "The sources that were searched do not hold an answer to this question."
STOPPED = "Stopped before an answer was found."


def research(
    question: str, *, call_llm: CallLLM, search: Search, limits: Limits | None = None
) -> Answer:
    """Answer a question by searching, and name the sources.

    `call_llm` takes a prompt and gives text; `search` takes a query and gives hits. Neither may
    wait for an event loop: `aresearch` is for those that do. At a limit it answers from what it
    has, and the answer's `stop_reason` names the limit, whether it had anything or not; else it is
    `answered`, or `no_evidence` where nothing was found or the text cites nothing that was. Raises
    `UsageError` for an empty question, and what `call_llm` raises.
    """
    run = _Run(question, call_llm, search, limits or Limits())
    try:
        run_flow(run.flow, run.shared, layers=run.layers)
    except Stopped as stopped:
        run.reasons.append(stopped.reason)
    return run.answer()


async def aresearch(
    question: str, *, call_llm: CallLLM, search: Search, limits: Limits | None = None
) -> Answer:
    """Answer as `research` does, with functions that may wait."""
    run = _Run(question, call_llm, search, limits or Limits())
    try:
        await arun_flow(run.flow, run.shared, layers=run.layers)
    except Stopped as stopped:
        run.reasons.append(stopped.reason)
    return run.answer()


class _Run:
    """One run: what goes in, and the answer made of what came out."""

    def __init__(self, question: str, call_llm: CallLLM, search: Search, limits: Limits) -> None:
        if not question.strip():
            raise UsageError("The question is empty. Ask something.")
        self.calls = 0
        self.flow = research_flow(self._counted(call_llm), search)
        self.shared: Research = begin(question.strip())
        self.reasons: list[StopReason] = []
        self.spans: list[dict[str, Any]] = []
        self.layers: list[Layer | PerRun] = [
            strict,
            step_limit(limits.steps, exit="answer", told=self.reasons.append),
            deadline(limits.seconds, exit="answer", told=self.reasons.append),
            trace(self.spans),
        ]
        self.began = time.perf_counter()

    def _counted(self, call_llm: CallLLM) -> Callable[[Prompt], str | Awaitable[str]]:
        def counted(prompt: Prompt) -> str | Awaitable[str]:
            self.calls += 1
            return call_llm(prompt)

        return counted

    def answer(self) -> Answer:
        """Make the answer: only sources that the text cites, numbered from 1."""
        written = self.shared["text"]
        nothing = STOPPED if self.reasons else NOTHING
        text, sources = cited(written or "", self.shared["notes"])
        # A text that cites nothing is shown, but nothing that was found bears it out.
        ended: StopReason = "answered" if sources else "no_evidence"
        return Answer(
            text=text or nothing,
            stop_reason=self.reasons[0] if self.reasons else ended,
            sources=sources,
            steps=self._steps(),
            usage=Usage(calls=self.calls),
            data={
                "searches": self.shared["searches"],
                "notes": len(self.shared["notes"]),
                "problems": self.shared["problems"],
                "seconds": time.perf_counter() - self.began,
            },
        )

    def _steps(self) -> tuple[Step, ...]:
        visits = [s for s in self.spans if s["attributes"]["wirebook.phase"] == "run"]
        # The last visit to end is that of the flow itself.
        return tuple(_step(span) for span in visits[:-1])


def _step(span: dict[str, Any]) -> Step:
    attributes = span["attributes"]
    seconds = (span["endTimeUnixNano"] - span["startTimeUnixNano"]) / 1e9
    path = str(attributes["wirebook.path"]).partition("/")[2]
    return Step(path, attributes.get("wirebook.action"), seconds)
