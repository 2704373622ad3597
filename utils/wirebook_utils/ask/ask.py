"""`ask`: the talk with a model that ends with a valid value or an error.

Left out: transport. What a model function raises, other than `BadReply`, comes out as it is.
"""

import functools
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, TypeVar, overload

from wirebook.core import settle

from wirebook_utils.ask.schema import Schema
from wirebook_utils.contracts import CallLLM, Prompt
from wirebook_utils.errors import BadReply
from wirebook_utils.sections import section
from wirebook_utils.waiting import driven

T = TypeVar("T")
Call: TypeAlias = Callable[[Prompt], Any]

SHOWN = 1_000
"""Characters of a reply that are quoted back to the model."""


@overload
def ask(
    call_llm: Callable[[Prompt], str],
    prompt: Prompt,
    schema: type[T],
    *,
    check: Callable[[T], object] | None = None,
    tries: int = 3,
) -> T: ...
@overload
def ask(
    call_llm: Callable[[Prompt], Awaitable[str]],
    prompt: Prompt,
    schema: type[T],
    *,
    check: Callable[[T], object] | None = None,
    tries: int = 3,
) -> Awaitable[T]: ...
@overload
def ask(
    call_llm: CallLLM,
    prompt: Prompt,
    schema: type[T],
    *,
    check: Callable[[T], object] | None = None,
    tries: int = 3,
) -> T | Awaitable[T]: ...
@overload
def ask(
    call_llm: CallLLM,
    prompt: Prompt,
    schema: Any,
    *,
    check: Callable[[Any], object] | None = None,
    tries: int = 3,
) -> Any: ...
def ask(
    call_llm: CallLLM,
    prompt: Prompt,
    schema: Any,
    *,
    check: Callable[[Any], object] | None = None,
    tries: int = 3,
) -> Any:
    """Ask for a value of the type `schema`: a dataclass, a pydantic model, `list[str]`, ...

    The type is described below the prompt, and passed on as a JSON schema to a model function
    with a parameter `schema`; for `str`, the prompt stays as it is. The reply may be JSON or YAML,
    with anything around it. One that does not fit, or that `check` raises `ValueError` for, is
    answered with what was wrong, up to `tries` calls in all. Gives the value, or an awaitable of
    it if the model function waits.

    Raises `BadReply` if no reply fits, `UsageError` for a type that cannot be asked for or an extra
    that is missing, `TypeError` if the model function gives no text, `ValueError` for no tries.
    """
    if tries < 1:
        raise ValueError(f"ask(tries={tries}): the model has to be asked once. Give 1 or more.")
    wanted = Schema(schema, check)
    call: Call = call_llm
    if not wanted.is_text and takes_schema(call_llm):
        call = functools.partial(call_llm, schema=wanted.json)  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]
    asked = _joined(prompt, wanted.request)
    first = _heard(call, asked)
    talk = _talk(first, call, asked, tries, wanted.read)
    if inspect.isawaitable(first):
        return talk
    mixed = "call_llm gave text first and then something to await. Let it do either."
    return driven(talk, TypeError(mixed))


def takes_schema(call_llm: Callable[..., Any]) -> bool:
    """Tell whether a model function has a parameter for the JSON schema of its reply."""
    try:
        return "schema" in inspect.signature(call_llm).parameters
    except (TypeError, ValueError):  # some callables of C have no signature
        return False


async def _talk(
    heard: Any, call: Call, asked: Prompt, tries: int, read: Callable[[str], Any]
) -> Any:
    """Read what was heard, or ask again with what is wrong with it."""
    for left in range(tries - 1, -1, -1):
        try:
            reply = await settle(heard)
            if isinstance(reply, BadReply):
                raise reply
            if not isinstance(reply, str):
                raise TypeError(f"call_llm gave {reply!r}, not text. Let it return the reply.")
            return read(reply)
        except BadReply as problem:
            if not left:
                raise
            heard = _heard(call, _again(asked, problem))


def _heard(call: Call, said: Prompt) -> Any:
    """Give what the model function gives; a reply that it says cannot be used is one too."""
    try:
        return call(said)
    except BadReply as problem:
        return problem


def _joined(prompt: Prompt, text: str) -> Prompt:
    """Add a text to the end of a prompt."""
    if not text:
        return prompt
    if isinstance(prompt, str):
        return f"{prompt}\n{text}"
    return [*prompt, {"role": "user", "content": text}]


def _again(asked: Prompt, problem: BadReply) -> Prompt:
    """Ask once more, with the last reply and what was wrong with it."""
    reply = problem.reply[:SHOWN]
    if isinstance(asked, str):
        shown = f"{section('reply', reply)}\n" if reply else ""
        return f"{asked}\n{shown}{section('problem', f'It cannot be used. {problem}')}"
    said = [{"role": "assistant", "content": reply}] if reply else []
    return [*asked, *said, {"role": "user", "content": f"This cannot be used. {problem}"}]
