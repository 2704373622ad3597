"""Read the text of an HTML page: its blocks, each with the heading above it.

A paragraph is a block, a table row or a list item a line, and cells stand between bars. Scripts,
styles, templates, navigation and drawings are passed over.

Left out: what a style or a script would hide or show, attributes, and the texts of pictures.
"""

import html
import re
from collections.abc import Iterator

from wirebook_utils.search_files.passages import LONGEST_TITLE, Paragraph

# The parser of the standard library takes minutes for some kilobytes of unclosed tags. This goes
# over the page once, whatever stands in it: no pattern can try a second way, or again from later.
_START = re.compile(r"<(?:[!?]|/?[a-zA-Z])")
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*+)(?:[^>\"']|\"[^\"]*+\"|'[^']*+')*+>")
_UNQUOTED = re.compile(r"<(/?)([a-zA-Z][^\s/>]*+)[^>]*+>")
_SPACE = re.compile(r"\s+")

_RAW = frozenset({"iframe", "noscript", "script", "style", "textarea", "xmp"})
_SKIPPED = frozenset({"button", "math", "nav", "object", "select", "svg", "template"})
_CELLS = frozenset({"td", "th"})
_LINES = frozenset({"br", "caption", "dd", "dt", "figcaption", "legend", "li", "summary", "tr"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_OWN = _HEADINGS | {"pre", "table", "title"}
_BLOCKS = _OWN | {
    *("address", "article", "aside", "blockquote", "body", "center", "details", "dialog", "div"),
    *("dl", "fieldset", "figure", "footer", "form", "header", "hr", "main", "menu", "ol", "p"),
    *("section", "ul"),
}


def html_text(page: str) -> tuple[str, list[Paragraph]]:
    """Give the text of a page and its paragraphs, each titled by the heading above or `<title>`."""
    reader = _Reader()
    for name, closes, text in _tokens(page):
        if name:
            reader.tag(name, closes)
        else:
            reader.text(text)
    reader.flush()
    paragraphs: list[Paragraph] = []
    at = 0
    for heading, text in reader.blocks:
        paragraphs.append((heading or reader.title, at, at + len(text)))
        at += len(text) + len("\n\n")
    return "\n\n".join(text for _, text in reader.blocks), paragraphs


def _tokens(page: str) -> Iterator[tuple[str, bool, str]]:
    """Give each tag, by its name and whether it closes, and the text between them."""
    at, pattern, last = 0, _TAG, page.rfind(">")
    while (found := _START.search(page, at)) and found.start() < last:
        start = found.start()
        yield "", False, page[at:start]
        if found[0] in ("<!", "<?"):
            mark = "-->" if page.startswith("<!--", start) else ">"
            at = page.find(mark, start + 2) + len(mark)
            if at < start:
                return
            continue
        tag = pattern.match(page, start)
        if not tag:
            # A quote that is not closed: from here on, a tag ends at the next bracket.
            pattern = _UNQUOTED
            tag = pattern.match(page, start)
            assert tag
        name, at = tag[2].lower(), tag.end()
        if name in _RAW and not tag[1]:
            end = re.compile(f"</{name}[\\s/>]", re.I).search(page, at)
            if not end:
                return
            at = end.start()
        yield name, bool(tag[1]), ""
    yield "", False, page[at:]


class _Reader:
    """Makes blocks of tags and text, one after the other."""

    def __init__(self) -> None:
        self.title = ""
        self.blocks: list[tuple[str, str]] = []
        self._heading, self._inside, self._parts = "", "", list[str]()
        self._skipped: str = ""
        self._depth = 0
        self._in_row, self._cells = False, 0

    def tag(self, name: str, closes: bool) -> None:
        """Begin or end what the tag stands for."""
        if name == self._skipped:
            self._depth += -1 if closes else 1
            self._skipped = name if self._depth else ""
        elif self._skipped:
            return
        elif name in _SKIPPED and not closes:
            self._skipped, self._depth = name, 1
        elif name in _CELLS and not closes:
            self._parts.append(" | " if self._cells else " ")
            self._cells += 1
        elif name in _LINES:
            self._parts.append("\n")
            if name == "tr":
                self._in_row, self._cells = not closes, 0
        elif name in _BLOCKS:
            self._block(name, closes)

    def _block(self, name: str, closes: bool) -> None:
        if self._in_row and name not in _OWN:
            self._parts.append(" ")
            return
        self.flush()
        self._inside = name if name in _OWN and not closes else ""
        self._in_row, self._cells = False, 0

    def text(self, text: str) -> None:
        """Take what stands between two tags."""
        if text and not self._skipped:
            text = html.unescape(text)
            self._parts.append(text if self._inside == "pre" else _SPACE.sub(" ", text))

    def flush(self) -> None:
        """End the block at hand."""
        text = "".join(self._parts)
        self._parts.clear()
        if self._inside == "pre":
            text = text.strip("\r\n").rstrip()
        else:
            lines = (" ".join(line.split()) for line in text.split("\n"))
            text = "\n".join(line for line in lines if line)
        if text and self._inside == "title":
            self.title = self.title or " ".join(text.split())[:LONGEST_TITLE]
        elif text:
            if self._inside in _HEADINGS:
                self._heading = " ".join(text.split())[:LONGEST_TITLE]
            self.blocks.append((self._heading, text))
