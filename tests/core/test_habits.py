"""What programs written for PocketFlow do with its classes."""

import asyncio
from collections import UserDict
from typing import Any

from tests.core.lib import Lib


def test_shared_may_be_like_a_dict(lib: Lib) -> None:
    """A session state that is no dict is passed on as it is."""
    shared: UserDict[str, Any] = UserDict()
    a = lib.step("a")
    a >> lib.step("b")
    lib.run(lib.flow(a), shared)
    assert shared["path"] == ["a", "b"]


def test_flow_class_may_build_its_own_graph(lib: Lib) -> None:
    """A subclass of a flow with an `__init__` of its own works alone and nested."""
    base = lib.base("Flow")

    def init(self: Any) -> None:
        base.__init__(self, start=lib.step("a", "end"))

    cls = lib.kind("Flow", extra={"__init__": init})
    assert lib.run(cls(), {}) == "end"
    assert lib.run(lib.flow(cls()), {}) == "end"


def test_graph_can_be_drawn(lib: Lib) -> None:
    """`start_node`, `successors` and the class names are enough to walk a graph."""
    a, b = lib.kind("Node")(), lib.kind("BatchNode")()
    a >> b
    b - "again" >> a
    flow = lib.flow(a)
    lines: list[str] = []
    todo, done = [flow.start_node], set[int]()
    while todo:
        node = todo.pop()
        done.add(id(node))
        for action, successor in node.successors.items():
            lines.append(f"{type(node).__name__} -{action}-> {type(successor).__name__}")
            if id(successor) not in done:
                todo.append(successor)
    assert lines == ["Node -default-> BatchNode", "BatchNode -again-> Node"]


def test_fallback_that_is_never_called_may_have_any_signature(lib: Lib) -> None:
    """A hook's signature matters only when it is called."""

    def fallback(self: Any) -> None:
        raise AssertionError

    node = lib.node(extra={"exec_fallback": fallback, "exec_fallback_async": fallback})
    assert lib.run(node) is None


def test_two_flows_on_one_shared(lib: Lib) -> None:
    """One flow after another may work on what the first one left."""
    shared: dict[str, Any] = {}
    lib.run(lib.flow(lib.step("index")), shared)
    lib.run(lib.flow(lib.step("ask")), shared)
    assert shared["path"] == ["index", "ask"]


def test_retry_may_be_a_self_loop(lib: Lib) -> None:
    """A node that leads to itself by a named action counts in shared."""

    def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> str:
        shared["tries"] += 1
        return "retry" if shared["tries"] < 3 else "ok"

    guess = lib.node(post=post)
    guess - "retry" >> guess
    guess - "ok" >> lib.step("end")
    shared: dict[str, Any] = {"tries": 0}
    lib.run(lib.flow(guess), shared)
    assert shared == {"tries": 3, "path": ["end"]}


def test_node_waits_for_an_event_from_outside(async_lib: Lib) -> None:
    """A flow may wait for a decision that somebody else puts into shared."""

    async def prep(self: Any, shared: Any) -> None:
        await shared["event"].wait()

    review = async_lib.node(prep=prep, post=lambda self, shared, p, e: shared["decision"])
    review - "approved" >> async_lib.step("publish", "published")

    async def main() -> Any:
        shared: dict[str, Any] = {"event": asyncio.Event()}
        task = asyncio.create_task(async_lib.flow(review).run_async(shared))
        await asyncio.sleep(0)
        shared["decision"] = "approved"
        shared["event"].set()
        return await task

    assert asyncio.run(main()) == "published"


def test_two_flows_talk_through_queues(async_lib: Lib) -> None:
    """Two async flows that run at once on one shared hand messages to each other."""

    def talker(mine: str, other: str) -> Any:
        async def prep(self: Any, shared: Any) -> Any:
            return await shared[mine].get()

        async def post(self: Any, shared: Any, message: int, exec_res: Any) -> str:
            shared["said"].append((mine, message))
            await shared[other].put(message + 1)
            return "end" if message > 2 else "go on"

        node = async_lib.node(prep=prep, post=post)
        node - "go on" >> node
        node - "end" >> async_lib.node()
        return async_lib.flow(node)

    async def main() -> Any:
        shared: dict[str, Any] = {"a": asyncio.Queue(), "b": asyncio.Queue(), "said": []}
        await shared["a"].put(0)
        await asyncio.gather(talker("a", "b").run_async(shared), talker("b", "a").run_async(shared))
        return shared["said"]

    assert asyncio.run(main()) == [("a", 0), ("b", 1), ("a", 2), ("b", 3), ("a", 4)]
