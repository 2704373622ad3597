"""`trace`: what a run did, as spans in memory or as lines of JSON.

A span is a dict with the field names of OpenTelemetry's JSON: `name`, `traceId`, `spanId`,
`parentSpanId`, `startTimeUnixNano`, `endTimeUnixNano`, `status`, and under `attributes` ours:
`wirebook.path`, `wirebook.phase`, for a visit `wirebook.action`, for an attempt
`wirebook.attempt`, for an error `error.type`. What happened inside stands under `events`, each with
`name`, `timeUnixNano` and `attributes`. A span is written when it ends, so a parent comes after its
children.

Left out: content. No prompt, reply or value of `shared` is in a span.
"""

import json
import os
import secrets
import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from wirebook import Flow, Node

from wirebook_utils.layers.names import AnyNode, here, path
from wirebook_utils.layers.seam import Call, Layer, PerRun

Span: TypeAlias = dict[str, Any]
Sink: TypeAlias = list[Span] | str | os.PathLike[str] | Callable[[Span], None]

# From a trace's id to the span that is open in it: several traces may watch one run.
_open: ContextVar[Mapping[str, Span]] = ContextVar("open", default=MappingProxyType({}))


def event(name: str, **attributes: Any) -> None:
    """Say in the span that is open that something happened; without a trace, nobody hears it."""
    happened = {"name": name, "timeUnixNano": time.time_ns(), "attributes": attributes}
    for span in _open.get().values():
        span["events"].append(happened)


def trace(sink: Sink) -> PerRun:
    """Give a span for each visit, pass, phase and attempt to `sink`.

    `sink` is a list to append to, a file to append lines of JSON to, or a function.
    """
    write = _writer(sink)

    def start() -> Layer:
        trace_id = secrets.token_hex(16)

        async def layer(call: Call, node: AnyNode, phase: str, *args: Any) -> Any:
            around = _open.get()
            span = _begin(node, phase, trace_id, around.get(trace_id))
            _open.set({**around, trace_id: span})
            try:
                result = await call(node, phase, *args)
                if phase == "run" and (result is None or isinstance(result, str)):
                    span["attributes"]["wirebook.action"] = result
                return result
            except BaseException as error:
                span["status"] = {"code": 2, "message": type(error).__name__}
                span["attributes"]["error.type"] = type(error).__name__
                raise
            finally:
                _open.set(around)
                span["endTimeUnixNano"] = time.time_ns()
                write(span)

        return layer

    return PerRun(start)


def _begin(node: AnyNode, phase: str, trace_id: str, parent: Span | None) -> Span:
    attributes: dict[str, Any] = {"wirebook.path": path(), "wirebook.phase": phase}
    if phase == "exec" and isinstance(node, Node):
        attributes["wirebook.attempt"] = getattr(node, "cur_retry", 0) + 1
    place = here.get()
    name = place.path.rpartition("/")[2] if place else type(node).__name__
    if phase != "run":
        name = f"{name} {phase}"
    elif isinstance(node, Flow):
        name = f"invoke_workflow {name}"
        attributes["gen_ai.operation.name"] = "invoke_workflow"
    return {
        "name": name,
        "traceId": trace_id,
        "spanId": secrets.token_hex(8),
        "parentSpanId": parent and parent["spanId"],
        "kind": 1,
        "startTimeUnixNano": time.time_ns(),
        "endTimeUnixNano": 0,
        "status": {"code": 1},
        "attributes": attributes,
        "events": [],
    }


def _writer(sink: Sink) -> Callable[[Span], None]:
    if callable(sink):
        return sink
    if isinstance(sink, list):
        spans: list[Span] = sink
        return spans.append
    file = Path(sink)
    # A file that cannot be written is told now, not when the work is done.
    file.open("a", encoding="utf-8").close()

    def append(span: Span) -> None:
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(span, ensure_ascii=False) + "\n")

    return append
