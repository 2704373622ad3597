"""The shapes in Burr: an application a run over a shared graph, and `MapStates` for the items.

The batch is left out: Burr has no way to go through a list one item after the other.
"""

from collections.abc import AsyncIterator, Iterator
from importlib import import_module
from importlib.metadata import version
from typing import Any

from bench.shapes import Contender, Run


def loop(burr: Any, step: object, n: int) -> Any:
    """Give a graph that runs `step` until the count is `n`."""
    count = {"reads": ["count"], "writes": ["count"]}

    def end(state: Any) -> Any:
        return state.update(count=state["count"])

    actions = {"step": burr.action(**count)(step), "end": burr.action(**count)(end)}
    transitions = [("step", "step", burr.expr(f"count < {n}")), ("step", "end", burr.default)]
    return burr.GraphBuilder().with_actions(**actions).with_transitions(*transitions).build()


def begin(burr: Any, graph: Any, entrypoint: str, state: dict[str, Any]) -> Any:
    """Give an application over `graph` that is at its start."""
    builder = burr.ApplicationBuilder().with_graph(graph).with_entrypoint(entrypoint)
    return builder.with_state(**state).build()


def sync_step(n: int) -> Run:
    """Build `n` plain steps."""

    def step(state: Any) -> Any:
        return state.update(count=state["count"] + 1)

    burr = import_module("burr.core")
    graph = loop(burr, step, n)

    def run() -> object:
        app = begin(burr, graph, "step", {"count": 0})
        _, _, state = app.run(halt_after=["end"])
        return state["count"]

    return run


def async_step(n: int) -> Run:
    """Build `n` steps that may wait."""

    async def step(state: Any) -> Any:
        return state.update(count=state["count"] + 1)

    burr = import_module("burr.core")
    graph = loop(burr, step, n)

    async def run() -> object:
        app = begin(burr, graph, "step", {"count": 0})
        _, _, state = await app.arun(halt_after=["end"])
        return state["count"]

    return run


class Each:
    """Add one to each item, all at once."""

    reads = ("items",)
    writes = ("results",)
    work: Any

    def is_async(self) -> bool:
        return True

    def action(self, state: Any, inputs: object) -> Any:
        return self.work

    def states(self, state: Any, context: object, inputs: object) -> Iterator[Any]:
        for item in state["items"]:
            yield state.update(item=item)

    async def reduce(self, state: Any, results: AsyncIterator[Any]) -> Any:
        return state.update(results=[result["result"] async for result in results])


def parallel_item(n: int) -> Run:
    """Build a `MapStates` over `n` items."""
    burr, parallelism = import_module("burr.core"), import_module("burr.core.parallelism")

    async def work(state: Any) -> Any:
        return state.update(result=state["item"] + 1)

    work = burr.action(reads=["item"], writes=["result"])(work)
    each = type("Each", (Each, parallelism.MapStates), {"work": staticmethod(work)})
    graph = burr.GraphBuilder().with_actions(each=each()).build()

    async def run() -> object:
        app = begin(burr, graph, "each", {"items": list(range(n))})
        _, _, state = await app.arun(halt_after=["each"])
        return state["results"]

    return run


def contender(library: str) -> Contender:
    """Give the shapes of Burr. What a user imports is `library`."""
    builds = {"sync step": sync_step, "async step": async_step, "parallel item": parallel_item}
    return Contender(library, {"apache-burr": version("apache-burr")}, builds)
