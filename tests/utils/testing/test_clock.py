"""The fake clock: what waits is over at once, and the layers see the time that has passed."""

import asyncio
import time
from typing import Any

import pytest
from wirebook import Flow, Node
from wirebook_utils import Stopped
from wirebook_utils.layers import arun_flow, deadline, run_flow
from wirebook_utils.testing import FakeClock


class Failing(Node[Any, Any, Any]):
    """Fails twice, with ten seconds between its attempts."""

    def __init__(self) -> None:
        super().__init__(max_retries=3, wait=10)

    def exec(self, prep_res: Any) -> str:
        if self.cur_retry < 2:
            raise ValueError
        return "ok"


@pytest.mark.parametrize("waits", [False, True])
def test_waits_between_attempts_cost_nothing(fake_clock: FakeClock, waits: bool) -> None:
    """Plain and async, twenty seconds go by."""
    if waits:
        asyncio.run(arun_flow(Flow(Failing()), {}))
    else:
        run_flow(Flow(Failing()), {})
    assert fake_clock.waits == [10, 10]
    assert time.monotonic() == 1020


def test_deadline_sees_the_time_that_passed(fake_clock: FakeClock) -> None:
    """A step that takes a minute is over its half one."""

    class Slow(Node[Any, Any, Any]):
        def exec(self, prep_res: Any) -> None:
            fake_clock.sleep(60)

    slow = Slow()
    _ = slow >> Slow()
    with pytest.raises(Stopped, match="deadline of 30 s"):
        run_flow(Flow(slow), {}, layers=[deadline(30)])


def test_timeouts_of_asyncio_see_it_too(fake_clock: FakeClock) -> None:
    """What sleeps for longer than it may is cut off."""

    async def main() -> None:
        async with asyncio.timeout(5):
            await asyncio.sleep(6)
            await asyncio.sleep(0)

    with pytest.raises(TimeoutError):
        asyncio.run(main())


def test_real_time_is_back_after_the_block() -> None:
    """Nothing stays patched."""
    sleep, monotonic = time.sleep, time.monotonic
    with FakeClock(5).installed() as clock:
        time.sleep(2)
        assert (time.monotonic(), time.perf_counter(), clock.now) == (7, 7, 7)
        time.sleep(-1)
        assert clock.now == 7
    assert (time.sleep, time.monotonic) == (sleep, monotonic)
