"""Parallel batch nodes and flows: all items at once, results in order."""

import asyncio
from typing import Any

import pytest

from tests.core.lib import Lib


def run_items(lib: Lib, items: Any, execute: Any) -> Any:
    """Run a parallel batch over `items` and give its results."""
    node = lib.parallel(
        prep=lambda self, shared: items, exec=execute, post=lambda self, shared, p, e: ("got", e)
    )
    got = lib.run(node)
    return got[1]


def test_all_items_start_before_any_ends(async_lib: Lib) -> None:
    """Items that wait overlap."""
    seen: list[str] = []

    async def execute(self: Any, item: str) -> None:
        seen.append(f"start {item}")
        await asyncio.sleep(0)
        seen.append(f"end {item}")

    run_items(async_lib, "ab", execute)
    assert seen == ["start a", "start b", "end a", "end b"]


def test_results_come_in_the_order_of_the_items(async_lib: Lib) -> None:
    """The list follows the input, not who ends first."""
    done: list[int] = []

    async def execute(self: Any, item: int) -> int:
        for _ in range(item):
            await asyncio.sleep(0)
        done.append(item)
        return -item

    results = run_items(async_lib, [3, 1, 2], execute)
    assert results == [-3, -1, -2]
    assert type(results) is list
    assert done == [1, 2, 3]


def test_items_that_do_not_wait_run_in_order(async_lib: Lib) -> None:
    """Without a suspension each item runs to its end before the next starts."""
    seen: list[str] = []

    async def execute(self: Any, item: str) -> None:
        seen.extend([f"start {item}", f"end {item}"])

    run_items(async_lib, "ab", execute)
    assert seen == ["start a", "end a", "start b", "end b"]


def test_items_may_come_from_a_generator(async_lib: Lib) -> None:
    """Any iterable holds items."""

    async def execute(self: Any, item: int) -> int:
        return -item

    assert run_items(async_lib, (i for i in range(3)), execute) == [0, -1, -2]
    assert run_items(async_lib, [], execute) == []


def test_items_share_the_attributes_of_their_node(async_lib: Lib) -> None:
    """What one item sets on self the others and `post` see, in a flow as well."""

    async def prep(self: Any, shared: Any) -> list[int]:
        self.seen = ["prep"]
        return [0, 1]

    async def execute(self: Any, item: int) -> Any:
        self.last = item
        await asyncio.sleep(0)
        self.seen += [item]
        return self.last

    async def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> None:
        shared["got"] = self.seen, self.last, exec_res

    node = async_lib.parallel(prep=prep, exec=execute, post=post)
    for runs in (node, async_lib.flow(node)):
        shared: dict[str, Any] = {}
        async_lib.run(runs, shared)
        assert shared["got"] == (["prep", 0, 1], 1, [1, 1])


def test_each_item_has_its_attempts_and_fallback(async_lib: Lib) -> None:
    """Every item gets `max_retries` attempts, then the fallback with the item."""
    calls: dict[str, int] = {"a": 0, "b": 0}

    async def execute(self: Any, item: str) -> None:
        calls[item] += 1
        for _ in range(1 if item == "a" else 4):
            await asyncio.sleep(0)
        raise ValueError(item)

    node = async_lib.parallel(
        3,
        prep=lambda self, shared: ["a", "b"],
        exec=execute,
        exec_fallback=lambda self, item, exc: (item, str(exc)),
        post=lambda self, shared, p, e: tuple(e),
    )
    assert async_lib.run(node) == (("a", "a"), ("b", "b"))
    assert calls == {"a": 3, "b": 3}


def test_error_of_an_item_comes_out_as_it_is(async_lib: Lib) -> None:
    """One failing item: its own exception, in no group, and `post` does not run."""
    error = LookupError("mine")
    seen: list[str] = []

    async def execute(self: Any, item: int) -> None:
        raise error

    node = async_lib.parallel(
        prep=lambda self, shared: [0],
        exec=execute,
        post=lambda self, shared, p, e: seen.append("post"),
    )
    with pytest.raises(LookupError) as caught:
        async_lib.run(node)
    assert caught.value is error
    assert seen == []


def test_passes_overlap(async_lib: Lib) -> None:
    """All passes run at once on one shared, each with copies and params of its own."""

    async def prep(self: Any, shared: Any) -> None:
        self.mark = self.params["i"]
        shared["path"].append(("start", self.mark))
        await asyncio.sleep(0)

    async def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> None:
        shared["path"].append(("end", self.mark, self.params))

    async def last(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> Any:
        shared["path"].append("post")
        return len(prep_res)

    flow = async_lib.parallel_flow(
        async_lib.node(prep=prep, post=post),
        prep=lambda self, shared: [{"i": 0}, {"i": 1}],
        post=last,
    )
    flow.set_params({"top": 1})
    shared: dict[str, Any] = {"path": []}
    assert async_lib.run(flow, shared) == 2
    assert shared["path"] == [
        ("start", 0),
        ("start", 1),
        ("end", 0, {"top": 1, "i": 0}),
        ("end", 1, {"top": 1, "i": 1}),
        "post",
    ]
    assert flow.params == {"top": 1}


@pytest.mark.parametrize("items", [None, [], 0])
def test_parallel_flow_without_items(async_lib: Lib, items: Any) -> None:
    """A falsy prep result means no pass; `post` gets a new empty list."""
    flow = async_lib.parallel_flow(
        async_lib.step("never"),
        prep=lambda self, shared: items,
        post=lambda self, shared, p, e: ("post", p),
    )
    assert async_lib.run(flow, {}) == ("post", [])


def test_parallel_flow_gives_none(async_lib: Lib) -> None:
    """Its default `post` returns None, as for every batch flow."""
    flow = async_lib.parallel_flow(async_lib.step("a", "x"), prep=lambda self, shared: [{}])
    assert async_lib.run(flow, {}) is None


def test_parallel_item_must_be_a_mapping(async_lib: Lib) -> None:
    """An item that is no mapping is a TypeError."""
    with pytest.raises(TypeError, match="mapping"):
        async_lib.run(async_lib.parallel_flow(async_lib.node(), prep=lambda self, shared: [5]))


def test_order_between_nodes_of_a_pass(async_lib: Lib) -> None:
    """A node reads what its predecessor in the same pass wrote, if neither waits between."""

    async def put(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> None:
        await asyncio.sleep(0)
        shared["current"] = self.params["i"]

    async def get(self: Any, shared: Any) -> None:
        shared["pairs"].append((self.params["i"], shared["current"]))

    a = async_lib.node(post=put)
    a >> async_lib.node(prep=get)
    shared: dict[str, Any] = {"pairs": []}
    items = [{"i": i} for i in range(3)]
    async_lib.run(async_lib.parallel_flow(a, prep=lambda self, shared: items), shared)
    assert shared["pairs"] == [(0, 0), (1, 1), (2, 2)]
