"""Random graphs as data: a `Spec` says what to build and what each hook of it has to do.

What no spec holds, because the two libraries differ there on purpose, is marked with the name of
its row in `rows.py`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
# How a batch hook gives its items: the kind of object, and what is in it.
Items = tuple[str, tuple[Any, ...]]

PHASES = ("prep", "exec", "exec_fallback", "post")
SYNC_STEPS = ("Node", "Node", "BatchNode", "BaseNode")
ASYNC_STEPS = ("AsyncNode", "AsyncBatchNode", "AsyncParallelBatchNode")
SYNC_FLOWS = ("Flow", "BatchFlow")
ASYNC_FLOWS = ("AsyncFlow", "AsyncBatchFlow", "AsyncParallelBatchFlow")

# Where a post leads. "a falsy action other than None": none of "", 0, False and [] is here.
ACTIONS = (*[None] * 6, *["default", "a", "b"] * 3, "nowhere", 7, True, ["unhashable"])
WIRED = ("default", "default", "default", "a", "a", "b", "b", 7, 1, "")
PARAMS: tuple[dict[Any, Any], ...] = ({}, {"k": 1}, {"k": 2, "m": 3}, {"m": 4, 5: 6})


@dataclass(frozen=True)
class Wire:
    """From one node of a flow to another, or to `None`, written in one of the three ways."""

    source: int
    action: Any
    target: int | None
    way: str  # ">>", "-" or "next"


@dataclass(frozen=True)
class Spec:
    """A node, or a flow with the nodes in it, and a script for each of its hooks."""

    kind: str
    own: tuple[str, ...] = ("exec", "post")  # the phases it overrides, besides `prep`
    traits: frozenset[str] = frozenset()  # see `TRAITS`
    params: dict[Any, Any] | None = None
    actions: tuple[Any, ...] = (None,)  # what `post` gives, visit by visit, again and again
    faults: tuple[str, ...] = ("",)  # what `exec` raises, call by call, again and again
    fault_at: str = ""  # the phase that raises besides `exec`, at its third call
    attempts: int = 1
    wait: int = 0
    items: Items = ("list", ())
    pauses: int = 0
    nodes: tuple["Spec", ...] = ()
    wires: tuple[Wire, ...] = ()
    start: int | None = None

    def every(self) -> list["Spec"]:
        """List this spec and all that are in it."""
        return [self, *(spec for node in self.nodes for spec in node.every())]


TRAITS = (
    "copies",  # has a `__copy__` of its own
    "loose",  # its hooks are set on the instance
    "falls",  # its fallback raises
    "rewires",  # its `post` wires "b" to itself
    "_exec",  # overrides this internal hook, and `super()`s
    "_run",
    "_orch",
    "routes",  # overrides `get_next_node`, and `super()`s
    "leads on",  # (the top) has a successor, which `run` ignores
    "unset",  # (the top) has None for params
)


def often(common: T, *rare: T) -> st.SearchStrategy[T]:
    """Give `common` in most examples."""
    return st.sampled_from((*(common,) * (3 * len(rare)), *rare))


def scripts(values: Sequence[T], size: int = 4) -> st.SearchStrategy[tuple[T, ...]]:
    """Give some of `values`, in any order."""
    return st.lists(st.sampled_from(values), min_size=1, max_size=size).map(tuple)


def items(kind: str) -> st.SearchStrategy[Items]:
    """Give what `prep` of a batch class may return."""
    flow, parallel = kind.endswith("Flow"), "Parallel" in kind
    values = st.sampled_from(PARAMS if flow else (None, 0, "", "x", 1, "y"))
    few = st.lists(values, min_size=1, max_size=3).map(tuple)
    whole = st.tuples(st.sampled_from(("list", "tuple", "generator")), few)
    odd: list[Items] = [("list", ()), ("value", ({},)), ("value", ("",)), ("value", (3,))]
    if not kind.startswith("Async") or flow:
        # "None or 0 from an async batch's prep": so not for async nodes.
        odd += [("value", (None,)), ("value", (0,)), ("value", (False,))]
    if flow:
        # A later item of a parallel flow would leave coroutines behind that nobody awaits.
        odd += [("list", (5,)), ("list", ({"k": 9}, 5)[parallel:]), ("value", ({"k": 1},))]
    else:
        odd += [("value", ("xy",)), ("value", ({"p": 1},))]
    if flow or not kind.startswith("Async"):  # "an async batch without a truth value"
        odd += [("moot", ({"k": 8} if flow else "x",))]
    return st.one_of(*[whole] * 5, st.sampled_from(odd))


@st.composite
def steps(draw: Callable[[st.SearchStrategy[Any]], Any], kinds: Sequence[str]) -> Spec:
    """Give a node that is no flow. Its `max_retries` is 1 or more: "`max_retries` below 1"."""
    kind: str = draw(st.sampled_from(kinds))
    internal = ("_exec",) if kind.startswith("Async") else ("_exec", "_run")
    traits = ("copies", "loose", "falls", "falls", "rewires", *internal)
    return Spec(
        kind=kind,
        own=draw(often(PHASES[1:], ("exec", "post"), ("post",), ("exec",), ())),
        traits=draw(often(frozenset(), *(frozenset({trait}) for trait in traits))),
        params=draw(often(None, *PARAMS)),
        actions=draw(scripts(ACTIONS)),
        faults=draw(often(("",), *draw(st.tuples(faults(), faults())))),
        fault_at=draw(often("", "", "", "prep", "post")),
        attempts=draw(st.integers(1, 3)),
        wait=draw(often(0, 1, -1)),
        items=draw(items(kind)) if "Batch" in kind else ("list", ()),
        pauses=draw(often(0, 1, 2)) if kind.startswith("Async") else 0,
    )


def faults() -> st.SearchStrategy[tuple[str, ...]]:
    """Give what `exec` raises. "StopIteration out of a phase": not that."""
    return scripts(("", "", "error", "error", "other", "halt", "cancel"))


@st.composite
def flows(
    draw: Callable[[st.SearchStrategy[Any]], Any], kinds: Sequence[str], depth: int = 2
) -> Spec:
    """Give a flow. Only an async one holds async nodes.

    "an async node in a sync flow, in an event loop".
    """
    kind: str = draw(st.sampled_from(kinds))
    is_async = kind.startswith("Async")
    inside = [steps(SYNC_STEPS), steps(SYNC_STEPS)]
    if is_async:
        inside += [steps(ASYNC_STEPS), steps(ASYNC_STEPS), steps(ASYNC_STEPS)]
    if depth > 1:
        inside.append(flows((*SYNC_FLOWS, *ASYNC_FLOWS) if is_async else SYNC_FLOWS, depth - 1))
    nodes: list[Spec] = draw(st.lists(st.one_of(inside), min_size=2, max_size=4))
    internal = ("routes",) if is_async else ("routes", "_run", "_orch")
    traits = ("copies", "loose", *internal)
    return Spec(
        kind=kind,
        own=draw(often((), ("post",))),
        traits=draw(often(frozenset(), *(frozenset({trait}) for trait in traits))),
        params=draw(often(None, *PARAMS)),
        actions=draw(scripts(ACTIONS)),
        fault_at=draw(often("", "", "", "prep", "post")),
        items=draw(items(kind)) if "Batch" in kind else ("list", ()),
        pauses=draw(often(0, 1)) if is_async else 0,
        nodes=tuple(nodes),
        wires=tuple(draw(wires(len(nodes)))),
        start=draw(often(0, len(nodes) - 1, None)),
    )


def wires(count: int) -> st.SearchStrategy[list[Wire]]:
    """Give wires between `count` nodes: a chain, or any: loops, doubles, ends."""
    node = st.integers(0, count - 1)
    wire = st.builds(
        Wire,
        source=node,
        action=st.sampled_from(WIRED),
        target=st.one_of(node, node, node, node, st.none()),
        way=st.sampled_from((">>", "-", "next")),
    )
    chain = [Wire(i, "default", i + 1, ">>") for i in range(count - 1)]
    return st.lists(wire, max_size=2 * count).flatmap(
        lambda some: st.sampled_from([some, chain + some, chain + some, some + chain])
    )


def tops() -> st.SearchStrategy[Spec]:
    """Give what a user runs: mostly a flow, now and then a single node."""
    alone = steps((*SYNC_STEPS, *ASYNC_STEPS))
    flow = flows((*SYNC_FLOWS, *ASYNC_FLOWS))
    more = often(frozenset[str](), frozenset({"leads on"}), frozenset({"unset"}))

    def add(spec: Spec, traits: frozenset[str]) -> Spec:
        if spec.start is None and spec.nodes:
            traits -= {"unset"}  # "params None on a flow with no start"
        return replace(spec, traits=spec.traits | traits)

    return st.builds(add, st.one_of(flow, flow, flow, flow, alone), more)
