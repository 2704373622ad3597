"""The types of the core help: mypy and pyright accept what is right and flag what is wrong."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repo.tree import ROOT

RIGHT = ROOT / "tests/typed/right/nodes.py"
WRONG = ROOT / "tests/typed/wrong/nodes.py"
Flagged = dict[Path, set[int]]


def mypy(folder: Path) -> Flagged:
    """Ask mypy, strict, for the lines of both files that have an error."""
    options = ["--strict", "--no-error-summary", "--hide-error-context", "--cache-dir", str(folder)]
    command = [sys.executable, "-m", "mypy", *options, "--config-file", "/dev/null"]
    return {file: _mypy_lines([*command, str(file)]) for file in (RIGHT, WRONG)}


def _mypy_lines(command: list[str]) -> set[int]:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return {int(n) for n in re.findall(r":(\d+): error: ", done.stdout)}


def pyright(folder: Path) -> Flagged:
    """Ask pyright, strict, for the lines of both files that have an error."""
    settings = {
        "typeCheckingMode": "strict",
        "reportUnusedExpression": False,
        "include": [os.path.relpath(file, folder) for file in (RIGHT, WRONG)],
        "extraPaths": [str(ROOT / "core")],
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [sys.executable, "-m", "pyright", "--outputjson", "-p", str(folder)]
    command += ["--pythonpath", sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    assert report["summary"]["filesAnalyzed"] == 2, done.stdout
    flagged: Flagged = {RIGHT: set(), WRONG: set()}
    for found in report["generalDiagnostics"]:
        if found["severity"] == "error":
            flagged[Path(found["file"])].add(found["range"]["start"]["line"] + 1)
    return flagged


@pytest.fixture(scope="module", params=[mypy, pyright], ids=["mypy", "pyright"])
def flagged(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Flagged:
    """Both files as each checker sees them."""
    lines: Flagged = request.param(tmp_path_factory.mktemp("check"))
    return lines


def test_right_is_accepted(flagged: Flagged) -> None:
    """Nothing is flagged in what users rightly write."""
    assert flagged[RIGHT] == set()


def test_wrong_is_flagged(flagged: Flagged) -> None:
    """Exactly the marked lines are flagged."""
    text = WRONG.read_text(encoding="utf-8").splitlines()
    marked = {n for n, line in enumerate(text, 1) if line.endswith("# error")}
    assert flagged[WRONG] == marked
