"""What a Wirebook pattern needs and a user may swap: contracts, models, search, layers."""

from wirebook_utils.contracts import (
    Answer,
    CallLLM,
    Hit,
    Limits,
    Message,
    Prompt,
    Search,
    Source,
    Step,
    StopReason,
    Usage,
    Wiring,
)
from wirebook_utils.errors import Stopped, StrictError, UsageError, WirebookError
from wirebook_utils.layers import arun_flow, run_flow, stream

__all__ = [
    "Answer",
    "CallLLM",
    "Hit",
    "Limits",
    "Message",
    "Prompt",
    "Search",
    "Source",
    "Step",
    "StopReason",
    "Stopped",
    "StrictError",
    "Usage",
    "UsageError",
    "WirebookError",
    "Wiring",
    "arun_flow",
    "run_flow",
    "stream",
]
