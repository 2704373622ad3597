"""Which attempt of a step is at hand: 0 at first, and above 0 when a node tries again.

The front door sets it for each `exec`. What keeps replies reads it, so that a second attempt does
not get the reply that the first one failed with.

Left out: the attempts of a flow that was not run by the front door.
"""

from contextvars import ContextVar

attempt: ContextVar[int] = ContextVar("attempt", default=0)
