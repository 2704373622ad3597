"""Layers: what stands around every call of a run. One file each; `seam.py` says how they work."""

from wirebook_utils.layers.deadline import deadline
from wirebook_utils.layers.limit import limit
from wirebook_utils.layers.names import name_of, names, nodes_of, path
from wirebook_utils.layers.run import arun_flow, run_flow
from wirebook_utils.layers.seam import Call, Layer, PerRun, installed
from wirebook_utils.layers.step_limit import step_limit
from wirebook_utils.layers.stream import Event, stream
from wirebook_utils.layers.strict import strict
from wirebook_utils.layers.timeout import timeout
from wirebook_utils.layers.trace import event, trace
from wirebook_utils.layers.wait import Slots, bounded, given_up, pause
from wirebook_utils.time_left import time_left

__all__ = [
    "Call",
    "Event",
    "Layer",
    "PerRun",
    "Slots",
    "arun_flow",
    "bounded",
    "deadline",
    "event",
    "given_up",
    "installed",
    "limit",
    "name_of",
    "names",
    "nodes_of",
    "path",
    "pause",
    "run_flow",
    "step_limit",
    "stream",
    "strict",
    "time_left",
    "timeout",
    "trace",
]
