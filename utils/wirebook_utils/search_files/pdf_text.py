"""Read the text of a PDF file, page by page, by the library `pypdf`.

Left out: pictures of text, passwords, layout, and a guard against a file that was made to take
long: pypdf has bounds of its own.
"""

import io
import logging
import re
from collections.abc import Generator
from contextlib import contextmanager

from wirebook_utils.extras import extra
from wirebook_utils.search_files.passages import Paragraph

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def pdf_text(data: bytes) -> tuple[str, list[Paragraph]]:
    """Give the text of all pages, and each page as a paragraph titled by its number: "page 3".

    Raises `ValueError` that says why there is no text, and `UsageError` without pypdf.
    """
    pages = _pages(data)
    paragraphs: list[Paragraph] = []
    at = 0
    for number, text in enumerate(pages, 1):
        paragraphs.append((f"page {number}", at, at + len(text)))
        at += len(text) + len("\n\n")
    if not any(pages):
        raise ValueError("has no text, only pictures")
    return "\n\n".join(pages), paragraphs


def _pages(data: bytes) -> list[str]:
    with extra("pdf", "Reading a PDF file"):
        from pypdf import PdfReader
        from pypdf.errors import DependencyError, FileNotDecryptedError
    try:
        with _quiet():
            # It tries the empty password itself: many are encrypted only against changes.
            reader = PdfReader(io.BytesIO(data))
            return [_CONTROL.sub("", page.extract_text()).strip() for page in reader.pages]
    except (DependencyError, FileNotDecryptedError):
        raise ValueError("is encrypted") from None
    except Exception as error:
        # Whatever a broken file leads to, a recursion too deep among it.
        raise ValueError(f"cannot be read as PDF ({type(error).__name__})") from error


@contextmanager
def _quiet() -> Generator[None]:
    """Keep pypdf from telling on the terminal, by its log, what it mends in a file."""
    logger = logging.getLogger("pypdf")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)
