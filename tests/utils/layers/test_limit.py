"""`limit`: so many calls of `exec` at a time, over the whole run."""

import asyncio
import threading
from typing import Any

import pytest
from wirebook import AsyncFlow, AsyncNode, AsyncParallelBatchFlow, Flow, Node
from wirebook_utils.layers import Slots, arun_flow, limit, run_flow

from tests.utils.layers.nodes import ParallelSquares, Squares, Write
from tests.utils.layers.settings import Drive


def test_s016_never_more_than_the_limit() -> None:
    """S-016: of 100 parallel items, 5 run at a time, and results keep their order."""
    seen: dict[str, int] = {}
    shared: dict[str, Any] = {}
    flow: AsyncFlow[Any, None] = AsyncFlow(ParallelSquares(seen, n=100))
    asyncio.run(arun_flow(flow, shared, layers=[limit(5)]))
    assert seen["most"] == 5
    assert shared["squares"] == [i**2 for i in range(100)]


def test_without_a_limit_all_run_at_once() -> None:
    """The node of these tests does run all items at once if it may."""
    seen: dict[str, int] = {}
    asyncio.run(arun_flow(AsyncFlow(ParallelSquares(seen, n=100)), {}))
    assert seen["most"] == 100


def test_limit_is_shared_by_all_nodes_of_the_run() -> None:
    """Parallel passes over different nodes share the slots."""
    now = most = 0

    class Work(AsyncNode[Any, None, None]):
        async def exec_async(self, prep_res: None) -> None:
            nonlocal now, most
            now += 1
            most = max(most, now)
            await asyncio.sleep(0.001)
            now -= 1

    class Passes(AsyncParallelBatchFlow[Any]):
        async def prep_async(self, shared: Any) -> list[dict[str, Any]]:
            return [{}] * 10

    first, second = Work(), Work()
    first >> second
    asyncio.run(arun_flow(Passes(first), {}, layers=[limit(3)]))
    assert most == 3


def test_slot_is_free_during_the_wait_between_attempts() -> None:
    """While one node waits for its next attempt, another has the slot."""
    order: list[str] = []

    class Fails(AsyncNode[Any, None, None]):
        async def exec_async(self, prep_res: None) -> None:
            order.append("try")
            if self.cur_retry == 0:
                raise ValueError

    class Other(AsyncNode[Any, None, None]):
        async def exec_async(self, prep_res: None) -> None:
            order.append("other")

    class Both(AsyncParallelBatchFlow[Any]):
        async def prep_async(self, shared: Any) -> list[dict[str, Any]]:
            return [{"go": "fails"}, {"go": "other"}]

    class Fork(AsyncNode[Any, None, None]):
        async def post_async(self, shared: Any, prep: None, res: None) -> str:
            return str(self.params["go"])

    fork = Fork()
    fork - "fails" >> Fails(max_retries=2, wait=0.005)
    fork - "other" >> Other()
    asyncio.run(arun_flow(Both(fork), {}, layers=[limit(1)]))
    assert order == ["try", "other", "try"]


def test_run_inside_exec_uses_the_slot_it_has(drive: Drive) -> None:
    """A run started in `exec` does not wait for the slot that it holds itself."""
    inner: dict[str, Any] = {}

    class Outer(Node[Any, None, None]):
        def exec(self, prep_res: None) -> None:
            Flow(Squares()).run(inner)

    # In a thread, so that a run that waits for itself fails and does not hang the tests.
    thread = threading.Thread(target=drive, args=(Flow(Outer()), {}, limit(1)), daemon=True)
    thread.start()
    thread.join(10)
    assert inner == {"squares": [1, 4, 9]}


def test_two_limits_of_one_run_both_bind() -> None:
    """Holding a slot of one limit is no pass for another."""
    seen: dict[str, int] = {}
    flow: AsyncFlow[Any, None] = AsyncFlow(ParallelSquares(seen, n=10))
    asyncio.run(arun_flow(flow, {}, layers=[limit(5), limit(2)]))
    assert seen["most"] == 2


