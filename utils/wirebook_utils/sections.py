"""Marked sections of a prompt: what is data stands between marks and cannot close them.

Models are told apart what they are asked and what they are given; the stand-in reads the same
marks. Left out: trust. What stands in a section is still only text from somewhere.
"""

import re
from collections.abc import Iterable

from wirebook_utils.contracts import Hit, Prompt

NO_EVIDENCE = "NO EVIDENCE"
"""What a model replies if the notes do not hold the answer."""

# A model also takes `</ Notes >`, `</notes id="1">` and `<notes/>` for marks.
_MARK = re.compile(r"<(?=\s*+/?\s*+[a-z_]++(?:[\s/][^<>]*+)?>)", re.I)
_BREAK = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_SECTION = re.compile(r"^<([a-z_]+)>\n(.*?)\n</\1>$", re.M | re.S)
_NOTE = re.compile(r"^\[(\d{1,6})\] (.*)\n((?:(?:    .*)?(?:\n|\Z))*)", re.M)


def text_of(prompt: Prompt) -> str:
    """Give the text of a prompt; of messages, one below the other."""
    if isinstance(prompt, str):
        return prompt
    return "\n".join(str(message["content"]) for message in prompt)


def section(name: str, text: str) -> str:
    """Put a text between `<name>` and `</name>`; marks inside it become `‹name>`."""
    return f"<{name}>\n{_MARK.sub('‹', text)}\n</{name}>"


def sections(prompt: str) -> dict[str, str]:
    """Read the sections of a prompt by name."""
    return dict(_SECTION.findall(prompt))


def numbered(hits: Iterable[Hit]) -> str:
    """Number notes from 1: a line `[n] title (url)`, and below it the text, indented.

    A text cannot pass for a note of its own, since only a number stands at the start of a line.
    """
    notes: list[str] = []
    for n, hit in enumerate(hits, 1):
        text = _BREAK.sub("\n", hit.text).replace("\n", "\n    ")
        notes.append(f"[{n}] {' '.join(f'{hit.title} ({hit.url})'.split())}\n    {text}")
    return "\n\n".join(notes)


def read_numbered(notes: str) -> list[tuple[int, str, str]]:
    """Read number, title and text of the notes that `numbered` wrote."""
    return [
        (int(n), title, re.sub("^    ", "", text, flags=re.M).strip())
        for n, title, text in _NOTE.findall(notes)
    ]
