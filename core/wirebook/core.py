"""Nodes do work, flows connect nodes, and one seam lets you watch or change every call.

A `Node` works in three phases: `prep` reads what it needs from `shared`, `exec` computes with
that alone (so it can be tried again), and `post` writes to `shared` and names an action. A `Flow`
follows the wire with that name to the next node, until there is none. Wires are drawn with `>>`
and `- "action" >>`; one that leads back makes a loop, and a loop is all that an agent is:

    decide - "search" >> look_up >> decide
    decide - "answer" >> write
    Flow(decide).run(shared)

Batch classes do their work once for each item. Async classes may wait, and the parallel ones wait
for all items at once. One engine runs them all: it is a coroutine, and `run` drives it without an
event loop, since a plain node never suspends.

Left out on purpose: back-off, limits, traces, checkpoints. They are layers: they wrap what
`around` looks up. Types are in the stub beside this file.

This file is complete by itself: copy it into a project and own it.
Wirebook 0.1.0, MIT licence. Names and behaviour follow PocketFlow, (c) 2024 Zachary Huang, MIT.
"""

import asyncio, contextvars, functools, itertools, time, warnings

# The seam. Every phase is looked up here and then called: `around.get()(node, "exec")(item)`.
# Put another look-up in its place to watch, change, delay, repeat or skip what any node does.
around = contextvars.ContextVar("around", default=getattr)


# A phase may give its value or something to await: a coroutine function and a plain one both do.
async def settle(result): return await result if hasattr(result, "__await__") else result


class BaseNode:
    """What a flow can visit: three phases and the wires that lead on. Subclass `Node` instead."""

    # From a phase to the method that does it.
    _do = {phase: phase for phase in ("prep", "exec", "exec_fallback", "post")}

    def __init__(self, **own): vars(self).update(own, params={}, successors={})
    def __class_getitem__(cls, types): return cls
    def __copy__(self): return self._twin({**self.__dict__})

    def _twin(self, state):
        """Make a node of this class around `state`, several times faster than `copy.copy` does."""
        twin = object.__new__(type(self))
        twin.__dict__ = state
        return twin

    def set_params(self, params): self.params = params

    def next(self, node, action="default"):
        """Go on to `node` after `action`; `None` in its place says that the flow ends there."""
        if action in self.successors: warnings.warn(f"Overwriting action {action!r}", stacklevel=2)
        self.successors[action] = node
        return node

    def __rshift__(self, node): return self.next(node)

    def __sub__(self, action):
        if isinstance(action, str): return _ConditionalTransition(self.next, action=action)
        raise TypeError(f"An action is a string, not {action!r}")

    def prep(self, shared): ...
    def exec(self, prep_res): ...
    def post(self, shared, prep_res, exec_res): ...

    def run(self, shared):
        """Run this node by itself, with no event loop or inside one; give the action of `post`."""
        if self.successors: warnings.warn("run() ignores successors. Use a Flow.", stacklevel=2)
        # One `send` runs a coroutine to its end, unless it waits: then it is dropped and so closed.
        try: isinstance(self, AsyncNode) or settle(around.get()(self, "_run")(shared)).send(None)
        except StopIteration as done: return done.value
        raise RuntimeError(f"{type(self).__name__} has to wait for something: use run_async().")

    async def run_async(self, shared):
        """Run this node by itself where a phase may wait."""
        if self.successors: warnings.warn("run_async() ignores successors. Use an AsyncFlow.")
        return await settle(around.get()(self, "_run")(shared))

    async def _run(self, shared):
        prep_res = await settle(around.get()(self, self._do["prep"])(shared))
        value = await settle(self._orch(shared) if isinstance(self, Flow) else self._exec(prep_res))
        return await settle(around.get()(self, self._do["post"])(shared, prep_res, value))

    def _exec(self, prep_res): return around.get()(self, self._do["exec"])(prep_res)
    async def _each(self, work, items): return [await work(self, item) for item in items]


# What `node - "action"` gives: a call of `node.next` that still waits for the node to go to.
class _ConditionalTransition(functools.partial): __rshift__ = functools.partial.__call__


