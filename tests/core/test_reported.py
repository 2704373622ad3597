"""The reported cases of the core, S-001 to S-023: each with its input, and what comes of it here.

Those that the core leaves as the reference has them are shown so, beside the layer that makes an
error of them or mends them.
"""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
import wirebook
from wirebook import (
    AsyncBatchNode,
    AsyncFlow,
    AsyncNode,
    AsyncParallelBatchFlow,
    AsyncParallelBatchNode,
    BatchFlow,
    BatchNode,
    Flow,
    Node,
)
from wirebook_utils import Stopped, StrictError, run_flow
from wirebook_utils.layers import arun_flow, deadline, limit, strict, timeout

Shared = dict[str, Any]


class Act(Node):
    """Return an action that is given to it."""

    def __init__(self, action: Any) -> None:
        super().__init__()
        self.action = action

    def post(self, shared: Any, prep_res: Any, exec_res: Any) -> Any:
        return self.action


class Note(Node):
    """Note in `shared` that it ran."""

    def post(self, shared: Any, prep_res: Any, exec_res: Any) -> None:
        shared["ran"] = True


@pytest.mark.parametrize(
    ("wait", "items"), [(0, [("a", 2), ("b", 5)]), (0.008, [("a", 2), ("b", 12)])]
)
def test_s001_retry_counter_of_parallel_items(wait: float, items: list[tuple[str, int]]) -> None:
    """S-001: each item gets its own three tries and its own fallback, however they interleave."""
    tries: dict[str, list[int]] = {"a": [], "b": []}

    class Items(AsyncParallelBatchNode):
        async def prep_async(self, shared: Any) -> Any:
            return items

        async def exec_async(self, item: Any) -> None:
            tries[item[0]].append(self.cur_retry)
            await asyncio.sleep(item[1] / 1000)
            raise ValueError

        async def exec_fallback_async(self, item: Any, exc: Exception) -> str:
            return f"fallback-{item[0]}"

        async def post_async(self, shared: Any, prep: Any, res: Any) -> None:
            shared["res"] = res

    shared: Shared = {}
    asyncio.run(Items(max_retries=3, wait=wait).run_async(shared))
    assert shared["res"] == ["fallback-a", "fallback-b"]
    assert tries == {"a": [0, 1, 2], "b": [0, 1, 2]}


def test_s002_attempt_can_be_read_in_async_exec() -> None:
    """S-002: `cur_retry` is there in `exec_async` too."""

    class Reads(AsyncNode):
        async def exec_async(self, prep_res: Any) -> int:
            return self.cur_retry

        async def post_async(self, shared: Any, prep: Any, res: int) -> None:
            shared["attempt"] = res

    shared: Shared = {}
    asyncio.run(Reads().run_async(shared))
    assert shared == {"attempt": 0}


def test_s003_last_action_of_an_inner_flow() -> None:
    """S-003: as the reference, with its warning; under `strict` an error that names the action."""
    inner: Flow = Flow(Act("finished"))
    inner >> Note()
    shared: Shared = {}
    with pytest.warns(UserWarning, match="'finished' not found"):
        Flow(inner).run(shared)
    assert shared == {}
    with pytest.raises(StrictError, match="'finished'"):
        run_flow(Flow(inner), {}, layers=[strict])


def test_s004_action_that_cannot_be_looked_up() -> None:
    """S-004: a TypeError as in the reference; under `strict` with the node, value and type."""
    act = Act({"action": "go"})
    act - "go" >> Note()
    with pytest.raises(TypeError):
        Flow(act).run({})
    with pytest.raises(StrictError, match=r"Flow/Act returned \{'action': 'go'\} \(dict\)"):
        run_flow(Flow(act), {}, layers=[strict])


@pytest.mark.parametrize("action", ["", 0, False])
def test_s005_falsy_action_is_not_the_default(action: Any) -> None:
    """S-005: only None is the default; anything else is looked up, and under `strict` an error."""
    act = Act(action)
    act >> Note()
    shared: Shared = {}
    with pytest.warns(UserWarning, match="not found"):
        Flow(act).run(shared)
    assert shared == {}
    with pytest.raises(StrictError):
        run_flow(Flow(act), {}, layers=[strict])


def test_s006_params_of_a_node_in_a_flow() -> None:
    """S-006: replaced by the flow's as in the reference; under `strict` an error that says so."""

    class Reads(Node):
        def post(self, shared: Any, prep_res: Any, exec_res: Any) -> None:
            shared["seen"] = self.params

    node = Reads()
    node.set_params({"file": "a.txt"})
    shared: Shared = {}
    Flow(node).run(shared)
    assert shared == {"seen": {}}
    with pytest.raises(StrictError, match=r"a\.txt"):
        run_flow(Flow(node), {}, layers=[strict])


def test_s007_no_items_for_an_async_batch() -> None:
    """S-007: None means no items in all batch classes."""
    assert BatchNode().run({}) is None
    for kind in (AsyncBatchNode, AsyncParallelBatchNode):
        assert asyncio.run(kind().run_async({})) is None


