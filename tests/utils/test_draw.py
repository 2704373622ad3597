"""Pictures of flows: what is wired is what is drawn, whatever the names are."""

import html
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wirebook import (
    AsyncParallelBatchFlow,
    AsyncParallelBatchNode,
    BatchFlow,
    BatchNode,
    Flow,
    Node,
)
from wirebook_utils import draw
from wirebook_utils.draw import picture
from wirebook_utils.layers import names, nodes_of

from tests.utils.layers.nodes import Decide, LookUp, Write, endless


class Named(Node[Any, None, None]):
    """A node with a name of its own."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


def mermaid(*lines: str) -> str:
    """What `draw` gives for these lines."""
    return "\n".join(["flowchart TD", *(f"    {line}" for line in lines)]) + "\n"


def test_nodes_edges_and_start_are_drawn() -> None:
    """A box per node, an edge per action, none labelled `default`, and the start."""
    assert draw(endless()) == mermaid(
        'n0["Decide"]',
        'n1["LookUp"]',
        'n2["Write"]',
        's0(("start")) --> n0',
        'n0 -->|"search"| n1',
        'n0 -->|"answer"| n2',
        "n1 --> n0",
    )
    assert picture(endless()).splitlines() == [
        "> Decide  --search--> LookUp",
        "          --answer--> Write",
        "  LookUp  --> Decide",
        "  Write",
    ]


def test_names_are_those_of_traces() -> None:
    """Repeats are numbered as `names` numbers them, and drawn in that order."""
    first, second, third = LookUp(), LookUp(), LookUp()
    first - "b" >> second
    first - "a" >> third
    flow = Flow(first)
    drawn = re.findall(r'n\d\["(.*)"\]', draw(flow))
    given = [names(flow)[id(node.successors)] for node in nodes_of(flow)]
    assert [html.unescape(name.replace("#", "&#")) for name in drawn] == given
    assert picture(flow).startswith("> LookUp  --b--> LookUp#2\n          --a--> LookUp#3\n")


def test_inner_flow_is_a_subgraph_and_edges_stop_at_its_border() -> None:
    """Its own nodes and start stand in it; it goes round on itself and on to others."""
    first, inside = Decide(), LookUp()
    inner, last = Flow(inside), Write()
    inside - "more" >> inside
    first >> inner
    inner - "again" >> inner
    inner - "done" >> last
    assert draw(Flow(first)) == mermaid(
        'n0["Decide"]',
        'subgraph n1["Flow"]',
        '    n3["LookUp"]',
        '    s3(("start")) --> n3',
        '    n3 -->|"more"| n3',
        "end",
        'n2["Write"]',
        's0(("start")) --> n0',
        "n0 --> n1",
        'n1 -->|"again"| n1',
        'n1 -->|"done"| n2',
    )
    assert picture(Flow(first)).splitlines() == [
        "> Decide  --> Flow",
        "  Flow (flow)  --again--> Flow",
        "               --done--> Write",
        "    > LookUp  --more--> LookUp",
        "  Write",
    ]


def test_node_of_two_flows_stands_in_both() -> None:
    """Where an inner flow's node leads to one of the outer flow, the inner walk goes there too."""
    inside, shared = LookUp(), Write()
    inner = Flow(inside)
    inside >> shared
    inner >> shared
    drawn = draw(Flow(inner))
    assert drawn.count('["Write"]') == 2
    assert picture(Flow(inner)).splitlines() == [
        "> Flow (flow)  --> Write",
        "    > LookUp  --> Write",
        "      Write",
        "  Write",
    ]


def test_flow_in_itself_and_flow_met_again_are_not_opened_twice() -> None:
    """They are boxes with double sides, and the drawing ends."""
    node = LookUp()
    flow = Flow(node)
    node >> flow
    flow - "retry" >> node
    assert draw(flow) == mermaid(
        'n0["LookUp"]',
        'n1[["Flow"]]',
        's0(("start")) --> n0',
        "n0 --> n1",
        'n1 -->|"retry"| n0',
    )
    assert picture(flow) == "> LookUp  --> Flow\n  Flow (flow again)  --retry--> LookUp\n"


def test_drawing_grows_with_the_flows_and_not_with_the_ways_through_them() -> None:
    """Twelve flows, each in the next one twice over, are not thousands of boxes."""
    inner = Flow(LookUp())
    for _ in range(12):
        left, right = Flow(inner), Flow(inner)
        left >> right
        inner = Flow(left)
    assert len(draw(inner)) < 20_000
    assert len(picture(inner)) < 20_000


