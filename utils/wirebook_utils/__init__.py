"""What a Wirebook pattern needs and a user may swap: contracts, models, search, layers."""

from wirebook_utils.ask import ask
from wirebook_utils.cached import cached
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
from wirebook_utils.draw import draw
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
from wirebook_utils.first_of import first_of
from wirebook_utils.history import trimmed
from wirebook_utils.layers import arun_flow, run_flow, stream
from wirebook_utils.search_files import search_files
from wirebook_utils.search_web import search_web
from wirebook_utils.store import Memory, SQLite
from wirebook_utils.usage import record

__all__ = [
    "Answer",
    "BadReply",
    "CallLLM",
    "EmptyReply",
    "Hit",
    "Limits",
    "Memory",
    "Message",
    "Prompt",
    "RateLimited",
    "SQLite",
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
    "ask",
    "astream_llm",
    "cached",
    "call_llm",
    "chosen_model",
    "draw",
    "first_of",
    "record",
    "run_flow",
    "search_files",
    "search_web",
    "stream",
    "stream_llm",
    "trimmed",
]
