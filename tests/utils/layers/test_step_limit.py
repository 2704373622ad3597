"""`step_limit`: no run goes on for ever, and an agent still answers."""

import asyncio
from typing import Any

import pytest
from wirebook import AsyncFlow, AsyncNode, AsyncParallelBatchFlow, Flow, Node
from wirebook_utils.errors import Stopped, StrictError
from wirebook_utils.layers import Layer, PerRun, arun_flow, run_flow, step_limit, strict

from tests.utils.layers.nodes import Decide, LookUp, Write, endless
from tests.utils.layers.settings import Drive


def test_without_a_way_out_it_stops_with_reason_and_state(drive: Drive) -> None:
    """At the limit the run ends with a typed reason, and what was done is in `shared`."""
    shared: dict[str, Any] = {}
    steps = 6 if drive.__name__ == "called_in_exec" else 5
    with pytest.raises(Stopped, match="limit of") as stopped:
        drive(endless(), shared, step_limit(steps))
    assert stopped.value.reason == "max_steps"
    assert stopped.value.path.endswith("Flow/LookUp@3")
    assert shared == {"decided": 3, "notes": ["note"] * 2}


def test_with_a_way_out_the_next_step_is_that_node(drive: Drive) -> None:
    """At the limit the walk goes along the wire of the action named by `exit`."""
    shared: dict[str, Any] = {}
    # The node that calls the flow in its `exec` is a step as well.
    steps = 5 if drive.__name__ == "called_in_exec" else 4
    drive(endless(), shared, step_limit(steps, exit="answer"))
    assert shared == {"decided": 2, "notes": ["note"] * 2, "answer": 2}


@pytest.mark.parametrize(("n", "decided", "notes"), [(1, 1, 0), (2, 1, 1), (3, 2, 1), (4, 2, 2)])
def test_limit_is_exact(n: int, decided: int, notes: int) -> None:
    """`n` steps run before the way out is taken, whichever node the limit falls on."""
    shared: dict[str, Any] = {}
    run_flow(endless(), shared, layers=[step_limit(n, exit="answer")])
    assert (shared["decided"], len(shared.get("notes", []))) == (decided, notes)


def test_a_run_that_ends_in_time_is_left_alone(drive: Drive) -> None:
    """An end on the very last step is no breach, with a way out wired or not."""

    class Done(Node[dict[str, Any], None, None]):
        def post(self, shared: dict[str, Any], prep_res: None, exec_res: None) -> str:
            return "done"

    done, write = Done(), Write()
    done - "done" >> None
    done - "answer" >> write
    shared: dict[str, Any] = {}
    assert drive(Flow(done), shared, step_limit(2, exit="answer")) == "done"
    assert shared == {}


def test_steps_count_over_nested_flows() -> None:
    """A loop inside an inner flow meets the limit of the whole run."""
    inner = endless()
    inner.start_node.successors.pop("answer")  # type: ignore[union-attr]

    class Ask(Node[dict[str, Any], None, None]):
        def post(self, shared: dict[str, Any], prep_res: None, exec_res: None) -> str:
            return "go"

    ask = Ask()
    ask - "go" >> inner >> ask
    with pytest.raises(Stopped) as stopped:
        run_flow(Flow(ask), {}, layers=[step_limit(5)])
    assert stopped.value.path == "Flow/Flow/Decide@3"


def test_a_way_out_that_nobody_is_wired_to_stops_at_once() -> None:
    """With `exit` naming an action that no node has, the limit is as hard as without."""
    with pytest.raises(Stopped) as stopped:
        run_flow(endless(), {}, layers=[step_limit(4, exit="anwser")])
    assert stopped.value.path == "Flow/Decide@3"


def test_a_way_out_that_loops_back_ends_too() -> None:
    """If the way out leads into the loop again, the walk has `n` more steps and no more."""
    decide, look_up = Decide(), LookUp()
    decide - "search" >> look_up >> decide
    decide - "answer" >> look_up
    shared: dict[str, Any] = {}
    with pytest.raises(Stopped):
        run_flow(Flow(decide), shared, layers=[step_limit(4, exit="answer")])
    assert shared["decided"] + len(shared["notes"]) <= 8


