"""What we do otherwise than the reference, on purpose; each with the reference beside it."""

import asyncio
from typing import Any

import pytest
from wirebook import (
    AsyncBatchFlow,
    AsyncFlow,
    AsyncNode,
    AsyncParallelBatchFlow,
    BatchFlow,
    BatchNode,
    Flow,
    Node,
)

from tests.core.lib import Lib


def zero(self: Any) -> int:
    """Be the length of something empty."""
    return 0


def falsy(lib: Lib) -> Any:
    """Make a step "falsy" whose truth value is False."""
    node = lib.step("falsy", "ran")
    type(node).__len__ = zero
    return node


def path(lib: Lib, flow: Any) -> list[str]:
    """Run `flow` and give the names of the steps that ran."""
    shared: dict[str, Any] = {"path": []}
    lib.run(flow, shared)
    steps: list[str] = shared["path"]
    return steps


def test_falsy_node_is_a_node(ours: Lib) -> None:
    """A node that is false in a condition runs like any other, as start and as successor."""
    a = ours.step("a")
    a >> falsy(ours)
    assert path(ours, ours.flow(falsy(ours))) == ["falsy"]
    assert path(ours, ours.flow(a)) == ["a", "falsy"]


def test_falsy_node_is_absent_in_the_reference(reference: Lib) -> None:
    """The reference passes over it."""
    assert path(reference, reference.flow(falsy(reference))) == []


@pytest.mark.parametrize("action", ["", 0, False, ()])
def test_falsy_action_is_looked_up(ours: Lib, action: Any) -> None:
    """Only None means "default": any other falsy action is a key like any other."""
    a = ours.step("a", action)
    a >> ours.step("default")
    with pytest.warns(UserWarning, match="default"):
        assert path(ours, ours.flow(a)) == ["a"]
    a.next(ours.step("its own"), action)
    assert path(ours, ours.flow(a)) == ["a", "its own"]


@pytest.mark.parametrize("action", ["", 0, False, ()])
def test_falsy_action_is_default_in_the_reference(reference: Lib, action: Any) -> None:
    """The reference goes on to the default successor."""
    a = reference.step("a", action)
    a >> reference.step("default")
    a.next(reference.step("its own"), action)
    assert path(reference, reference.flow(a)) == ["a", "default"]


def test_wired_none_is_a_silent_end(ours: Lib) -> None:
    """`a - "x" >> None` declares that the flow ends there."""
    a = ours.step("a", "done")
    a >> ours.step("b")
    a - "done" >> None
    assert ours.run(ours.flow(a), {}) == "done"


def test_wired_none_warns_in_the_reference(reference: Lib) -> None:
    """The reference ends there too, but warns."""
    a = reference.step("a", "done")
    a - "done" >> None
    with pytest.warns(UserWarning, match="done"):
        assert reference.run(reference.flow(a), {}) == "done"


@pytest.mark.parametrize("max_retries", [0, -1])
def test_at_least_one_attempt_is_made(ours: Lib, max_retries: int) -> None:
    """`max_retries` below 1 is one attempt and a fallback."""
    node = ours.node(
        max_retries,
        exec=lambda self, prep_res: 1 // 0,
        exec_fallback=lambda self, prep_res, exc: "fallback",
        post=lambda self, shared, p, e: e,
    )
    assert ours.run(node) == "fallback"


