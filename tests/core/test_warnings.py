"""The four warnings: all UserWarning, one each time, and each says what to do or what is known."""

from typing import Any

import pytest
from wirebook import Node

from tests.core.lib import Lib


def overwrite(lib: Lib) -> None:
    """Wire an action over."""
    a = lib.node()
    a - "again" >> lib.node()
    a - "again" >> lib.node()


def run_with_successors(lib: Lib) -> None:
    """Run a node that has a successor."""
    a = lib.node()
    a >> lib.node()
    lib.run(a)


def end_at_an_unknown_action(lib: Lib) -> None:
    """End a flow at an action that is not wired."""
    a = lib.step("a", "unknown")
    a - "known" >> lib.node()
    lib.run(lib.flow(a), {})


@pytest.mark.parametrize(
    ("occasion", "text"),
    [
        (overwrite, "again"),
        (run_with_successors, "Flow"),
        (end_at_an_unknown_action, "unknown.*known"),
    ],
)
def test_one_warning_each_time(lib: Lib, occasion: Any, text: str) -> None:
    """Every occurrence warns once, also the second time."""
    for _ in range(2):
        with pytest.warns(UserWarning, match=text) as seen:
            occasion(lib)
        assert [warning.category for warning in seen] == [UserWarning]


def test_each_visit_warns(lib: Lib) -> None:
    """Two flows that end at unknown actions warn twice."""
    a = lib.step("a", "unknown")
    a - "known" >> lib.node()
    inner = lib.flow(a)
    inner - "known" >> lib.node()
    with pytest.warns(UserWarning, match="unknown") as seen:
        lib.run(lib.flow(inner), {})
    assert len(seen) == 2


def test_run_async_names_the_async_flow(async_lib: Lib) -> None:
    """`run_async` on a node with successors says to use an AsyncFlow."""
    a = async_lib.node()
    a >> async_lib.node()
    with pytest.warns(UserWarning, match="AsyncFlow") as seen:
        async_lib.run(a)
    assert len(seen) == 1


def test_inside_a_flow_nobody_warns_of_successors(lib: Lib) -> None:
    """Nodes and flows that a flow visits may have successors: that is what they are for."""
    a, b = lib.step("a"), lib.flow(lib.step("b"))
    a >> b >> lib.step("c")
    assert lib.run(lib.flow(a), {}) is None


def test_warning_of_run_points_at_the_caller() -> None:
    """The warning of `run` names the line that called it."""
    a = Node()
    a >> Node()
    with pytest.warns(UserWarning, match="Flow") as seen:
        a.run({})
    assert seen[0].filename == __file__
