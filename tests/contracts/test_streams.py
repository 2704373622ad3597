"""Text that comes piece by piece."""

import asyncio
import contextlib
import threading

import pytest
from wirebook_utils import ServiceError, Truncated, Usage, UsageError
from wirebook_utils.call_llm import astream_llm, stream_llm
from wirebook_utils.usage import metering

from tests.contracts.server import Asked, Play, Server, answer, events
from tests.contracts.speech import MODELS, Talk, chunks, deltas


def test_pieces_come_one_by_one(server: Server) -> None:
    """A piece is there before the next one has been sent."""
    more = threading.Event()
    first = {"choices": [{"index": 0, "delta": {"content": "a"}}]}
    last = {"choices": [{"index": 0, "delta": {"content": "b"}, "finish_reason": "stop"}]}
    server.plays = [events(first, last, until=more)]
    pieces = stream_llm("hi", model="compatible:m", base_url=server.url)
    assert next(pieces) == "a"
    more.set()
    assert list(pieces) == ["b"]


def test_s040_chunks_without_choices_bring_usage(chat_talk: Talk) -> None:
    """The first chunk and the last one have no choices: skipped, but for their usage."""
    usage = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
    chat_talk.plays(chat_talk.says("Hi", usage=usage))
    with metering() as meter:
        assert chat_talk.ask() == "Hi"
    assert meter.usage == Usage(0, 3, 2, 0, 0)


def test_s040_usage_is_asked_for_unless_it_is_refused(server: Server) -> None:
    """A server that does not know `stream_options` is asked without, from then on."""

    def play(asked: Asked) -> Play:
        known = "stream_options" not in asked.body
        return chunks("hi") if known else answer({"error": "stream_options: extra field"}, 422)

    server.plays = [play]
    for _ in range(2):
        assert list(stream_llm("hi", model="compatible:m", base_url=server.url)) == ["hi"]
    asked = [body.get("stream_options") for body in server.bodies]
    assert asked == [{"include_usage": True}, None, None]


def streamed(provider: str, *texts: str, cut: bool) -> Play:
    """Play a stream that ends before its reply does, with or without a word from the network."""
    play = (deltas if provider == "anthropic" else chunks)(*texts, finish=None)
    return Play(parts=play.parts, kind=play.kind, cut=cut)


@pytest.mark.parametrize("way", ["stream", "astream"], indirect=True)
@pytest.mark.parametrize("cut", [True, False])
@pytest.mark.feature("a cut stream is an error")
def test_cut_stream_is_an_error(talk: Talk, cut: bool) -> None:
    """A stream that breaks off after a piece raises `ServiceError`, and is not begun again."""
    talk.plays(streamed(talk.provider, "Well", cut=cut), "All of it")
    with pytest.raises(ServiceError, match=r"cut off|hung up"):
        talk.ask()
    assert len(talk.server.asked) == 1


@pytest.mark.parametrize("way", ["stream", "astream"], indirect=True)
@pytest.mark.parametrize("cut", [True, False])
@pytest.mark.feature("a stream cut before its first piece is tried again")
def test_stream_cut_before_its_first_piece_is_tried_again(talk: Talk, cut: bool) -> None:
    """Nothing has been given away yet, so the second attempt can give all of it."""
    talk.plays(streamed(talk.provider, cut=cut), "All of it")
    assert talk.ask() == "All of it"
    assert talk.slept == [0.5]


def test_pieces_come_before_the_error(server: Server) -> None:
    """A stream that ends at the limit gives its pieces, and raises at its end."""
    server.plays = [chunks("a", "b", finish="length")]
    pieces = stream_llm("hi", model="compatible:m", base_url=server.url)
    assert [next(pieces), next(pieces)] == ["a", "b"]
    with pytest.raises(Truncated):
        next(pieces)


def endless(provider: str) -> Play:
    """Play a stream whose end never comes."""
    play = (deltas if provider == "anthropic" else chunks)("a", "b")
    return Play(parts=play.parts, kind=play.kind, until=threading.Event())


def test_leaving_early_hangs_up(server: Server, provider: str) -> None:
    """Whoever closes the iterator, or drops it, closes the connection."""
    server.plays = [endless(provider)]
    pieces = stream_llm("hi", model=MODELS[provider], base_url=server.url, api_key="k")
    assert next(pieces) == "a"
    pieces.close()
    assert server.hung_up.wait(5)
    server.hung_up.clear()
    for piece in stream_llm("hi", model=MODELS[provider], base_url=server.url, api_key="k"):
        assert piece == "a"
        break
    assert server.hung_up.wait(5)


def test_leaving_early_hangs_up_in_a_loop(server: Server, provider: str) -> None:
    """The same for the async iterator."""
    server.plays = [endless(provider)]

    async def leave() -> None:
        model = MODELS[provider]
        pieces = astream_llm("hi", model=model, base_url=server.url, api_key="k")
        async with contextlib.aclosing(pieces):
            assert await anext(pieces) == "a"
        assert await asyncio.to_thread(server.hung_up.wait, 5)

    asyncio.run(leave())


def test_cancelled_task_hangs_up(server: Server, provider: str) -> None:
    """Cancelling whoever waits for a piece closes the connection."""
    server.plays = [endless(provider)]

    async def read(begun: asyncio.Event) -> None:
        model = MODELS[provider]
        async for _ in astream_llm("hi", model=model, base_url=server.url, api_key="k"):
            begun.set()

    async def cancel() -> None:
        begun = asyncio.Event()
        task = asyncio.create_task(read(begun))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(server.hung_up.wait, 5)

    asyncio.run(cancel())


def test_what_the_caller_can_mend_is_said_at_once() -> None:
    """A wrong argument is an error when the function is called, not when it is read."""
    for ask in (stream_llm, astream_llm):
        with pytest.raises(UsageError):
            ask("", model="stand-in")
