"""The pytest plugin: fixtures, and nothing else unless it is asked for.

With `wirebook_no_network = true` among pytest's settings, no test reaches the network.
"""

from collections.abc import Callable, Generator
from contextlib import nullcontext

import pytest

from wirebook_utils.testing.clock import FakeClock
from wirebook_utils.testing.network import no_network as _no_network
from wirebook_utils.testing.scripted import ScriptedLLM


def pytest_addoption(parser: pytest.Parser) -> None:
    """Know the setting."""
    parser.addini("wirebook_no_network", "let no test reach the network", type="bool")


@pytest.fixture(autouse=True)
def _guarded(request: pytest.FixtureRequest) -> Generator[None]:  # pyright: ignore[reportUnusedFunction]
    with _no_network() if request.config.getini("wirebook_no_network") else nullcontext():
        yield


@pytest.fixture
def no_network() -> Generator[None]:
    """Let this test talk to nobody but this machine."""
    with _no_network():
        yield


@pytest.fixture
def scripted_llm() -> Generator[Callable[..., ScriptedLLM]]:
    """Make scripted models; the test fails at its end unless all their replies were used."""
    made: list[ScriptedLLM] = []

    def make(*replies: object, **rules: object) -> ScriptedLLM:
        made.append(ScriptedLLM(*replies, **rules))  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
        return made[-1]

    yield make
    for model in made:
        model.assert_all_used()


@pytest.fixture
def fake_clock() -> Generator[FakeClock]:
    """Let time pass when the test's code waits, and at no cost."""
    with FakeClock().installed() as clock:
        yield clock
