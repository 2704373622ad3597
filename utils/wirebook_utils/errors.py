"""What can go wrong in a run, one class each.

WirebookError
├── Stopped              a limit was reached; `reason` says which
├── StrictError          `strict` found what the core would have passed over
└── UsageError           the caller gave something that cannot be used
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