def test_s008_batch_over_a_text() -> None:
    """S-008: its characters as in the reference; under `strict` an error."""

    class Each(BatchNode):
        def prep(self, shared: Any) -> str:
            return "abc"

        def exec(self, item: str) -> str:
            return item

        def post(self, shared: Any, prep_res: Any, exec_res: list[str]) -> None:
            shared["calls"] = exec_res

    shared: Shared = {}
    Each().run(shared)
    assert shared == {"calls": ["a", "b", "c"]}
    with pytest.raises(StrictError, match="one str as the items"):
        run_flow(Each(), {}, layers=[strict])


def test_s009_generator_from_prep() -> None:
    """S-009: used up in `post` as in the reference; under `strict` an error."""

    class Each(BatchNode):
        def prep(self, shared: Any) -> Any:
            return (i for i in range(3))

        def post(self, shared: Any, prep_res: Any, exec_res: list[Any]) -> None:
            shared["pairs"] = [*zip(prep_res, exec_res, strict=False)]

    shared: Shared = {}
    Each().run(shared)
    assert shared == {"pairs": []}
    with pytest.raises(StrictError, match="used up"):
        run_flow(Each(), {}, layers=[strict])


def test_s010_one_bad_item() -> None:
    """S-010: it ends the batch as in the reference; a fallback per item keeps the others."""

    class Each(BatchNode):
        def prep(self, shared: Any) -> list[int]:
            return [1, 2, 0, 4]

        def exec(self, item: int) -> int:
            return 10 // item

        def post(self, shared: Any, prep_res: Any, exec_res: list[Any]) -> None:
            shared["res"] = exec_res

    class Keeps(Each):
        def exec_fallback(self, item: int, exc: Exception) -> Any:
            return (item, type(exc).__name__)

    with pytest.raises(ZeroDivisionError):
        Each().run({})
    shared: Shared = {}
    Keeps().run(shared)
    assert shared == {"res": [10, 5, (0, "ZeroDivisionError"), 2]}


def test_s011_siblings_of_a_failed_item() -> None:
    """S-011: they are cancelled and awaited before the error comes out."""
    log: list[str] = []

    class Items(AsyncParallelBatchNode):
        async def prep_async(self, shared: Any) -> list[int]:
            return [0, 1]

        async def exec_async(self, item: int) -> None:
            if item == 0:
                raise RuntimeError("boom")
            try:
                await asyncio.sleep(0.005)
                log.append("late")
            finally:
                log.append("ended")

    async def main() -> None:
        with pytest.raises(RuntimeError, match="boom"):
            await Items().run_async({})
        log.append("out")
        await asyncio.sleep(0.008)

    asyncio.run(main())
    assert log == ["ended", "out"]


def test_s012_passes_that_share_a_key() -> None:
    """S-012: parallel passes share one dict as in the reference; keys of their own keep apart."""

    class Put(AsyncNode):
        async def post_async(self, shared: Any, prep: Any, res: Any) -> None:
            shared["current"] = shared["own", self.params["n"]] = self.params["n"]
            await asyncio.sleep(0.001 * (3 - self.params["n"]))

    class Get(AsyncNode):
        async def post_async(self, shared: Any, prep: Any, res: Any) -> None:
            n = self.params["n"]
            shared["seen"] += [(n, shared["current"], shared["own", n])]

    class Passes(AsyncParallelBatchFlow):
        async def prep_async(self, shared: Any) -> Any:
            return [{"n": i} for i in range(3)]

    put = Put()
    put >> Get()
    shared: Shared = {"seen": []}
    asyncio.run(Passes(put).run_async(shared))
    assert sorted(shared["seen"]) == [(0, 2, 0), (1, 2, 1), (2, 2, 2)]


def test_s013_results_of_the_passes() -> None:
    """S-013: `post` of a batch flow gets one action per pass, in order."""

    class Named(Node):
        def post(self, shared: Any, prep_res: Any, exec_res: Any) -> str:
            return f"action-{self.params['i']}"

    class Passes(BatchFlow):
        def prep(self, shared: Any) -> Any:
            return [{"i": 0}, {"i": 1}]

        def post(self, shared: Any, prep_res: Any, exec_res: Any) -> None:
            shared["res"] = exec_res

    shared: Shared = {}
    Passes(Named()).run(shared)
    assert shared == {"res": ["action-0", "action-1"]}


def test_s014_plain_node_in_parallel_passes() -> None:
    """S-014: it blocks the loop as in the reference; `timeout(thread=True)` takes it off."""
    now = most = 0

    class Slow(Node):
        def exec(self, prep_res: Any) -> None:
            nonlocal now, most
            now += 1
            most = max(most, now)
            time.sleep(0.01)
            now -= 1

    class Passes(AsyncParallelBatchFlow):
        async def prep_async(self, shared: Any) -> Any:
            return [{"i": i} for i in range(5)]

    asyncio.run(Passes(Slow()).run_async({}))
    assert most == 1
    asyncio.run(arun_flow(Passes(Slow()), {}, layers=[timeout(5, thread=True)]))
    assert most > 1


