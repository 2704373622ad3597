"""Event loops, threads, and what is left behind: nothing."""

import asyncio
import gc
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import pytest
from wirebook_utils import ServiceError, acall_llm, call_llm, stream_llm

from tests.contracts.server import Play, Server
from tests.contracts.speech import MODELS, Talk, chat, message, publicly


def test_public_functions_answer(talk: Talk) -> None:
    """Each of the four gives the text."""
    talk.plays("hi")
    assert publicly(talk, "q", system="s", temperature=0, max_tokens=5) == "hi"
    assert talk.sent()["temperature"] == 0


def test_s042_plain_call_inside_a_running_loop(server: Server) -> None:
    """In a notebook the plain functions just answer; they need no loop of their own."""
    server.plays = [chat("hi")]
    ask = partial(call_llm, model="compatible:m", base_url=server.url)

    async def cell() -> list[str]:
        return [ask("a"), ask("b")]

    assert asyncio.run(cell()) == ["hi", "hi"]


def test_s042_plain_stream_inside_a_running_loop(talk: Talk) -> None:
    """So does the stream, also one that is left early."""
    talk.way = "stream"
    talk.plays(talk.says("hi"))
    model, url = MODELS[talk.provider], talk.server.url

    async def cell() -> str:
        for piece in stream_llm("q", model=model, base_url=url, api_key="k"):
            return piece
        return ""

    assert asyncio.run(cell()) == "hi"


def test_loops_and_threads_share_nothing(server: Server) -> None:
    """One loop after the other and many threads at once: everybody has an answer."""
    server.plays = [chat("hi")]
    ask = partial(call_llm, model="compatible:m", base_url=server.url)
    aask = partial(acall_llm, model="compatible:m", base_url=server.url)

    async def together() -> list[str]:
        return await asyncio.gather(*(aask(str(n)) for n in range(8)))

    assert [asyncio.run(together()) for _ in range(2)] == [["hi"] * 8] * 2
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, "abcdefgh")) == ["hi"] * 8


def test_async_call_lets_the_loop_go_on(server: Server) -> None:
    """While one call waits for its server, another task runs, and can let the server go on."""
    more = threading.Event()
    whole = chat("hi")
    server.plays = [Play(parts=whole.parts, until=more)]

    async def both() -> str:
        task = asyncio.create_task(acall_llm("q", model="compatible:m", base_url=server.url))
        assert await asyncio.to_thread(server.was_asked.wait, 5)
        more.set()
        return await task

    assert asyncio.run(both()) == "hi"


def test_time_limit_from_outside_holds(server: Server) -> None:
    """`asyncio.timeout` around a call ends it, and stays what it is."""
    server.plays = [Play(parts=(b"{}",), until=threading.Event())]

    async def hurried() -> None:
        async with asyncio.timeout(0.01):
            await acall_llm("q", model="compatible:m", base_url=server.url)

    with pytest.raises(TimeoutError) as caught:
        asyncio.run(hurried())
    assert not isinstance(caught.value, ServiceError)


def test_connection_is_closed_with_the_call(talk: Talk) -> None:
    """Nobody has to collect garbage for it, though the server would have kept it open."""
    talk.plays(replace(talk.says("hi"), keeps=True))
    gc.disable()
    try:
        assert publicly(talk) == "hi"
        assert talk.server.hung_up.wait(5)
    finally:
        gc.enable()


def test_import_loads_no_sdk() -> None:
    """Importing the functions, and the stand-in's answer, load neither SDK."""
    code = (
        "import sys; from wirebook_utils import call_llm; call_llm('hi', model='stand-in');"
        "print({'openai', 'anthropic', 'httpx2', 'opentelemetry'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


def test_nothing_is_traced(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The SDK's tracing is off, whatever the environment says."""
    from opentelemetry import trace

    asked: list[object] = []

    def tracer(*args: object, **_: object) -> None:
        asked.append(args)

    monkeypatch.setattr(trace, "get_tracer", tracer)
    server.plays = [message("hi")]
    assert call_llm("q", model="anthropic:m", base_url=server.url, api_key="k") == "hi"
    assert asked == []
