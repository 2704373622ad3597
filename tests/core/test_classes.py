"""The classes: what they are, what they hold, and that they behave like plain objects."""

import copy
import pickle
from typing import Any

import pytest

from tests.core.lib import Lib, coroutine

PARENTS = {
    "BaseNode": [],
    "Node": ["BaseNode"],
    "BatchNode": ["Node"],
    "Flow": ["BaseNode"],
    "BatchFlow": ["Flow"],
    "AsyncNode": ["Node"],
    "AsyncBatchNode": ["AsyncNode", "BatchNode"],
    "AsyncParallelBatchNode": ["AsyncNode", "BatchNode"],
    "AsyncFlow": ["Flow", "AsyncNode", "Node"],
    "AsyncBatchFlow": ["AsyncFlow", "BatchFlow"],
    "AsyncParallelBatchFlow": ["AsyncFlow", "BatchFlow"],
}


def pickled(node: Any) -> Any:
    """Take `node` to bytes and back."""
    return pickle.loads(pickle.dumps(node))


@pytest.mark.parametrize("name", PARENTS)
def test_class_is_a_subclass_of_its_parents(sync_lib: Lib, name: str) -> None:
    """Every class is the child of the same classes in both libraries."""
    cls = getattr(sync_lib.module, name)
    assert all(issubclass(cls, getattr(sync_lib.module, parent)) for parent in PARENTS[name])


def test_flow_is_no_node(sync_lib: Lib) -> None:
    """A plain flow has no retries and no fallback."""
    flow, batch_flow = sync_lib.flow(), sync_lib.batch_flow()
    assert not isinstance(flow, sync_lib.module.Node)
    for name in ("max_retries", "wait", "exec_fallback"):
        assert not hasattr(flow, name)
        assert not hasattr(batch_flow, name)


def test_base_node_has_no_retries(sync_lib: Lib) -> None:
    """A `BaseNode` has neither attempts nor a fallback."""
    node = sync_lib.module.BaseNode()
    assert not hasattr(node, "max_retries")
    assert not hasattr(node, "exec_fallback")


@pytest.mark.parametrize("name", ["Node", "BatchNode"])
def test_node_takes_retries_and_wait(lib: Lib, name: str) -> None:
    """`max_retries` and `wait` go by position or by name, and are 1 and 0 at first."""
    cls = lib.base(name)
    by_name = cls(wait=2, max_retries=3)
    assert (cls().max_retries, cls().wait) == (1, 0)
    assert (cls(3, 2).max_retries, cls(3, 2).wait) == (3, 2)
    assert (by_name.max_retries, by_name.wait) == (3, 2)


@pytest.mark.parametrize("name", ["Flow", "BatchFlow"])
def test_flow_takes_a_start(lib: Lib, name: str) -> None:
    """`start` goes by position or by name, and is absent at first."""
    cls, node = lib.base(name), lib.node()
    assert cls().start_node is None
    assert cls(node).start_node is node
    assert cls(start=node).start_node is node


@pytest.mark.parametrize("name", ["AsyncFlow", "AsyncBatchFlow", "AsyncParallelBatchFlow"])
def test_async_flow_has_the_defaults_of_a_node(async_lib: Lib, name: str) -> None:
    """Async flows are nodes: one attempt, no wait."""
    flow = getattr(async_lib.module, name)()
    assert (flow.max_retries, flow.wait) == (1, 0)


def test_each_instance_has_dicts_of_its_own(lib: Lib) -> None:
    """`params` and `successors` are new for each instance."""
    for cls in (lib.base("Node"), lib.base("Flow")):
        a, b = cls(), cls()
        assert a.params == a.successors == {}
        assert a.params is not b.params
        assert a.successors is not b.successors


def test_nodes_compare_by_identity(lib: Lib) -> None:
    """Two nodes are never equal, and a node can be a key."""
    a, b = lib.node(), lib.node()
    assert a != b
    assert {a: "a", b: "b"}[a] == "a"


def test_attribute_can_be_anything(lib: Lib) -> None:
    """Any attribute can be put on a node or a flow."""
    for node in (lib.node(), lib.flow()):
        node.anything = 1
        assert vars(node)["anything"] == 1


@pytest.mark.parametrize("name", PARENTS)
@pytest.mark.parametrize("make", [copy.deepcopy, pickled])
def test_node_is_copied_like_a_plain_object(sync_lib: Lib, name: str, make: Any) -> None:
    """A deep copy and a pickled one have the same attributes and wires, and share none."""
    a, b = getattr(sync_lib.module, name)(), getattr(sync_lib.module, name)()
    a - "next" >> b >> a
    a.notes = ["note"]
    other = make(a)
    assert type(other) is type(a)
    assert other.notes == ["note"]
    assert other.notes is not a.notes
    assert other.successors["next"].successors["default"] is other


def test_hook_on_an_instance_is_used(lib: Lib) -> None:
    """A hook that is set on an instance replaces the one of its class, inside a flow as well."""
    node = lib.node(post=lambda self, shared, p, e: "class")
    name = "post" if not lib.is_async or lib.plain_hooks else "post_async"

    def post(shared: Any, prep_res: Any, exec_res: Any) -> str:
        return "instance"

    setattr(node, name, coroutine(post) if name == "post_async" else post)
    assert lib.run(node) == "instance"
    assert lib.run(lib.flow(node)) == "instance"


def test_hook_on_the_class_is_used_by_what_exists(lib: Lib) -> None:
    """A hook that is set on a class later is used by its instances."""
    cls = lib.kind("Node", post=lambda self, shared, p, e: "before")
    node = cls()
    later: dict[str, Any] = {**vars(lib.kind("Node", post=lambda self, shared, p, e: "after"))}
    name = "post" if "post" in later else "post_async"
    setattr(cls, name, later[name])
    assert lib.run(node) == "after"


def test_forgotten_base_init_fails(lib: Lib) -> None:
    """Who does not call the base `__init__` gets an AttributeError when wiring or running."""

    def init(self: Any) -> None:
        self.ready = True

    cls = lib.kind("Node", extra={"__init__": init})
    with pytest.raises(AttributeError):
        cls() >> lib.node()
    with pytest.raises(AttributeError):
        lib.run(cls())
    with pytest.raises(AttributeError):
        lib.run(lib.flow(cls()))
