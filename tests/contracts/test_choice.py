"""Whom it asks, and what it says if it cannot ask anybody."""

from typing import Any

import pytest
from wirebook_utils import UsageError, call_llm, chosen_model, stream_llm

from tests.contracts.server import Server
from tests.contracts.speech import chat, message


def test_the_named_model_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """An argument, then WIREBOOK_MODEL, then the first key, then the stand-in."""
    assert chosen_model() == "stand-in"
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    assert chosen_model() == "anthropic:claude-haiku-5-5"
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert chosen_model() == "openai:gpt-6-luna"
    monkeypatch.setenv("WIREBOOK_MODEL", "compatible:llama3:8b")
    assert chosen_model() == "compatible:llama3:8b"
    assert chosen_model("anthropic") == "anthropic:claude-haiku-5-5"
    assert chosen_model("openai: gpt-5.5 ") == "openai:gpt-5.5"


def test_key_that_is_blank_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty variable counts as not set."""
    monkeypatch.setenv("OPENAI_API_KEY", " ")
    assert chosen_model() == "stand-in"


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"model": "gpt-5"}, "No provider named 'gpt-5'. Write provider:name.*compatible"),
        ({"model": "openai"}, "openai:gpt-6-luna needs a key. Set OPENAI_API_KEY, or give api_key"),
        ({"model": "anthropic:m"}, "anthropic:m needs a key. Set ANTHROPIC_API_KEY"),
        ({"model": "compatible"}, "Which model of 'compatible'"),
        ({"model": "compatible:m"}, "Give base_url, or set WIREBOOK_BASE_URL"),
        ({"base_url": "http://h"}, "Name the model"),
        ({"model": "openai", "api_key": "k\u00e9y"}, "characters that no key has"),
        ({"timeout": 0}, "timeout is 0. Give seconds above 0"),
    ],
)
def test_what_is_missing_is_named(settings: dict[str, Any], text: str) -> None:
    """A choice that cannot be made says what to give, before anything is sent."""
    with pytest.raises(UsageError, match=text) as caught:
        call_llm("hi", **settings)
    assert "k\u00e9y" not in str(caught.value)


def test_environment_says_where(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Address and key of a compatible server come from the environment."""
    monkeypatch.setenv("WIREBOOK_MODEL", "compatible:m")
    monkeypatch.setenv("WIREBOOK_BASE_URL", server.url)
    monkeypatch.setenv("WIREBOOK_API_KEY", "mine\n")
    server.plays = [chat("hi")]
    assert call_llm("q") == "hi"
    assert server.asked[0].headers["authorization"] == "Bearer mine"


def test_other_server_is_not_told_of_openai(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a key of its own it gets none, and no names from OpenAI's variables."""
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "secret")
    server.plays = [chat("hi")]
    assert call_llm("q", model="compatible:m", base_url=server.url) == "hi"
    assert "authorization" not in server.asked[0].headers
    assert "secret" not in str(server.asked)


def test_providers_own_variables_say_where(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables that the SDKs read hold here too."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    server.plays = [message("hi")]
    assert call_llm("q") == "hi"
    assert server.asked[0].body["model"] == "claude-haiku-5-5"


NOTES = """<question>
What do otters hold?
</question>
<notes>
[1] a (b)
    Otters hold hands.
</notes>"""


def test_stand_in_says_once_that_it_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Without any key the rules answer; the first time, stderr says how to get a model."""
    assert call_llm(NOTES) == "Otters hold hands. [1]"
    assert list(stream_llm(NOTES)) == ["Otters hold hands. [1]"]
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "OPENAI_API_KEY, ANTHROPIC_API_KEY or WIREBOOK_MODEL" in err


def test_stand_in_that_was_asked_for_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever names it knows what it is."""
    assert call_llm(NOTES, model="stand-in") == "Otters hold hands. [1]"
    assert capsys.readouterr().err == ""
