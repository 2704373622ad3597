"""The seam: what a look-up in `around` may change, and how far it reaches."""

import asyncio
from collections.abc import Callable
from typing import Any

from wirebook import AsyncFlow, Flow, Node, around

from tests.core.lib import Lib, LookUp, looked_up


def replacing(phase: str, replacement: Callable[..., Any]) -> LookUp:
    """Make a look-up that gives `replacement(method)` in place of the method of one phase."""

    def look_up(node: Any, name: str) -> Any:
        method = getattr(node, name)
        return replacement(method) if name.removesuffix("_async") == phase else method

    return look_up


def test_result_can_be_changed(ours: Lib) -> None:
    """What the looked-up `exec` returns is the result."""
    node = ours.node(exec=lambda self, p: "own", post=lambda self, shared, p, e: e)

    def instead(method: Any) -> Any:
        def call(prep_res: Any) -> str:
            return "changed"

        return call

    with looked_up(replacing("exec", instead)):
        assert ours.run(node) == "changed"
    assert ours.run(node) == "own"


def test_phase_can_be_skipped(ours: Lib) -> None:
    """A look-up that does not call the method skips it; a whole visit is skipped at `_run`."""
    a = ours.step("a", "x")
    a - "skip" >> ours.step("b")

    visits: list[Any] = []

    def skip(method: Any) -> Any:
        def run(shared: Any) -> Any:
            visits.append(method.__self__)
            return "skip" if len(visits) == 2 else method(shared)

        return run

    shared: dict[str, Any] = {}
    with looked_up(replacing("_run", skip)):
        ours.run(ours.flow(a), shared)
    assert shared["path"] == ["b"]


def test_phase_can_be_repeated(ours: Lib) -> None:
    """What is looked up may be called as often as one likes."""
    calls: list[Any] = []

    def twice(method: Any) -> Any:
        async def call(prep_res: Any) -> Any:
            results = [method(prep_res) for _ in range(2)]
            return [await r if hasattr(r, "__await__") else r for r in results]

        return call

    with looked_up(replacing("exec", twice)):
        ours.run(ours.node(exec=lambda self, prep_res: calls.append(prep_res)))
    assert calls == [None, None]


def test_action_can_be_changed(ours: Lib) -> None:
    """What the looked-up `post` returns is the action."""
    a = ours.step("a", "left")
    a - "left" >> ours.step("left")
    a - "right" >> ours.step("right")

    def turn(method: Any) -> Any:
        async def call(*args: Any) -> Any:
            action = method(*args)
            action = await action if hasattr(action, "__await__") else action
            return {"left": "right"}.get(action, action)

        return call

    shared: dict[str, Any] = {}
    with looked_up(replacing("post", turn)):
        ours.run(ours.flow(a), shared)
    assert shared["path"] == ["a", "right"]


def test_error_of_a_look_up_is_an_attempt_s_error(ours: Lib) -> None:
    """An error that a replacement of `exec` raises counts as a failed attempt."""

    def refuse(method: Any) -> Any:
        def call(prep_res: Any) -> Any:
            raise PermissionError("refused")

        return call

    node = ours.node(
        exec_fallback=lambda self, prep_res, exc: str(exc), post=lambda self, shared, p, e: e
    )
    with looked_up(replacing("exec", refuse)):
        assert ours.run(node) == "refused"


def test_runs_side_by_side_have_seams_of_their_own() -> None:
    """A look-up that one task sets is not seen by another."""
    seen: list[str] = []

    async def one(name: str) -> None:
        def look_up(node: Any, phase: str) -> Any:
            seen.append(name)
            return getattr(node, phase)

        with looked_up(look_up):
            await AsyncFlow(Node()).run_async({})

    async def both() -> None:
        await asyncio.gather(one("a"), one("b"), AsyncFlow(Node()).run_async({}))

    asyncio.run(both())
    assert seen == ["a"] * 7 + ["b"] * 7


def test_seam_is_asked_at_each_call() -> None:
    """A look-up that is set while a flow runs counts from then on."""
    seen: list[str] = []

    def look_up(node: Any, name: str) -> Any:
        seen.append(name)
        return getattr(node, name)

    class Sets(Node):
        def prep(self, shared: Any) -> None:
            shared["token"] = around.set(look_up)

    class Resets(Node):
        def post(self, shared: Any, prep_res: Any, exec_res: Any) -> None:
            around.reset(shared["token"])

    sets = Sets()
    sets >> Resets()
    Flow(sets).run({})
    assert seen == ["exec", "post", "_run", "prep", "exec", "post"]
    assert around.get() is getattr
