"""How a layer waits: by the thread in a plain run, by the event loop in an async one.

A layer that used asyncio itself would break plain runs, and one that used `time.sleep` would hold
up everybody in an async one. These ask how the step at hand is driven.

Left out: cancelling a plain function. Python cannot; `bounded` with a thread gives it up instead,
and `given_up()` counts those that still run.
"""

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager
from contextvars import ContextVar, copy_context
from types import MappingProxyType
from typing import Any, TypeVar

from wirebook_utils.layers.names import here, path
from wirebook_utils.time_left import ending_by

T = TypeVar("T")

_cut: ContextVar[float] = ContextVar("cut", default=float("inf"))
_in_thread: ContextVar[bool] = ContextVar("in_thread", default=False)
_held: ContextVar[Mapping[int, "Slots"]] = ContextVar("held", default=MappingProxyType({}))
_given_up: list[threading.Thread] = []


def is_sync() -> bool:
    """Tell whether the step at hand is driven by `run`, where nothing can wait for a loop."""
    place = here.get()
    return place.sync if place else True


async def pause(seconds: float) -> None:
    """Wait, and let the others of an async run go on meanwhile."""
    if seconds <= 0:
        return
    if is_sync():
        time.sleep(seconds)  # noqa: ASYNC251 - this coroutine has no event loop
    else:
        await asyncio.sleep(seconds)


async def bounded(call: Callable[[], Awaitable[T]], seconds: float, *, thread: bool = False) -> T:
    """Await `call()` for at most so many seconds; raise `TimeoutError` after that.

    What waits for the event loop is cancelled. A plain function can only be left behind, and only
    if it runs in a thread of its own: with `thread`, `exec` does, with a copy of the context.
    """
    too_late = TimeoutError(f"{path()}: no result within {seconds:g} s")
    ends = time.monotonic() + seconds
    before = _in_thread.get(), _cut.get()
    _in_thread.set(thread or before[0])
    # A deadline is looked at between steps; only what bounds a call cuts it off.
    _cut.set(min(ends, before[1]))
    try:
        with ending_by(ends):
            if is_sync():
                return await call()
            limit = asyncio.timeout(seconds)
            try:
                async with limit:
                    return await call()
            except TimeoutError:
                if limit.expired():
                    raise too_late from None
                raise
    except _GivenUp:
        if time.monotonic() < ends:
            raise
        raise too_late from None
    finally:
        _in_thread.set(before[0])
        _cut.set(before[1])


class _GivenUp(BaseException):
    """Raised where a plain run leaves a thread behind; never seen outside `bounded`."""


async def apart(method: Callable[..., Any], *args: Any) -> Any:
    """Call a method here or, inside `bounded(..., thread=True)`, in a daemon thread of its own."""
    if not _in_thread.get():
        return method(*args)
    done: Future[Any] = Future()
    context = copy_context()
    context.run(_in_thread.set, False)

    def work() -> None:
        done.set_running_or_notify_cancel()
        try:
            done.set_result(context.run(method, *args))
        except BaseException as error:
            done.set_exception(error)

    thread = threading.Thread(target=work, name=f"wirebook {path()}", daemon=True)
    thread.start()
    try:
        if is_sync():
            left = min(_cut.get() - time.monotonic(), threading.TIMEOUT_MAX)
            return done.result(max(0.0, left))
        return await asyncio.wrap_future(done)
    except (TimeoutError, asyncio.CancelledError):
        if done.done():
            raise
        _given_up.append(thread)
        raise (_GivenUp if is_sync() else asyncio.CancelledError) from None


def given_up() -> int:
    """Count the plain calls that ran out of time and still run, each in a thread of its own."""
    _given_up[:] = [thread for thread in _given_up if thread.is_alive()]
    return len(_given_up)


class Slots:
    """At most `n` at a time, first come, first served, over the threads and tasks of a run.

    Whoever holds a slot and asks again, in a run inside a run, goes on with the one it has, which
    it can lend to one of its own at a time.
    """

    def __init__(self, n: int) -> None:
        self._free = n
        self._lent_out = True
        self._queue: deque[Future[None]] = deque()
        self._lock = threading.Lock()

    @asynccontextmanager
    async def one(self) -> AsyncGenerator[None]:
        """Hold a slot inside this block."""
        held = _held.get()
        lent = held.get(id(self))
        if lent and lent._lent_out:
            async with lent.one():
                yield
            return
        await self._take()
        mine = Slots(1)
        _held.set({**held, id(self): mine})
        try:
            yield
        finally:
            mine._lent_out = False
            _held.set(held)
            self._give()

    async def _take(self) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            turn: Future[None] = Future()
            self._queue.append(turn)
        if is_sync() and asyncio._get_running_loop():
            turn.cancel()
            raise RuntimeError(
                f"{path()}: all slots are taken, and a plain run cannot wait inside the event loop "
                "that would free one. Use run_async()."
            )
        try:
            if is_sync():
                turn.result()
            else:
                await asyncio.wrap_future(turn)
        except BaseException:
            # The slot may have been given at the very moment of the interruption.
            if not turn.cancel() and not turn.cancelled():
                self._give()
            raise

    def _give(self) -> None:
        with self._lock:
            while self._queue:
                if self._queue[0].set_running_or_notify_cancel():
                    self._queue.popleft().set_result(None)
                    return
                self._queue.popleft()
            self._free += 1
