"""What is sent: what was asked, as the provider wants it, and nothing that nobody set."""

from typing import Any

import pytest
from wirebook_utils import UsageError

from tests.contracts.server import Asked, Play, answer
from tests.contracts.speech import Talk

CLOSED = {
    "type": "object",
    "title": "An answer",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
OPEN = {"type": "object", "properties": {"text": {"type": "string"}}}


@pytest.mark.feature("only what was set is sent")
def test_only_what_was_set_is_sent(talk: Talk) -> None:
    """Without settings a request holds the model, the messages, and what the API demands."""
    talk.plays("hi")
    talk.ask()
    demanded = "max_tokens" if talk.provider == "anthropic" else ""
    streaming = ("stream", "" if demanded else "stream_options") if talk.streams else ()
    assert {*talk.sent()} == {"model", "messages", demanded, *streaming} - {""}


def test_s038_temperature_is_sent_only_if_set(talk: Talk) -> None:
    """No temperature without one, and 0 is one."""
    talk.plays("hi")
    talk.ask()
    assert "temperature" not in talk.sent()
    talk.ask(temperature=0)
    assert talk.sent()["temperature"] == 0


@pytest.mark.feature("a refused `temperature` is named")
def test_s038_refused_temperature_is_named(talk: Talk) -> None:
    """A model that takes no temperature gives one error, which names the parameter."""
    said = "Unsupported value: 'temperature' does not support 0.2 with this model."
    talk.plays(answer({"error": {"message": said, "param": "temperature"}}, 400))
    with pytest.raises(UsageError, match="Change or leave out temperature"):
        talk.ask(temperature=0.2)
    assert len(talk.server.asked) == 1


@pytest.mark.feature("the limit is called as the server wants")
def test_s037_limit_is_called_as_the_server_wants(chat_talk: Talk) -> None:
    """A server that refuses `max_tokens` is asked once more by the other name, and it is kept."""
    refusal = {"param": "max_tokens", "code": "unsupported_parameter"}
    refusal["message"] = "use max_completion_tokens"

    def play(asked: Asked) -> Play:
        old = "max_tokens" in asked.body and asked.body["model"].startswith("o")
        return answer({"error": refusal}, 400) if old else chat_talk.says("hi")

    chat_talk.plays(play)
    assert chat_talk.ask(max_tokens=9, model="compatible:local-7b") == "hi"
    assert chat_talk.sent()["max_tokens"] == 9
    assert chat_talk.ask(max_tokens=9, model="compatible:o4-mini") == "hi"
    assert chat_talk.ask(max_tokens=8, model="compatible:o4-mini") == "hi"
    limits = [body.get("max_completion_tokens") for body in chat_talk.server.bodies]
    assert limits == [None, None, 9, 8]


def test_s037_openai_has_the_new_name(talk: Talk) -> None:
    """Each provider is told the limit by the name that it knows."""
    talk.plays("hi")
    talk.ask(max_tokens=9)
    name = "max_completion_tokens" if talk.provider == "openai" else "max_tokens"
    assert talk.sent()[name] == 9
    assert len({"max_completion_tokens", "max_tokens"} & set(talk.sent())) == 1


def test_limit_that_is_too_high_is_no_wrong_name(chat_talk: Talk) -> None:
    """A 400 about the value of the limit is an error at once."""
    chat_talk.plays(answer({"error": {"message": "max_tokens is too large: 9000000"}}, 400))
    with pytest.raises(UsageError, match="Change or leave out max_tokens"):
        chat_talk.ask(max_tokens=9_000_000)
    assert len(chat_talk.server.asked) == 1


def test_s039_neighbours_of_one_role_become_one_turn(talk: Talk) -> None:
    """Two user turns around an empty one are one turn, with blank lines between."""
    talk.plays("hi")
    user = [{"role": "user", "content": text} for text in "abc"]
    talk.ask([*user[:2], {"role": "assistant", "content": ""}, user[2]])
    assert talk.sent()["messages"] == [{"role": "user", "content": "a\n\nb\n\nc"}]


@pytest.mark.feature("system texts go where they belong; neighbours of one role become one")
def test_system_texts_go_where_they_belong(talk: Talk) -> None:
    """System messages and `system` are one text: a parameter for Anthropic, else the first turn."""
    talk.plays("hi")
    talk.ask([{"role": "user", "content": "q"}, {"role": "system", "content": "b"}], system="a")
    turns: list[dict[str, Any]] = [{"role": "user", "content": "q"}]
    if talk.provider == "anthropic":
        assert talk.sent()["system"] == "a\n\nb"
    else:
        turns.insert(0, {"role": "system", "content": "a\n\nb"})
    assert talk.sent()["messages"] == turns


def test_turn_with_more_than_a_text_stays_as_it_is(talk: Talk) -> None:
    """Parts are joined as parts, and a turn with other keys is nobody's neighbour."""
    talk.plays("hi")
    part = {"type": "text", "text": "b"}
    talk.ask([{"role": "user", "content": "a"}, {"role": "user", "content": [part]}])
    assert talk.sent()["messages"][0]["content"] == [{"type": "text", "text": "a"}, part]
    named = [{"role": "user", "content": "a"}, {"role": "user", "content": "b", "name": "n"}]
    talk.ask(named)
    assert talk.sent()["messages"] == named


@pytest.mark.parametrize("prompt", ["", " \n", [], [{"role": "system", "content": "s"}]])
def test_empty_prompt_is_refused(talk: Talk, prompt: Any) -> None:
    """A prompt with nothing to reply to is an error before anything is sent."""
    with pytest.raises(UsageError, match="The prompt is empty"):
        talk.ask(prompt)
    assert not talk.server.asked


@pytest.mark.feature("a schema is sent, and holds")
def test_schema_is_sent(talk: Talk) -> None:
    """The provider's own JSON output is asked for, and the reply is its text."""
    talk.plays('{"text": "hi"}')
    assert talk.ask(schema=CLOSED) == '{"text": "hi"}'
    if talk.provider == "anthropic":
        assert talk.sent()["output_config"]["format"] == {"type": "json_schema", "schema": CLOSED}
    else:
        sent = talk.sent()["response_format"]["json_schema"]
        assert sent == {"name": "An_answer", "schema": CLOSED, "strict": True}


def test_schema_that_leaves_things_open_is_not_strict(chat_talk: Talk) -> None:
    """OpenAI's strict mode takes only closed objects that require all they have."""
    chat_talk.plays("{}")
    for schema in (OPEN, {**CLOSED, "required": []}, {**CLOSED, "properties": {"a": OPEN}}):
        chat_talk.ask(schema=schema)
        assert chat_talk.sent()["response_format"]["json_schema"]["strict"] is False


@pytest.mark.feature("a server without schemas is told in words")
def test_server_without_schemas_is_told_in_words(chat_talk: Talk) -> None:
    """A refused `response_format` is left out, once and from then on; the schema is in the text."""

    def play(asked: Asked) -> Play:
        said = "response_format is not supported"
        known = "response_format" not in asked.body
        return chat_talk.says("{}") if known else answer({"error": {"message": said}}, 400)

    chat_talk.plays(play)
    assert [chat_talk.ask(schema=OPEN), chat_talk.ask(schema=OPEN)] == ["{}", "{}"]
    assert len(chat_talk.server.asked) == 3
    assert '"properties"' in chat_talk.sent()["messages"][0]["content"]


def test_schema_that_anthropic_cannot_take_is_named() -> None:
    """A schema without a type is an error that says so."""
    from wirebook_utils.call_llm import call_llm

    with pytest.raises(UsageError, match="Change the schema"):
        call_llm("hi", model="anthropic", api_key="k", schema={"description": "?"})
