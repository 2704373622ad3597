"""The settings in which every layer has to hold."""

import asyncio
from collections.abc import Callable
from typing import Any

from wirebook import AsyncFlow, AsyncNode
from wirebook_utils.layers import Layer, PerRun, arun_flow, run_flow

Drive = Callable[..., Any]


def script(flow: Any, shared: Any, *layers: Layer | PerRun) -> Any:
    """Run in a plain script."""
    return run_flow(flow, shared, layers=layers)


def inside_a_loop(flow: Any, shared: Any, *layers: Layer | PerRun) -> Any:
    """Run plainly where an event loop is running already, as in a notebook."""

    async def cell() -> Any:
        return run_flow(flow, shared, layers=layers)

    return asyncio.run(cell())


def in_async(flow: Any, shared: Any, *layers: Layer | PerRun) -> Any:
    """Run with `arun_flow`."""
    return asyncio.run(arun_flow(flow, shared, layers=layers))


def as_a_node(flow: Any, shared: Any, *layers: Layer | PerRun) -> Any:
    """Run as a node of an async flow."""
    return asyncio.run(arun_flow(AsyncFlow(flow), shared, layers=layers))


def called_in_exec(flow: Any, shared: Any, *layers: Layer | PerRun) -> Any:
    """Run by `flow.run` inside the `exec` of an async flow's node."""

    class Caller(AsyncNode[Any, None, Any]):
        async def exec_async(self, prep_res: None) -> Any:
            return flow.run(shared)

        async def post_async(self, shared: Any, prep: None, res: Any) -> Any:
            return res

    caller = Caller()
    return asyncio.run(arun_flow(AsyncFlow(caller), shared, layers=layers))


SETTINGS = [script, inside_a_loop, in_async, as_a_node, called_in_exec]
