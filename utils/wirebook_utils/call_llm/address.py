"""Where a server is: its base URL in the one spelling that its SDK wants.

Left out: guessing. A path that is there stays, but for a doubled `/v1` or a whole endpoint.
"""

import re
from urllib.parse import SplitResult, urlsplit

from wirebook_utils.errors import UsageError

_ENDPOINT = re.compile(r"/(chat/completions|v1/messages|messages)$")


def base_of(url: str, *, versioned: bool) -> str:
    """Give the base URL without a slash at its end, and with `/v1` where the host stands alone.

    With `versioned` false, `/v1` is taken off instead: that SDK adds it by itself.
    """
    parts = _split(url)
    path = re.sub("/+", "/", parts.path).rstrip("/")
    path = re.sub(r"(/v1)+$", "/v1", _ENDPOINT.sub("", path))
    path = (path or "/v1") if versioned else path.removesuffix("/v1")
    return parts._replace(path=path).geturl()


def shown(url: str) -> str:
    """Give a URL as it may stand in an error: without a name and a password in it, or a query."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()


def _split(url: str) -> SplitResult:
    text = url.strip()
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        if known and text.isprintable() and " " not in text:
            return parts
    except ValueError:
        pass
    raise UsageError("base_url is no address. Give one such as http://localhost:8080/v1")
