"""Find what the user named: installed patterns, and functions in modules."""

import difflib
import importlib
import sys
import warnings
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

from wirebook_utils import UsageError, Wiring

GROUP = "wirebook.patterns"


def wirings() -> dict[str, Wiring]:
    """Load the cards of all installed patterns, by name, third parties' too."""
    found: list[Wiring] = []
    for entry in entry_points(group=GROUP):
        try:
            card = entry.load()
            if not isinstance(card, Wiring):
                raise TypeError(f"it is {card!r}, not a Wiring")
            found.append(card)
        except (Exception, SystemExit) as error:
            # A pattern of somebody else that is broken must not take the others with it.
            warnings.warn(f"The pattern {entry.name!r} cannot be loaded: {error}", stacklevel=2)
    return {card.name: card for card in sorted(found, key=lambda card: str(card.name))}


def wiring(name: str) -> Wiring:
    """Load the card of one pattern; raise `UsageError` that names those there are."""
    known = wirings()
    if name not in known:
        installed = ", ".join(known) or "none. Try: pip install wirebook-agent"
        near = difflib.get_close_matches(name, known, 1)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        raise UsageError(f"No pattern named {name!r}.{meant} Installed: {installed}.")
    return known[name]


def function(spec: str) -> Callable[..., Any]:
    """Load `module:function`, also from the current folder.

    Raises `UsageError` that says which part of it was not found.
    """
    module, colon, name = spec.partition(":")
    if not (module and colon and name):
        raise UsageError(f"{spec!r} names no function. Give module:function, such as my_llm:call.")
    if module.endswith(".py") or "/" in module:
        near = module.removesuffix(".py").replace("/", ".").lstrip(".")
        raise UsageError(f"{spec!r} names a file. Give the module in it, such as {near}:{name}.")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found: Any = importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise UsageError(
            f"No module named {error.name!r}, asked for by {spec!r}. "
            "It has to be in this folder or installed."
        ) from error
    except (Exception, SystemExit) as error:
        raise UsageError(f"Importing {module!r} failed: {type(error).__name__}: {error}") from error
    for part in name.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise UsageError(f"The module {module!r} has no function {name!r}.")
    given: Callable[..., Any] = found
    return given
