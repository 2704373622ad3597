"""Parallel items are apart in what must be apart, and none outlives the call that started it."""

import asyncio
from typing import Any

import pytest
import wirebook
from wirebook import AsyncNode, AsyncParallelBatchFlow, AsyncParallelBatchNode

from tests.core.lib import Lib


class Count(AsyncParallelBatchNode):
    """Notes `cur_retry` of every attempt; all items fail twice and wait for each other."""

    async def prep_async(self, shared: Any) -> list[str]:
        self.seen: list[tuple[str, int]] = []
        return ["a", "b"]

    async def exec_async(self, prep_res: str) -> str:
        before = self.cur_retry
        await asyncio.sleep(0)
        assert self.cur_retry == before
        self.seen.append((prep_res, before))
        if before < 2 or prep_res == "b":
            raise ValueError
        return f"{prep_res} {before}"

    async def exec_fallback_async(self, prep: str, e: Exception) -> str:
        return f"fallback {prep} {self.cur_retry}"

    async def post_async(self, shared: Any, prep: Any, res: Any) -> None:
        shared["got"] = sorted(self.seen), res, hasattr(self, "cur_retry")


def test_cur_retry_is_each_items_own() -> None:
    """In `exec` and the fallback of parallel items `cur_retry` is the item's, `post` has none."""
    shared: dict[str, Any] = {}
    asyncio.run(Count(3).run_async(shared))
    seen, results, in_post = shared["got"]
    assert seen == [("a", 0), ("a", 1), ("a", 2), ("b", 0), ("b", 1), ("b", 2)]
    assert results == ["a 2", "fallback b 2"]
    assert not in_post


def test_cur_retry_is_readable_in_async_nodes(ours: Lib) -> None:
    """`exec`, fallback and `post` of async nodes read `cur_retry` as those of plain ones."""

    def execute(self: Any, prep_res: Any) -> Any:
        raise ValueError(self.cur_retry)

    node = ours.node(
        3,
        exec=execute,
        exec_fallback=lambda self, prep_res, exc: (str(exc), self.cur_retry),
        post=lambda self, shared, p, e: (*e, self.cur_retry),
    )
    assert ours.run(ours.flow(node)) == ("2", 2, 2)
    assert not hasattr(node, "cur_retry")


def test_cur_retry_is_absent_in_the_reference(reference: Lib) -> None:
    """0.0.3 does not set it on async nodes (its later sources do)."""
    node = Lib(reference.module, is_async=True).node(exec=lambda self, prep_res: self.cur_retry)
    with pytest.raises(AttributeError, match="cur_retry"):
        asyncio.run(node.run_async({}))


def siblings(lib: Lib, seen: list[str]) -> Any:
    """Make a parallel batch whose item "fails" fails while item "waits" waits."""

    async def execute(self: Any, item: str) -> str:
        if item == "fails":
            raise LookupError(item)
        if item == "waits":
            try:
                await asyncio.sleep(0.005)
                seen.append("went on")
            except asyncio.CancelledError:
                await asyncio.sleep(0)
                seen.append("cleaned up")
                raise
        return item

    return lib.parallel(prep=lambda self, shared: ["ready", "waits", "fails"], exec=execute)


def outlive(node: Any, seen: list[str]) -> list[str]:
    """Run `node` until its error comes out; give what was seen then, and wait for the rest."""

    async def watch() -> list[str]:
        with pytest.raises(LookupError, match="fails"):
            await node.run_async({})
        at_the_error = [*seen]
        await asyncio.sleep(0.008)
        return at_the_error

    return asyncio.run(watch())


def test_failing_item_cancels_its_siblings() -> None:
    """When the error comes out the siblings are cancelled, cleaned up and over."""
    seen: list[str] = []
    assert outlive(siblings(Lib(wirebook, is_async=True), seen), seen) == ["cleaned up"]
    assert seen == ["cleaned up"]


def test_siblings_go_on_in_the_reference(reference: Lib) -> None:
    """In the reference they go on after the caller has the error."""
    seen: list[str] = []
    lib = Lib(reference.module, is_async=True)
    assert outlive(siblings(lib, seen), seen) == []
    assert seen == ["went on"]


def test_failing_pass_cancels_its_siblings() -> None:
    """The passes of a parallel batch flow are cancelled and awaited as well."""
    seen: list[str] = []

    class Step(AsyncNode):
        async def exec_async(self, prep_res: Any) -> None:
            if self.params["i"] == 1:
                await asyncio.sleep(0)
                raise LookupError("one")
            try:
                await asyncio.Event().wait()
            finally:
                seen.append(f"closed {self.params['i']}")

    class Passes(AsyncParallelBatchFlow):
        async def prep_async(self, shared: Any) -> Any:
            return [{"i": i} for i in range(3)]

    step = Step()
    step >> Step()
    with pytest.raises(LookupError, match="one"):
        asyncio.run(Passes(step).run_async({}))
    assert seen == ["closed 0", "closed 2"]


def test_cancelled_batch_cancels_its_items() -> None:
    """Who cancels a parallel batch gets it back only when every item is over."""
    seen: list[str] = []

    class Items(AsyncParallelBatchNode):
        async def prep_async(self, shared: Any) -> str:
            return "ab"

        async def exec_async(self, prep_res: str) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                seen.append(prep_res)

    async def cancel() -> None:
        task = asyncio.create_task(Items(3).run_async({}))
        await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert sorted(seen) == ["a", "b"]
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(cancel())


def test_two_failing_items_leave_no_unseen_error() -> None:
    """Two items that fail at once: the first's error comes out, the other's is not lost track of.

    An exception that nobody retrieves would reach the loop's handler, which raises here.
    """
    unseen: list[Any] = []

    class Items(AsyncParallelBatchNode):
        async def prep_async(self, shared: Any) -> str:
            return "ab"

        async def exec_async(self, prep_res: str) -> None:
            await asyncio.sleep(0)
            raise LookupError(prep_res)

    async def watch() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: unseen.append(context))
        with pytest.raises(LookupError, match="a"):
            await Items().run_async({})

    asyncio.run(watch())
    assert unseen == []


def test_cancelled_batch_lets_each_item_clean_up() -> None:
    """A batch that is cancelled from outside cancels each item once, and awaits its clean-up."""
    log: list[int] = []

    class CleansUp(AsyncParallelBatchNode):
        async def prep_async(self, shared: Any) -> list[int]:
            return [1, 5]

        async def exec_async(self, item: int) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                for _ in range(item):
                    await asyncio.sleep(0)
                log.append(item)

    async def main() -> None:
        run = asyncio.create_task(CleansUp().run_async({}))
        await asyncio.sleep(0.001)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run

    asyncio.run(main())
    assert log == [1, 5]
