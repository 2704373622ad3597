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


@pytest.mark.parametrize(
    "reply",
    [
        'According to note [1], these:\n```json\n["a", "b"]\n```',
        'As [1] and [the page](http://x.example/) say: ["a", "b"]',
        'I read file[0] first:\n```\n["a", "b"]\n```',
    ],
)
def test_brackets_in_the_prose_are_no_list(reply: str) -> None:
    """A citation or a link before a list is not the list."""
    assert read(reply, list[str]) == ["a", "b"]


def test_list_of_one_number_is_a_list_all_the_same() -> None:
    """Where nothing else is there, it was no citation."""
    for reply in ("[2]", "The index is [2]", "The index: [2]", "```\n[2]\n```"):
        assert read(reply, list[int]) == [2]


@pytest.mark.parametrize("tag", ["<think>", "</think>", "<thinking>"])
def test_tag_that_is_spoken_of_is_text(tag: str) -> None:
    """A text about thoughts is none."""
    said = f"Models write `{tag}` around them [1]. Then they answer."
    assert read(said, str) == said
    assert read(f'{{"code": "see {tag} here"}}', Code) == Code(f"see {tag} here")


@pytest.mark.parametrize(
    "thought",
    [
        "<think>`x`</think>",
        "<think>\nx\n</think>\n\n",
        "x </think>\n",
        "\nSo: <thinking>x</thinking>",
    ],
)
def test_thought_is_no_part_of_the_text(thought: str) -> None:
    """Its beginning may be missing, as with models whose template writes it."""
    assert read(f"{thought}Yes.", str) == "Yes."
