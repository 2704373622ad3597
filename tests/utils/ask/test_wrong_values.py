"""Replies that gave a value which nobody meant, each as a model would write it."""

from dataclasses import dataclass
from typing import Any, Literal

import pytest
from wirebook_utils import BadReply
from wirebook_utils.ask import ask, index_of


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


@pytest.mark.parametrize(
    "reply",
    ["cannot approve", "unable to approve", "dont approve", "Refuse to approve", "hardly approve"],
)
def test_choice_that_is_denied_is_not_made(reply: str) -> None:
    """Not every no has the word in it."""
    with pytest.raises(BadReply):
        read(reply, Literal["approve", "reject"])


@pytest.mark.parametrize("entry", ["1-2", "1 - 2", "1:30"])
def test_range_is_no_index(entry: str) -> None:
    """Two numbers name no one of the things."""
    with pytest.raises(ValueError, match="none of the indices"):
        index_of(entry, ["a", "b", "c", "d"])
