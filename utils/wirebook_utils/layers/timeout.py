"""`timeout`: so many seconds for each attempt of `exec`."""

from typing import Any

from wirebook_utils.layers.names import AnyNode
from wirebook_utils.layers.seam import Call, Layer
from wirebook_utils.layers.wait import bounded


def timeout(seconds: float, *, thread: bool = False) -> Layer:
    """Bound each attempt of `exec`: after so many seconds it fails with `TimeoutError`.

    A failed attempt like any other: retries and the fallback follow. What waits for the event
    loop is cancelled. A plain function is bounded only with `thread`: then each attempt has a
    daemon thread with a copy of the context, which is left behind when its time is over
    (`given_up()` counts those); an async run goes on beside it.
    """
    if not seconds > 0:
        raise ValueError(f"timeout({seconds!r}): give the seconds of one attempt, more than 0.")

    async def layer(call: Call, node: AnyNode, phase: str, *args: Any) -> Any:
        if phase != "exec":
            return await call(node, phase, *args)
        return await bounded(lambda: call(node, phase, *args), seconds, thread=thread)

    return layer
