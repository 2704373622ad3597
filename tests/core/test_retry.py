"""Attempts of `exec`, the fallback, and the wait between attempts."""

import asyncio
from typing import Any

import pytest

from tests.core.lib import Lib, fail


def failing(calls: list[Any], times: int, error: BaseException | None = None) -> Any:
    """Make an `exec` that notes its calls, fails in the first `times`, then answers "ok"."""

    def execute(self: Any, prep_res: Any) -> str:
        calls.append(prep_res)
        if len(calls) <= times:
            raise error or ValueError(len(calls))
        return "ok"

    return execute


def result(self: Any, shared: Any, prep_res: Any, exec_res: Any) -> Any:
    """Be a `post` that returns the result of `exec`."""
    return exec_res


def fallback(self: Any, prep_res: Any, exc: Exception) -> Any:
    """Be an `exec_fallback` that says what it got."""
    return "fallback", prep_res, str(exc)


@pytest.mark.parametrize("max_retries", [1, 2, 5])
def test_max_retries_is_all_attempts(lib: Lib, max_retries: int) -> None:
    """`exec` is called `max_retries` times in all, then the fallback answers, once."""
    calls: list[Any] = []
    node = lib.node(
        max_retries,
        prep=lambda self, shared: "in",
        exec=failing(calls, 99),
        exec_fallback=fallback,
        post=result,
    )
    assert lib.run(node) == ("fallback", "in", str(max_retries))
    assert calls == ["in"] * max_retries


@pytest.mark.parametrize("times", [0, 1, 2])
def test_first_success_counts(lib: Lib, times: int) -> None:
    """No attempt is made after one that worked, and no fallback is called."""
    calls: list[Any] = []
    node = lib.node(3, exec=failing(calls, times), exec_fallback=fallback, post=result)
    assert lib.run(node) == "ok"
    assert len(calls) == times + 1


def test_default_fallback_raises_the_last_error(lib: Lib) -> None:
    """Without a fallback the last attempt's exception comes out, and `post` does not run."""
    calls: list[Any] = []
    seen: list[Any] = []
    node = lib.node(3, exec=failing(calls, 99), post=lambda self, shared, p, e: seen.append("post"))
    with pytest.raises(ValueError, match=r"^3$"):
        lib.run(node)
    assert seen == []


def test_fallback_may_answer_none(lib: Lib) -> None:
    """The fallback's value is the result, also when it is None."""
    node = lib.node(
        exec=fail,
        exec_fallback=lambda self, prep_res, exc: None,
        post=lambda self, shared, p, e: ("got", e),
    )
    assert lib.run(node) == ("got", None)


def test_error_of_the_fallback_goes_out(lib: Lib) -> None:
    """An error in the fallback is not tried again; its context is the error of `exec`."""
    calls: list[Any] = []

    def execute(self: Any, prep_res: Any) -> Any:
        raise ValueError("first")

    def give_up(self: Any, prep_res: Any, exc: Exception) -> Any:
        calls.append(exc)
        raise KeyError("second")

    with pytest.raises(KeyError, match="second") as caught:
        lib.run(lib.node(3, exec=execute, exec_fallback=give_up))
    assert len(calls) == 1
    assert caught.value.__context__ is calls[0]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_only_exceptions_are_caught(lib: Lib, error: type[BaseException]) -> None:
    """What is no `Exception` goes out after one attempt, past the fallback."""
    calls: list[Any] = []
    node = lib.node(3, exec=failing(calls, 99, error()), exec_fallback=fallback)
    with pytest.raises(error):
        lib.run(node)
    assert len(calls) == 1


def test_cancellation_is_no_failure(lib: Lib) -> None:
    """CancelledError is neither tried again nor sent to the fallback."""
    calls: list[Any] = []
    error = asyncio.CancelledError()
    node = lib.node(3, exec=failing(calls, 99, error), exec_fallback=fallback)
    with pytest.raises(asyncio.CancelledError):
        lib.run(node)
    assert len(calls) == 1


def test_wait_lies_between_attempts(lib: Lib, sleeps: list[Any]) -> None:
    """Three attempts have two waits, after the first and the second."""
    calls: list[Any] = []

    def execute(self: Any, prep_res: Any) -> Any:
        calls.append(len(sleeps))
        raise ValueError

    lib.run(lib.node(3, 7, exec=execute, exec_fallback=fallback))
    assert calls == [0, 1, 2]
    assert sleeps == [("asyncio" if lib.is_async else "time", 7)] * 2


@pytest.mark.parametrize("wait", [0, -1])
def test_no_wait_no_sleep(lib: Lib, sleeps: list[Any], wait: float) -> None:
    """With a wait of zero or less nobody sleeps."""
    lib.run(lib.node(3, wait, exec=fail, exec_fallback=fallback))
    assert sleeps == []


def test_no_wait_after_success(lib: Lib, sleeps: list[Any]) -> None:
    """Whoever succeeds at once does not wait."""
    lib.run(lib.node(3, 7, exec=failing([], 1)))
    assert len(sleeps) == 1


def test_wait_can_change_while_it_runs(lib: Lib, sleeps: list[Any]) -> None:
    """`wait` is read before each wait, so `exec` can set the next one."""

    def execute(self: Any, prep_res: Any) -> Any:
        self.wait = len(sleeps) + 1
        raise ValueError

    lib.run(lib.node(3, exec=execute, exec_fallback=fallback))
    assert [seconds for _, seconds in sleeps] == [1, 2]


def test_cur_retry_counts_attempts(sync_lib: Lib) -> None:
    """`cur_retry` is 0, 1, ... in `exec`, and the last number in fallback and `post`."""
    seen: list[Any] = []

    def execute(self: Any, prep_res: Any) -> Any:
        seen.append(self.cur_retry)
        raise ValueError

    node = sync_lib.node(
        3,
        exec=execute,
        exec_fallback=lambda self, prep_res, exc: seen.append(("fallback", self.cur_retry)),
        post=lambda self, shared, p, e: seen.append(("post", self.cur_retry)),
    )
    assert not hasattr(node, "cur_retry")
    sync_lib.run(node)
    assert seen == [0, 1, 2, ("fallback", 2), ("post", 2)]
    assert node.cur_retry == 2


def test_cur_retry_starts_anew_at_each_visit(sync_lib: Lib) -> None:
    """In a flow each visit counts from 0 and the original node stays untouched."""
    seen: list[Any] = []

    def execute(self: Any, prep_res: Any) -> None:
        seen.append(self.cur_retry)
        if self.cur_retry == 0:
            raise ValueError

    node = sync_lib.node(2, exec=execute)
    flow = sync_lib.flow(node)
    sync_lib.run(flow)
    sync_lib.run(flow)
    assert seen == [0, 1, 0, 1]
    assert not hasattr(node, "cur_retry")


def test_flow_is_not_tried_again(lib: Lib) -> None:
    """A flow has no attempts of its own: a node's error passes through it."""
    calls: list[Any] = []
    flow = lib.flow(lib.node(exec=failing(calls, 99)))
    flow.max_retries = 3
    with pytest.raises(ValueError, match="1"):
        lib.run(flow)
    assert len(calls) == 1
