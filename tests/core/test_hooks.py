"""The internal hooks: `_exec(prep_res)`, `_run(shared)`, `_orch(shared, params)`, `_wait(s)`.

They are extension points that PocketFlow's cookbook teaches. Ours may be coroutines, so who calls
the base one hands its result on, or awaits it. `_ConditionalTransition` exists by its name.
"""

import asyncio
import functools
from typing import Any

import pytest
from wirebook import (
    AsyncBatchFlow,
    AsyncFlow,
    AsyncNode,
    AsyncParallelBatchFlow,
    BaseNode,
    BatchFlow,
    BatchNode,
    Flow,
    Node,
    _ConditionalTransition,
)


def run(node: BaseNode, shared: Any) -> Any:
    """Run `node` in the way of its class."""
    return asyncio.run(node.run_async(shared)) if isinstance(node, AsyncNode) else node.run(shared)


def overriding(base: Any, hook: str, seen: list[Any], kind: str, **members: Any) -> Any:
    """Make a child of `base` that notes calls of `hook` and then does what the base does."""

    def plain(self: Any, *args: Any) -> Any:
        seen.append((hook, *args))
        return getattr(base, hook)(self, *args)

    async def coroutine(self: Any, *args: Any) -> Any:
        seen.append((hook, *args))
        return await getattr(base, hook)(self, *args)

    return type("Child", (base,), {hook: plain if kind == "plain" else coroutine, **members})


def answer(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> Any:
    """Be a `post` that returns the result of `exec`."""
    return exec_res


def double(self: Any, item: Any) -> Any:
    """Be an `exec` that tells its result from its argument."""
    return item * 2


def one(self: Any, shared: Any) -> Any:
    """Be a `prep` that returns 1."""
    return 1


@pytest.mark.parametrize("kind", ["plain", "coroutine"])
@pytest.mark.parametrize("base", [Node, AsyncNode])
def test_exec_hook(base: Any, kind: str) -> None:
    """`_exec` gets the prep result, around all attempts, alone and in a flow."""
    seen: list[Any] = []
    node = overriding(base, "_exec", seen, kind, prep=one, exec=double, post=answer)()
    assert run(node, {}) == 2
    assert run((AsyncFlow if base is AsyncNode else Flow)(node), {}) == 2
    assert seen == [("_exec", 1)] * 2


@pytest.mark.parametrize("kind", ["plain", "coroutine"])
def test_exec_hook_of_a_batch_gets_all_items(kind: str) -> None:
    """`_exec` of a batch node gets the whole prep result."""
    seen: list[Any] = []
    items = [1, 2]

    def prep(self: Any, shared: Any) -> Any:
        return items

    def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> Any:
        shared["got"] = exec_res

    shared: dict[str, Any] = {}
    run(overriding(BatchNode, "_exec", seen, kind, prep=prep, exec=double, post=post)(), shared)
    assert shared == {"got": [2, 4]}
    assert seen == [("_exec", items)]


@pytest.mark.parametrize("base", [Node, AsyncNode])
def test_exec_hook_may_answer_itself(base: Any) -> None:
    """A plain `_exec` that does not call the base takes the place of attempts and fallback."""

    def execute(self: Any, prep_res: Any) -> str:
        return f"own {prep_res}"

    node = type("Own", (base,), {"_exec": execute, "prep": one, "post": answer})()
    assert run(node, {}) == "own 1"


@pytest.mark.parametrize("kind", ["plain", "coroutine"])
@pytest.mark.parametrize("base", [Node, BatchNode, AsyncNode, Flow, BatchFlow, AsyncFlow])
def test_run_hook(base: Any, kind: str) -> None:
    """`_run` gets shared for each visit, and for `run` and `run_async`."""
    seen: list[Any] = []
    node = overriding(base, "_run", seen, kind)()
    shared: dict[str, Any] = {}
    run(node, shared)
    run((AsyncFlow if issubclass(base, AsyncNode) else Flow)(node), shared)
    asyncio.run(node.run_async(shared))
    assert seen == [("_run", shared)] * 3


def test_run_hook_may_answer_itself() -> None:
    """A plain `_run` may call the phases by itself, as the cookbook's tracing does."""

    class Own(Node):
        def _run(self, shared: Any) -> Any:
            return self.post(shared, self.prep(shared), self.exec(2))

        def exec(self, prep_res: Any) -> Any:
            return prep_res * 2

        def post(self, shared: Any, prep_res: Any, exec_res: Any) -> Any:
            return exec_res

    assert Own().run({}) == 4
    assert Flow(Own()).run({}) == 4


@pytest.mark.parametrize("kind", ["plain", "coroutine"])
@pytest.mark.parametrize("base", [Flow, AsyncFlow])
def test_orch_hook(base: Any, kind: str) -> None:
    """`_orch` of a flow gets shared, and gives the last action."""
    seen: list[Any] = []
    start = type("Start", (Node,), {"post": answer, "exec": one})()
    shared: dict[str, Any] = {}
    assert run(overriding(base, "_orch", seen, kind)(start), shared) == 1
    assert seen == [("_orch", shared)]


@pytest.mark.parametrize("kind", ["plain", "coroutine"])
@pytest.mark.parametrize("base", [BatchFlow, AsyncBatchFlow, AsyncParallelBatchFlow])
def test_orch_hook_of_a_batch_flow(base: Any, kind: str) -> None:
    """`_orch` of a batch flow gets shared and the merged params, once for each pass."""
    seen: list[Any] = []

    def prep(self: Any, shared: Any) -> Any:
        return [{"i": 0}, {"i": 1}]

    flow = overriding(base, "_orch", seen, kind, prep=prep)(Node())
    flow.set_params({"top": 1})
    shared: dict[str, Any] = {}
    run(flow, shared)
    assert seen == [("_orch", shared, {"top": 1, "i": i}) for i in (0, 1)]


def test_orch_can_be_called() -> None:
    """A flow may walk its graph several times; params that are given replace its own."""

    class Twice(Flow):
        async def _orch(self, shared: Any, params: Any = None) -> Any:
            await super()._orch(shared, {"n": 1})
            return await super()._orch(shared, {"n": 2})

    class Note(Node):
        def post(self, shared: Any, prep_res: Any, exec_res: Any) -> str:
            shared.append(self.params)
            return f"action {self.params['n']}"

    shared: list[Any] = []
    flow = Twice(Note())
    flow.set_params({"own": 1})
    assert flow.run(shared) == "action 2"
    assert shared == [{"n": 1}, {"n": 2}]


@pytest.mark.parametrize("base", [Node, AsyncNode])
def test_wait_hook(base: Any) -> None:
    """`_wait` gets the seconds, between attempts only."""
    seen: list[float] = []

    def wait(self: Any, s: float) -> None:
        seen.append(s)

    def execute(self: Any, prep_res: Any) -> Any:
        return 1 // self.cur_retry

    run(type("Waits", (base,), {"_wait": wait, "exec": execute})(3, 60), {})
    assert seen == [60]


def test_conditional_transition_is_there_by_name() -> None:
    """`a - "x"` gives a `_ConditionalTransition`, a partial call of `next`."""
    a, b = Node(), Node()
    half = a - "x"
    assert isinstance(half, _ConditionalTransition)
    assert isinstance(half, functools.partial)
    assert not hasattr(half, "src")
    assert not hasattr(half, "action")
    assert (half >> b) is b
    assert a.successors == {"x": b}
