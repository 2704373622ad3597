"""`wirebook model`: what can be pulled, what is here, and what is asked before."""

from pathlib import Path

import pytest

from tests.cli.test_run import folder, wirebook
from tests.utils.local_model.tiny import write_tiny

__all__ = ["folder"]


def test_list_names_size_licence_and_state(tmp_path: Path) -> None:
    """Each model with what it is for; nothing is here at first."""
    done = wirebook(tmp_path, "model", "list", WIREBOOK_MODELS=str(tmp_path / "none"))
    assert done.returncode == 0
    assert "qwen2.5-coder-1.5b   1,117 MB  Apache-2.0  not here" in done.stdout
    assert "minilm" in done.stdout


def test_nothing_is_pulled_without_a_yes(tmp_path: Path) -> None:
    """Size and licence are told; without a terminal nobody agrees, and nothing is written."""
    done = wirebook(tmp_path, "model", "pull", WIREBOOK_MODELS=str(tmp_path / "models"))
    assert done.returncode == 2
    told, ends = done.stderr.splitlines()
    assert told.startswith("qwen2.5-coder-1.5b: Qwen2.5-Coder-1.5B-Instruct")
    assert told.endswith("1,117 MB, licence Apache-2.0.")
    assert ends == "wirebook: Not pulled. Agree, or add --yes."
    assert not (tmp_path / "models").exists()


@pytest.mark.parametrize("command", ["pull", "path", "remove"])
def test_unknown_model_is_one_line(tmp_path: Path, command: str) -> None:
    """It names those there are."""
    done = wirebook(tmp_path, "model", command, "gpt")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "wirebook: No model named 'gpt'. There are: qwen2.5-coder-1.5b, smollm2-135m, minilm."
    ]


def test_path_of_what_is_not_here_says_how_to_get_it(tmp_path: Path) -> None:
    """The command to type."""
    done = wirebook(tmp_path, "model", "path", "minilm", WIREBOOK_MODELS=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert "Try: wirebook model pull minilm" in done.stderr


def test_model_of_ones_own_answers(folder: Path) -> None:
    """`WIREBOOK_GGUF` names a file: it is asked without a key, and the run ends as it always does.

    Its weights are random, so it answers nonsense, which the agent makes do with.
    """
    tiny = write_tiny(folder / "tiny.gguf")
    words = ["run", "agent", "Why do otters hold hands?", "--docs", "docs", "--timeout", "3"]
    done = wirebook(folder, *words, WIREBOOK_GGUF=str(tiny), WIREBOOK_THREADS="1")
    assert "Model: local:tiny" in done.stderr
    assert "model call" in done.stdout
    # Nonsense without an end runs into the deadline, which is an end like others.
    assert done.returncode in (0, 1, 3)
    assert "Traceback" not in done.stderr


def test_model_is_not_loaded_before_the_folder_is_looked_at(folder: Path) -> None:
    """A folder that is not there is told at once, not after a gigabyte was loaded."""
    (folder / "none.gguf").write_text("no model", encoding="utf-8")
    words = ["run", "agent", "Why?", "--docs", "nope", "--model", "local"]
    done = wirebook(folder, *words, WIREBOOK_GGUF=str(folder / "none.gguf"))
    assert done.returncode == 2
    assert done.stderr.startswith("wirebook: There is no folder 'nope'.")
