"""What has come of a reply so far, and whether it can be used as it is.

Left out: what the text says. Whoever asked for JSON has to read it.
"""

from dataclasses import dataclass, field
from typing import Any, cast

from wirebook_utils.errors import EmptyReply, Truncated
from wirebook_utils.usage import record

_CUT = {"length", "max_tokens", "model_context_window_exceeded"}
_REFUSED = {"content_filter", "refusal"}


@dataclass
class Reply:
    """Its text, why it ended, what the model said instead of a text, and the tokens."""

    pieces: list[str] = field(default_factory=list[str])
    finish: str | None = None
    refusal: str = ""
    usage: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self.pieces)

    def check(self, model: str) -> None:
        """Raise `Truncated` or `EmptyReply` for a reply that ended but cannot be used."""
        why = f"finish reason {self.finish!r}"
        if self.finish in _CUT:
            raise Truncated(
                f"{model}: the reply was cut off ({why}). Raise max_tokens, or ask for less",
                self.text,
            )
        if self.refusal or self.finish in _REFUSED:
            raise EmptyReply(
                f"{model} refused ({why}): {self.refusal or 'it gave no reason'}. Ask otherwise",
                self.text,
            )
        if not self.text.strip():
            raise EmptyReply(f"{model} gave no text ({why}). Ask otherwise, or ask another model")


def part(of: dict[str, Any], name: str) -> dict[str, Any]:
    """Give a part of a reply, or an empty one where it is missing, null or anything else."""
    found: Any = of.get(name)
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def record_tokens(model: str, tokens: dict[str, Any]) -> None:
    """Report the tokens of a reply, if the server told both directions."""
    known = {name: count for name, count in tokens.items() if isinstance(count, int)}
    if "input" in known and "output" in known:
        cached, reasoning = known.get("cached", 0), known.get("reasoning", 0)
        record(model, known["input"], known["output"], cached=cached, reasoning=reasoning)
