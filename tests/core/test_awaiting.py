"""What is awaited: any result that can be, in any node; and what `run` does when it must wait."""

import asyncio
from collections.abc import Generator
from typing import Any

import pytest
from wirebook import (
    AsyncBatchNode,
    AsyncFlow,
    AsyncNode,
    AsyncParallelBatchNode,
    BatchFlow,
    BatchNode,
    Flow,
    Node,
)

from tests.core.lib import Lib


class Later:
    """Something to await that is no coroutine."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __await__(self) -> Generator[Any, Any, Any]:
        yield from asyncio.sleep(0).__await__()
        return self.value


class Coroutines(Node):
    """A plain node whose hooks are coroutine functions."""

    async def prep(self, shared: Any) -> str:
        return "prep"

    async def exec(self, prep_res: str) -> str:
        raise ValueError(f"exec of {prep_res}")

    async def exec_fallback(self, prep_res: str, exc: Exception) -> str:
        return f"fallback of {exc}"

    async def post(self, shared: Any, prep_res: str, exec_res: str) -> str:
        return f"post of {exec_res}"


def test_coroutine_hooks_work_in_plain_nodes() -> None:
    """Coroutine functions are awaited in a plain node, by `run`, `run_async` and in a flow."""
    want = "post of fallback of exec of prep"
    assert Coroutines().run({}) == want
    assert Flow(Coroutines()).run({}) == want
    assert asyncio.run(Coroutines().run_async({})) == want
    assert asyncio.run(AsyncFlow(Coroutines()).run_async({})) == want


@pytest.mark.parametrize("phase", ["prep", "exec", "post"])
def test_plain_hook_may_return_something_to_await(phase: str) -> None:
    """A plain function that returns an awaitable has its value awaited."""

    def later(self: Any, *_: Any) -> Later:
        return Later("later")

    def last(self: Any, *args: Any) -> Any:
        return args[-1]

    members = {"exec": last, "post": last} | {phase: later}
    for base in (Node, AsyncNode):
        node: Any = type("Step", (base,), members)()
        assert asyncio.run(node.run_async({})) == "later"
        assert asyncio.run(AsyncFlow(node).run_async({})) == "later"


def test_awaiting_is_inside_the_retry() -> None:
    """What fails while it is awaited is a failed attempt."""
    seen: list[int] = []

    class Fails(Node):
        def exec(self, prep_res: Any) -> Any:
            async def attempt() -> str:
                seen.append(self.cur_retry)
                if self.cur_retry < 2:
                    raise ValueError
                return "third"

            return attempt()

        def post(self, shared: Any, prep_res: Any, exec_res: Any) -> Any:
            return exec_res

    assert Fails(max_retries=3).run({}) == "third"
    assert seen == [0, 1, 2]


def test_coroutine_hooks_work_in_plain_batches() -> None:
    """Items and passes of plain batch classes are awaited, one after the other."""

    class Items(BatchNode):
        async def prep(self, shared: Any) -> list[int]:
            return [1, 2]

        async def exec(self, prep_res: int) -> int:
            return -prep_res

        async def post(self, shared: Any, prep_res: Any, exec_res: list[int]) -> None:
            shared["got"] = exec_res

    class Passes(BatchFlow):
        async def prep(self, shared: Any) -> list[dict[str, int]]:
            return [{}, {}]

        async def post(self, shared: Any, prep_res: Any, exec_res: Any) -> str:
            return "passed"

    shared: dict[str, Any] = {}
    assert Passes(Items()).run(shared) == "passed"
    assert shared == {"got": [-1, -2]}


def test_result_without_await_is_handed_on() -> None:
    """Only what has `__await__` is awaited: a generator or a callable is a value."""

    def numbers() -> Generator[int, None, None]:
        yield 1

    for value in (numbers(), numbers, object()):

        class Gives(Node):
            def exec(self, prep_res: Any, value: Any = value) -> Any:
                return value

            def post(self, shared: Any, prep_res: Any, exec_res: Any) -> Any:
                return exec_res

        assert Gives().run({}) is value


def test_plain_hooks_of_an_async_node_are_used() -> None:
    """Where an async hook is not defined, the plain one answers; both kinds mix."""

    class Mixed(AsyncNode):
        def prep(self, shared: Any) -> str:
            return "plain"

        async def exec_async(self, prep: str) -> str:
            return await asyncio.sleep(0, f"async {prep}")

        def post(self, shared: Any, prep_res: str, exec_res: str) -> str:
            return exec_res

    assert asyncio.run(Mixed().run_async({})) == "async plain"


def test_async_hook_comes_before_the_plain_one() -> None:
    """A node with both kinds of a hook uses the async one, which may call the other."""

    class Both(AsyncNode):
        def exec(self, prep_res: Any) -> str:
            return "plain"

        async def exec_async(self, prep: Any) -> str:
            return f"async over {await super().exec_async(prep)}"

        def post(self, shared: Any, prep_res: Any, exec_res: str) -> str:
            return exec_res

    assert asyncio.run(Both().run_async({})) == "async over plain"


def test_plain_function_may_be_an_async_hook(reference: Lib) -> None:
    """`exec_async` may be a plain function; the reference fails to await it."""

    def plain(self: Any, prep_res: Any) -> str:
        return "plain"

    async def result(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> Any:
        return exec_res

    members = {"exec_async": plain, "post_async": result}
    ours: Any = type("Ours", (AsyncNode,), members)()
    theirs: Any = type("Theirs", (reference.module.AsyncNode,), members)()
    assert asyncio.run(ours.run_async({})) == "plain"
    with pytest.raises(TypeError, match="await"):
        asyncio.run(theirs.run_async({}))


@pytest.mark.parametrize("cls", [AsyncNode, AsyncBatchNode])
def test_async_node_that_never_waits_runs_in_a_plain_flow(cls: type[AsyncNode]) -> None:
    """Inside an event loop it is simply awaited, where the reference refuses it."""

    class Answers(cls):  # type: ignore[misc, valid-type]
        async def post_async(self, shared: Any, prep: Any, res: Any) -> str:
            return "answer"

    async def inside() -> None:
        assert Flow(Answers()).run({}) == "answer"
        assert Flow(AsyncFlow(Answers())).run({}) == "answer"

    asyncio.run(inside())
    for flow in (Flow(Answers()), Flow(AsyncFlow(Answers()))):
        with pytest.raises(RuntimeError, match="no running event loop"):
            flow.run({})


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("cls", [Node, AsyncNode])
def test_run_refuses_to_wait(cls: type[Node], nested: bool) -> None:
    """`run` raises at the first real wait, closes what has begun, and goes no further."""
    seen: list[str] = []

    class Waits(cls):  # type: ignore[misc, valid-type]
        async def exec(self, prep_res: Any) -> None:
            try:
                await asyncio.sleep(0)
            finally:
                seen.append("closed")

        def exec_fallback(self, prep_res: Any, exc: Exception) -> None:
            seen.append("fallback")

        def post(self, shared: Any, prep_res: Any, exec_res: Any) -> None:
            seen.append("post")

    flow = Flow(Flow(Waits(3)) if nested else Waits(3))

    async def inside() -> None:
        with pytest.raises(RuntimeError, match=r"Flow.*run_async"):
            flow.run({})

    asyncio.run(inside())
    assert seen == ["closed"]


def test_wait_outside_a_loop_is_no_failed_attempt() -> None:
    """An async node that would have to wait where no loop runs is refused, without a fallback."""

    class Waits(AsyncNode):
        async def exec_async(self, prep_res: Any) -> None:
            await asyncio.sleep(0.001)

        async def exec_fallback_async(self, prep: Any, e: Exception) -> str:
            return "fallback"

    with pytest.raises(RuntimeError, match="no running event loop"):
        Flow(Waits(max_retries=3)).run({})


def test_run_refuses_to_wait_inside_a_loop() -> None:
    """Also where a loop runs `run` waits for nothing."""

    class Waits(Node):
        async def exec(self, prep_res: Any) -> None:
            await asyncio.sleep(0.001)

    async def inside() -> None:
        with pytest.raises(RuntimeError, match="run_async"):
            Waits().run({})

    asyncio.run(inside())


@pytest.mark.parametrize("phase", ["prep", "post"])
def test_stop_iteration_becomes_a_runtime_error(phase: str) -> None:
    """StopIteration cannot leave a coroutine: it comes out as the cause of a RuntimeError."""

    def stop(self: Any, *_: Any) -> None:
        raise StopIteration("mine")

    node: Any = type("Stops", (Node,), {phase: stop})()
    for run in (node.run, Flow(node).run):
        with pytest.raises(RuntimeError) as caught:
            run({})
        assert isinstance(caught.value.__cause__, StopIteration)


def test_parallel_items_may_be_plain_functions() -> None:
    """A parallel batch whose `exec` is plain runs its items in order."""

    class Items(AsyncParallelBatchNode):
        def prep(self, shared: Any) -> list[int]:
            return [1, 2]

        def exec(self, prep_res: int) -> int:
            return -prep_res

        def post(self, shared: Any, prep_res: Any, exec_res: list[int]) -> Any:
            shared["got"] = exec_res

    shared: dict[str, Any] = {}
    asyncio.run(Items().run_async(shared))
    assert shared == {"got": [-1, -2]}
