"""Size is a feature: code lines per part, raised only with a reason in the commit."""

import io
import tokenize
from pathlib import Path

import pytest

from tests.repo.tree import MEMBERS, ROOT, code_lines, sources

LAYERS = ROOT / "utils/wirebook_utils/layers"
TESTING = ROOT / "utils/wirebook_utils/testing"
CORE = ROOT / "core/wirebook/core.py"


def total(files: list[Path]) -> int:
    """Add up the code lines of files."""
    return sum(code_lines(file.read_text(encoding="utf-8")) for file in files)


@pytest.mark.parametrize(
    ("name", "files", "budget"),
    [
        ("core", [CORE], 100),
        ("layers", sources(LAYERS), 1200),
        ("testing", sources(TESTING), 500),
        (
            "the rest of utils",
            [
                file
                for file in sources(ROOT / "utils/wirebook_utils")
                if not {LAYERS, TESTING} & {*file.parents}
            ],
            3600,
        ),
        ("agent", sources(ROOT / "patterns/agent/wirebook_agent"), 700),
        ("cli", sources(ROOT / "cli/wirebook_cli"), 1200),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_code_lines_keep_to_the_budget(name: str, files: list[Path], budget: int) -> None:
    """No part has more code lines than it may."""
    assert files, name
    assert total(files) <= budget


def test_core_is_laid_out_plainly() -> None:
    """The core has at most 100 columns and no semicolons."""
    text = CORE.read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) <= 100
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    assert ";" not in [token.string for token in tokens]


def test_counter_counts_what_it_says() -> None:
    """Blank lines, comments and docstrings are no code; imports, signatures and bodies are."""
    head = '"""Doc."""\n\nimport os  # why\n\n\n'
    source = head + 'def f(\n    a,\n):\n    """Doc."""\n    # no\n    return a\n'
    assert code_lines(source) == 1 + 3 + 1


@pytest.mark.parametrize("member", MEMBERS)
def test_no_file_needs_a_table_of_contents(member: str) -> None:
    """A file of more than 250 lines wants splitting."""
    long = {
        file.name: lines
        for file in sources(ROOT / member / MEMBERS[member])
        if (lines := len(file.read_text(encoding="utf-8").splitlines())) > 250
    }
    assert long == {}
