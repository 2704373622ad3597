"""Async nodes, one after the other and at once; plain hooks in them as well."""

import asyncio
from collections.abc import Iterator
from typing import TypedDict

from wirebook import AsyncBatchNode, AsyncNode, AsyncParallelBatchNode


class Pages(TypedDict):
    """What the nodes share."""

    urls: list[str]
    sizes: list[int]


class Fetch(AsyncNode[Pages, str, bytes]):
    """An async node with all hooks."""

    async def prep_async(self, shared: Pages) -> str:
        return shared["urls"][0]

    async def exec_async(self, url: str) -> bytes:
        return await asyncio.sleep(0, url.encode())

    async def exec_fallback_async(self, url: str, exc: Exception) -> bytes:
        return b""

    async def post_async(self, shared: Pages, url: str, page: bytes) -> str | None:
        shared["sizes"].append(len(page))
        return "next" if page else None


class FetchOneByOne(AsyncBatchNode[Pages, str, int]):
    """An async batch."""

    async def prep_async(self, shared: Pages) -> Iterator[str]:
        return iter(shared["urls"])

    async def exec_async(self, url: str) -> int:
        return len(url)

    async def post_async(self, shared: Pages, urls: Iterator[str], sizes: list[int]) -> None:
        shared["sizes"] = sizes


class FetchAtOnce(AsyncParallelBatchNode[Pages, str, int]):
    """A parallel batch, with retries and a fallback per item."""

    def __init__(self) -> None:
        super().__init__(max_retries=3, wait=1)

    async def prep_async(self, shared: Pages) -> list[str]:
        return shared["urls"]

    async def exec_async(self, url: str) -> int:
        return len(url) // self.cur_retry

    async def exec_fallback_async(self, url: str, exc: Exception) -> int:
        return -1

    async def post_async(self, shared: Pages, urls: list[str], sizes: list[int]) -> str:
        shared["sizes"] = sizes
        return "fetched"


class Mixed(AsyncNode[Pages, str, int]):
    """Plain hooks where nothing waits."""

    def prep(self, shared: Pages) -> str:
        return shared["urls"][0]

    async def exec_async(self, url: str) -> int:
        return await asyncio.sleep(0, len(url))

    def post(self, shared: Pages, url: str, size: int) -> None:
        shared["sizes"].append(size)
