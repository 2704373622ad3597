"""Each deliberate difference is one: seen on both libraries, and listed in the documentation."""

import importlib
import re
from pathlib import Path

import pytest

from tests.compat.rows import ROWS, Row

PAGE = Path(__file__).parents[2] / "docs" / "drop-in.md"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_row_is_different(row: Row) -> None:
    """The two libraries do what the row says of them, and that is not the same."""
    assert row.observe(importlib.import_module("pocketflow")) == row.theirs
    assert row.observe(importlib.import_module("wirebook")) == row.ours
    assert row.theirs != row.ours


def test_page_lists_the_rows() -> None:
    """The table of `docs/drop-in.md` names every row, in the same order, and no other."""
    table = PAGE.read_text().split("## Deliberate differences", 1)[1].split("\n## ", 1)[0]
    names = re.findall(r"^\| (.+?) \|", table, re.MULTILINE)
    assert names[1:] == [row.name for row in ROWS]
