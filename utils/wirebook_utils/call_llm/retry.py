"""When to try again: after faults of the transport, later each time, within the time.

Left out: bad replies. Whoever reads a reply knows whether to ask again.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

TRIES = 5
"""Attempts in all."""

_FIRST, _MOST = 0.5, 8.0


@dataclass(frozen=True)
class Waits:
    """How time passes: read by `clock`, spent by `sleep`, spread by `jitter` between 0 and 1."""

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None] | None] = time.sleep
    jitter: Callable[[], float] = random.random
    is_async: bool = False


PLAIN = Waits()
ASYNC = Waits(sleep=asyncio.sleep, is_async=True)


def is_passing(status: int | None) -> bool:
    """Tell whether a fault may be over soon: no response at all, 408, 429 and 5xx."""
    return status is None or status in (408, 429) or status >= 500


def wait_before(attempt: int, asked: float | None, jitter: float) -> float:
    """Give the seconds before the attempt (2, 3, ...): what the server asked, or more each time."""
    spread = min(_MOST, _FIRST * 2.0 ** (attempt - 2)) * (0.5 + jitter / 2)
    return spread if asked is None else asked


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Read how many seconds a server asks to wait (RFC 9110, section 10.2.3), if it does."""
    seconds = _number(headers.get("retry-after-ms"), 1000)
    if seconds is None:
        seconds = _number(headers.get("retry-after"), 1)
    if seconds is None:
        try:
            date = parsedate_to_datetime(headers.get("retry-after", ""))
        except ValueError:
            return None
        date = date if date.tzinfo else date.replace(tzinfo=UTC)
        seconds = (date - (now or datetime.now(UTC))).total_seconds()
    return max(0.0, seconds)


def _number(text: str | None, per_second: int) -> float | None:
    try:
        number = float(text or "") / per_second
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None
