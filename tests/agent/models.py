"""Models and searches for the agent's tests."""

import asyncio
from collections.abc import Callable
from typing import Any

from wirebook_agent import aresearch, research
from wirebook_utils import Answer, Hit, Prompt

HIT = Hit("Otters", "a.md", "Otters hold hands while they sleep.", 3.0, (10, 45))


class Scripted:
    """A model that gives replies in order, the last one for ever, and keeps the prompts."""

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)
        self.prompts: list[str] = []

    def __call__(self, prompt: Prompt) -> str:
        self.prompts.append(str(prompt))
        return self.replies[min(len(self.prompts), len(self.replies)) - 1]


SEARCH = '{"action": "search", "query": "otters"}'
ANSWER = '{"action": "answer"}'


def found(query: str) -> list[Hit]:
    """Find the same thing whatever is asked."""
    return [HIT]


def nothing(query: str) -> list[Hit]:
    """Find nothing."""
    return []


def plainly(question: str, call_llm: Any, search: Any = found, **settings: Any) -> Answer:
    """Run with plain functions."""
    return research(question, call_llm=call_llm, search=search, **settings)


def with_waiting_functions(
    question: str, call_llm: Any, search: Any = found, **settings: Any
) -> Answer:
    """Run the same agent with the same functions made to wait."""

    def waits(function: Callable[[Any], Any]) -> Any:
        async def later(given: Any) -> Any:
            await asyncio.sleep(0)
            return function(given)

        return later

    return asyncio.run(
        aresearch(question, call_llm=waits(call_llm), search=waits(search), **settings)
    )
