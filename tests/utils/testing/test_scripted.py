"""The scripted model: replies in order and by rule, and a failure for each surprise."""

import asyncio
from collections.abc import Callable

import pytest
from wirebook_utils.testing import ScriptedLLM


def test_replies_come_in_order_and_prompts_are_kept() -> None:
    """A text, a function of the prompt, and an exception."""
    model = ScriptedLLM("one", str.upper, ValueError("two"))
    assert (model("a"), model([{"role": "user", "content": "b"}])) == ("one", "B")
    with pytest.raises(ValueError, match="two"):
        model("c")
    assert model.prompts == ["a", "b", "c"]


def test_rules_come_first_and_last_for_ever() -> None:
    """A part of the prompt or a function chooses the reply, and what none chooses is in order."""
    model = ScriptedLLM("else", rules={"<actions>": "act", str.isdigit: lambda text: text + "!"})
    assert [model(p) for p in ("x <actions>", "7", "hm", "<actions>")] == [
        *("act", "7!", "else", "act")
    ]


def test_more_prompts_than_replies_fail() -> None:
    """The error shows the prompt that nobody expected."""
    model = ScriptedLLM("only")
    model("a")
    with pytest.raises(AssertionError, match="No reply is left for prompt 2:\nwhat else"):
        model("what else")


def test_more_replies_than_prompts_fail() -> None:
    """At the end of the block, with what was left; not if the test has failed by itself."""
    with pytest.raises(AssertionError, match=r"Not asked for, after 1 prompts: \[\"'two'\"\]"):  # noqa: SIM117
        with ScriptedLLM("one", "two") as model:
            model("a")
    with pytest.raises(AssertionError, match="the rule 'never'"):
        ScriptedLLM(rules={"never": "x"}).assert_all_used()
    model = ScriptedLLM(rules={"a": "same", "never": "same"})
    model("a")
    with pytest.raises(AssertionError, match=r"prompts: \[\"the rule 'never'\"\]"):
        model.assert_all_used()
    with pytest.raises(ZeroDivisionError), ScriptedLLM("one"):
        _ = 1 / 0
    with ScriptedLLM("one", rules={"b": "two"}) as model:
        assert (model("a"), model("b")) == ("one", "two")


def test_same_model_waits() -> None:
    """As an async function it shares replies and prompts."""
    model = ScriptedLLM("one", "two")

    async def main() -> tuple[str, str]:
        return await asyncio.gather(model.waiting("a"), model.waiting("b"))

    assert sorted(asyncio.run(main())) == ["one", "two"]
    model.assert_all_used()


def test_fixture_makes_models(scripted_llm: Callable[..., ScriptedLLM]) -> None:
    """The plugin's fixture; that it checks at the end is tested with a test of its own."""
    model = scripted_llm("hi", rules={"b": "ho"})
    assert (model("a"), model("b")) == ("hi", "ho")
