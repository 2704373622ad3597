"""Plain nodes with a typed shared, prep result and exec result."""

from collections.abc import Awaitable, Callable
from typing import Literal, TypedDict

from wirebook import AsyncNode, BatchNode, Node


class Research(TypedDict):
    """What the nodes share."""

    question: str
    notes: list[str]
    answer: str


class LookUp(Node[Research, str, list[str]]):
    """A node with all hooks; their parameters may have names of one's own."""

    def __init__(self, search: Callable[[str], list[str]]) -> None:
        super().__init__(max_retries=3, wait=0.5)
        self.search = search

    def prep(self, shared: Research) -> str:
        return shared["question"]

    def exec(self, query: str) -> list[str]:
        return self.search(query) if self.cur_retry == 0 else []

    def exec_fallback(self, query: str, exc: Exception) -> list[str]:
        return [f"{query}: {exc}"]

    def post(self, shared: Research, query: str, hits: list[str]) -> Literal["found"] | None:
        shared["notes"] += hits
        return "found" if hits else None


class Finish(Node[Research, list[str], str]):
    """A node whose `post` returns nothing."""

    def prep(self, shared: Research) -> list[str]:
        return shared["notes"]

    def exec(self, notes: list[str]) -> str:
        return "; ".join(notes)

    def post(self, shared: Research, notes: list[str], text: str) -> None:
        shared["answer"] = text


class Ask(Node[Research, str, str]):
    """A plain function that returns something to await, and coroutine functions, are hooks too."""

    def __init__(self, call_llm: Callable[[str], str | Awaitable[str]]) -> None:
        super().__init__()
        self.call_llm = call_llm

    async def prep(self, shared: Research) -> str:
        return shared["question"]

    def exec(self, prompt: str) -> str | Awaitable[str]:
        return self.call_llm(prompt)

    async def post(self, shared: Research, prompt: str, text: str) -> str:
        shared["answer"] = text
        return "answered"


class Lengths(BatchNode[Research, str, int]):
    """A batch: `prep` gives items, `exec` and the fallback get one, `post` gets all results."""

    def prep(self, shared: Research) -> list[str]:
        return shared["notes"]

    def exec(self, note: str) -> int:
        return len(note)

    def exec_fallback(self, note: str, exc: Exception) -> int:
        return 0

    def post(self, shared: Research, notes: list[str], lengths: list[int]) -> None:
        shared["answer"] = str(sum(lengths))


class MaybeLengths(BatchNode[Research, str, int]):
    """A batch that may have no items."""

    def prep(self, shared: Research) -> list[str] | None:
        return shared["notes"] or None

    async def exec(self, note: str) -> int:
        return len(note)


class Untyped(Node):
    """Who gives no types has `Any` everywhere."""

    def exec(self, prep_res: int) -> int:
        return prep_res + 1


class OnlyShared(AsyncNode[Research]):
    """Prep and exec results may be left open."""

    async def post_async(self, shared: Research, prep_res: object, exec_res: object) -> None:
        shared["answer"] = "none"
