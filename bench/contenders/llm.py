"""One way to ask a model, in a process of its own: a line of JSON in, a line of JSON out.

    python -m bench.contenders.llm NAME URL
    {"shape": "in turn", "n": 50, "delay": 0}   ->   {"wall": 0.11, "cpu": 0.1}

Every reply is checked. The time of a first call, which imports and connects, is left out.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

SAID = "Otters hold hands."
PROMPT = "Why do otters hold hands?"
Ask = Callable[[int], str]
AskAsync = Callable[[int], Awaitable[str]]


def wirebook(url: str) -> tuple[Ask, AskAsync]:
    """Ask by `call_llm` and `acall_llm`."""
    from wirebook_utils import acall_llm, call_llm

    def settings(delay: int) -> dict[str, Any]:
        at = f"{url}/{delay}/v1"
        return {"model": "compatible:m", "base_url": at, "api_key": "k", "timeout": 60}

    return (
        lambda delay: call_llm(PROMPT, **settings(delay)),
        lambda delay: acall_llm(PROMPT, **settings(delay)),
    )


def openai(url: str, *, shared: bool = True) -> tuple[Ask, AskAsync]:
    """Ask by the SDK, with one client for all calls or with one for each."""
    from openai import AsyncOpenAI, OpenAI

    told: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": PROMPT}]}
    plain: dict[int, Any] = {}
    waiting: dict[int, Any] = {}

    def settings(delay: int) -> dict[str, Any]:
        return {"base_url": f"{url}/{delay}/v1", "api_key": "k", "max_retries": 0, "timeout": 60}

    def ask(delay: int) -> str:
        if not shared:
            with OpenAI(**settings(delay)) as one:
                client: Any = one
                return str(client.chat.completions.create(**told).choices[0].message.content)
        if delay not in plain:
            plain[delay] = OpenAI(**settings(delay))
        return str(plain[delay].chat.completions.create(**told).choices[0].message.content)

    async def ask_async(delay: int) -> str:
        if not shared:
            async with AsyncOpenAI(**settings(delay)) as one:
                client: Any = one
                made = await client.chat.completions.create(**told)
                return str(made.choices[0].message.content)
        if delay not in waiting:
            waiting[delay] = AsyncOpenAI(**settings(delay))
        made = await waiting[delay].chat.completions.create(**told)
        return str(made.choices[0].message.content)

    return ask, ask_async


def litellm(url: str) -> tuple[Ask, AskAsync]:
    """Ask by LiteLLM."""
    import litellm  # type: ignore[import-not-found] # pyright: ignore

    library: Any = litellm

    def settings(delay: int) -> dict[str, Any]:
        messages = [{"role": "user", "content": PROMPT}]
        at = f"{url}/{delay}/v1"
        return {"model": "openai/m", "messages": messages, "api_base": at, "api_key": "k"}

    async def ask_async(delay: int) -> str:
        made = await library.acompletion(**settings(delay), num_retries=0)
        return str(made.choices[0].message.content)

    return (
        lambda delay: str(
            library.completion(**settings(delay), num_retries=0).choices[0].message.content
        ),
        ask_async,
    )


WAYS: dict[str, Callable[[str], tuple[Ask, AskAsync]]] = {
    "wirebook": wirebook,
    "openai": openai,
    "openai, a client a call": lambda url: openai(url, shared=False),
    "litellm": litellm,
}


def main(name: str, url: str) -> None:
    """Answer until the input ends."""
    # What a library prints must not come between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    ask, ask_async = WAYS[name](url)

    async def at_once(n: int, delay: int) -> list[str]:
        return await asyncio.gather(*(ask_async(delay) for _ in range(n)))

    with asyncio.Runner() as runner:
        for line in sys.stdin:
            shape, n, delay = json.loads(line).values()
            wall, cpu = time.perf_counter(), time.process_time()
            if shape == "in turn":
                said = [ask(delay) for _ in range(n)]
            else:
                said = runner.run(at_once(n, delay))
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            right = said == [SAID] * n
            made = {"wall": wall, "cpu": cpu} if right else {"error": f"wrong: {said[:1]}"}
            print(json.dumps(made), file=answers, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
