"""PocketFlow and Wirebook under one interface, plain and async, so that one test asks them all.

`lib.node(exec=..., post=...)` makes a class with these hooks and gives an instance of it. Hooks
are written as plain functions; an async library gets them as coroutine functions by their async
names. `extra` goes into the class as it is.
"""

import asyncio
import inspect
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias, TypedDict, Unpack

from wirebook import around

Hook: TypeAlias = Callable[..., Any]
LookUp: TypeAlias = Callable[[Any, str], Callable[..., Any]]


class Hooks(TypedDict, total=False):
    """What a made-up class is given."""

    prep: Callable[[Any, Any], Any]
    exec: Callable[[Any, Any], Any]
    exec_fallback: Callable[[Any, Any, Any], Any]
    post: Callable[[Any, Any, Any, Any], Any]
    extra: dict[str, Any]


def coroutine(plain: Hook) -> Hook:
    """Give a coroutine function that does what `plain` does; one that is so already stays."""
    if inspect.iscoroutinefunction(plain):
        return plain

    async def hook(*args: Any) -> Any:
        return plain(*args)

    return hook


def fail(self: Any, prep_res: Any) -> Any:
    """Be an `exec` that always fails, and says with what."""
    raise ValueError(prep_res)


@contextmanager
def looked_up(look_up: LookUp) -> Generator[None]:
    """Put `look_up` into the seam for a while."""
    token = around.set(look_up)
    try:
        yield
    finally:
        around.reset(token)


@dataclass(frozen=True)
class Lib:
    """One of the two libraries, with its plain or its async classes."""

    module: Any
    is_async: bool = False
    plain_hooks: bool = False
    """Leave the hooks of async classes plain, under their plain names."""

    def base(self, name: str) -> Any:
        """Give the class `Node`, `BatchNode`, `Flow` or `BatchFlow`, or its async counterpart."""
        return getattr(self.module, f"Async{name}" if self.is_async else name)

    def kind(self, name: str, **hooks: Unpack[Hooks]) -> Any:
        """Make a subclass of `base(name)`."""
        members: dict[str, Any] = dict(hooks)
        extra = members.pop("extra", {})
        if self.is_async and not self.plain_hooks:
            members = {f"{phase}_async": coroutine(hook) for phase, hook in members.items()}
        return type(name, (self.base(name),), members | extra)

    def node(self, max_retries: int = 1, wait: float = 0, **hooks: Unpack[Hooks]) -> Any:
        """Make a node with these hooks."""
        return self.kind("Node", **hooks)(max_retries, wait)

    def step(self, name: str, action: Any = None) -> Any:
        """Make a node that adds `name` to `shared["path"]` and returns `action`."""

        def post(self: Any, shared: dict[str, Any], prep_res: Any, exec_res: Any) -> Any:
            shared.setdefault("path", []).append(name)
            return action

        return self.node(post=post)

    def batch(self, max_retries: int = 1, wait: float = 0, **hooks: Unpack[Hooks]) -> Any:
        """Make a batch node that does its items one after the other."""
        return self.kind("BatchNode", **hooks)(max_retries, wait)

    def flow(self, start: Any = None, **hooks: Unpack[Hooks]) -> Any:
        """Make a flow with these hooks of its own."""
        return self.kind("Flow", **hooks)(start)

    def batch_flow(self, start: Any = None, **hooks: Unpack[Hooks]) -> Any:
        """Make a batch flow that does its passes one after the other."""
        return self.kind("BatchFlow", **hooks)(start)

    def parallel(self, max_retries: int = 1, wait: float = 0, **hooks: Unpack[Hooks]) -> Any:
        """Make a batch node that does all items at once."""
        return self.kind("ParallelBatchNode", **hooks)(max_retries, wait)

    def parallel_flow(self, start: Any = None, **hooks: Unpack[Hooks]) -> Any:
        """Make a batch flow that does all passes at once."""
        return self.kind("ParallelBatchFlow", **hooks)(start)

    def run(self, node: Any, shared: Any = None) -> Any:
        """Run `node` to its end and give what it returns."""
        return asyncio.run(node.run_async(shared)) if self.is_async else node.run(shared)
