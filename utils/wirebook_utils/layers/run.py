"""The front door: run a flow with layers that hold for this run only.

Left out: a runner object. A run is a call.
"""

from collections.abc import Iterable
from typing import Any

from wirebook_utils.layers.names import AnyNode
from wirebook_utils.layers.seam import Layer, PerRun, installed


def run_flow(
    flow: AnyNode,
    shared: Any,
    *,
    layers: Iterable[Layer | PerRun] = (),
    params: dict[str, Any] | None = None,
) -> Any:
    """Run a flow (or a node) with layers around every phase of every node; give its last action.

    The first layer is the outermost. Needs no event loop and works inside a running one. With
    `params`, a copy of the flow runs with them, so that runs beside this one keep theirs.

    Raises what the nodes raise, unchanged but for a note with the path of the step, and `Stopped`
    where a limit ended the run.
    """
    with installed(*layers):
        return _with_params(flow, params).run(shared)


async def arun_flow(
    flow: AnyNode,
    shared: Any,
    *,
    layers: Iterable[Layer | PerRun] = (),
    params: dict[str, Any] | None = None,
) -> Any:
    """Run a flow as `run_flow` does, where phases may wait."""
    with installed(*layers):
        return await _with_params(flow, params).run_async(shared)


def _with_params(flow: AnyNode, params: dict[str, Any] | None) -> AnyNode:
    if params is None:
        return flow
    twin = flow.__copy__()
    twin.set_params(params)
    return twin
