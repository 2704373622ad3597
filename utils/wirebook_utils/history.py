"""`trimmed`: the end of a conversation, cut where a model can take it up.

Left out: summing up what is cut off, and counting tokens.
"""

from collections.abc import Sequence
from typing import Any

from wirebook_utils.contracts import Message
from wirebook_utils.errors import UsageError


def trimmed(messages: Sequence[Message], most: int) -> list[Message]:
    """Give the system messages at the start, and the last messages, at most `most` besides them.

    The rest begins with a turn of the user, so that a call of a tool keeps its results and no
    result stands alone, in OpenAI's form and in Anthropic's. Where the last turn alone is longer
    than that, it is given whole. Raises `UsageError` for less than one message.
    """
    if most < 1:
        raise UsageError(f"trimmed(most={most}): keep one message or more.")
    first = next((i for i, m in enumerate(messages) if not _leads(m)), len(messages))
    borders = [i for i in range(first, len(messages)) if _begins_a_turn(messages[i])]
    fits = [i for i in borders if len(messages) - i <= most]
    start = fits[0] if fits else borders[-1] if borders else first
    return [*messages[:first], *messages[start:]]


def _leads(message: Message) -> bool:
    return message.get("role") in ("system", "developer")


def _begins_a_turn(message: Message) -> bool:
    """Tell whether a user speaks; Anthropic's results of tools stand in a user's message too."""
    parts: Any = message.get("content")
    results = isinstance(parts, list) and any("tool_use_id" in part for part in parts)  # pyright: ignore[reportUnknownVariableType]
    return message.get("role") == "user" and not results
