"""`first_of` asks one function after the other, once each, and says what happened."""

import asyncio
import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from wirebook import Flow, Node
from wirebook_agent import research
from wirebook_utils import (
    BadReply,
    Hit,
    RateLimited,
    ServiceError,
    UsageError,
    ask,
    call_llm,
    first_of,
    run_flow,
)
from wirebook_utils.layers import trace
from wirebook_utils.stand_in import stand_in
from wirebook_utils.time_left import ending_by
from wirebook_utils.waiting import waits


class Fails:
    """A function that raises, and counts how often it was asked."""

    def __init__(self, error: Exception) -> None:
        self.error, self.asked = error, 0

    def __call__(self, given: Any) -> str:
        self.asked += 1
        raise self.error


def echo(given: str) -> str:
    """Give what is given."""
    return f"echo {given}"


Make = Callable[..., Callable[[Any], Any]]


def plainly(*functions: Any, **settings: Any) -> Callable[[Any], Any]:
    """Ask plain functions."""
    both: Callable[[Any], Any] = first_of(*functions, **settings)
    return both


def waiting(*functions: Any, **settings: Any) -> Callable[[Any], Any]:
    """Ask the same functions, of which the last one waits."""

    async def later(given: Any) -> Any:
        await asyncio.sleep(0)
        return functions[-1](given)

    both = first_of(*functions[:-1], later, **settings)
    assert waits(both)
    return lambda given: asyncio.run(both(given))


@pytest.fixture(params=[plainly, waiting], ids=["plain", "async"])
def make(request: pytest.FixtureRequest) -> Make:
    """Make one function of several, plain and async."""
    how: Make = request.param
    return how


def test_first_that_does_not_fail_answers(make: Make) -> None:
    """The rest is not asked."""
    down, spare = Fails(ServiceError("down")), Fails(ServiceError("never asked"))
    assert make(down, echo)("hi") == "echo hi"
    assert make(echo, spare)("hi") == "echo hi"
    assert (down.asked, spare.asked) == (1, 0)


def test_each_is_asked_once_and_the_error_names_all(make: Make) -> None:
    """S-047: two models that are down take one call each, and one error tells of both."""
    primary, backup = Fails(ServiceError("503 here", status=503)), Fails(ServiceError("503 there"))
    with pytest.raises(ServiceError) as caught:
        make(primary, backup)("hi")
    assert (primary.asked, backup.asked) == (1, 1)
    assert str(caught.value).startswith("2 of 2 were asked, and none answered. (1) Fails: 503 here")
    assert "503 there" in str(caught.value)
    assert not isinstance(caught.value, RateLimited)


def test_what_all_failures_have_in_common_is_kept(make: Make) -> None:
    """Whoever waits out a limit, or asks again for a bad reply, still can."""
    both = make(Fails(RateLimited("a", retry_after=9)), Fails(RateLimited("b", retry_after=4)))
    with pytest.raises(RateLimited) as limited:
        both("hi")
    assert limited.value.retry_after == 4
    both = make(Fails(BadReply("a", "x")), Fails(BadReply("b", "y")), on=BadReply)
    with pytest.raises(BadReply) as bad:
        both("hi")
    assert bad.value.reply == "y"


@pytest.mark.parametrize("error", [UsageError("no key"), ValueError("a bug"), BadReply("empty")])
def test_other_errors_come_out(make: Make, error: Exception) -> None:
    """What the caller has to mend is not hidden behind the next function."""
    with pytest.raises(type(error), match=str(error)):
        make(Fails(error), echo)("hi")


def test_classes_to_go_on_after_are_chosen(make: Make) -> None:
    """Any exception can be one; where all fail it is the service that did."""
    assert make(Fails(OSError("x")), echo, on=(OSError, BadReply))("hi") == "echo hi"
    with pytest.raises(ServiceError, match="Fails: x"):
        make(Fails(OSError("x")), Fails(OSError("y")), on=OSError)("hi")


