"""What a Wirebook pattern needs and a user may swap: contracts, models, search, layers."""

from wirebook_utils.call_llm import acall_llm, astream_llm, call_llm, chosen_model, stream_llm
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
from wirebook_utils.errors import (
    BadReply,
    EmptyReply,
    RateLimited,
    ServiceError,
    Stopped,
    StrictError,
    Truncated,
    UsageError,
    WirebookError,
)
from wirebook_utils.layers import arun_flow, run_flow, stream
from wirebook_utils.usage import record

__all__ = [
    "Answer",
    "BadReply",
    "CallLLM",
    "EmptyReply",
    "Hit",
    "Limits",
    "Message",
    "Prompt",
    "RateLimited",
    "Search",
    "ServiceError",
    "Source",
    "Step",
    "StopReason",
    "Stopped",
    "StrictError",
    "Truncated",
    "Usage",
    "UsageError",
    "WirebookError",
    "Wiring",
    "acall_llm",
    "arun_flow",
    "astream_llm",
    "call_llm",
    "chosen_model",
    "record",
    "run_flow",
    "stream",
    "stream_llm",
]
