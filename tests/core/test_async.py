"""Async nodes and flows: what they await, and when control is given back."""

import asyncio
from typing import Any

import pytest

from tests.core.lib import Lib


async def nap(self: Any, *_: Any) -> Any:
    """Be a hook that gives control back once."""
    await asyncio.sleep(0)


def test_hooks_are_awaited(async_lib: Lib) -> None:
    """Each async hook may really wait, and hands its value on."""

    async def prep(self: Any, shared: Any) -> Any:
        return await asyncio.sleep(0, "prep")

    async def execute(self: Any, prep_res: Any) -> Any:
        await asyncio.sleep(0)
        raise ValueError(prep_res)

    async def fallback(self: Any, prep_res: Any, exc: Exception) -> Any:
        return await asyncio.sleep(0, ("fallback", prep_res, str(exc)))

    async def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> Any:
        return await asyncio.sleep(0, exec_res)

    node = async_lib.node(prep=prep, exec=execute, exec_fallback=fallback, post=post)
    assert async_lib.run(node) == ("fallback", "prep", "prep")


def test_default_exec_fallback_raises(async_lib: Lib) -> None:
    """A subclass may call the base's async hooks: the fallback raises, the others give None."""

    async def fallback(self: Any, prep_res: Any, exc: Exception) -> Any:
        base = async_lib.module.AsyncNode
        values = [
            await base.prep_async(self, {}),
            await base.exec_async(self, None),
            await base.post_async(self, {}, None, 1),
        ]
        with pytest.raises(ValueError, match="item"):
            await base.exec_fallback_async(self, prep_res, exc)
        return values

    async def execute(self: Any, prep_res: Any) -> Any:
        raise ValueError("item")

    node = async_lib.node(
        exec=execute, exec_fallback=fallback, post=lambda self, shared, p, e: tuple(e)
    )
    assert async_lib.run(node) == (None, None, None)


def test_sync_nodes_and_flows_run_inline(async_lib: Lib) -> None:
    """An async flow runs plain nodes and plain flows among its async ones, in order."""
    plain = Lib(async_lib.module)
    a, b, c, d = async_lib.step("a"), plain.step("b"), plain.flow(plain.step("c")), plain.step("d")
    a >> b >> c >> d
    shared: dict[str, Any] = {}
    assert async_lib.run(async_lib.flow(a), shared) is None
    assert shared["path"] == ["a", "b", "c", "d"]


def test_plain_batches_run_in_an_async_flow(async_lib: Lib) -> None:
    """Plain batch nodes and batch flows are nodes of an async flow too."""
    plain = Lib(async_lib.module)

    def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> None:
        shared["got"] = exec_res

    batch = plain.batch(prep=lambda self, shared: [1, 2], exec=lambda self, i: -i, post=post)
    batch >> plain.batch_flow(plain.step("pass"), prep=lambda self, shared: [{}, {}])
    shared: dict[str, Any] = {}
    async_lib.run(async_lib.flow(batch), shared)
    assert shared == {"got": [-1, -2], "path": ["pass", "pass"]}


def test_no_yield_between_nodes(async_lib: Lib) -> None:
    """Control goes back to the loop only where a hook really waits: walks do not interleave."""
    path: list[str] = []

    def walk(name: str) -> Any:
        a = async_lib.node(post=lambda self, shared, p, e: path.append(f"{name}1"))
        a >> async_lib.node(post=lambda self, shared, p, e: path.append(f"{name}2"))
        return async_lib.flow(a)

    async def both() -> None:
        await asyncio.gather(walk("a").run_async({}), walk("b").run_async({}))

    asyncio.run(both())
    assert path == ["a1", "a2", "b1", "b2"]


def test_params_on_a_flow_are_for_all_who_run_it(async_lib: Lib) -> None:
    """Two callers who set params on one flow and wait in its `prep` both get the later ones."""
    flow = async_lib.flow(
        async_lib.node(post=lambda self, shared, p, e: seen.append(self.params["who"])), prep=nap
    )
    seen: list[str] = []

    async def ask(who: str) -> None:
        flow.set_params({"who": who})
        await flow.run_async({})

    async def both() -> None:
        await asyncio.gather(ask("ann"), ask("bob"))

    asyncio.run(both())
    assert seen == ["bob", "bob"]


