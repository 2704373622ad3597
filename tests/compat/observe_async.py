# pyright: basic, reportUnusedExpression=false
# The library is an argument here, so its classes have no types.
"""What can be seen where the async classes of the two libraries differ, as in `observe.py`."""

import asyncio
from typing import Any

from tests.compat.observe import fails, last, last_async, later, make, seen


class Moot(list[int]):
    """Items without a truth value, as an array of numpy has none."""

    def __bool__(self) -> bool:
        """Refuse."""
        raise ValueError("moot")


def cur_retry_on_async_nodes(lib: Any) -> Any:
    """Note each attempt of two items whose attempts interleave."""
    tried: list[tuple[str, Any]] = []

    async def exec_async(self: Any, item: str) -> None:
        await asyncio.sleep(0)
        tried.append((item, getattr(self, "cur_retry", None)))
        raise ValueError

    hooks = {"prep_async": later(["x", "y"]), "exec_async": exec_async}
    node = make(lib.AsyncParallelBatchNode, 2, **hooks, exec_fallback_async=later("gave up"))
    asyncio.run(node.run_async({}))
    return tried


def none_from_async_batch(lib: Any) -> Any:
    """Give no items, in two ways."""
    hooks = {"exec_async": later(0), "post_async": last_async}
    nodes = [make(lib.AsyncBatchNode, prep_async=later(no), **hooks) for no in (None, 0)]
    return [seen(lambda: asyncio.run(node.run_async({}))) for node in nodes]  # noqa: B023


def run_on_async_flow(lib: Any) -> Any:
    """Run an async flow the plain way, and note what ran."""
    ran: list[str] = []
    flow = lib.AsyncFlow(make(lib.Node, post=lambda self, *args: ran.append("ran")))
    error = seen(lambda: flow.run({}))
    return ran + [error] * (error is not None)


def async_node_in_sync_flow(lib: Any) -> Any:
    """Run a plain flow with an async node in it that never waits, inside an event loop."""

    async def inside() -> Any:
        return seen(lambda: lib.Flow(make(lib.AsyncNode, post_async=later("done"))).run({}))

    return asyncio.run(inside())


def siblings_of_a_failure(lib: Any) -> Any:
    """Let the first of two items fail while the second waits, in a batch and in a batch flow."""

    def watch(kind: str) -> Any:
        events: list[str] = []

        async def work(self: Any, item: Any) -> None:
            await asyncio.sleep(0)
            if (self.params or item)["n"] == 1:
                raise ValueError
            try:
                await asyncio.sleep(0.001)
                events.append("late")
            except asyncio.CancelledError:
                events.append("cancelled")
                raise

        async def main(node: Any) -> list[str]:
            try:
                await node.run_async({})
            except ValueError:
                events.append("ValueError")
            await asyncio.sleep(0.005)
            return events

        items = later([{"n": 1}, {"n": 2}])
        if kind == "flow":
            inner = make(lib.AsyncNode, exec_async=work)
            return asyncio.run(main(make(lib.AsyncParallelBatchFlow, inner, prep_async=items)))
        node = make(lib.AsyncParallelBatchNode, prep_async=items, exec_async=work)
        return asyncio.run(main(node))

    return [watch("node"), watch("flow")]


def plain_hooks_on_async_classes(lib: Any) -> Any:
    """Write the hooks of an async node and flow without `_async`."""

    node = make(lib.AsyncNode, exec=fails, exec_fallback="fallback", post=last)
    flow = make(lib.AsyncFlow, post="posted")
    return [asyncio.run(node.run_async({})), asyncio.run(flow.run_async({}))]


def plain_function_as_async_phase(lib: Any) -> Any:
    """Write `post_async` without `async`."""
    return seen(lambda: asyncio.run(make(lib.AsyncNode, post_async="done").run_async({})))


def internal_async_hooks(lib: Any) -> Any:
    """Look for the internal hooks of async classes."""
    return [hasattr(lib.AsyncFlow, name) for name in ("_run_async", "_orch_async")]


def async_batch_without_truth(lib: Any) -> Any:
    """Give items that refuse to say whether they are any."""
    hooks = {"prep_async": later(Moot([1, 2])), "post_async": last_async}
    node = make(lib.AsyncBatchNode, **hooks, exec_async=echo_async)
    return seen(lambda: asyncio.run(node.run_async({})))


async def echo_async(self: Any, item: Any) -> Any:
    """Give the item."""
    return item
