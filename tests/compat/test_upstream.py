"""Proof 1: PocketFlow's own tests pass, unchanged, with `pocketflow` standing for `wirebook`."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import wirebook.core

from tests.compat.fetch import CACHE


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """Run the tests of the release once, in a process where the name can be taken."""
    if not (CACHE / "tests").is_dir():
        pytest.fail(f"PocketFlow's tests are not in {CACHE}: run `make setup`.", pytrace=False)
    runner = Path(__file__).with_name("alias.py")
    command = [sys.executable, str(runner), str(CACHE / "tests")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    read: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return read


def test_every_upstream_test_passes(report: dict[str, Any]) -> None:
    """All 54 tests of the 0.0.3 release run, none is skipped and none fails."""
    assert report["failed"] == []
    assert (report["ran"], report["skipped"]) == (54, 0)


def test_the_tests_ran_on_wirebook(report: dict[str, Any]) -> None:
    """Each class that those tests imported from `pocketflow` was ours."""
    assert report["sources"] == [wirebook.core.__file__]
