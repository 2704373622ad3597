"""What servers say, in the two wire formats: whole replies and streams with the same content."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from wirebook_utils.call_llm import acall_llm, astream_llm, call_llm, stream_llm

from tests.contracts.server import Play, Server, answer, events

Body = dict[str, Any]
KEY = "sk-secret-123"
MODELS = {"openai": "openai:m", "anthropic": "anthropic:m", "compatible": "compatible:m"}
_BEGUN: Body = {"id": "1", "type": "message", "role": "assistant", "model": "m", "content": []}


def chat(text: str | None, finish: str | None = "stop", usage: Any = None, **more: Any) -> Play:
    """Reply as OpenAI does."""
    message: Body = {"role": "assistant", "content": text, **more}
    body: Body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
    choices = [{"index": 0, "message": message, "finish_reason": finish}]
    return answer({**body, "choices": choices, "usage": usage})


def chunks(*texts: str, finish: str | None = "stop", usage: Any = None, **more: Any) -> Play:
    """Stream as OpenAI does: the first chunk and the last one have no choices."""
    said = [_chunk({"content": text}) for text in texts] + ([_chunk(more)] if more else [])
    tail: list[Any] = []
    if finish:
        tail = [_chunk({}, finish), {"choices": [], "usage": usage}, "[DONE]"]
    return events({"choices": [], "prompt_filter_results": []}, *said, *tail)


def _chunk(delta: Body, finish: str | None = None) -> Body:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def message(text: str | None, finish: str = "end_turn", usage: Any = None) -> Play:
    """Reply as Anthropic does, after some thinking."""
    blocks = [{"type": "thinking", "thinking": "hm", "signature": "s"}]
    blocks += [{"type": "text", "text": text}] if text is not None else []
    return answer({**_BEGUN, "content": blocks, "stop_reason": finish, "usage": usage or {}})


def deltas(*texts: str, finish: str | None = "end_turn", usage: Any = None) -> Play:
    """Stream as Anthropic does: usage comes in two parts, the input first."""
    given: Body = {**usage, "output_tokens": 1} if usage else {}
    made: Body = {"output_tokens": usage["output_tokens"]} if usage else {}
    thinking = {"type": "thinking_delta", "thinking": "hm"}
    said = [thinking, *({"type": "text_delta", "text": text} for text in texts)]
    ended: Body = {"type": "message_delta", "delta": {"stop_reason": finish}, "usage": made}
    return events(
        {"type": "message_start", "message": {**_BEGUN, "usage": given}},
        *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in said),
        *([ended, {"type": "message_stop"}] if finish else []),
    )


class Ask(Protocol):
    """Asks one provider in one way: plain, async or piece by piece."""

    def __call__(self, prompt: Any = "hi", **settings: Any) -> str:
        """Ask, and give the whole text."""
        ...


@dataclass
class Talk:
    """A server, a provider that it plays, and a way to ask it."""

    server: Server
    provider: str
    way: str
    ask: Ask
    slept: list[float]

    @property
    def streams(self) -> bool:
        """Whether the reply comes piece by piece."""
        return "stream" in self.way

    def plays(self, *plays: Play | str | Callable[..., Play]) -> None:
        """Set what is played; a text is a reply with that text."""
        self.server.plays = [self.says(p) if isinstance(p, str) else p for p in plays]

    def says(self, text: str | None, finish: str | None = None, usage: Any = None) -> Play:
        """Make a reply in the provider's format, whole or streamed."""
        texts = [text] if text else []
        if self.provider == "anthropic":
            end = finish or "end_turn"
            if self.streams:
                return deltas(*texts, finish=end, usage=usage)
            return message(text, end, usage)
        end = finish or "stop"
        return chunks(*texts, finish=end, usage=usage) if self.streams else chat(text, end, usage)

    def sent(self, n: int = -1) -> dict[str, Any]:
        """The body of a request."""
        return self.server.bodies[n]


def publicly(talk: Talk, prompt: str = "hi", **settings: Any) -> str:
    """Ask by the public functions, with the clock that everybody has."""
    told: Body = {"model": MODELS[talk.provider], "base_url": talk.server.url, "api_key": KEY}
    told |= settings
    if talk.way == "plain":
        return call_llm(prompt, **told)
    if talk.way == "async":
        return asyncio.run(acall_llm(prompt, **told))
    if talk.way == "stream":
        return "".join(stream_llm(prompt, **told))

    async def gathered() -> str:
        return "".join([piece async for piece in astream_llm(prompt, **told)])

    return asyncio.run(gathered())
