"""The least that the shapes can cost: the same three functions, called by hand in a loop."""

import asyncio
from typing import Any

from bench.shapes import Contender, Run


def prep(shared: dict[str, Any]) -> Any:
    """Read the count."""
    return shared["count"]


def add_one(number: int) -> int:
    """Count one up."""
    return number + 1


def post(shared: dict[str, Any], result: Any) -> bool:
    """Write the count, and say whether to go on."""
    shared["count"] = result
    return bool(result < shared["n"])


async def prep_async(shared: dict[str, Any]) -> Any:
    """Read the count, where a step may wait."""
    return shared["count"]


async def add_one_async(number: int) -> int:
    """Count one up, where a step may wait."""
    return number + 1


async def post_async(shared: dict[str, Any], result: Any) -> bool:
    """Write the count, and say whether to go on, where a step may wait."""
    shared["count"] = result
    return bool(result < shared["n"])


def sync_step(n: int) -> Run:
    """Build a loop of `n` rounds over three functions."""

    def run() -> int:
        shared = {"count": 0, "n": n}
        while post(shared, add_one(prep(shared))):
            pass
        return shared["count"]

    return run


def async_step(n: int) -> Run:
    """Build a loop of `n` rounds over three coroutine functions."""

    async def run() -> int:
        shared = {"count": 0, "n": n}
        while await post_async(shared, await add_one_async(await prep_async(shared))):
            pass
        return shared["count"]

    return run


def batch_item(n: int) -> Run:
    """Build a list comprehension that calls a function for each of `n` items."""

    def run() -> list[int]:
        return [add_one(item) for item in list(range(n))]

    return run


def parallel_item(n: int) -> Run:
    """Build an `asyncio.gather` over `n` coroutines."""

    async def run() -> list[int]:
        return await asyncio.gather(*(add_one_async(item) for item in list(range(n))))

    return run


def contender(library: str) -> Contender:
    """Give the shapes without a library. What they import is `library`."""
    builds = {
        "sync step": sync_step,
        "async step": async_step,
        "batch item": batch_item,
        "parallel item": parallel_item,
    }
    return Contender(library, {}, builds)
