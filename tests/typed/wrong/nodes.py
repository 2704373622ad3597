"""Hooks that do not fit the types of their node."""

from typing import TypedDict

from wirebook import AsyncNode, AsyncParallelBatchNode, BatchNode, Node


class Research(TypedDict):
    """What the nodes share."""

    question: str
    notes: list[str]


class LookUp(Node[Research, str, list[str]]):
    """No hook of it fits."""

    def prep(self, shared: Research) -> int:  # error
        return len(shared["question"])

    def exec(self, query: int) -> list[str]:  # error
        return [str(query)]

    def exec_fallback(self, query: str, exc: Exception) -> str:  # error
        return query

    def post(self, shared: Research, query: str, hits: list[str]) -> int:  # error
        return len(hits)


class Keys(Node[Research, str, str]):
    """Reads a key that is not there, adds a number to a text, and forgets an argument."""

    def prep(self, shared: Research) -> str:
        return shared["answer"]  # error

    def exec(self, query: str) -> str:
        return query + 1  # error

    def post(self, shared: Research, query: str) -> None:  # error
        shared["notes"] = [query]


class Lengths(BatchNode[Research, str, int]):
    """Takes the whole batch for an item."""

    def prep(self, shared: Research) -> list[int]:  # error
        return [len(note) for note in shared["notes"]]

    def exec(self, notes: list[str]) -> int:  # error
        return len(notes)

    def post(self, shared: Research, notes: list[str], length: int) -> None:  # error
        shared["question"] = str(length)


class Waits(AsyncNode[Research, str, str]):
    """No hook of it fits, one is no coroutine function."""

    async def prep_async(self, shared: Research) -> int:  # error
        return 1

    def exec_async(self, prompt: str) -> str:  # error
        return prompt

    async def post_async(self, shared: Research, prompt: str, text: str) -> bool:  # error
        return True


class AtOnce(AsyncParallelBatchNode[Research, str, int]):
    """Takes an item for a number."""

    async def exec_async(self, item: int) -> int:  # error
        return item

    async def exec_fallback_async(self, item: str, exc: Exception) -> None:  # error
        return None
