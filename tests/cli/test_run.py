"""The `wirebook` command, as a user types it: in a process of its own."""

import json
import os
import re
import shlex
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
    return subprocess.run(
        [*COMMAND, *words],
        cwd=folder,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with docs and a module with models."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/animals.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "my_llm.py").write_text(
        "import asyncio, json, time\n"
        "def call(prompt):\n"
        "    if '[1]' in prompt and '<actions>' in prompt:\n"
        '        return \'{"action": "answer"}\'\n'
        "    if '<actions>' in prompt:\n"
        '        return json.dumps({"action": "search", "query": "otters"})\n'
        "    return '\\x1b[31mred\\x1b[0m \\u202eforged [1].'\n"
        "def exact(prompt):\n"
        "    from wirebook_utils import record\n"
        "    record('m', 1000, 10)\n"
        "    return call(prompt)\n"
        "async def later(prompt):\n"
        "    await asyncio.sleep(0.001)\n"
        "    return call(prompt)\n"
        "def down(prompt):\n"
        "    from wirebook_utils import ServiceError\n"
        "    raise ServiceError('example is down. Try later.')\n"
        "def found(query):\n"
        "    from wirebook_utils import Hit\n"
        "    return [Hit('Own', 'own:1', 'Found by my own search.', 1.0)]\n"
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
        "text", "sources", "steps", "calls", "tokens", "money", "seconds", "stop_reason", "model",
        "data",
    ]  # fmt: skip
    assert (found["stop_reason"], found["calls"], found["tokens"]) == ("answered", 3, None)
    assert found["model"] == "stand-in"
    source = found["sources"][0]
    assert TEXT[slice(*source["span"])] == source["quote"]
    assert [step["path"] for step in found["steps"]] == ["Decide", "LookUp", "Decide@2", "Write"]


def test_no_evidence_is_said_and_exits_1(folder: Path) -> None:
    """A question that the files do not answer ends with a sentence that says so."""
    done = wirebook(folder, "run", "agent", "What is the capital of France?", "--docs", "docs")
    assert done.returncode == 1
    assert "do not hold an answer" in done.stdout
    assert "found nothing." in done.stdout
    assert "Note:" not in done.stderr
    assert "no_evidence" in done.stdout


