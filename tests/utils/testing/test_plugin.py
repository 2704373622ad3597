"""The pytest plugin, in a project of somebody else."""

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import socket
import time


def test_left_over(scripted_llm):
    scripted_llm("never asked for")


def test_used(scripted_llm):
    assert scripted_llm("hi")("?") == "hi"


def test_network(no_network):
    socket.getaddrinfo("example.org", 80)


def test_clock(fake_clock):
    time.sleep(3600)
    assert fake_clock.waits == [3600]


def test_plain():
    assert socket.getaddrinfo.__name__ == NAME
"""


@pytest.mark.parametrize("setting", ["", "wirebook_no_network = true"])
def test_plugin_serves_a_project(tmp_path: Path, setting: str) -> None:
    """Its fixtures work; the network is shut for all tests only where the setting says so."""
    (tmp_path / "pytest.ini").write_text(f"[pytest]\n{setting}\n", encoding="utf-8")
    name = "guarded_look_up" if setting else "getaddrinfo"
    (tmp_path / "test_it.py").write_text(TESTS.replace("NAME", repr(name)), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Not asked for, after 0 prompts" in done.stdout
    assert "A test looked up 'example.org'" in done.stdout
    assert "1 failed, 4 passed, 1 error" in done.stdout


TAPED = """
def model(prompt):
    print("asked for", prompt)
    return "reply"


def test_taped(cassette):
    assert cassette(model)("PROMPT") == "reply"


def test_named(cassette):
    assert cassette(model, name="other")("x") == "reply"
    assert WORKS
"""


def test_cassettes_are_recorded_and_played_back(tmp_path: Path) -> None:
    """Without a file it says how to make one; a changed prompt fails; `--record` renews them."""

    def go(*options: str, prompt: str = "Why?", works: bool = True) -> str:
        text = TAPED.replace("PROMPT", prompt).replace("WORKS", str(works))
        (tmp_path / "test_taped.py").write_text(text, encoding="utf-8")
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        ).stdout

    (tmp_path / "pytest.ini").write_text("[pytest]\nwirebook_no_network = true\n")
    folder = tmp_path / "cassettes/test_taped"
    assert "To record it: pytest --record" in go()
    assert "1 failed, 1 passed" in go("--record", works=False)
    assert [file.name for file in folder.iterdir()] == ["test_taped.yaml"]
    assert "2 passed" in go("--record")
    assert {file.name for file in folder.iterdir()} == {"test_taped.yaml", "other.yaml"}
    assert "2 passed" in go()
    changed = go(prompt="Why not?")
    assert "1 failed, 1 passed" in changed
    assert "-prompt: Why?" in changed
    assert "2 passed" in go("--record", prompt="Why not?")
    assert "2 passed" in go(prompt="Why not?")
