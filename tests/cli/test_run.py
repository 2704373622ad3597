"""The `wirebook` command, as a user types it: in a process of its own."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "wirebook_cli.main"]
TEXT = "# Otters\n\nOtters hold hands while they sleep. They eat fish.\n"


def wirebook(folder: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("WIREBOOK_")}
    return subprocess.run(
        [*COMMAND, *words],
        cwd=folder,
        env={**clean, **env},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with docs and a module with models."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/animals.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "my_llm.py").write_text(
        "import json, time\n"
        "def call(prompt):\n"
        "    if '[1]' in prompt and '<actions>' in prompt:\n"
        '        return \'{"action": "answer"}\'\n'
        "    if '<actions>' in prompt:\n"
        '        return json.dumps({"action": "search", "query": "otters"})\n'
        "    return '\\x1b[31mred\\x1b[0m \\u202eforged [1].'\n"
        "async def later(prompt): return call(prompt)\n"
        "def broken(prompt): raise ConnectionError('no route\\nto host')\n"
        "def slow(prompt):\n"
        "    print('asked', flush=True)\n"
        "    time.sleep(30)\n"
        "number = 7\n",
        encoding="utf-8",
    )
    (tmp_path / "bad_llm.py").write_text("1 / 0", encoding="utf-8")
    return tmp_path


def test_answers_with_sources_and_steps(folder: Path) -> None:
    """The answer and its sources go to stdout, the steps and the notice to stderr; exit 0."""
    done = wirebook(folder, "run", "agent", "Why do otters hold hands?", "--docs", "docs")
    assert done.returncode == 0
    assert done.stdout.startswith("Otters hold hands while they sleep. [1]")
    assert '[1] animals.md, Otters\n      "' in done.stdout
    assert "answered: 4 steps, 3 model calls" in done.stdout
    assert "1. Decide  search: otters hold hands" in done.stderr
    assert done.stderr.count("No model: the offline stand-in answers") == 1


def test_json_is_one_object_on_stdout(folder: Path) -> None:
    """`--json` prints the keys that are promised, and nothing else to stdout."""
    done = wirebook(folder, "run", "agent", "Why do otters hold hands?", "--docs", "docs", "--json")
    found = json.loads(done.stdout)
    assert list(found) == [
        "text", "sources", "steps", "calls", "tokens", "money", "seconds", "stop_reason", "data",
    ]  # fmt: skip
    assert (found["stop_reason"], found["calls"], found["tokens"]) == ("answered", 3, None)
    source = found["sources"][0]
    assert TEXT[slice(*source["span"])] == source["quote"]
    assert [step["path"] for step in found["steps"]] == ["Decide", "LookUp", "Decide@2", "Write"]


def test_no_evidence_is_said_and_exits_1(folder: Path) -> None:
    """A question that the files do not answer ends with a sentence that says so."""
    done = wirebook(folder, "run", "agent", "What is the capital of France?", "--docs", "docs")
    assert done.returncode == 1
    assert "do not hold an answer" in done.stdout
    assert "no_evidence" in done.stdout


def test_any_function_is_a_model(folder: Path) -> None:
    """`--call-llm` takes a function of a module beside the user; no stand-in is announced."""
    done = wirebook(
        folder, "run", "agent", "Why?", "--docs", "docs", "--call-llm", "my_llm:call", "--quiet"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "forged [1]." in done.stdout


def test_async_function_that_does_not_wait_is_a_model_too(folder: Path) -> None:
    """An async model function serves the command as well."""
    done = wirebook(folder, "run", "agent", "Why?", "--docs", "docs", "--call-llm", "my_llm:later")
    assert "forged [1]." in done.stdout


def test_terminal_is_safe_from_what_a_model_says(folder: Path) -> None:
    """Escape sequences and marks that turn text round do not reach the terminal."""
    done = wirebook(folder, "run", "agent", "Why?", "--docs", "docs", "--call-llm", "my_llm:call")
    assert "\x1b" not in done.stdout + done.stderr
    assert done.stdout.startswith("red forged [1].")
    assert "\u202e" not in done.stdout + done.stderr


def test_environment_names_the_model(folder: Path) -> None:
    """`WIREBOOK_CALL_LLM` does what `--call-llm` does."""
    done = wirebook(
        folder, "run", "agent", "Why?", "--docs", "docs", WIREBOOK_CALL_LLM="my_llm:call"
    )
    assert "forged" in done.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["run"], "Missing argument"),
        (["run", "agent", " ", "--docs", "docs"], "question is empty"),
        (["run", "agent", "Why?"], "--docs"),
        (["run", "agent", "Why?", "--docs", "nope"], "no folder 'nope'"),
        (["run", "agent", "Why?", "--docs", "my_llm.py"], "is a file"),
        (["run", "agent", "Why?", "--docs", "empty"], "Nothing to read"),
        (["run", "nope", "Why?", "--docs", "docs"], "Installed: agent"),
        (["run", "agnt", "Why?", "--docs", "docs"], "Did you mean 'agent'?"),
        (
            ["run", "agent", "Why?", "--docs", "docs", "--call-llm", "nope:f"],
            "No module named 'nope'",
        ),
        (["run", "agent", "Why?", "--docs", "docs", "--call-llm", "my_llm:f"], "no function 'f'"),
        (["run", "agent", "Why?", "--docs", "docs", "--call-llm", "my_llm:number"], "no function"),
        (["run", "agent", "Why?", "--docs", "docs", "--call-llm", "my_llm"], "module:function"),
        (
            ["run", "agent", "Why?", "--docs", "docs", "--call-llm", "bad_llm:f"],
            "ZeroDivisionError",
        ),
        (["run", "agent", "Why?", "--docs", "docs", "--max-steps", "0"], "at least one step"),
        (["run", "agent", "Why?", "--docs", "docs", "--max-steps", "many"], "many"),
        (["run", "agent", "Why?", "--docs", "docs", "--timeout", "0"], "more than 0"),
        (["run", "agent", "Why?", "--nope"], "--nope"),
        (["nope"], "nope"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_input_is_one_line_and_exits_2(folder: Path, words: list[str], says: str) -> None:
    """Whatever is typed wrong is one line that says what to do, and never a traceback."""
    (folder / "empty").mkdir()
    done = wirebook(folder, *words)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert line.startswith("wirebook: ")
    assert says in line


def test_service_that_fails_exits_3(folder: Path) -> None:
    """What the model function raises is one line with its own place and the step it came from."""
    done = wirebook(
        folder, "run", "agent", "Why?", "--docs", "docs", "--call-llm", "my_llm:broken", "--quiet"
    )
    assert done.returncode == 3
    [line] = done.stderr.splitlines()
    assert "ConnectionError: no route to host" in line
    assert "(my_llm.py:9; in Flow/Decide" in line


def test_unreadable_file_is_named_and_the_rest_is_searched(folder: Path) -> None:
    """A binary file among the docs is a note, not an end."""
    (folder / "docs/blob.txt").write_bytes(b"\xff\xfe\x00")
    done = wirebook(folder, "run", "agent", "Why do otters hold hands?", "--docs", "docs")
    assert done.returncode == 0
    assert "Note: blob.txt is no UTF-8 text: left out." in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a signal that a test can send")
def test_interrupt_exits_130_at_once(folder: Path) -> None:
    """Ctrl-C ends a run that hangs in a model call, with one line."""
    words = ["run", "agent", "Why?", "--docs", "docs", "--call-llm", "my_llm:slow"]
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*COMMAND, *words],
        cwd=folder,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "asked\n"
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=10)
        assert time.monotonic() - began < 5
    assert process.returncode == 130
    assert stderr.splitlines()[-1] == "wirebook: interrupted"
    assert "Traceback" not in stderr


@pytest.mark.skipif(sys.platform == "win32", reason="sh")
def test_closed_pipe_is_no_error(folder: Path) -> None:
    """`wirebook ... | head -0` ends quietly."""
    ask = f'{sys.executable} -m wirebook_cli.main run agent "otters sleep" --docs docs --quiet'
    done = subprocess.run(
        ["sh", "-c", f"{ask} | head -c 0"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    assert "Error" not in done.stderr


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_terminal_without_the_characters_is_no_error(folder: Path, more: list[str]) -> None:
    """Where the output cannot show a character, the answer is printed all the same."""
    (folder / "docs/cats.md").write_text("# Käse\n\nKatzen mögen 魚 sehr gern.\n", encoding="utf-8")
    words = ["run", "agent", "Mögen Katzen 魚 gern?", "--docs", "docs", *more]
    done = wirebook(folder, *words, PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    if more:
        assert "mögen 魚" in json.loads(done.stdout)["text"]


@pytest.mark.skipif(sys.platform == "win32", reason="sh")
def test_closed_stdout_is_no_error(folder: Path) -> None:
    """With nowhere to print to, the exit code still tells how it went."""
    ask = f'{sys.executable} -m wirebook_cli.main run agent "otters sleep" --docs docs >&-'
    done = subprocess.run(
        ["sh", "-c", ask], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "Error" in done.stderr) == (0, False)


@pytest.mark.skipif(sys.platform == "win32", reason="sh")
def test_closed_stderr_does_not_mix_the_steps_into_the_answer(folder: Path) -> None:
    """With nowhere to tell the steps, `--json` is still one object."""
    ask = f'{sys.executable} -m wirebook_cli.main run agent "otters" --docs docs --json 2>&-'
    done = subprocess.run(["sh", "-c", ask], cwd=folder, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["stop_reason"] == "answered"


def test_list_and_version(folder: Path) -> None:
    """`list` names what is installed; `--version` tells ours."""
    assert wirebook(folder, "list").stdout.startswith("agent ")
    assert "0.1.0" in wirebook(folder, "--version").stdout
    assert "run" in wirebook(folder, "--help").stdout
    bare = wirebook(folder)
    assert (bare.returncode, bare.stdout) == (0, wirebook(folder, "--help").stdout)


def test_limit_without_a_note_is_no_answer(folder: Path) -> None:
    """Stopped before anything was found: the limit is named, and the exit code is 1."""
    done = wirebook(folder, "run", "agent", "Why otters?", "--docs", "docs", "--max-steps", "1")
    assert done.returncode == 1
    assert "max_steps" in done.stdout
    assert "Stopped before an answer" in done.stdout
