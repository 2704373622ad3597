"""`>>`, `- "action" >>`, `next` and `start`."""

from typing import Any

import pytest

from tests.core.lib import Lib


def test_arrow_wires_default(lib: Lib) -> None:
    """`a >> b` puts b under "default" and gives b, so that arrows chain."""
    a, b, c = lib.node(), lib.node(), lib.node()
    assert (a >> b >> c) is c
    assert a.successors == {"default": b}
    assert b.successors == {"default": c}


def test_minus_names_an_action(lib: Lib) -> None:
    """`a - "x" >> b` puts b under "x" and gives b."""
    a, b = lib.node(), lib.node()
    assert (a - "x" >> b) is b
    assert a.successors == {"x": b}


def test_minus_default_is_the_arrow(lib: Lib) -> None:
    """`a - "default" >> b` is `a >> b`."""
    a, b = lib.node(), lib.node()
    a - "default" >> b
    assert a.successors == {"default": b}


@pytest.mark.parametrize("action", [5, None, b"x", ["x"]])
def test_minus_takes_only_strings(lib: Lib, action: Any) -> None:
    """Anything but a string after `-` is a TypeError, before any arrow."""
    with pytest.raises(TypeError):
        lib.node() - action


def test_empty_action_can_be_wired(lib: Lib) -> None:
    """`a - "" >> b` is stored under the empty string."""
    a, b = lib.node(), lib.node()
    a - "" >> b
    assert a.successors == {"": b}


def test_next_is_the_arrow_in_words(lib: Lib) -> None:
    """`a.next(b)` and `a.next(b, "x")` wire as the arrows do and give b."""
    a, b, c = lib.node(), lib.node(), lib.node()
    assert a.next(b) is b
    assert a.next(c, "x") is c
    assert a.next(c, action="y") is c
    assert a.successors == {"default": b, "x": c, "y": c}


@pytest.mark.parametrize("action", [7, None, ("a", 1), True])
def test_next_takes_any_hashable_action(lib: Lib, action: Any) -> None:
    """`next` stores whatever can be a key."""
    a, b = lib.node(), lib.node()
    a.next(b, action)
    assert a.successors == {action: b}


def test_none_can_be_wired(lib: Lib) -> None:
    """`a - "x" >> None` stores None and is None."""
    a = lib.node()
    assert (a - "x" >> None) is None
    assert (a >> None) is None
    assert a.successors == {"x": None, "default": None}


def test_second_wire_wins_with_a_warning(lib: Lib) -> None:
    """Wiring an action twice warns once, names the action, and the later node counts."""
    a, b, c = lib.node(), lib.node(), lib.node()
    a - "again" >> b
    with pytest.warns(UserWarning, match="again") as seen:
        a - "again" >> c
    assert len(seen) == 1
    assert a.successors == {"again": c}


def test_same_node_again_warns_as_well(lib: Lib) -> None:
    """Wiring the same node again under the same action warns."""
    a, b = lib.node(), lib.node()
    a >> b
    with pytest.warns(UserWarning, match="default") as seen:
        a >> b
    assert len(seen) == 1


def test_rewiring_none_warns(lib: Lib) -> None:
    """An action wired to None counts as wired."""
    a = lib.node()
    a >> None
    with pytest.warns(UserWarning, match="default"):
        a >> lib.node()


def test_flow_is_wired_like_a_node(lib: Lib) -> None:
    """Flows take and give wires as nodes do."""
    flow, batch, node = lib.flow(), lib.batch_flow(), lib.node()
    flow - "x" >> batch >> node >> flow
    assert flow.successors == {"x": batch}
    assert batch.successors == {"default": node}
    assert node.successors == {"default": flow}


def test_start_gives_the_node(lib: Lib) -> None:
    """`flow.start(a)` sets the start and gives a, so that arrows go on from it."""
    flow, a, b = lib.flow(), lib.node(), lib.node()
    assert (flow.start(a) >> b) is b
    assert flow.start_node is a
    assert a.successors == {"default": b}


@pytest.mark.parametrize("successor", ["text", 5, object])
def test_any_object_can_be_wired(lib: Lib, successor: Any) -> None:
    """Wiring checks no types."""
    a = lib.node()
    assert (a >> successor) is successor
    assert a.successors == {"default": successor}


def test_node_can_be_wired_to_itself(lib: Lib) -> None:
    """A wire may lead back to where it starts."""
    a = lib.node()
    assert (a - "again" >> a) is a


def test_half_a_wire_can_be_used_later(lib: Lib) -> None:
    """`a - "x"` is an object to be followed by `>>`, as often as one likes."""
    a, b = lib.node(), lib.node()
    half = a - "x"
    assert a.successors == {}
    half >> b
    assert a.successors == {"x": b}


def test_operators_go_through_next(lib: Lib) -> None:
    """A class that overrides `next` sees every wire."""
    seen: list[Any] = []

    def record(self: Any, node: Any, action: str = "default") -> Any:
        seen.append(action)
        return node

    a = lib.node(extra={"next": record})
    a >> lib.node()
    a - "x" >> lib.node()
    assert seen == ["default", "x"]
