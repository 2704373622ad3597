"""Wiring, flows with a typed shared, batch flows, runs, params, the seam and `Generic` nodes."""

import asyncio
from collections.abc import Callable
from typing import Any, Generic, TypedDict, TypeVar

from wirebook import (
    AsyncBatchFlow,
    AsyncFlow,
    AsyncNode,
    AsyncParallelBatchFlow,
    BaseNode,
    BatchFlow,
    Flow,
    Node,
    around,
)

T = TypeVar("T")


class State(TypedDict):
    """What the nodes share."""

    files: list[str]
    total: int


class Count(Node[State, str, int]):
    """Count the letters of the file that the params name."""

    def prep(self, shared: State) -> str:
        return str(self.params["file"])

    def exec(self, name: str) -> int:
        return len(name)

    def post(self, shared: State, name: str, letters: int) -> str:
        shared["total"] += letters
        return "again" if letters else "done"


class Ready(AsyncNode[State]):
    """An async node that does nothing."""


def count_flow() -> Flow[State]:
    """count --again--> count; count --done--> a flow; count --stop--> the end."""
    count, inner, last = Count(), Flow(Count()), Count(max_retries=2)
    count - "again" >> count
    count - "done" >> inner >> last
    count - "stop" >> None
    last >> None
    chained: Count = count >> last
    by_words: Count = chained.next(last, "other")
    by_words.next(None, "never")
    return Flow(start=count)


class Total(Flow[State, int]):
    """A flow with phases of its own."""

    def prep(self, shared: State) -> int:
        return shared["total"]

    def post(self, shared: State, before: int, action: str | None) -> str:
        return "more" if shared["total"] > before else "same"


class EachFile(BatchFlow[State]):
    """A batch flow: a dict of params for each pass, and a list of their last actions."""

    def prep(self, shared: State) -> list[dict[str, str]]:
        return [{"file": name} for name in shared["files"]]

    def post(self, shared: State, items: Any, actions: list[str | None]) -> str | None:
        return actions[-1]


class EachFileAsync(AsyncBatchFlow[State]):
    """An async batch flow."""

    async def prep_async(self, shared: State) -> list[dict[str, str]] | None:
        return [{"file": name} for name in shared["files"]] or None


class AllFiles(AsyncParallelBatchFlow[State]):
    """A parallel batch flow."""

    async def prep_async(self, shared: State) -> list[dict[str, str]]:
        return [{"file": name} for name in shared["files"]]

    async def post_async(self, shared: State, items: Any, actions: list[str | None]) -> None:
        shared["total"] = len(actions)


class Waits(AsyncFlow[State]):
    """An async flow that takes no arguments."""

    def __init__(self) -> None:
        super().__init__(start=Ready())

    async def post_async(self, shared: State, prep_res: Any, action: str | None) -> str:
        return action or "nothing"


class Keep(Node[State, T, T], Generic[T]):
    """A node with a type of its own."""

    def __init__(self, value: T) -> None:
        super().__init__()
        self.value = value

    def prep(self, shared: State) -> T:
        return self.value

    def exec(self, value: T) -> T:
        return value


def look_up(node: BaseNode[Any, Any, Any], phase: str) -> Callable[..., Any]:
    """Look a phase up and print its name."""
    print(type(node).__name__, phase)
    method: Callable[..., Any] = getattr(node, phase)
    return method


def runs() -> None:
    """Run all kinds of flows."""
    state: State = {"files": ["a"], "total": 0}
    flow = count_flow()
    flow.set_params({"file": "a.txt"})
    first: Count = flow.start(Count())
    token = around.set(look_up)
    action: str | None = flow.run(state)
    around.reset(token)
    first >> Keep(1) >> Total(first) >> EachFile(first)
    asyncio.run(Waits().run_async(state))
    asyncio.run(Total().run_async(state))
    node = flow.get_next_node(first, action)
    if node is not None:
        node.run({})
