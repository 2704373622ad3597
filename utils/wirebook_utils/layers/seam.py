"""How layers stand around every call: the one look-up that the front door puts into the core.

A layer is one async function, the same for plain and async runs:

    async def layer(call, node, phase, *args):
        return await call(node, phase, *args)

`phase` is `prep`, `exec` (once per attempt and item), `wait` (between two attempts, in seconds),
`exec_fallback`, `post`, `run` (a whole visit) or `pass` (one pass of a batch flow). A layer may
change arguments, result, timing and number of calls, and the action that `run` returns. One that
keeps something during a run is a `PerRun`.

Left out: the layers themselves, one file each beside this one.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from wirebook import AsyncNode, BaseNode, BatchNode, Node, around
from wirebook.core import settle

from wirebook_utils.attempt import attempt
from wirebook_utils.layers.names import AnyNode, Place, here, name_of
from wirebook_utils.layers.wait import apart, pause

Call: TypeAlias = Callable[..., Awaitable[Any]]
"""Called as `call(node, phase, *args)`."""

Layer: TypeAlias = Callable[..., Awaitable[Any]]
"""Called as `layer(call, node, phase, *args)`."""

LookUp: TypeAlias = Callable[[AnyNode, str], Callable[..., Any]]

_METHODS = {"run": "_run", "pass": "_orch", "wait": "_wait"}
_PHASES = {
    **{method: phase for phase, method in _METHODS.items()},
    **{method: phase for kind in (Node, AsyncNode) for phase, method in kind._do.items()},
}


@dataclass(frozen=True)
class PerRun:
    """A layer with a state of its own for each run: `start` makes it when a run begins."""

    start: Callable[[], Layer]


@dataclass(frozen=True)
class _Stack:
    """The layers of the run at hand, first outermost, and all of them composed into one call."""

    below: LookUp
    layers: tuple[Layer, ...]
    call: Call


_stack: ContextVar[_Stack | None] = ContextVar("stack", default=None)


@contextmanager
def installed(*layers: Layer | PerRun) -> Generator[None]:
    """Put layers around all that runs inside, first outermost; those there already stay outside.

    For code that calls `flow.run` itself; `run_flow` does this for one run. It holds for the
    tasks started inside, not for new threads.
    """
    outer = _stack.get()
    below = outer.below if outer else around.get()
    made = (layer.start() if isinstance(layer, PerRun) else layer for layer in layers)
    stack = (*(outer.layers if outer else ()), *made)
    call: Call = partial(_call, below)
    for layer in reversed(stack):
        call = partial(layer, call)
    stack_token, around_token = _stack.set(_Stack(below, stack, call)), around.set(_look_up)
    try:
        yield
    finally:
        around.reset(around_token)
        _stack.reset(stack_token)


async def _call(below: LookUp, node: AnyNode, phase: str, *args: Any) -> Any:
    """Do a phase: what the innermost layer calls."""
    if phase == "wait" and _is(node._wait, Node._wait):  # type: ignore[attr-defined]
        # In an async run the wait of a plain node must not hold up the others.
        return await pause(*args)
    if phase == "run" and (place := here.get()):
        place.restart()
    if phase != "exec":
        return await settle(below(node, _METHODS.get(phase) or node._do[phase])(*args))
    # The default `exec_async` only passes on to a plain `exec`, which can be called apart.
    plain = isinstance(node, AsyncNode) and _is(node.exec_async, AsyncNode.exec_async)
    return await settle(await apart(below(node, "exec" if plain else node._do[phase]), *args))


def _is(method: Any, own: Any) -> bool:
    """Tell whether a node has the core's own method: neither its class nor it has another."""
    return getattr(method, "__func__", None) is own


def _look_up(node: AnyNode, method: str) -> Callable[..., Any]:
    """Find what the core is to call for a method: the phase with all layers around it."""
    phase, stack = _PHASES.get(method), _stack.get()
    if phase is None or stack is None:
        return getattr(node, method)  # type: ignore[no-any-return]
    place = _enter(node, phase, sys._getframe(1).f_code)

    async def go(*args: Any) -> Any:
        before, tried = here.get(), attempt.get()
        here.set(place)
        if phase == "exec":
            attempt.set(getattr(node, "cur_retry", 0))
        try:
            return await stack.call(node, phase, *args)
        except Exception as error:
            if phase in ("prep", "exec", "exec_fallback", "post"):
                with suppress(Exception):  # some errors take no notes
                    _note(error, place, node, phase)
            raise
        finally:
            here.set(before)
            attempt.set(tried)

    return go


def _enter(node: AnyNode, phase: str, caller: object) -> Place:
    """Find the place of the phase that begins."""
    now = here.get()
    if phase == "run":
        # Nothing but the caller tells a run without an event loop from one with it: inside an
        # async run, code may call `flow.run` at any time.
        sync = caller is BaseNode.run.__code__ or asyncio._get_running_loop() is None
        if now is None:
            return Place(name_of(node), node, None, sync)
        return now.visit(node, sync or (now.sync and caller is not BaseNode.run_async.__code__))
    if now is None:
        return Place(name_of(node), node, None, True)
    is_item = phase == "pass" or (phase == "exec" and issubclass(type(node), BatchNode))
    return now.item(node) if is_item else now


def _note(error: Exception, place: Place, node: AnyNode, phase: str) -> None:
    """Say on an error where it came from, once, without a change of its type or text."""
    where = f"in {place.path}"
    notes: list[str] = getattr(error, "__notes__", [])
    if phase == "exec":
        # The same object may be raised by each attempt: the last one counts.
        notes[:] = [note for note in notes if not note.startswith(f"{where}, attempt ")]
    if any(note.startswith(where) for note in notes):
        return
    tried: int | None = getattr(node, "cur_retry", None)
    if phase == "exec" and tried is not None and isinstance(node, Node) and node.max_retries > 1:
        where += f", attempt {tried + 1} of {node.max_retries}"
    error.add_note(where)
    if place.sync and str(error) == "no running event loop":
        error.add_note("a plain run cannot wait: use run_async() or arun_flow()")
