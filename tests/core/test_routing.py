"""From an action to the next node."""

from typing import Any

import pytest

from tests.core.lib import Lib


def path(lib: Lib, flow: Any) -> list[str]:
    """Run `flow` and give the names of the steps that ran."""
    shared: dict[str, Any] = {"path": []}
    lib.run(flow, shared)
    steps: list[str] = shared["path"]
    return steps


def test_none_leads_to_default(lib: Lib) -> None:
    """A node that returns None goes on to its default successor."""
    a = lib.step("a")
    a >> lib.step("b") >> lib.step("c")
    assert path(lib, lib.flow(a)) == ["a", "b", "c"]


def test_named_action_leads_to_its_node(lib: Lib) -> None:
    """A named action goes to the node wired under it, whatever else is wired."""
    a = lib.step("a", "right")
    a >> lib.step("default")
    a - "left" >> lib.step("left")
    a - "right" >> lib.step("right")
    assert path(lib, lib.flow(a)) == ["a", "right"]


def test_default_can_be_named(lib: Lib) -> None:
    """The action "default" is the default successor."""
    a = lib.step("a", "default")
    a >> lib.step("b")
    assert path(lib, lib.flow(a)) == ["a", "b"]


def test_unknown_action_ends_with_a_warning(lib: Lib) -> None:
    """A named action never falls back to "default": one warning, and the flow ends."""
    a = lib.step("a", "unknown")
    a >> lib.step("b")
    with pytest.warns(UserWarning, match="unknown.*default") as seen:
        assert path(lib, lib.flow(a)) == ["a"]
    assert len(seen) == 1


def test_missing_default_ends_with_a_warning(lib: Lib) -> None:
    """A node that returns None but has only named successors warns."""
    a = lib.step("a")
    a - "x" >> lib.step("b")
    with pytest.warns(UserWarning, match="None.*x") as seen:
        assert path(lib, lib.flow(a)) == ["a"]
    assert len(seen) == 1


@pytest.mark.parametrize("action", [None, "done", 7])
def test_node_without_successors_ends_silently(lib: Lib, action: Any) -> None:
    """With nothing wired, any action ends the flow without a word."""
    assert lib.run(lib.flow(lib.step("a", action)), {}) == action


@pytest.mark.parametrize("action", [None, "done", "", 0, False, 7, ("a", 1)])
def test_last_action_is_the_result(lib: Lib, action: Any) -> None:
    """A flow gives the last action exactly as its node returned it."""
    a = lib.step("a")
    a >> lib.step("b", action)
    result = lib.run(lib.flow(a), {})
    assert type(result) is type(action)
    assert result == action


@pytest.mark.parametrize(("action", "key"), [(7, 7), (True, 1), (1, True), (1.0, 1)])
def test_action_is_looked_up_as_a_key(lib: Lib, action: Any, key: Any) -> None:
    """An action is a plain key of a dict: True and 1 are one."""
    a = lib.step("a", action)
    a.next(lib.step("b"), key)
    assert path(lib, lib.flow(a)) == ["a", "b"]


@pytest.mark.parametrize("action", [{"action": "go"}, ["go"], {"go"}])
@pytest.mark.parametrize("wired", [True, False])
def test_unhashable_action_is_a_type_error(lib: Lib, action: Any, wired: bool) -> None:
    """A truthy action that cannot be a key raises TypeError."""
    a = lib.step("a", action)
    if wired:
        a - "go" >> lib.step("b")
    with pytest.raises(TypeError, match="unhashable"):
        lib.run(lib.flow(a), {})


def test_loop_runs_until_it_is_left(lib: Lib) -> None:
    """A node may lead to itself; a loop has no limit and does not recurse."""

    def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> str:
        shared["n"] += 1
        return "again" if shared["n"] < 5000 else "out"

    a = lib.node(post=post)
    a - "again" >> a
    a - "out" >> lib.step("end", "end")
    shared = {"n": 0}
    assert lib.run(lib.flow(a), shared) == "end"
    assert shared["n"] == 5000


def test_get_next_node_can_be_called(lib: Lib) -> None:
    """`get_next_node` gives the successor or None, and warns as a run does."""
    flow, a, b = lib.flow(), lib.node(), lib.node()
    assert flow.get_next_node(a, None) is None
    assert flow.get_next_node(a, "x") is None
    a - "x" >> b
    assert flow.get_next_node(a, "x") is b
    with pytest.warns(UserWarning, match="y.*x") as seen:
        assert flow.get_next_node(a, "y") is None
    assert len(seen) == 1


def test_get_next_node_can_be_overridden(lib: Lib) -> None:
    """A flow that defines `get_next_node` routes as it likes."""
    a, b, c = lib.step("a"), lib.step("b"), lib.step("c")
    a >> b
    asked: list[Any] = []

    def route(self: Any, curr: Any, action: Any) -> Any:
        asked.append(action)
        return c if len(asked) == 1 else None

    assert path(lib, lib.flow(a, extra={"get_next_node": route})) == ["a", "c"]
    assert asked == [None, None]


def test_node_may_rewire_itself(lib: Lib) -> None:
    """`successors` is shared by all copies: a wire drawn in `post` counts at once and stays."""
    b = lib.step("b")

    def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> None:
        self.successors["default"] = b

    a = lib.node(post=post)
    assert path(lib, lib.flow(a)) == ["b"]
    assert a.successors == {"default": b}


def test_unwired_end_beside_other_wires_warns(lib: Lib) -> None:
    """A regular end ("done") from a node with other successors warns too."""
    a = lib.step("a", "done")
    a - "again" >> a
    with pytest.warns(UserWarning, match="done.*again"):
        assert lib.run(lib.flow(a), {}) == "done"
