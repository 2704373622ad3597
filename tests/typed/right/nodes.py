"""What users write, typed: both checkers accept all of it."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypedDict

from wirebook import (
    AsyncBatchFlow,
    AsyncFlow,
    AsyncNode,
    AsyncParallelBatchFlow,
    AsyncParallelBatchNode,
    BatchFlow,
    BatchNode,
    Flow,
    Node,
    around,
)


class State(TypedDict):
    """What the nodes below share."""

    text: str
    words: list[str]
    count: int


class Count(Node[State, str, int]):
    """Names of the parameters are the user's own."""

    def prep(self, shared: State) -> str:
        return shared["text"]

    def exec(self, text: str) -> int:
        return len(text) + self.cur_retry

    def exec_fallback(self, text: str, exc: Exception) -> int:
        return 0

    def post(self, shared: State, text: str, count: int) -> str | None:
        shared["count"] = count
        return "more" if count else None


class Waits(Node[State, str, int]):
    """A plain node may have coroutine hooks."""

    async def prep(self, shared: State) -> str:
        return shared["text"]

    async def exec(self, text: str) -> int:
        return len(text)

    async def post(self, shared: State, text: str, count: int) -> None:
        shared["count"] = count


class Either(Node[State, str, str]):
    """A plain hook may give a value or something to await."""

    def __init__(self, call_llm: Callable[[str], str | Awaitable[str]]) -> None:
        super().__init__(max_retries=3, wait=0.5)
        self.call_llm = call_llm

    def exec(self, prompt: str) -> str | Awaitable[str]:
        return self.call_llm(prompt)


class Untyped(Node):
    """Without parameters everything is `Any`."""

    def post(self, shared: Any, prep_res: Any, exec_res: Any) -> str:
        return "go"


class Lengths(BatchNode[State, str, int]):
    """An item in, a result out, and a list of results in `post`."""

    def prep(self, shared: State) -> list[str]:
        return shared["words"]

    def exec(self, word: str) -> int:
        return len(word)

    def post(self, shared: State, words: Iterable[str], lengths: list[int]) -> None:
        shared["count"] = sum(lengths)


class Together(AsyncParallelBatchNode[State, str, int]):
    """The same, at once."""

    async def prep_async(self, shared: State) -> list[str]:
        return shared["words"]

    async def exec_async(self, word: str) -> int:
        return len(word)

    async def post_async(self, shared: State, words: Iterable[str], lengths: list[int]) -> None:
        shared["count"] = sum(lengths)


class Asks(AsyncNode[State, str, int]):
    """The async hooks."""

    async def prep_async(self, shared: State) -> str:
        return shared["text"]

    async def exec_async(self, text: str) -> int:
        return len(text)

    async def exec_fallback_async(self, text: str, exc: Exception) -> int:
        return 0

    async def post_async(self, shared: State, text: str, count: int) -> str:
        return "done"


class Passes(BatchFlow[State]):
    """Params in."""

    def prep(self, shared: State) -> list[dict[str, Any]]:
        return [{"word": word} for word in shared["words"]]


class Named(Flow[State]):
    """A flow with a constructor of its own."""

    def __init__(self) -> None:
        super().__init__(start=Count())


async def use() -> None:
    """Wire and run."""
    count, lengths = Count(max_retries=2), Lengths()
    after: Lengths = count >> lengths
    back: Count = after - "again" >> count
    end: None = back - "done" >> None
    chain: Waits = count - "more" >> lengths >> Waits()
    named: Untyped = count.next(Untyped(), "named")
    flow = Flow[State](start=count)
    started: Count = flow.start(count)
    state: State = {"text": "", "words": [], "count": 0}
    flow.set_params({"a": 1})
    flow.run(state)
    await flow.run_async(state)
    await AsyncFlow(Asks()).run_async(state)
    AsyncBatchFlow(Passes(Named()))
    AsyncParallelBatchFlow(start=Together())
    Either(lambda prompt: prompt)
    token = around.set(lambda node, method: getattr(node, method))
    around.reset(token)
    print(end, chain, named, started, flow.start_node, count.successors, flow.params)
