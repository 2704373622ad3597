"""Bring a value that a model wrote closer to what was asked for, without a guess at its sense.

A name in other letters (`Search-Query` for `search_query`, `"Answer."` for `answer`) is that name,
and so is the only choice that a few words name (`final_answer`), unless they say no to it. A number
where text is asked for is its text; a null where a key may be missing is no key. Left out:
everything else. The value is validated afterwards, and the model told what is wrong.
"""

import re
from typing import Any, TypeAlias, cast

Json: TypeAlias = dict[str, Any]

_WORDS = {"string": "string", "integer": "integer", "number": "number", "boolean": "true | false"}

# Not all who doubt are here, but whoever says no to a choice in three words.
_NO = {
    *("no", "not", "never", "non", "without", "or", "nor", "neither", "nothing", "except", "t"),
    *("cannot", "cant", "dont", "wont", "unable", "refuse", "refused", "avoid", "skip", "stop"),
    *("failed", "impossible", "instead", "rather", "hardly", "isnt", "doesnt", "shouldnt"),
}


class Fit:
    """A JSON schema, as far as a value can be brought closer to it."""

    def __init__(self, schema: Json) -> None:
        self._defs: Json = schema.get("$defs", {})
        self._schema = self._resolved(schema)
        self.keys: tuple[str, ...] = tuple(self._schema.get("properties", ()))
        """The names of an object's properties; none if no object is asked for."""

    def __call__(self, value: Any) -> Any:
        """Give the value as it was meant, as far as its letters tell."""
        return self._fit(value, self._schema)

    def knows(self, value: Any) -> bool:
        """Tell whether a value is an object with one of the keys, or empty where it may be."""
        if not isinstance(value, dict):
            return False
        names = {_named(key, list(self.keys)) for key in cast(Json, value)}
        return bool(names & {*self.keys}) or not (names or self._schema.get("required"))

    @property
    def shape(self) -> str:
        """The schema in the words of TypeScript: `{"action": "search" | "answer"}`."""
        return self._shape(self._schema, 0)

    def _resolved(self, schema: Json) -> Json:
        reference: str | None = schema.get("$ref")
        return self._defs.get(reference.rpartition("/")[2], {}) if reference else schema

    def _fit(self, value: Any, schema: Json) -> Any:
        schema = self._resolved(schema)
        kind = cast(Any, type(value))
        if kind is dict and "properties" in schema:
            return self._object(value, schema)
        if kind is list and isinstance(schema.get("items"), dict):
            return [self._fit(item, schema["items"]) for item in value]
        if kind is str:
            return _chosen(value, _choices(schema))
        return str(value) if kind in (int, float) and schema.get("type") == "string" else value

    def _object(self, value: Json, schema: Json) -> Json:
        properties: Json = schema["properties"]
        required: list[str] = schema.get("required", [])
        found: Json = {}
        for key, item in value.items():
            name = _named(key, list(properties))
            if item is None and name in properties and name not in required:
                continue
            found[name] = self._fit(item, properties.get(name, {}))
        return found

    def _shape(self, schema: Json, depth: int) -> str:
        schema = self._resolved(schema)
        if depth > 5:  # a type that holds itself
            return "..."
        options: list[Json] = schema.get("anyOf") or schema.get("oneOf") or []
        if options:
            return " | ".join(self._shape(option, depth + 1) for option in options)
        if names := _choices(schema):
            return " | ".join(map(_quoted, names))
        if "properties" in schema:
            return self._shape_of_object(schema, depth)
        if schema.get("type") == "array":
            return f"[{self._shape(schema.get('items', {}), depth + 1)}, ...]"
        kind: str = schema.get("type", "any")
        return _WORDS.get(kind, kind)

    def _shape_of_object(self, schema: Json, depth: int) -> str:
        parts = [
            f'"{name}": {self._shape(part, depth + 1)}'
            + (f"  /* {part['description']} */" if "description" in part else "")
            for name, part in schema["properties"].items()
        ]
        return "{" + ", ".join(parts) + "}"


def whole(schema: Json) -> Json:
    """Give a JSON schema that asks for every key, and for no other.

    A model that need not give a reason gives none. What it leaves out all the same is not missed.
    """
    made = schema.copy()
    for key in ("properties", "$defs"):
        if key in schema:
            made[key] = {name: whole(part) for name, part in schema[key].items()}
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        if key in schema:
            made[key] = [whole(part) for part in schema[key]]
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            made[key] = whole(schema[key])
    if "properties" in schema:
        made["required"] = list(schema["properties"])
        made.setdefault("additionalProperties", False)
    return made


def _choices(schema: Json) -> list[Any]:
    """Give the values that a schema names, if it names any."""
    names: list[Any] = schema.get("enum", [schema["const"]] if "const" in schema else [])
    return names


def _quoted(name: Any) -> str:
    return f'"{name}"' if isinstance(name, str) else str(name).lower()


def _named(written: Any, names: list[Any]) -> Any:
    """Give the one of the names that has the same letters and digits as what was written."""
    if not isinstance(written, str) or written in names:
        return written
    letters = _letters(written)
    same = [name for name in names if isinstance(name, str) and _letters(name) == letters]
    return same[0] if len(same) == 1 and letters else written


def _chosen(written: str, names: list[Any]) -> Any:
    """Give the choice that is named, or the only one that two or three words name."""
    found = _named(written, names)
    words = re.findall(r"[^\W_]+", written.casefold())
    same = [name for name in names if isinstance(name, str) and name.casefold() in words]
    plain = len(words) <= 3 and not {*words} & _NO
    return same[0] if found not in names and len(same) == 1 and plain else found


def _letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text).casefold()
