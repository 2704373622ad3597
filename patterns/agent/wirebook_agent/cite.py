"""From `[n]` in a text to the sources that it rests on."""

import re

from wirebook_utils import Hit, Source
from wirebook_utils.search_files.bm25 import words

_MARK = re.compile(r" ?(?<!\w)\[(\d{1,6}(?:, ?\d{1,6})*)\]")
# A number this far above the last note is no citation but a year or the like.
_FAR = 100
_LEAD = re.compile(r"\A(?:[-*+>]|#+|\d+\.)\s+")
_SENTENCE = re.compile(r"\S.*?(?:[.!?](?=\s)|[。！？]|(?=\n\s*\n)|\Z)", re.S)


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
        numbers = [int(n) for n in match[1].split(",")]
        if max(numbers) > len(notes) + _FAR:
            return match[0]
        marks = ""
        for n in numbers:
            if not 1 <= n <= len(notes):
                continue
            if n not in order:
                order[n] = len(order) + 1
                sources.append(_source(order[n], notes[n - 1], text[said_from : match.start()]))
            marks += f"[{order[n]}]"
        said_from = match.end() if marks else said_from
        return " " + marks if marks and match[0].startswith(" ") else marks

    return _MARK.sub(renumber, text).strip(), tuple(sources)


def _source(n: int, note: Hit, statement: str) -> Source:
    said = {*words(statement)}
    found = [*_SENTENCE.finditer(note.text)]
    best = max(found, key=lambda m: len(said.intersection(words(m.group()))), default=None)
    if best is None:
        return Source(n, note.title, note.url, note.text, note.span)
    quote = _LEAD.sub("", best.group())
    end = note.span[0] + best.end() if note.span else 0
    return Source(n, note.title, note.url, quote, (end - len(quote), end) if note.span else None)
