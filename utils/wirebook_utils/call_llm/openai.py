"""OpenAI's chat completions, which most other servers speak too.

Left out: the responses API, which those servers lack.
"""

import json
import re
from collections.abc import Collection, Iterable
from typing import Any, cast

from wirebook_utils.call_llm.choose import Target
from wirebook_utils.call_llm.connection import http_client
from wirebook_utils.call_llm.reply import Reply, part
from wirebook_utils.call_llm.request import Request
from wirebook_utils.extras import extra

PATH: str = "/chat/completions"

_LIMITS = ("max_completion_tokens", "max_tokens")
_UNKNOWN = re.compile(
    r"unsupported|not supported|unrecogni|unknown|unexpected|extra|permitted", re.I
)
# Keywords that a strict schema may not hold.
_LOOSE = {"allOf", "not", "if", "then", "else", "dependentRequired", "patternProperties", "oneOf"}


def sdk() -> Any:
    """Import the SDK."""
    with extra("openai", "A model of OpenAI, or a compatible server,"):
        import openai
    return openai


def client(target: Target, *, waits: bool) -> Any:
    """Make a client that retries nothing, and that tells a server of others no name and no key."""
    make = sdk().AsyncOpenAI if waits else sdk().OpenAI
    http = http_client(sdk(), waits=waits)
    # The SDK insists on a key; `body` takes it off again.
    key = target.key or "none"
    return make(api_key=key, base_url=target.url, max_retries=0, http_client=http)


def endpoint(client: Any) -> Any:
    """Find what has the method `create`."""
    return client.chat.completions


def body(request: Request, refused: Collection[str]) -> dict[str, Any]:
    """Write the arguments of `create`."""
    target, system = request.target, request.system
    made: dict[str, Any] = {"model": target.name}
    if request.temperature is not None:
        made["temperature"] = request.temperature
    if request.max_tokens is not None:
        made[_limit(target, refused)] = request.max_tokens
    if request.stream:
        made["stream"] = True
        if "stream_options" not in refused:
            made["stream_options"] = {"include_usage": True}
    if request.schema is not None:
        if "response_format" in refused:
            system = f"{system}\n\n{_in_words(request.schema)}".strip()
        else:
            made["response_format"] = _response_format(request.schema)
    first = [{"role": "system", "content": system}] if system else []
    made["messages"] = [*first, *request.turns]
    if target.provider.name != "openai":
        made["extra_headers"] = _nameless(target)
    return made


def add(reply: Reply, event: dict[str, Any]) -> str:
    """Read a reply or a chunk; those without choices bring only usage, or nothing."""
    reply.usage = part(event, "usage") or reply.usage
    choices: list[dict[str, Any]] = event.get("choices") or [{}]
    choice = choices[0]
    said = part(choice, "message") or part(choice, "delta")
    reply.finish = choice.get("finish_reason") or reply.finish
    reply.refusal += said.get("refusal") or ""
    content: Any = said.get("content") or ""
    if isinstance(content, list):  # with what was thought, as parts of another type
        parts = cast("list[dict[str, Any]]", content)
        content = "".join(str(part["text"]) for part in parts if part.get("type") == "text")
    return str(content)


def tokens(reply: Reply) -> dict[str, Any]:
    """Read the usage; input and output hold their parts already."""
    usage = reply.usage
    return {
        "input": usage.get("prompt_tokens"),
        "output": usage.get("completion_tokens"),
        "cached": part(usage, "prompt_tokens_details").get("cached_tokens"),
        "reasoning": part(usage, "completion_tokens_details").get("reasoning_tokens"),
    }


def refusal(request: Request, text: str) -> str | None:
    """Name the parameter that a server does not know, if there is another way to say it."""
    sent = body(request, ())
    for name in ("stream_options", "response_format"):
        if request.target.provider.name != "openai" and name in sent and name in text:
            return name
    for name, other in (_LIMITS, _LIMITS[::-1]):
        if name in sent and _mentions(name, text):
            return "limit" if _mentions(other, text) or _UNKNOWN.search(text) else None
    return None


def permits_strict(schema: Any) -> bool:
    """Tell whether every object in a schema is closed and requires all that it has."""
    if isinstance(schema, list):
        return permits_strict(dict(enumerate(cast("Iterable[Any]", schema))))
    if not isinstance(schema, dict):
        return True
    node = cast("dict[str, Any]", schema)
    if node.get("type") == "object" or "properties" in node:
        named = set(node.get("properties", ()))
        if node.get("additionalProperties") is not False or set(node.get("required", ())) != named:
            return False
    return not _LOOSE & node.keys() and all(map(permits_strict, node.values()))


def _limit(target: Target, refused: Collection[str]) -> str:
    return _LIMITS[(target.provider.name != "openai") ^ ("limit" in refused)]


def _mentions(name: str, text: str) -> bool:
    return re.search(rf"\b{name}\b", text) is not None


def _response_format(schema: dict[str, Any]) -> dict[str, Any]:
    strict = schema.get("type") == "object" and permits_strict(schema)
    name = re.sub(r"\W", "_", str(schema.get("title", "")), flags=re.ASCII)[:64] or "reply"
    return {
        "type": "json_schema",
        "json_schema": {"name": name, "schema": schema, "strict": strict},
    }


def _in_words(schema: dict[str, Any]) -> str:
    return f"Reply with JSON alone. It fits this JSON schema:\n{json.dumps(schema)}"


def _nameless(target: Target) -> dict[str, Any]:
    # What the environment says of an account at OpenAI is nobody else's business.
    names = ["OpenAI-Organization", "OpenAI-Project", *([] if target.key else ["Authorization"])]
    return dict.fromkeys(names, sdk().Omit())
