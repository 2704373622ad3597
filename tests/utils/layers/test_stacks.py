"""Any stack of layers in any order changes no result, except by its stated effect."""

import asyncio
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from wirebook import (
    AsyncFlow,
    AsyncNode,
    AsyncParallelBatchFlow,
    AsyncParallelBatchNode,
    BatchFlow,
    BatchNode,
    Flow,
    Node,
)
from wirebook_utils.layers import Layer, PerRun, deadline, limit, step_limit, strict, timeout, trace

from tests.utils.layers.settings import SETTINGS, in_async

Shared = dict[str, Any]

# None of these may show in a result: no limit is reached.
LAYERS: dict[str, Callable[[], Layer | PerRun]] = {
    "strict": lambda: strict,
    "step_limit": lambda: step_limit(10_000),
    "step_limit to exit": lambda: step_limit(10_000, exit="end"),
    "deadline": lambda: deadline(600),
    "timeout": lambda: timeout(600),
    "timeout in a thread": lambda: timeout(600, thread=True),
    "limit 1": lambda: limit(1),
    "limit 3": lambda: limit(3),
    "trace": lambda: trace([]),
}


def _log(shared: Shared, node: Any, value: object) -> None:
    shared["log"].append((type(node).__name__, value, dict(node.params)))


class Count(Node[Shared, int, int]):
    """Count up and go round a few times; fail at first where told so."""

    def __init__(self, rounds: int, fails: int) -> None:
        super().__init__(max_retries=fails + 1)
        self.rounds, self.fails = rounds, fails

    def prep(self, shared: Shared) -> int:
        return int(shared["n"])

    def exec(self, prep_res: int) -> int:
        if self.cur_retry < self.fails:
            raise ValueError
        return prep_res + 1

    def post(self, shared: Shared, prep_res: int, exec_res: int) -> str:
        shared["n"] = exec_res
        _log(shared, self, exec_res)
        return "again" if exec_res % (self.rounds + 1) else "on"


class Wait(AsyncNode[Shared, None, int]):
    """Give control away, then log."""

    async def exec_async(self, prep_res: None) -> int:
        await asyncio.sleep(0)
        return self.cur_retry

    async def post_async(self, shared: Shared, prep: None, res: int) -> None:
        _log(shared, self, res)


class Each(BatchNode[Shared, int, int]):
    """Square two items."""

    def prep(self, shared: Shared) -> list[int]:
        return [1, 2]

    def exec(self, prep_res: int) -> int:
        return prep_res**2

    def post(self, shared: Shared, prep_res: Any, exec_res: list[int]) -> None:
        _log(shared, self, exec_res)


class Together(AsyncParallelBatchNode[Shared, int, int]):
    """Square three items at once; the second fails once."""

    async def prep_async(self, shared: Shared) -> list[int]:
        return [1, 2, 3]

    async def exec_async(self, prep_res: int) -> int:
        if prep_res == 2 and self.cur_retry == 0:
            raise ValueError
        await asyncio.sleep(0)
        return prep_res**2

    async def post_async(self, shared: Shared, prep: Any, res: list[int]) -> None:
        _log(shared, self, res)


class Passes(BatchFlow[Shared]):
    """Two passes, one after the other."""

    def prep(self, shared: Shared) -> list[dict[str, Any]]:
        return [{"pass": 0}, {"pass": 1}]


class ParallelPasses(AsyncParallelBatchFlow[Shared]):
    """Two passes at once."""

    async def prep_async(self, shared: Shared) -> list[dict[str, Any]]:
        return [{"pass": 0}, {"pass": 1}]


plain = st.one_of(
    st.tuples(st.just("count"), st.integers(0, 3), st.integers(0, 2)),
    st.tuples(st.just("each")),
)
waiting = st.sampled_from([("wait",), ("together",)])


def graphs(leaves: st.SearchStrategy[Any], wraps: list[str]) -> st.SearchStrategy[Any]:
    """Give chains of nodes, in flows in flows."""
    return st.recursive(
        st.lists(leaves, min_size=1, max_size=3),
        lambda inner: st.lists(
            st.one_of(leaves, st.tuples(st.sampled_from(wraps), inner)), min_size=1, max_size=3
        ),
        max_leaves=6,
    )


WRAPS: dict[str, type[Flow[Any, Any]]] = {
    "flow": Flow,
    "passes": Passes,
    "parallel": ParallelPasses,
}
LEAVES: dict[str, Callable[[], Any]] = {
    "each": Each,
    "wait": Wait,
    "together": lambda: Together(max_retries=2),
}


def build(spec: list[Any], kind: type[Flow[Any, Any]]) -> Flow[Any, Any]:
    """Build a chain of nodes as a flow."""
    first: Any = None
    last: Any = None
    for name, *rest in spec:
        node: Any
        if name == "count":
            node = Count(*rest)
            node - "again" >> node
        elif name in ("flow", "passes", "parallel"):
            node = build(rest[0], WRAPS[name])
        else:
            node = LEAVES[name]()
        first = first or node
        if last is not None:
            last.next(node, "on" if isinstance(last, Count) else "default")
        last = node
    if isinstance(last, Count):
        last - "on" >> Each()
    return kind(first)


def outcome(drive: Callable[..., Any], flow: Any, stack: list[str]) -> tuple[Any, Shared]:
    """Run, and give action and `shared`."""
    shared: Shared = {"n": 0, "log": []}
    action = drive(flow, shared, *(LAYERS[name]() for name in stack))
    return action, shared


stacks = st.lists(st.sampled_from(sorted(LAYERS)), max_size=6)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(spec=graphs(plain, ["flow", "passes"]), stack=stacks, setting=st.sampled_from(SETTINGS))
def test_plain_graphs(spec: list[Any], stack: list[str], setting: Callable[..., Any]) -> None:
    """On a random plain graph, in each setting, a stack changes neither action nor `shared`."""
    bare = outcome(setting, build(spec, Flow), [])
    assert outcome(setting, build(spec, Flow), stack) == bare


@settings(max_examples=60, deadline=None, derandomize=True)
@given(spec=graphs(st.one_of(plain, waiting), ["flow", "passes"]), stack=stacks)
def test_graphs_that_wait(spec: list[Any], stack: list[str]) -> None:
    """On a random async graph too."""
    bare = outcome(in_async, build(spec, AsyncFlow), [])
    assert outcome(in_async, build(spec, AsyncFlow), stack) == bare


@settings(max_examples=60, deadline=None, derandomize=True)
@given(spec=graphs(waiting, ["flow", "passes", "parallel"]), stack=stacks)
def test_passes_at_once(spec: list[Any], stack: list[str]) -> None:
    """Passes that run at once may interleave otherwise, but do the same steps."""
    action, shared = outcome(in_async, build(spec, AsyncFlow), [])
    got_action, got = outcome(in_async, build(spec, AsyncFlow), stack)
    assert got_action == action
    assert sorted(map(str, got["log"])) == sorted(map(str, shared["log"]))
