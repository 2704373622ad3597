"""`FakeClock`: time that passes when the code under test waits, and at no cost.

Left out: threads. A thread that waits while another one sleeps moves the same clock.
"""

import asyncio
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, TypeVar
from unittest.mock import patch

T = TypeVar("T")


class FakeClock:
    """A clock that `installed` puts in the place of the real one, for plain and async code.

    `now` is what `time.monotonic` and `time.perf_counter` give; `waits` lists what was slept.
    """

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.waits.append(seconds)
        self.now += max(0.0, seconds)

    @contextmanager
    def installed(self) -> Generator["FakeClock"]:
        """Put this clock in the place of `time` and `asyncio.sleep` inside the block."""
        real_sleep = asyncio.sleep

        async def sleep(seconds: float, result: Any = None) -> Any:
            if seconds > 0:
                self.sleep(seconds)
            return await real_sleep(0, result)

        def read() -> float:
            return self.now

        with (
            patch.object(time, "monotonic", read),
            patch.object(time, "perf_counter", read),
            patch.object(time, "sleep", self.sleep),
            patch.object(asyncio, "sleep", sleep),
        ):
            yield self
