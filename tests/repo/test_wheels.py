"""Each member builds as sdist and wheel, and installs alone with plain pip and no index."""

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.repo.tree import MEMBERS, ROOT, project

pytestmark = pytest.mark.slow

# Filled by `make slow`: what members need from outside, so that no test needs the network.
OUTSIDE = ROOT / ".cache/wheels"

LOWEST = "click==8.3.0"

# What a member pulls besides pip, which is there before.
PULLS = {
    "wirebook": {"wirebook"},
    "wirebook-utils": {"wirebook", "wirebook-utils"},
    "wirebook-agent": {"wirebook", "wirebook-utils", "wirebook-agent"},
    "wirebook-cli": {"wirebook", "wirebook-utils", "wirebook-cli", "click"},
    "wirebook-cli[agent]": {
        "wirebook",
        "wirebook-utils",
        "wirebook-agent",
        "wirebook-cli",
        "click",
    },
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


@pytest.mark.parametrize("name", PULLS)
def test_member_installs_alone(name: str, wheels: Path, tmp_path: Path) -> None:
    """In a fresh environment, from a folder and without an index, it pulls what it says."""
    assert any(OUTSIDE.glob("click-*.whl")), f"{OUTSIDE} is empty. Run: make slow"
    run(sys.executable, "-m", "venv", tmp_path / "env")
    python = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    pip: list[str | Path] = [python, "-m", "pip", "--disable-pip-version-check"]
    run(*pip, "install", "--no-index", "--find-links", wheels, "--find-links", OUTSIDE, name)
    listed = run(*pip, "list", "--format=freeze").split()
    installed = {line.partition("==")[0] for line in listed} - {"pip", "setuptools"}
    assert installed - {"colorama"} == PULLS[name]
    module = {project(m)["name"]: MEMBERS[m] for m in MEMBERS}[name.partition("[")[0]]
    where = run(python, "-c", f"import {module}; print({module}.__file__)", cwd=tmp_path)
    assert str(tmp_path) in where
    if name == "wirebook-cli[agent]":
        answers(python, tmp_path)


def test_lowest_versions_do(wheels: Path, tmp_path: Path) -> None:
    """The command works with the lowest versions of what it needs."""
    run(sys.executable, "-m", "venv", tmp_path / "env")
    python = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    where: list[str | Path] = ["--no-index", "--find-links", wheels, "--find-links", OUTSIDE]
    run(python, "-m", "pip", "install", *where, "wirebook-cli[agent]", LOWEST)
    answers(python, tmp_path)


def answers(python: Path, folder: Path) -> None:
    """Ask the installed agent."""
    (folder / "docs").mkdir()
    (folder / "docs/note.md").write_text("# Moon\n\nThe moon is made of basalt.\n")
    ask = ["-m", "wirebook_cli.main", "run", "agent", "What is the moon made of?"]
    assert "basalt" in run(python, *ask, "--docs", "docs", cwd=folder)
