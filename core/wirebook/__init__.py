"""The core of Wirebook: nodes, flows, one `shared` dict, and the seam `around`. See `core.py`."""

from wirebook.core import (
    AsyncBatchFlow,
    AsyncBatchNode,
    AsyncFlow,
    AsyncNode,
    AsyncParallelBatchFlow,
    AsyncParallelBatchNode,
    BaseNode,
    BatchFlow,
    BatchNode,
    Flow,
    Node,
    _ConditionalTransition,
    around,
)

__version__ = "0.1.0"

__all__ = [
    "AsyncBatchFlow",
    "AsyncBatchNode",
    "AsyncFlow",
    "AsyncNode",
    "AsyncParallelBatchFlow",
    "AsyncParallelBatchNode",
    "BaseNode",
    "BatchFlow",
    "BatchNode",
    "Flow",
    "Node",
    "_ConditionalTransition",
    "around",
]
