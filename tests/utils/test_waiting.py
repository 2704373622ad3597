"""Functions that wait are told from plain ones, and run where no loop runs."""

import asyncio
import functools
from typing import Any

import pytest
from wirebook_utils import UsageError
from wirebook_utils.usage import counted
from wirebook_utils.waiting import run_async, waits


async def later(prompt: str) -> str:
    """Wait."""
    await asyncio.sleep(0)
    return prompt


class Later:
    """A callable that waits."""

    async def __call__(self, prompt: str) -> str:
        """Wait."""
        return await later(prompt)


DRESSED = functools.partial(counted(Later()))


@pytest.mark.parametrize(
    "function",
    [later, Later(), functools.partial(later, "x"), counted(later), Later().__call__, DRESSED],
    ids=["function", "object", "partial", "wrapped", "method", "partial object"],
)
def test_function_that_waits_is_seen(function: Any) -> None:
    """However it is dressed."""
    assert waits(len, function)


def test_plain_functions_do_not_wait() -> None:
    """Functions, classes, built-ins and objects."""
    assert not waits(len, str, lambda: 1, functools.partial(len), counted(len))


def test_runs_without_a_loop_and_says_what_to_write_in_one() -> None:
    """In a loop it is an error that names the coroutine, and none is left behind."""
    assert run_async(lambda: later("x"), "later(...)") == "x"

    async def main() -> None:
        with pytest.raises(UsageError, match=r"Write: await later\(\.\.\.\)"):
            run_async(lambda: later("x"), "later(...)")

    asyncio.run(main())