def test_any_function_is_a_model(folder: Path) -> None:
    """`--call-llm` takes a function of a module beside the user; no stand-in is announced."""
    done = wirebook(
        folder, "run", "agent", "Why?", "--docs", "docs", "--call-llm", "my_llm:call", "--quiet"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "forged [1]." in done.stdout


def test_tokens_are_shown_where_the_model_reports_them(folder: Path) -> None:
    """Input and output of all calls are one number; `--json` has the same."""
    words = ["run", "agent", "Why?", "--docs", "docs", "--call-llm", "my_llm:exact"]
    assert "3 model calls, 3,030 tokens, " in wirebook(folder, *words).stdout
    assert json.loads(wirebook(folder, *words, "--json").stdout)["tokens"] == 3030


def test_async_function_is_a_model_too(folder: Path) -> None:
    """A model function that waits serves the command as well."""
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
    words = ["run", "agent", "Why?", "--docs", "docs"]
    done = wirebook(folder, *words, WIREBOOK_CALL_LLM="my_llm:call")
    assert "forged" in done.stdout
    assert done.stderr.startswith("Model: my_llm:call\n")
    done = wirebook(folder, *words, "--json", WIREBOOK_CALL_LLM="my_llm:call")
    assert json.loads(done.stdout)["model"] == "my_llm:call"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["run"], "Missing argument 'PATTERN'. See: wirebook run --help"),
        (["run", "agent", " ", "--docs", "docs"], "question is empty"),
        (["run", "agent", "Why?", "--search", "files"], "--docs FOLDER"),
        (["run", "agent", "Why?", "--search", "web", "--docs", "docs"], "Give one of"),
        (["run", "agent", "Why?", "--search", "nope:f"], "No module named 'nope'"),
        (["run", "agent", "Why?", "--docs", "docs", "--model", "gpt"], "No provider named 'gpt'"),
        (["run", "agent", "Why?", "--docs", "docs", "--model", "openai"], "OPENAI_API_KEY"),
        (["run", "agent", "Why?", "--docs", "docs", "--model", "compatible"], "Which model"),
        (
            ["run", "agent", "Why?", "--docs", "docs", "--model", "a:b", "--call-llm", "my_llm:f"],
            "Give one of --model and --call-llm",
        ),
        (["run", "agent", "Why?", "--docs", "docs", "--trace", "nope/x"], "--trace 'nope/x'"),
        (["run", "agent", "Why?", "--docs", "docs", "--trace", "docs"], "--trace 'docs'"),
        (["run", "agent"], "Missing argument 'QUESTION'. See: wirebook run --help"),
        (
            ["run", "agent", "What", "is", "it?"],
            "(is it?). Put a question of several words in quotes",
        ),
        (["run", "agent", "", "--docs", "docs"], "question is empty"),
        (["run", "agent", "Why?", "--docs", "blobs"], "Nothing to read in 'blobs'"),
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
        (
            ["run", "agent", "Why?", "--docs", "docs", "--call-llm", "./my_llm.py:call"],
            "Give the module in it, such as my_llm:call.",
        ),
        (["run", "agent", "Why?", "--docs", "docs", "--max-steps", "0"], "at least one step"),
        (["run", "agent", "Why?", "--docs", "docs", "--max-steps", "many"], "many"),
        (["run", "agent", "Why?", "--docs", "docs", "--timeout", "0"], "more than 0"),
        (["run", "agent", "Why?", "--nope"], "--nope"),
        (["nope"], "No such command 'nope'. See: wirebook --help"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_input_is_one_line_and_exits_2(folder: Path, words: list[str], says: str) -> None:
    """Whatever is typed wrong is one line that says what to do, and never a traceback."""
    (folder / "empty").mkdir()
    (folder / "blobs").mkdir()
    (folder / "blobs/a.txt").write_bytes(bytes(range(256)) * 10)
    done = wirebook(folder, *words)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = [line for line in done.stderr.splitlines() if not line.startswith("Note: a.txt")]
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
    assert re.search(r"\(my_llm\.py:\d+; in Flow/Decide", line)


def test_service_that_says_what_to_do_exits_3_with_what_was_found(folder: Path) -> None:
    """A model that is down: the best passage is quoted, and the reason told in its own words."""
    done = wirebook(folder, "run", "agent", "otters", "--docs", "docs", "--call-llm", "my_llm:down")
    assert done.returncode == 3
    assert "Otters hold hands" in done.stdout
    assert "error: 4 steps" in done.stdout
    assert done.stderr.count("Note: The model failed: example is down. Try later.") == 1
    assert "my_llm.py" not in done.stderr


def test_model_is_named_and_asked_for(folder: Path) -> None:
    """`--model stand-in` is no notice but a name; a dead server is exit code 3 with its address."""
    words = ["run", "agent", "Why do otters hold hands?", "--docs", "docs"]
    done = wirebook(folder, *words, "--model", "stand-in")
    assert done.returncode == 0
    assert done.stderr.startswith("Model: stand-in\n")
    named = wirebook(folder, *words, WIREBOOK_MODEL="stand-in")
    assert (named.returncode, named.stderr) == (0, done.stderr)
    typed = wirebook(folder, *words, "--model", "stand-in", WIREBOOK_CALL_LLM="my_llm:broken")
    assert (typed.returncode, typed.stderr) == (0, done.stderr)
    done = wirebook(
        folder, *words, "--model", "compatible:m", WIREBOOK_BASE_URL="http://127.0.0.1:9/v1",
        NO_PROXY="*",
    )  # fmt: skip
    assert done.returncode == 3
    assert "127.0.0.1:9" in done.stderr


def test_search_of_ones_own(folder: Path) -> None:
    """`--search` takes a function too; a folder that is typed counts more than the variable."""
    words = ["run", "agent", "Found by my own search?"]
    done = wirebook(folder, *words, "--search", "my_llm:found")
    assert "[1] own:1, Own" in done.stdout
    assert wirebook(folder, *words, WIREBOOK_SEARCH="my_llm:found").stdout[:60] == done.stdout[:60]
    done = wirebook(folder, *words, "--docs", "docs", WIREBOOK_SEARCH="my_llm:found")
    assert "own:1" not in done.stdout


def test_trace_is_written(folder: Path) -> None:
    """`--trace` gives a line of JSON for each span, and appends those of the next run."""
    words = ["run", "agent", "otters sleep", "--docs", "docs", "--trace", "spans.jsonl"]
    wirebook(folder, *words)
    lines = (folder / "spans.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[-1])["attributes"]["wirebook.path"] == "Flow"
    wirebook(folder, *words)
    assert len((folder / "spans.jsonl").read_text(encoding="utf-8").splitlines()) > len(lines)


def on_a_terminal(folder: Path, *words: str, **env: str) -> str:
    """Run the command with a terminal at its ends, and give what it shows."""
    settings = " ".join(f"{name}={value}" for name, value in env.items())
    code = f"cd {folder} && {settings} exec {' '.join(map(shlex.quote, [*COMMAND, *words]))}"
    run = f"import pty, sys; sys.exit(pty.spawn(['sh', '-c', {code!r}]))"
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, check=False)
    return done.stdout.decode().replace("\r\n", "\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_terminal_sees_a_step_begin_and_no_color_is_kept_to(folder: Path) -> None:
    """A step stands there while it runs, and is dimmed when done, unless NO_COLOR is set."""
    words = ["run", "agent", "otters sleep", "--docs", "docs", "--model", "stand-in"]
    shown = on_a_terminal(folder, *words, TERM="xterm")
    assert "1. Decide …\r" in shown
    assert "\x1b[2m  1. Decide  search: otters sleep" in shown
    shown = on_a_terminal(folder, *words, TERM="xterm", NO_COLOR="1")
    assert "1. Decide  search" in shown
    assert "\x1b" not in shown


def test_step_that_a_limit_skipped_has_no_number(folder: Path) -> None:
    """It is told as not run; the numbers are those of the steps that were."""
    done = wirebook(folder, "run", "agent", "otters", "--docs", "docs", "--max-steps", "2")
    assert "     Decide@2  not run: at a limit\n  3. Write" in done.stderr
    # It has cited what it found until then, which is an answer.
    assert done.returncode == 0


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
        # Whoever runs the tests in the background has it ignored, and that would be inherited.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
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


@pytest.mark.skipif(sys.platform == "win32", reason="sh")
@pytest.mark.parametrize("words", ["--help", "--version", "run --help"])
def test_closed_pipe_is_no_error_of_a_help_text(folder: Path, words: str) -> None:
    """Nor does it change the exit code."""
    told = f"({sys.executable} -m wirebook_cli.main {words}; echo $? >code) | true"
    subprocess.run(["sh", "-c", told], cwd=folder, check=True)
    assert (folder / "code").read_text(encoding="utf-8").strip() == "0"


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("ends:call", 2, "Importing 'ends' failed: SystemExit: 0"),
        ("my_llm:ends", 3, "what was run ended the program: SystemExit(0)"),
        ("my_llm:piped", 3, "hung up: [Errno 32] Broken pipe. Try again."),
    ],
)
def test_code_that_ends_the_program_is_told(folder: Path, name: str, code: int, says: str) -> None:
    """Whatever it does, there was no answer, and the exit code says so."""
    (folder / "ends.py").write_text("raise SystemExit(0)", encoding="utf-8")
    with (folder / "my_llm.py").open("a", encoding="utf-8") as module:
        module.write("def ends(prompt): raise SystemExit(0)\n")
        module.write("def piped(prompt): raise BrokenPipeError(32, 'Broken pipe')\n")
    done = wirebook(folder, "run", "agent", "Why?", "--docs", "docs", "--call-llm", name, "--quiet")
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.splitlines() == [f"wirebook: {done.stderr[10:].strip()}"]
    assert says in done.stderr


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
    assert "max_steps: 2 steps, 1 model call, " in done.stdout
    assert "Stopped before an answer" in done.stdout
