"""The table in the docs has a row for each thing that the tests hold the providers to."""

import subprocess
import sys

from bench.where import ROOT


def test_table_in_the_docs_is_what_the_tests_say() -> None:
    """A test that was added, or a provider that was left out, shows."""
    run = [sys.executable, "-m", "tests.contracts.table", "--check"]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, "Run: python -m tests.contracts.table --write"
