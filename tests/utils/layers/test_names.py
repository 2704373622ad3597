"""Names and paths: one function computes them, and everything else asks it."""

import asyncio
from typing import Any

from wirebook import AsyncParallelBatchFlow, BatchFlow, Flow, Node
from wirebook_utils.layers import Call, arun_flow, name_of, names, path, run_flow, step_limit

from tests.utils.layers.nodes import LookUp, ParallelSquares, Squares, Write, endless
from tests.utils.layers.settings import Drive


class Paths:
    """A layer that notes the path of every phase of one kind."""

    def __init__(self, phase: str) -> None:
        self.phase = phase
        self.seen: list[str] = []

    async def __call__(self, call: Call, node: Any, phase: str, *args: Any) -> Any:
        if phase == self.phase:
            self.seen.append(path())
        return await call(node, phase, *args)


def test_name_is_the_attribute_or_the_class() -> None:
    """A node's name is its attribute `name` if that is a text, else its class name."""
    node = LookUp()
    assert name_of(node) == "LookUp"
    node.name = "wiki"  # type: ignore[attr-defined]
    assert name_of(node) == "wiki"
    node.name = 7  # type: ignore[attr-defined]
    assert name_of(node) == "LookUp"


def test_repeats_are_numbered_breadth_first_in_wiring_order() -> None:
    """Nodes are met breadth-first in wiring order, and repeats get `#2`, `#3`."""
    first, left, right, last = LookUp(), LookUp(), Write(), LookUp()
    first - "left" >> left >> last
    first - "right" >> right
    table = names(Flow(first))
    assert [table[id(node.successors)] for node in (first, left, right, last)] == [
        "LookUp",
        "LookUp#2",
        "Write",
        "LookUp#3",
    ]


def test_paths_count_visits_from_the_second_on(drive: Drive) -> None:
    """The k-th visit of a node has `@k` from the second on."""
    paths = Paths("run")
    drive(endless(), {}, paths, step_limit(6, exit="answer"))
    ours = [p[p.index("Flow/Decide") :] for p in paths.seen if "Flow/Decide" in p]
    assert ours[:3] == ["Flow/Decide", "Flow/Decide@2", "Flow/Decide@3"]


def test_passes_and_items_have_their_index(drive: Drive) -> None:
    """`[i]` is the pass of a batch flow or the item of a batch node, counted from 0."""

    class Twice(BatchFlow[dict[str, Any]]):
        def prep(self, shared: dict[str, Any]) -> list[dict[str, Any]]:
            return [{"n": 0}, {"n": 1}]

    paths = Paths("exec")
    drive(Twice(Squares()), {}, paths)
    ours = [p[p.index("Twice") :] for p in paths.seen if "Twice" in p]
    assert ours == [f"Twice[{i}]/Squares[{j}]" for i in range(2) for j in range(3)]


def test_parallel_passes_and_items_have_their_index() -> None:
    """At the same time too, each pass and item knows its own index."""

    class Twice(AsyncParallelBatchFlow[dict[str, Any]]):
        async def prep_async(self, shared: dict[str, Any]) -> list[dict[str, Any]]:
            return [{"n": 0}, {"n": 1}]

    paths = Paths("exec")
    asyncio.run(arun_flow(Twice(ParallelSquares({}, n=3)), {}, layers=[paths]))
    assert sorted(paths.seen) == [
        f"Twice[{i}]/ParallelSquares[{j}]" for i in range(2) for j in range(3)
    ]


def test_nested_flows_and_runs_inside_exec_extend_the_path() -> None:
    """A flow in a flow, and a run started in `exec`, stand below the step they belong to."""

    class Outer(Node[dict[str, Any], None, None]):
        def exec(self, prep_res: None) -> None:
            Flow(Write()).run({})

    paths = Paths("post")
    run_flow(Flow(Flow(Outer())), {}, layers=[paths])
    assert paths.seen == [
        "Flow/Flow/Outer/Flow/Write",
        "Flow/Flow/Outer/Flow",
        "Flow/Flow/Outer",
        "Flow/Flow",
        "Flow",
    ]


def test_attempts_of_one_item_share_its_index() -> None:
    """A second attempt of item 1 is still item 1."""

    class Flaky(Squares):
        def exec(self, prep_res: int) -> int:
            if prep_res == 2 and self.cur_retry == 0:
                raise ValueError
            return prep_res

    paths = Paths("exec")
    run_flow(Flaky(max_retries=2), {}, layers=[paths])
    assert paths.seen == ["Flaky[0]", "Flaky[1]", "Flaky[1]", "Flaky[2]"]


def test_path_is_empty_outside_a_run() -> None:
    """Outside a run with layers there is no path, before and after one."""
    assert path() == ""
    run_flow(Flow(Write()), {})
    assert path() == ""


def test_attempts_of_parallel_items_keep_their_index() -> None:
    """However attempts of items that run at once interleave, each has its item's index."""

    class Flaky(ParallelSquares):
        async def exec_async(self, prep_res: int) -> int:
            await asyncio.sleep(0.001 * (3 - prep_res))
            if self.cur_retry < prep_res:
                raise ValueError
            return prep_res

    paths = Paths("exec")
    node = Flaky({}, n=3)
    node.max_retries = 3
    asyncio.run(arun_flow(node, {}, layers=[paths]))
    assert sorted(paths.seen) == ["Flaky[0]", *["Flaky[1]"] * 2, *["Flaky[2]"] * 3]


def test_visit_that_a_layer_repeats_counts_anew() -> None:
    """A second go at the same visit has the same paths."""
    paths = Paths("exec")

    async def twice(call: Call, node: Any, phase: str, *args: Any) -> Any:
        if phase == "run":
            await call(node, phase, *args)
        return await call(node, phase, *args)

    run_flow(Squares(), {}, layers=[twice, paths])
    assert paths.seen == ["Squares[0]", "Squares[1]", "Squares[2]"] * 2
