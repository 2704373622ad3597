# pyright: basic, reportUnusedExpression=false
# The library is an argument here, so its classes have no types.
"""What can be seen where the two libraries differ: a small program per row of `rows.py`."""

import asyncio
import warnings
from collections.abc import Callable
from typing import Any


class Ready:
    """Something to await that does not wait."""

    def __await__(self) -> Any:
        """Give a value at once."""
        return "value"
        yield


def seen(run: Callable[[], Any]) -> Any:
    """Give the result, or the name of the exception."""
    try:
        return run()
    except Exception as exc:
        return type(exc).__name__


def make(base: type, *args: Any, **hooks: Any) -> Any:
    """Make a node with these hooks; one that is no function stands for what it returns."""
    body = {name: hook if callable(hook) else giving(hook) for name, hook in hooks.items()}
    return type(base.__name__, (base,), body)(*args)


def giving(value: Any) -> Callable[..., Any]:
    """Make a hook that gives `value`."""
    return lambda self, *args: value


def later(value: Any) -> Callable[..., Any]:
    """Make an async hook that gives `value`."""

    async def hook(self: Any, *args: Any) -> Any:
        return value

    return hook


def last(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> Any:
    """Give what `exec` gave: a `post`."""
    return exec_res


def fails(self: Any, prep_res: Any) -> None:
    """Raise: an `exec`."""
    raise ValueError


async def last_async(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> Any:
    """Give what `exec` gave: a `post_async`."""
    return exec_res


def max_retries_below_one(lib: Any) -> Any:
    """Run a node and a batch that may try nothing."""
    hooks = {"exec": "done", "post": last}
    return [make(lib.Node, 0, **hooks).run({}), make(lib.BatchNode, 0, prep=[1], **hooks).run({})]


def falsy_node(lib: Any) -> Any:
    """Put a node that is falsy at the start, and after another."""
    falsy, first = make(lib.Node, post="falsy", __len__=0), make(lib.Node, post="first")
    with warnings.catch_warnings(action="ignore"):
        first - "first" >> falsy
        return [lib.Flow(falsy).run({}), lib.Flow(first).run({})]


def falsy_action(lib: Any) -> Any:
    """Give falsy actions that are wired, beside a default."""

    def run(action: Any) -> Any:
        node = make(lib.Node, post=giving(action))
        node.next(make(lib.Node, post="wired"), action)
        node >> make(lib.Node, post="default")
        return lib.Flow(node).run({})

    return [run(action) for action in ("", 0, False)]


def params_of_a_visit(lib: Any) -> Any:
    """Let a node add to its params, and look at those of the next."""
    node = make(lib.Node, post=lambda self, *args: self.params.update(added=True))
    node >> make(lib.Node, post=lambda self, shared, *args: shared.update(self.params))
    flow, shared = lib.Flow(node), dict[str, Any]()
    flow.set_params({"k": 1})
    flow.run(shared)
    return shared


def third_argument_of_batch_post(lib: Any) -> Any:
    """Let two passes end with an action of their own, in each of the batch flows."""
    inner = make(lib.Node, post=lambda self, *args: self.params["action"])
    items = [{"action": "p"}, {"action": "q"}]
    hooks = {"prep_async": later(items), "post_async": last_async}
    several = [
        make(cls, inner, **hooks) for cls in (lib.AsyncBatchFlow, lib.AsyncParallelBatchFlow)
    ]
    one = make(lib.BatchFlow, inner, prep=items, post=last)
    return [one.run({}), *(asyncio.run(flow.run_async({})) for flow in several)]


def awaitable_from_a_phase(lib: Any) -> Any:
    """Give something to await from `exec` and from a fallback."""

    def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> str:
        return exec_res if isinstance(exec_res, str) else type(exec_res).__name__

    node = make(lib.Node, exec=giving(Ready()), post=post)
    other = make(lib.Node, exec=fails, exec_fallback=giving(Ready()), post=post)
    return [node.run({}), lib.Flow(other).run({})]


def run_async_on_plain_classes(lib: Any) -> Any:
    """Run each plain class where a loop runs."""
    nodes = [
        make(cls, post="default") for cls in (lib.Node, lib.BatchNode, lib.Flow, lib.BatchFlow)
    ]
    return [seen(lambda: asyncio.run(node.run_async({}))) for node in nodes]  # noqa: B023


def stop_iteration(lib: Any) -> Any:
    """Raise StopIteration in `prep`, as `next()` of an empty iterator does."""
    return seen(lambda: make(lib.Node, prep=lambda self, shared: next(iter(()))).run({}))


def declared_end(lib: Any) -> Any:
    """End a flow at an action that is wired to None."""
    node = make(lib.Node, post="x")
    node - "x" >> None
    with warnings.catch_warnings(record=True, action="always") as caught:
        lib.Flow(node).run({})
    return [warning.category.__name__ for warning in caught]


def attributes_of_a_transition(lib: Any) -> Any:
    """Look into what stands between `-` and `>>`."""
    return hasattr(lib.Node() - "x", "src")


def params_none_without_start(lib: Any) -> Any:
    """Run a flow that holds nothing."""
    flow = lib.Flow()
    flow.set_params(None)
    return seen(lambda: flow.run({}))


def slots_and_getstate(lib: Any) -> Any:
    """Visit a node with an attribute in a slot, and one with a say in how it is copied."""

    class Slotted(lib.Node):  # type: ignore[misc]
        __slots__ = ("tool",)
        tool: str

    slotted = make(Slotted, post=lambda self, *args: self.tool)
    slotted.tool = "kept"
    state = make(lib.Node, __getstate__=changed, post=lambda self, *args: self.tool)
    state.tool = "kept"
    return [seen(lambda: lib.Flow(slotted).run({})), lib.Flow(state).run({})]


def changed(self: Any) -> dict[str, Any]:
    """Give the state that a copy is to have."""
    return {**vars(self), "tool": "changed"}


def stand_in(lib: Any) -> Any:
    """Visit an object that only behaves like a node."""

    class Duck:
        successors: dict[Any, Any]

        def set_params(self, params: Any) -> None: ...
        def _run(self, shared: Any) -> str:
            return "quack"

    Duck.successors = {}
    return seen(lambda: lib.Flow(Duck()).run({}))


def second_base(lib: Any) -> Any:
    """Override `_exec` in a base that stands after `BatchNode`."""
    cached = type("Cached", (lib.Node,), {"_exec": lambda self, item: f"cached {item}"})
    both = type("Both", (lib.BatchNode, cached), {})
    return make(both, prep=[1], exec=lambda self, item: f"exec {item}", post=last).run({})


def cur_retry_before_the_first_attempt(lib: Any) -> Any:
    """See `cur_retry` in `prep`: of a fresh node, and of one that has run by itself before."""
    seen: list[Any] = []

    class Looks(lib.Node):  # type: ignore[misc]
        def prep(self, shared: Any) -> None:
            seen.append(getattr(self, "cur_retry", None))

    node = Looks()
    node.run({})
    lib.Flow(node).run({})
    return seen


def own_setattr(lib: Any) -> Any:
    """Visit a node whose class sets attributes in its own way."""

    class Sets(lib.Node):  # type: ignore[misc]
        def __setattr__(self, name: str, value: Any) -> None:
            self.__dict__[name] = value

    node = make(Sets, post=lambda self, *args: self.tool)
    node.tool = "kept"
    return seen(lambda: lib.Flow(node).run({}))


def result_that_claims_everything(lib: Any) -> Any:
    """Give a proxy, which says that it has `__await__` too, out of a phase."""

    class Claims:
        def __getattr__(self, name: str) -> str:
            return name

    node = make(lib.Node, post=lambda self, *args: Claims())
    return seen(lambda: type(node.run({})).__name__)
