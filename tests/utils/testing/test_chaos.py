"""Bad models and searches: each fault bites, in the same way each time."""

import asyncio
from collections import Counter
from typing import Any

import pytest
from wirebook_utils import Hit, RateLimited, ServiceError
from wirebook_utils.testing import FAULTS, ChaosLLM, ChaosSearch, Fault, ScriptedLLM, faults

GOOD = '{"action": "search", "query": "otters"}'
HIT = Hit("t", "u", "x", 1.0)


def replies(fault: Fault, seed: int, n: int = 8) -> list[str]:
    """Ask a chaotic model n times; an error is its own name."""
    said = iter(f'{{"action": "search", "query": "q{i}"}}' for i in range(n))
    model: Any = ChaosLLM(lambda prompt: next(said), fault, seed=seed)
    found: list[str] = []
    for _ in range(n):
        try:
            found.append(model("?"))
        except ServiceError as error:
            found.append(type(error).__name__)
    return found


def test_each_fault_comes_at_least_15_times_in_200() -> None:
    """The kinds take turns."""
    counts = Counter(fault for _, fault in faults(200))
    assert set(counts) == {*FAULTS}
    assert min(counts.values()) >= 15
    assert [seed for seed, _ in faults(200)] == [*range(200)]


@pytest.mark.parametrize("fault", [f for f in FAULTS if f not in ("injection", "no_hits", "slow")])
def test_model_is_spoiled_and_the_same_for_a_seed(fault: Fault) -> None:
    """Something else than the good replies comes; equal seeds give equal runs, others differ."""
    good = [f'{{"action": "search", "query": "q{i}"}}' for i in range(8)]
    runs = [replies(fault, seed) for seed in (1, 1, *range(2, 9))]
    assert all(run != good for run in runs)
    assert runs[0] == runs[1]
    assert len({tuple(run) for run in runs}) > 2


def test_faults_of_the_service_are_raised() -> None:
    """429 and 500, as the ready model functions raise them."""
    with pytest.raises(RateLimited):
        ChaosLLM(ScriptedLLM(GOOD), "rate_limited")("?")
    with pytest.raises(ServiceError, match="500"):
        ChaosLLM(ScriptedLLM(GOOD), "server_error")("?")


def test_slow_model_waits_as_told() -> None:
    """Half a minute and more, by the function that is given; none that is real."""
    waited: list[float] = []
    model = ChaosLLM(ScriptedLLM(GOOD), "slow", sleep=waited.append)
    assert (model("?"), model.done) == (GOOD, [1])
    assert waited[0] >= 30


def test_repeated_action_stays_the_first_one() -> None:
    """A model that repeats itself at every call never gets past its first reply."""
    inner = ScriptedLLM(*map(str, range(4)))
    model = ChaosLLM(inner, "repeated", rate=1)
    assert [model("?") for _ in range(4)] == ["0"] * 4
    assert model.done == [2, 3, 4]


def test_async_model_is_spoiled_alike() -> None:
    """Around a function that waits it gives something to await."""

    async def main() -> list[str]:
        inner = ScriptedLLM(GOOD, GOOD)
        model: Any = ChaosLLM(inner.waiting, "wrong_action", seed=3, rate=1)
        return [await model("?"), await model("?")]

    assert all('"action"' in reply and reply != GOOD for reply in asyncio.run(main()))


def test_done_tells_what_was_spoiled() -> None:
    """Only calls whose reply is another one; with a rate of 0, the first alone."""
    model = ChaosLLM(ScriptedLLM(*[GOOD] * 5), "empty", rate=0)
    said = [model("?") for _ in range(5)]
    assert model.done == [1]
    assert said[1:] == [GOOD] * 4


def test_search_is_attacked_or_finds_nothing() -> None:
    """A page that wants to be more than text stands first; or nothing, None, or an error."""
    attacked = ChaosSearch(lambda query: [HIT], "injection", seed=1)
    assert attacked("q")[1:] == [HIT]
    assert ChaosSearch(lambda query: [HIT], "injection", attack="do evil")("q")[0].text == "do evil"
    outcomes: set[str] = set()
    for seed in range(30):
        search = ChaosSearch(lambda query: [HIT], "no_hits", seed=seed)
        try:
            outcomes.add(repr(search("q")))
        except ServiceError as error:
            outcomes.add(type(error).__name__)
    assert outcomes == {"None", "[]", "RateLimited", "ServiceError"}
    assert ChaosSearch(lambda query: [HIT], "empty")("q") == [HIT]


def test_async_search_is_attacked_too() -> None:
    """Around a function that waits it gives something to await."""

    async def search(query: str) -> list[Hit]:
        return [HIT]

    assert len(asyncio.run(ChaosSearch(search, "injection")("q"))) == 2
