"""Plain code that is given functions that wait for an event loop.

Left out: a loop in a thread of its own. Inside a running loop there is `await` for that.
"""

import asyncio
import functools
import inspect
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar, cast

from wirebook_utils.errors import UsageError

T = TypeVar("T")


def waits(*functions: Callable[..., Any]) -> bool:
    """Tell whether one of the functions is an async one, also inside a wrapper or as a class."""
    for function in map(inspect.unwrap, functions):
        while isinstance(function, functools.partial):
            function = inspect.unwrap(cast(Any, function).func)
        # A class's own `__call__`, which every function has too, is looked up on its type.
        called = cast(Any, type(function)).__call__
        if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called):
            return True
    return False


def driven(step: Coroutine[Any, Any, T], otherwise: Exception) -> T:
    """Bring a coroutine in which nothing waits to its end, without an event loop.

    As in the core, one `send` does it. Raises `otherwise` if something waits after all.
    """
    try:
        step.send(None)
    except StopIteration as done:
        value: T = done.value
        return value
    step.close()
    raise otherwise


def run_async(start: Callable[[], Coroutine[Any, Any, T]], instead: str) -> T:
    """Run what `start` makes in an event loop of its own.

    Raises `UsageError` inside a running loop, where it would have to be awaited: `instead` is
    what to write there.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(start())
    raise UsageError(
        f"A function waits for an event loop, and one is running already. Write: await {instead}"
    )
