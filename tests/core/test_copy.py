"""Each visit runs on a fresh shallow copy."""

import copy
import pickle
from typing import Any

import pytest

from tests.core.lib import Lib


def test_attributes_last_for_one_visit(lib: Lib) -> None:
    """`prep`, `exec` and `post` of a visit share attributes; the next visit has none of them."""
    seen: list[Any] = []

    def prep(self: Any, shared: Any) -> None:
        seen.append(getattr(self, "mark", None))
        self.mark = "prep"

    def execute(self: Any, prep_res: Any) -> None:
        self.mark += " exec"

    def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> str:
        seen.append(self.mark)
        return "again" if len(seen) < 4 else "out"

    node = lib.node(prep=prep, exec=execute, post=post)
    node - "again" >> node
    node - "out" >> lib.node()
    lib.run(lib.flow(node))
    assert seen == [None, "prep exec"] * 2
    assert not hasattr(node, "mark")


def test_original_attributes_are_seen(lib: Lib) -> None:
    """A copy has the attributes that the original has at the time of the visit."""
    node = lib.node(post=lambda self, shared, p, e: self.mark)
    flow = lib.flow(node)
    for node.mark in ("first", "second"):
        assert lib.run(flow) == node.mark


def test_mutable_attributes_are_shared(lib: Lib) -> None:
    """The copy is shallow: a list on the node is the same list in each visit."""
    node = lib.node(post=lambda self, shared, p, e: self.notes.append("note"))
    notes: list[str] = []
    node.notes = notes
    flow = lib.flow(node)
    lib.run(flow)
    lib.run(flow)
    assert notes == ["note", "note"]


def test_copy_is_of_the_same_class(lib: Lib) -> None:
    """A visit's copy is an instance of the node's class, and not the node."""
    seen: list[Any] = []
    node = lib.node(post=lambda self, shared, p, e: seen.append(self))
    lib.run(lib.flow(node))
    assert type(seen[0]) is type(node)
    assert seen[0] is not node


def test_custom_copy_is_called_once_per_visit(lib: Lib) -> None:
    """A node that defines `__copy__` is copied by it, once for each visit."""
    copies: list[Any] = []
    visited: list[Any] = []

    def make(self: Any) -> Any:
        other: Any = cls.__new__(cls)
        other.__dict__.update(self.__dict__, made=len(copies))
        copies.append(other)
        return other

    def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> str:
        visited.append(self)
        return "again" if self.made == 0 else "out"

    cls: Any = lib.kind("Node", post=post, extra={"__copy__": make})
    node = cls()
    node - "again" >> node
    node - "out" >> lib.node()
    lib.run(lib.flow(node))
    assert [*map(id, visited)] == [*map(id, copies)]
    assert len(copies) == 2


def test_no_init_of_a_copy(lib: Lib) -> None:
    """Copying does not call `__init__`."""
    calls: list[Any] = []
    base = lib.base("Node")

    def init(self: Any) -> None:
        base.__init__(self)
        calls.append(self)

    node = lib.kind("Node", extra={"__init__": init})()
    lib.run(lib.flow(node))
    assert len(calls) == 1


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy])
def test_copy_module_works(lib: Lib, make: Any) -> None:
    """`copy.copy` gives a node with the same attributes, `copy.deepcopy` one with its own."""
    node = lib.node(max_retries=4)
    node.notes = ["note"]
    other = make(node)
    assert type(other) is type(node)
    assert (other.max_retries, other.notes) == (4, ["note"])
    assert (other.notes is node.notes) is (make is copy.copy)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_keeps_a_node_that_has_run(sync_lib: Lib, protocol: int) -> None:
    """A node that has run can be pickled, with the number of its last attempt."""
    node = sync_lib.module.Node(max_retries=4)
    node.run({})
    other = pickle.loads(pickle.dumps(node, protocol))
    assert (other.max_retries, other.cur_retry) == (4, 0)


def test_slots_of_a_subclass_are_not_copied(ours: Lib) -> None:
    """A visit's copy is made from `__dict__`: a subclass's own slots are empty in it."""
    cls = ours.kind(
        "Node",
        post=lambda self, shared, p, e: hasattr(self, "slot"),
        extra={"__slots__": ("slot",)},
    )
    node = cls()
    node.slot = 1
    assert ours.run(node) is True
    assert ours.run(ours.flow(node)) is False


@pytest.mark.parametrize("name", ["__getstate__", "__reduce__", "__reduce_ex__"])
def test_pickle_hooks_are_not_asked_for_a_copy(ours: Lib, name: str) -> None:
    """`__getstate__` and `__reduce__` are for pickling, not for a visit's copy."""

    def refuse(self: Any, *_: Any) -> Any:
        raise AssertionError

    node = ours.node(post=lambda self, shared, p, e: "ran", extra={name: refuse})
    assert ours.run(ours.flow(node)) == "ran"
