"""The code blocks and pictures of the README and the docs: find them, run them, renew them.

python -m tests.repo.blocks commands     the README's set-up commands, for a shell
python -m tests.repo.blocks renew        put the real output into the README and the docs
"""

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.repo.tree import MEMBERS, ROOT

PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / member / "README.md" for member in MEMBERS),
]
_BLOCK = re.compile(
    r"^```(?P<kind>python|sh)\n(?P<code>.*?)^```\n(?:\n```text\n(?P<output>.*?)^```\n)?",
    re.M | re.S,
)
# A picture, and in a comment above it the command that draws it.
_MADE = re.compile(
    r"^<!-- made by: (?P<code>[^\n]*) -->\n```mermaid\n(?P<output>.*?)^```\n", re.M | re.S
)


@dataclass(frozen=True)
class Block:
    """One block of code on a page, with the output that follows it, if one does."""

    page: Path
    kind: str
    code: str
    output: str | None
    at: tuple[int, int] | None
    """Where the output stands on the page."""

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}: {self.code.splitlines()[0][:60]}"

    @property
    def needs_the_network(self) -> bool:
        """Tell whether the command sets something up."""
        return "pip install" in self.code or "make setup" in self.code


def blocks(page: Path) -> list[Block]:
    """Find the blocks of a page, and the pictures that a command draws."""
    text = page.read_text(encoding="utf-8")
    found = [*_BLOCK.finditer(text), *_MADE.finditer(text)]
    return [
        Block(
            page,
            match.groupdict().get("kind", "sh"),
            match["code"],
            match["output"],
            match.span("output") if match["output"] is not None else None,
        )
        for match in sorted(found, key=lambda match: match.start())
    ]


NOWHERE = ROOT / ".cache/no-models"


def run(block: Block, folder: Path) -> str:
    """Run a block and give what it printed. Of a set-up command, only the last part is run."""
    command = [sys.executable, "-c", block.code]
    if block.kind == "sh":
        code = block.code.replace("\\\n", " ")
        last = code.rpartition("&&")[2] if block.needs_the_network else code
        command = ["sh", "-ec", last.replace(".venv/bin/", f"{Path(sys.executable).parent}/")]
    # What is printed must not depend on the keys and the models of whoever runs this.
    ours = {
        k: v for k, v in os.environ.items() if not k.startswith(("WIREBOOK_", "OPENAI_", "ANTH"))
    }
    env = {**ours, "PYTHONWARNINGS": "error", "COLUMNS": "100", "WIREBOOK_MODELS": str(NOWHERE)}
    path = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
    where = folder if block.kind == "python" else ROOT
    done = subprocess.run(
        command,
        cwd=where,
        env={**env, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def alike(output: str) -> str:
    """Leave out what differs from run to run: seconds."""
    return re.sub(r"\d+(\.\d+)? (s|ms)\b", "… s", output).strip()


def _renew(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for block in reversed(blocks(page)):
        if block.at and block.output is not None:
            with tempfile.TemporaryDirectory() as folder:
                output = run(block, Path(folder))
            if alike(output) != alike(block.output):
                text = text[: block.at[0]] + output + text[block.at[1] :]
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["commands"]:
        print(*(b.code for b in blocks(PAGES[0]) if b.needs_the_network), sep="\n")
    elif sys.argv[1:] == ["renew"]:
        for each in PAGES:
            _renew(each)
    else:
        sys.exit(__doc__)
