"""`trimmed` cuts a conversation only where a model can take it up."""

import pytest
from wirebook_utils import Message, UsageError, trimmed

USER: Message = {"role": "user", "content": "q"}
CALLS: Message = {"role": "assistant", "tool_calls": [{"id": "c1"}, {"id": "c2"}]}
DONE: Message = {"role": "assistant", "content": "done"}
RULES: Message = {"role": "system", "content": "be kind"}


def result(of: str) -> Message:
    """Make the result of a tool, in OpenAI's form."""
    return {"role": "tool", "tool_call_id": of, "content": "4"}


TURN = [USER, CALLS, result("c1"), result("c2"), DONE]


@pytest.mark.parametrize("most", range(1, 12))
def test_no_cut_begins_with_a_result(most: int) -> None:
    """S-045: whatever the length, it begins with the user, and calls stand before their results."""
    kept = trimmed([RULES, *TURN, *TURN], most)
    assert kept[:2] == [RULES, USER]
    assert len(kept) - 1 == (10 if most >= 10 else 5)
    assert kept[1:] == [*TURN, *TURN][-(len(kept) - 1) :]


def test_results_in_a_user_message_begin_no_turn() -> None:
    """Anthropic's form: the user's message with the results stays behind the call."""
    call = {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "add"}]}
    back = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1"}]}
    assert trimmed([USER, DONE, USER, call, back, DONE], 3) == [USER, call, back, DONE]


def test_plain_talk_is_cut_at_the_user() -> None:
    """The last two turns of three; an answer without its question is left out."""
    assert trimmed([USER, DONE] * 3, 5) == [USER, DONE] * 2
    assert trimmed([USER, DONE], 9) == [USER, DONE]
    assert trimmed([], 3) == []
    assert trimmed([RULES, DONE], 1) == [RULES, DONE]


def test_nothing_to_keep_is_told() -> None:
    """No message at all is no conversation."""
    with pytest.raises(UsageError, match="most=0"):
        trimmed([USER], 0)
