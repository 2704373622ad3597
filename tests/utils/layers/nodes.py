"""Small nodes and flows that the tests of the layers run."""

import asyncio
from typing import Any

from wirebook import AsyncFlow, AsyncNode, AsyncParallelBatchNode, BatchNode, Flow, Node


class Decide(Node[dict[str, Any], None, None]):
    """Always ask for one more search: the model that never stops."""

    def post(self, shared: dict[str, Any], prep_res: None, exec_res: None) -> str:
        shared["decided"] = shared.get("decided", 0) + 1
        return "search"


class LookUp(Node[dict[str, Any], None, str]):
    """Find something."""

    def exec(self, prep_res: None) -> str:
        return "note"

    def post(self, shared: dict[str, Any], prep_res: None, exec_res: str) -> None:
        shared.setdefault("notes", []).append(exec_res)


class Write(Node[dict[str, Any], None, None]):
    """Answer from what is there."""

    def post(self, shared: dict[str, Any], prep_res: None, exec_res: None) -> str:
        shared["answer"] = len(shared.get("notes", []))
        return "done"


def endless() -> Flow[dict[str, Any], None]:
    """decide --search--> look_up --> decide for ever; decide --answer--> write."""
    decide, look_up, write = Decide(), LookUp(), Write()
    decide - "search" >> look_up >> decide
    decide - "answer" >> write
    return Flow(decide)


class Squares(BatchNode[dict[str, Any], int, int]):
    """Square the items, one after the other."""

    def prep(self, shared: dict[str, Any]) -> list[int]:
        return [1, 2, 3]

    def exec(self, prep_res: int) -> int:
        return prep_res**2

    def post(self, shared: dict[str, Any], prep_res: Any, exec_res: list[int]) -> None:
        shared["squares"] = exec_res


class ParallelSquares(AsyncParallelBatchNode[dict[str, Any], int, int]):
    """Square the items at the same time; `most` in `seen` is how many were under way at once."""

    def __init__(self, seen: dict[str, int], n: int = 5) -> None:
        super().__init__()
        self.seen, self.n = seen, n

    async def prep_async(self, shared: dict[str, Any]) -> list[int]:
        return [*range(self.n)]

    async def exec_async(self, prep_res: int) -> int:
        self.seen["now"] = self.seen.get("now", 0) + 1
        self.seen["most"] = max(self.seen.get("most", 0), self.seen["now"])
        await asyncio.sleep(0.001)
        self.seen["now"] -= 1
        return prep_res**2

    async def post_async(self, shared: dict[str, Any], prep: Any, res: list[int]) -> None:
        shared["squares"] = res


class Fail(Node[dict[str, Any], None, None]):
    """Fail at every attempt."""

    def exec(self, prep_res: None) -> None:
        raise ValueError("bad")


class Hang(AsyncNode[dict[str, Any], None, str]):
    """Wait far too long, and note whether it was cancelled."""

    cancelled: bool = False

    async def exec_async(self, prep_res: None) -> str:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            type(self).cancelled = True
            raise
        return "late"

    async def exec_fallback_async(self, prep: None, e: Exception) -> str:
        return type(e).__name__

    async def post_async(self, shared: dict[str, Any], prep: None, res: str) -> None:
        shared["res"] = res


def in_async_flow(node: Any) -> AsyncFlow[dict[str, Any], None]:
    """Put one node into an async flow."""
    return AsyncFlow(node)
