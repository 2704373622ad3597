"""`stream`: the steps of a run as they happen.

Left out: the tokens of a model's reply.
"""

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from wirebook import Node

from wirebook_utils.layers.names import AnyNode, path
from wirebook_utils.layers.run import arun_flow, run_flow
from wirebook_utils.layers.seam import Call, Layer, PerRun
from wirebook_utils.layers.wait import is_sync

_ROOM = 64

Kind: TypeAlias = Literal["start", "retry", "end", "error"]


@dataclass(frozen=True)
class Event:
    """One thing that happened in a run: a visit began, ended or failed, or an attempt failed."""

    kind: Kind
    path: str
    action: Any = None
    """What the visit returned, of an `end`."""
    seconds: float | None = None
    """How long the visit took, of an `end` or `error`."""
    error: Exception | None = None
    """What was raised, of an `error` or `retry`."""


def events(send: Callable[[Event], Awaitable[None]]) -> Layer:
    """Make a layer that sends an event for each visit and each attempt that is made again."""

    async def layer(call: Call, node: AnyNode, phase: str, *args: Any) -> Any:
        if phase == "exec" and isinstance(node, Node):
            try:
                return await call(node, phase, *args)
            except Exception as error:
                if getattr(node, "cur_retry", 0) + 1 < node.max_retries:
                    await send(Event("retry", path(), error=error))
                raise
        if phase != "run":
            return await call(node, phase, *args)
        began = time.perf_counter()
        await send(Event("start", path()))
        try:
            action = await call(node, phase, *args)
        except Exception as error:
            await send(Event("error", path(), None, time.perf_counter() - began, error))
            raise
        await send(Event("end", path(), action, time.perf_counter() - began))
        return action

    return layer


class _Abandoned(BaseException):
    """Raised in a run that nobody listens to any more."""


class stream:  # noqa: N801 - used like a function, as `range` is
    """Run a flow and iterate over its events, with `for` in plain code and `async for` in async.

    The run has a thread or a task of its own with a copy of the context, and stays at most 64
    events ahead. An iterator that is left early ends its run: a task at once, a thread at its next
    event. What the run raises comes out of the iterator after its last event. Each iteration is a
    run of its own.
    """

    def __init__(
        self,
        flow: AnyNode,
        shared: Any,
        *,
        layers: Iterable[Layer | PerRun] = (),
        params: dict[str, Any] | None = None,
    ) -> None:
        self._flow, self._shared, self._layers, self._params = flow, shared, [*layers], params

    def __iter__(self) -> Iterator[Event]:
        happened: queue.Queue[Event | BaseException | None] = queue.Queue(_ROOM)
        left = threading.Event()

        def put(thing: Event | BaseException | None) -> None:
            while not left.is_set():
                with contextlib.suppress(queue.Full):
                    return happened.put(thing, timeout=0.05)
            raise _Abandoned

        async def send(event: Event) -> None:
            put(event)

        def work() -> None:
            with contextlib.suppress(_Abandoned):
                try:
                    run_flow(self._flow, self._shared, **self._settings(send))
                except _Abandoned:
                    raise
                except BaseException as error:
                    put(error)
                else:
                    put(None)

        threading.Thread(target=copy_context().run, args=(work,), daemon=True).start()
        try:
            while isinstance(thing := happened.get(), Event):
                yield thing
            if thing is not None:
                raise thing
        finally:
            left.set()

    async def __aiter__(self) -> AsyncIterator[Event]:
        happened: asyncio.Queue[tuple[Event, bool] | None] = asyncio.Queue()
        room = asyncio.Semaphore(_ROOM)
        loop = asyncio.get_running_loop()

        async def send(event: Event) -> None:
            # From a thread of the node's own, or where nothing can wait, the run goes ahead.
            waits = asyncio._get_running_loop() is loop and not is_sync()
            if waits:
                await room.acquire()
            loop.call_soon_threadsafe(happened.put_nowait, (event, waits))

        run = asyncio.create_task(arun_flow(self._flow, self._shared, **self._settings(send)))
        run.add_done_callback(lambda _: loop.call_soon_threadsafe(happened.put_nowait, None))
        try:
            while (sent := await happened.get()) is not None:
                yield sent[0]
                if sent[1]:
                    room.release()
            await run
        finally:
            run.cancel()
            await asyncio.gather(run, return_exceptions=True)

    def _settings(self, send: Callable[[Event], Awaitable[None]]) -> dict[str, Any]:
        return {"layers": [events(send), *self._layers], "params": self._params}
