"""Print a run and its answer. Text from models and files is stripped of control characters."""

import contextlib
import dataclasses
import json
import os
import re
import sys
from typing import Any

from wirebook import Flow
from wirebook_utils import Answer
from wirebook_utils.layers import Call, path

# Whole sequences first: `\x1b[31m` and titles, so that nothing of them is left to read.
_ESCAPE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_].*?(?:\x07|\x1b\\|\Z)", re.S)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """Drop what could move the cursor, colour the terminal or turn the text round."""
    return _CONTROL.sub("", _ESCAPE.sub("", text))


def line(text: str, width: int = 100) -> str:
    """Give a text as one line of at most `width` characters."""
    joined = plain(" ".join(text.split()))
    return joined if len(joined) <= width else joined[: width - 1] + "…"


class Narrator:
    """A layer that tells each step on stderr as it ends: its number, its name, what it gave."""

    def __init__(self) -> None:
        self.steps = 0
        self._made: dict[str, str] = {}

    async def __call__(self, call: Call, node: Any, phase: str, *args: Any) -> Any:
        """Do the phase; tell it if it is a step."""
        result = await call(node, phase, *args)
        if phase in ("exec", "exec_fallback"):
            self._made[path()] = _summary(result)
        if phase == "run" and not isinstance(node, Flow):
            self.steps += 1
            name = path().rpartition("/")[2]
            made = self._made.pop(path(), "") or (f"-> {result}" if result else "")
            say(f"{self.steps:>3}. {name}  {made}".rstrip())
        return result


def _summary(made: Any) -> str:
    if made is None:
        return ""
    if isinstance(made, list):
        count = len(made)  # pyright: ignore[reportUnknownArgumentType]
        return f"{count} found" if count else "nothing found"
    return line(str(made), 80)


def say(text: str) -> None:
    """Print a line for the user, not for a pipe; if nobody listens, that ends nothing."""
    if sys.stderr:
        with contextlib.suppress(OSError):
            print(text, file=sys.stderr, flush=True)


def put(text: str) -> None:
    """Print what was asked for; if whoever reads it has closed the pipe, that ends nothing."""
    try:
        print(text.rstrip("\n"))
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:
        # Let the last flush at exit go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def show(answer: Answer) -> None:
    """Print the answer, its sources, and what it took."""
    print(plain(answer.text))
    if answer.sources:
        print("\nSources")
    for source in answer.sources:
        print(f"  [{source.n}] {line(source.url)}, {line(source.title, 60)}")
        print(f'      "{line(source.quote, 90)}"')
    for problem in answer.data.get("problems", ()):
        say(f"Note: {line(str(problem), 200)}")
    print(
        f"\n{answer.stop_reason}: {len(answer.steps)} steps, {answer.usage.calls} model calls, "
        f"{answer.data.get('seconds', 0.0):.2f} s"
    )


def as_json(answer: Answer) -> str:
    """Give the answer as one JSON object, in ASCII, which every pipe takes."""
    usage = answer.usage
    known = usage.input_tokens is not None and usage.output_tokens is not None
    tokens = (usage.input_tokens or 0) + (usage.output_tokens or 0) if known else None
    data = dict(answer.data)
    seconds = data.pop("seconds", None)
    return json.dumps(
        {
            "text": answer.text,
            "sources": [dataclasses.asdict(source) for source in answer.sources],
            "steps": [dataclasses.asdict(step) for step in answer.steps],
            "calls": usage.calls,
            "tokens": tokens,
            "money": usage.money,
            "seconds": seconds,
            "stop_reason": answer.stop_reason,
            "data": data,
        },
        default=str,
    )
