"""The shapes in Wirebook and in PocketFlow: the same classes, over the base of either."""

from functools import partial
from importlib import import_module
from importlib.metadata import version
from types import ModuleType
from typing import Any

from bench.shapes import Contender, Run


class Step:
    """Count one up, until there are `shared["n"]`."""

    def prep(self, shared: dict[str, int]) -> int:
        return shared["count"]

    def exec(self, prep_res: int) -> int:
        return prep_res + 1

    def post(self, shared: dict[str, int], prep_res: int, exec_res: int) -> str:
        shared["count"] = exec_res
        return "again" if exec_res < shared["n"] else "done"


class AsyncStep:
    """The same, with phases that may wait."""

    async def prep_async(self, shared: dict[str, int]) -> int:
        return shared["count"]

    async def exec_async(self, prep_res: int) -> int:
        return prep_res + 1

    async def post_async(self, shared: dict[str, int], prep_res: int, exec_res: int) -> str:
        shared["count"] = exec_res
        return "again" if exec_res < shared["n"] else "done"


class Items:
    """Add one to each item."""

    def prep(self, shared: dict[str, Any]) -> list[int]:
        items: list[int] = shared["items"]
        return items

    def exec(self, prep_res: int) -> int:
        return prep_res + 1

    def post(self, shared: dict[str, Any], prep_res: list[int], exec_res: list[int]) -> None:
        shared["results"] = exec_res


class AsyncItems:
    """The same, with phases that may wait."""

    async def prep_async(self, shared: dict[str, Any]) -> list[int]:
        items: list[int] = shared["items"]
        return items

    async def exec_async(self, prep_res: int) -> int:
        return prep_res + 1

    async def post_async(
        self, shared: dict[str, Any], prep_res: list[int], exec_res: list[int]
    ) -> None:
        shared["results"] = exec_res


def make(work: type, base: type) -> Any:
    """Give a node that does `work` in the way of `base`."""
    return type(work.__name__, (work, base), {})()


def loop(lib: ModuleType, work: type, base: type) -> Any:
    """Give the step of `work`, wired to itself and to an end."""
    step = make(work, base)
    step - "again" >> step
    # Without a way for "done" both libraries would warn at the end of each run.
    step - "done" >> lib.Node()
    return step


def sync_step(lib: ModuleType, n: int) -> Run:
    """Build `n` plain steps in a flow."""
    flow = lib.Flow(loop(lib, Step, lib.Node))

    def run() -> int:
        shared = {"count": 0, "n": n}
        flow.run(shared)
        return shared["count"]

    return run


def async_step(lib: ModuleType, n: int) -> Run:
    """Build `n` steps that may wait, in a flow that may wait."""
    flow = lib.AsyncFlow(loop(lib, AsyncStep, lib.AsyncNode))

    async def run() -> int:
        shared = {"count": 0, "n": n}
        await flow.run_async(shared)
        return shared["count"]

    return run


def batch_item(lib: ModuleType, n: int) -> Run:
    """Build a `BatchNode` over `n` items."""
    node = make(Items, lib.BatchNode)

    def run() -> object:
        shared: dict[str, Any] = {"items": list(range(n))}
        node.run(shared)
        return shared["results"]

    return run


def parallel_item(lib: ModuleType, n: int) -> Run:
    """Build an `AsyncParallelBatchNode` over `n` items."""
    node = make(AsyncItems, lib.AsyncParallelBatchNode)

    async def run() -> object:
        shared: dict[str, Any] = {"items": list(range(n))}
        await node.run_async(shared)
        return shared["results"]

    return run


def contender(library: str) -> Contender:
    """Give the shapes of `library`, "wirebook" or "pocketflow"."""
    lib = import_module(library)
    builds = {
        "sync step": partial(sync_step, lib),
        "async step": partial(async_step, lib),
        "batch item": partial(batch_item, lib),
        "parallel item": partial(parallel_item, lib),
    }
    return Contender(library, {library: version(library)}, builds)