def test_each_parallel_walk_has_its_way_out() -> None:
    """Every pass of a parallel flow answers, though they share one count."""

    class Passes(AsyncParallelBatchFlow[dict[str, Any]]):
        async def prep_async(self, shared: dict[str, Any]) -> list[dict[str, Any]]:
            return [{"i": i} for i in range(20)]

    class Again(AsyncNode[dict[str, Any], None, None]):
        async def exec_async(self, prep_res: None) -> None:
            await asyncio.sleep(0)

        async def post_async(self, shared: dict[str, Any], prep: None, res: None) -> str:
            return "again"

    class Answer(AsyncNode[dict[str, Any], None, None]):
        async def post_async(self, shared: dict[str, Any], prep: None, res: None) -> None:
            shared.setdefault("answers", []).append(self.params["i"])

    again = Again()
    again - "again" >> again
    again - "answer" >> Answer()
    shared: dict[str, Any] = {}
    asyncio.run(arun_flow(Passes(again), shared, layers=[step_limit(50, exit="answer")]))
    assert sorted(shared["answers"]) == [*range(20)]


def test_each_run_counts_for_itself() -> None:
    """One `step_limit` object may serve many runs, one after the other or at the same time."""
    layer = step_limit(3, exit="answer")
    for _ in range(3):
        shared: dict[str, Any] = {}
        run_flow(endless(), shared, layers=[layer])
        assert shared["decided"] == 2

    async def main() -> list[dict[str, Any]]:
        states: list[dict[str, Any]] = [{} for _ in range(5)]
        await asyncio.gather(
            *(arun_flow(AsyncFlow(endless()), state, layers=[layer]) for state in states)
        )
        return states

    assert [state["decided"] for state in asyncio.run(main())] == [2] * 5


def test_no_steps_at_all_is_refused() -> None:
    """A limit below 1 says what to give."""
    with pytest.raises(ValueError, match="1 or more"):
        step_limit(0)


def test_action_that_is_no_text_is_left_to_others() -> None:
    """Whatever a node returns, the limit does not stumble over it."""

    class Odd(Node[dict[str, Any], None, None]):
        def post(self, shared: dict[str, Any], prep_res: None, exec_res: None) -> Any:
            return {"action": "go"}

    odd = Odd()
    odd - "answer" >> Write()
    either: list[Layer | PerRun] = [strict, step_limit(1, exit="answer")]
    for layers in (either, either[::-1]):
        with pytest.raises(StrictError, match="dict"):
            run_flow(Flow(odd), {}, layers=layers)


def test_node_that_runs_alone_keeps_its_action() -> None:
    """Outside a flow there is no way out to take."""
    decide = Decide()
    decide - "search" >> LookUp()
    decide - "answer" >> Write()
    with pytest.warns(UserWarning, match="ignores successors"):
        assert run_flow(decide, {}, layers=[step_limit(1, exit="answer")]) == "search"


class Again(Node[dict[str, Any], None, None]):
    """Ask the outer flow for another round."""

    def post(self, shared: dict[str, Any], prep_res: None, exec_res: None) -> str:
        return "again"


def test_loop_of_inner_flows_ends() -> None:
    """A flow that leads back to itself, each visit a new walk, ends as any other loop."""
    inner_node = Decide()
    inner_node - "search" >> inner_node
    inner_node - "answer" >> Again()
    inner: Flow[dict[str, Any], Any] = Flow(inner_node)
    inner - "again" >> inner
    with pytest.raises(Stopped):
        run_flow(Flow(inner), {}, layers=[step_limit(5, exit="answer")])


@pytest.mark.parametrize("exit", [None, "answer"])
def test_loop_of_flows_without_a_node_ends(exit: str | None) -> None:
    """A visit of a flow in which nothing happens is a step too."""

    class Empty(Flow[dict[str, Any], Any]):
        def post(self, shared: dict[str, Any], prep_res: Any, exec_res: Any) -> str:
            return "again"

    empty = Empty()
    empty - "again" >> empty
    with pytest.raises(Stopped):
        run_flow(Flow(empty), {}, layers=[step_limit(5, exit=exit)])
