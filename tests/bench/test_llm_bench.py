"""The bench of a model call asks in the ways that it says, and reports what it was given."""

import json
import subprocess
import sys
from collections import defaultdict
from contextlib import ExitStack
from typing import Any, cast

import pytest

from bench import llm
from bench.llm import SHAPES, Shape, Worker, measure, page, table


def worker(*times: tuple[float, float]) -> Worker:
    """Make one that took so long, whatever it was asked."""
    process = cast("subprocess.Popen[str]", None)
    return Worker(process, defaultdict(list, {shape: [*times] for shape in SHAPES}))


def test_every_way_replies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three calls in turn and three at once, each checked, through the real SDK and ours."""
    shapes = (Shape("in turn", 3, 0), Shape("at once", 3, 1))
    monkeypatch.setattr(llm, "SHAPES", shapes)
    workers = measure(1, ["openai", "wirebook"])
    for each in workers.values():
        assert [len(each.times[shape]) for shape in shapes] == [1, 1]
        assert all(min(each.best(shape)) > 0 for shape in shapes)
        assert each.process.returncode == 0


def test_wrong_reply_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A figure of calls that failed is none."""
    with ExitStack() as stack:
        command = ("-c", 'print(\'{"error": "wrong"}\', flush=True); input()')
        process = llm.started(stack, sys.executable, *command)
        with pytest.raises(RuntimeError, match="wrong"):
            Worker(process, defaultdict(list)).go(SHAPES[0], 1)


def test_table_has_the_best_round_and_the_ratio() -> None:
    """Per call where calls are made in turn, and for all where they are made at once."""
    rows = table({"openai": worker((1.0, 0.5), (2.0, 1.0)), "wirebook": worker((3.0, 0.25))})
    assert rows[0].startswith("| openai | 20.0 ms, 1.00x, CPU 10.0 ms |")
    assert rows[1].endswith("| 3,000.0 ms, 3.00x, CPU 250.0 ms |")
    text = page(rows, "the command", 5)
    assert "the command" in text
    assert rows[1] in text


def test_server_replies_as_openai_does() -> None:
    """What it says is JSON of the form that the SDK reads."""
    from bench.llm_server import BODY, REPLY

    said: Any = json.loads(BODY)
    assert said["choices"][0]["message"]["content"]
    assert REPLY.endswith(BODY)
