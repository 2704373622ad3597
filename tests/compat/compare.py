"""Level the outcomes of the two libraries where a row of `rows.py` says so, and only there."""

import ast
import re
from dataclasses import replace
from typing import Any

from tests.compat.graphs import Spec
from tests.compat.play import Outcome

Event = tuple[Any, ...]
FLOW_ENDS = re.compile(r"Flow ends: '(.*)' not found in (\[.*\])", re.DOTALL)


def expected(theirs: Outcome, spec: Spec) -> Outcome:
    """Give what Wirebook has to show, from what PocketFlow showed."""
    events = [event for event in theirs.events if not is_declared_end(event)]
    return comparable(replace(theirs, events=events), spec)


def comparable(outcome: Outcome, spec: Spec) -> Outcome:
    """Leave out what no row and no rule holds fast: the texts of warnings, and two rows."""
    outcome = replace(outcome, events=[wordless(event) for event in outcome.events])
    return until_failure(without_batch_results(outcome, spec), spec)


def is_declared_end(event: Event) -> bool:
    """Tell the warning at a wire to None. Row: `node - "x" >> None`."""
    match = FLOW_ENDS.fullmatch(event[-1]) if event[0] == "warn" else None
    return match is not None and declared(match[1]) in ast.literal_eval(match[2])


def declared(action: str) -> Any:
    """Give the key of an action that a text shows."""
    return {"None": "default", "7": 7, "True": True, "1": 1}.get(action, action)


def wordless(event: Event) -> Event:
    """Leave out the words of a warning."""
    return event[:-1] if event[0] == "warn" else event


def without_batch_results(outcome: Outcome, spec: Spec) -> Outcome:
    """Leave out the actions of the passes. Row: the third argument of `BatchFlow.post`."""
    names = batch_flows(spec, "top")

    def level(event: Event) -> Event:
        if event[0] in names and event[1] == "post":
            return (*event[:3], *event[4:])
        return event

    events = [level(event) for event in outcome.events]
    shared = {name: value for name, value in outcome.shared.items() if name not in names}
    return replace(outcome, events=events, shared=shared)


def batch_flows(spec: Spec, name: str) -> set[str]:
    """Give the names that `build` gives to the batch flows."""
    inside = [batch_flows(node, f"{name}.{i}") for i, node in enumerate(spec.nodes)]
    own = {name} if spec.kind.endswith("BatchFlow") else set[str]()
    return own.union(*inside)


def until_failure(outcome: Outcome, spec: Spec) -> Outcome:
    """Leave out what siblings do after a failure. Row: one item of a parallel batch fails.

    Only where they have something left to do: where some hook waits. If none does, each item has
    come to its end before the loop hears of the failure, in both libraries.
    """
    kinds = {inner.kind for inner in spec.every()}
    pauses = any(inner.pauses or inner.wait > 0 for inner in spec.every())
    if not outcome.error or not pauses or not any("Parallel" in kind for kind in kinds):
        return outcome
    raised = [i for i, event in enumerate(outcome.events) if event == ("raise", outcome.error[1])]
    # A TypeError of the library itself leaves no mark in the events.
    events = outcome.events[: raised[0] + 1] if raised else []
    return Outcome(events, outcome.results, outcome.error)
