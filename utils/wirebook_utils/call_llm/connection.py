"""How an SDK's client reaches the network: as the SDK would, but with one TLS context for all.

To make a context takes 50 ms, in which an event loop would stand still; it can be shared by threads
and loops. Left out: sharing connections. Those belong to one loop, and to whoever closes them.
"""

import functools
from typing import Any


def http_client(sdk: Any, *, waits: bool) -> Any:
    """Make the HTTP client for a client of this SDK, which closes it with itself."""
    make = sdk.DefaultAsyncHttpxClient if waits else sdk.DefaultHttpxClient
    return make(verify=_tls())


@functools.cache
def _tls() -> Any:
    import httpx2

    return httpx2.create_ssl_context()
