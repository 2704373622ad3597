"""The types that the SDKs themselves have for a request, as checks of what arrives."""

from functools import cache
from typing import Any, get_type_hints

from anthropic.types.message_create_params import (
    MessageCreateParamsNonStreaming,
    MessageCreateParamsStreaming,
)
from openai.types.chat.completion_create_params import (
    CompletionCreateParamsNonStreaming,
    CompletionCreateParamsStreaming,
)
from pydantic import TypeAdapter, ValidationError

# Models of before take it, and the SDK sends it on.
GONE = {("/messages", "temperature")}
TYPES: dict[str, tuple[Any, Any]] = {
    "/chat/completions": (CompletionCreateParamsNonStreaming, CompletionCreateParamsStreaming),
    "/messages": (MessageCreateParamsNonStreaming, MessageCreateParamsStreaming),
}


def faults(path: str, body: dict[str, Any]) -> list[str]:
    """Say what the types of the SDK have against a request; none have anything for other paths."""
    for end, types in TYPES.items():
        if path.endswith(end):
            kind = types[bool(body.get("stream"))]
            unknown = [key for key in body.keys() - _names(kind) if (end, key) not in GONE]
            return [f"{end}: {key} is no parameter" for key in unknown] + _wrong(kind, body)
    return []


@cache
def _names(kind: Any) -> frozenset[str]:
    return frozenset(get_type_hints(kind))


@cache
def _checked(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _wrong(kind: Any, body: dict[str, Any]) -> list[str]:
    try:
        _checked(kind).validate_python(body)
    except ValidationError as error:
        return [f"{kind.__name__}: {error}"]
    return []
