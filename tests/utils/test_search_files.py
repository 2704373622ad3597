"""`search_files`: passages of real files, ranked, with the exact place they come from."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wirebook_utils.errors import UsageError
from wirebook_utils.search_files import search_files
from wirebook_utils.search_files.bm25 import BM25, stem, words
from wirebook_utils.search_files.passages import passages

LINES = st.sampled_from(
    [
        "",
        "",
        "# Head",
        "plain words here.",
        "一二三四五六七八九十。",
        "x" * 130,
        "```",
        "Title",
        "=====",
        "  - item",
        "a. b. c.",
        "\u2028",
        "\tend \r",
    ]
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(document=st.lists(LINES, max_size=40).map("\n".join), size=st.integers(20, 200))
def test_span_cuts_the_passage_out_of_the_document(document: str, size: int) -> None:
    """Each passage is what its span says, none is too long, and no word is lost or doubled."""
    found = passages("doc.md", document, size)
    assert all(document[p.start : p.end] == p.text for p in found)
    assert all(0 < len(p.text) <= size for p in found)
    assert "".join("".join(p.text.split()) for p in found) == "".join(document.split())


def test_title_is_the_heading_above() -> None:
    """A passage is titled by the nearest heading, Markdown's or underlined, else by its file."""
    document = "Intro.\n\n# One\n\nFirst.\n\n```\n# no heading\n```\n\nTwo\n===\n\nSecond."
    titles = {p.text.splitlines()[-1]: p.title for p in passages("a.md", document, 30)}
    assert titles["Intro."] == "a.md"
    assert titles["First."] == "One"
    assert titles["Second."] == "Two"


@pytest.mark.parametrize("text", ["字" * 5_000_000, "word " * 1_000_000, "x" * 100_000])
def test_hard_upper_limit_in_any_script(text: str) -> None:
    """A document of one endless line is cut into passages of the size, whatever its script."""
    found = passages("big.txt", text)
    assert max(len(p.text) for p in found) <= 1000
    assert len(found) <= 2 * len(text) / 1000 + 1


def test_finds_the_passage_and_says_where(tmp_path: Path) -> None:
    """The best hit is the passage about it, with file, heading, text and span."""
    (tmp_path / "sub").mkdir()
    text = "# Otters\n\nOtters hold hands while they sleep.\n\n# Moles\n\nMoles dig tunnels.\n"
    (tmp_path / "sub/animals.md").write_text(text, encoding="utf-8")
    (tmp_path / "other.txt").write_text("Nothing of interest.", encoding="utf-8")
    best = search_files(tmp_path)("why do otters hold hands?")[0]
    assert (best.url, best.title) == ("sub/animals.md", "Otters")
    assert best.span is not None
    assert text[best.span[0] : best.span[1]] == best.text
    assert best.score > 0


def test_no_match_is_no_hit(tmp_path: Path) -> None:
    """A query that shares no word with any file finds nothing."""
    (tmp_path / "a.txt").write_text("one two three", encoding="utf-8")
    assert search_files(tmp_path)("zebra") == []
    assert search_files(tmp_path)("") == []


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("猫は魚が好きです。", "魚が好き"),
        ("Кошки любят рыбу.", "рыбу"),
        ("Ο γάτος κοιμάται.", "γάτος"),
        ("मुझे हिन्दी पसंद है।", "हिन्दी"),
        ("Two cafe\u0301s.", "cafés"),
        ("Le café est bon.", "cafe"),
        ("小猫在睡觉。", "猫"),
        ("AsyncBatchNode waits.", "async batch"),
    ],
)
def test_any_script_is_found(tmp_path: Path, text: str, query: str) -> None:
    """Words of any script match, spaces between them or not."""
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    (tmp_path / "b.txt").write_text("Dogs bark.", encoding="utf-8")
    assert [hit.url for hit in search_files(tmp_path)(query)] == ["a.txt"]


def test_hidden_files_links_and_other_kinds_are_passed_over(tmp_path: Path) -> None:
    """Only text files below the folder are read."""
    outside = tmp_path / "outside.txt"
    outside.write_text("secret", encoding="utf-8")
    folder = tmp_path / "docs"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git/a.txt").write_text("secret", encoding="utf-8")
    (folder / ".hidden.md").write_text("secret", encoding="utf-8")
    (folder / "code.py").write_text("secret", encoding="utf-8")
    (folder / "link.txt").symlink_to(outside)
    (folder / "a.md").write_text("\ufeffopen", encoding="utf-8")
    search = search_files(folder)
    assert search("secret") == []
    assert search("open")[0].text == "open"


