"""`step_limit`: no run goes on for ever."""

from wirebook_utils.layers.seam import PerRun
from wirebook_utils.layers.stop import Told, ignore, stop_when


def step_limit(n: int, *, exit: str | None = None, told: Told = ignore) -> PerRun:
    """End a run after `n` steps, counted over nested flows; a step is one visit of a node.

    With `exit`, the next step is then the node wired to that action, so that an agent answers
    from what it has; each walk has up to `n` more steps to come to its end from there. Without
    it, or where no node is wired so, `Stopped` is raised with the reason `max_steps`; `shared`
    holds what was done until then. `told` is called with the reason when the way out is taken.
    """
    if n < 1:
        raise ValueError(f"step_limit({n}): at least one step has to run. Give 1 or more.")

    def over(steps: int) -> str | None:
        return f"The limit of {n} steps is reached." if steps >= n else None

    return PerRun(lambda: stop_when(over, "max_steps", exit, grace=n, told=told))
