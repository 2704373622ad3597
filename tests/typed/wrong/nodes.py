"""What users get wrong: both checkers flag exactly the marked lines."""

from typing import Any, TypedDict

from wirebook import AsyncNode, BatchNode, Flow, Node


class State(TypedDict):
    text: str


class Takes(Node[State, str, int]):
    def prep(self, shared: State) -> int:  # error
        return 1

    def exec(self, prep_res: int) -> int:  # error
        return 1


class Gives(Node[State, str, int]):
    def exec(self, prep_res: str) -> str:  # error
        return prep_res

    def post(self, shared: State, prep_res: str, exec_res: int) -> dict[str, str]:  # error
        return {"action": "go"}


class Key(Node[State, str, int]):
    def prep(self, shared: State) -> str:
        return shared["txt"]  # error


class Items(BatchNode[State, str, int]):
    def exec(self, prep_res: str) -> list[int]:  # error
        return [1]

    def post(self, shared: State, prep_res: Any, exec_res: int) -> None:  # error
        return None


class Plain(AsyncNode[State, str, int]):
    def exec_async(self, prep_res: str) -> int:  # error
        return 1


class Few(Node[State, str, int]):
    def post(self, shared: State) -> None:  # error
        return None


node = Node[State, str, int](max_retries="3")  # error
node - 5 >> node  # error
node >> "text"  # error
Flow(start="text")  # error
Flow[State](node).run({"txt": 1})  # error
node.set_params("a")  # error
