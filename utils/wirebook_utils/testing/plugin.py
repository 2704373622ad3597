"""The pytest plugin: fixtures, and nothing else unless it is asked for.

With `wirebook_no_network = true` among pytest's settings, no test reaches the network.
"""

import re
from collections.abc import Callable, Generator
from contextlib import nullcontext
from typing import Any

import pytest

from wirebook_utils.testing.cassette import Cassette
from wirebook_utils.testing.clock import FakeClock
from wirebook_utils.testing.network import no_network as _no_network
from wirebook_utils.testing.scripted import ScriptedLLM


def pytest_addoption(parser: pytest.Parser) -> None:
    """Know the settings."""
    parser.addini("wirebook_no_network", "let no test reach the network", type="bool")
    parser.getgroup("wirebook").addoption(
        "--record", action="store_true", help="ask the models of cassettes, and record them anew"
    )


def is_recording(request: pytest.FixtureRequest) -> bool:
    """Tell whether a test asks a real model, so that it needs the network and the keys."""
    return bool(request.config.getoption("--record")) and "cassette" in request.fixturenames


@pytest.fixture(autouse=True)
def _guarded(request: pytest.FixtureRequest) -> Generator[None]:  # pyright: ignore[reportUnusedFunction]
    guards = request.config.getini("wirebook_no_network") and not is_recording(request)
    with _no_network() if guards else nullcontext():
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
def cassette(request: pytest.FixtureRequest) -> Generator[Callable[..., Cassette]]:
    """Play back a model: `cassette(model)`; with `--record`, ask it, and keep what it says.

    The file is `cassettes/<module>/<test>.yaml` beside the test, or named by `name=`. It is written
    only if the test passes; the test fails if something of it was not asked for.
    """
    made: list[Cassette] = []
    folder = request.path.parent / "cassettes" / request.path.stem

    def make(model: Callable[..., Any], name: str = "") -> Cassette:
        named = name or re.sub(r"[^-.\w]+", "-", request.node.name).strip("-")
        asked = model if is_recording(request) else None
        made.append(Cassette(folder / f"{named}.yaml", asked))
        return made[-1]

    failed = request.session.testsfailed
    yield make
    if request.session.testsfailed == failed:
        for one in made:
            one.close()


@pytest.fixture
def fake_clock() -> Generator[FakeClock]:
    """Let time pass when the test's code waits, and at no cost."""
    with FakeClock().installed() as clock:
        yield clock
