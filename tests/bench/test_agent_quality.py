"""The bench of the agent's answers: what counts as right, and a run on a set of two questions."""

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from wirebook_utils import Prompt
from wirebook_utils.stand_in import stand_in

from bench.agent_quality import f1, figures, is_right, line, measure, normalised, page
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
    found = figures(measure(data / "xquad_en", 60, stand_in))
    assert (found["questions"], found["right"], found["empty"]) == (2, 0.5, 0)
    assert found["stop_reasons"] == {"answered": 1, "no_evidence": 1}
    assert "| a model | 2 | 50.0% |" in page([line("a model", found)], "command")


def test_run_goes_on_where_it_was_broken_off(data: Path, tmp_path: Path) -> None:
    """A question that was answered is not asked again."""
    kept, asked = tmp_path / "kept/it.jsonl", list[str]()

    def model(prompt: Prompt, schema: dict[str, Any] | None = None) -> str:
        asked.append(str(prompt))
        if len(asked) > 4:
            raise KeyboardInterrupt
        return stand_in(prompt, schema=schema)

    with pytest.raises(KeyboardInterrupt):
        measure(data / "xquad_en", 60, model, kept)
    first = kept.read_text(encoding="utf-8")
    assert len(first.splitlines()) == 1
    assert figures(measure(data / "xquad_en", 60, stand_in, kept))["questions"] == 2
    assert kept.read_text(encoding="utf-8").startswith(first)


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
