"""The type that is asked for: described to the model, and checked.

Left out: a notation of our own. Types are read by pydantic, and described in the words of
TypeScript, which models know and which takes fewer tokens than a JSON schema.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, cast

from wirebook_utils.ask.fit import Fit
from wirebook_utils.ask.read import readings
from wirebook_utils.errors import BadReply, UsageError
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
            self.json: dict[str, Any] = self._adapter.json_schema()
        except pydantic.errors.PydanticUserError as error:
            raise UsageError(
                f"{wanted!r} cannot be asked for: {error.message} Give a dataclass, a pydantic "
                "model or a type such as list[str]."
            ) from None
        self._fit, self._check = Fit(self.json), check

    @property
    def request(self) -> str:
        """What to say to the model about the form of its reply."""
        return f"Reply with JSON of this form and nothing else:\n{self._fit.shape}"

    def read(self, reply: str) -> Any:
        """Give the first value in a reply that fits; raise `BadReply` that says what is wrong."""
        if not reply.strip():
            raise BadReply("It is empty.")
        if len(reply) > LONGEST:
            raise BadReply(f"It has {len(reply)} characters; {LONGEST} are too many.", reply)
        problem = ""
        for found in self._found(reply):
            try:
                value = self._adapter.validate_python(self._fit(found))
                if self._check:
                    self._check(value)
                return value
            except ValueError as error:  # a ValidationError is one
                problem = problem or _problem(error)
        raise BadReply(problem or self._none, reply)

    @property
    def _none(self) -> str:
        names = ", ".join(self._fit.keys)
        return f"It is no object with the keys {names}." if names else "There is no value in it."

    def _found(self, reply: str) -> Iterator[Any]:
        """Give what may be meant; an object has one of the keys, or stands right in something."""
        for found in readings(reply, self._fit.keys):
            if not self._fit.keys or self._fit.knows(found):
                yield found
            elif isinstance(found, dict | list):
                inside = cast(Any, found)
                parts = inside.values() if isinstance(found, dict) else inside
                yield from [part for part in parts if self._fit.knows(part)]


def _problem(error: ValueError) -> str:
    """Say what is wrong, with the name of the key and what stands there."""
    errors: Any = getattr(error, "errors", None)
    if errors is None:
        return str(error)
    told: list[str] = []
    for one in errors(include_url=False, include_context=False)[:5]:
        where = ".".join(map(str, one["loc"])) or "It"
        message = one["msg"].removeprefix("Value error, ")
        told.append(f"{where}: {message}, but is {_short(one['input'])}.")
    return " ".join(told)


def _short(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = str(type(value).__name__)
    return text if len(text) <= 200 else f"{text[:200]}…"
