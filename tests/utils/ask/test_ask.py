"""The talk with a model: what it is told, what is done with its replies, plain and async."""

import asyncio
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import pydantic
import pytest
from wirebook_utils import BadReply, Prompt, ServiceError, Truncated, UsageError
from wirebook_utils.ask import ask


@dataclass(frozen=True)
class Step:
    """A small schema."""

    action: Literal["search", "answer"]
    query: str = ""

    def __post_init__(self) -> None:
        if self.action == "search" and not self.query:
            raise ValueError("a search needs a query")


@dataclass
class Part:
    """A part with a key that is a word of schemas."""

    properties: dict[str, int] | None = None
    name: str = ""


@dataclass
class Tree:
    """A list of parts, and perhaps one more."""

    parts: list[Part]
    tree: Part | None = None


class Model:
    """Replies in order, the last for ever; remembers the prompts."""

    def __init__(self, *replies: Any) -> None:
        self.replies, self.prompts = [*replies], list[Any]()

    def __call__(self, prompt: Prompt) -> str:
        """Give the next reply, or raise it."""
        self.prompts.append(prompt)
        reply: Any = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        return reply  # type: ignore[no-any-return]

    async def waiting(self, prompt: Prompt) -> str:
        """Give the next reply after a wait."""
        await asyncio.sleep(0)
        return self(prompt)


Ask = Callable[..., Any]


def plain(model: Model, *args: Any, **kwargs: Any) -> Any:
    """Ask a plain function."""
    return ask(model, *args, **kwargs)


def waiting(model: Model, *args: Any, **kwargs: Any) -> Any:
    """Ask an async function."""

    async def main() -> Any:
        return await ask(model.waiting, *args, **kwargs)

    return asyncio.run(main())


@pytest.fixture(params=[plain, waiting])
def asked(request: pytest.FixtureRequest) -> Ask:
    """Ask in both ways."""
    way: Ask = request.param
    return way


def test_value_of_the_type_is_given(asked: Ask) -> None:
    """A good reply, one call; the prompt says the form in TypeScript's words."""
    model = Model('{"action": "search", "query": "otters"}')
    assert asked(model, "Decide.", Step) == Step("search", "otters")
    assert model.prompts == [
        "Decide.\nReply with JSON of this form and nothing else:\n"
        '{"action": "search" | "answer", "query": string}'
    ]


def test_error_is_fed_back(asked: Ask) -> None:
    """The second prompt is the first, with the reply and what was wrong with it."""
    model = Model('{"action": "fly"}', '{"action": "search"}', '{"action": "answer"}')
    assert asked(model, "Decide.", Step) == Step("answer")
    first, second, third = model.prompts
    assert second.startswith(first)
    assert '<reply>\n{"action": "fly"}\n</reply>' in second
    assert "action: Input should be 'search' or 'answer', but is \"fly\"." in second
    assert "a search needs a query" in third
    assert "fly" not in third


def test_messages_stay_messages(asked: Ask) -> None:
    """A list of messages gets the model's reply and the problem as turns of their own."""
    model = Model("no", '{"action": "answer"}')
    messages = [{"role": "user", "content": "Decide."}]
    assert asked(model, messages, Step) == Step("answer")
    assert messages == [{"role": "user", "content": "Decide."}]
    assert [turn["role"] for turn in model.prompts[1]] == ["user", "user", "assistant", "user"]


@pytest.mark.parametrize("tries", [1, 2, 3])
def test_bad_reply_is_raised_after_the_last_try(asked: Ask, tries: int) -> None:
    """So many calls and no more; the error holds the last reply."""
    model = Model("I cannot.")
    with pytest.raises(BadReply, match="It is no object with the keys action, query") as caught:
        asked(model, "Decide.", Step, tries=tries)
    assert len(model.prompts) == tries
    assert caught.value.reply == "I cannot."


def test_check_is_fed_back(asked: Ask) -> None:
    """What the caller finds wrong counts like a wrong form."""

    def new(step: Step) -> None:
        if step.query == "old":
            raise ValueError("This search was made already.")

    model = Model('{"action": "search", "query": "old"}', '{"action": "search", "query": "new"}')
    assert asked(model, "Decide.", Step, check=new).query == "new"
    assert "This search was made already." in model.prompts[1]


