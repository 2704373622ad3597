"""Import what belongs to an extra, at first use, and say how to get it if it is not there."""

from collections.abc import Generator
from contextlib import contextmanager

from wirebook_utils.errors import UsageError


@contextmanager
def extra(name: str, purpose: str) -> Generator[None]:
    """Import the libraries of `wirebook-utils[name]` inside this block.

    Raises `UsageError` with the line to type if one is missing; `purpose` says what needs it.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise UsageError(
            f"{purpose} needs {error.name!r}, which is not installed. "
            f"Try: pip install 'wirebook-utils[{name}]'"
        ) from error
