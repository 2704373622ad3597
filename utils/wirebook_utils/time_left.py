"""How long the work at hand still has.

Deadlines and timeouts write it; models, searches and tools read it and pass it on to what they
call. Left out: ending anything. Whoever waits has to look.
"""

import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

_until: ContextVar[float] = ContextVar("until", default=float("inf"))


def time_left() -> float | None:
    """Give the seconds until the nearest deadline or timeout, at least 0; `None` without one.

    A model or search function passes it on to whatever it calls.
    """
    until = _until.get()
    return None if until == float("inf") else max(0.0, until - time.monotonic())


@contextmanager
def ending_by(until: float) -> Generator[None]:
    """Let `time_left` end at this moment of `time.monotonic`, unless it ends sooner already."""
    before = _until.get()
    _until.set(min(until, before))
    try:
        yield
    finally:
        _until.set(before)
