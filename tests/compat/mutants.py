"""Faults put into the core on purpose, one at a time: the proofs have to notice each.

A mutant is the text of `core.py` with one place changed. That place has to be there exactly once,
so that a change of the core which moves it breaks loudly.
"""

from dataclasses import dataclass
from types import ModuleType

import wirebook.core

with open(wirebook.core.__file__, encoding="utf-8") as file:
    SOURCE = file.read()


@dataclass(frozen=True)
class Mutant:
    """One fault: its name, the text it takes away, and what it puts there."""

    name: str
    old: str
    new: str

    def load(self) -> ModuleType:
        """Make the module with the fault in it."""
        assert SOURCE.count(self.old) == 1, f"{self.name}: {self.old!r} is not there once"
        module = ModuleType("mutant")
        exec(compile(SOURCE.replace(self.old, self.new), "mutant.py", "exec"), vars(module))
        return module


# Where PocketFlow and Wirebook do the same, the differential test has to see it.
COMMON = [
    Mutant("one retry too few", "if attempt + 1 >= self", "if attempt + 2 >= self"),
    Mutant("one retry too many", "if attempt + 1 >= self", "if attempt >= self"),
    Mutant("cur_retry counts from 1", "self.cur_retry = attempt", "self.cur_retry = attempt + 1"),
    Mutant("BaseException is retried", "except Exception as e", "except BaseException as e"),
    Mutant("fallback gets None for the item", '["exec_fallback"])(prep_res, e)',
           '["exec_fallback"])(None, e)'),
    Mutant("no wait between attempts", "if self.wait > 0:", "if self.wait > 9:"),
    Mutant("a wait of 0 is slept too", "if self.wait > 0:", "if self.wait >= 0:"),
    Mutant("no copy at a visit", "node = node.__copy__()", "node = node"),
    Mutant("a copy shares its attributes", "self._twin({**self.__dict__})",
           "self._twin(self.__dict__)"),
    Mutant("params are not handed on", "{**(params or self.params)}", "{**(params or {})}"),
    Mutant("params of the node win", "node.set_params({**(params or self.params)})",
           "node.set_params({**(params or self.params), **node.params})"),
    Mutant("params of the flow win over the item", "{**f.params, **p}", "{**p, **f.params}"),
    Mutant("an item replaces the params", "{**f.params, **p}", "{**p}"),
    Mutant("no warning at a doubled action",
           'if action in self.successors: warnings.warn(f"Overwriting action {action!r}", '
           "stacklevel=2)", "pass"),
    Mutant("no warning at run", 'if self.successors: warnings.warn("run() ignores',
           'if False: warnings.warn("run() ignores'),
    Mutant("no warning at run_async", 'if self.successors: warnings.warn("run_async() ignores',
           'if False: warnings.warn("run_async() ignores'),
    Mutant("no warning at the end of a flow", "if ways and key not in ways", "if False"),
    Mutant("a warning at every end", "if ways and key not in ways", "if key not in ways"),
    Mutant("unknown actions take the default", "return ways.get(key)",
           'return ways.get(key, ways.get("default"))'),
    Mutant("the first wire wins", "self.successors[action] = node",
           "self.successors.setdefault(action, node)"),
    Mutant("next gives the node itself", "        return node\n\n    def __rshift__",
           "        return self\n\n    def __rshift__"),
    Mutant("a flow gives None", "def post(self, shared, prep_res, exec_res): return exec_res",
           "def post(self, shared, prep_res, exec_res): return None"),
    Mutant("a batch flow gives its actions",
           "    def post(self, shared, prep_res, exec_res): ...\n\n    async def _run",
           "    def post(self, shared, prep_res, exec_res): return exec_res\n\n    async def _run"),
    Mutant("falsy items are skipped", "for item in items]\n",
           "for item in items if item]\n"),
    Mutant("a batch node's nothing becomes a list",
           'prep_res = await settle(around.get()(self, self._do["prep"])(shared))',
           'prep_res = await settle(around.get()(self, self._do["prep"])(shared)) or []'),
    Mutant("a batch flow keeps its nothing", '["prep"])(shared)) or []',
           '["prep"])(shared)) or ()'),
    Mutant("post gets the result twice", '["post"])(shared, prep_res, value)',
           '["post"])(shared, value, value)'),
    Mutant("start is ignored", "        self.start_node = start\n        return start",
           "        return start"),
    Mutant("the last action is lost", "        return action\n", "        return None\n"),
    Mutant("batch items run as one", "self._each(Node._exec, prep_res or ())",
           "self._each(Node._exec, [prep_res or ()])"),
    Mutant("results in the wrong order", "return await asyncio.gather(*tasks)",
           "return (await asyncio.gather(*tasks))[::-1]"),
    Mutant("parallel items one by one", "        tasks = [*map(asyncio.create_task, [",
           "        return [await work(self, i) for i in items]\n        tasks = [*map(asyncio"
           ".create_task, ["),
    Mutant("an action that is no text is wired", "if isinstance(action, str): return", "return"),
    Mutant("a wire loses its action", "partial): __rshift__ = functools.partial.__call__",
           "partial):\n    def __rshift__(self, node): return self.func(node)"),
]  # fmt: skip

# Where they differ, the rows of `rows.py` have to see it.
OURS = [
    Mutant("siblings are left running", "if t.cancelling() or t.cancel())", "if False)"),
    Mutant("params live as long as the pass", "node.set_params({**(params or self.params)})",
           "node.set_params(params or self.params)"),
    Mutant("a falsy action is the default", '"default" if action is None else action',
           'action or "default"'),
    Mutant("a falsy node is none", "while node is not None:", "while node:"),
    Mutant("awaitables are handed on", 'hasattr(result, "__await__")', "False"),
    Mutant("an async node is run", "isinstance(self, AsyncNode) or settle(", "settle("),
    Mutant("None from an async batch", "self._each(Node._exec, prep_res or ())",
           "self._each(Node._exec, prep_res)"),
    Mutant("an async node runs without a loop", "asyncio.get_running_loop() and ", ""),
    Mutant("actions of the passes are lost", '["post"])(shared, items, actions)',
           '["post"])(shared, items, None)'),
    Mutant("items share the attempt", "work(self._twin(vars(self)), i)", "work(self, i)"),
]  # fmt: skip
