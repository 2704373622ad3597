"""What is asked of a model, in no provider's words yet."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Protocol

from wirebook_utils.call_llm.address import shown
from wirebook_utils.call_llm.choose import Target
from wirebook_utils.call_llm.reply import Reply
from wirebook_utils.contracts import Message


@dataclass(frozen=True)
class Request:
    """One question to one model. What is `None` was not set, and is not sent."""

    target: Target
    system: str
    turns: list[Message]
    schema: dict[str, Any] | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    seconds: float = 60
    stream: bool = False


class Format(Protocol):
    """A wire format, as a module: pure functions, and one that makes a client of its SDK."""

    PATH: str

    def sdk(self) -> Any:
        """Import the SDK. Raises `UsageError` if it is not installed."""
        ...

    def client(self, target: Target, *, waits: bool) -> Any:
        """Make a client: an async one if it `waits` for an event loop."""
        ...

    def endpoint(self, client: Any) -> Any:
        """Find what has the method `create`."""
        ...

    def body(self, request: Request, refused: Collection[str]) -> dict[str, Any]:
        """Write the arguments of `create`, without what the server `refused` before."""
        ...

    def add(self, reply: Reply, event: dict[str, Any]) -> str:
        """Read a whole reply or one event of a stream; give the text that it brings."""
        ...

    def tokens(self, reply: Reply) -> dict[str, Any]:
        """Give `input`, `output`, `cached` and `reasoning` tokens, as far as they are known."""
        ...

    def refusal(self, request: Request, text: str) -> str | None:
        """Name what of the body a server refuses with this text, if the body can do without."""
        ...


def final_url(target: Target, format: Format) -> str:
    """Give the address that a request goes to, fit to be shown."""
    return shown(target.url) + format.PATH
