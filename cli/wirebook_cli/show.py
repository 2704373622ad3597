"""Print a run and its answer. Text from models and files is stripped of control characters."""

import contextlib
import dataclasses
import json
import os
import re
import sys
from typing import Any, TextIO

from wirebook import Flow
from wirebook_utils import Answer, Usage
from wirebook_utils.layers import Call, path

# Whole sequences first: `\x1b[31m` and titles, so that nothing of them is left to read.
_ESCAPE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_].*?(?:\x07|\x1b\\|\Z)", re.S)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """Drop what could move the cursor, colour the terminal or turn the text round."""
    return _CONTROL.sub("", _ESCAPE.sub("", text))


def line(text: str, width: int = 100) -> str:
    """Give a text as one line of at most `width` characters, cut between words if it can be."""
    joined = plain(" ".join(text.split()))
    if len(joined) <= width:
        return joined
    words = joined[: width - 1].rpartition(" ")[0]
    return f"{words} …" if len(words) > width // 2 else joined[: width - 1] + "…"


class Narrator:
    """A layer that tells each step on stderr: on a terminal when it begins, and what it gave."""

    def __init__(self, who: str) -> None:
        self.steps = 0
        self._who = who
        """What is told before the first step: who answers."""
        self._live = _is_terminal(sys.stderr)
        self._begun: set[str] = set()
        self._made: dict[str, str] = {}

    async def __call__(self, call: Call, node: Any, phase: str, *args: Any) -> Any:
        """Do the phase; tell it if it is a step."""
        if phase == "prep" and not isinstance(node, Flow):
            if not self._begun:
                say(self._who)
            self._begun.add(path())
            self._begin(path().rpartition("/")[2])
        result = await call(node, phase, *args)
        if phase in ("exec", "exec_fallback"):
            self._made[path()] = _summary(result)
        if phase == "run" and not isinstance(node, Flow):
            self._end(path(), result)
        return result

    def _begin(self, name: str) -> None:
        if self._live:
            with contextlib.suppress(OSError):
                print(f"{self.steps + 1:>3}. {name} …", end="\r", file=sys.stderr, flush=True)

    def _end(self, place: str, action: Any) -> None:
        name = place.rpartition("/")[2]
        if place not in self._begun:
            say(f"     {name}  not run: at a limit")
            return
        self.steps += 1
        made = self._made.pop(place, "") or (f"-> {action}" if action else "")
        text = f"{self.steps:>3}. {name}  {made}".rstrip()
        say(dim(text.ljust(len(name) + 8)) if self._live else text)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"


def dim(text: str) -> str:
    """Make a text for a terminal less bright, unless NO_COLOR is set."""
    return text if os.environ.get("NO_COLOR") else f"\x1b[2m{text}\x1b[0m"


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


def as_text(answer: Answer) -> str:
    """Give the answer, its sources, and what it took."""
    lines = [plain(answer.text)]
    if answer.sources:
        lines += ["", "Sources"]
    for source in answer.sources:
        lines.append(f"  [{source.n}] {line(source.url)}, {line(source.title, 60)}")
        lines.append(f'      "{line(source.quote, 90)}"')
    tokens = _tokens(answer.usage)
    took = [
        _count(len(answer.steps), "step"),
        _count(answer.usage.calls, "model call"),
        *([] if tokens is None else [f"{tokens:,} tokens"]),
        *([f"${answer.usage.money:.2g}"] if answer.usage.money else []),
        f"{answer.data.get('seconds', 0.0):.2f} s",
    ]
    return "\n".join([*lines, "", f"{answer.stop_reason}: {', '.join(took)}"])


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _tokens(usage: Usage) -> int | None:
    """Add up input and output, if both are known."""
    if usage.input_tokens is None or usage.output_tokens is None:
        return None
    return usage.input_tokens + usage.output_tokens


def as_json(answer: Answer, model: str) -> str:
    """Give the answer and who gave it as one JSON object, in ASCII, which every pipe takes."""
    usage = answer.usage
    data = dict(answer.data)
    seconds = data.pop("seconds", None)
    return json.dumps(
        {
            "text": answer.text,
            "sources": [dataclasses.asdict(source) for source in answer.sources],
            "steps": [dataclasses.asdict(step) for step in answer.steps],
            "calls": usage.calls,
            "tokens": _tokens(usage),
            "money": usage.money,
            "seconds": seconds,
            "stop_reason": answer.stop_reason,
            "model": model,
            "data": data,
        },
        default=str,
    )
