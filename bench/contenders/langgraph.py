"""The shapes in LangGraph: a `StateGraph` with a conditional edge, and `Send` for the items.

The batch is left out: LangGraph has no way to go through a list one item after the other.
"""

import operator
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, Any, TypedDict

from bench.shapes import Contender, Run


class Count(TypedDict):
    """How far the loop is."""

    count: int
    n: int


class Items(TypedDict):
    """What to work on, and what came of it."""

    items: list[int]
    results: Annotated[list[int], operator.add]


def step(state: Count) -> dict[str, int]:
    """Count one up."""
    return {"count": state["count"] + 1}


async def step_async(state: Count) -> dict[str, int]:
    """Count one up, where a step may wait."""
    return {"count": state["count"] + 1}


async def work(state: dict[str, int]) -> dict[str, list[int]]:
    """Add one to an item."""
    return {"results": [state["item"] + 1]}


def loop(node: object) -> Any:
    """Give a graph that runs `node` until the count is reached."""
    graph = import_module("langgraph.graph")

    def decide(state: Count) -> str:
        return "step" if state["count"] < state["n"] else "end"

    builder = graph.StateGraph(Count)
    builder.add_node("step", node)
    builder.add_edge(graph.START, "step")
    builder.add_conditional_edges("step", decide, {"step": "step", "end": graph.END})
    return builder.compile()


def sync_step(n: int) -> Run:
    """Build `n` plain steps."""
    app = loop(step)

    def run() -> object:
        return app.invoke({"count": 0, "n": n}, {"recursion_limit": n + 10})["count"]

    return run


def async_step(n: int) -> Run:
    """Build `n` steps that may wait."""
    app = loop(step_async)

    async def run() -> object:
        state = await app.ainvoke({"count": 0, "n": n}, {"recursion_limit": n + 10})
        return state["count"]

    return run


def parallel_item(n: int) -> Run:
    """Build a fan-out of one `Send` for each of `n` items."""
    graph, types = import_module("langgraph.graph"), import_module("langgraph.types")

    def fan_out(state: Items) -> list[Any]:
        return [types.Send("work", {"item": item}) for item in state["items"]]

    builder = graph.StateGraph(Items)
    builder.add_node("work", work)
    builder.add_conditional_edges(graph.START, fan_out, ["work"])
    builder.add_edge("work", graph.END)
    app = builder.compile()

    async def run() -> object:
        state = await app.ainvoke({"items": list(range(n)), "results": []})
        return state["results"]

    return run


def contender(library: str) -> Contender:
    """Give the shapes of LangGraph. What a user imports is `library`."""
    builds = {"sync step": sync_step, "async step": async_step, "parallel item": parallel_item}
    return Contender(library, {"langgraph": version("langgraph")}, builds)