def test_no_attempt_is_made_in_the_reference(reference: Lib) -> None:
    """The reference calls neither `exec` nor the fallback."""
    node = reference.node(0, exec=lambda self, p: 1 // 0, post=lambda self, shared, p, e: e)
    assert reference.run(node) is None


@pytest.mark.parametrize("items", [None, 0, False])
def test_no_items_is_an_empty_async_batch(async_ours: Lib, items: Any) -> None:
    """None from `prep` is an empty batch in all batch nodes; `post` gets it as it is."""
    for make in (async_ours.batch, async_ours.parallel):
        node = make(prep=lambda self, shared: items, post=lambda self, shared, p, e: ("got", p, e))
        assert async_ours.run(node) == ("got", items, [])


def test_no_items_is_an_error_in_the_async_reference(reference: Lib) -> None:
    """The reference raises TypeError in its async batches only."""
    if reference.is_async:
        with pytest.raises(TypeError, match="not iterable"):
            reference.run(reference.batch())
    else:
        assert reference.run(reference.batch()) is None


def test_array_of_an_async_batch_fails_in_the_truth_test(async_ours: Lib) -> None:
    """Where the reference's async batches iterate, ours ask for the truth value as the plain do."""

    class Array(list[int]):
        def __bool__(self) -> bool:
            raise ValueError("ambiguous")

    for make in (async_ours.batch, async_ours.parallel):
        with pytest.raises(ValueError, match="ambiguous"):
            async_ours.run(make(prep=lambda self, shared: Array([1])))


def adding(lib: Lib, seen: list[Any], key: str) -> Any:
    """Make a node that notes its params and adds a key to them."""

    def post(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> None:
        seen.append(sorted(self.params))
        self.params[key] = 1

    return lib.node(post=post)


def test_params_are_fresh_for_each_visit(ours: Lib) -> None:
    """A key that a node adds to its params is not seen by the next node."""
    seen: list[Any] = []
    a = adding(ours, seen, "a")
    a >> adding(ours, seen, "b")
    ours.run(ours.flow(a))
    assert seen == [[], []]


def test_params_are_one_dict_in_the_reference(reference: Lib) -> None:
    """The reference shares one dict along a pass."""
    seen: list[Any] = []
    a = adding(reference, seen, "a")
    a >> adding(reference, seen, "b")
    reference.run(reference.flow(a))
    assert seen == [[], ["a"]]


@pytest.mark.parametrize("parallel", [False, True])
def test_post_gets_the_actions_of_the_passes(ours: Lib, parallel: bool) -> None:
    """The third argument of a batch flow's `post` is the passes' last actions, in order."""
    make = ours.parallel_flow if parallel and ours.is_async else ours.batch_flow
    flow = make(
        ours.node(post=lambda self, shared, p, e: self.params["i"]),
        prep=lambda self, shared: [{"i": "a"}, {"i": None}, {"i": 3}],
        post=lambda self, shared, p, e: tuple(e),
    )
    assert ours.run(flow) == ("a", None, 3)
    assert ours.run(make(post=lambda self, shared, p, e: (p, e))) == ([], [])


def test_post_gets_none_in_the_reference(reference: Lib) -> None:
    """The reference drops the actions."""
    flow = reference.batch_flow(
        reference.step("a", "x"),
        prep=lambda self, shared: [{}],
        post=lambda self, shared, p, e: ("got", e),
    )
    assert reference.run(flow, {}) == ("got", None)


@pytest.mark.parametrize("cls", [AsyncFlow, AsyncBatchFlow, AsyncParallelBatchFlow, AsyncNode])
def test_run_of_an_async_flow_is_refused(cls: Any) -> None:
    """`run` on an async flow raises before anything has run, where the reference skips hooks."""
    seen: list[str] = []

    class Noting(cls):  # type: ignore[misc]
        def prep(self, shared: Any) -> None:
            seen.append("prep")

    with pytest.raises(RuntimeError, match="run_async"):
        Noting().run({})
    assert seen == []


def test_run_of_an_async_flow_skips_hooks_in_the_reference(reference: Lib) -> None:
    """The reference runs the plain nodes and drops the async hooks."""
    shared: dict[str, Any] = {}
    reference.module.AsyncFlow(Lib(reference.module).step("a")).run(shared)
    assert shared == {"path": ["a"]}


@pytest.mark.parametrize("cls", [Node, BatchNode, Flow, BatchFlow])
def test_run_async_is_on_every_class(cls: Any) -> None:
    """Plain nodes and flows have `run_async`, which gives what `run` gives."""

    class Answers(cls):  # type: ignore[misc]
        def post(self, shared: Any, prep_res: Any, exec_res: Any) -> str:
            return "answer"

    assert asyncio.run(Answers().run_async({})) == Answers().run({}) == "answer"
