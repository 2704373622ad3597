"""Draw a flow as it is wired: as Mermaid for a page, as plain text for a terminal.

Nodes have the names that traces and errors give them. Each flow is drawn by itself, so a node that
two flows lead to stands in both. A flow that is met again, in another place or in itself, is not
opened a second time.

Left out: where a run ends by an action that nothing is wired to, since only `post` knows its
actions; and what a run did. Mermaid draws no more than 500 edges unless it is told to.
"""

import re
from collections.abc import Iterator
from itertools import count

from wirebook import AsyncParallelBatchFlow, AsyncParallelBatchNode, BatchFlow, BatchNode, Flow

from wirebook_utils.layers.names import AnyNode, name_of, names, nodes_of

# Shapes that every version of Mermaid knows.
_SHAPES = {"": ("[", "]"), "batch": ("{{", "}}"), "parallel": ("[/", "/]")}

# What stays as it is in a label: letters and digits of any script, blanks, and `_` or `-` between
# two of them. All else could be the end of the label, HTML, Markdown, a link or an icon.
_UNSAFE = re.compile(r"(?<=[^\W_])[-_](?=[^\W_])|([^\w ]|_)")


def draw(flow: AnyNode) -> str:
    """Give Mermaid of a flow: `flowchart TD`, the start marked, flows inside it as subgraphs.

    Edges are labelled with their action, but for `default`; one to `None` leads to `end`. Those of
    an inner flow begin and end at the border of its subgraph. A hexagon is a batch, a slanted box
    a parallel one, a box with double sides a flow that stands open elsewhere or is empty. Labels
    are escaped, whatever stands in names and actions; the same wiring gives the same text.
    """
    return "\n".join(["flowchart TD", *_Mermaid().outermost(flow)]) + "\n"


def picture(flow: AnyNode) -> str:
    """Give a flow in plain ASCII, a line for each wire: `> Decide  --search--> LookUp`.

    `>` is the start. A node's further wires stand below its first one, and the nodes of an inner
    flow indented below it.
    """
    return "\n".join(_Text().outermost(flow)) + "\n"


def _kind(node: AnyNode) -> str:
    """Say how often a node or flow does its work: once, or for each item, or for all at once."""
    if isinstance(node, AsyncParallelBatchNode | AsyncParallelBatchFlow):
        return "parallel"
    return "batch" if isinstance(node, BatchNode | BatchFlow) else ""


def _edges(node: AnyNode) -> Iterator[tuple[str | None, AnyNode | None]]:
    """Give where each action leads; its text is `None` for `default`."""
    for action, after in node.successors.items():
        yield None if action == "default" else str(action), after


class _Mermaid:
    """A page of Mermaid in the making: the next number of a box, the flows that stand open."""

    def __init__(self) -> None:
        self._number = count()
        self._open: set[int] = set()

    def outermost(self, flow: AnyNode) -> Iterator[str]:
        """Draw what is in a flow, or a frame or box for what is more, or less, than that."""
        if isinstance(flow, Flow) and not _kind(flow):
            yield from self._inside(flow, "    ")
        else:
            box = f"n{next(self._number)}"
            yield from self._box(flow, box, name_of(flow), "    ")
            yield f"    {_start(box)}"

    def _inside(self, flow: AnyNode, pad: str) -> Iterator[str]:
        self._open.add(id(flow))
        table, nodes = names(flow), [*nodes_of(flow)]
        boxes = {id(node): f"n{next(self._number)}" for node in nodes}
        for node in nodes:
            yield from self._box(node, boxes[id(node)], table[id(node.successors)], pad)
        first = boxes[id(nodes[0])] if nodes else ""
        yield pad + _start(first)
        for node in nodes:
            for action, after in _edges(node):
                arrow = "-->" if action is None else f'-->|"{_label(action)}"|'
                to = f'e{first[1:]}((("end")))' if after is None else boxes[id(after)]
                yield f"{pad}{boxes[id(node)]} {arrow} {to}"

    def _box(self, node: AnyNode, box: str, name: str, pad: str) -> Iterator[str]:
        kind, text = _kind(node), _label(name)
        left, right = ("[[", "]]") if isinstance(node, Flow) else _SHAPES[kind]
        if not isinstance(node, Flow) or id(node) in self._open or node.start_node is None:
            yield f'{pad}{box}{left}"{text}"{right}'
        else:
            yield f'{pad}subgraph {box}["{text}{f" ({kind})" if kind else ""}"]'
            yield from self._inside(node, f"{pad}    ")
            yield f"{pad}end"


def _start(box: str) -> str:
    return f's{box[1:]}(("start")) --> {box}' if box else 's(("start"))'


def _label(text: str) -> str:
    """Escape a text for a quoted label: what is not plain becomes a number, as in `#35;`."""
    line = " ".join(text.split()) or '""'
    shown = "".join(c if c.isprintable() else "\ufffd" for c in line)
    return _UNSAFE.sub(lambda m: f"#{ord(m[1])};" if m[1] else m[0], shown)


class _Text:
    """A picture in the making: the flows that stand open."""

    def __init__(self) -> None:
        self._open: set[int] = set()

    def outermost(self, flow: AnyNode) -> Iterator[str]:
        """Tell what is in a flow, below a line of its own for what is more, or less, than that."""
        if isinstance(flow, Flow) and not _kind(flow):
            yield from self._inside(flow, "")
        else:
            yield from self._node(flow, name_of(flow), [], "", "> ")

    def _inside(self, flow: AnyNode, pad: str) -> Iterator[str]:
        self._open.add(id(flow))
        table, mark = names(flow), "> "
        for node in nodes_of(flow):
            ways = [
                f"  --{_ascii(action)}--> {to}" if action is not None else f"  --> {to}"
                for action, after in _edges(node)
                for to in [_ascii(table[id(after.successors)]) if after is not None else "(end)"]
            ]
            yield from self._node(node, table[id(node.successors)], ways, pad, mark)
            mark = "  "
        if mark == "> ":
            yield f"{pad}(empty)"

    def _node(
        self, node: AnyNode, name: str, ways: list[str], pad: str, mark: str
    ) -> Iterator[str]:
        again = isinstance(node, Flow) and id(node) in self._open
        kinds = [_kind(node), "flow" * isinstance(node, Flow), "again" * again]
        kind = " ".join(filter(None, kinds))
        box = f"{pad}{mark}{_ascii(name)}{f' ({kind})' if kind else ''}"
        yield box + "".join(ways[:1])
        yield from (" " * len(box) + way for way in ways[1:])
        if isinstance(node, Flow) and not again:
            yield from self._inside(node, f"{pad}    ")


def _ascii(text: str) -> str:
    """Give a text as one line of ASCII; what is not becomes its escape, as in `\\xe9`."""
    line = " ".join(text.split()) or '""'
    return "".join(
        c if c.isascii() and c.isprintable() else c.encode("unicode_escape").decode() for c in line
    )
