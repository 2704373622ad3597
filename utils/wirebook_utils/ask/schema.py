"""The type that is asked for: described to the model, and checked.

Left out: a notation of our own. Types are read by pydantic, and described in the words of
TypeScript, which models know and which takes fewer tokens than a JSON schema.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, cast

from wirebook_utils.ask.fit import Fit, whole
from wirebook_utils.ask.read import readings, without_thoughts
from wirebook_utils.errors import BadReply, EmptyReply, UsageError
from wirebook_utils.extras import extra

LONGEST = 200_000
"""Characters of a reply that is read at all."""


class Schema:
    """A type, as far as a talk with a model needs it."""

    def __init__(self, wanted: Any, check: Callable[[Any], object] | None = None) -> None:
        with extra("ask", "Asking for a value"):
            import pydantic
        try:
            self._adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(wanted)
            schema = self._adapter.json_schema()
        except pydantic.errors.PydanticUserError as error:
            # What follows the first sentence is advice for other uses of pydantic.
            why = error.message.partition("\n")[0].partition(". ")[0].rstrip(".")
            raise UsageError(
                f"{wanted!r} cannot be asked for: {why}. Give a dataclass, a pydantic model or a "
                "type such as list[str]."
            ) from None
        self._fit, self._check = Fit(schema), check
        self.json: dict[str, Any] = whole(schema)

    @property
    def is_text(self) -> bool:
        """Whether plain text is asked for, which has no form."""
        return self.json == {"type": "string"}

    @property
    def request(self) -> str:
        """What to say to the model about the form of its reply."""
        if self.is_text:
            return ""
        return f"Reply with JSON of this form and nothing else:\n{self._fit.shape}"

    def read(self, reply: str) -> Any:
        """Give the first value in a reply that fits; raise `BadReply` that says what is wrong."""
        if len(reply) > LONGEST:
            raise BadReply(f"It has {len(reply)} characters; {LONGEST} are too many.", reply)
        text = without_thoughts(reply)
        if not text:
            raise EmptyReply("It is empty.")
        problem, cause = "", None
        for found in self._found(text):
            try:
                value = self._adapter.validate_python(self._fit(found))
                if self._check:
                    self._check(value)
                return value
            except (ValueError, RecursionError) as error:  # a ValidationError is a ValueError
                if not problem:
                    problem, cause = _problem(error), error
        raise BadReply(problem or self._none, text) from cause

    @property
    def _none(self) -> str:
        names = ", ".join(self._fit.keys)
        return f"It is no object with the keys {names}." if names else "There is no value in it."

    def _found(self, text: str) -> Iterator[Any]:
        """Give what may be meant; an object has one of the keys, or stands right in something."""
        if self.is_text:
            yield text
            return
        for found in readings(text, self._fit.keys):
            if not self._fit.keys or self._fit.knows(found):
                yield found
            elif isinstance(found, dict | list):
                inside = cast(Any, found)
                parts = inside.values() if isinstance(found, dict) else inside
                yield from [part for part in parts if self._fit.knows(part)]


def _problem(error: Exception) -> str:
    """Say what is wrong, with the name of the key and what stands there."""
    if isinstance(error, RecursionError):
        return "It is nested too deep."
    errors: Any = getattr(error, "errors", None)
    if errors is None:
        return str(error)
    return " ".join(map(_told, errors(include_url=False, include_context=False)[:5]))


def _told(one: dict[str, Any]) -> str:
    message = one["msg"].removeprefix("Value error, ").rstrip(".")
    if not one["loc"]:
        return f"{message}."
    return f"{'.'.join(map(str, one['loc']))}: {message}, but is {_short(one['input'])}."


def _short(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = str(type(value).__name__)
    return text if len(text) <= 200 else f"{text[:200]}…"
