"""What can go wrong in a run, one class each.

WirebookError
├── Stopped              a limit was reached; `reason` says which
├── StrictError          `strict` found what the core would have passed over
├── UsageError           the caller gave something that cannot be used
├── ServiceError         a model or a search did not do its work
│   └── RateLimited      it said: not so often
└── BadReply             a model replied, but the reply cannot be used
    ├── EmptyReply       there is nothing in it, or the model refused
    └── Truncated        it was cut off at the limit of its length
"""

from wirebook_utils.contracts import StopReason


class WirebookError(Exception):
    """Base of all errors that Wirebook raises itself."""


class Stopped(WirebookError):
    """Raised when a limit ends a run: there is no way out, or it did not lead to an end.

    `reason` is one of the stop reasons, `path` the step that was not run any more. What the run
    had written to `shared` until then is there.
    """

    def __init__(self, reason: StopReason, path: str, message: str) -> None:
        super().__init__(message)
        self.reason: StopReason = reason
        self.path = path


class StrictError(WirebookError):
    """Raised by the `strict` layer: names the node, the value and what to do."""


class UsageError(WirebookError):
    """Raised when the caller gave something that cannot be used; says what to give instead."""


class ServiceError(WirebookError):
    """Raised when a model or a search did not do its work; names it, and says what to do.

    `status` is the HTTP status, or `None` where there was no response.
    """

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class RateLimited(ServiceError):
    """Raised when a service takes no more calls for now.

    `retry_after` is how many seconds it asked to wait, or `None` where it did not say.
    """

    def __init__(
        self, message: str, *, status: int | None = 429, retry_after: float | None = None
    ) -> None:
        super().__init__(message, status=status)
        self.retry_after = retry_after


class BadReply(WirebookError):
    """Raised when a model's reply cannot be used; says why. `reply` is what there was of it."""

    def __init__(self, message: str, reply: str = "") -> None:
        super().__init__(message)
        self.reply = reply


class EmptyReply(BadReply):
    """Raised when a model gave no text: it refused, or had nothing to say."""


class Truncated(BadReply):
    """Raised when a reply was cut off at the limit of its length."""