def test_nobody_is_asked_when_no_time_is_left(make: Make) -> None:
    """The first is asked in any case, and says so itself; the next would only say it again."""
    spare = Fails(ServiceError("never asked"))
    with ending_by(0), pytest.raises(ServiceError, match=r"1 of 2 .* No time was left") as caught:
        make(Fails(ServiceError("late", status=504)), spare)("hi")
    assert (spare.asked, caught.value.status) == (0, 504)


def test_failures_are_told_as_they_happen(make: Make) -> None:
    """`told` hears the name of what failed and its exception, also where another answers."""
    heard: list[Any] = []
    model = partial(Fails(ServiceError("down")))
    make(model, echo, told=lambda *failure: heard.append(failure))("hi")  # pyright: ignore[reportUnknownLambdaType]
    ((name, error),) = heard
    assert (name, str(error)) == ("Fails", "down")


def test_trace_shows_what_failed() -> None:
    """The span of the exec in which it happened has an event."""
    model = first_of(Fails(ServiceError("down")), echo)

    class Say(Node[dict[str, Any], str, str]):
        """Say what the model says."""

        def prep(self, shared: dict[str, Any]) -> str:
            return "hi"

        def exec(self, prep_res: str) -> str:
            return str(model(prep_res))

    spans: list[dict[str, Any]] = []
    inner: list[dict[str, Any]] = []
    run_flow(Flow(Say()), {}, layers=[trace(spans), trace(inner)])
    for seen in (spans, inner):
        told = {span["name"]: span["events"] for span in seen if span["events"]}
        assert list(told) == ["Say exec"]
        (event,) = told["Say exec"]
        assert event["name"] == "wirebook.fallback"
        assert event["attributes"] == {"function": "Fails", "error.type": "ServiceError"}
        assert event["timeUnixNano"] > 0


def test_name_tells_the_models_and_no_secret() -> None:
    """Of what is bound, only the model is shown."""
    bound = partial(call_llm, model="openai:x", api_key="sk-secret")
    assert first_of(bound, stand_in).__name__ == "first_of(call_llm(openai:x), stand_in)"


def test_schema_reaches_those_that_take_it() -> None:
    """The others read it in the prompt; a search is never given one."""
    given: list[Any] = []

    def held(prompt: Any, *, schema: Any = None) -> str:
        given.append(schema)
        return "true"

    def listing(prompt: Any) -> str:
        return "[1, 2]"

    down = Fails(ServiceError("down"))
    assert ask(first_of(down, held), "Is it?", bool) is True
    assert given == [{"type": "boolean"}]
    assert ask(first_of(listing, held), "Which?", list[int]) == [1, 2]
    assert "schema" not in inspect.signature(first_of(down, echo)).parameters


def test_nothing_to_ask_is_told() -> None:
    """No function, or what is none, is an error when it is made, not when it is asked."""
    with pytest.raises(UsageError, match="give the functions"):
        first_of()
    with pytest.raises(UsageError, match="give the functions"):
        first_of(echo, "gpt")  # type: ignore[type-var] # pyright: ignore[reportArgumentType]


def test_plain_function_that_gives_something_to_await_is_told() -> None:
    """A lambda around an async function does not say that it waits."""

    async def later(given: Any) -> str:
        await asyncio.sleep(0)
        return "late"

    def hides(given: Any) -> Any:
        return later(given)

    with pytest.raises(TypeError, match="async def"):
        first_of(hides)("x")


def test_agent_takes_it_for_a_model_and_for_a_search() -> None:
    """A run goes on with the second model and the second search, and ends as any other."""

    def found(query: str) -> list[Hit]:
        return [Hit("Otters", "a.md", "Otters hold hands while they sleep.", 1.0)]

    down: Any = Fails(RateLimited("202"))
    answer = research(
        "What do otters hold while they sleep?",
        call_llm=first_of(down, stand_in),
        search=first_of(down, found),
    )
    assert (answer.stop_reason, answer.usage.calls) == ("answered", 3)
    assert answer.data["problems"] == []
