"""`stream`: the steps of a run as they happen, and nothing left behind."""

import asyncio
import threading
import time
from typing import Any

import pytest
from wirebook import AsyncFlow, AsyncNode, Flow, Node
from wirebook_utils.errors import Stopped
from wirebook_utils.layers import Event, step_limit, stream

from tests.utils.layers.nodes import Fail, Hang, LookUp, Write, endless

GOLDEN = [
    ("start", "Flow"),
    ("start", "Flow/Decide"),
    ("end", "Flow/Decide"),
    ("start", "Flow/LookUp"),
    ("end", "Flow/LookUp"),
    ("start", "Flow/Decide@2"),
    ("end", "Flow/Decide@2"),
    ("start", "Flow/Write"),
    ("end", "Flow/Write"),
    ("end", "Flow"),
]


async def collect(run: stream) -> list[Event]:
    """Collect the events of an async iteration."""
    return [event async for event in run]


def listen(run: stream, sync: bool) -> list[Event]:
    """Collect the events of a run, in plain or in async code."""
    return list(run) if sync else asyncio.run(collect(run))


@pytest.mark.parametrize("sync", [True, False])
def test_events_are_the_golden_list(sync: bool) -> None:
    """Each visit begins and ends, in order, with its action at the end."""
    shared: dict[str, Any] = {}
    events = listen(stream(endless(), shared, layers=[step_limit(3, exit="answer")]), sync)
    assert [(event.kind, event.path) for event in events] == GOLDEN
    assert [e.action for e in events if e.kind == "end"] == [
        "search",
        None,
        "answer",
        "done",
        "done",
    ]
    assert all((e.seconds or 0) > 0 for e in events if e.kind == "end")
    assert shared["answer"] == 1


def test_plain_stream_works_inside_a_running_loop() -> None:
    """As in a notebook: a plain `for` over a stream while a loop runs."""

    async def cell() -> list[Event]:
        return list(stream(endless(), {}, layers=[step_limit(3, exit="answer")]))

    assert [(event.kind, event.path) for event in asyncio.run(cell())] == GOLDEN


def test_events_come_before_the_run_ends() -> None:
    """The first event of a plain run is there while its node still runs."""
    gate = threading.Event()
    shared: dict[str, Any] = {}

    class Blocks(Node[dict[str, Any], None, bool]):
        def exec(self, prep_res: None) -> bool:
            return gate.wait(5)

        def post(self, shared: dict[str, Any], prep_res: None, exec_res: bool) -> None:
            shared["in time"] = exec_res

    for event in stream(Flow(Blocks()), shared):
        if event.path == "Flow/Blocks":
            gate.set()
    assert shared == {"in time": True}


def test_async_events_come_before_the_run_ends() -> None:
    """The first event of an async run is there while its node still waits."""
    shared: dict[str, Any] = {}

    async def main() -> None:
        gate = asyncio.Event()

        class Waits(AsyncNode[dict[str, Any], None, bool]):
            async def exec_async(self, prep_res: None) -> bool:
                return await asyncio.wait_for(gate.wait(), 5)

            async def post_async(self, shared: dict[str, Any], prep: None, res: bool) -> None:
                shared["in time"] = res

        async for event in stream(AsyncFlow(Waits()), shared):
            if event.path == "AsyncFlow/Waits":
                gate.set()

    asyncio.run(main())
    assert shared == {"in time": True}


async def until_error(run: stream, events: list[Event]) -> None:
    """Collect events until the run raises."""
    async for event in run:
        events.append(event)


@pytest.mark.parametrize("sync", [True, False])
def test_error_and_retries_are_events_and_the_error_comes_out(sync: bool) -> None:
    """An attempt that is made again is a `retry`; the last failure is an `error`, then raised."""
    events: list[Event] = []
    run = stream(Flow(Fail(max_retries=3)), {})
    with pytest.raises(ValueError, match="bad"):
        events.extend(run) if sync else asyncio.run(until_error(run, events))
    assert [(event.kind, event.path) for event in events] == [
        ("start", "Flow"),
        ("start", "Flow/Fail"),
        ("retry", "Flow/Fail"),
        ("retry", "Flow/Fail"),
        ("error", "Flow/Fail"),
        ("error", "Flow"),
    ]
    assert isinstance(events[-1].error, ValueError)


