"""The agent with what a real model said: the local one of 1.5 billion parameters, recorded once.

pytest tests/agent/test_recorded.py --record      with a pulled model; minutes
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from wirebook_agent import research
from wirebook_utils import CallLLM, call_llm, search_files
from wirebook_utils.testing import Cassette

LOCAL = partial(call_llm, model="local:qwen2.5-coder-1.5b", temperature=0, timeout=600)
FILES = {
    "otters.md": (
        "# Sleep\n\nSea otters hold hands while they sleep, so that they do not drift apart.\n"
    ),
    "beavers.md": "# Dams\n\nThe longest beaver dam is 850 metres long and lies in Alberta.\n",
    "moles.md": "# Tunnels\n\nA mole digs up to 20 metres of tunnel a day.\n",
}
Tape = Callable[..., Cassette]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write the files."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("question", "says", "file"),
    [
        ("Why do sea otters hold hands?", "drift apart", "otters.md"),
        ("How long is the longest beaver dam?", "850", "beavers.md"),
        ("How many metres does a mole dig in a day?", "20", "moles.md"),
    ],
    ids=["otters", "beavers", "moles"],
)
def test_real_model_answers_from_its_source(
    cassette: Tape, folder: Path, question: str, says: str, file: str
) -> None:
    """Searched, found, and cited, in at most two searches."""
    answer = research(question, call_llm=cassette(LOCAL), search=search_files(folder))
    assert (answer.stop_reason, says in answer.text) == ("answered", True)
    assert Path(answer.sources[0].url).name == file
    assert len(answer.data["searches"]) <= 2


def test_real_model_says_that_the_sources_lack_it(cassette: Tape, folder: Path) -> None:
    """What the files do not hold is not made up."""
    model: CallLLM = cassette(LOCAL)
    answer = research("Who painted the Mona Lisa?", call_llm=model, search=search_files(folder))
    assert (answer.stop_reason, answer.sources) == ("no_evidence", ())
