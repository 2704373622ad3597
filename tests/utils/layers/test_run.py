"""The front door: layers hold for one run, and errors say where they come from."""

import asyncio
from typing import Any

import pytest
from wirebook import AsyncFlow, AsyncNode, Flow, Node, around
from wirebook_utils.layers import Call, Layer, arun_flow, installed, run_flow

from tests.utils.layers.nodes import Fail, Squares, Write, endless
from tests.utils.layers.settings import Drive


def tag(name: str, log: list[str]) -> Layer:
    """Make a layer that logs its name before and after each visit."""

    async def layer(call: Call, node: Any, phase: str, *args: Any) -> Any:
        if phase != "run":
            return await call(node, phase, *args)
        log.append(f"+{name}")
        try:
            return await call(node, phase, *args)
        finally:
            log.append(f"-{name}")

    return layer


def test_result_is_the_last_action(drive: Drive) -> None:
    """With no layer or any, the flow's last action comes back and `shared` is the caller's."""
    shared: dict[str, Any] = {}
    assert drive(Flow(Write()), shared) == "done"
    assert shared == {"answer": 0}


def test_first_layer_is_the_outermost() -> None:
    """Layers nest in the order in which they are given."""
    log: list[str] = []
    run_flow(Write(), {}, layers=[tag("a", log), tag("b", log)])
    assert log == ["+a", "+b", "-b", "-a"]


def test_layer_replaces_a_result(drive: Drive) -> None:
    """What a layer returns is what the node gets to see."""

    async def zero(call: Call, node: Any, phase: str, *args: Any) -> Any:
        return (
            0 if phase == "exec" and isinstance(node, Squares) else await call(node, phase, *args)
        )

    shared: dict[str, Any] = {}
    drive(Flow(Squares()), shared, zero)
    assert shared["squares"] == [0, 0, 0]


def test_layer_retries(drive: Drive) -> None:
    """A layer may call a phase as often as it likes."""

    class Third(Node[dict[str, Any], None, str]):
        calls = 0

        def exec(self, prep_res: None) -> str:
            Third.calls += 1
            if Third.calls < 3:
                raise ValueError
            return "third"

        def post(self, shared: dict[str, Any], prep_res: None, exec_res: str) -> None:
            shared["res"] = exec_res

    async def again(call: Call, node: Any, phase: str, *args: Any) -> Any:
        while phase == "exec" and isinstance(node, Third):
            try:
                return await call(node, phase, *args)
            except ValueError:
                pass
        return await call(node, phase, *args)

    shared: dict[str, Any] = {}
    drive(Flow(Third()), shared, again)
    assert shared["res"] == "third"


def test_layer_changes_the_action(drive: Drive) -> None:
    """The action that a layer returns from `run` is the one that the flow follows."""

    async def answer(call: Call, node: Any, phase: str, *args: Any) -> Any:
        action = await call(node, phase, *args)
        return "answer" if phase == "run" and action == "search" else action

    shared: dict[str, Any] = {}
    drive(endless(), shared, answer)
    assert shared == {"decided": 1, "answer": 0}


def test_error_keeps_type_and_text_and_gets_the_path(drive: Drive) -> None:
    """An exception out of a node is the same one, with one note that holds the path."""
    with pytest.raises(ValueError, match="bad") as caught:
        drive(Flow(Flow(Fail(max_retries=3))), {})
    assert (type(caught.value), str(caught.value)) == (ValueError, "bad")
    notes = [note for note in caught.value.__notes__ if "Fail" in note]
    assert len(notes) == 1
    assert notes[0].endswith("Flow/Flow/Fail, attempt 3 of 3")


def test_error_of_an_item_names_the_item() -> None:
    """The note of a batch's error has the item's index."""

    class Bad(Squares):
        def exec(self, prep_res: int) -> int:
            return 1 // (prep_res - 2)

    with pytest.raises(ZeroDivisionError) as caught:
        run_flow(Flow(Bad()), {})
    assert caught.value.__notes__ == ["in Flow/Bad[1]"]