def test_walks_of_one_flow_do_not_mix(async_lib: Lib) -> None:
    """Two runs of one flow that wait interleave, and what they set on self stays apart."""
    path: list[Any] = []

    async def prep(self: Any, shared: str) -> None:
        self.mark = shared
        path.append(("prep", shared))
        await asyncio.sleep(0)

    node = async_lib.node(prep=prep, post=lambda self, shared, p, e: path.append(self.mark))
    flow = async_lib.flow(node)

    async def both() -> None:
        await asyncio.gather(flow.run_async("a"), flow.run_async("b"))

    asyncio.run(both())
    assert path == [("prep", "a"), ("prep", "b"), "a", "b"]


def test_async_batch_waits_for_each_item(async_lib: Lib) -> None:
    """An async batch node does one item after the other, even where they wait."""
    seen: list[str] = []

    async def execute(self: Any, item: str) -> str:
        seen.append(f"start {item}")
        await asyncio.sleep(0)
        seen.append(f"end {item}")
        return item.upper()

    node = async_lib.batch(
        prep=lambda self, shared: ["a", "b"],
        exec=execute,
        post=lambda self, shared, p, e: tuple(e),
    )
    assert async_lib.run(node) == ("A", "B")
    assert seen == ["start a", "end a", "start b", "end b"]


def test_async_batch_flow_waits_for_each_pass(async_lib: Lib) -> None:
    """An async batch flow does one pass after the other, even where they wait."""
    seen: list[Any] = []

    async def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> None:
        seen.append(("start", self.params["i"]))
        await asyncio.sleep(0)
        seen.append(("end", self.params["i"]))

    flow = async_lib.batch_flow(
        async_lib.node(post=post), prep=lambda self, shared: [{"i": 0}, {"i": 1}]
    )
    async_lib.run(flow)
    assert seen == [("start", 0), ("end", 0), ("start", 1), ("end", 1)]


def test_cancelled_run_stops_at_once(async_lib: Lib) -> None:
    """A cancelled run goes on with no attempt, no fallback and no later node."""
    seen: list[str] = []

    async def execute(self: Any, prep_res: Any) -> None:
        seen.append("exec")
        await asyncio.Event().wait()

    node = async_lib.node(
        3, exec=execute, exec_fallback=lambda self, prep_res, exc: seen.append("fallback")
    )
    node >> async_lib.node(post=lambda self, shared, p, e: seen.append("next"))

    async def cancel() -> None:
        task = asyncio.create_task(async_lib.flow(node).run_async({}))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert seen == ["exec"]


@pytest.mark.parametrize("with_wires", [False, True])
@pytest.mark.parametrize("name", ["Node", "BatchNode", "ParallelBatchNode"])
def test_run_of_an_async_node_is_refused(async_lib: Lib, name: str, with_wires: bool) -> None:
    """`run` on an async node is a RuntimeError; with successors a warning comes first."""
    seen: list[str] = []
    node = async_lib.kind(name, prep=lambda self, shared: seen.append("prep"))()
    if with_wires:
        node >> async_lib.node()
        with pytest.warns(UserWarning, match="Flow"), pytest.raises(RuntimeError):
            node.run({})
    else:
        with pytest.raises(RuntimeError, match="run_async"):
            node.run({})
    assert seen == []


def test_waiting_node_in_a_sync_flow_is_refused(async_lib: Lib) -> None:
    """A node that really waits cannot stand in a plain flow; nodes before it have run."""
    plain = Lib(async_lib.module)
    a = plain.step("a")
    a >> async_lib.node(prep=nap) >> plain.step("b")
    shared: dict[str, Any] = {}
    with pytest.raises(RuntimeError, match=r"run_async|no running event loop"):
        plain.flow(a).run(shared)
    assert shared["path"] == ["a"]