def test_reply_that_the_model_function_gives_up_is_a_try(asked: Ask) -> None:
    """A reply that was cut off is asked for again, with that said."""
    model = Model(Truncated("It was cut off at 100 tokens.", "{"), '{"action": "answer"}')
    assert asked(model, "Decide.", Step) == Step("answer")
    assert "It was cut off at 100 tokens." in model.prompts[1]
    with pytest.raises(Truncated):
        asked(Model(Truncated("Cut.")), "Decide.", Step)


def test_other_errors_come_out(asked: Ask) -> None:
    """A service that fails is not asked again by `ask`."""
    model = Model(ServiceError("down"))
    with pytest.raises(ServiceError, match="down"):
        asked(model, "Decide.", Step)
    assert len(model.prompts) == 1


def test_function_that_gives_no_text_is_told(asked: Ask) -> None:
    """That is a fault of the function, not of the model."""
    with pytest.raises(TypeError, match="call_llm gave None, not text"):
        asked(Model(None), "Decide.", Step)


def test_function_with_a_schema_gets_it(asked: Ask) -> None:
    """A model that can be held to a JSON schema is."""
    given: list[Any] = []

    class Strict(Model):
        def __call__(self, prompt: Prompt, schema: Any = None) -> str:
            given.append(schema)
            return super().__call__(prompt)

        async def waiting(self, prompt: Prompt, schema: Any = None) -> str:
            return self(prompt, schema)

    asked(Strict('{"action": "answer"}'), "Decide.", Step)
    assert given[0]["properties"]["action"]["enum"] == ["search", "answer"]
    # It is asked for every key, and for no other; what it leaves out is not missed.
    assert given[0]["required"] == ["action", "query"]
    assert given[0]["additionalProperties"] is False
    asked(Strict("Just text."), "Write.", str)
    assert given[1] is None


def test_function_without_a_signature_is_asked_without_a_schema() -> None:
    """Some callables of C tell nothing of their parameters."""
    assert ask(str, '["a"]', list[str]) == ["a"]


def test_reply_without_end_is_not_read(asked: Ask) -> None:
    """Of 200,000 characters and more, none is looked at; the model hears that they are too many."""
    model = Model('{"action": "answer"}' + " " * 200_000, '{"action": "answer"}')
    assert asked(model, "Decide.", Step) == Step("answer")
    assert "It has 200020 characters; 200000 are too many." in model.prompts[1]


def test_long_value_is_told_in_part(asked: Ask) -> None:
    """What stands where something else should is quoted with 200 characters."""
    model = Model(f'{{"action": "{"x" * 500}"}}', '{"action": "answer"}')
    assert asked(model, "Decide.", Step) == Step("answer")
    assert f'but is "{"x" * 199}….' in model.prompts[1]


def test_descriptions_are_said_to_the_model() -> None:
    """What a field says of itself stands beside its type."""

    class Told(pydantic.BaseModel):
        city: str = pydantic.Field(description="its name in English")

    model = Model('{"city": "Rome"}')
    assert ask(model, "?", Told).city == "Rome"
    assert '{"city": string  /* its name in English */}' in model.prompts[0]


@pytest.mark.parametrize("nothing", ["null", "~", "None", "''"])
def test_null_of_yaml_is_no_key(nothing: str) -> None:
    """However it is written, a key that may be missing then is."""

    @dataclass
    class Sized:
        name: str
        size: int = 7

    assert ask(Model(f"name: a\nsize: {nothing}"), "?", Sized, tries=1) == Sized("a")


def test_key_that_might_be_two_is_neither() -> None:
    """Where two names have the same letters, another spelling of them is not guessed at."""

    @dataclass
    class Two:
        a_b: int = 1
        ab: int = 2

    assert ask(Model('{"a_b": 3, "A-B": 4}'), "?", Two, tries=1) == Two(3, 2)


def test_long_reply_is_quoted_in_part(asked: Ask) -> None:
    """Of a reply that cannot be used, the model hears the first 1,000 characters."""
    model = Model("x" * 999 + "yz", '{"action": "answer"}')
    assert asked(model, "Decide.", Step) == Step("answer")
    assert f"<reply>\n{'x' * 999}y\n</reply>" in model.prompts[1]


