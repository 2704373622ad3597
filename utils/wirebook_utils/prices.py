"""What tokens cost, by the list prices of the library `genai-prices`; nothing is looked up online.

Left out: guesses. What the library does not know has no price, and without it nothing has.
"""

from contextlib import suppress

FREE = ("local", "stand-in")
"""Providers that run here."""


def price(model: str, input: int, output: int, cached: int) -> float | None:
    """Give US dollars for one reply of a `provider:name`, or `None` if they are not known.

    `input` holds the `cached` tokens.
    """
    provider, _, name = model.partition(":")
    if provider in FREE:
        return 0.0
    with suppress(ModuleNotFoundError, LookupError):
        from genai_prices import Usage, calc_price

        used = Usage(input_tokens=input, output_tokens=output, cache_read_tokens=cached)
        return float(calc_price(used, name, provider_id=provider).total_price)
    return None