class Node(BaseNode):
    """A step of work. `exec` gets `max_retries` attempts in all, `wait` seconds apart."""

    # A slot, so that the items of a parallel batch share all attributes of their node but this.
    __slots__ = ("cur_retry",)

    def __init__(self, max_retries=1, wait=0): super().__init__(max_retries=max_retries, wait=wait)
    def exec_fallback(self, prep_res, exc): raise exc
    def _wait(self, s): return asyncio.sleep(s) if isinstance(self, AsyncNode) else time.sleep(s)

    async def _exec(self, prep_res):
        compute = around.get()(self, self._do["exec"])
        for attempt in itertools.count():
            self.cur_retry = attempt
            # `settle` spelled out: for a cheap item its call would cost more than all the rest.
            try: return await r if hasattr(r := compute(prep_res), "__await__") else r
            except Exception as e:
                if attempt + 1 >= self.max_retries:
                    return await settle(around.get()(self, self._do["exec_fallback"])(prep_res, e))
            if self.wait > 0: await settle(around.get()(self, "_wait")(self.wait))


class Flow(BaseNode):
    """A graph of nodes, walked from `start` until an action leads nowhere. Itself a node."""

    def __init__(self, start=None):
        super().__init__()
        self.start_node = start

    def start(self, start):
        self.start_node = start
        return start

    def post(self, shared, prep_res, exec_res): return exec_res

    def get_next_node(self, curr, action):
        ways, key = curr.successors, "default" if action is None else action
        if ways and key not in ways: warnings.warn(f"Flow ends: '{action}' not found in {[*ways]}")
        return ways.get(key)

    async def _orch(self, shared, params=None):
        node, action = self.start_node, None
        while node is not None:
            # Each visit has a copy and params of its own: walks that overlap cannot mix.
            node = node.__copy__()
            node.set_params({**(params or self.params)})
            action = await settle(around.get()(node, "_run")(shared))
            node = self.get_next_node(node, action)
        return action


class _Parallel:
    """Do `work(node, item)` for all items at once. If one fails, the others are cancelled."""

    async def _each(self, work, items):
        tasks = [*map(asyncio.create_task, [work(self._twin(vars(self)), i) for i in list(items)])]
        try: return await asyncio.gather(*tasks)
        # Each is cancelled once, and can clean up in peace: `gather` may have done so already.
        finally: await asyncio.gather(*(t for t in tasks if t.cancelling() or t.cancel()),
                                      return_exceptions=True)


class BatchNode(Node):
    """`prep` returns items; `exec` runs once for each; `post` gets the list of the results."""

    def _exec(self, prep_res): return self._each(Node._exec, prep_res or ())


class BatchFlow(Flow):
    """`prep` returns dicts of params; the graph runs once with each; `post` gets the actions."""

    def post(self, shared, prep_res, exec_res): ...

    async def _run(self, shared):
        async def go(f, p): return await settle(around.get()(f, "_orch")(shared, {**f.params, **p}))

        items = await settle(around.get()(self, self._do["prep"])(shared)) or []
        actions = await self._each(go, items)
        return await settle(around.get()(self, self._do["post"])(shared, items, actions))


class AsyncNode(Node):
    """A `Node` that may wait: its phases end in `_async`; plain ones are used where they do not."""

    _do = {phase: f"{phase}_async" for phase in BaseNode._do}

    # RuntimeError outside an event loop: what fails to wait there must not be tried again.
    def _run(self, shared): return asyncio.get_running_loop() and super()._run(shared)

    async def prep_async(self, shared): return await settle(self.prep(shared))
    async def exec_async(self, prep_res): return await settle(self.exec(prep_res))
    async def exec_fallback_async(self, prep, e): return await settle(self.exec_fallback(prep, e))
    async def post_async(self, shared, prep, res): return await settle(self.post(shared, prep, res))


class AsyncBatchNode(AsyncNode, BatchNode):
    """A `BatchNode` that may wait, one item after the other."""


class AsyncParallelBatchNode(_Parallel, AsyncNode, BatchNode):
    """A `BatchNode` that waits for all items at once."""


class AsyncFlow(Flow, AsyncNode):
    """A `Flow` that may wait."""


class AsyncBatchFlow(AsyncFlow, BatchFlow):
    """A `BatchFlow` that may wait, one pass after the other."""


class AsyncParallelBatchFlow(_Parallel, AsyncFlow, BatchFlow):
    """A `BatchFlow` that runs all passes at once."""