def test_plain_function_needs_no_loop_and_works_in_one() -> None:
    """The value comes at once, also inside a running loop; of an async one comes an awaitable."""
    model = Model('{"action": "answer"}')

    async def main() -> Any:
        inside = ask(model, "Decide.", Step)
        later: Any = ask(model.waiting, "Decide.", Step)
        assert inspect.isawaitable(later)
        return inside, await later

    assert asyncio.run(main()) == (Step("answer"), Step("answer"))


def test_function_that_changes_its_mind_is_told() -> None:
    """Text first and something to await later is neither way."""
    model = Model("bad")
    ways: list[Any] = [model, model.waiting]

    def call(prompt: Prompt) -> Any:
        return ways.pop(0)(prompt)

    with pytest.raises(TypeError, match="Let it do either"):
        ask(call, "Decide.", Step)


@pytest.mark.parametrize(
    ("schema", "reply", "value"),
    [
        (list[str], '["a", "b"]', ["a", "b"]),
        (list[int], "- 1\n- 2", [1, 2]),
        (int, "42", 42),
        (bool, "yes", True),
        (str, "Just text: with {braces} and # all.", "Just text: with {braces} and # all."),
        (Literal["yes", "no"], '"Yes."', "yes"),
        (dict[str, int], '{"a": 1}', {"a": 1}),
    ],
)
def test_any_type_can_be_asked_for(schema: Any, reply: str, value: Any) -> None:
    """Lists, numbers, choices and text, not objects alone."""
    assert ask(Model(reply), "?", schema, tries=1) == value


def test_every_object_within_is_asked_for_whole() -> None:
    """Also in lists, in parts that refer to each other, and with a key named `properties`."""

    given: list[Any] = []

    def model(prompt: Prompt, schema: Any = None) -> str:
        given.append(schema)
        return '{"parts": [{"properties": {"a": 1}}, {}]}'

    assert ask(model, "?", Tree, tries=1) == Tree([Part({"a": 1}), Part()])
    assert given[0]["required"] == ["parts", "tree"]
    assert given[0]["$defs"]["Part"]["required"] == ["properties", "name"]
    [free, _] = given[0]["$defs"]["Part"]["properties"]["properties"]["anyOf"]
    assert free == {"additionalProperties": {"type": "integer"}, "type": "object"}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        *(("Answer", "answer"), ("answer.", "answer"), ("final_answer", "answer")),
        *(("FINAL ANSWER", "answer"), ("do answer", "answer"), ("the answer is", "answer")),
        *(("search OR answer", None), ("not answer", None), ("don't answer", None)),
        *(("answers", None), ("the answer is ready", None), ("", None)),
    ],
)
def test_choice_in_other_letters_is_understood(written: str, value: str | None) -> None:
    """Case, marks and a word beside it do not matter; two choices, or a no to one, is none."""
    reply = f'{{"action": "{written}", "query": "q"}}'
    if value:
        assert ask(Model(reply), "?", Step, tries=1).action == value
        return
    with pytest.raises(BadReply, match="'search' or 'answer'"):
        ask(Model(reply), "?", Step, tries=1)


def test_plain_text_is_asked_for_plainly(asked: Ask) -> None:
    """For `str` the prompt stays as it is, and the reply too, but for what was thought aloud."""
    model = Model("", "<think>Hm: {}</think>\nA text:\n- with {braces}\n")
    assert asked(model, "Write.", str) == "A text:\n- with {braces}"
    assert model.prompts[0] == "Write."
    assert "It is empty." in model.prompts[1]


def test_what_cannot_be_asked_for_is_told() -> None:
    """A class that is no schema, and no tries at all."""

    class Odd:
        pass

    with pytest.raises(
        UsageError, match=r"Odd'> cannot be asked for: .* Give a dataclass"
    ) as error:
        ask(Model("x"), "?", Odd)
    assert "\n" not in str(error.value)
    assert "arbitrary_types_allowed" not in str(error.value)
    with pytest.raises(ValueError, match="has to be asked once"):
        ask(Model("x"), "?", int, tries=0)
