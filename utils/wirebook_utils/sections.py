"""Marked sections of a prompt: what is data stands between marks and cannot close them.

Models are told apart what they are asked and what they are given; the stand-in reads the same
marks. Left out: trust. What stands in a section is still only text from somewhere.
"""

import re

_MARK = re.compile(r"<(?=/?[a-z_]+>)")
_SECTION = re.compile(r"^<([a-z_]+)>\n(.*?)\n</\1>$", re.M | re.S)


def section(name: str, text: str) -> str:
    """Put a text between `<name>` and `</name>`; marks inside it become `‹name>`."""
    return f"<{name}>\n{_MARK.sub('‹', text)}\n</{name}>"


def sections(prompt: str) -> dict[str, str]:
    """Read the sections of a prompt by name."""
    return dict(_SECTION.findall(prompt))
