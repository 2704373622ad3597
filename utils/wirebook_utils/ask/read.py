"""Find the values in a reply: what a model wrote as JSON or YAML, with anything around it.

Gives candidates, the most literal first; the one that fits what was asked for is taken. So
`items: - Safety: first` is a list of texts where texts are asked for, and one of objects where
objects are. Of a key that comes twice the last one counts: a model that repeats it has changed
its mind.

Left out: half a value. Brackets that are opened more often than closed were cut off.
"""

import json
import re
import string
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from wirebook_utils.ask.yaml import yaml_readings
from wirebook_utils.extras import extra

REPAIRED = 50_000
"""Characters of a text that is repaired, or read as YAML: that takes longer."""

NESTED = 200
"""Brackets in a text that is read as YAML, and their depth in one that is repaired: its time grows
with their square, or it fails late."""

# Also what has no width: inside a text it joins letters and emoji, around one it is in the way.
_BLANK = string.whitespace + "\x85\xa0\u2028\u2029\u3000\ufeff\u200b\u200c\u200d\u2060"
# What was thought begins a line, or all up to its end was; a tag in quotes is only spoken of.
_THOUGHT = re.compile(
    r"\A(?!\s*[{\[]).*(?:(?<![`\"'])</think(?:ing)?>|</think(?:ing)?>(?![`\"']))"
    r"|^[ \t]*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)",
    re.S | re.I | re.M,
)
_FENCE = re.compile(r"^[ \t]*(`{3,}+|~{3,}+)[^\n`]*\n(.*?)(?:^[ \t]*\1|\Z)", re.S | re.M)
_OPENING = re.compile(r"[{\[]")
# A citation, or a link of Markdown.
_MARK = re.compile(r"(?<=[^\s:,{\[] )\[(\d{1,3})\]|\[[^\[\]\n]*\]\(")
_VALUES = 20
_DECODER = json.JSONDecoder(strict=False)


def without_thoughts(reply: str) -> str:
    """Give a reply without what a model thought aloud, and without blanks around it."""
    return _THOUGHT.sub("", reply.replace("\r\n", "\n")).strip(_BLANK)


def readings(text: str, keys: Sequence[str] = ()) -> Iterator[Any]:
    """Give the values that a text may mean; `keys` are those that an object should have."""
    blocks = [match[2].strip(_BLANK) for match in _FENCE.finditer(text)]
    if not (keys or text.startswith(("{", "["))):
        # Prose may have brackets of its own before the block that it announces.
        for block in blocks:
            yield from _json(block, _OPENING)
    yield from _json(
        text, re.compile(rf"\{{\s*[\"'“‘]?(?:{'|'.join(map(re.escape, keys))})\b", re.I)
    )
    for block in [*blocks, text]:
        if len(block) <= REPAIRED and len(_OPENING.findall(block)) <= NESTED:
            yield from yaml_readings(block, keys)
    yield text


def _json(text: str, meant: re.Pattern[str]) -> Iterator[Any]:
    """Give the objects and lists in a text, those in others not; `meant` matches one's begin.

    A `[1]` in prose is given last, since it may be a citation.
    """
    at, cited = 0, list[Any]()
    for _ in range(_VALUES):
        start = _OPENING.search(text, at)
        if start is None:
            break
        if mark := _MARK.match(text, start.start()):
            cited += [[int(mark[1])]] if mark[1] else []
            at = mark.end()
            continue
        try:
            value, at = _DECODER.raw_decode(text, start.start())
            yield value
        except (ValueError, RecursionError):
            yield from _repaired(text[start.start() :])
            if meant.match(text, start.start()):
                # Whatever stands inside it is a part of what was meant.
                break
            at = start.end()
    yield from cited


def _repaired(text: str) -> Iterator[Any]:
    """Give what stands at the start of a text, if it is JSON but for its spelling."""
    with extra("ask", "Reading a reply"):
        import json_repair
    part = text[: max(text.rfind("}"), text.rfind("]")) + 1]
    if len(part) > REPAIRED or len(_OPENING.findall(part)) > part.count("}") + part.count("]"):
        return
    depths = accumulate(1 if mark in "{[" else -1 for mark in part if mark in "{[]}")
    if max(depths, default=0) > NESTED:
        return
    try:
        yield json_repair.loads(part, skip_json_loads=True)
    except (ValueError, RecursionError):
        return
