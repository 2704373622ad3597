"""Running one node by itself."""

import asyncio
from typing import Any

import pytest

from tests.core.lib import Lib


def test_phases_run_in_order(lib: Lib) -> None:
    """`prep`, `exec` and `post` run in this order, each on what came before; `post` answers."""
    seen: list[Any] = []

    def prep(self: Any, shared: Any) -> Any:
        seen.append(("prep", shared))
        return 1

    def execute(self: Any, prep_res: Any) -> Any:
        seen.append(("exec", prep_res))
        return 2

    def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> Any:
        seen.append(("post", shared, prep_res, exec_res))
        return "action"

    shared = {"a": 1}
    assert lib.run(lib.node(prep=prep, exec=execute, post=post), shared) == "action"
    assert seen == [("prep", shared), ("exec", 1), ("post", shared, 1, 2)]


@pytest.mark.parametrize("name", ["Node", "Flow", "BatchFlow"])
def test_defaults_return_none(lib: Lib, name: str) -> None:
    """Without hooks everything is None."""
    assert lib.run(lib.base(name)(), {}) is None


def test_default_phases_hand_on_none(lib: Lib) -> None:
    """`exec` gets None from the default `prep`, `post` from the default `exec`."""
    seen: list[Any] = []
    lib.run(lib.node(post=lambda self, shared, p, e: seen.append((p, e))))
    assert seen == [(None, None)]


def test_base_node_runs(sync_lib: Lib) -> None:
    """A `BaseNode` calls `exec` once and answers with `post`."""
    calls: list[Any] = []

    def execute(self: Any, prep_res: Any) -> Any:
        calls.append(prep_res)
        return 1

    def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> Any:
        return exec_res

    node = type("Base", (sync_lib.module.BaseNode,), {"exec": execute, "post": post})()
    assert node.run({}) == 1
    assert calls == [None]


def test_node_itself_runs(lib: Lib) -> None:
    """No copy is made: what the hooks set on the node stays, and its params are kept."""

    def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> Any:
        self.mark = "set"
        return self.params["p"]

    node = lib.node(post=post)
    params = {"p": 1}
    node.set_params(params)
    assert lib.run(node) == 1
    assert node.mark == "set"
    assert node.params is params


@pytest.mark.parametrize("shared", [None, 7, "text", [1], {"a": 1}, object()])
def test_shared_may_be_anything(lib: Lib, shared: Any) -> None:
    """The very object that `run` gets reaches `prep` and `post`."""
    seen: list[Any] = []
    lib.run(
        lib.node(
            prep=lambda self, shared: seen.append(shared),
            post=lambda self, shared, p, e: seen.append(shared),
        ),
        shared,
    )
    assert len(seen) == 2
    assert all(s is shared for s in seen)


def test_shared_is_one_object_in_a_flow(lib: Lib) -> None:
    """Every node of a flow and the flow itself see the same object."""
    seen: list[int] = []

    def look(self: Any, shared: Any) -> None:
        seen.append(id(shared))

    shared: dict[str, Any] = {}
    lib.run(lib.flow(lib.flow(lib.node(prep=look), prep=look), prep=look), shared)
    assert seen == [id(shared)] * 3


@pytest.mark.parametrize("phase", ["prep", "post"])
def test_only_exec_is_tried_again(lib: Lib, phase: str) -> None:
    """An error in `prep` or `post` goes straight out; what comes after it is not run."""
    seen: list[str] = []

    def note(name: str) -> None:
        seen.append(name)
        if name == phase:
            raise KeyError(name)

    node = lib.node(
        max_retries=3,
        prep=lambda self, shared: note("prep"),
        exec=lambda self, prep_res: note("exec"),
        exec_fallback=lambda self, prep_res, exc: note("fallback"),
        post=lambda self, shared, p, e: note("post"),
    )
    with pytest.raises(KeyError, match=phase):
        lib.run(node)
    assert seen == ["prep"] if phase == "prep" else ["prep", "exec", "post"]


@pytest.mark.parametrize("name", ["Node", "Flow", "BatchFlow"])
def test_run_alone_ignores_successors(lib: Lib, name: str) -> None:
    """A node or flow with wires warns once, runs, and does not follow them."""
    node = lib.kind(name, post=lambda self, shared, p, e: "x")()
    shared: dict[str, Any] = {}
    node - "x" >> lib.step("next")
    with pytest.warns(UserWarning, match="Flow") as seen:
        assert lib.run(node, shared) == "x"
    assert len(seen) == 1
    assert shared == {}


def test_error_is_never_wrapped(lib: Lib) -> None:
    """The exception of a hook comes out as the same object."""
    error = LookupError("mine")

    def execute(self: Any, prep_res: Any) -> Any:
        raise error

    with pytest.raises(LookupError) as caught:
        lib.run(lib.flow(lib.flow(lib.node(exec=execute))))
    assert caught.value is error


def test_node_can_run_inside_a_running_loop(sync_lib: Lib) -> None:
    """`run` of a plain flow needs no event loop and minds none."""
    flow = sync_lib.flow(sync_lib.node(post=lambda self, shared, p, e: "done"))

    async def inside() -> Any:
        return flow.run({})

    assert asyncio.run(inside()) == "done"
