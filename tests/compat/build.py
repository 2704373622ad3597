# pyright: basic, reportUnusedExpression=false
# The library is an argument here, so its classes have no types.
"""Make the classes and the objects that a `Spec` describes, on a given library."""

import asyncio
from collections.abc import Callable
from typing import Any

from tests.compat.graphs import Spec, Wire
from tests.compat.play import FAULTS, Halt, Hooks, Outcome, TooLong, Trace, pause, seen, watched


def play(lib: Any, spec: Spec, runs: int = 1) -> Outcome:
    """Build `spec` with the classes of `lib`, run it, and give what could be seen."""
    trace, shared, results = Trace(), {"steps": 0}, list[Any]()
    error: tuple[str, ...] = ()
    originals: list[tuple[str, Any]] = []
    with watched(trace):
        try:
            top = build(lib, spec, trace, "top", originals)
            for _ in range(runs):
                is_async = spec.kind.startswith("Async")
                results.append(asyncio.run(top.run_async(shared)) if is_async else top.run(shared))
        except (Exception, Halt, TooLong, FAULTS["cancel"]) as exc:
            error = (type(exc).__name__, str(exc), repr(exc.__context__), repr(exc.__cause__))
    left = [look(name, node, originals) for name, node in originals]
    return Outcome(trace.events, results, error, shared, left)


def build(lib: Any, spec: Spec, trace: Trace, name: str, originals: list[tuple[str, Any]]) -> Any:
    """Make the node and all that are in it, wired."""
    hooks = Hooks(spec, name, trace)
    node = make(lib, spec, hooks)
    originals.append((name, node))
    node.visits, node.bag = 0, []
    if spec.params is not None:
        node.set_params(spec.params)
    inside = [build(lib, s, trace, f"{name}.{i}", originals) for i, s in enumerate(spec.nodes)]
    for wire in spec.wires:
        draw(wire, inside, trace)
    if spec.start is not None:
        trace.note("start", node.start(inside[spec.start]) is inside[spec.start])
    if "unset" in spec.traits:
        node.set_params(None)
    if "leads on" in spec.traits:
        node >> node
    return node


def draw(wire: Wire, nodes: list[Any], trace: Trace) -> None:
    """Wire two nodes in the way that is asked for."""
    source, target = nodes[wire.source], None if wire.target is None else nodes[wire.target]
    try:
        if wire.way == ">>":
            back = source >> target
        elif wire.way == "-":
            back = source - wire.action >> target
        else:
            back = source.next(target, wire.action)
        trace.note("wired", back is target)
    except TypeError:
        trace.note("refused", wire.action)


def make(lib: Any, spec: Spec, hooks: Hooks) -> Any:
    """Make the class, and an object of it with no wires yet."""
    base = getattr(lib, spec.kind)
    own = {phase: getattr(hooks, phase) for phase in ("prep", *spec.own)}
    bodies = {name: body for phase in own for name, body in methods(spec, phase, own[phase])}
    loose = bodies if "loose" in spec.traits else {}
    cls = type(spec.kind, (base,), {**internals(base, spec, hooks), **({} if loose else bodies)})
    sizes = (spec.attempts, spec.wait) if spec.kind.endswith("Node") else ()
    node = cls() if spec.kind == "BaseNode" else cls(*sizes)
    for name, body in loose.items():
        setattr(node, name, body.__get__(node))
    return node


def methods(spec: Spec, phase: str, hook: Callable[..., Any]) -> list[tuple[str, Any]]:
    """Give a phase its method or, in an async class, two: the plain one must stay unused."""

    def plain(self: Any, *args: Any) -> Any:
        return hook(self, *args)

    def unused(self: Any, *args: Any) -> Any:
        raise AssertionError(f"the plain {phase} was called beside its async twin")

    async def waits(self: Any, *args: Any) -> Any:
        for _ in range(spec.pauses):
            await pause(0)
        return hook(self, *args)

    if spec.kind.startswith("Async"):
        return [(phase, unused), (f"{phase}_async", waits)]
    return [(phase, plain)]


def internals(base: Any, spec: Spec, hooks: Hooks) -> dict[str, Any]:
    """Override what the traits name: each notes its arguments and calls the one it overrides."""

    def over(name: str) -> Callable[..., Any]:
        def body(self: Any, *args: Any) -> Any:
            hooks.trace.note(hooks.name, name, *map(brief, args))
            return getattr(base, name)(self, *args)

        return body

    def copied(self: Any) -> Any:
        hooks.trace.note(hooks.name, "copy")
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin

    bodies = {name: over(name) for name in ("_exec", "_run", "_orch")}
    bodies |= {"routes": over("get_next_node"), "copies": copied}
    names = {"routes": "get_next_node", "copies": "__copy__"}
    return {names.get(t, t): body for t, body in bodies.items() if t in spec.traits}


def brief(value: Any) -> str:
    """Describe an argument of an internal hook: of `shared` the count, of a node the class."""
    if hasattr(value, "successors"):
        return type(value).__name__
    is_shared = isinstance(value, dict) and "steps" in value
    return f"shared {value['steps']}" if is_shared else seen(value)


def look(name: str, node: Any, originals: list[tuple[str, Any]]) -> tuple[Any, ...]:
    """Describe what a run left on an original."""
    names = {id(original): name for name, original in originals}
    wires = {action: to and names.get(id(to), "a copy") for action, to in node.successors.items()}
    start = getattr(node, "start_node", None)
    is_async = type(node).__name__.startswith("Async")
    retry = None if is_async else getattr(node, "cur_retry", None)
    return name, node.visits, len(node.bag), repr(node.params), wires, names.get(id(start)), retry