def test_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    """A binary file is left out with a warning that names it; the others are searched.

    The warning points to the line that asked for the folder.
    """
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "good.txt").write_text("word", encoding="utf-8")
    with pytest.warns(UserWarning, match=r"bad\.txt is no UTF-8 text: left out") as warned:
        search = search_files(tmp_path)
    assert [warning.filename for warning in warned] == [__file__]
    assert len(search("word")) == 1


def test_folder_that_cannot_be_searched_says_why(tmp_path: Path) -> None:
    """A missing folder, a file, and a folder without text each say what to give."""
    with pytest.raises(UsageError, match="no folder"):
        search_files(tmp_path / "nope")
    (tmp_path / "a.txt").write_text(" \n", encoding="utf-8")
    with pytest.raises(UsageError, match="is a file"):
        search_files(tmp_path / "a.txt")
    with pytest.raises(UsageError, match="Nothing to read"):
        search_files(tmp_path)


def test_rank_is_okapi() -> None:
    """The score is that of the formula, worked out by hand for one word in one of two texts."""
    [(i, score)] = BM25(["cat", "dog dog"]).rank("cat", 5)
    # idf = ln(1 + 1.5 / 1.5), tf part = 2.5 / (1 + 1.5 * (0.25 + 0.75 / 1.5))
    assert (i, round(score, 4)) == (0, round(0.693147 * 2.5 / 2.125, 4))


def test_plain_endings_do_not_matter() -> None:
    """Plural and tense match their word; short and foreign words stay."""
    for one, other in [
        ("retries", "retry"),
        ("stopped", "stop"),
        ("running", "run"),
        ("passes", "passe"),
        ("node", "nodes"),
        ("caches", "cached"),
    ]:
        assert stem(one) == stem(other)
    assert words("Is it ÜBER-cool? 日本語") == ["is", "it", "uber", "cool", "日本", "本語"]


def test_odd_headings_and_fences_are_read_in_time() -> None:
    """Endless spaces and hashes are no trap, and a fence is closed by its own mark only."""
    assert passages("a.md", "# a" + " " * 50_000 + "b") != []
    assert passages("a.md", "# a" + "#" * 50_000 + "b") != []
    document = "~~~\n```\n# comment\n~~~\n\n# Real ##\n\nText."
    assert passages("a.md", document, 20)[-1].title == "Real"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipe_in_the_folder_is_passed_over(tmp_path: Path) -> None:
    """What is no plain file is not opened, which could wait for ever."""
    os.mkfifo(tmp_path / "x.md")
    (tmp_path / "a.md").write_text("some words", encoding="utf-8")
    assert len(search_files(tmp_path)("words")) == 1


def test_name_that_no_file_can_have_is_no_folder() -> None:
    """Thousands of letters are told as a missing folder."""
    with pytest.raises(UsageError, match="no folder"):
        search_files("a" * 5000)


def test_file_that_cannot_be_looked_at_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder may list its names and nothing else."""
    (tmp_path / "a.md").write_text("Otters hold hands.", encoding="utf-8")
    (tmp_path / "shut.md").write_text("Otters sleep.", encoding="utf-8")
    stat, read_bytes = os.stat, Path.read_bytes

    def shut(path: Any) -> None:
        if str(path).endswith("shut.md"):
            raise PermissionError(13, "Permission denied", str(path))

    def guarded_stat(path: Any, **how: Any) -> os.stat_result:
        shut(path)
        return stat(path, **how)

    def guarded_read(path: Path) -> bytes:
        shut(path)
        return read_bytes(path)

    monkeypatch.setattr(os, "stat", guarded_stat)
    monkeypatch.setattr(Path, "read_bytes", guarded_read)
    with pytest.warns(UserWarning, match=r"^shut\.md cannot be read: left out\.$"):
        search = search_files(tmp_path)
    assert [hit.url for hit in search("otters")] == ["a.md"]


@pytest.mark.parametrize("head", ["# {}\n\n", "{}\n---\n\n"])
def test_heading_is_no_longer_than_its_passages_bear(head: str) -> None:
    """Each passage below it is indexed with it."""
    document = head.format("a " * 50_000).replace("---", "-" * 100_000) + "Otters.\n\n" * 5_000
    assert max(len(passage.title) for passage in passages("a.md", document)) <= 200
