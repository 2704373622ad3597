"""Where Wirebook differs from PocketFlow 0.0.3: each by name, and proved to be one.

`docs/drop-in.md` has a table with these names, and `test_rows.py` keeps the two equal. The
differential test leaves a row out in one of two ways, which the row tells: no spec holds the case
(`graphs.py` names the row at that place), or `compare.py` levels it before it compares.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.compat import observe as see
from tests.compat import observe_async as see_async

NO_SPEC = "no spec of graphs.py holds it"
LEVELLED = "compare.py levels it"


@dataclass(frozen=True)
class Row:
    """One difference: what `observe` sees on PocketFlow and on Wirebook, and why they differ."""

    name: str
    reason: str
    observe: Callable[[Any], Any]
    theirs: Any
    ours: Any
    left_out: str = NO_SPEC


ROWS = [
    Row(
        "`cur_retry` on async nodes",
        "An async node that backs off has to know its attempt as a plain one does.",
        see_async.cur_retry_on_async_nodes,
        [("x", None), ("y", None)] * 2,
        [("x", 0), ("y", 0), ("x", 1), ("y", 1)],
    ),
    Row(
        "`cur_retry` before the first attempt",
        "It counts the attempts of this visit; a copy of a node that has run starts without.",
        see.cur_retry_before_the_first_attempt,
        [None, 0],
        [None, None],
    ),
    Row(
        "None or 0 from an async batch's prep",
        "Nothing to do is no error, as in the plain batch.",
        see_async.none_from_async_batch,
        ["TypeError", "TypeError"],
        [[], []],
    ),
    Row(
        "`max_retries` below 1",
        "Work that was never tried must not look like work that gave None.",
        see.max_retries_below_one,
        [None, [None]],
        ["done", ["done"]],
    ),
    Row(
        "a falsy node",
        "A node with a `__len__` is still a node.",
        see.falsy_node,
        [None, "first"],
        ["falsy", "falsy"],
    ),
    Row(
        "a falsy action other than None",
        'An empty answer of a model is not a vote for "default".',
        see.falsy_action,
        ["default", "default", "default"],
        ["wired", "wired", "wired"],
    ),
    Row(
        "the params dict of a visit",
        "What one node writes to its params must not reach the next one.",
        see.params_of_a_visit,
        {"k": 1, "added": True},
        {"k": 1},
    ),
    Row(
        "`run()` on an async class",
        "Half of the hooks would be skipped without a word.",
        see_async.run_on_async_flow,
        ["ran"],
        ["RuntimeError"],
    ),
    Row(
        "an async node in a sync flow, in an event loop",
        "It is a node like any other as long as nothing really waits.",
        see_async.async_node_in_sync_flow,
        "RuntimeError",
        "done",
    ),
    Row(
        "one item of a parallel batch fails",
        "No work may go on after the call that started it has ended.",
        see_async.siblings_of_a_failure,
        [["ValueError", "late"], ["ValueError", "late"]],
        [["cancelled", "ValueError"], ["cancelled", "ValueError"]],
        LEVELLED,
    ),
    Row(
        "the third argument of `BatchFlow.post`",
        "The actions of the passes are the only result that they have.",
        see.third_argument_of_batch_post,
        [None, None, None],
        [["p", "q"], ["p", "q"], ["p", "q"]],
        LEVELLED,
    ),
    Row(
        "a phase that gives an awaitable",
        "One class can take a model function that is async or not.",
        see.awaitable_from_a_phase,
        ["Ready", "Ready"],
        ["value", "value"],
    ),
    Row(
        "a result that claims every attribute",
        "Asking the object and not its class for `__await__` costs a quarter of a step less.",
        see.result_that_claims_everything,
        "Claims",
        "TypeError",
    ),
    Row(
        "`run_async` on plain classes",
        "One way to run any flow where a loop runs.",
        see.run_async_on_plain_classes,
        ["AttributeError"] * 4,
        ["default"] * 4,
    ),
    Row(
        "plain hooks on an async class",
        "A hook that is never called is a trap.",
        see_async.plain_hooks_on_async_classes,
        [None, None],
        ["fallback", "posted"],
    ),
    Row(
        "a plain function as an async phase",
        "Its value is as good as an awaited one.",
        see_async.plain_function_as_async_phase,
        "TypeError",
        "done",
    ),
    Row(
        "StopIteration out of a phase",
        "A coroutine cannot raise it; Python makes it a RuntimeError with the other as its cause.",
        see.stop_iteration,
        "StopIteration",
        "RuntimeError",
    ),
    Row(
        '`node - "x" >> None`',
        "A declared end is a regular one.",
        see.declared_end,
        ["UserWarning"],
        [],
        LEVELLED,
    ),
    Row(
        "`src` and `action` of what `-` gives",
        "Its only use is to be followed by `>>`.",
        see.attributes_of_a_transition,
        True,
        False,
    ),
    Row(
        "`_run_async` and `_orch_async`",
        "One engine: `_run` and `_orch` are what runs in async classes, too.",
        see_async.internal_async_hooks,
        [True, True],
        [False, False],
    ),
    Row(
        "params None on a flow with no start",
        "Nothing runs, so nothing reads them.",
        see.params_none_without_start,
        "TypeError",
        None,
    ),
    Row(
        "an async batch without a truth value",
        "As in the plain batch of both: an array has to be a list first.",
        see_async.async_batch_without_truth,
        [1, 2],
        "ValueError",
    ),
    Row(
        "`__slots__` and `__getstate__` of a user's class",
        "A visit copies `__dict__` and asks nobody: several times faster than `copy.copy`.",
        see.slots_and_getstate,
        ["kept", "changed"],
        ["AttributeError", "kept"],
    ),
    Row(
        "`__setattr__` of a user's class",
        "As above: the copy gets its attributes as a whole, by the class's own way to set one.",
        see.own_setattr,
        "kept",
        "AttributeError",
    ),
    Row(
        "a node that is no `BaseNode`",
        "A visit calls `__copy__`, which a stand-in has to have beside `_run` and `set_params`.",
        see.stand_in,
        "quack",
        "AttributeError",
    ),
    Row(
        "`_exec` of a second base beside `BatchNode`",
        "Items go to `Node._exec`; override `_exec` on the batch class itself.",
        see.second_base,
        ["cached 1"],
        ["exec 1"],
    ),
]
