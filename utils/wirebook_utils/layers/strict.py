"""`strict`: what the core passes over in silence, as PocketFlow does, becomes an error.

Left out: what only the source can tell, such as an action that no run has returned yet.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from wirebook import AsyncNode, BatchFlow, BatchNode, Flow, Node

from wirebook_utils.errors import StrictError
from wirebook_utils.layers.names import AnyNode, Place, here, name_of, nodes_of
from wirebook_utils.layers.seam import Call

_TWINS = ("prep", "exec", "exec_fallback", "post")


async def strict(call: Call, node: AnyNode, phase: str, *args: Any) -> Any:
    """Raise `StrictError` where a run would go wrong without a word.

    That is: an action that is not text, or that nothing is wired to while other actions are;
    text, bytes, a mapping or a one-shot iterator as the items of a batch; params of a node that
    its flow replaces; a plain hook that its async twin hides; an override that is never called.
    """
    place = here.get()
    if phase == "run":
        _check_hooks(type(node))  # type: ignore[arg-type]
        _check_params(node)
    result = await call(node, phase, *args)
    if phase == "run" and place is not None and place.flow is not None:
        _check_action(place.flow, node, place, result)
    if phase == "prep" and issubclass(type(node), BatchNode | BatchFlow):
        _check_items(place, node, result)
    return result


def _check_action(flow: Flow, node: AnyNode, place: Place, action: object) -> None:
    known = [*node.successors]
    if action is not None and not isinstance(action, str):
        raise StrictError(
            f"{place.path} returned {action!r} ({type(action).__name__}) as its action. "
            "Return a string, or None for the default."
        )
    if type(flow).get_next_node is not Flow.get_next_node:
        return
    key = "default" if action is None else action
    if known and key not in known:
        raise StrictError(
            f"{place.path} returned the action {key!r}, and only {known} are wired. "
            f'Wire it, or declare an end: node - "{key}" >> None.'
        )


def _check_items(place: Place | None, node: AnyNode, items: object) -> None:
    where = place.path if place else name_of(node)
    kind = type(items)
    if issubclass(kind, str | bytes | bytearray | Mapping):
        raise StrictError(
            f"prep of {where} returned one {kind.__name__} as the items of a batch. Return a list."
        )
    if issubclass(kind, Iterator):
        raise StrictError(
            f"prep of {where} returned a {kind.__name__}, which is used up before post sees it. "
            "Return a list."
        )


def _check_params(flow: AnyNode) -> None:
    for node in nodes_of(flow):
        if node.params:
            raise StrictError(
                f"{name_of(node)} has params {node.params!r}, which its flow {name_of(flow)} "
                "replaces. Set them on the outermost flow, or keep them as attributes of the node."
            )


@lru_cache
def _check_hooks(kind: type[AnyNode]) -> None:
    for hook in ("_run_async", "_orch_async"):
        if hasattr(kind, hook):
            raise StrictError(
                f"{kind.__name__} overrides {hook}, which is never called. "
                f"Override {hook.removesuffix('_async')}."
            )
    if not issubclass(kind, AsyncNode):
        return
    for plain in _TWINS:
        own = getattr(AsyncNode, f"{plain}_async")
        core = {
            vars(base).get(plain) for base in (*Flow.__mro__, *BatchFlow.__mro__, *Node.__mro__)
        }
        if getattr(kind, f"{plain}_async") is not own and getattr(kind, plain) not in core:
            raise StrictError(
                f"{kind.__name__} has both {plain} and {plain}_async, and only {plain}_async is "
                "called. Keep one of them."
            )
