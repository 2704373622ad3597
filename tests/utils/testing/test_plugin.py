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
