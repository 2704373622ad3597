"""What to ask: a prompt as turns that every provider takes.

Some APIs and most local templates demand that user and assistant alternate, and refuse an empty
text. So neighbours of one role become one turn, and empty turns go.

Left out: what is in a turn, where it is more than a role and a text. It is passed on as it is.
"""

from typing import Any, cast

from wirebook_utils.contracts import Message, Prompt
from wirebook_utils.errors import UsageError

_SYSTEM = ("system", "developer")


def turns_of(prompt: Prompt, system: str | None = None) -> tuple[str, list[Message]]:
    """Split a prompt into the system text, `system` first, and turns. Raises `UsageError`."""
    messages = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else prompt
    texts, turns = [_sound(system or "")], list[Message]()
    for message in map(_sound, messages):
        if "role" not in message:
            raise UsageError(f"A message without a role: {sorted(message)}. Give role and content")
        if message["role"] in _SYSTEM:
            texts.append(_text(message.get("content")))
        elif not _is_empty(message):
            _add(turns, message)
    if not turns:
        raise UsageError("The prompt is empty. Give a text, or a message with content")
    return "\n\n".join(text for text in texts if text.strip()), turns


def _sound(value: Any) -> Any:
    """Put halves of a character together, and another one for those that stay alone: no UTF-8."""
    if isinstance(value, str):
        if value.isascii():
            return value
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [_sound(item) for item in cast(Any, value)]
    if isinstance(value, dict):
        return {key: _sound(item) for key, item in cast(Any, value).items()}
    return value


def _add(turns: list[Message], message: Message) -> None:
    last = turns[-1] if turns else None
    if last and last["role"] == message["role"] and _is_plain(last) and _is_plain(message):
        turns[-1] = {**last, "content": _joined(last["content"], message["content"])}
    else:
        turns.append(dict(message))


def _is_plain(message: Message) -> bool:
    return message.keys() == {"role", "content"}


def _is_empty(message: Message) -> bool:
    content = message.get("content")
    blank = not content or (isinstance(content, str) and not content.strip())
    return blank and message.keys() <= {"role", "content"}


def _joined(one: Any, other: Any) -> Any:
    if isinstance(one, str) and isinstance(other, str):
        return f"{one}\n\n{other}"
    return [*_parts(one), *_parts(other)]


def _parts(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n\n".join(part.get("text", "") for part in content or ())
