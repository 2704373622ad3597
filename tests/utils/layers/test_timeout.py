"""`timeout`: each attempt of `exec` has so many seconds."""

import asyncio
import threading
import time
from contextlib import suppress
from contextvars import ContextVar
from typing import Any

import pytest
from wirebook import AsyncFlow, AsyncNode, Flow, Node
from wirebook_utils.errors import Stopped
from wirebook_utils.layers import (
    Layer,
    PerRun,
    arun_flow,
    deadline,
    given_up,
    run_flow,
    timeout,
)

from tests.utils.layers.nodes import Hang, Squares
from tests.utils.layers.settings import Drive

FLAVOUR: ContextVar[str] = ContextVar("flavour", default="none")


class Block(Node[dict[str, Any], None, str]):
    """Block the thread until the test lets go, and say where it ran."""

    def __init__(self, gate: threading.Event, **settings: Any) -> None:
        super().__init__(**settings)
        self.gate = gate

    def exec(self, prep_res: None) -> str:
        self.gate.wait(5)
        return "late"

    def exec_fallback(self, prep_res: None, exc: Exception) -> str:
        return f"{type(exc).__name__} after {self.cur_retry + 1}"

    def post(self, shared: dict[str, Any], prep_res: None, exec_res: str) -> None:
        shared["res"] = exec_res


def test_s022_async_exec_is_cancelled_and_the_fallback_runs() -> None:
    """S-022: what waits is cancelled at its time, attempt by attempt, and then falls back."""
    Hang.cancelled = False
    shared: dict[str, Any] = {}
    began = time.monotonic()
    asyncio.run(arun_flow(AsyncFlow(Hang(max_retries=2)), shared, layers=[timeout(0.01)]))
    assert shared == {"res": "TimeoutError"}
    assert Hang.cancelled
    assert time.monotonic() - began < 30


def test_message_names_the_step_and_the_seconds() -> None:
    """The error of an attempt that took too long says which step and how many seconds."""

    class Bare(Hang):
        async def exec_fallback_async(self, prep: None, e: Exception) -> str:
            raise e

    with pytest.raises(TimeoutError, match=r"Flow/Bare: no result within 0\.01 s"):
        asyncio.run(arun_flow(AsyncFlow(Bare()), {}, layers=[timeout(0.01)]))


def test_s014_plain_exec_is_bounded_in_a_thread(drive: Drive) -> None:
    """With `thread`, a plain `exec` that blocks is given up in time, and counted until it ends."""
    gate = threading.Event()
    shared: dict[str, Any] = {}
    before = given_up()
    try:
        if drive.__name__ == "called_in_exec":
            # The outer `exec` is an attempt too: its time would be over first.
            run_flow(Flow(Block(gate, max_retries=2)), shared, layers=[timeout(0.01, thread=True)])
        else:
            drive(Flow(Block(gate, max_retries=2)), shared, timeout(0.01, thread=True))
        assert shared == {"res": "TimeoutError after 2"}
        assert given_up() == before + 2
    finally:
        gate.set()
    while given_up() > before:
        time.sleep(0.001)


def test_thread_gives_result_error_and_context(drive: Drive) -> None:
    """S-046: in its thread, `exec` sees the context; its result and error come back unchanged."""
    seen: list[str] = []

    class Where(Node[dict[str, Any], None, str]):
        def exec(self, prep_res: None) -> str:
            if self.cur_retry == 0:
                raise KeyError("first")
            seen.append(threading.current_thread().name)
            return FLAVOUR.get()

        def post(self, shared: dict[str, Any], prep_res: None, exec_res: str) -> None:
            shared["res"] = exec_res

    shared: dict[str, Any] = {}
    token = FLAVOUR.set("mint")
    try:
        drive(Flow(Where(max_retries=2)), shared, timeout(5, thread=True))
    finally:
        FLAVOUR.reset(token)
    assert shared == {"res": "mint"}
    assert seen[0].startswith("wirebook ")


