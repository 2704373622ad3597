"""`first_of`: models, searches or engines in order; where one fails, the next is asked.

Left out: going back to one that failed, and streams, which fail when half of it has been read.
"""

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, cast

from wirebook.core import settle

from wirebook_utils.ask import takes_schema
from wirebook_utils.errors import BadReply, RateLimited, ServiceError, UsageError
from wirebook_utils.layers import event
from wirebook_utils.time_left import time_left
from wirebook_utils.waiting import driven, waits

F = TypeVar("F", bound=Callable[..., Any])
Failures = list[tuple[str, Exception]]


def first_of(
    *functions: F,
    on: type[Exception] | tuple[type[Exception], ...] = ServiceError,
    told: Callable[[str, Exception], object] | None = None,
) -> F:
    """Make one function of several: it gives what the first gives that does not fail.

    Each is asked once, in order, with the same arguments (but a `schema` only if it takes one);
    when no time is left, no other is asked.
    A failure is an exception of `on`; any other comes out as it is. `told` hears the name of what
    failed, and its exception; in a trace, each is an event of the span it happened in. If one of
    the functions is async, so is the result.

    Raises `UsageError` if there is nothing to ask. Where all fail, the result raises one error that
    names each: `RateLimited` or `BadReply` if all are that, else `ServiceError`.
    """
    names = [_name(function) for function in functions]
    if not functions or not all(map(callable, functions)):
        raise UsageError(f"first_of({', '.join(names)}): give the functions to ask, one or more.")

    async def asked(*args: Any, **kwargs: Any) -> Any:
        failures: Failures = []
        for name, function in zip(names, functions, strict=True):
            if failures and time_left() == 0:
                break
            # The schema stands in the prompt too, for models that are not held to it.
            left_out = () if takes_schema(function) else ("schema",)
            given = {key: value for key, value in kwargs.items() if key not in left_out}
            try:
                return await settle(function(*args, **given))
            except on as error:
                failures.append((name, error))
                event("wirebook.fallback", function=name, **{"error.type": type(error).__name__})
                if told:
                    told(name, error)
        raise _all_failed(failures, len(functions))

    def plainly(*args: Any, **kwargs: Any) -> Any:
        mixed = "A function of first_of gave something to await. Write it as async def."
        return driven(asked(*args, **kwargs), TypeError(mixed))

    call = asked if waits(*functions) else plainly
    call.__name__ = call.__qualname__ = f"first_of({', '.join(names)})"
    call.__doc__ = "Ask one function after the other, until one does not fail."
    if any(map(takes_schema, functions)):
        cast(Any, call).__signature__ = inspect.signature(_held)
    return cast(F, call)


def _held(given: Any, /, *, schema: dict[str, Any] | None = None) -> Any:
    """Show that a function can be given the schema of its reply."""


def _name(function: Callable[..., Any]) -> str:
    """Name a function, and the model that it is bound to; other settings may be secret."""
    if isinstance(function, partial):
        model = function.keywords.get("model")
        return _name(function.func) + (f"({model})" if model else "")
    return str(getattr(function, "__name__", None) or type(function).__name__)


def _all_failed(failures: Failures, size: int) -> Exception:
    """Make one error of all of them."""
    told = " ".join(f"({n}) {name}: {error}" for n, (name, error) in enumerate(failures, 1))
    if len(failures) < size:
        told += " No time was left to ask another."
    message = f"{len(failures)} of {size} were asked, and none answered. {told}"
    errors = [error for _, error in failures]
    if all(isinstance(error, BadReply) for error in errors):
        return BadReply(message, cast(BadReply, errors[-1]).reply)
    limits = [error for error in errors if isinstance(error, RateLimited)]
    if len(limits) == len(errors):
        asked = [limit.retry_after for limit in limits if limit.retry_after is not None]
        return RateLimited(message, status=limits[-1].status, retry_after=min(asked, default=None))
    return ServiceError(message, status=getattr(errors[-1], "status", None))
