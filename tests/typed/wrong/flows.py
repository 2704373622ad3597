"""Wires, constructors and runs that cannot work."""

from typing import Any, TypedDict

from wirebook import AsyncBatchFlow, BatchFlow, Flow, Node


class State(TypedDict):
    """What the nodes share."""

    total: int


class Step(Node[State, int, int]):
    """A step with a typed shared."""

    def prep(self, shared: State) -> int:
        return shared["total"]


a, b = Step(), Step()
a >> "b"  # error
a - 5 >> b  # error
a - "x" >> "b"  # error
a.next("b")  # error
a >> b >> None >> a  # error
Step(max_retries="3")  # error
Step(tries=3)  # error
Flow("a")  # error
flow: Flow[State] = Flow(a)
flow.start("a")  # error
flow.set_params(["file"])  # error
flow.run({"totals": 1})  # error
a.run(7)  # error
a.max_retries = "3"  # error
a.cur_try  # error


class Total(Flow[State, int]):
    """A flow whose `prep` gives another type than it says."""

    def prep(self, shared: State) -> str:  # error
        return str(shared["total"])


class EachFile(BatchFlow[State]):
    """A batch flow whose items are no mappings."""

    def prep(self, shared: State) -> list[int]:  # error
        return [shared["total"]]

    def post(self, shared: State, items: Any, actions: str) -> None:  # error
        shared["total"] = len(actions)


class EachFileAsync(AsyncBatchFlow[State]):
    """The same, async."""

    async def prep_async(self, shared: State) -> list[str]:  # error
        return ["a"]
