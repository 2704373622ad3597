"""Flows: their own phases, starts, errors, and flows inside flows."""

from typing import Any

import pytest

from tests.core.lib import Lib


def test_flow_has_phases_of_its_own(lib: Lib) -> None:
    """`prep` runs before the graph, `post` after it with the last action; `exec` never."""
    seen: list[Any] = []

    def prep(self: Any, shared: Any) -> str:
        seen.append("prep")
        return "prepared"

    def execute(self: Any, prep_res: Any) -> None:
        seen.append("exec")

    def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> str:
        seen.append((shared["path"], prep_res, exec_res))
        return "result"

    flow = lib.flow(lib.step("a", "last"), prep=prep, exec=execute, post=post)
    assert lib.run(flow, {}) == "result"
    assert seen == ["prep", (["a"], "prepared", "last")]


def test_flow_gives_the_last_action(lib: Lib) -> None:
    """The default `post` returns the last action."""
    assert lib.run(lib.flow(lib.step("a", "last")), {}) == "last"


def test_flow_without_start_runs_its_phases(lib: Lib) -> None:
    """With no start node `prep` and `post` still run; the last action is None."""
    seen: list[Any] = []
    flow = lib.flow(
        prep=lambda self, shared: "prepared",
        post=lambda self, shared, p, e: seen.append((p, e)),
    )
    assert lib.run(flow) is None
    assert seen == [("prepared", None)]


def test_error_ends_the_flow(lib: Lib) -> None:
    """After an error no node and no `post` runs; what was written to shared stays."""

    def execute(self: Any, prep_res: Any) -> Any:
        raise KeyError("here")

    a, b = lib.step("a"), lib.node(exec=execute)
    a >> b >> lib.step("c")
    shared: dict[str, Any] = {}

    def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> None:
        shared["post"] = True

    with pytest.raises(KeyError, match="here"):
        lib.run(lib.flow(a, post=post), shared)
    assert shared == {"path": ["a"]}


def test_flow_can_run_again(lib: Lib) -> None:
    """A flow runs any number of times, also after an error."""

    def execute(self: Any, prep_res: Any) -> Any:
        if broken:
            raise KeyError

    flow = lib.flow(lib.node(exec=execute, post=lambda self, shared, p, e: "ok"))
    broken: list[bool] = []
    assert lib.run(flow) == "ok"
    broken.append(True)
    with pytest.raises(KeyError):
        lib.run(flow)
    broken.clear()
    assert lib.run(flow) == "ok"


def test_top_flow_is_not_copied(lib: Lib) -> None:
    """What the hooks of the flow that is run set on it stays from run to run."""

    def prep(self: Any, shared: Any) -> None:
        self.runs = getattr(self, "runs", 0) + 1

    flow = lib.flow(prep=prep)
    lib.run(flow)
    lib.run(flow)
    assert flow.runs == 2


def test_nested_flow_is_copied(lib: Lib) -> None:
    """What the hooks of an inner flow set on it is gone after the visit."""

    def prep(self: Any, shared: Any) -> None:
        shared.append(getattr(self, "runs", 0))
        self.runs = 1

    inner = lib.flow(prep=prep)
    shared: list[int] = []
    outer = lib.flow(inner)
    lib.run(outer, shared)
    lib.run(outer, shared)
    assert shared == [0, 0]
    assert not hasattr(inner, "runs")


def test_inner_action_is_looked_up_outside(lib: Lib) -> None:
    """An inner flow's last action is its action among its own successors."""
    inner = lib.flow(lib.step("a", "go"))
    inner - "go" >> lib.step("b", "end")
    shared: dict[str, Any] = {}
    assert lib.run(lib.flow(inner), shared) == "end"
    assert shared["path"] == ["a", "b"]


def test_inner_action_may_match_nothing_outside(lib: Lib) -> None:
    """An inner action that is not wired outside warns and ends the outer flow with it."""
    inner = lib.flow(lib.step("a", "go"))
    inner >> lib.step("b")
    shared: dict[str, Any] = {}
    with pytest.warns(UserWarning, match="go.*default") as seen:
        assert lib.run(lib.flow(inner), shared) == "go"
    assert len(seen) == 1
    assert shared["path"] == ["a"]


def test_post_of_an_inner_flow_names_its_action(lib: Lib) -> None:
    """An inner flow's `post` decides where the outer flow goes."""
    inner = lib.flow(lib.step("a", "private"), post=lambda self, shared, p, e: "public")
    inner - "public" >> lib.step("b")
    shared: dict[str, Any] = {}
    lib.run(lib.flow(inner), shared)
    assert shared["path"] == ["a", "b"]


def test_batch_flow_as_a_node_goes_to_default(lib: Lib) -> None:
    """A batch flow gives None, whatever its passes end with."""
    batch = lib.batch_flow(lib.step("a", "private"), prep=lambda self, shared: [{}, {}])
    batch >> lib.step("b")
    shared: dict[str, Any] = {}
    lib.run(lib.flow(batch), shared)
    assert shared["path"] == ["a", "a", "b"]


def test_flows_nest_deeply(lib: Lib) -> None:
    """A flow in a flow in a flow runs its nodes in order."""
    flow = lib.step("a")
    flow >> lib.step("b", "last")
    for _ in range(20):
        flow = lib.flow(flow)
    shared: dict[str, Any] = {}
    assert lib.run(flow, shared) == "last"
    assert shared["path"] == ["a", "b"]


def test_node_may_run_another_flow(sync_lib: Lib) -> None:
    """A node may build and run a flow inside `exec`."""

    def execute(self: Any, prep_res: Any) -> Any:
        return sync_lib.flow(sync_lib.step("inner", "answer")).run({})

    node = sync_lib.node(exec=execute, post=lambda self, shared, p, e: e)
    assert sync_lib.run(sync_lib.flow(node), {}) == "answer"
