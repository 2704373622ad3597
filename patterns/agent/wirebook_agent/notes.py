"""What a search may add to the notes.

All bounds together keep a prompt to what a small model can read: after five searches, 30 kB.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from wirebook_utils import Hit

NEW_NOTES = 3
"""A search adds no more notes, so that the last search counts as much as the first."""

NOTE_SIZE = 1_000
"""Characters of a note."""

NOTE_BYTES = 2_000
"""Bytes of a note in UTF-8, since scripts of three bytes a character take more tokens for each."""


def unknown(found: Sequence[Hit], notes: Sequence[Hit]) -> list[Hit]:
    """Give the first passages that are not among the notes."""
    known = {(note.url, note.span, note.text) for note in notes}
    return [hit for hit in found if (hit.url, hit.span, hit.text) not in known][:NEW_NOTES]


def cut(hit: object) -> Hit:
    """Shorten a text that is too long for a note, and its span with it."""
    if not isinstance(hit, Hit):
        raise TypeError(f"search gave {hit!r}, not a Hit(title, url, text, score).")
    sizes = accumulate(len(c.encode(errors="surrogatepass")) for c in hit.text[:NOTE_SIZE])
    fits = sum(size <= NOTE_BYTES for size in sizes)
    if fits == len(hit.text):
        return hit
    span = (hit.span[0], hit.span[0] + fits) if hit.span else None
    return replace(hit, text=hit.text[:fits], span=span)
