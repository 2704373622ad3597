"""What patterns, models and searches agree on: plain functions with named types, plain records.

Left out: anything that does work. Whatever satisfies these types can be swapped in.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from wirebook import Flow

Message: TypeAlias = dict[str, Any]
"""`{"role": "user", "content": "..."}`, as chat models take it."""

Prompt: TypeAlias = str | list[Message]

CallLLM: TypeAlias = Callable[[Prompt], str | Awaitable[str]]
"""A model: `lambda prompt: "hi"` is one, and so is an async function."""

StopReason: TypeAlias = Literal[
    "answered", "no_evidence", "max_steps", "deadline", "budget", "stuck", "cancelled", "error"
]
"""Why a run ended. The set is closed: whoever reads it can handle every case."""


@dataclass(frozen=True)
class Hit:
    """One thing that a search found. A higher `score` is better; its range is the engine's own."""

    title: str
    url: str
    text: str
    score: float
    span: tuple[int, int] | None = None
    """Where `text` stands in its document, in characters, as `document[start:end]`."""


Search: TypeAlias = Callable[[str], list[Hit] | Awaitable[list[Hit]]]


@dataclass(frozen=True)
class Source:
    """A passage that an answer rests on: `[n]` in the text refers to it."""

    n: int
    title: str
    url: str
    quote: str
    span: tuple[int, int] | None = None


@dataclass(frozen=True)
class Step:
    """One visit of one node: where it was, what it decided, how long it took in seconds."""

    path: str
    action: str | None
    seconds: float


@dataclass(frozen=True)
class Usage:
    """What a run used. Tokens and money stay `None` unless the model function reports them.

    Input tokens include the cached ones, output tokens those of reasoning; money is US dollars, by
    list prices.
    """

    calls: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    money: float | None = None


@dataclass(frozen=True)
class Limits:
    """What bounds a run: so many steps, and so many seconds, looked at between steps."""

    steps: int = 30
    seconds: float = 300


@dataclass(frozen=True)
class Answer:
    """What every pattern's one-call function returns."""

    text: str
    stop_reason: StopReason
    sources: tuple[Source, ...] = ()
    steps: tuple[Step, ...] = ()
    usage: Usage = Usage()
    data: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Wiring:
    """A pattern's card. An entry point in the group `wirebook.patterns` loads one."""

    name: str
    summary: str
    when: str
    when_not: str
    build: Callable[..., Flow]
    ask: Callable[..., Answer]
    """Called as `ask(question, *, call_llm, search=None, embed=None, docs=None, limits=None)`."""
    needs: frozenset[str]
    calls: str
    """The number of model calls as a formula, such as `"2 * searches + 1"`; a test evaluates it."""
    fails_when: tuple[str, ...] = ()
