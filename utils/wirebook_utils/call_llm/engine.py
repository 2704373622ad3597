"""One call, attempt after attempt: the same coroutine with an event loop and without.

Without one, nothing that it awaits ever waits, so that a single `send` drives it to its end (as the
core does). A client lives as long as its attempt.

Left out: one bound. Without an event loop the time is looked at whenever something arrives, so that
a server that keeps dripping is left at most one silence later.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import Any, TypeVar

from wirebook.core import settle

from wirebook_utils.call_llm import anthropic, openai
from wirebook_utils.call_llm.faults import Fault, Faults
from wirebook_utils.call_llm.reply import Reply, record_tokens
from wirebook_utils.call_llm.request import Format, Request
from wirebook_utils.call_llm.retry import TRIES, Waits, wait_before
from wirebook_utils.call_llm.sse import Events
from wirebook_utils.local_model import served

T = TypeVar("T")

FORMATS: dict[str, Format] = {"openai": openai, "anthropic": anthropic}

# What the server of a model has refused before, by base URL and model: it need not say so again.
_refused: dict[tuple[str, str], frozenset[str]] = {}


async def pieces(request: Request, waits: Waits) -> AsyncGenerator[str]:
    """Give the text of a reply piece by piece, at the second or a later attempt if need be."""
    if request.target.provider.format == "none":
        from wirebook_utils.stand_in import stand_in

        turns = [turn for turn in request.turns if turn.get("content")]
        yield stand_in(turns, schema=request.schema)
        return
    if request.target.provider.name == "local":
        request = await _loaded(request, waits)
    ends = waits.clock() + request.seconds
    attempt = 1
    while True:
        one = _Attempt(request, waits, ends)
        async with aclosing(one.run()) as texts:
            async for text in texts:
                yield text
        fault = one.fault
        if fault is None:
            return
        if one.adapted():
            continue
        attempt += 1
        wait = wait_before(attempt, fault.asked, waits.jitter())
        late = waits.clock() + wait >= ends
        if one.began or not fault.retry or late or attempt > TRIES:
            raise fault.error
        await settle(waits.sleep(wait))


async def _loaded(request: Request, waits: Waits) -> Request:
    """Load a model of this machine, which takes seconds at the first call, and say where it is."""
    name = request.target.name
    url, key = await asyncio.to_thread(served, name) if waits.is_async else served(name)
    return replace(request, target=replace(request.target, url=url, key=key))


class _Attempt:
    """One request and what came of it."""

    def __init__(self, request: Request, waits: Waits, ends: float) -> None:
        self.request, self.waits, self.ends = request, waits, ends
        self.format = FORMATS[request.target.provider.format]
        self.faults = Faults(request, self.format)
        self.reply = Reply()
        self.fault: Fault | None = None

    @property
    def began(self) -> bool:
        """Whether a piece has been given away, so that there is no way back."""
        return bool(self.reply.pieces)

    @property
    def refused(self) -> frozenset[str]:
        """What this server has refused of this model before."""
        return _refused.get((self.request.target.url, self.request.target.name), frozenset())

    def adapted(self) -> bool:
        """Note what the server refused, if the request can do without and did not yet."""
        what = self.fault and self.format.refusal(self.request, self.fault.refused)
        if self.began or not what or what in self.refused:
            return False
        target = self.request.target
        _refused[target.url, target.name] = self.refused | {what}
        return True

    async def run(self) -> AsyncGenerator[str]:
        """Give the pieces; a fault stands in `fault` afterwards, to be raised without a context."""
        try:
            async with aclosing(self._events()) as events:
                async for event in events:
                    if text := self._text(event):
                        yield text
            if self.request.stream and self.reply.finish is None:
                raise self.faults.cut()
        except Exception as error:
            self.fault = self.faults.read(error)
            if self.fault is None:
                raise
        else:
            model = str(self.request.target)
            record_tokens(model, self.format.tokens(self.reply))
            self.reply.check(model)

    def _text(self, event: Any) -> str:
        try:
            if event.get("error"):
                raise self.faults.told(event)
            text = self.format.add(self.reply, event)
        except (AttributeError, LookupError, TypeError):
            raise self.faults.unreadable(None, str(event)) from None
        if text:
            self.reply.pieces.append(text)
        return text

    async def _events(self) -> AsyncGenerator[Any]:
        client = self.format.client(self.request.target, waits=self.waits.is_async)
        response: Any = None
        try:
            response = await self._soon(self._send, client)
            # A server that cannot stream, or has to tell of an error, may send it all at once.
            is_whole = "json" in response.headers.get("content-type", "")
            read = self._streamed if self.request.stream and not is_whole else self._whole
            async with aclosing(read(response)) as events:
                async for event in events:
                    yield event
        finally:
            if response is not None:
                await settle(response.close())
            await settle(client.close())

    async def _send(self, client: Any) -> Any:
        body = self.format.body(self.request, self.refused)
        body["timeout"] = self.ends - self.waits.clock()
        response = self.format.endpoint(client).with_streaming_response.create(**body)
        return await response.__aenter__() if self.waits.is_async else response.__enter__()

    async def _streamed(self, response: Any) -> AsyncGenerator[Any]:
        events, arriving, count = Events(), response.iter_bytes(), 0
        while (more := await self._soon(_following, arriving)) is not None:
            for data in events.feed(more):
                if data == b"[DONE]":
                    return
                count += 1
                yield self._parsed(data, response)
        kind = response.headers.get("content-type", "")
        if not count and "event-stream" not in kind:
            raise self.faults.unreadable(response.status_code, kind)

    async def _whole(self, response: Any) -> AsyncGenerator[Any]:
        data, arriving = b"", response.iter_bytes()
        while (more := await self._soon(_following, arriving)) is not None:
            data += more
        yield self._parsed(data, response)

    def _parsed(self, data: bytes, response: Any) -> Any:
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            text = data.decode(errors="replace")
            raise self.faults.unreadable(response.status_code, text) from None

    async def _soon(self, work: Callable[[Any], Awaitable[T]], about: Any) -> T:
        """Do a bit of work within the time that is left."""
        left = self.ends - self.waits.clock()
        if left <= 0:
            raise TimeoutError
        if not self.waits.is_async:
            return await work(about)
        async with asyncio.timeout(left):
            return await work(about)


async def _following(items: Any) -> Any:
    return await anext(items, None) if hasattr(items, "__anext__") else next(items, None)
