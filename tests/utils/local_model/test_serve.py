"""A model of this machine answers in process: a tiny one with random weights."""

import asyncio
import json
import threading
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from wirebook_utils import (
    Prompt,
    Truncated,
    UsageError,
    acall_llm,
    ask,
    call_llm,
    chosen_model,
    stream_llm,
)
from wirebook_utils.local_model import is_there, serve, standing
from wirebook_utils.local_model.serve import threads
from wirebook_utils.usage import metering

from tests.utils.local_model.tiny import write_tiny

SCHEMA = {
    "type": "object",
    "properties": {"action": {"enum": ["search", "answer"]}},
    "required": ["action"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny model, written once."""
    return write_tiny(tmp_path_factory.mktemp("gguf") / "tiny.gguf")


@pytest.fixture
def tiny(gguf: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The tiny model as the one that `local` means."""
    monkeypatch.setenv("WIREBOOK_GGUF", str(gguf))
    monkeypatch.setenv("WIREBOOK_THREADS", "1")
    return "local"


def test_model_is_held_to_the_schema(tiny: str) -> None:
    """Its weights are random, and its reply is valid all the same; the tokens are counted."""
    with metering() as meter:
        reply = json.loads(call_llm("Pick one.", model=tiny, schema=SCHEMA))
    assert reply["action"] in ("search", "answer")
    assert (meter.usage.input_tokens or 0) > 0
    assert (meter.usage.output_tokens or 0) > 0


def test_plain_async_and_in_pieces_are_alike(tiny: str) -> None:
    """The same text in each way, at temperature 0."""
    settings: dict[str, Any] = {"model": tiny, "schema": SCHEMA, "temperature": 0}
    whole = call_llm("Pick one.", **settings)
    pieces = [*stream_llm("Pick one.", **settings)]
    assert "".join(pieces) == whole
    assert len(pieces) > 1
    assert asyncio.run(acall_llm("Pick one.", **settings)) == whole


def test_loop_goes_on_while_a_model_is_loaded(
    tiny: str, gguf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is loaded only when the loop has had a turn: a loop that waits for it would wait on."""
    other = tmp_path / "other.gguf"
    other.write_bytes(gguf.read_bytes())
    monkeypatch.setenv("WIREBOOK_GGUF", str(other))
    turned, load = threading.Event(), serve._load

    def slow(*args: Any) -> Any:
        assert turned.wait(30), "the loop stood still"
        return load(*args)

    monkeypatch.setattr(serve, "_load", slow)

    async def main() -> None:
        call = asyncio.create_task(acall_llm("Pick one.", model=tiny, schema=SCHEMA))
        await asyncio.sleep(0.05)
        turned.set()
        assert json.loads(await call)["action"] in ("search", "answer")

    asyncio.run(main())


def test_server_asks_for_the_key(tiny: str) -> None:
    """Another user of the machine can reach the port, and gets nothing."""
    url, key = serve.served("tiny")
    statuses: list[int] = []
    for right in (key, "guess"):
        request = urllib.request.Request(
            f"{url}/chat/completions",
            json.dumps({"messages": [{"role": "user", "content": "hi"}], "max_tokens": 1}).encode(),
            {"Authorization": f"Bearer {right}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request) as response:
                statuses.append(response.status)
        except urllib.error.HTTPError as error:
            statuses.append(error.code)
            error.close()
    assert statuses == [200, 401]


def test_reply_without_an_end_is_cut_and_told(tiny: str) -> None:
    """At the limit that is set; nonsense does not go on for ever."""
    with pytest.raises(Truncated, match="local:tiny"):
        call_llm("Say something.", model=tiny, max_tokens=5)


def test_ask_gives_a_value(tiny: str) -> None:
    """A model held to a schema needs one try for a value of a type."""

    def model(prompt: Prompt, schema: dict[str, Any] | None = None) -> str:
        return call_llm(prompt, model=tiny, schema=schema)

    assert ask(model, "Pick a number.", bool, tries=1) in (True, False)


def test_local_model_comes_before_the_stand_in(tiny: str) -> None:
    """Without a key the model that is here answers; a key goes before it."""
    assert (is_there(), standing(), chosen_model()) == (True, "tiny", "local:tiny")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "k")
        assert chosen_model().startswith("openai:")


def test_without_a_model_the_command_to_pull_one_is_told() -> None:
    """Nothing is pulled by itself."""
    assert not is_there()
    with pytest.raises(UsageError, match=r"Try: wirebook model pull qwen2\.5-coder-1\.5b"):
        call_llm("hi", model="local")
    with pytest.raises(UsageError, match=r"No model named 'nope'\. There are: qwen"):
        call_llm("hi", model="local:nope")


def test_file_that_is_no_model_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A path that leads nowhere, and a file of something else."""
    monkeypatch.setenv("WIREBOOK_GGUF", str(tmp_path / "none.gguf"))
    with pytest.raises(UsageError, match="is no file"):
        call_llm("hi", model="local")
    wrong = tmp_path / "wrong.gguf"
    wrong.write_text("no model", encoding="utf-8")
    monkeypatch.setenv("WIREBOOK_GGUF", str(wrong))
    with pytest.raises(UsageError, match="cannot be loaded as a model"):
        call_llm("hi", model="local")


def test_threads_are_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """One under CI, else some of the processors; what is set counts, if it is a number."""
    monkeypatch.setenv("CI", "1")
    assert threads() == 1
    monkeypatch.delenv("CI")
    assert 1 <= threads() <= 4
    monkeypatch.setenv("WIREBOOK_THREADS", "3")
    assert threads() == 3
    monkeypatch.setenv("WIREBOOK_THREADS", "many")
    with pytest.raises(UsageError, match="give a number of threads"):
        threads()
