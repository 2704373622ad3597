"""Each member builds as sdist and wheel, and installs alone with plain pip and no index."""

import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.repo.blocks import blocks
from tests.repo.tree import MEMBERS, ROOT, project

pytestmark = pytest.mark.slow

# Filled by `make slow`: what members need from outside, so that no test needs the network.
OUTSIDE = ROOT / ".cache/wheels"

LOWEST = "click==8.3.0"

# Prints what an environment holds, with the bytes of the files in each `RECORD`.
SIZES = """
import json, os, re
from importlib.metadata import distributions

sizes = {}
for dist in distributions():
    files = [dist.locate_file(file) for file in dist.files or ()]
    name = re.sub("[-_.]+", "-", dist.name).lower()
    sizes[name] = sum(os.path.getsize(file) for file in files if os.path.isfile(file))
print(json.dumps(sizes))
"""

# What the agent alone is, and a bound on the MB of it: what stands in the `RECORD`s, compiled too.
AGENT = {"wirebook", "wirebook-utils", "wirebook-agent"}
AGENT_MB = 1.0

# What a member pulls besides pip, which is there before.
PULLS = {
    "wirebook": {"wirebook"},
    "wirebook-utils": {"wirebook", "wirebook-utils"},
    "wirebook-agent": AGENT,
    "wirebook-cli": {"wirebook", "wirebook-utils", "wirebook-cli", "click"},
    "wirebook-cli[agent]": AGENT | {"wirebook-cli", "click"},
}


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command, and show all it said if it fails."""
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build every member: an sdist from the tree, and the wheel from that sdist."""
    folder = tmp_path_factory.mktemp("wheels")
    for member in MEMBERS:
        run(
            sys.executable,
            "-m",
            "hatchling",
            "build",
            "-t",
            "sdist",
            "-d",
            folder,
            cwd=ROOT / member,
        )
    for archive in folder.glob("*.tar.gz"):
        with tarfile.open(archive) as sdist:
            sdist.extractall(folder, filter="data")
        unpacked = folder / archive.name.removesuffix(".tar.gz")
        run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=unpacked)
    return folder


def test_all_members_are_built(wheels: Path) -> None:
    """There is a wheel and an sdist of each."""
    assert len([*wheels.glob("*.whl")]) == len([*wheels.glob("*.tar.gz")]) == len(MEMBERS)


def fresh(folder: Path, wheels: Path, *names: str) -> Path:
    """Install into a fresh environment, from folders and without an index; give its Python."""
    assert any(OUTSIDE.glob("click-*.whl")), f"{OUTSIDE} is empty. Run: make slow"
    run(sys.executable, "-m", "venv", folder / "env")
    python = folder / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    where: list[str | Path] = ["--no-index", "--find-links", wheels, "--find-links", OUTSIDE]
    run(python, "-m", "pip", "--disable-pip-version-check", "install", *where, *names)
    return python


def pulled(python: Path) -> dict[str, int]:
    """Give what is installed beside pip, with the bytes of its files."""
    sizes: dict[str, int] = json.loads(run(python, "-c", SIZES))
    return {name: size for name, size in sizes.items() if name not in ("pip", "setuptools")}


@pytest.mark.parametrize("name", PULLS)
def test_member_installs_alone(name: str, wheels: Path, tmp_path: Path) -> None:
    """In a fresh environment, from a folder and without an index, it pulls what it says."""
    python = fresh(tmp_path, wheels, name)
    assert pulled(python).keys() - {"colorama"} == PULLS[name]
    module = {project(m)["name"]: MEMBERS[m] for m in MEMBERS}[name.partition("[")[0]]
    where = run(python, "-c", f"import {module}; print({module}.__file__)", cwd=tmp_path)
    assert str(tmp_path) in where
    if name == "wirebook-cli[agent]":
        answers(python, tmp_path)


def test_agent_alone_answers_and_is_as_small_as_its_readme_says(
    wheels: Path, tmp_path: Path
) -> None:
    """It needs no more than its README names, in no more MB, and it runs with that."""
    python = fresh(tmp_path, wheels, "wirebook-agent")
    sizes = pulled(python)
    assert sizes.keys() - {"colorama"} == AGENT
    measured = sum(sizes.values()) / 1e6
    assert measured <= AGENT_MB, sizes
    readme = (ROOT / "patterns/agent/README.md").read_text(encoding="utf-8")
    said = re.search(r"Installed, it is ([\d.]+) MB in all: (.*?)\.\s", readme, re.S)
    assert said, "The README of the agent has to say: Installed, it is N MB in all: `...`."
    assert {*re.findall(r"`([\w-]+)`", said[2])} == AGENT
    # Compiled files and wheels differ a little from one Python and platform to the next.
    assert float(said[1]) == pytest.approx(measured, rel=0.2, abs=0.06), f"{measured:.2f} MB"
    page = blocks(ROOT / "patterns/agent/README.md")
    [use] = [block.code for block in page if block.kind == "python" and block.output]
    assert "Otters hold hands" in run(python, "-c", use, cwd=tmp_path)


def test_lowest_versions_do(wheels: Path, tmp_path: Path) -> None:
    """The command works with the lowest versions of what it needs."""
    answers(fresh(tmp_path, wheels, "wirebook-cli[agent]", LOWEST), tmp_path)


def answers(python: Path, folder: Path) -> None:
    """Ask the installed agent."""
    (folder / "docs").mkdir()
    (folder / "docs/note.md").write_text("# Moon\n\nThe moon is made of basalt.\n")
    ask = ["-m", "wirebook_cli.main", "run", "agent", "What is the moon made of?"]
    assert "basalt" in run(python, *ask, "--docs", "docs", cwd=folder)