def test_cancelled_waiter_gives_nothing_away() -> None:
    """Whoever is cancelled while it waits for a slot leaves the others theirs."""

    async def main() -> int:
        slots, inside = Slots(1), 0

        async def work(seconds: float) -> None:
            nonlocal inside
            async with slots.one():
                inside += 1
                await asyncio.sleep(seconds)

        # Outside a run the slots would wait by the thread: these tasks are nodes' work.
        class Work(AsyncNode[Any, None, None]):
            async def exec_async(self, prep_res: None) -> None:
                await work(0.005)

        tasks = [asyncio.create_task(arun_flow(Work(), {})) for _ in range(4)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        tasks[1].cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(results[1], asyncio.CancelledError)
        return inside

    assert asyncio.run(main()) == 3


def test_slots_are_shared_by_threads() -> None:
    """Plain runs in several threads wait for each other's slots."""
    slots = Slots(2)
    now = most = 0
    lock = threading.Lock()

    class Work(Node[Any, None, None]):
        async def exec(self, prep_res: None) -> None:
            nonlocal now, most
            async with slots.one():
                with lock:
                    now += 1
                    most = max(most, now)
                threading.Event().wait(0.002)
                with lock:
                    now -= 1

    threads = [threading.Thread(target=run_flow, args=(Work(), {})) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 2


def test_plain_run_that_could_never_get_a_slot_says_so() -> None:
    """Waiting by the thread inside the event loop that would free the slot is an error."""

    class Inner(AsyncNode[Any, None, None]):
        async def prep_async(self, shared: Any) -> None:
            await asyncio.sleep(0)
            if self.params["i"] == 1:
                Flow(Squares()).run({})

        async def exec_async(self, prep_res: None) -> None:
            await asyncio.sleep(0.005)

    class Passes(AsyncParallelBatchFlow[Any]):
        async def prep_async(self, shared: Any) -> list[dict[str, Any]]:
            return [{"i": 0}, {"i": 1}]

    with pytest.raises(RuntimeError, match="all slots are taken"):
        asyncio.run(arun_flow(Passes(Inner()), {}, layers=[limit(1)]))


def test_each_run_has_its_own_slots() -> None:
    """One `limit` object may serve many runs at the same time."""
    layer = limit(2)
    seen: dict[str, int] = {}

    async def main() -> None:
        node = ParallelSquares(seen, n=10)
        await asyncio.gather(*(arun_flow(AsyncFlow(node), {}, layers=[layer]) for _ in range(3)))

    asyncio.run(main())
    assert run_flow(Write(), {}, layers=[layer]) == "done"
    assert seen["most"] == 6


def test_no_slot_at_all_is_refused() -> None:
    """A limit below 1 says what to give."""
    with pytest.raises(ValueError, match="1 or more"):
        limit(0)


def test_slot_is_lent_to_one_at_a_time() -> None:
    """A parallel batch inside an `exec` that holds the only slot runs item by item."""
    seen: dict[str, int] = {}

    class Outer(AsyncNode[Any, None, None]):
        async def exec_async(self, prep_res: None) -> None:
            await ParallelSquares(seen, n=6).run_async({})

    asyncio.run(asyncio.wait_for(arun_flow(AsyncFlow(Outer()), {}, layers=[limit(1)]), 10))
    assert seen["most"] == 1


def test_task_that_outlives_its_exec_asks_for_a_slot_of_its_own() -> None:
    """What an `exec` leaves running has no share in a slot that was given back."""
    seen: dict[str, int] = {}

    class Leaves(AsyncNode[Any, None, None]):
        def __init__(self, tasks: list[asyncio.Task[Any]]) -> None:
            super().__init__()
            self.tasks = tasks

        async def exec_async(self, prep_res: None) -> None:
            for _ in range(4):
                node = ParallelSquares(seen, n=1)
                self.tasks.append(asyncio.create_task(node.run_async({})))

    async def main() -> None:
        tasks: list[asyncio.Task[Any]] = []
        await arun_flow(AsyncFlow(Leaves(tasks)), {}, layers=[limit(1)])
        await asyncio.wait_for(asyncio.gather(*tasks), 10)

    asyncio.run(main())
    assert seen["most"] == 1
