"""The ready model functions: plain, async, and piece by piece.

All take the same settings. `model` is `"provider:name"`; `system` stands before the prompt;
`schema` is a JSON schema that the reply fits; `temperature` and `max_tokens` are sent only if they
are set; `timeout` is in seconds, for the whole call with its attempts, 60 if not set, and less
where a deadline leaves less; `base_url` and `api_key` say where and with what right. To bind some
of them, `functools.partial(call_llm, model="openai")` is a model function again.
"""

from collections.abc import AsyncGenerator, Generator
from dataclasses import replace
from typing import Any

from wirebook_utils.call_llm.choose import Target, choose
from wirebook_utils.call_llm.engine import pieces
from wirebook_utils.call_llm.messages import turns_of
from wirebook_utils.call_llm.request import Request
from wirebook_utils.call_llm.retry import ASYNC, PLAIN, Waits
from wirebook_utils.contracts import Prompt
from wirebook_utils.errors import UsageError
from wirebook_utils.time_left import time_left
from wirebook_utils.waiting import driven

SECONDS = 60.0


def call_llm(
    prompt: Prompt,
    *,
    model: str | None = None,
    system: str | None = None,
    schema: dict[str, Any] | None = None,
    temperature: float | None = None,
    max_tokens: int | None = None,
    timeout: float | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
) -> str:
    """Ask a model and give its text; in a running event loop, this blocks it.

    Raises `UsageError` for what the caller can mend, `RateLimited` or `ServiceError` for what a
    service or the network did, `EmptyReply` or `Truncated` for a reply that cannot be used.
    """
    target = choose(model, base_url, api_key)
    request = requested(target, prompt, system, schema, temperature, max_tokens, timeout)
    return "".join(plain(request))


async def acall_llm(
    prompt: Prompt,
    *,
    model: str | None = None,
    system: str | None = None,
    schema: dict[str, Any] | None = None,
    temperature: float | None = None,
    max_tokens: int | None = None,
    timeout: float | None = None,  # noqa: ASYNC109 - for all attempts together
    base_url: str | None = None,
    api_key: str | None = None,
) -> str:
    """Ask a model and give its text, and let the event loop go on meanwhile.

    Raises what `call_llm` raises.
    """
    target = choose(model, base_url, api_key)
    request = requested(target, prompt, system, schema, temperature, max_tokens, timeout)
    return "".join([piece async for piece in pieces(request, ASYNC)])


def stream_llm(
    prompt: Prompt,
    *,
    model: str | None = None,
    system: str | None = None,
    schema: dict[str, Any] | None = None,
    temperature: float | None = None,
    max_tokens: int | None = None,
    timeout: float | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
) -> Generator[str]:
    """Ask a model and give its text piece by piece; leaving early hangs up.

    Raises what `call_llm` raises; `Truncated` comes after the pieces that there were.
    """
    target = choose(model, base_url, api_key)
    request = requested(target, prompt, system, schema, temperature, max_tokens, timeout)
    return plain(replace(request, stream=True))


def astream_llm(
    prompt: Prompt,
    *,
    model: str | None = None,
    system: str | None = None,
    schema: dict[str, Any] | None = None,
    temperature: float | None = None,
    max_tokens: int | None = None,
    timeout: float | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
) -> AsyncGenerator[str]:
    """Ask a model and give its text piece by piece, for `async for`; leaving early hangs up.

    Python closes an async generator that was left some time later; `contextlib.aclosing` does so
    at once. Raises what `stream_llm` raises.
    """
    target = choose(model, base_url, api_key)
    request = requested(target, prompt, system, schema, temperature, max_tokens, timeout)
    return pieces(replace(request, stream=True), ASYNC)


def requested(
    target: Target,
    prompt: Prompt,
    system: str | None = None,
    schema: dict[str, Any] | None = None,
    temperature: float | None = None,
    max_tokens: int | None = None,
    timeout: float | None = None,
) -> Request:
    """Write the request.

    Raises `UsageError` for what no model could take.
    """
    if timeout is not None and not timeout > 0:
        raise UsageError(f"timeout is {timeout!r}. Give seconds above 0, or leave it out")
    text, turns = turns_of(prompt, system)
    left = time_left()
    seconds = min(timeout or SECONDS, float("inf") if left is None else left)
    return Request(target, text, turns, schema, temperature, max_tokens, seconds)


def plain(request: Request, waits: Waits = PLAIN) -> Generator[str]:
    """Drive the pieces without an event loop."""
    texts = pieces(request, waits)
    waited = RuntimeError("A plain call had to wait for an event loop. Use acall_llm.")
    try:
        while True:
            try:
                text = driven(texts.__anext__(), waited)
            except StopAsyncIteration:
                return
            yield text
    finally:
        driven(texts.aclose(), waited)
