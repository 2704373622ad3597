"""What went wrong with a call, as one of our errors: who, what, and what to do.

The words of a server are quoted without the key, without markup, and only so far.

Left out: the SDK's own exception. It holds the request, and with it the key.
"""

import re
from dataclasses import dataclass
from typing import Any, cast

from wirebook_utils.call_llm.request import Format, Request, final_url
from wirebook_utils.call_llm.retry import is_passing, retry_after
from wirebook_utils.errors import RateLimited, ServiceError, UsageError, WirebookError

_LONGEST = 300
# What a service says of itself in the middle of a stream, where there is no status.
_STATUS = {"rate_limit_error": 429, "api_error": 500, "timeout_error": 504, "overloaded_error": 529}
# What a server may name, and what a caller calls it.
_OURS = {
    "temperature": "temperature",
    "max_tokens": "max_tokens",
    "max_completion_tokens": "max_tokens",
    "response_format": "schema",
    "output_config": "schema",
    "schema": "schema",
}


class Fault(Exception):
    """Raised inside, and never seen outside: the error to raise, and whether to try again.

    `asked` is how many seconds the server asked to wait, `refused` its words on an invalid request.
    """

    def __init__(
        self,
        error: WirebookError,
        *,
        retry: bool = False,
        asked: float | None = None,
        refused: str = "",
    ) -> None:
        super().__init__(str(error))
        self.error = error
        self.retry = retry
        self.asked = asked
        self.refused = refused


@dataclass(frozen=True)
class Faults:
    """Reads the exceptions of one request."""

    request: Request
    format: Format

    @property
    def who(self) -> str:
        """The model and the address, as they stand in every error."""
        return f"{self.request.target} at {final_url(self.request.target, self.format)}"

    def read(self, error: Any) -> Fault | None:
        """Turn an exception into a fault; `None` if it is none of a model's or the network's."""
        if isinstance(error, Fault | WirebookError):
            return error if isinstance(error, Fault) else None
        import httpx2

        sdk = self.format.sdk()
        if isinstance(error, TimeoutError | sdk.APITimeoutError | httpx2.TimeoutException):
            return self.too_late()
        if isinstance(error, sdk.APIStatusError):
            return self._status(error.status_code, error.body, error.response.headers)
        if isinstance(error, sdk.APIConnectionError | httpx2.RequestError):
            return self._unreachable(error)
        return None

    def too_late(self) -> Fault:
        """There was no whole reply in time."""
        seconds = self.request.seconds
        text = (
            f"{self.who} gave no whole reply within {seconds:g} s. Raise timeout, or ask for less"
        )
        return Fault(ServiceError(text), retry=True)

    def cut(self) -> Fault:
        """The stream ended before the reply did."""
        return Fault(ServiceError(f"{self.who}: the stream was cut off. Ask again"), retry=True)

    def unreadable(self, status: int | None, text: str) -> Fault:
        """What came is no reply."""
        what = f"{self.who} replied with something that is no JSON: {self._quoted(text)}"
        return Fault(ServiceError(f"{what}. Check base_url", status=status))

    def told(self, body: Any) -> Fault:
        """The service told of an error in a reply or a stream that began well."""
        inner = _inner(body)
        code = inner.get("code")
        status = _STATUS.get(str(inner.get("type")))
        if isinstance(code, int) and 400 <= code < 600:
            status = code
        return self._status(status, body, {})

    def _unreachable(self, error: Exception) -> Fault:
        cause = self._quoted(str(error.__cause__ or error))
        what = f"{self.who} cannot be reached, or hung up: {cause}"
        text = f"{what}. Check that the server runs, and base_url"
        return Fault(ServiceError(text), retry=True)

    def _status(self, status: int | None, body: Any, headers: Any) -> Fault:
        inner = _inner(body)
        said = self._quoted(str(inner.get("message") or inner.get("detail") or body or "no reason"))
        asked = retry_after(headers)
        # The budget is used up: waiting does not fill it.
        retry = status is not None and is_passing(status)
        retry = retry and "insufficient_quota" not in f"{inner.get('code')}{said}"
        named = f"{said} {inner.get('param') or ''}"
        error = self._error(status, said, named, asked)
        refused = named if status in (400, 422) else ""
        return Fault(error, retry=retry, asked=asked, refused=refused)

    def _error(
        self, status: int | None, said: str, named: str, asked: float | None
    ) -> WirebookError:
        who, key = self.who, self.request.target.provider.key_env
        told = f" ({status}): {said}" if status else f": {said}"
        if status == 429:
            wait = "a while" if asked is None else f"{asked:g} s"
            text = f"{who} takes no more calls for now{told}. Wait {wait}, or ask another model"
            return RateLimited(text, retry_after=asked)
        if is_passing(status):
            text = f"{who} failed{told}. Try again later, or ask another model"
            return ServiceError(text, status=status)
        if status == 401:
            return UsageError(f"{who} refused the key{told}. Put one that is valid into {key}")
        if status == 403:
            return UsageError(f"{who} is not for this key{told}. Take another key or model")
        if status == 404:
            what = f"{who} was not found{told}. Name another model, by model='provider:name' or "
            return UsageError(f"{what}WIREBOOK_MODEL, or check base_url")
        ours = (word for name, word in _OURS.items() if re.search(rf"\b{name}\b", named))
        advice = f"Change or leave out {next(ours, 'what it names')}"
        return UsageError(f"{who} refused the request{told}. {advice}")

    def _quoted(self, text: str) -> str:
        if key := self.request.target.key:
            text = text.replace(key, "***")
        text = re.sub(r"<(script|style|head)\b.*?</\1>|<[^>]*>", " ", text, flags=re.S | re.I)
        plain = "".join(c if c.isprintable() else " " for c in text)
        words = " ".join(plain.split()).rstrip(".")
        return words if len(words) <= _LONGEST else f"{words[:_LONGEST]} …"


def _inner(body: Any) -> dict[str, Any]:
    outer = cast("dict[str, Any]", body if isinstance(body, dict) else {"message": body})
    inner = outer.get("error", outer)
    return cast("dict[str, Any]", inner if isinstance(inner, dict) else {"message": inner})
