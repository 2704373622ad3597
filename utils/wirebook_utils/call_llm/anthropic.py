"""Anthropic's messages.

Left out: thinking. What a model thinks is skipped; its text counts.
"""

from collections.abc import Collection
from typing import Any

from wirebook_utils.call_llm.choose import Target
from wirebook_utils.call_llm.connection import http_client
from wirebook_utils.call_llm.reply import Reply, part
from wirebook_utils.call_llm.request import Request
from wirebook_utils.errors import UsageError
from wirebook_utils.extras import extra

PATH: str = "/v1/messages"

MAX_TOKENS = 16_000
"""The API demands a limit. Every model in service can write so much, its thinking included."""


def sdk() -> Any:
    """Import the SDK."""
    with extra("anthropic", "A model of Anthropic"):
        import anthropic
    return anthropic


def client(target: Target, *, waits: bool) -> Any:
    """Make a client that retries nothing and traces nothing."""
    make = sdk().AsyncAnthropic if waits else sdk().Anthropic
    http = http_client(sdk(), waits=waits)
    own = {"max_retries": 0, "open_telemetry": False, "http_client": http}
    return make(api_key=target.key, base_url=target.url, **own)


def endpoint(client: Any) -> Any:
    """Find what has the method `create`."""
    return client.messages


def body(request: Request, refused: Collection[str]) -> dict[str, Any]:
    """Write the arguments of `create`."""
    made: dict[str, Any] = {
        "model": request.target.name,
        "max_tokens": MAX_TOKENS if request.max_tokens is None else request.max_tokens,
        "messages": request.turns,
    }
    if request.system:
        made["system"] = request.system
    if request.stream:
        made["stream"] = True
    if request.temperature is not None:
        # The SDK has no argument for it any more; models of before take it.
        made["extra_body"] = {"temperature": request.temperature}
    if request.schema is not None:
        schema = _closed(request.schema)
        made["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
    return made


def add(reply: Reply, event: dict[str, Any]) -> str:
    """Read a message or an event of one."""
    message, delta = part(event, "message") or event, part(event, "delta")
    usage = part(message, "usage") | part(event, "usage")
    reply.usage |= {name: value for name, value in usage.items() if value is not None}
    reply.finish = message.get("stop_reason") or delta.get("stop_reason") or reply.finish
    details = part(message, "stop_details") or part(delta, "stop_details")
    reply.refusal += details.get("explanation") or ""
    if delta.get("type") == "text_delta":
        return str(delta.get("text") or "")
    blocks: list[dict[str, Any]] = message.get("content") or []
    return "".join(str(block["text"]) for block in blocks if block.get("type") == "text")


def tokens(reply: Reply) -> dict[str, Any]:
    """Read the usage; what was written to the cache or read from it is counted apart there."""
    usage = reply.usage
    cached = usage.get("cache_read_input_tokens") or 0
    given = usage.get("input_tokens")
    if given is not None:
        given += cached + (usage.get("cache_creation_input_tokens") or 0)
    thinking = part(usage, "output_tokens_details").get("thinking_tokens")
    return {
        "input": given,
        "output": usage.get("output_tokens"),
        "cached": cached,
        "reasoning": thinking,
    }


def refusal(request: Request, text: str) -> str | None:
    """There is nothing that another spelling would mend."""
    return None


def _closed(schema: dict[str, Any]) -> Any:
    try:
        return sdk().transform_schema(schema)
    except (ValueError, AttributeError, TypeError) as error:
        raise UsageError(f"Anthropic takes no such schema: {error}. Change the schema") from None
