"""Batch flows: the graph runs once for each item, with the item as params."""

from typing import Any

import pytest

from tests.core.lib import Lib


def noting(lib: Lib, seen: list[Any]) -> Any:
    """Make a node that notes its params."""
    return lib.node(post=lambda self, shared, p, e: seen.append(dict(self.params)))


@pytest.mark.parametrize("items", [[{"i": 0}, {"i": 1}], ({"i": 0}, {"i": 1})])
def test_one_pass_for_each_item(lib: Lib, items: Any) -> None:
    """The graph runs once per item, in order, and `post` gets the very items."""
    seen: list[Any] = []
    flow = lib.batch_flow(
        noting(lib, seen), prep=lambda self, shared: items, post=lambda self, shared, p, e: p
    )
    assert lib.run(flow) is items
    assert seen == [{"i": 0}, {"i": 1}]


def test_items_may_come_from_a_generator(lib: Lib) -> None:
    """`post` gets the generator, used up."""
    seen: list[Any] = []
    flow = lib.batch_flow(
        noting(lib, seen),
        prep=lambda self, shared: ({"i": i} for i in range(2)),
        post=lambda self, shared, p, e: list(p),
    )
    assert lib.run(flow) == []
    assert seen == [{"i": 0}, {"i": 1}]


@pytest.mark.parametrize("items", [None, [], (), 0, False, "", {}])
def test_no_items_no_pass(lib: Lib, items: Any) -> None:
    """A falsy prep result means no pass; `post` gets a new empty list in its place."""
    seen: list[Any] = []
    flow = lib.batch_flow(
        noting(lib, seen), prep=lambda self, shared: items, post=lambda self, shared, p, e: p
    )
    prep_res = lib.run(flow)
    assert prep_res == []
    assert type(prep_res) is list
    assert prep_res is not items
    assert seen == []


@pytest.mark.parametrize("items", [[5], {"a": 1}, ["text"], [None]])
def test_item_must_be_a_mapping(lib: Lib, items: Any) -> None:
    """An item that is no mapping is a TypeError."""
    with pytest.raises(TypeError, match="mapping"):
        lib.run(lib.batch_flow(lib.node(), prep=lambda self, shared: items))


def test_keys_need_not_be_strings(lib: Lib) -> None:
    """An item's keys may be anything hashable."""
    seen: list[Any] = []
    lib.run(lib.batch_flow(noting(lib, seen), prep=lambda self, shared: [{1: "a", (2,): "b"}]))
    assert seen == [{1: "a", (2,): "b"}]


def test_every_pass_starts_at_the_start(lib: Lib) -> None:
    """Each pass walks the whole graph on the one shared, whatever the one before ended with."""
    a = lib.step("a")
    a >> lib.step("b", "private")
    shared: dict[str, Any] = {}
    flow = lib.batch_flow(a, prep=lambda self, shared: [{}, {}])
    assert lib.run(flow, shared) is None
    assert shared["path"] == ["a", "b", "a", "b"]


def test_passes_see_what_passes_before_wrote(lib: Lib) -> None:
    """There is one shared for all passes."""

    def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> None:
        shared["sum"] += self.params["n"]

    shared = {"sum": 0}
    lib.run(
        lib.batch_flow(lib.node(post=post), prep=lambda self, shared: [{"n": 1}, {"n": 2}]), shared
    )
    assert shared == {"sum": 3}


def test_post_names_the_action(lib: Lib) -> None:
    """A batch flow returns what its `post` returns, and None by default."""
    flow = lib.batch_flow(
        lib.step("a", "inner"),
        prep=lambda self, shared: [{}],
        post=lambda self, shared, p, e: "outer",
    )
    assert lib.run(flow, {}) == "outer"
    assert lib.run(lib.batch_flow(lib.step("a", "x"), prep=lambda self, shared: [{}]), {}) is None


def test_error_stops_the_passes(lib: Lib) -> None:
    """After an error no further item runs, and `post` does not."""
    seen: list[Any] = []

    def execute(self: Any, prep_res: Any) -> None:
        seen.append(self.params["i"])
        if self.params["i"] == 1:
            raise ValueError("one")

    flow = lib.batch_flow(
        lib.node(exec=execute),
        prep=lambda self, shared: [{"i": i} for i in range(3)],
        post=lambda self, shared, p, e: seen.append("post"),
    )
    with pytest.raises(ValueError, match="one"):
        lib.run(flow)
    assert seen == [0, 1]


def test_no_start_no_work(lib: Lib) -> None:
    """Without a start node the passes do nothing and `post` still runs."""
    flow = lib.batch_flow(
        prep=lambda self, shared: [{"i": 0}], post=lambda self, shared, p, e: ("post", p)
    )
    assert lib.run(flow) == ("post", [{"i": 0}])


def test_batch_flow_runs_inside_a_flow(lib: Lib) -> None:
    """As a node it reads the params that the outer flow hands it, in `prep` too."""
    seen: list[Any] = []
    inner = lib.batch_flow(
        noting(lib, seen), prep=lambda self, shared: [{"i": i} for i in range(self.params["n"])]
    )
    outer = lib.flow(inner)
    outer.set_params({"n": 2})
    lib.run(outer)
    assert seen == [{"n": 2, "i": 0}, {"n": 2, "i": 1}]
