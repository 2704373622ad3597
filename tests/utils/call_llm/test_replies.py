"""What comes back: the text, its usage, and replies that cannot be used."""

import pytest
from wirebook_utils import EmptyReply, Truncated, Usage
from wirebook_utils.usage import metering

from tests.utils.call_llm.speech import Talk, chat, chunks


def test_text_comes_back(talk: Talk) -> None:
    """A reply is its text, whichever provider gave it and in whichever way."""
    talk.plays("Otters hold hands.")
    assert talk.ask("Why?") == "Otters hold hands."
    assert talk.sent()["model"] == "m"
    assert talk.sent()["messages"] == [{"role": "user", "content": "Why?"}]


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


def test_usage_that_was_not_sent_is_not_made_up(talk: Talk) -> None:
    """Without usage in the reply nothing is recorded."""
    talk.plays("hi")
    with metering() as meter:
        talk.ask()
    assert meter.usage == Usage()


def test_s035_content_is_none(talk: Talk) -> None:
    """A reply without content raises `EmptyReply` with the finish reason, and is not repeated."""
    talk.plays(talk.says(None))
    with pytest.raises(EmptyReply, match=r"finish reason '(stop|end_turn)'"):
        talk.ask()
    assert len(talk.server.asked) == 1


def test_s035_refusal_and_tool_calls(chat_talk: Talk) -> None:
    """A refusal is quoted; a reply of nothing but tool calls is empty."""
    refused = {"refusal": "I will not."}
    chat_talk.plays(chunks(**refused) if chat_talk.streams else chat(None, **refused))
    with pytest.raises(EmptyReply, match="I will not"):
        chat_talk.ask()
    chat_talk.plays(chat_talk.says(None, "tool_calls"))
    with pytest.raises(EmptyReply, match="tool_calls"):
        chat_talk.ask()


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
