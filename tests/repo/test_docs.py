"""Every block of the README and the docs runs and prints what stands there; links lead on."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from wirebook_cli.main import cli

from tests.repo.blocks import PAGES, Block, alike, blocks, run
from tests.repo.tree import MEMBERS, ROOT, project, tracked

BLOCKS = [block for page in PAGES for block in blocks(page)]
# The second command of the README runs these very tests.
RUNNABLE = [block for block in BLOCKS if "pytest" not in block.code and "make " not in block.code]


@pytest.mark.parametrize("block", RUNNABLE, ids=str)
def test_block_runs_and_prints_what_stands_there(block: Block, tmp_path: Path) -> None:
    """A block ends well, and the output printed below it is its own."""
    output = run(block, tmp_path)
    if block.output is not None:
        assert alike(output) == alike(block.output), "Run: python -m tests.repo.blocks renew"


def test_model_of_the_readme_answers(tmp_path: Path) -> None:
    """The function that the README puts into `my_llm.py` serves the command."""
    [model] = [block.code for block in blocks(PAGES[0]) if block.code.startswith("def call(")]
    assert len(model.splitlines()) == 3
    (tmp_path / "my_llm.py").write_text(model, encoding="utf-8")
    words = ["run", "agent", "Why?", "--docs", str(ROOT / "docs"), "--call-llm", "my_llm:call"]
    done = subprocess.run(
        [sys.executable, "-m", "wirebook_cli.main", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("It ends its batch, unless it has a fallback [1].")
    assert done.returncode == 0


def test_readme_has_its_two_commands() -> None:
    """The README's first command sets up and answers; the second passes the tests."""
    setups = [block for block in blocks(PAGES[0]) if block.needs_the_network]
    assert len(setups) == 2
    assert "wirebook run agent" in setups[0].code
    assert "pytest" in setups[1].code


def test_page_of_the_command_has_every_command() -> None:
    """`docs/command.md` prints the help of each command, and names each environment variable."""
    page = ROOT / "docs/command.md"
    printed = {block.code.strip() for block in blocks(page) if block.output}
    words = ["", *(f"{name} " for name in cli.commands)]
    assert {f"wirebook {word}--help" for word in words} <= printed
    text = page.read_text(encoding="utf-8")
    for command in cli.commands.values():
        for option in command.params:
            assert not option.envvar or f"`{option.envvar}`" in text


@pytest.mark.parametrize("member", [member for member in MEMBERS if "patterns/" in member])
def test_pages_have_their_pictures(member: str) -> None:
    """The README of a pattern, and the first page for the agent, show the flow as it is drawn."""
    [name] = project(member)["entry-points"]["wirebook.patterns"]
    pages = [ROOT / member / "README.md", *([ROOT / "README.md"] if name == "agent" else [])]
    for page in pages:
        drawn = [block for block in blocks(page) if block.code == f"wirebook show {name} --draw"]
        assert [block.output[:12] for block in drawn if block.output] == ["flowchart TD"], page
        assert page.read_text(encoding="utf-8").count("```mermaid") == 1


@pytest.mark.parametrize(
    "page", [f for f in tracked() if f.suffix == ".md"], ids=lambda f: str(f.relative_to(ROOT))
)
def test_links_lead_to_files(page: Path) -> None:
    """A relative link names a file of the repository, and a heading that is there."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("http://", "https://")):
            continue
        name, _, heading = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), target
        if heading:
            titles = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), flags=re.M)
            assert heading in {re.sub(r"[^\w\- ]", "", t).lower().replace(" ", "-") for t in titles}