def test_kinds_are_told_apart() -> None:
    """Batches and parallel batches have shapes of their own; flows of them say it."""

    class Each(BatchNode[Any, Any, Any]): ...

    class All(AsyncParallelBatchNode[Any, Any, Any]): ...

    class Passes(BatchFlow[Any]): ...

    class AtOnce(AsyncParallelBatchFlow[Any]): ...

    first, passes = Each(), Passes(LookUp())
    first >> All() >> passes >> AtOnce(LookUp())
    drawn = draw(Flow(first))
    for shape in ('{{"Each"}}', '[/"All"/]', '["Passes (batch)"]', '["AtOnce (parallel)"]'):
        assert shape in drawn
    assert picture(Flow(first)).splitlines()[:4] == [
        "> Each (batch)  --> All",
        "  All (parallel)  --> Passes",
        "  Passes (batch flow)  --> AtOnce",
        "    > LookUp",
    ]
    alone = draw(Passes(LookUp()))
    assert 'subgraph n0["Passes (batch)"]' in alone
    assert alone.endswith('    s0(("start")) --> n0\n')
    assert picture(Passes(LookUp())) == "> Passes (batch flow)\n    > LookUp\n"


def test_wire_to_none_leads_to_the_end() -> None:
    """That the flow ends there was said on purpose, and so it is drawn."""
    node = Decide()
    node - "stop" >> None
    assert draw(Flow(node)).endswith('    n0 -->|"stop"| e0((("end")))\n')
    assert picture(Flow(node)) == "> Decide  --stop--> (end)\n"


def test_empty_flow_and_a_node_by_itself() -> None:
    """There is always a picture; an empty flow inside another is a box."""
    assert draw(Flow()) == mermaid('s(("start"))')
    assert picture(Flow()) == "(empty)\n"
    assert draw(LookUp()) == mermaid('n0["LookUp"]', 's0(("start")) --> n0')
    assert picture(LookUp()) == "> LookUp\n"
    assert draw(Flow(Flow())) == mermaid('n0[["Flow"]]', 's0(("start")) --> n0')
    assert picture(Flow(Flow())) == "> Flow (flow)\n    (empty)\n"


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ('say "hi"', "say #34;hi#34;"),
        ("a[b](c)", "a#91;b#93;#40;c#41;"),
        ("two\n lines", "two lines"),
        ("`code`", "#96;code#96;"),
        ("end", "end"),
        ("<b>x</b>", "#60;b#62;x#60;#47;b#62;"),
        ("Käse 魚", "Käse 魚"),
        ("1. list", "1#46; list"),
        ("_snake_case-name_", "#95;snake_case-name#95;"),
        ("fa:fa-car", "fa#58;fa-car"),
        ("\u202e\x1b[31m", "#65533;#65533;#91;31m"),
        ("\n", "#34;#34;"),
    ],
)
def test_labels_are_escaped(name: str, label: str) -> None:
    """Names and actions stand in labels as numbers wherever they are more than plain words."""
    node = Named(name)
    node - name >> node
    drawn = draw(Flow(node))
    assert f'n0["{label}"]\n' in drawn
    assert f'n0 -->|"{label}"| n0\n' in drawn


@given(st.text(min_size=1).filter(lambda name: name != "default"))
def test_no_name_can_leave_its_label(name: str) -> None:
    """Whatever a name holds, the drawing has its lines, and the name can be read back from it."""
    node = Named(name)
    node - name >> node
    head, box, start, edge = draw(Flow(node)).splitlines()
    assert (head, start) == ("flowchart TD", '    s0(("start")) --> n0')
    label = box.removeprefix('    n0["').removesuffix('"]')
    assert edge == f'    n0 -->|"{label}"| n0'
    assert re.fullmatch(r"(?:[^\W_]|[ ]|#\d+;|(?<=[^\W_])[-_](?=[^\W_]))+", label)
    shown = "".join(c if c.isprintable() else "\ufffd" for c in " ".join(name.split()))
    assert html.unescape(label.replace("#", "&#")) == (shown or '""')
    [line] = picture(Flow(node)).splitlines()
    assert line.isascii()
    assert line.isprintable()


def test_same_wiring_gives_the_same_text() -> None:
    """Nothing of the process, such as addresses of objects, gets into a drawing."""
    assert draw(endless()) == draw(endless())
    assert picture(endless()) == picture(endless())


def test_action_that_is_no_text_is_drawn() -> None:
    """PocketFlow lets anything hashable be an action."""
    node = LookUp()
    node.next(node, True)
    assert 'n0 -->|"True"| n0' in draw(Flow(node))
