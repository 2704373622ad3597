"""`cached`: a model or a search that answers the same question from what it kept.

The key is a hash of the function's name, all that it is given and bound to, the model that would be
asked, and a `version`. Values are kept as JSON.

Left out: streams, and errors, which are never kept.
"""

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, is_dataclass, replace
from functools import partial, wraps
from typing import Any, TypeVar, cast

from wirebook_utils.attempt import attempt
from wirebook_utils.call_llm import acall_llm, call_llm
from wirebook_utils.call_llm.choose import whom_and_where
from wirebook_utils.contracts import Hit
from wirebook_utils.errors import UsageError
from wirebook_utils.layers import event
from wirebook_utils.store import Store
from wirebook_utils.usage import record
from wirebook_utils.waiting import waits

F = TypeVar("F", bound=Callable[..., Any])

FORMAT = 1
"""Goes into every key: raised when what is kept would be read in another way."""

SECRET = ("api_key",)
"""Settings that do not change a reply, and must not leave a trace."""


def cached(
    function: F,
    store: Store,
    *,
    name: str | None = None,
    version: str = "",
    max_age: float | None = None,
    check: Callable[[Any], object] | None = None,
) -> F:
    """Make a function that asks only once: the same question is answered from the store.

    A question is the same if all is: the function, the model, the messages, every setting, and
    `version`, which you change when the function does. `name` stands for a function that has no
    name to be found by, such as a lambda. What is older than `max_age` seconds is asked again. A
    value for which `check` raises `ValueError` is not kept; and in a flow run by the front door, a
    node's second attempt asks again.

    Raises `UsageError` for a function without a name and for what cannot be compared, `TypeError`
    for a value that is neither JSON nor a list of hits.
    """
    identity = name or _name(function)

    def key(args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
        asked = [FORMAT, identity, version, *_settings(function, args, kwargs)]
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()

    def found(at: str) -> tuple[bool, Any]:
        kept = None if attempt.get() else store.get(at)
        if kept is None or (max_age is not None and time.time() - kept.at > max_age):
            return False, None
        record("kept", 0, 0)
        event("wirebook.cache_hit", function=identity)
        return True, _read(kept.value)

    def keep(at: str, value: Any) -> Any:
        text = _written(value, identity)
        try:
            if check:
                check(value)
        except ValueError:
            return value
        store.put(at, text)
        return value

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        at = key(args, kwargs)
        there, value = found(at)
        return value if there else keep(at, function(*args, **kwargs))

    @wraps(function)
    async def acall(*args: Any, **kwargs: Any) -> Any:
        at = key(args, kwargs)
        there, value = found(at)
        return value if there else keep(at, await function(*args, **kwargs))

    return cast(F, acall if waits(function) else call)


def _name(function: Callable[..., Any]) -> str:
    """Give the name by which a function can be found: another one cannot have it."""
    if isinstance(function, partial):
        return _name(function.func)
    module, name = (getattr(function, part, "") for part in ("__module__", "__qualname__"))
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is not function:
        raise UsageError(
            f"cached({function!r}): nothing tells it from another function, or from the same with "
            "other data. Give it a name: cached(..., name='...')"
        )
    return f"{module}.{name}"


def _settings(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[Any, Any]:
    """Give all that can change the reply, as JSON."""
    while isinstance(function, partial):
        args, kwargs = (*function.args, *args), {**function.keywords, **kwargs}
        function = function.func
    if function in (call_llm, acall_llm):
        kwargs = {**kwargs, **whom_and_where(kwargs.get("model"), kwargs.get("base_url"))}
    plain = {k: _plain(v) for k, v in kwargs.items() if k not in SECRET and v is not None}
    return [_plain(arg) for arg in args], plain


def _plain(value: Any) -> Any:
    """Make JSON of what a function is given. Raises `UsageError` for what cannot be compared."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        given: Mapping[Any, Any] = value  # pyright: ignore[reportUnknownVariableType]
        return {str(key): _plain(each) for key, each in given.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in cast("Sequence[Any]", value)]
    if is_dataclass(value) and not isinstance(value, type):
        return [type(value).__qualname__, _plain(asdict(value))]
    if isinstance(value, os.PathLike):
        return os.fspath(cast("os.PathLike[str]", value))
    if callable(value):
        return _name(value)
    raise UsageError(f"cached cannot tell whether {value!r} is the same again. Give plain data.")


def _written(value: Any, identity: str) -> str:
    """Write a value as JSON, if it is the same when it is read again."""
    if isinstance(value, list) and value:
        found: list[Any] = value  # pyright: ignore[reportUnknownVariableType]
        if all(isinstance(hit, Hit) for hit in found):
            return json.dumps({"hits": [asdict(hit) for hit in found]})
    try:
        text = json.dumps({"value": value})
        if json.loads(text)["value"] == value:
            return text
    except (TypeError, ValueError):
        pass
    raise TypeError(
        f"{identity} gave {value!r}, which JSON cannot keep. Give text or a list of hits."
    )


def _read(text: str) -> Any:
    """Read what `_written` wrote."""
    kept = json.loads(text)
    if "value" in kept:
        return kept["value"]
    return [
        replace(Hit(**hit), span=tuple(hit["span"]) if hit["span"] else None)
        for hit in kept["hits"]
    ]
