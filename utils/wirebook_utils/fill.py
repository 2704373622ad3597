"""Fill a JSON schema by rules, for the stand-in: a value that fits, whatever is asked for.

Left out: patterns, formats and conditions of a schema; what they ask for may be missed.
"""

from typing import Any, Protocol, TypeAlias

Json: TypeAlias = dict[str, Any]

_DEEPEST = 6


class Filler(Protocol):
    """What stands in the places of a schema."""

    def text(self, name: str) -> str:
        """Give the text for a key."""
        ...

    def choice(self, names: list[Any]) -> Any:
        """Give one of the choices."""
        ...

    def sure(self) -> bool:
        """Give what is put for yes or no."""
        ...


def fill(schema: Json, filler: Filler) -> Any:
    """Give a value for a schema; an object gets all keys, a list as few items as it may have."""
    return _fill(schema, filler, schema.get("$defs", {}), "", 0)


def _fill(schema: Json, filler: Filler, defs: Json, name: str, depth: int) -> Any:
    if "$ref" in schema:
        schema = defs.get(schema["$ref"].rpartition("/")[2], {})
    options: list[Json] = schema.get("anyOf") or schema.get("oneOf") or []
    if options:
        if depth > _DEEPEST and {"type": "null"} in options:
            return None
        return _fill(options[0], filler, defs, name, depth + 1)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return filler.choice(schema["enum"])
    kind = schema.get("type", "object" if "properties" in schema else "string")
    if kind == "object":
        return _object(schema, filler, defs, depth)
    if kind == "array":
        few = max(schema.get("minItems", 0), int(depth <= _DEEPEST))
        return [_fill(schema.get("items", {}), filler, defs, name, depth + 1) for _ in range(few)]
    if kind in ("integer", "number"):
        return _number(schema)
    plain = {"boolean": filler.sure(), "null": None}
    return plain[kind] if kind in plain else filler.text(name)[: schema.get("maxLength")]


def _object(schema: Json, filler: Filler, defs: Json, depth: int) -> Json:
    required: list[str] = schema.get("required", [])
    return {
        key: _fill(part, filler, defs, key, depth + 1)
        for key, part in schema.get("properties", {}).items()
        if key in required or depth <= _DEEPEST
    }


def _number(schema: Json) -> float:
    """Give the number nearest to 1 that may stand there."""
    above: float | None = schema.get("exclusiveMinimum")
    below: float | None = schema.get("exclusiveMaximum")
    step = 1.0
    if schema["type"] == "number" and above is not None and below is not None:
        step = (below - above) / 2
    low: float | None = schema.get("minimum", None if above is None else above + step)
    high: float | None = schema.get("maximum", None if below is None else below - step)
    number = 1 if high is None else min(1, high)
    return number if low is None else max(number, low)