@pytest.mark.parametrize("sync", [True, False])
def test_stop_by_a_limit_is_an_error_event(sync: bool) -> None:
    """A run that a limit ends says so by its last event, and raises it."""
    events: list[Event] = []
    run = stream(endless(), {}, layers=[step_limit(2)])
    with pytest.raises(Stopped):
        events.extend(run) if sync else asyncio.run(until_error(run, events))
    assert isinstance(events[-1].error, Stopped)


def test_abandoned_async_stream_cancels_its_run() -> None:
    """Leaving an `async for` early ends the run: no task is left, and the node was cancelled."""
    Hang.cancelled = False

    async def main() -> set[asyncio.Task[Any]]:
        run = aiter(stream(AsyncFlow(Hang()), {}))
        assert (await anext(run)).kind == "start"
        assert (await anext(run)).path == "AsyncFlow/Hang"
        await asyncio.sleep(0)
        await run.aclose()  # type: ignore[attr-defined]
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert asyncio.run(main()) == set()
    assert Hang.cancelled


def test_abandoned_plain_stream_ends_its_thread() -> None:
    """Leaving a `for` early ends the thread at its next event, an endless run included."""
    before = threading.active_count()
    for event in stream(endless(), {}):
        if event.path == "Flow/Decide@5":
            break
    until = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < until:
        time.sleep(0.001)
    assert threading.active_count() == before


@pytest.mark.parametrize("sync", [True, False])
def test_run_stays_close_to_its_listener(sync: bool) -> None:
    """A run does not go on without bound while nobody takes its events."""
    shared: dict[str, Any] = {}

    async def main() -> None:
        run = aiter(stream(endless(), shared))
        await anext(run)
        for _ in range(1000):
            await asyncio.sleep(0)
        assert shared["decided"] <= 40
        await run.aclose()  # type: ignore[attr-defined]

    if sync:
        run = iter(stream(endless(), shared))
        next(run)
        time.sleep(0.01)
        assert shared["decided"] <= 40
        run.close()  # type: ignore[attr-defined]
    else:
        asyncio.run(main())


def test_each_iteration_is_a_run_of_its_own() -> None:
    """Iterating twice runs twice, on the same `shared`."""
    shared: dict[str, Any] = {}
    run = stream(Flow(LookUp()), shared, params={"a": 1})
    assert len(list(run)) == len(list(run)) == 4
    assert shared["notes"] == ["note", "note"]


@pytest.mark.parametrize("sync", [True, False])
def test_whatever_is_raised_ends_the_stream(sync: bool) -> None:
    """A node that exits or is interrupted ends the iteration; nobody waits for ever."""

    class Exits(Node[dict[str, Any], None, None]):
        def exec(self, prep_res: None) -> None:
            raise SystemExit(3)

    events: list[Event] = []
    run = stream(Flow(Exits()), {})
    with pytest.raises(SystemExit):
        events.extend(run) if sync else asyncio.run(until_error(run, events))


def test_run_in_a_thread_of_a_node_is_streamed_too() -> None:
    """Events of a run that a node starts in a thread arrive as they happen, and none is lost."""

    class Threads(AsyncNode[dict[str, Any], None, None]):
        async def exec_async(self, prep_res: None) -> None:
            inner: Flow[Any, Any] = Flow(Write())
            for _ in range(30):
                await asyncio.to_thread(inner.run, {})

    async def main() -> list[Event]:
        return await collect(stream(AsyncFlow(Threads()), {}))

    events = asyncio.run(asyncio.wait_for(main(), 10), debug=True)
    assert len([event for event in events if event.path.endswith("Write")]) > 0
    assert len([event for event in events if "Threads/Flow" in event.path]) == 30 * 4
