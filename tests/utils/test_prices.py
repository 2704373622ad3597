"""Money of a run: by list prices, and unknown where one part is."""

import sys

import pytest
from genai_prices import Usage as Used
from genai_prices import calc_price
from wirebook_utils.prices import price
from wirebook_utils.usage import metering, record


def test_money_is_the_sum_of_list_prices() -> None:
    """As the library says, for each reply: some models cost more for a longer prompt."""
    with metering() as meter:
        record("openai:gpt-4o-mini", 1_000, 100, cached=200)
        record("anthropic:claude-haiku-5-5", 2_000, 10)
    first = Used(input_tokens=1_000, output_tokens=100, cache_read_tokens=200)
    second = Used(input_tokens=2_000, output_tokens=10)
    prices = [
        calc_price(first, "gpt-4o-mini", provider_id="openai").total_price,
        calc_price(second, "claude-haiku-5-5", provider_id="anthropic").total_price,
    ]
    assert meter.usage.money == pytest.approx(float(sum(prices)))
    assert 0 < float(prices[0]) < float(prices[1]) < 0.01


@pytest.mark.parametrize("model", ["openai:nobody-knows", "compatible:gpt-4o-mini", "mine", ""])
def test_unknown_stays_unknown(model: str) -> None:
    """One reply of unknown price makes the sum unknown; its tokens are known all the same."""
    with metering() as meter:
        record("openai:gpt-4o-mini", 10, 1)
        record(model, 10, 1)
    assert (meter.usage.money, meter.usage.input_tokens) == (None, 20)


def test_what_runs_here_is_free() -> None:
    """A model of this machine costs nothing; without any reply, nothing is known."""
    with metering() as meter:
        assert meter.usage.money is None
        record("local:qwen2.5-coder-1.5b", 10, 1)
    assert meter.usage.money == 0


def test_without_the_library_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra is optional, and its absence no error."""
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    assert price("openai:gpt-4o-mini", 10, 1, 0) is None
