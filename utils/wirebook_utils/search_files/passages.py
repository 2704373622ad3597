"""Cut a document into passages that know where they stand.

A passage is one or more whole paragraphs under one heading, of about 1000 characters; a paragraph
that is longer is cut at the end of a sentence, at a space, or where the size ends.

Left out: anything but plain text, Markdown and reStructuredText titles.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

SIZE = 1000

LONGEST_TITLE = 200
"""Characters of a heading: each passage below it is found by it, too."""

_HEADING = re.compile(r"#{1,6} +(\S.*)$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_UNDERLINE = re.compile(r"([=\-~^*\"'`#+])\1{2,} *$")
_CUT = re.compile(r"[.!?](?=\s)|[。！？\n]|\s")

Paragraph: TypeAlias = tuple[str, int, int]
"""The heading above it, and where it begins and ends in the document."""


@dataclass(frozen=True)
class Passage:
    """A stretch of a document: `document[start:end] == text`, in characters."""

    title: str
    source: str
    text: str
    start: int
    end: int


def passages(source: str, document: str, size: int = SIZE) -> list[Passage]:
    """Cut a document; each passage has the nearest heading above it, or `source`, as its title.

    No passage is longer than `size` characters, in any script.
    """
    return cut(source, document, paragraphs(document), size)


def cut(source: str, document: str, parts: Iterable[Paragraph], size: int = SIZE) -> list[Passage]:
    """Cut a document whose paragraphs are known already, as `passages` does."""
    found: list[Passage] = []
    for title, start, end in _packed(parts, size):
        for begin, stop in _cut(document, start, end, size):
            found.append(Passage(title or source, source, document[begin:stop], begin, stop))
    return found


def paragraphs(document: str) -> Iterator[Paragraph]:
    """Give title, start and end of each paragraph; a heading begins one, a code block is one."""
    title, start, end, at, fenced, line_before = "", -1, -1, 0, "", ""
    for line in document.splitlines(keepends=True):
        text = line.rstrip()
        heading = None if fenced else _HEADING.match(text)
        underlined = bool(not fenced and line_before and _UNDERLINE.match(text))
        if (fence := _FENCE.match(line)) and fence[1][:3] == (fenced[:3] or fence[1][:3]):
            # A fence is closed by its own mark, at least as long, and by no other.
            if not fenced:
                fenced = fence[1]
            elif len(fence[1]) >= len(fenced):
                fenced = ""
        if start >= 0 and (heading or (not text and not fenced)):
            yield title, start, end
            start = -1
        if heading:
            title = (heading[1].rstrip("# ") or heading[1])[:LONGEST_TITLE]
        elif underlined and len(text) >= len(line_before):
            title = line_before.strip()[:LONGEST_TITLE]
        if text:
            start, end = (at if start < 0 else start), at + len(text)
        line_before, at = text, at + len(line)
    if start >= 0:
        yield title, start, end


def _packed(parts: Iterable[Paragraph], size: int) -> Iterator[Paragraph]:
    """Join paragraphs under one heading while they fit."""
    now: Paragraph | None = None
    for title, start, end in parts:
        if now and now[0] == title and end - now[1] <= size:
            now = title, now[1], end
            continue
        if now:
            yield now
        now = title, start, end
    if now:
        yield now


def _cut(document: str, start: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut what is too long, as late as the size allows; leave out white space at the cuts."""
    while start < end:
        stop = end
        if end - start > size:
            stop = start + size
            cuts = [*_CUT.finditer(document, start + size // 2, stop)]
            sentences = [cut for cut in cuts if not cut.group().isspace() or cut.group() == "\n"]
            if cuts:
                stop = (sentences or cuts)[-1].end()
        text = document[start:stop]
        if text.strip():
            yield start, start + len(text.rstrip())
        start = stop
        while start < end and document[start].isspace():
            start += 1
