"""What tests of a wiring need: models that do as told or as badly as they can, no network, no wait.

`pytest` users get the fixtures `scripted_llm`, `cassette`, `no_network` and `fake_clock` by
themselves.
"""

from wirebook_utils.testing.cassette import Cassette
from wirebook_utils.testing.chaos import FAULTS, ChaosLLM, ChaosSearch, Fault, faults
from wirebook_utils.testing.clock import FakeClock
from wirebook_utils.testing.network import NetworkUsed, no_network
from wirebook_utils.testing.scripted import ScriptedLLM

__all__ = [
    "FAULTS",
    "Cassette",
    "ChaosLLM",
    "ChaosSearch",
    "FakeClock",
    "Fault",
    "NetworkUsed",
    "ScriptedLLM",
    "faults",
    "no_network",
]
