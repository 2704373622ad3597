"""Params: where a node's come from."""

from typing import Any

import pytest

from tests.core.lib import Lib


def seen_by(lib: Lib, seen: list[Any]) -> Any:
    """Make a node that notes its params."""
    return lib.node(post=lambda self, shared, p, e: seen.append(dict(self.params)))


def test_set_params_keeps_the_very_dict(lib: Lib) -> None:
    """`set_params` stores what it gets, copies nothing and returns None."""
    for node in (lib.node(), lib.flow()):
        params = {"a": 1}
        assert node.set_params(params) is None
        assert node.params is params


def test_params_can_be_none_on_a_node(lib: Lib) -> None:
    """`set_params(None)` is accepted, and a node that reads no params runs."""
    node = lib.node(post=lambda self, shared, p, e: self.params is None)
    node.set_params(None)
    assert lib.run(node) is True


def test_params_none_on_a_flow_is_a_type_error(lib: Lib) -> None:
    """A flow whose params are None cannot hand them on."""
    flow = lib.flow(lib.node())
    flow.set_params(None)
    with pytest.raises(TypeError):
        lib.run(flow)


@pytest.mark.parametrize("own", [{}, {"flow": 1}])
def test_flow_replaces_the_params_of_its_nodes(lib: Lib, own: dict[str, int]) -> None:
    """Inside a flow a node has the flow's params only, also when those are empty."""
    seen: list[Any] = []
    a, b = seen_by(lib, seen), seen_by(lib, seen)
    a >> b
    a.set_params({"node": 1})
    flow = lib.flow(a)
    flow.set_params(own)
    lib.run(flow)
    assert seen == [own, own]
    assert a.params == {"node": 1}
    assert flow.params is own


def test_nodes_get_a_copy_of_the_params(lib: Lib) -> None:
    """A node that adds a key adds it neither to the flow nor to the next run."""
    seen: list[Any] = []

    def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> None:
        seen.append(dict(self.params))
        self.params["added"] = 1

    flow = lib.flow(lib.node(post=post))
    params = {"flow": 1}
    flow.set_params(params)
    lib.run(flow)
    lib.run(flow)
    assert seen == [{"flow": 1}, {"flow": 1}]
    assert params == {"flow": 1}


def test_copy_of_the_params_is_shallow(lib: Lib) -> None:
    """A value in the params is the same object in every node."""
    flow = lib.flow(lib.node(post=lambda self, shared, p, e: self.params["notes"].append("note")))
    notes: list[str] = []
    flow.set_params({"notes": notes})
    lib.run(flow)
    assert notes == ["note"]


def test_outer_flow_replaces_the_params_of_the_inner(lib: Lib) -> None:
    """An inner flow hands on what the outer one gave it; its own params are lost."""
    seen: list[Any] = []
    inner = lib.flow(seen_by(lib, seen))
    inner.set_params({"inner": 1})
    outer = lib.flow(inner)
    outer.set_params({"outer": 1})
    lib.run(outer)
    assert seen == [{"outer": 1}]
    assert inner.params == {"inner": 1}


def test_batch_item_is_merged_over_the_flows_params(lib: Lib) -> None:
    """Each pass has the flow's params with the item's over them; `{}` gives the flow's."""
    seen: list[Any] = []
    items = [{"a": 2}, {}, {"b": 3}]
    flow = lib.batch_flow(seen_by(lib, seen), prep=lambda self, shared: items)
    flow.set_params({"a": 1})
    lib.run(flow)
    assert seen == [{"a": 2}, {"a": 1}, {"a": 1, "b": 3}]
    assert flow.params == {"a": 1}
    assert items == [{"a": 2}, {}, {"b": 3}]


def test_added_key_does_not_reach_the_next_item(lib: Lib) -> None:
    """A key that a node adds to its params stays in its pass."""
    seen: list[Any] = []

    def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> None:
        seen.append(dict(self.params))
        self.params["added"] = 1

    lib.run(lib.batch_flow(lib.node(post=post), prep=lambda self, shared: [{"i": 0}, {"i": 1}]))
    assert seen == [{"i": 0}, {"i": 1}]


def test_nested_batch_flows_merge_from_the_outside_in(lib: Lib) -> None:
    """The outer flow's merge arrives as the inner one's params; the inner item goes on top."""
    seen: list[Any] = []
    inner = lib.batch_flow(
        seen_by(lib, seen), prep=lambda self, shared: [{"in": 0, "who": "inner"}, {"in": 1}]
    )
    inner.set_params({"lost": 1})
    outer = lib.batch_flow(
        inner, prep=lambda self, shared: [{"out": 0, "who": "outer"}, {"out": 1, "who": "outer"}]
    )
    outer.set_params({"top": 1, "who": "top"})
    lib.run(outer)
    assert seen == [
        {"top": 1, "out": out, "in": item, "who": "outer" if item else "inner"}
        for out in (0, 1)
        for item in (0, 1)
    ]


def test_set_params_can_be_overridden(lib: Lib) -> None:
    """A node that defines `set_params` gets what the flow hands it."""

    def merge(self: Any, params: dict[str, Any]) -> None:
        self.params = {**self.params, **params}

    seen: list[Any] = []
    node = lib.node(
        post=lambda self, shared, p, e: seen.append(dict(self.params)),
        extra={"set_params": merge},
    )
    node.params = {"node": 1}
    flow = lib.flow(node)
    flow.set_params({"flow": 1})
    lib.run(flow)
    assert seen == [{"node": 1, "flow": 1}]
