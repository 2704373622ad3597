"""The seam: `around` holds the look-up of every phase. What it is asked for, and when."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import pytest
from wirebook import AsyncParallelBatchFlow, AsyncParallelBatchNode, around

from tests.core.lib import Lib, looked_up


@contextmanager
def noted() -> Generator[list[str]]:
    """Give a list of the names that the seam is asked for, without the suffix of async ones."""
    seen: list[str] = []

    def look_up(node: Any, name: str) -> Any:
        seen.append(name.removesuffix("_async"))
        return getattr(node, name)

    with looked_up(look_up):
        yield seen


def failing(times: int) -> Callable[[Any, Any], Any]:
    """Make an `exec` that fails in the first `times` attempts."""

    def execute(self: Any, prep_res: Any) -> str:
        if self.cur_retry < times:
            raise ValueError
        return "ok"

    return execute


def no_fallback(self: Any, prep_res: Any, exc: Exception) -> None:
    """Be an `exec_fallback` that answers None."""


def test_default_is_getattr() -> None:
    """With nothing in the seam a phase is simply got from its node."""
    assert around.get() is getattr


def test_node_asks_for_its_phases(ours: Lib) -> None:
    """`run` asks for `_run` and for each phase, by the names of the node's kind."""
    seen: list[str] = []

    def look_up(node: Any, name: str) -> Any:
        seen.append(name)
        return getattr(node, name)

    with looked_up(look_up):
        ours.run(ours.node())
    suffix = "_async" if ours.is_async else ""
    assert seen == ["_run", *(f"{phase}{suffix}" for phase in ("prep", "exec", "post"))]


def test_fallback_and_wait_are_asked_for(ours: Lib, sleeps: list[Any]) -> None:
    """`exec` once for all attempts, `_wait` before each further one, the fallback at the end."""
    with noted() as seen:
        ours.run(ours.node(3, 7, exec=failing(9), exec_fallback=no_fallback))
    assert seen == ["_run", "prep", "exec", "_wait", "_wait", "exec_fallback", "post"]
    assert len(sleeps) == 2


def test_no_wait_is_not_asked_for(ours: Lib) -> None:
    """Without a wait there is none to look up."""
    with noted() as seen:
        ours.run(ours.node(3, exec=failing(9), exec_fallback=no_fallback))
    assert "_wait" not in seen


def test_batch_asks_for_exec_once_per_item(ours: Lib) -> None:
    """Each item looks `exec` up once, and calls what it got once per attempt."""
    calls: list[Any] = []

    def look_up(node: Any, name: str) -> Any:
        method = getattr(node, name)
        if not name.startswith("exec"):
            return method
        calls.append("look-up")

        def call(*args: Any) -> Any:
            calls.append(args)
            return method(*args)

        return call

    with looked_up(look_up):
        ours.run(ours.batch(2, prep=lambda self, shared: ["a", "b"], exec=failing(1)))
    assert calls == ["look-up", ("a",), ("a",), "look-up", ("b",), ("b",)]


def test_flow_asks_for_each_visit(ours: Lib) -> None:
    """A flow asks for its own phases and for `_run` of each node it visits, nested ones too."""
    a = ours.node()
    a >> ours.flow(ours.node())
    with noted() as seen:
        ours.run(ours.flow(a))
    node = ["_run", "prep", "exec", "post"]
    assert seen == ["_run", "prep", *node, "_run", "prep", *node, "post", "post"]


def test_batch_flow_asks_for_each_pass(ours: Lib) -> None:
    """`_orch` is asked for once for each pass, and is called with shared and the merged params."""
    calls: list[Any] = []

    def look_up(node: Any, name: str) -> Any:
        method = getattr(node, name)

        def call(*args: Any) -> Any:
            calls.append(args)
            return method(*args)

        return call if name == "_orch" else method

    flow = ours.batch_flow(ours.node(), prep=lambda self, shared: [{"i": 0}, {"i": 1}])
    flow.set_params({"top": 1})
    with looked_up(look_up):
        ours.run(flow, "shared")
    assert calls == [("shared", {"top": 1, "i": i}) for i in (0, 1)]


def test_visit_is_asked_with_its_own_copy(ours: Lib) -> None:
    """The node that the seam gets is the visit's copy, with its params in place."""
    seen: list[Any] = []

    def look_up(node: Any, name: str) -> Any:
        seen.append((node, dict(node.params)))
        return getattr(node, name)

    node = ours.node()
    flow = ours.flow(node)
    flow.set_params({"p": 1})
    with looked_up(look_up):
        ours.run(flow)
    visited = [(n, params) for n, params in seen if type(n) is type(node)]
    assert len({id(n) for n, _ in visited}) == 1
    assert visited[0][0] is not node
    assert all(params == {"p": 1} for _, params in visited)


@pytest.mark.parametrize("name", ["get_next_node", "set_params", "__copy__"])
def test_what_is_no_phase_is_not_asked_for(ours: Lib, name: str) -> None:
    """Routing and copying do not go through the seam."""
    a = ours.node()
    a >> ours.node()
    with noted() as seen:
        ours.run(ours.flow(a))
    assert name not in seen


def test_parallel_items_see_the_seam() -> None:
    """Items and passes that run at once ask the look-up that was set around the run."""

    class Items(AsyncParallelBatchNode):
        async def prep_async(self, shared: Any) -> list[int]:
            return [1, 2]

    class Passes(AsyncParallelBatchFlow):
        async def prep_async(self, shared: Any) -> list[dict[str, int]]:
            return [{}, {}]

    with noted() as seen:
        asyncio.run(Passes(Items()).run_async({}))
    assert seen.count("_orch") == 2
    assert seen.count("exec") == 4
