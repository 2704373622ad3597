"""From `[n]` in a text to the sources that it rests on."""

import re

from wirebook_utils import Hit, Source
from wirebook_utils.search_files.bm25 import words
from wirebook_utils.sentences import sentences

# Scripts that put no space between words.
_DENSE = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
# `[2]`, `[1, 3]`, `[2-4]`, and the other brackets that some models were taught, `2†source` in them.
# What stands in backticks is code, and `items[0]` is anywhere.
_MARK = re.compile(
    rf"`[^`\n]*`|( ?)(?:(?<![^\W{_DENSE}])\[|\u3010)"
    r"(\d+(?:\s*[-–,;]\s*\d+)*)(?:†[^\]\u3011\n]{0,60})?[\]\u3011]"
)
# A number this far above the last note is no citation but a year or the like.
_FAR = 100
_LEAD = re.compile(r"(?:[-*+>]|\d+[.)])\s+")


def cited(text: str, notes: list[Hit]) -> tuple[str, tuple[Source, ...]]:
    """Renumber the citations of a text from 1 in their order, and give the notes they name.

    A citation of a note that does not exist is dropped; `items[0]` and `[2024]` are none. A source
    quotes the sentence of its note that is closest to what it is cited for: the quote is exact,
    and so is its span.
    """
    order: dict[int, int] = {}
    sources: list[Source] = []
    said_from = 0

    def renumber(match: re.Match[str]) -> str:
        nonlocal said_from
        named = _numbers(match[2] or "")
        if not named or min(named) > len(notes) + _FAR:
            return match[0]
        numbers = [n for n in named if 1 <= n <= len(notes)]
        for n in numbers:
            if n not in order:
                order[n] = len(order) + 1
                sources.append(_source(order[n], notes[n - 1], text[said_from : match.start()]))
        if not numbers:
            return ""
        said_from = match.end()
        return match[1] + "".join(f"[{order[n]}]" for n in dict.fromkeys(numbers))

    return _MARK.sub(renumber, text).strip(), tuple(sources)


def _numbers(cited: str) -> list[int]:
    """Read `1, 3` and `2-4`; of a range that is too long to be meant, only its ends."""
    found: list[int] = []
    for part in re.findall(r"\d+(?:\s*[-–]\s*\d+)*", cited):
        ends = [int(n[:6]) for n in re.findall(r"\d+", part)]
        found += range(ends[0], ends[-1] + 1) if ends[-1] - ends[0] < 20 else ends
    return found


def _source(n: int, note: Hit, statement: str) -> Source:
    said = {*words(statement)}

    def alike(span: tuple[int, int]) -> float:
        has = {*words(note.text[slice(*span)])}
        return len(said & has) / (len(said | has) or 1)

    spans = sentences(note.text) or [(0, len(note.text))]
    start, end = max(spans, key=alike)
    if lead := _LEAD.match(note.text, start, end):
        start = lead.end()
    at = note.span[0] if note.span else 0
    span = (at + start, at + end) if note.span else None
    return Source(n, note.title, note.url, note.text[start:end], span)
