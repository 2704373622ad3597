"""`limit`: so many calls of `exec` at a time, over the whole run."""

from typing import Any

from wirebook_utils.layers.names import AnyNode
from wirebook_utils.layers.seam import Call, Layer, PerRun
from wirebook_utils.layers.wait import Slots


def limit(n: int) -> PerRun:
    """Let at most `n` calls of `exec` run at the same time, shared by all nodes of the run.

    The order of results does not change. An attempt gives its slot back before the wait that
    follows it.
    """
    if n < 1:
        raise ValueError(f"limit({n}): at least one call has to run. Give 1 or more.")

    def start() -> Layer:
        slots = Slots(n)

        async def layer(call: Call, node: AnyNode, phase: str, *args: Any) -> Any:
            if phase != "exec":
                return await call(node, phase, *args)
            async with slots.one():
                return await call(node, phase, *args)

        return layer

    return PerRun(start)
