"""Sentences of a passage: where they stand, and how they read without their marks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wirebook_utils.sentences import plain, sentences

PIECES = st.sampled_from(
    [
        "# T",
        "One. Two? ",
        "a",
        " ",
        "\n",
        "\n\n",
        "- item",
        "```\n",
        "| a | b |",
        "：",
        "句。",
        "e.g. x",
    ]
)


def cut(text: str) -> list[str]:
    """Give the sentences as they stand in the text."""
    return [text[start:end] for start, end in sentences(text)]


@given(st.lists(PIECES).map("".join))
def test_spans_are_in_order_and_hold_words(text: str) -> None:
    """Sentences never overlap, and none is white space or marks alone."""
    at = 0
    for start, end in sentences(text):
        assert at <= start < end <= len(text)
        assert any(char.isalnum() for char in text[start:end])
        assert text[start:end] == text[start:end].strip()
        at = end


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("It has e.g. Dr. No in it. `prep` reads.", ["It has e.g. Dr. No in it.", "`prep` reads."]),
        ("Version 3.11 runs.\nSo it goes.", ["Version 3.11 runs.", "So it goes."]),
        ("猫は魚が好き。犬は肉が好き。", ["猫は魚が好き。", "犬は肉が好き。"]),
        ("# Title\n\nText.", ["Text."]),
        ("Title\n=====\n\nText.", ["Text."]),
        ("- one\n- two\n  more", ["- one", "- two\n  more"]),
        ("| a | b |\n|---|---|\n| c | d |", ["| a | b |", "| c | d |"]),
        ("Run it:\n\n```sh\ngo. Now\n```\n\nDone.", ["Run it:\n\n```sh\ngo. Now\n```", "Done."]),
        ("```\n# no heading\n```", ["```\n# no heading\n```"]),
        ("", []),
    ],
)
def test_cuts_where_a_reader_would(text: str, wanted: list[str]) -> None:
    """At full stops that end a sentence, and between items, rows, headings and code."""
    assert cut(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("- see [the docs](a.md)", "see the docs"),
        ("**Bold** and\nwrapped", "Bold and wrapped"),
        ("| a | `b` |", "a: `b`"),
        ("Run it:\n\n```sh\npip install x\ngo\n```", "Run it: `pip install x; go`"),
    ],
)
def test_plain_takes_the_marks_off(text: str, wanted: str) -> None:
    """What is left is one line, as one would say it."""
    assert plain(text) == wanted