def test_runs_beside_each_other_keep_their_layers() -> None:
    """Layers of one run never reach another that goes on beside it."""

    class Slow(AsyncNode[Any, None, None]):
        async def exec_async(self, prep_res: None) -> None:
            await asyncio.sleep(0.001)

    logs: list[list[str]] = [[], [], []]

    async def main() -> None:
        flow: AsyncFlow[Any, None] = AsyncFlow(Slow())
        await asyncio.gather(
            arun_flow(flow, {}, layers=[tag("a", logs[0])]),
            arun_flow(flow, {}, layers=[tag("b", logs[1])]),
            flow.run_async({}),
        )

    asyncio.run(main())
    assert logs == [["+a", "+a", "-a", "-a"], ["+b", "+b", "-b", "-b"], []]


def test_run_inside_a_run_keeps_the_outer_layers_outside() -> None:
    """A run started in a node has the layers of both, and those of the outer one alone after it."""
    log: list[str] = []

    class Outer(Node[Any, None, None]):
        def exec(self, prep_res: None) -> None:
            run_flow(Write(), {}, layers=[tag("in", log)])

    run_flow(Outer(), {}, layers=[tag("out", log)])
    assert log == ["+out", "+out", "+in", "-in", "-out", "-out"]


def test_params_are_for_this_run_only() -> None:
    """S-017: params given to the front door never reach the flow that others run."""

    class Who(AsyncNode[dict[str, Any], None, None]):
        async def post_async(self, shared: dict[str, Any], prep: None, res: None) -> None:
            shared["ran_as"] = self.params["user"]

    class Waits(AsyncFlow[dict[str, Any], None]):
        async def prep_async(self, shared: dict[str, Any]) -> None:
            await asyncio.sleep(0.001)

    flow = Waits(Who())
    ann: dict[str, Any] = {}
    bob: dict[str, Any] = {}

    async def main() -> None:
        await asyncio.gather(
            arun_flow(flow, ann, params={"user": "ann"}),
            arun_flow(flow, bob, params={"user": "bob"}),
        )

    asyncio.run(main())
    assert (ann, bob, flow.params) == ({"ran_as": "ann"}, {"ran_as": "bob"}, {})


def test_seam_is_as_before_after_a_run(drive: Drive) -> None:
    """Nothing stays installed, whether the run ended well or not."""
    with pytest.raises(ValueError, match="bad"):
        drive(Flow(Fail()), {})
    assert around.get() is getattr


def test_installed_serves_code_that_runs_flows_itself() -> None:
    """Inside `with installed(...)` every `flow.run` has the layers; after it none has."""
    log: list[str] = []
    with installed(tag("a", log)):
        Write().run({})
    Write().run({})
    assert log == ["+a", "-a"]


def test_a_look_up_of_the_users_own_stays_innermost() -> None:
    """What somebody put into `around` by hand is still called, below the layers."""
    seen: list[str] = []

    def mine(node: Any, method: str) -> Any:
        seen.append(method)
        return getattr(node, method)

    token = around.set(mine)
    try:
        run_flow(Write(), {})
    finally:
        around.reset(token)
    assert seen == ["_run", "prep", "exec", "post"]


def test_wait_in_a_plain_run_says_what_to_call() -> None:
    """What asyncio says outside a loop gets a note that names the way."""

    class Waits(Node[Any, None, None]):
        async def exec(self, prep_res: None) -> None:
            await asyncio.sleep(0.001)

    with pytest.raises(RuntimeError, match="no running event loop") as caught:
        run_flow(Flow(Waits()), {})
    assert "use run_async() or arun_flow()" in caught.value.__notes__[1]


def test_error_that_takes_no_note_comes_out_as_it_is() -> None:
    """An exception that refuses notes is not replaced by its refusal."""

    class Plain(Exception):
        def add_note(self, note: str) -> None:
            raise TypeError("no notes, please")

    class Raises(Node[Any, None, None]):
        def exec(self, prep_res: None) -> None:
            raise Plain

    with pytest.raises(Plain):
        run_flow(Raises(), {})


def test_hook_set_on_an_instance_is_used() -> None:
    """A node's own `exec_async`, set on the object, is called under the front door too."""

    async def fake(prep_res: Any) -> str:
        return "patched"

    class Gives(AsyncNode[dict[str, Any], None, str]):
        async def post_async(self, shared: dict[str, Any], prep: None, res: str) -> None:
            shared["res"] = res

    node = Gives()
    node.exec_async = fake  # type: ignore[method-assign]
    shared: dict[str, Any] = {}
    asyncio.run(arun_flow(AsyncFlow(node), shared))
    assert shared == {"res": "patched"}
