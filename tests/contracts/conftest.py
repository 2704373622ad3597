"""A server on this machine, and every way to ask every provider."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from wirebook_utils.call_llm import choose, engine
from wirebook_utils.call_llm.call import plain, requested
from wirebook_utils.call_llm.request import Request
from wirebook_utils.call_llm.retry import Waits

from tests.contracts.server import Server, serving
from tests.contracts.speech import KEY, MODELS, Talk


@pytest.fixture(autouse=True)
def _anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what servers refused, and that the stand-in was announced."""
    monkeypatch.setattr(engine, "_refused", {})
    choose.announce.cache_clear()


@pytest.fixture
def server() -> Iterator[Server]:
    """Serve on this machine; all that is asked has to be what the SDKs know."""
    with serving() as made:
        yield made
    assert not made.faults


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        """Let time pass at once."""
        self.slept.append(seconds)
        self.now += seconds

    async def asleep(self, seconds: float) -> None:
        """Do so where it is awaited."""
        self.sleep(seconds)

    def waits(self, *, is_async: bool) -> Waits:
        """Give it to a call; jitter is at its most."""
        sleep = self.asleep if is_async else self.sleep
        return Waits(lambda: self.now, sleep, lambda: 1.0, is_async)


def asker(provider: str, way: str, server: Server, time: Time) -> Callable[..., str]:
    """Ask through the real SDK, with a clock of our own."""

    def ask(prompt: Any = "hi", **settings: Any) -> str:
        model, url = settings.pop("model", MODELS[provider]), settings.pop("base_url", server.url)
        target = choose.choose(model, url, settings.pop("api_key", KEY))
        request = replace(requested(target, prompt, **settings), stream="stream" in way)
        if way.startswith("a"):
            return asyncio.run(_gathered(request, time.waits(is_async=True)))
        return "".join(plain(request, time.waits(is_async=False)))

    return ask


async def _gathered(request: Request, waits: Waits) -> str:
    return "".join([text async for text in engine.pieces(request, waits)])


WAYS = ["plain", "async", "stream", "astream"]


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    """Name a way to ask."""
    return str(request.param)


@pytest.fixture(params=list(MODELS))
def provider(request: pytest.FixtureRequest) -> str:
    """Name a provider."""
    return str(request.param)


@pytest.fixture
def talk(provider: str, way: str, server: Server) -> Talk:
    """Ask every provider in every way."""
    time = Time()
    return Talk(server, provider, way, asker(provider, way, server, time), time.slept)


@pytest.fixture
def chat_talk(way: str, server: Server, request: pytest.FixtureRequest) -> Talk:
    """Ask a compatible server in every way."""
    time = Time()
    return Talk(server, "compatible", way, asker("compatible", way, server, time), time.slept)
