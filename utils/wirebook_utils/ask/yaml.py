"""Read YAML as models write it: every scalar is text, and no text is lost.

`answer: no` stays `no`, `see #12` keeps its hash, `@home` is text, and so is what follows a second
colon. Left out: anchors, tags and several documents.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from wirebook_utils.extras import extra

# Bounded, since what may be part of the key may also stand after it.
_ENTRY = re.compile(r"^( *(?:- +)*)([\"'“]?\w[\w .-]{0,60}[\"'”]?)( {0,5}:[ \t]+)(\S.*)$")
_ITEM = re.compile(r"^( *- +)(\S.*)$")
# A key in bold, with or without its colon; a whole entry; a whole value. Other stars are text.
_BOLD = re.compile(
    r"^([ \t]*)\*\*(?:([^*:\n]+)\*\*([ \t]*:)|([^*:\n]+:)[ \t]*\*\*"
    r"|([^*:\n]+:[^*\n]+)\*\*[ \t]*$)"
    r"|(?<=:)([ \t]+)\*\*([^*\n]+)\*\*[ \t]*$",
    re.M,
)
_INDENT = re.compile(r"^[ \t]+", re.M)
_NULLS = ("null", "~", "None", "")


def yaml_readings(text: str, keys: Sequence[str]) -> Iterator[Any]:
    """Give the values that a text may mean as YAML, those that keep all of the text first."""
    spaced = _INDENT.sub(lambda indent: indent[0].replace("\t", "    "), text)
    for part in _parts(spaced, keys):
        for items, entries in ((True, True), (False, True), (False, False)):
            lines = [line.rstrip() for line in part.splitlines()]
            found = _loaded("\n".join(_raw(line, items, entries) for line in lines))
            if found is not None:
                yield found


def _parts(text: str, keys: Sequence[str]) -> Iterator[str]:
    """Give the stretches of a text that may be YAML: from its first key on, to its end."""
    if not keys:
        yield text
        return
    named = "|".join(map(_key, keys))
    first = re.search(rf"^[ \t]*[\"'“*]*(?:{named})[\"'”*]*[ \t]*:", text, re.M | re.I)
    if first:
        part = _BOLD.sub(lambda bold: "".join(filter(None, bold.groups())), text[first.start() :])
        yield part
        yield re.split(r"\n[ \t]*\n|\n(?=`{3}|~{3})", part)[0]
    else:
        yield text


def _key(name: str) -> str:
    return re.escape(name).replace("_", "[_ -]?")


def _raw(line: str, items: bool, entries: bool) -> str:
    """Quote the text of a line, so that nothing in it is a mark of YAML."""
    item = _ITEM.match(line)
    if items and item and not _marked(item[2]):
        return item[1] + _quoted(item[2])
    entry = _ENTRY.match(line)
    if entries and entry and not _marked(entry[4]):
        return f"{entry[1]}{entry[2].strip('“”')}: {_quoted(entry[4])}"
    return line


def _marked(text: str) -> bool:
    """Tell whether YAML's own marks are meant: quotes, a block of lines, a list or an object."""
    if re.fullmatch(r"[|>][+-]?\d?", text):
        return True
    pairs = ('""', "''", "[]", "{}")
    return len(text) > 1 and text[0] + text[-1] in pairs and text[1:-1].count(text[0]) == 0


def _quoted(text: str) -> str:
    if len(text) > 1 and text[0] + text[-1] in ("“”", "‘’"):
        text = text[1:-1]
    return "'" + text.replace("'", "''") + "'"


def _loaded(text: str) -> Any:
    """Load one document with all scalars as text, nulls as `None`; give `None` if it is none."""
    with extra("ask", "Reading a reply"):
        import yaml
    try:
        for event in yaml.parse(text, Loader=yaml.BaseLoader):
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                return None
        return _nulled(yaml.load(text, Loader=yaml.BaseLoader))
    except (yaml.YAMLError, ValueError, RecursionError):
        return None


def _nulled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _nulled(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list):
        return [_nulled(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return None if value in _NULLS else value
