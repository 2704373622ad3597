"""`Cassette`: what a real model said, recorded once and played back, as YAML that one can read.

Left out: tokens, and what a model raised. A recording that fails is not kept.
"""

import difflib
import os
import re
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wirebook.core import settle

from wirebook_utils.contracts import Prompt
from wirebook_utils.errors import UsageError
from wirebook_utils.extras import extra
from wirebook_utils.waiting import driven

HEAD = "# What a model said, played back by tests. To record it anew: pytest --record\n"
HIDDEN = "***"

_SECRET = re.compile(r"\b(?:sk|pk|key|ghp|xox[bp])-[\w-]{12,}|(?i:\bbearer )[\w.~+/-]{12,}=*")
_SECRET_NAME = re.compile(r"(?i)key|token|secret|password")


class Cassette:
    """A model function that plays back a file, or records one if it is given a `model` to ask.

    A prompt that is not in the file is an error that shows what changed; several alike are played
    in their order. As a context manager it writes the file at its end, or fails if something was
    not asked for; after an exception it does neither. `waiting` is the same as an async function.

    What looks like a key, and the values of the environment's secrets, are replaced by `***`.

    Raises `AssertionError` for what is not in the file, `UsageError` if the file is none.
    """

    def __init__(
        self, file: str | os.PathLike[str], model: Callable[..., Any] | None = None
    ) -> None:
        self.file, self.model = Path(file), model
        self._lock = threading.Lock()
        self._left: list[dict[str, Any]] = [] if model else _read(self.file)
        self._made: list[dict[str, Any]] = []

    def __call__(self, prompt: Prompt, *, schema: dict[str, Any] | None = None) -> str:
        """Give the reply to a prompt."""
        mixed = TypeError("The model of a cassette waits for an event loop. Use its `waiting`.")
        return driven(self.waiting(prompt, schema=schema), mixed)

    async def waiting(self, prompt: Prompt, *, schema: dict[str, Any] | None = None) -> str:
        """Give the reply to a prompt, inside an event loop."""
        held: dict[str, Any] = {"schema": schema} if schema else {}
        asked = {"prompt": prompt, **held}
        if self.model is None:
            return self._played(_clean(asked))
        reply: str = _clean(await settle(self.model(prompt, **held)))
        with self._lock:
            self._made.append({**_clean(asked), "reply": reply})
        return reply

    def __enter__(self) -> "Cassette":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: Any) -> None:
        if kind is None:
            self.close()

    def close(self) -> None:
        """Write what was recorded, all of it or nothing; or fail if not all was asked for."""
        if self.model:
            _write(self.file, self._made)
        elif self._left:
            first = _yaml(self._left[0]["prompt"])
            raise AssertionError(f"{self.file}: {len(self._left)} not asked for, first:\n{first}")

    def _played(self, asked: dict[str, Any]) -> str:
        with self._lock:
            for at, one in enumerate(self._left):
                if {key: one.get(key) for key in asked} == asked and len(one) == len(asked) + 1:
                    return str(self._left.pop(at)["reply"])
            left = [{k: v for k, v in one.items() if k != "reply"} for one in self._left]
        raise AssertionError(
            f"{self.file} has no reply to this{'' if left else ', and none is left'}. "
            f"To record it anew: pytest --record\n{_changed(left, asked)}"
        )


def _changed(left: list[dict[str, Any]], asked: dict[str, Any]) -> str:
    """Show what a question has in place of the one that is most like it."""
    now = _yaml(asked)
    alike = difflib.SequenceMatcher(b=now)

    def share(text: str) -> float:
        alike.set_seq1(text)
        return alike.quick_ratio()

    before = max(map(_yaml, left), key=share, default="")
    lines = difflib.unified_diff(
        before.splitlines(), now.splitlines(), "recorded", "asked", lineterm="", n=2
    )
    return "\n".join(lines)


def _clean(value: Any) -> Any:
    """Take secrets out of all texts in a value."""
    if isinstance(value, dict):
        given: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
        return {key: _clean(each) for key, each in given.items()}
    if isinstance(value, list):
        items: list[Any] = value  # pyright: ignore[reportUnknownVariableType]
        return [_clean(each) for each in items]
    if not isinstance(value, str):
        return value
    for name, secret in os.environ.items():
        if len(secret) >= 8 and _SECRET_NAME.search(name):
            value = value.replace(secret, HIDDEN)
    return _SECRET.sub(HIDDEN, value)


def _read(file: Path) -> list[dict[str, Any]]:
    with extra("ask", "A cassette"):
        import yaml
    try:
        held: Any = yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"There is no {file}. To record it: pytest --record") from None
    except (ValueError, yaml.YAMLError) as error:
        raise UsageError(f"{file} is no cassette: {error}. Record it: pytest --record") from None
    exchanges: list[Any] = held if isinstance(held, list) else [held]  # pyright: ignore[reportUnknownVariableType]
    if not all(isinstance(one, dict) and {"prompt", "reply"} <= one.keys() for one in exchanges):
        raise UsageError(f"{file} is no cassette: no list of prompts and replies. Record it again.")
    return exchanges


def _write(file: Path, exchanges: list[dict[str, Any]]) -> None:
    """Put a file in place of what is there, in one step."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as text:
            text.write(HEAD + _yaml(exchanges))
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise


def _yaml(value: Any) -> str:
    with extra("ask", "A cassette"):
        import yaml

    class Readable(yaml.SafeDumper):
        """Writes a text of several lines as such, spaces at the end of a line included."""

        def analyze_scalar(self, scalar: str) -> Any:
            found: Any = super().analyze_scalar(scalar)
            shown = scalar.replace("\n", "").isprintable() and not scalar.startswith((" ", "\n"))
            found.allow_block = found.allow_block or shown
            return found

    def text(dumper: Any, value: str) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, "|" if "\n" in value else "")

    Readable.add_representer(str, text)
    return str(yaml.dump(value, Dumper=Readable, allow_unicode=True, sort_keys=False, width=100))  # pyright: ignore[reportUnknownMemberType]
