"""Read which of several things a model means."""

import re
from collections.abc import Sequence
from typing import Any


def index_of(entry: Any, names: Sequence[str]) -> int:
    """Give the index of the entry that a model named: `1`, `"1"`, `"1 # b.py"`, `"src/b.py"`.

    Raises `ValueError` for anything else, with the range there is, so that it can be told.
    """
    text = str(entry).strip().strip("\"'`")
    if text in names:
        return names.index(text)
    number = re.fullmatch(r"(\d{1,9})(?:\.0+)?(?:\s*(?:#|[:-](?!\s*\d)|\().*)?", text)
    if number and int(number[1]) < len(names):
        return int(number[1])
    shown = ", ".join(f"{i} # {name}" for i, name in enumerate(names[:50]))
    raise ValueError(f"{entry!r} is none of the indices 0 to {len(names) - 1}: {shown}")
