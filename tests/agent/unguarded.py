"""The agent with its guards removed: what a first try looks like, to see that the faults bite."""

import json
from typing import Any

from wirebook import Flow, Node
from wirebook_utils import CallLLM, Search, run_flow
from wirebook_utils.layers import step_limit

MANY = 40
"""Steps after which it is said to go on for ever."""


def asked(question: str, notes: list[Any]) -> str:
    """Put everything into the prompt as it is."""
    found = "\n\n".join(f"[{n}] {note.title}\n{note.text}" for n, note in enumerate(notes, 1))
    return f"<question>\n{question}\n</question>\n<notes>\n{found}\n</notes>"


class Decide(Node[Any, Any, Any]):
    """Trusts the reply to be JSON with an action that is wired."""

    def __init__(self, call_llm: CallLLM) -> None:
        super().__init__()
        self.call_llm = call_llm

    def prep(self, shared: Any) -> Any:
        return shared

    def exec(self, shared: Any) -> Any:
        prompt = (
            f"{asked(shared['question'], shared['notes'])}\n<actions>\nsearch\nanswer\n</actions>"
        )
        return json.loads(str(self.call_llm(prompt)))

    def post(self, shared: Any, prep_res: Any, decision: Any) -> Any:
        shared["query"] = decision.get("query")
        return decision["action"]


class LookUp(Node[Any, Any, Any]):
    """Trusts the search to give a list."""

    def __init__(self, search: Search) -> None:
        super().__init__()
        self.search = search

    def prep(self, shared: Any) -> Any:
        return shared["query"]

    def exec(self, query: Any) -> Any:
        return self.search(query)

    def post(self, shared: Any, query: Any, hits: Any) -> None:
        shared["notes"] += hits


class Write(Node[Any, Any, Any]):
    """Trusts the reply to be an answer."""

    def __init__(self, call_llm: CallLLM) -> None:
        super().__init__()
        self.call_llm = call_llm

    def prep(self, shared: Any) -> Any:
        return shared

    def exec(self, shared: Any) -> Any:
        return self.call_llm(asked(shared["question"], shared["notes"]))

    def post(self, shared: Any, prep_res: Any, text: Any) -> None:
        shared["text"] = text


def unguarded(question: str, call_llm: CallLLM, search: Search) -> str | None:
    """Run it: the text, or `None` if it ended without one. Raises `Stopped` after 40 steps."""
    decide, look_up, write = Decide(call_llm), LookUp(search), Write(call_llm)
    decide - "search" >> look_up >> decide
    decide - "answer" >> write
    shared: Any = {"question": question, "notes": [], "text": None}
    run_flow(Flow(decide), shared, layers=[step_limit(MANY)])
    text: str | None = shared["text"]
    return text
