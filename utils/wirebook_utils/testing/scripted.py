"""`ScriptedLLM`: a model that replies as the test says.

Left out: recording a real model and playing it back, which `Cassette` does.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, TypeAlias

from wirebook_utils.contracts import Prompt
from wirebook_utils.sections import text_of

Reply: TypeAlias = str | BaseException | Callable[[str], str]
"""A text; what is raised in its place; or a function of the prompt's text."""


class ScriptedLLM:
    """A model function that gives replies in order; rules come first, as often as they match.

    `ScriptedLLM("a", "b")` replies twice. `rules` maps a part of the prompt, or a function that
    looks at it, to a reply: `ScriptedLLM(rules={"<actions>": "action: answer"})`. A reply that is
    an exception is raised, and a function is called with the prompt.

    `prompts` keeps what was asked, as text. As a context manager it fails at the end, unless all
    replies were used; `waiting` is the same model as an async function.

    Raises `AssertionError` if it is asked when no reply is left.
    """

    def __init__(
        self, *replies: Reply, rules: dict[str | Callable[[str], object], Reply] | None = None
    ) -> None:
        self.prompts: list[str] = []
        self._replies = deque(replies)
        self._rules = {**(rules or {})}
        self._unused = {*self._rules}
        self._lock = threading.Lock()

    def __call__(self, prompt: Prompt) -> str:
        """Give the reply to a prompt."""
        text = text_of(prompt)
        reply = self._next(text)
        if isinstance(reply, BaseException):
            raise reply
        return reply if isinstance(reply, str) else reply(text)

    async def waiting(self, prompt: Prompt) -> str:
        """Give the reply to a prompt, after the event loop has had its turn."""
        await asyncio.sleep(0)
        return self(prompt)

    def assert_all_used(self) -> None:
        """Raise `AssertionError` that names the replies and rules that nobody asked for."""
        left = [repr(reply) for reply in self._replies]
        left += [f"the rule {rule!r}" for rule in self._rules if rule in self._unused]
        if left:
            raise AssertionError(f"Not asked for, after {len(self.prompts)} prompts: {left}")

    def __enter__(self) -> "ScriptedLLM":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: Any) -> None:
        if kind is None:
            self.assert_all_used()

    def _next(self, text: str) -> Reply:
        with self._lock:
            self.prompts.append(text)
            for rule, reply in self._rules.items():
                if rule in text if isinstance(rule, str) else rule(text):
                    self._unused.discard(rule)
                    return reply
            if self._replies:
                return self._replies.popleft()
        raise AssertionError(f"No reply is left for prompt {len(self.prompts)}:\n{text}")
