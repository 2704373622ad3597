"""What the tests of the repository itself look at: its members and its tracked files."""

import ast
import io
import subprocess
import tokenize
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

MEMBERS = {
    "core": "wirebook",
    "utils": "wirebook_utils",
    "patterns/agent": "wirebook_agent",
    "cli": "wirebook_cli",
}


def tracked() -> list[Path]:
    """List the files that git tracks, and those it would add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def sources(folder: Path) -> list[Path]:
    """List the Python files below a folder."""
    return sorted(folder.rglob("*.py"))


def project(member: str) -> dict[str, Any]:
    """Read the `[project]` table of a member."""
    text = (ROOT / member / "pyproject.toml").read_text(encoding="utf-8")
    table: dict[str, Any] = tomllib.loads(text)["project"]
    return table


def code_lines(source: str) -> int:
    """Count the lines that hold code: no blank lines, comments or docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docs: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            docs |= {*range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)}
    empty = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    empty.add(tokenize.ENDMARKER)
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in empty:
            code |= {*range(token.start[0], token.end[0] + 1)}
    return len(code - docs)


def imports(source: str) -> set[str]:
    """Give the dotted names that a module imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." * node.level + (node.module or ""))
    return found