def test_s014_blocking_nodes_run_side_by_side_in_threads() -> None:
    """S-014: with `thread`, plain nodes that block do not hold up the other passes."""
    barrier = threading.Barrier(5)

    class Meet(Node[Any, None, None]):
        def exec(self, prep_res: None) -> None:
            barrier.wait(5)

    async def main() -> None:
        flow: AsyncFlow[Any, None] = AsyncFlow(Meet())
        await asyncio.gather(
            *(arun_flow(flow, {}, layers=[timeout(10, thread=True)]) for _ in range(5))
        )

    asyncio.run(main())


def test_plain_exec_on_an_async_node_is_bounded_in_a_thread() -> None:
    """A plain `exec` of an async node can be given up as well."""
    gate = threading.Event()

    class Mixed(AsyncNode[dict[str, Any], None, str]):
        def exec(self, prep_res: None) -> str:
            gate.wait(5)
            return "late"

        def exec_fallback(self, prep_res: None, exc: Exception) -> str:
            return type(exc).__name__

        def post(self, shared: dict[str, Any], prep_res: None, exec_res: str) -> None:
            shared["res"] = exec_res

    shared: dict[str, Any] = {}
    try:
        asyncio.run(arun_flow(AsyncFlow(Mixed()), shared, layers=[timeout(0.01, thread=True)]))
    finally:
        gate.set()
    assert shared == {"res": "TimeoutError"}


def test_quick_work_is_left_alone(drive: Drive) -> None:
    """An attempt that ends in time gives its own result, batch items included."""
    shared: dict[str, Any] = {}
    drive(Flow(Squares()), shared, timeout(5), timeout(5, thread=True))
    assert shared["squares"] == [1, 4, 9]


def test_a_timeout_error_of_the_node_is_its_own(drive: Drive) -> None:
    """A `TimeoutError` that `exec` raises itself keeps its text."""

    class Own(Node[Any, None, None]):
        def exec(self, prep_res: None) -> None:
            raise TimeoutError("the server says so")

    for layer in (timeout(5), timeout(5, thread=True)):
        with pytest.raises(TimeoutError, match="the server says so"):
            drive(Flow(Own()), {}, layer)


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_no_time_at_all_is_refused(seconds: float) -> None:
    """A timeout that is no positive number says what to give."""
    with pytest.raises(ValueError, match="more than 0"):
        timeout(seconds)


def test_deadline_does_not_cut_off_a_call_in_a_thread() -> None:
    """Only the timeout bounds an attempt; a deadline waits for the call that is under way."""

    class Slow(Node[dict[str, Any], None, str]):
        def exec(self, prep_res: None) -> str:
            time.sleep(0.01)
            return "whole"

        def post(self, shared: dict[str, Any], prep_res: None, exec_res: str) -> None:
            shared["res"] = exec_res

    shared: dict[str, Any] = {}
    layers: list[Layer | PerRun] = [deadline(0.002), timeout(5, thread=True)]
    with suppress(Stopped):
        run_flow(Flow(Slow()), shared, layers=layers)
    assert shared in ({"res": "whole"}, {})


@pytest.mark.parametrize("inner_thread", [True, False])
def test_the_outer_of_two_timeouts_still_bounds(inner_thread: bool) -> None:
    """Under a longer timeout, with a thread or without, the shorter one cuts off in its time."""
    gate = threading.Event()
    shared: dict[str, Any] = {}
    layers = [timeout(0.01, thread=True), timeout(5, thread=inner_thread)]
    try:
        with pytest.raises(TimeoutError, match=r"within 0\.01 s"):
            run_flow(Flow(Bare(gate)), shared, layers=layers)
    finally:
        gate.set()


class Bare(Block):
    """Block, without a fallback."""

    def exec_fallback(self, prep_res: None, exc: Exception) -> str:
        raise exc
