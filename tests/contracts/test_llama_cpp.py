"""llama.cpp's own server, with a tiny model: what is not ours understands us, and we it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from wirebook_utils import ServiceError, Truncated, UsageError
from wirebook_utils.local_model import serve
from wirebook_utils.usage import metering

from tests.contracts.server import Server
from tests.contracts.speech import Talk, publicly
from tests.utils.local_model.tiny import write_tiny

SCHEMA = {
    "type": "object",
    "properties": {"action": {"enum": ["search", "answer"]}},
    "required": ["action"],
    "additionalProperties": False,
}
Ask = Callable[..., str]


@pytest.fixture(scope="module")
def gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny model, written once."""
    return write_tiny(tmp_path_factory.mktemp("gguf") / "tiny.gguf")


@pytest.fixture
def ask(way: str, gguf: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Ask it in every way, as any compatible server, by its address and its key."""
    monkeypatch.setenv("WIREBOOK_GGUF", str(gguf))
    monkeypatch.setenv("WIREBOOK_THREADS", "1")
    url, key = serve.served("tiny")

    def say(prompt: Any = "Pick one.", **settings: Any) -> str:
        talk = Talk(Server(url), "compatible", way, say, [])
        return publicly(talk, prompt, **{"api_key": key, "timeout": 60, **settings})

    return say


@pytest.mark.feature("the text is the same in every way")
def test_text_comes_back(ask: Ask) -> None:
    """At temperature 0 and held to a schema, it says the same whenever it is asked."""
    text = ask(schema=SCHEMA, temperature=0)
    assert text == ask(schema=SCHEMA, temperature=0)


@pytest.mark.feature("a schema is sent, and holds")
def test_schema_holds(ask: Ask) -> None:
    """Its weights are random, and its reply is valid all the same."""
    assert json.loads(ask(schema=SCHEMA))["action"] in ("search", "answer")


@pytest.mark.feature("tokens are recorded, with cached and reasoning ones")
def test_usage_is_recorded(ask: Ask) -> None:
    """Also piece by piece."""
    with metering() as meter:
        ask(schema=SCHEMA)
    assert (meter.usage.input_tokens or 0) > 0
    assert (meter.usage.output_tokens or 0) > 0


@pytest.mark.feature("a reply cut at `max_tokens` is `Truncated`")
def test_cut_reply_is_told(ask: Ask) -> None:
    """Nonsense ends at the limit."""
    with pytest.raises(Truncated):
        ask("Say something.", max_tokens=5)


@pytest.mark.feature("each status is the error that says what to do")
def test_wrong_key_is_named(ask: Ask) -> None:
    """It is the caller's to mend, and asked once."""
    with pytest.raises((UsageError, ServiceError), match="key"):
        ask(api_key="wrong")


@pytest.mark.feature("system texts go where they belong; neighbours of one role become one")
def test_turns_are_taken(ask: Ask) -> None:
    """Its template takes roles in turn only."""
    turns = [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]
    assert ask(turns, system="Be brief.", schema=SCHEMA)
