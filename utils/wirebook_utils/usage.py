"""What a run used: its model calls, and the tokens that the model functions report.

`metering` opens a meter for a run, `counted` counts the calls of a model function on it, and a
model function that knows its tokens calls `record`. Runs inside a run count for both.

Left out: money. Prices change; they are looked up where they are shown.
"""

import functools
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from wirebook_utils.contracts import Usage

F = TypeVar("F", bound=Callable[..., Any])


class Meter:
    """The counts of one run, which its threads and tasks share."""

    def __init__(self, outer: "Meter | None" = None) -> None:
        self._outer = outer
        self._lock = threading.Lock()
        self._calls = self._failed = self._records = 0
        self._input = self._output = self._cached = self._reasoning = 0

    def called(self, *, failed: bool = False) -> None:
        """Count a model call that begins or, with `failed`, say of one that it gave no reply."""
        with self._lock:
            self._calls += not failed
            self._failed += failed
        if self._outer:
            self._outer.called(failed=failed)

    def add(self, input: int, output: int, cached: int, reasoning: int) -> None:
        """Add the tokens of one reply."""
        with self._lock:
            self._records += 1
            self._input += input
            self._output += output
            self._cached += cached
            self._reasoning += reasoning
        if self._outer:
            self._outer.add(input, output, cached, reasoning)

    @property
    def usage(self) -> Usage:
        """The counts so far; tokens are `None` unless every reply came with its own."""
        with self._lock:
            if not self._records or self._records < self._calls - self._failed:
                return Usage(self._calls)
            tokens = self._input, self._output, self._cached, self._reasoning
            return Usage(self._calls, *tokens)


_meter: ContextVar[Meter | None] = ContextVar("meter", default=None)


@contextmanager
def metering() -> Generator[Meter]:
    """Open a meter for what runs inside; the meters around it go on counting too."""
    meter = Meter(_meter.get())
    token = _meter.set(meter)
    try:
        yield meter
    finally:
        _meter.reset(token)


def record(model: str, input: int, output: int, *, cached: int = 0, reasoning: int = 0) -> None:
    """Report the tokens of one reply to the run at hand, if there is one.

    `input` holds the `cached` ones, and `output` those of `reasoning`.
    """
    if meter := _meter.get():
        meter.add(input, output, cached, reasoning)


def counted(call_llm: F) -> F:
    """Make a model function count its calls on the meter of the run that makes them."""
    if hasattr(call_llm, "_counted"):
        return call_llm

    @functools.wraps(call_llm)
    def call(*args: Any, **kwargs: Any) -> Any:
        meter = _meter.get()
        if meter is None:
            return call_llm(*args, **kwargs)
        meter.called()
        try:
            reply = call_llm(*args, **kwargs)
        except BaseException:
            meter.called(failed=True)
            raise
        return _awaited(reply, meter) if hasattr(reply, "__await__") else reply

    call._counted = True  # type: ignore[attr-defined]
    return call  # type: ignore[return-value]


async def _awaited(reply: Any, meter: Meter) -> Any:
    try:
        return await reply
    except BaseException:
        meter.called(failed=True)
        raise
