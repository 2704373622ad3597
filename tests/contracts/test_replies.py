"""What comes back: the text, its usage, and replies that cannot be used."""

from typing import Any

import pytest
from wirebook_utils import EmptyReply, ServiceError, Truncated, Usage
from wirebook_utils.usage import metering

from tests.contracts.server import Play
from tests.contracts.speech import Talk, chat, chunks


@pytest.mark.feature("the text is the same in every way")
def test_text_comes_back(talk: Talk) -> None:
    """A reply is its text, whichever provider gave it and in whichever way."""
    talk.plays("Otters hold hands.")
    assert talk.ask("Why?") == "Otters hold hands."
    assert talk.sent()["model"] == "m"
    assert talk.sent()["messages"] == [{"role": "user", "content": "Why?"}]


@pytest.mark.feature("tokens are recorded, with cached and reasoning ones")
def test_usage_is_recorded(talk: Talk) -> None:
    """Input holds the cached tokens and output the reasoning, for every provider."""
    usage = {
        "prompt_tokens": 10,
        "completion_tokens": 5,
        "total_tokens": 15,
        "prompt_tokens_details": {"cached_tokens": 4},
        "completion_tokens_details": {"reasoning_tokens": 2},
    }
    if talk.provider == "anthropic":
        usage = {
            "input_tokens": 5,
            "cache_read_input_tokens": 4,
            "cache_creation_input_tokens": 1,
            "output_tokens": 5,
            "output_tokens_details": {"thinking_tokens": 2},
        }
    talk.plays(talk.says("hi", usage=usage))
    with metering() as meter:
        talk.ask()
    assert meter.usage == Usage(0, 10, 5, 4, 2)


@pytest.mark.feature("missing usage stays unknown")
def test_usage_that_was_not_sent_is_not_made_up(talk: Talk) -> None:
    """Without usage in the reply nothing is recorded."""
    talk.plays("hi")
    with metering() as meter:
        talk.ask()
    assert meter.usage == Usage()


@pytest.mark.feature("no content is `EmptyReply`, with the finish reason")
def test_s035_content_is_none(talk: Talk) -> None:
    """A reply without content raises `EmptyReply` with the finish reason, and is not repeated."""
    talk.plays(talk.says(None))
    with pytest.raises(EmptyReply, match=r"finish reason '(stop|end_turn)'"):
        talk.ask()
    assert len(talk.server.asked) == 1


@pytest.mark.feature("a refusal is quoted")
def test_s035_refusal_and_tool_calls(chat_talk: Talk) -> None:
    """A refusal is quoted; a reply of nothing but tool calls is empty."""
    refused = {"refusal": "I will not."}
    chat_talk.plays(chunks(**refused) if chat_talk.streams else chat(None, **refused))
    with pytest.raises(EmptyReply, match="I will not"):
        chat_talk.ask()
    chat_talk.plays(chat_talk.says(None, "tool_calls"))
    with pytest.raises(EmptyReply, match="tool_calls"):
        chat_talk.ask()


@pytest.mark.feature("a reply cut at `max_tokens` is `Truncated`")
def test_s036_reply_cut_at_the_limit(talk: Talk) -> None:
    """A reply that ended at the limit raises `Truncated` with the text so far, be it empty."""
    finish = "max_tokens" if talk.provider == "anthropic" else "length"
    talk.plays(talk.says("items:\n- one", finish))
    with pytest.raises(Truncated, match="max_tokens") as caught:
        talk.ask()
    assert caught.value.reply == "items:\n- one"
    talk.plays(talk.says(None, finish))
    with pytest.raises(Truncated):
        talk.ask()
    assert len(talk.server.asked) == 2


@pytest.mark.parametrize(
    "usage",
    [
        "none",
        [1],
        {"prompt_tokens": 1, "completion_tokens": 2, "prompt_tokens_details": "x"},
        {
            "prompt_tokens": 1,
            "completion_tokens": 2,
            "prompt_tokens_details": {"cached_tokens": "4"},
        },
        {"prompt_tokens": "1", "completion_tokens": None},
    ],
)
def test_odd_usage_costs_no_reply(chat_talk: Talk, usage: Any) -> None:
    """A server that counts in a way of its own has replied all the same."""
    chat_talk.plays(chat_talk.says("hi", usage=usage))
    with metering():
        assert chat_talk.ask() == "hi"


def test_text_may_come_in_parts(chat_talk: Talk) -> None:
    """Some servers send a list: what the model thought, and its text."""
    content: Any = [
        {"type": "thinking", "thinking": [{"text": "hm"}]},
        {"type": "text", "text": "hi"},
    ]
    chat_talk.plays(chunks(content) if chat_talk.streams else chat(content))
    assert chat_talk.ask() == "hi"


def test_reply_that_is_nested_too_deep_is_unreadable(talk: Talk) -> None:
    """It is an error of the service, as any other that is no JSON."""
    talk.plays(Play(parts=(b"[" * 200_000,)))
    with pytest.raises(ServiceError, match="no JSON"):
        talk.ask()


@pytest.mark.parametrize("said", ["\udcff", "a\ud83d", "\ud83d\ude00"])
def test_half_characters_are_sent_as_what_can_be_sent(talk: Talk, said: str) -> None:
    """They come from arguments that are no UTF-8, and from JSON that was cut in an emoji."""
    talk.plays("hi")
    assert talk.ask(said) == "hi"
    assert talk.ask([{"role": "user", "content": [{"type": "text", "text": said}]}]) == "hi"
    assert talk.ask("?", system=said) == "hi"
