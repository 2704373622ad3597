"""Both type checkers accept `right` and find exactly the marked lines of `wrong`."""

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import TypeAlias

import pytest

HERE = Path(__file__).parent
RIGHT = sorted((HERE / "right").glob("*.py"))
WRONG = sorted((HERE / "wrong").glob("*.py"))

Found: TypeAlias = dict[Path, set[int]]


def checked(*args: str) -> str:
    """Run a type checker with all samples in view and give what it prints."""
    command = [sys.executable, "-m", *args]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=HERE.parents[1])
    assert ran.stdout, ran.stderr
    return ran.stdout


def by_mypy() -> Found:
    """Give the lines with an error for mypy, strict as in `make types`."""
    found: Found = defaultdict(set)
    for line in checked("mypy", "--output=json", *map(str, [*RIGHT, *WRONG])).splitlines():
        error = json.loads(line)
        if error["severity"] == "error":
            found[(HERE.parents[1] / error["file"]).resolve()].add(error["line"])
    return found


def by_pyright() -> Found:
    """Give the lines with an error for pyright, strict."""
    output = checked(
        "pyright", "--outputjson", "--pythonpath", sys.executable, "--project", str(HERE)
    )
    report = json.loads(output)
    assert report["summary"]["filesAnalyzed"] == len(RIGHT) + len(WRONG)
    found: Found = defaultdict(set)
    for error in report["generalDiagnostics"]:
        found[Path(error["file"]).resolve()].add(error["range"]["start"]["line"] + 1)
    return found


def marked(sample: Path) -> set[int]:
    """Give the numbers of the lines that say `# error`."""
    lines = sample.read_text().splitlines()
    return {n for n, line in enumerate(lines, start=1) if line.endswith("# error")}


@pytest.fixture(scope="module", params=[by_mypy, by_pyright])
def found(request: pytest.FixtureRequest) -> Found:
    """What a type checker found, in one run over all samples."""
    lines: Found = request.param()
    return lines


@pytest.mark.parametrize("sample", RIGHT, ids=lambda sample: sample.stem)
def test_right_sample_has_no_error(found: Found, sample: Path) -> None:
    """What is typed right passes both checkers at their strictest."""
    assert sample.resolve() not in found


@pytest.mark.parametrize("sample", WRONG, ids=lambda sample: sample.stem)
def test_wrong_sample_has_the_marked_errors(found: Found, sample: Path) -> None:
    """Each marked line is an error for both checkers, and no other line is."""
    assert marked(sample)
    assert found[sample.resolve()] == marked(sample)