def test_s015_wait_of_a_plain_node_in_an_async_run() -> None:
    """S-015: under the front door the wait between its attempts does not hold up the loop."""

    class Again(Node):
        def exec(self, prep_res: Any) -> None:
            if self.cur_retry == 0:
                raise ValueError

    async def main() -> int:
        beats = 0
        run = asyncio.create_task(arun_flow(AsyncFlow(Again(max_retries=2, wait=0.01)), {}))
        while not run.done():
            beats += 1
            await asyncio.sleep(0.001)
        return beats

    assert asyncio.run(main()) > 3


def test_s016_cap_on_calls_at_once() -> None:
    """S-016: without a layer all items run at once, with `limit(5)` five."""
    now = most = 0

    class Items(AsyncParallelBatchNode):
        async def prep_async(self, shared: Any) -> Any:
            return range(50)

        async def exec_async(self, item: int) -> None:
            nonlocal now, most
            now += 1
            most = max(most, now)
            await asyncio.sleep(0.001)
            now -= 1

    asyncio.run(Items().run_async({}))
    assert most == 50
    most = 0
    asyncio.run(arun_flow(Items(), {}, layers=[limit(5)]))
    assert most == 5


def test_s017_params_of_two_requests() -> None:
    """S-017: params given to the front door are of that run alone."""

    class Who(AsyncNode):
        async def post_async(self, shared: Any, prep: Any, res: Any) -> None:
            shared["ran_as"] = self.params["user"]

    class Waits(AsyncFlow):
        async def prep_async(self, shared: Any) -> None:
            await asyncio.sleep(0.001)

    flow, ann, bob = Waits(Who()), dict[str, Any](), dict[str, Any]()

    async def main() -> None:
        await asyncio.gather(
            arun_flow(flow, ann, params={"user": "ann"}),
            arun_flow(flow, bob, params={"user": "bob"}),
        )

    asyncio.run(main())
    assert (ann, bob) == ({"ran_as": "ann"}, {"ran_as": "bob"})


def test_s018_plain_names_on_an_async_node() -> None:
    """S-018: hooks without the `_async` ending are used."""

    class Plain(AsyncNode):
        def exec(self, prep_res: Any) -> int:
            return 1

        def post(self, shared: Any, prep_res: Any, exec_res: int) -> None:
            shared["out"] = exec_res

    shared: Shared = {}
    asyncio.run(Plain().run_async(shared))
    assert shared == {"out": 1}


def test_s019_only_exec_is_tried_again() -> None:
    """S-019: a reply is validated in `exec`, where the next attempt helps; `post` runs once."""
    replies = iter([{}, {"action": "go"}])

    class Validates(Node):
        def exec(self, prep_res: Any) -> Any:
            return next(replies)["action"]

        def post(self, shared: Any, prep_res: Any, exec_res: Any) -> Any:
            return exec_res

    assert Validates(max_retries=3).run({}) == "go"


def test_s020_error_says_which_node_failed() -> None:
    """S-020: under the front door an error has a note with the path of its node."""

    class Deep(Node):
        def exec(self, prep_res: Any) -> None:
            raise ValueError("bad")

    with pytest.raises(ValueError, match="bad") as caught:
        run_flow(Flow(Flow(Deep())), {})
    assert caught.value.__notes__ == ["in Flow/Flow/Deep"]


def test_s021_package_is_typed() -> None:
    """S-021: the marker and the stub are there; `tests/typed` holds what checkers make of them."""
    folder = Path(wirebook.__file__).parent
    assert (folder / "py.typed").exists()
    assert (folder / "core.pyi").exists()


def test_s022_time_of_an_attempt_and_of_a_run() -> None:
    """S-022: an attempt is bounded by `timeout`, the run by `deadline`; nothing is left running."""

    class Hangs(AsyncNode):
        async def exec_async(self, prep_res: Any) -> None:
            await asyncio.sleep(9)

        async def exec_fallback_async(self, prep: Any, e: Exception) -> None:
            return None

        async def post_async(self, shared: Any, prep: Any, res: Any) -> str:
            shared["rounds"] = shared.get("rounds", 0) + 1
            return "again"

    async def main() -> set[Any]:
        hangs = Hangs()
        hangs - "again" >> hangs
        with pytest.raises(Stopped, match="deadline"):
            await arun_flow(AsyncFlow(hangs), shared, layers=[deadline(0.05), timeout(0.005)])
        return asyncio.all_tasks() - {asyncio.current_task()}

    shared: Shared = {}
    assert asyncio.run(main()) == set()
    assert shared["rounds"] >= 1


def test_s023_retry_at_the_item() -> None:
    """S-023: with the retries at the item, what has worked is not done again."""
    calls: list[str] = []

    class Each(BatchNode):
        def prep(self, shared: Any) -> list[str]:
            return ["a", "b"]

        def exec(self, item: str) -> str:
            calls.append(item)
            if item == "b" and calls.count("b") < 4:
                raise ValueError
            return item

    Each(max_retries=6).run({})
    assert calls == ["a", "b", "b", "b", "b"]
