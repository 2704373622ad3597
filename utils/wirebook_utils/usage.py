"""What a run used: its model calls, and the tokens that the model functions report.

`metering` opens a meter for a run, `counted` counts the calls of a model function on it, and a
model function that knows its tokens calls `record`. Runs inside a run count for both.

Left out: what a provider's bill adds, such as taxes, discounts and tools of its own.
"""

import functools
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar

from wirebook_utils.contracts import Usage
from wirebook_utils.prices import price

F = TypeVar("F", bound=Callable[..., Any])


class Meter:
    """The counts of one run, which its threads and tasks share."""

    def __init__(self, outer: "Meter | None" = None) -> None:
        self._outer = outer
        self._lock = threading.Lock()
        self._calls = self._failed = 0
        self._replies: list[_Reply] = []

    def called(self, *, failed: bool = False) -> None:
        """Count a model call that begins or, with `failed`, say of one that it gave no reply."""
        with self._lock:
            self._calls += not failed
            self._failed += failed
        if self._outer:
            self._outer.called(failed=failed)

    def add(self, reply: "_Reply") -> None:
        """Add the tokens of one reply."""
        with self._lock:
            self._replies.append(reply)
        if self._outer:
            self._outer.add(reply)

    @property
    def usage(self) -> Usage:
        """The counts so far; tokens are `None` unless every reply came with its own.

        Money is `None` unless the price of every reply is known.
        """
        with self._lock:
            calls, unknown, replies = self._calls, self._calls - self._failed, [*self._replies]
        if not replies or len(replies) < unknown:
            return Usage(calls)
        prices = [price(r.model, r.input, r.output, r.cached) for r in replies]
        return Usage(
            calls=calls,
            input_tokens=sum(reply.input for reply in replies),
            output_tokens=sum(reply.output for reply in replies),
            cached_tokens=sum(reply.cached for reply in replies),
            reasoning_tokens=sum(reply.reasoning for reply in replies),
            money=None if None in prices else sum(filter(None, prices)),
        )


class _Reply(NamedTuple):
    """The tokens of one reply."""

    model: str
    input: int
    output: int
    cached: int
    reasoning: int


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

    `model` is `provider:name`, by which money is known; `input` holds the `cached` tokens, and
    `output` those of `reasoning`.
    """
    if meter := _meter.get():
        meter.add(_Reply(model, input, output, cached, reasoning))


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
