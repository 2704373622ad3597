"""`deadline`: so many seconds for a whole run."""

import time
from typing import Any

from wirebook_utils.layers.names import AnyNode
from wirebook_utils.layers.seam import Call, Layer, PerRun
from wirebook_utils.layers.stop import Told, ignore, stop_when
from wirebook_utils.time_left import ending_by

_GRACE = 10


def deadline(seconds: float, *, exit: str | None = None, told: Told = ignore) -> PerRun:
    """End a run after so many seconds, looked at between steps; no call is cut off.

    With `exit`, the next step is then the node wired to that action, and each walk has up to 10
    more steps to come to its end from there. Without it, or where no node is wired so, `Stopped`
    is raised with the reason `deadline`; `shared` holds what was done until then. `told` is
    called with the reason when the way out is taken. `time_left()` tells models and searches how
    long they have; a wait between attempts ends with it.
    """
    if not seconds > 0:
        raise ValueError(f"deadline({seconds!r}): give the seconds of a run, more than 0.")

    def start() -> Layer:
        until = time.monotonic() + seconds

        def over(steps: int) -> str | None:
            late = time.monotonic() >= until
            return f"The deadline of {seconds:g} s is over after {steps} steps." if late else None

        stop = stop_when(over, "deadline", exit, _GRACE, told)

        async def layer(call: Call, node: AnyNode, phase: str, *args: Any) -> Any:
            if phase == "wait":
                args = (min(args[0], until - time.monotonic()),)
            with ending_by(until):
                return await stop(call, node, phase, *args)

        return layer

    return PerRun(start)
