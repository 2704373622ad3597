"""Where a run is: the name of each node, and the path that leads to the step at hand.

A node's name is its attribute `name` if that is a non-empty text, else its class name. Within a
flow, nodes are met breadth-first in wiring order, and repeats get `#2`, `#3`. A path joins names
with `/`; `[i]` is pass or item i, counted from 0, and `@k` the k-th visit, from the second on:
`Research/LookUp@2[3]`.

Left out: what to do with a path. Errors, traces, limits and drawings all ask here.
"""

from collections import deque
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any, TypeAlias

from wirebook import BaseNode, Flow

AnyNode: TypeAlias = BaseNode[Any, Any, Any]


def name_of(node: AnyNode) -> str:
    """Give a node's own name, without regard to others of the same name."""
    name = getattr(node, "name", None)
    return name if isinstance(name, str) and name else type(node).__name__


def nodes_of(flow: AnyNode) -> Iterator[AnyNode]:
    """Walk the nodes of one flow breadth-first in wiring order, each once, not into flows in it."""
    start = getattr(flow, "start_node", None)
    found, queue = {id(start)}, deque([start] if start is not None else [])
    while queue:
        node = queue.popleft()
        yield node
        for after in node.successors.values():
            if after is not None and id(after) not in found:
                found.add(id(after))
                queue.append(after)


def names(flow: AnyNode) -> dict[int, str]:
    """Name the nodes of one flow: from `id(node.successors)` to a name that is unique in it.

    A visit runs on a copy of the node, and what the copy has in common with it is that dict.
    """
    met: dict[str, int] = {}
    table: dict[int, str] = {}
    for node in nodes_of(flow):
        name = name_of(node)
        met[name] = met.get(name, 0) + 1
        table[id(node.successors)] = name if met[name] == 1 else f"{name}#{met[name]}"
    return table


class Place:
    """One point of a run: the whole run's flow, a visit of a node, a pass, or an item.

    `sync` says how it is driven: by `run`, which cannot wait for an event loop, or by `run_async`.
    """

    __slots__ = ("_items", "_names", "_visits", "node", "parent", "path", "sync")

    def __init__(self, path: str, node: AnyNode, parent: "Place | None", sync: bool) -> None:
        self.path, self.node, self.parent, self.sync = path, node, parent, sync
        self._items = 0
        self._visits: dict[str, int] = {}
        self._names: dict[int, str] | None = None

    @property
    def flow(self) -> Flow | None:
        """The flow whose walk this step belongs to, if it is a step of one."""
        above = self.parent.node if self.parent else None
        return above if isinstance(above, Flow) else None

    def visit(self, node: AnyNode, sync: bool) -> "Place":
        """Go to a node: the next step of this flow's walk, or a run started in this phase."""
        if self._names is None:
            self._names = names(self.node) if isinstance(self.node, Flow) else {}
        name = self._names.get(id(node.successors)) or name_of(node)
        self._visits[name] = times = self._visits.get(name, 0) + 1
        suffix = f"@{times}" if times > 1 else ""
        return Place(f"{self.path}/{name}{suffix}", node, self, sync)

    def restart(self) -> None:
        """Count visits and items from the start: a layer may run the same visit again."""
        self._items = 0
        self._visits.clear()

    def item(self, node: AnyNode) -> "Place":
        """Go to the next pass of a batch flow or the next item of a batch node."""
        self._items += 1
        return Place(f"{self.path}[{self._items - 1}]", node, self.parent, self.sync)


here: ContextVar[Place | None] = ContextVar("here", default=None)


def path() -> str:
    """Give the path of the step at hand, or `""` outside a run that has layers."""
    place = here.get()
    return place.path if place else ""
