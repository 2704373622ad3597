"""`deadline`: a whole run has so many seconds, looked at between steps."""

import time
from typing import Any

import pytest
from wirebook import Flow, Node
from wirebook_utils.errors import Stopped
from wirebook_utils.layers import bounded, deadline, path, pause, run_flow, time_left, timeout

from tests.utils.layers.nodes import Write, endless
from tests.utils.layers.settings import Drive


def test_without_a_way_out_it_stops_with_reason_and_state(drive: Drive) -> None:
    """After the deadline no further step begins, and what was done is in `shared`."""
    shared: dict[str, Any] = {}
    with pytest.raises(Stopped, match="deadline of") as stopped:
        drive(endless(), shared, deadline(0.01))
    assert stopped.value.reason == "deadline"
    assert shared.get("decided", 0) - len(shared.get("notes", [])) in (0, 1)


def test_with_a_way_out_the_next_step_is_that_node(drive: Drive) -> None:
    """After the deadline the walk goes along the wire of the action named by `exit`."""
    shared: dict[str, Any] = {}
    assert drive(endless(), shared, deadline(0.01, exit="answer")) == "done"
    assert shared["answer"] == len(shared.get("notes", []))


def test_time_left_is_what_the_nearest_limit_leaves(drive: Drive) -> None:
    """Inside `exec`, `time_left` is the least of deadline and timeout; outside there is none."""
    seen: dict[str, float | None] = {}

    class Ask(Node[Any, None, None]):
        def exec(self, prep_res: None) -> None:
            seen["exec"] = time_left()

        def post(self, shared: Any, prep_res: None, exec_res: None) -> None:
            seen["post"] = time_left()

    drive(Flow(Ask()), {}, deadline(50), timeout(5))
    assert 4 < (seen["exec"] or 0) <= 5
    # In a run inside `exec`, the timeout of that `exec` is the nearest limit of all phases.
    least = 4 if drive.__name__ == "called_in_exec" else 49
    assert least < (seen["post"] or 0) <= 50
    assert time_left() is None


def test_wait_between_attempts_ends_with_the_deadline() -> None:
    """A node that would wait an hour for its next attempt makes it when the time is over."""

    class Fails(Node[Any, None, None]):
        def exec(self, prep_res: None) -> None:
            raise ValueError

        def exec_fallback(self, prep_res: None, exc: Exception) -> None:
            return None

    began = time.monotonic()
    run_flow(Fails(max_retries=2, wait=3600), {}, layers=[deadline(0.01)])
    assert time.monotonic() - began < 60


def test_each_run_has_its_own_time() -> None:
    """One `deadline` object may serve many runs: the clock starts with each."""
    layer = deadline(5)
    time.sleep(0.005)

    class Ask(Node[dict[str, Any], None, float]):
        def exec(self, prep_res: None) -> float:
            return time_left() or 0

        def post(self, shared: dict[str, Any], prep_res: None, exec_res: float) -> None:
            shared["left"] = exec_res

    shared: dict[str, Any] = {}
    run_flow(Flow(Ask()), shared, layers=[layer])
    assert shared["left"] > 4.995


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_no_time_at_all_is_refused(seconds: float) -> None:
    """A deadline that is no positive number says what to give."""
    with pytest.raises(ValueError, match="more than 0"):
        deadline(seconds)


def test_wait_functions_serve_code_outside_a_run() -> None:
    """`pause`, `bounded` and `path` work in plain code that no run drives."""

    async def plain() -> str:
        await pause(0.001)
        return await bounded(lambda: _give("x"), 1)

    async def _give(text: str) -> str:
        return text

    work = plain()
    with pytest.raises(StopIteration) as done:
        work.send(None)
    assert (done.value.value, path()) == ("x", "")
    assert run_flow(Flow(Write()), {}) == "done"
