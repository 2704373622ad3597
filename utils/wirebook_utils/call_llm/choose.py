"""Whom to ask: the model named, else the one of the environment, else whoever has a key.

Left out: trying whether it is there. That shows when it is called.
"""

import functools
import os
import sys
from dataclasses import dataclass, field

from wirebook_utils.call_llm.address import base_of
from wirebook_utils.errors import UsageError
from wirebook_utils.local_model import is_there, located, standing

NOTICE = (
    "No model: the offline stand-in answers, by rules. "
    "For a real one, set OPENAI_API_KEY, ANTHROPIC_API_KEY or WIREBOOK_MODEL=provider:name, "
    "or pull one: wirebook model pull"
)


@dataclass(frozen=True)
class Provider:
    """Where models are, and the one that is taken if none is named."""

    name: str
    format: str
    """The wire format, which is also the name of the extra."""
    default: str | None
    prefix: str
    """What the names of the variables with its key and its address begin with."""
    url: str = ""

    @property
    def key_env(self) -> str:
        """The variable with the key."""
        return f"{self.prefix}_API_KEY"

    @property
    def url_env(self) -> str:
        """The variable with the address."""
        return f"{self.prefix}_BASE_URL"


# In the order in which keys are looked for. The defaults are the providers' smallest models.
PROVIDERS = {
    "openai": Provider("openai", "openai", "gpt-6-luna", "OPENAI", "https://api.openai.com/v1"),
    "anthropic": Provider(
        "anthropic", "anthropic", "claude-haiku-5-5", "ANTHROPIC", "https://api.anthropic.com"
    ),
    "compatible": Provider("compatible", "openai", None, "WIREBOOK"),
    "local": Provider("local", "openai", "", ""),
    "stand-in": Provider("stand-in", "none", "", ""),
}


@dataclass(frozen=True)
class Target:
    """A model of a provider, where it is and the key to it."""

    provider: Provider
    name: str
    url: str = ""
    key: str = field(default="", repr=False)

    def __str__(self) -> str:
        return f"{self.provider.name}:{self.name}" if self.name else self.provider.name


def chosen_model(model: str | None = None) -> str:
    """Say who would answer, as `provider:name` or `stand-in`, without calling anybody."""
    return str(_named(model or _first()))


def whom_and_where(model: str | None, base_url: str | None) -> dict[str, str]:
    """Say which model would be asked, and at which address, as the settings for just that."""
    target = _named(model or _first())
    prefix = target.provider.prefix
    return {
        "model": str(target),
        "base_url": base_url or (_set(target.provider.url_env) if prefix else ""),
    }


def choose(model: str | None, base_url: str | None, api_key: str | None) -> Target:
    """Choose the model, and find its address and its key. Raises `UsageError` if one is missing."""
    if base_url and not (model or _set("WIREBOOK_MODEL")):
        raise UsageError("base_url says where, not whom. Name the model: model='compatible:name'")
    target = _named(model or _first())
    provider = target.provider
    if provider.format == "none":
        if not (model or _set("WIREBOOK_MODEL")):
            announce()
        return target
    if provider.name == "local":
        located(target.name)  # it is loaded when it is asked
        return target
    url = (base_url or _set(provider.url_env) or provider.url).strip()
    if not url:
        raise UsageError(
            f"{target}: where is the server? Give base_url, or set {provider.url_env}, "
            "such as http://localhost:8080/v1"
        )
    address = base_of(url, versioned=provider.format == "openai")
    return Target(provider, target.name, address, _key(target, api_key))


@functools.cache
def announce() -> None:
    """Say, once, that nobody was named and no key is there."""
    if sys.stderr:  # there is none behind a window of its own
        print(NOTICE, file=sys.stderr)


def _first() -> str:
    keys = (p.name for p in PROVIDERS.values() if p.prefix and p.default and _set(p.key_env))
    return _set("WIREBOOK_MODEL") or next(keys, "local" if is_there() else "stand-in")


def _named(model: str) -> Target:
    word, _, name = (part.strip() for part in model.partition(":"))
    provider = PROVIDERS.get(word)
    if provider is None:
        raise UsageError(
            f"No provider named {word!r}. Write provider:name, such as openai:gpt-6-luna; "
            f"providers: {', '.join(PROVIDERS)}"
        )
    if not name and provider.default is None:
        raise UsageError(f"Which model of {word!r}? Write {word}:name, as the server calls it")
    if word == "local":
        return Target(provider, name or standing())
    return Target(provider, name or provider.default or "")


def _key(target: Target, api_key: str | None) -> str:
    provider = target.provider
    key = (api_key or _set(provider.key_env)).strip()
    if not key and provider.default:
        raise UsageError(f"{target} needs a key. Set {provider.key_env}, or give api_key")
    if not (key.isascii() and key.isprintable()):
        raise UsageError(
            f"{target}: the key holds characters that no key has. Look at {provider.key_env}"
        )
    return key


def _set(name: str) -> str:
    return os.environ.get(name, "").strip()
