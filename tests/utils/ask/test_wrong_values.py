"""Replies that gave a value which nobody meant, each as a model would write it."""

from dataclasses import dataclass
from typing import Any

import pytest
from wirebook_utils.ask import ask


@dataclass(frozen=True)
class Code:
    """A text in which every character counts."""

    code: str


def read(reply: str, schema: Any) -> Any:
    """Read one reply, with no second try."""
    return ask(lambda prompt: reply, "?", schema, tries=1)


@pytest.mark.parametrize("code", ["x**2 + y**2", "src/**/*.py", "f(**kwargs)", "a ** b"])
def test_stars_in_a_text_are_kept(code: str) -> None:
    """Two stars are a power or a pattern, too."""
    assert read(f"code: {code}", Code) == Code(code)


@pytest.mark.parametrize("reply", ["**code**: **x**", "**code:** x", "**code: x**"])
def test_stars_around_an_entry_are_none_of_it(reply: str) -> None:
    """A key, a value or all of it may be in bold."""
    assert read(reply, Code) == Code("x")
