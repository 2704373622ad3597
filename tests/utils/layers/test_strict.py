"""`strict`: what the core passes over, as PocketFlow does, is an error that names the node."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from wirebook import AsyncFlow, AsyncNode, BatchFlow, BatchNode, Flow, Node
from wirebook_utils.errors import StrictError
from wirebook_utils.layers import arun_flow, run_flow, strict

from tests.utils.layers.nodes import Squares, Write
from tests.utils.layers.settings import Drive


class Says(Node[Any, None, None]):
    """Return an action that was given to it."""

    def __init__(self, action: Any) -> None:
        super().__init__()
        self.action = action

    def post(self, shared: Any, prep_res: None, exec_res: None) -> Any:
        return self.action


@pytest.mark.parametrize("action", [{"action": "go"}, ["go"], 0, False, 7])
def test_s004_s005_action_that_is_no_text(drive: Drive, action: Any) -> None:
    """S-004, S-005: the error names the node, the value and its type."""
    says = Says(action)
    says - "go" >> Write()
    with pytest.raises(StrictError, match="Flow/Says returned") as error:
        drive(Flow(says), {}, strict)
    assert repr(action) in str(error.value)
    assert type(action).__name__ in str(error.value)


def test_s005_empty_action_is_not_the_default(drive: Drive) -> None:
    """S-005: an empty text does not take the default edge; it is an unknown action."""
    says = Says("")
    says >> Write()
    with pytest.raises(StrictError, match="''"):
        drive(Flow(says), {}, strict)


@pytest.mark.parametrize("action", ["answr", None])
def test_unknown_action(drive: Drive, action: str | None) -> None:
    """An action that nothing is wired to, while others are, names those and says what to do."""
    says = Says(action)
    says - "answer" >> Write()
    with pytest.raises(StrictError, match=r"only \['answer'\] are wired.*>> None"):
        drive(Flow(says), {}, strict)


def test_s003_inner_action_that_the_outer_flow_does_not_know(drive: Drive) -> None:
    """S-003: the last action of an inner flow that the outer one has no wire for is an error."""
    inner: Flow[Any, Any] = Flow(Says("finished"))
    inner >> Write()
    with pytest.raises(StrictError, match="'finished'"):
        drive(Flow(inner), {}, strict)


def test_declared_end_and_last_action_are_fine(drive: Drive) -> None:
    """An end declared with `>> None`, and any action of a node without wires, pass."""
    says = Says("done")
    says - "done" >> None
    says - "go" >> Write()
    assert drive(Flow(says), {}, strict) == "done"
    assert drive(Flow(Says("bye")), {}, strict) == "bye"


def test_own_routing_is_not_second_guessed() -> None:
    """A flow with a `get_next_node` of its own may follow any action."""

    class Routed(Flow[Any, Any]):
        def get_next_node(self, curr: Any, action: Any) -> Any:
            return None

    says = Says("anything")
    says >> Write()
    assert run_flow(Routed(says), {}, layers=[strict]) == "anything"


def test_s006_params_of_a_node_in_a_flow() -> None:
    """S-006: params set on a node, which its flow would replace, are an error that says so."""
    write = Write()
    write.set_params({"file": "a.txt"})
    with pytest.raises(StrictError, match=r"Write has params \{'file': 'a.txt'\}"):
        run_flow(Flow(write), {}, layers=[strict])
    run_flow(Write(), {}, layers=[strict])


@pytest.mark.parametrize("items", ["abc", b"abc", {"a": 1}])
def test_s008_batch_over_one_thing(items: Any) -> None:
    """S-008: text, bytes or a mapping where a list of items was meant is an error."""

    class Batch(BatchNode[Any, Any, Any]):
        def prep(self, shared: Any) -> Any:
            return items

    class Passes(BatchFlow[Any]):
        def prep(self, shared: Any) -> Any:
            return items

    for batch in (Batch(), Passes(Write())):
        with pytest.raises(StrictError, match=f"one {type(items).__name__} as the items"):
            run_flow(batch, {}, layers=[strict])


def test_s009_batch_over_an_iterator() -> None:
    """S-009: a generator, which `post` would see used up, is an error; a list is not."""

    class Batch(Squares):
        def prep(self, shared: Any) -> Iterator[int]:  # type: ignore[override]
            return iter([1, 2])

    with pytest.raises(StrictError, match="used up before post"):
        run_flow(Batch(), {}, layers=[strict])
    run_flow(Squares(), {}, layers=[strict])


def test_s018_plain_hook_hidden_by_its_twin() -> None:
    """A class with both `exec` and `exec_async` has one that is never called."""

    class Both(AsyncNode[Any, None, None]):
        def exec(self, prep_res: None) -> None: ...
        async def exec_async(self, prep_res: None) -> None: ...

    class One(AsyncNode[Any, None, None]):
        def exec(self, prep_res: None) -> None: ...

    with pytest.raises(StrictError, match="both exec and exec_async"):
        asyncio.run(arun_flow(AsyncFlow(Both()), {}, layers=[strict]))
    asyncio.run(arun_flow(AsyncFlow(One()), {}, layers=[strict]))


@pytest.mark.parametrize("hook", ["_run_async", "_orch_async"])
def test_override_that_is_never_called(hook: str) -> None:
    """A hook of PocketFlow that our engine does not have is an error that names ours."""
    kind = type("Old", (AsyncFlow,), {hook: AsyncFlow._run})
    with pytest.raises(StrictError, match=f"overrides {hook}.*Override {hook[:-6]}"):
        asyncio.run(arun_flow(kind(Write()), {}, layers=[strict]))
