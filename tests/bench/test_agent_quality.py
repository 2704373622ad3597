"""The bench of the agent's answers: what counts as right, and a run on a set of two questions."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.agent_quality import f1, figures, is_right, measure, normalised, page
from tests.repo.tree import ROOT

DOCS = [{"id": "otters", "title": "Otters", "text": "Otters hold hands while they sleep."}]
QUERIES = [
    {"id": "a", "text": "What do otters hold?", "answers": [{"start": 12, "text": "hands"}]},
    {"id": "b", "text": "Who founded Rome?", "answers": [{"start": 0, "text": "Romulus"}]},
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with a set of two questions."""
    folder = tmp_path / "xquad_en"
    folder.mkdir()
    for name, rows in (("docs", DOCS), ("queries", QUERIES)):
        with gzip.open(folder / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    return tmp_path


def test_text_is_normalised_as_squad_does() -> None:
    """Case, punctuation, articles and spaces do not count."""
    assert normalised("The  Broncos' (24)\nand a pass!") == "broncos 24 and pass"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("It was the Denver Broncos. [1]", True),
        ("It was the Denver Broncosaurus.", False),
        ("Denver", False),
        ("The Denver Broncos, " + "x" * 300, False),
        ("", False),
    ],
)
def test_right_is_a_short_text_that_holds_the_answer(text: str, right: bool) -> None:
    """The whole words of the gold answer stand in at most 300 characters."""
    assert is_right(text, ["Denver Broncos", "Broncos of Denver"]) is right


def test_number_of_a_citation_is_no_answer() -> None:
    """`[2]` is not the number two."""
    assert not is_right("Several. [2]", ["2"])
    assert is_right("There were 2. [1]", ["2"])


def test_f1_is_squads() -> None:
    """Precision and recall over words: one of two words, two words said."""
    assert f1("denver rocks", ["Denver Broncos", "Nobody"]) == pytest.approx(0.5)
    assert f1("Denver Broncos [1]", ["the Denver Broncos"]) == 1.0
    assert f1("no", ["Denver"]) == 0.0


def test_run_measures_what_it_says(data: Path) -> None:
    """One of two is right; the other one ends as no evidence, not empty."""
    found = figures(measure(data / "xquad_en", 60))
    assert (found["questions"], found["right"], found["empty"]) == (2, 0.5, 0)
    assert found["stop_reasons"] == {"answered": 1, "no_evidence": 1}
    assert "| the offline stand-in | 50.0% |" in page(found, "command")


def test_without_the_set_it_says_what_is_missing(tmp_path: Path) -> None:
    """One line that names the variable, and exit code 2."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.agent_quality"],
        cwd=ROOT,
        env={"WIREBOOK_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Set WIREBOOK_DATA")
