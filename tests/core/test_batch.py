"""Batch nodes: one `exec` for each item. Batch flows: one pass for each item."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.core.lib import Lib, fail


def double(self: Any, item: Any) -> Any:
    """Be an `exec` that shows which item it had."""
    return (item,)


def run_batch(lib: Lib, items: Any) -> tuple[Any, Any]:
    """Run a batch node over `items`; give what its `post` got."""
    node = lib.batch(
        prep=lambda self, shared: items, exec=double, post=lambda self, shared, p, e: (p, e)
    )
    got: tuple[Any, Any] = lib.run(node)
    return got


@pytest.mark.parametrize(
    ("items", "results"),
    [
        ([1, 2, 3], [(1,), (2,), (3,)]),
        ((1, 2), [(1,), (2,)]),
        ([None, 0, ""], [(None,), (0,), ("",)]),
        ("ab", [("a",), ("b",)]),
        ({"a": 1, "b": 2}, [("a",), ("b",)]),
        (range(2), [(0,), (1,)]),
        ([], []),
        ("", []),
        ({}, []),
    ],
)
def test_each_item_is_worked_on(lib: Lib, items: Any, results: Any) -> None:
    """`exec` runs for each item, `post` gets the very prep result and a list in order."""
    prep_res, exec_res = run_batch(lib, items)
    assert prep_res is items
    assert exec_res == results
    assert type(exec_res) is list


@pytest.mark.parametrize("items", [None, 0, False])
def test_no_items_is_an_empty_batch(sync_lib: Lib, items: Any) -> None:
    """None and other falsy results of `prep` are no items; `post` gets them as they are."""
    prep_res, exec_res = run_batch(sync_lib, items)
    assert prep_res is items
    assert exec_res == []


def test_generator_is_used_up(lib: Lib) -> None:
    """Items may come from an iterator; `post` gets it exhausted."""
    items = iter([1, 2])
    prep_res, exec_res = run_batch(lib, items)
    assert prep_res is items
    assert list(prep_res) == []
    assert exec_res == [(1,), (2,)]


def test_generator_is_drawn_item_by_item(lib: Lib) -> None:
    """The next item is asked for when the one before is done."""
    seen: list[str] = []

    def items() -> Iterator[int]:
        for i in range(2):
            seen.append(f"draw {i}")
            yield i

    def execute(self: Any, item: int) -> None:
        seen.append(f"work {item}")

    lib.run(lib.batch(prep=lambda self, shared: items(), exec=execute))
    assert seen == ["draw 0", "work 0", "draw 1", "work 1"]


@pytest.mark.parametrize("items", [3, object()])
def test_items_must_be_iterable(lib: Lib, items: Any) -> None:
    """A prep result that cannot be iterated over is a TypeError."""
    with pytest.raises(TypeError, match="not iterable"):
        run_batch(lib, items)


class Array:
    """Has items, and no truth value, like an array of numpy."""

    def __init__(self) -> None:
        self.items = [1, 2]

    def __iter__(self) -> Iterator[int]:
        return iter(self.items)

    def __bool__(self) -> bool:
        raise ValueError("ambiguous")


def test_array_fails_in_the_truth_test(sync_lib: Lib) -> None:
    """What has no truth value raises its own error: give `list(array)`."""
    with pytest.raises(ValueError, match="ambiguous"):
        run_batch(sync_lib, Array())


def test_each_item_has_its_attempts_and_fallback(lib: Lib) -> None:
    """Retry and fallback are per item; the fallback gets the item."""
    calls: list[int] = []

    def execute(self: Any, item: int) -> int:
        calls.append(item)
        return 10 // item

    node = lib.batch(
        3,
        prep=lambda self, shared: [5, 0, 2],
        exec=execute,
        exec_fallback=lambda self, item, exc: ("fallback", item, type(exc)),
        post=lambda self, shared, p, e: e,
    )
    assert lib.run(node) == [2, ("fallback", 0, ZeroDivisionError), 5]
    assert calls == [5, 0, 0, 0, 2]


def test_cur_retry_is_per_item(sync_lib: Lib) -> None:
    """Each item counts its attempts from 0."""
    seen: list[Any] = []

    def execute(self: Any, item: int) -> None:
        seen.append((item, self.cur_retry))
        if item > self.cur_retry:
            raise ValueError

    sync_lib.run(sync_lib.batch(3, prep=lambda self, shared: [1, 0, 2], exec=execute))
    assert seen == [(1, 0), (1, 1), (0, 0), (2, 0), (2, 1), (2, 2)]


def test_wait_is_per_item(lib: Lib, sleeps: list[Any]) -> None:
    """Each item waits between its own attempts."""
    node = lib.batch(
        2,
        7,
        prep=lambda self, shared: [1, 2],
        exec=fail,
        exec_fallback=lambda self, item, exc: None,
    )
    lib.run(node)
    assert [seconds for _, seconds in sleeps] == [7, 7]


def test_failing_item_stops_the_batch(lib: Lib) -> None:
    """After an item that finally fails no other runs, and `post` does not."""
    calls: list[Any] = []

    def execute(self: Any, item: int) -> None:
        calls.append(item)
        if item == 1:
            raise ValueError(item)

    node = lib.batch(
        prep=lambda self, shared: [0, 1, 2],
        exec=execute,
        post=lambda self, shared, p, e: calls.append("post"),
    )
    with pytest.raises(ValueError, match="1"):
        lib.run(node)
    assert calls == [0, 1]


def test_attribute_of_prep_is_seen_in_exec(lib: Lib) -> None:
    """All phases and items of a visit see the same node."""

    def prep(self: Any, shared: Any) -> list[int]:
        self.factor = 3
        return [1, 2]

    node = lib.batch(
        prep=prep,
        exec=lambda self, item: item * self.factor,
        post=lambda self, shared, p, e: tuple(e),
    )
    assert lib.run(lib.flow(node)) == (3, 6)
    assert not hasattr(node, "factor")


def test_action_of_a_batch_node_leads_on(lib: Lib) -> None:
    """A batch node's `post` names an action like any other."""
    batch = lib.batch(prep=lambda self, shared: [1], post=lambda self, shared, p, e: "go")
    batch - "go" >> lib.step("next", "end")
    assert lib.run(lib.flow(batch), {}) == "end"
