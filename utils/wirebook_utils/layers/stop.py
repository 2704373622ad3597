"""The way out that limits share: on to the node that is wired to it, or `Stopped`.

Left out: when to stop. `step_limit` and `deadline` say that.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from wirebook import Flow

from wirebook_utils.contracts import StopReason
from wirebook_utils.errors import Stopped
from wirebook_utils.layers.names import AnyNode, Place, here, nodes_of
from wirebook_utils.layers.seam import Call, Layer

Told: TypeAlias = Callable[[StopReason], object]
"""Hears why a walk was sent to the way out."""


def ignore(reason: StopReason) -> None:
    """Do nothing about it."""


def stop_when(
    over: Callable[[int], str | None],
    reason: StopReason,
    exit: str | None,
    grace: int,
    told: Told,
) -> Layer:
    """Make a layer that ends a run once `over(steps)` gives the message that says why.

    It is asked with the number of steps begun, before and after each step; a step is a visit of
    a node that is no flow, or of a flow in which there was no step. Once it is over, the walk
    leaves by the wire of the action `exit`: at once where the step just done has one, else before
    the first step that has. From there each walk has `grace` steps to come to its end. `told`
    hears the reason when a walk leaves.
    """
    steps = 0
    extra: dict[str, int] = {}
    left: set[str] = set()

    async def layer(call: Call, node: AnyNode, phase: str, *args: Any) -> Any:
        nonlocal steps
        place = here.get()
        if phase != "run" or place is None:
            return await call(node, phase, *args)
        walk = place.parent.path if place.parent else ""
        if isinstance(node, Flow):
            # A loop of flows ends as well: each visit would bring a new walk with a new grace.
            if why := over(steps):
                extra[walk] = extra.get(walk, 0) + 1
                if extra[walk] > grace:
                    raise Stopped(reason, place.path, f"{why} Stopped before {place.path}.")
            before = steps
            action = await call(node, phase, *args)
            steps += steps == before
            return action
        wired = place.flow is not None and _leads(node, exit)
        if why := over(steps):
            if wired and walk not in left:
                left.add(walk)
                told(reason)
                return exit
            extra[walk] = extra.get(walk, 0) + 1
            if extra[walk] > grace or not _leads_out(place, exit):
                raise Stopped(reason, place.path, f"{why} Stopped before {place.path}.")
        steps += 1
        action = await call(node, phase, *args)
        goes_on = _leads(node, "default" if action is None else action)
        if goes_on and wired and walk not in left and over(steps):
            left.add(walk)
            told(reason)
            return exit
        return action

    return layer


def _leads(node: AnyNode, action: object) -> bool:
    """Tell whether an action, which may be anything that a node returned, is wired to a node."""
    return isinstance(action, str) and node.successors.get(action) is not None


def _leads_out(place: Place, exit: str | None) -> bool:
    """Tell whether some node of the flows around this step is wired to the way out."""
    while exit is not None and (above := place.parent):
        if any(_leads(node, exit) for node in nodes_of(above.node)):
            return True
        place = above
    return False
