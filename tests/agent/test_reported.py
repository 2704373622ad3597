"""The reported faults of agent loops, and of searches as an agent meets them."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from wirebook_utils import Answer, BadReply, Hit, Limits, Prompt, RateLimited, ServiceError

from tests.agent.models import ANSWER, HIT, SEARCH, Scripted, found, nothing, plainly
from tests.agent.models import with_waiting_functions as waiting

Ask = Callable[..., Answer]


@pytest.fixture(params=[plainly, waiting], ids=["plain", "async"])
def ask(request: pytest.FixtureRequest) -> Ask:
    """Run the agent with plain functions and with functions that wait, from the same nodes."""
    how: Ask = request.param
    return how


def search(query: str, **more: str) -> str:
    """Write the decision to search."""
    return json.dumps({"action": "search", "query": query, **more})


def test_s048_rate_limit_does_not_end_the_run(ask: Ask) -> None:
    """Two failures, then hits: the agent answers. Failures for ever: it says what happened."""
    failures: list[Exception] = [RateLimited("202 Ratelimit"), RateLimited("202 Ratelimit")]

    def limited(query: str) -> list[Hit]:
        if failures:
            raise failures.pop()
        return [HIT]

    answer = ask("Why?", Scripted(search("a"), search("b"), ANSWER, "So [1]."), limited)
    assert (answer.text, answer.stop_reason) == ("So [1].", "answered")

    def blocked(query: str) -> list[Hit]:
        raise RateLimited("202 Ratelimit")

    answer = ask("Why?", Scripted(*map(search, "abcdef")), blocked)
    assert (answer.stop_reason, len(answer.data["searches"])) == ("error", 5)
    assert "failed: 202 Ratelimit" in answer.text


def test_s049_hits_none_and_blocked_are_told_apart(ask: Ask) -> None:
    """The next decision sees the notes, that nothing was found, or that the search failed."""

    def blocked(query: str) -> list[Hit]:
        raise RateLimited("too often")

    prompts: list[str] = []
    for outcome in (found, nothing, blocked):
        model = Scripted(SEARCH, ANSWER, "So [1].")
        ask("Why?", model, outcome)
        prompts.append(model.prompts[1])
    assert HIT.text in prompts[0]
    assert "The search for 'otters' found nothing." in prompts[1]
    assert "The search for 'otters' failed: too often" in prompts[2]


def test_s053_limit_keeps_what_was_found(ask: Ask) -> None:
    """At the limit of searches it answers from all of them, and names the limit."""
    model = Scripted(*map(search, "abcde"), "So [1].")

    def one_each(query: str) -> list[Hit]:
        return [Hit(query, query, f"Fact {query}.", 1.0)]

    answer = ask("Why?", Scripted(*map(search, "abc"), "So [3]."), one_each, max_searches=3)
    assert (answer.text, answer.stop_reason) == ("So [1].", "max_steps")
    assert answer.sources[0].url == "c"
    assert ask("Why?", model, one_each).stop_reason == "max_steps"


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_s054_limit_is_exact(ask: Ask, limit: int) -> None:
    """So many searches and no more; so many steps and then the way out."""
    answer = ask("Why?", Scripted(*map(search, "abc"), "So [1]."), max_searches=limit)
    assert len(answer.data["searches"]) == limit
    answer = ask("Why?", Scripted(*map(search, "abcdef")), limits=Limits(steps=limit))
    assert [step.path.partition("@")[0] for step in answer.steps if step.path != "Write"] == [
        *("Decide", "LookUp", "Decide")
    ][:limit]


def test_s055_forced_answer_ends_the_run_each_time(ask: Ask) -> None:
    """The answer at the limit is the last model call, and a second run has its full budget."""
    for _ in range(2):
        model = Scripted(*map(search, "abc"), "A [1].", "B [1].")
        answer = ask("Why?", model, max_searches=3)
        assert (answer.text, len(model.prompts)) == ("A [1].", 4)


@pytest.mark.parametrize("again", ["Otters", "  otters ", "OTTERS!", '"otters"'])
def test_s056_repeated_query_is_told_and_not_paid_for(ask: Ask, again: str) -> None:
    """The model hears that it was made; if it insists, the run ends as stuck, with an answer."""
    queries: list[str] = []

    def counted(query: str) -> list[Hit]:
        queries.append(query)
        return [HIT]

    model = Scripted(SEARCH, search(again), ANSWER, "So [1].")
    answer = ask("Why?", model, counted)
    assert (queries, answer.text, answer.stop_reason) == (["otters"], "So [1].", "answered")
    assert "was made already" in model.prompts[2]

    model = Scripted(SEARCH, search(again), search(again), search(again), "So [1].")
    answer = ask("Why?", model, counted)
    assert (answer.text, answer.stop_reason) == ("So [1].", "stuck")
    assert "was made already" in answer.data["problems"][0]
    assert model.prompts[2].count("was made already") == 1
    assert answer.data["problems"][0].count("was made already") == 1


def test_s057_decision_to_answer_keeps_the_notes(ask: Ask) -> None:
    """A draft beside the decision replaces nothing: the writer sees all notes."""
    draft = json.dumps({"action": "answer", "answer": "draft", "query": "x"})
    model = Scripted(SEARCH, draft, "So [1].")
    assert ask("Why?", model).text == "So [1]."
    assert HIT.text in model.prompts[2]
    assert "draft" not in model.prompts[2]


def test_s058_answer_needs_no_more_than_the_action(ask: Ask) -> None:
    """Without a draft, a query or a reason, `answer` is a whole decision."""
    assert ask("Why?", Scripted(SEARCH, "action: answer", "So [1].")).stop_reason == "answered"


@pytest.mark.parametrize("action", ["Answer", "answer.", "final_answer", "ANSWER", "Final Answer"])
def test_s059_action_in_another_spelling_is_understood(ask: Ask, action: str) -> None:
    """It costs no second call."""
    model = Scripted(SEARCH, json.dumps({"action": action}), "So [1].")
    assert (ask("Why?", model).text, len(model.prompts)) == ("So [1].", 3)


@pytest.mark.parametrize("action", ["search OR answer", "browse", "", "None"])
def test_s059_unknown_action_is_fed_back(ask: Ask, action: str) -> None:
    """The model hears the two there are, and may still answer."""
    model = Scripted(SEARCH, json.dumps({"action": action}), ANSWER, "So [1].")
    assert ask("Why?", model).text == "So [1]."
    assert "'answer' or 'search'" in model.prompts[2]


def test_s060_declared_failure_is_a_valid_end(ask: Ask) -> None:
    """That the notes do not hold it is accepted at once, and the reason says so."""
    model = Scripted(SEARCH, ANSWER, "NO EVIDENCE")
    answer = ask("Why?", model)
    assert (answer.stop_reason, len(model.prompts)) == ("no_evidence", 3)


@pytest.mark.parametrize("text", ["", "  ", "<think>Hm.</think>", "\ufeff"])
def test_s061_empty_text_is_no_answer(ask: Ask, text: str) -> None:
    """It is asked for again, and then the best note is quoted in its place."""
    assert ask("Why?", Scripted(SEARCH, ANSWER, text, "So [1].")).text == "So [1]."
    answer = ask("Why?", Scripted(SEARCH, ANSWER, text))
    assert answer.text == f"{HIT.text} [1]"
    assert "It is empty." in answer.data["problems"][0]


def test_model_that_is_down_leaves_what_was_found(ask: Ask) -> None:
    """With a model that fails, the question is searched, the best note quoted: an honest error."""

    def down(prompt: Prompt) -> str:
        raise ServiceError("503 from nowhere", status=503)

    answer = ask("Why do otters sleep?", down)
    assert (answer.text, answer.stop_reason) == (f"{HIT.text} [1]", "error")
    assert answer.data["problems"][0] == "The model failed: 503 from nowhere"
    answer = ask("Why do otters sleep?", down, nothing)
    assert answer.stop_reason == "error"
    assert "failed: 503" in " ".join(answer.data["problems"])


def test_model_that_comes_back_answers(ask: Ask) -> None:
    """One failed decision does not make the run an error."""
    outcomes: list[Any] = [ServiceError("503"), ANSWER, "So [1]."]

    def shaky(prompt: Prompt) -> str:
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return str(outcome)

    assert ask("Why?", shaky).stop_reason == "answered"


def test_reply_that_was_cut_off_is_asked_for_again(ask: Ask) -> None:
    """What a model function reports as cut off is told to the model like any bad reply."""
    outcomes: list[Any] = [SEARCH, ANSWER, BadReply("It was cut off."), "So [1]."]
    prompts: list[str] = []

    def cut(prompt: Prompt) -> str:
        prompts.append(str(prompt))
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return str(outcome)

    assert ask("Why?", cut).text == "So [1]."
    assert "It was cut off." in prompts[-1]


def test_reason_is_told_with_the_step(ask: Ask) -> None:
    """What the model gives as its reason stands beside the decision."""
    from wirebook_agent.nodes import Next

    assert str(Next("search", "otters", "the notes are empty")) == (
        "search: otters (the notes are empty)"
    )
    assert ask("Why?", Scripted(search("a", reason="none yet"), ANSWER, "So [1].")).text


def test_answer_before_any_search_is_fed_back(ask: Ask) -> None:
    """There is nothing to answer from yet: the model hears so, and the question is searched."""
    model = Scripted(ANSWER, SEARCH, ANSWER, "So [1].")
    answer = ask("Why?", model)
    assert (answer.text, answer.data["searches"]) == ("So [1].", ["otters"])
    assert "Nothing was searched yet" in model.prompts[1]
    answer = ask("Why do otters sleep?", Scripted(ANSWER))
    assert answer.data["searches"] == ["Why do otters sleep?"]
