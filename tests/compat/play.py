# pyright: basic, reportUnusedExpression=false
# The library is an argument here, so its classes have no types.
"""Build a `Spec` on a given library, run it, and keep all that can be seen of the run."""

import asyncio
import contextlib
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from tests.compat.graphs import Spec

# From here on every `post` answers "enough", and from there on the run is cut short.
ENOUGH, TOO_MANY = 25, 250
pause = asyncio.sleep


class Halt(BaseException):
    """Raised by a hook: no `Exception`, so never retried."""


class TooLong(BaseException):
    """Raised when a run does not end by itself."""


class Moot(list[Any]):
    """Items without a truth value, as an array of numpy has none."""

    def __bool__(self) -> bool:
        """Refuse."""
        raise ValueError("the truth of it is moot")


FAULTS: dict[str, type[BaseException]] = {
    "error": ValueError,
    "other": LookupError,
    "halt": Halt,
    "cancel": asyncio.CancelledError,
}


@dataclass
class Outcome:
    """What can be seen of a run: events in order, what came out, what is left."""

    events: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]])
    results: list[Any] = field(default_factory=list[Any])
    error: tuple[str, ...] = ()
    shared: dict[str, Any] = field(default_factory=dict[str, Any])
    originals: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]])


class Trace:
    """Collects the events of a run, and counts."""

    def __init__(self) -> None:
        self.events: list[tuple[Any, ...]] = []
        self.counts: Counter[tuple[str, ...]] = Counter()

    def note(self, *event: Any) -> None:
        """Add an event."""
        self.events.append(event)

    def count(self, *key: str) -> int:
        """Give how often this was asked before; all hooks together may ask `TOO_MANY` times."""
        self.counts[key] += 1
        if sum(self.counts.values()) > TOO_MANY:
            raise TooLong("no end in sight")
        return self.counts[key] - 1

    def fail(self, kind: str, name: str) -> None:
        """Raise a fault whose text tells it from all others."""
        error = FAULTS[kind](f"{kind} {self.count('raise')} of {name}")
        self.note("raise", str(error))
        raise error


def seen(value: Any) -> str:
    """Describe an argument without its address."""
    return f"{type(value).__name__}" if hasattr(value, "__next__") else repr(value)


class Hooks:
    """What the phases of one node do: note what they see, then follow the script."""

    def __init__(self, spec: Spec, name: str, trace: Trace) -> None:
        self.spec, self.name, self.trace = spec, name, trace
        self.retries = not spec.kind.startswith("Async") and spec.kind.endswith("Node")

    def note(self, node: Any, phase: str, *args: Any) -> None:
        """Note a call and what the node looks like.

        "`cur_retry` on async nodes" and "`cur_retry` before the first attempt": not noted.
        """
        retry = getattr(node, "cur_retry", None) if self.retries and phase != "prep" else None
        look = (seen(node.params), node.visits, len(node.bag), retry, [*node.successors])
        self.trace.note(self.name, phase, *map(seen, args), look)
        if self.spec.fault_at == phase and self.trace.count(self.name, phase, "fault") == 2:
            self.trace.fail("error", self.name)

    def prep(self, node: Any, shared: dict[str, Any]) -> Any:
        """Give the scripted items, or for a node without items a text."""
        node.visits += 1
        node.bag.append(0)
        visit = self.trace.count("visit")
        self.note(node, "prep", shared["steps"])
        shared["steps"] += 1
        kind, values = self.spec.items
        forms: dict[str, Callable[[], Any]] = {
            "list": lambda: [*values],
            "tuple": lambda: values,
            "generator": lambda: (value for value in values),
            "moot": lambda: Moot(values),
            "value": lambda: values[0],
        }
        node.got = forms[kind]() if "Batch" in self.spec.kind else f"prep {visit}"
        return node.got

    def exec(self, node: Any, prep_res: Any) -> Any:
        """Fail or give a text, as scripted."""
        call = self.trace.count(self.name, "exec")
        self.note(node, "exec", prep_res)
        if fault := self.spec.faults[call % len(self.spec.faults)]:
            self.trace.fail(fault, self.name)
        return f"exec {call}"

    def exec_fallback(self, node: Any, prep_res: Any, exc: Exception) -> Any:
        """Fail or give a text, as scripted."""
        self.note(node, "exec_fallback", prep_res, exc)
        if "falls" in self.spec.traits:
            self.trace.fail("other", self.name)
        return None if prep_res == 1 else "fallback"

    def post(self, node: Any, shared: dict[str, Any], prep_res: Any, exec_res: Any) -> Any:
        """Write to `shared` and give the scripted action."""
        self.note(node, "post", prep_res, exec_res, prep_res is node.got)
        shared[self.name] = seen(exec_res)
        if "rewires" in self.spec.traits:
            node.successors["b"] = node
        if self.trace.counts[("visit",)] > ENOUGH:
            return "enough"
        return self.spec.actions[self.trace.count(self.name, "post") % len(self.spec.actions)]


@contextlib.contextmanager
def watched(trace: Trace) -> Iterator[None]:
    """Note warnings where they come up, and waits instead of waiting."""

    async def sleep(seconds: float) -> None:
        trace.note("sleep", seconds)
        await pause(0)

    with (
        warnings.catch_warnings(),
        mock.patch.object(time, "sleep", lambda seconds: trace.note("sleep", seconds)),
        mock.patch.object(asyncio, "sleep", sleep),
    ):
        warnings.simplefilter("always")
        warnings.showwarning = lambda text, kind, *_: trace.note("warn", kind.__name__, str(text))
        yield
