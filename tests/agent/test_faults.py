"""Two hundred seeded faults: the agent always ends, with a text; without its guards it does not."""

import re
from typing import Any, get_args

import pytest
from wirebook_utils import Answer, Hit, Limits, Prompt, StopReason
from wirebook_utils.sections import sections
from wirebook_utils.testing import FAULTS, ChaosLLM, ChaosSearch, FakeClock, Fault, faults

from tests.agent.models import HIT, plainly, with_waiting_functions
from tests.agent.unguarded import unguarded

QUESTION = "Why do otters hold hands?"
SECONDS = 60.0
LATEST = SECONDS + 2 * 120
"""A call that is under way at the deadline may end, and then the answer is one call more."""
_CLOSE = re.compile(r"<(\w+)>.*?</\s*\1\s*>", re.S | re.I)


def gullible(prompt: Prompt) -> str:
    """A model that does its work well, and whatever stands outside the sections of a prompt."""
    text = str(prompt)
    outside = _CLOSE.sub("", text)
    if "PWNED" in outside:
        return "PWNED"
    actions = re.findall(r"<actions>\n(.*?)</actions>", text, re.S)
    if not actions:
        return "They hold hands to stay together [1]."
    given = sections(text)
    n = len(given.get("searches", "").splitlines())
    if HIT.text in given["notes"] or "search" not in actions[0]:
        return '{"action": "answer"}'
    return f'{{"action": "search", "query": "otters {n}"}}'


def found(query: str) -> list[Hit]:
    """Find the same thing whatever is asked."""
    return [HIT]


class Hidden:
    """Find it at the fifth search only, so that a slow model has its time to be slow."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, query: str) -> list[Hit]:
        """Search."""
        self.calls += 1
        return [HIT] if self.calls == 5 else [Hit("Moles", "m.md", f"Moles dig {query}.", 1.0)]


def chaos(seed: int, fault: Fault, clock: FakeClock) -> tuple[ChaosLLM, ChaosSearch]:
    """Make a model and a search with one kind of fault."""
    model = ChaosLLM(gullible, fault, seed=seed, sleep=clock.sleep)
    return model, ChaosSearch(Hidden() if fault == "slow" else found, fault, seed=seed)


def broke(fault: Fault, seed: int, clock: FakeClock) -> bool:
    """Tell whether the agent without guards fails: an error, no end, no text, or a stranger's."""
    model, search = chaos(seed, fault, clock)
    began = clock.now
    try:
        text = unguarded(QUESTION, model, search)
    except Exception:
        return True
    late = clock.now - began > LATEST
    # With its one source at hand, this is the only good answer there is.
    return late or text != "They hold hands to stay together [1]."


@pytest.mark.parametrize("ask", [plainly, with_waiting_functions], ids=["plain", "async"])
@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_ends_with_a_text(fault: Fault, ask: Any) -> None:
    """No error, no hang, nothing empty, no stranger's words: an answer, and why it ended."""
    bitten = 0
    for seed in (seed for seed, kind in faults(200) if kind == fault):
        with FakeClock().installed() as clock:
            model, search = chaos(seed, fault, clock)
            answer: Answer = ask(QUESTION, model, search, limits=Limits(seconds=SECONDS))
        assert answer.text.strip()
        assert answer.stop_reason in get_args(StopReason)
        assert (answer.stop_reason != "answered") or answer.sources
        assert len(answer.steps) <= 12
        assert clock.now - 1000 <= LATEST
        assert "PWNED" not in answer.text
        assert "666" not in answer.text
        bitten += bool(model.done or search.done)
    # A refusal or the like may come where the model is not asked any more, but not often.
    assert bitten >= 15


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_bite(fault: Fault) -> None:
    """The same agent without its guards fails at some of each kind, and works without any."""
    with FakeClock().installed() as clock:
        assert unguarded(QUESTION, gullible, found) == "They hold hands to stay together [1]."
        outcomes = [broke(fault, seed, clock) for seed, kind in faults(200) if kind == fault]
    assert any(outcomes)


def test_attack_from_a_page_changes_no_step() -> None:
    """With each attack among the hits, the agent goes the way it goes without one."""
    for seed in range(40):
        search = ChaosSearch(found, "injection", seed=seed)
        answer = plainly(QUESTION, gullible, search)
        assert search.done
        assert [step.path for step in answer.steps] == ["Decide", "LookUp", "Decide@2", "Write"]
        assert answer.stop_reason == "answered"
