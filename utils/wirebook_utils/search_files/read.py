"""Read a file as text, whatever its format, with the paragraphs that passages are made of.

Left out: guessing an encoding. Text is UTF-8, or it says what it is: by a byte order mark, or in
HTML by what stands at its head.
"""

import codecs
import os
import re
from collections.abc import Iterable
from pathlib import Path

from wirebook_utils.search_files.html_text import html_text
from wirebook_utils.search_files.passages import Paragraph, paragraphs
from wirebook_utils.search_files.pdf_text import pdf_text

SUFFIXES = (".md", ".txt", ".rst", ".html", ".htm", ".pdf")

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"<(?:meta|\?xml)\b[^>]*?\b(?:charset|encoding)\s*=\s*[\"']?([\w-]+)", re.I)
_HEAD = 4096
# What pages are written in; Python knows other names, which are no encodings of text.
_KNOWN = re.compile(
    r"big5(-hkscs)?|cp\d+|euc-(jp|kr)|gb(18030|2312|k)|iso-8859-\d+|iso-2022-jp|koi8-[ru]"
    r"|mac(intosh|-roman)|shift[_-]jis|tis-620|windows-\d+",
)


def file_text(file: str | os.PathLike[str]) -> str:
    """Give the text of a file in which the spans of `search_files` count.

    Raises `ValueError` that says why if it has none, and `UsageError` if a library is missing.
    """
    return read(Path(file))[0]


def read(file: Path) -> tuple[str, Iterable[Paragraph]]:
    """Give the text of a file and its paragraphs; raises as `file_text` does."""
    data, suffix = file.read_bytes(), file.suffix.lower()
    if suffix == ".pdf":
        return pdf_text(data)
    if suffix in (".html", ".htm"):
        return html_text(_decoded(data, _declared(data)))
    text = _decoded(data, "utf-8")
    return text, paragraphs(text)


def _declared(data: bytes) -> str:
    """Give the encoding that a page names at its head, else UTF-8."""
    found = _DECLARED.search(data, 0, _HEAD)
    name = found[1].decode("ascii", "replace").lower() if found else ""
    if name in ("iso-8859-1", "latin1", "ascii", "us-ascii"):
        # As browsers take it: whoever wrote one of these meant the other.
        return "windows-1252"
    return name if _KNOWN.fullmatch(name) else "utf-8"


def _decoded(data: bytes, encoding: str) -> str:
    marked = next(((m, name) for m, name in _MARKS if data.startswith(m)), (b"", encoding))
    try:
        text = data[len(marked[0]) :].decode(marked[1])
    except (UnicodeDecodeError, LookupError):
        raise ValueError(f"is no {encoding.upper()} text") from None
    if "\0" in text:
        raise ValueError("is no text, but binary")
    return text
