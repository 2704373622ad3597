"""`trace`: a span for each visit, pass, phase and attempt."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from wirebook import AsyncFlow, Flow, Node
from wirebook_utils.layers import arun_flow, run_flow, step_limit, trace

from tests.utils.layers.nodes import Fail, ParallelSquares, Squares, Write, endless
from tests.utils.layers.settings import Drive


def flat(span: dict[str, Any]) -> str:
    """Give a span as `path phase`."""
    return f"{span['attributes']['wirebook.path']} {span['attributes']['wirebook.phase']}"


def test_spans_are_the_golden_list() -> None:
    """A run's spans come in the order of their ends, children before parents."""
    spans: list[dict[str, Any]] = []
    run_flow(endless(), {}, layers=[trace(spans), step_limit(2, exit="answer")])
    assert [flat(span) for span in spans] == [
        "Flow prep",
        "Flow/Decide prep",
        "Flow/Decide exec",
        "Flow/Decide post",
        "Flow/Decide run",
        "Flow/LookUp prep",
        "Flow/LookUp exec",
        "Flow/LookUp post",
        "Flow/LookUp run",
        "Flow/Decide@2 run",
        "Flow/Write prep",
        "Flow/Write exec",
        "Flow/Write post",
        "Flow/Write run",
        "Flow post",
        "Flow run",
    ]


def test_spans_form_one_tree(drive: Drive) -> None:
    """All spans of a run have one trace id, and each but the root a parent that holds it."""
    spans: list[dict[str, Any]] = []
    drive(Flow(Squares()), {}, trace(spans))
    by_id = {span["spanId"]: span for span in spans}
    assert len({span["traceId"] for span in spans}) == 1
    roots = [span for span in spans if span["parentSpanId"] is None]
    assert [flat(root).split()[1] for root in roots] == ["run"]
    for span in spans:
        if span not in roots:
            parent = by_id[span["parentSpanId"]]
            assert parent["startTimeUnixNano"] <= span["startTimeUnixNano"]
            assert span["endTimeUnixNano"] <= parent["endTimeUnixNano"]


def test_parallel_items_have_the_same_parent() -> None:
    """Items that run at the same time are siblings, however their ends interleave."""
    spans: list[dict[str, Any]] = []
    asyncio.run(arun_flow(AsyncFlow(ParallelSquares({}, n=4)), {}, layers=[trace(spans)]))
    items = [span for span in spans if span["attributes"]["wirebook.phase"] == "exec"]
    assert len(items) == 4
    assert len({span["parentSpanId"] for span in items}) == 1


def test_actions_attempts_and_errors_are_attributes() -> None:
    """A visit has its action, an attempt its number, a failure its type, and no content."""

    class Secret(Node[dict[str, Any], str, str]):
        def prep(self, shared: dict[str, Any]) -> str:
            return str(shared["secret"])

        def exec(self, prep_res: str) -> str:
            if self.cur_retry == 0:
                raise ValueError(prep_res)
            return prep_res

        def post(self, shared: dict[str, Any], prep_res: str, exec_res: str) -> str:
            return "done"

    spans: list[dict[str, Any]] = []
    run_flow(Flow(Secret(max_retries=2)), {"secret": "sesame"}, layers=[trace(spans)])
    attempts = [span for span in spans if span["attributes"]["wirebook.phase"] == "exec"]
    assert [span["attributes"]["wirebook.attempt"] for span in attempts] == [1, 2]
    assert attempts[0]["attributes"]["error.type"] == "ValueError"
    assert [span["status"]["code"] for span in attempts] == [2, 1]
    assert spans[-1]["attributes"]["wirebook.action"] == "done"
    assert "sesame" not in json.dumps(spans)


def test_a_run_that_fails_is_traced_to_its_end(drive: Drive) -> None:
    """Every span that began ends, with the error's type, up to the root."""
    spans: list[dict[str, Any]] = []
    with pytest.raises(ValueError, match="bad"):
        drive(Flow(Fail()), {}, trace(spans))
    assert spans[-1]["parentSpanId"] is None
    assert spans[-1]["attributes"]["error.type"] == "ValueError"


def test_file_gets_one_line_a_span(tmp_path: Path) -> None:
    """A path is a JSONL file that runs append to."""
    file = tmp_path / "trace.jsonl"
    for _ in range(2):
        run_flow(Flow(Write()), {}, layers=[trace(file)])
    spans = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(spans) == 2 * 7
    assert len({span["traceId"] for span in spans}) == 2


def test_function_gets_each_span() -> None:
    """Any function may be the sink."""
    seen: list[str] = []
    run_flow(Write(), {}, layers=[trace(lambda span: seen.append(flat(span)))])
    assert seen == ["Write prep", "Write exec", "Write post", "Write run"]


def test_flow_is_named_as_a_workflow() -> None:
    """A flow's visit is named by the operation of the OpenTelemetry conventions."""
    spans: list[dict[str, Any]] = []
    run_flow(Flow(Write()), {}, layers=[trace(spans)])
    assert spans[-1]["name"] == "invoke_workflow Flow"
    assert spans[-1]["attributes"]["gen_ai.operation.name"] == "invoke_workflow"


def test_two_traces_of_one_run_keep_apart() -> None:
    """Each trace is a tree of its own."""
    one: list[dict[str, Any]] = []
    two: list[dict[str, Any]] = []
    run_flow(Flow(Write()), {}, layers=[trace(one), trace(two)])
    for spans in (one, two):
        ids = {span["spanId"] for span in spans}
        assert [span["parentSpanId"] in ids for span in spans] == [True] * 6 + [False]


def test_file_that_cannot_be_written_is_told_before_the_run(tmp_path: Path) -> None:
    """No work is done first and then lost."""
    with pytest.raises(FileNotFoundError):
        trace(tmp_path / "nope/trace.jsonl")
