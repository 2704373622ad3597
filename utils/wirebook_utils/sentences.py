"""Find the sentences of a passage, to choose one and to quote it.

Knows Markdown's headings, lists, code blocks, tables and emphasis as far as a reader wants them
gone; a row of a table is a sentence. Left out: abbreviations of other languages than English.
"""

import re
from collections.abc import Iterator

_END = re.compile(r"""(?<=[.!?…])["'”’)\]*_`]*\s+(?=["'“‘(\[*_]*(?:[^\W_a-z]|`))|(?<=[。！？])""")
# What a full stop after it does not end: a title, a Latin abbreviation, an initial.
_ABBREVIATED = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|St|vs|cf|e\.g|i\.e|No|Fig|[A-Z])\.$")
_FENCED = re.compile(
    r"^ *(`{3,}|~{3,})[^\n]*\n(.*?)(?:^ *\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t].*$|^.*\n[=\-~^]{3,}[ \t]*$", re.MULTILINE)
_ITEM = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+•]|\d+[.)])[ \t])|\n(?=[ \t]*\|)|(?<=\|)\n")
_LONGEST = 400


def sentences(text: str) -> list[tuple[int, int]]:
    """Give where the sentences of `text` start and end. Headings are none; a code block is one.

    A sentence that ends with a colon takes along what it announces, up to 400 characters in all.
    """
    found: list[tuple[int, int]] = []
    for start, end in _units(text):
        if found and text[slice(*found[-1])].endswith(":") and end - found[-1][0] <= _LONGEST:
            found[-1] = (found[-1][0], end)
        else:
            found += _split(text, start, end)
    return found


def _units(text: str) -> Iterator[tuple[int, int]]:
    """Give code blocks whole, and the paragraphs, list items and table rows between them."""
    at = 0
    for fence in _FENCED.finditer(text):
        yield from _prose(text, at, fence.start())
        yield fence.start(), fence.start() + len(fence[0].rstrip())
        at = fence.end()
    yield from _prose(text, at, len(text))


def _prose(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    cuts = [match.span() for match in _HEADING.finditer(text, start, end)]
    cuts += [match.span() for match in _ITEM.finditer(text, start, end)]
    for cut in (*sorted(cuts), (end, end)):
        if cut[0] > start:
            yield from _stripped(text, start, cut[0])
        start = max(start, cut[1])


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if _FENCED.match(text, start, end):
        yield from _stripped(text, start, end)
        return
    at = start
    for match in _END.finditer(text, start, end):
        if not _ABBREVIATED.search(text, max(at, match.start() - 6), match.start()):
            yield from _stripped(text, at, match.end())
            at = match.end()
    yield from _stripped(text, at, end)


def _stripped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Give `start, end` without white space at its ends, if it holds a letter or a digit."""
    part = text[start:end]
    if re.search(r"[^\W_]", part):
        yield end - len(part.lstrip()), start + len(part.rstrip())


def plain(sentence: str) -> str:
    """Give a sentence on one line, without the marks of Markdown."""
    code = _FENCED.search(sentence)
    if code:
        lines = [line.strip() for line in code[2].splitlines() if line.strip()]
        before = sentence[: code.start()]
        sentence = f"{before} `{'; '.join(lines)}`"
    sentence = re.sub(r"^\s*(?:[-*+•>]|\d+[.)])\s+", "", sentence)
    sentence = re.sub(r"!?\[([^\]]*)\]\([^)\s]*\)", r"\1", sentence)
    sentence = re.sub(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1", r"\2", sentence, flags=re.DOTALL)
    text = " ".join(sentence.split())
    if not text.startswith("|"):
        return text
    return ": ".join(cell.strip() for cell in text.strip("|").split("|") if cell.strip())
