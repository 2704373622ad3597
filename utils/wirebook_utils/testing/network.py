"""`no_network`: whatever a test does, it talks to nobody but this machine.

Left out: libraries that open sockets without Python's, such as `primp` inside `ddgs`.
"""

import ipaddress
import socket
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch


class NetworkUsed(AssertionError):
    """Raised where a test would talk to another machine; names it."""


@contextmanager
def no_network() -> Generator[None]:
    """Let every connection but to this machine raise `NetworkUsed`, and every look-up of a name.

    Loopback addresses, `localhost` and sockets of the file system stay open.
    """
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex
    sendto, look_up = socket.socket.sendto, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        _refuse(self, address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        _refuse(self, address)
        return connect_ex(self, address)

    def guarded_sendto(self: socket.socket, *args: Any) -> int:
        _refuse(self, args[-1])
        return sendto(self, *args)

    def guarded_look_up(host: Any, *args: Any, **kwargs: Any) -> Any:
        if not _is_here(host):
            raise NetworkUsed(f"A test looked up {host!r}. {_ADVICE}")
        return look_up(host, *args, **kwargs)

    with ExitStack() as stack:
        for owner, name, guard in (
            (socket.socket, "connect", guarded_connect),
            (socket.socket, "connect_ex", guarded_connect_ex),
            (socket.socket, "sendto", guarded_sendto),
            (socket, "getaddrinfo", guarded_look_up),
        ):
            stack.enter_context(patch.object(owner, name, guard))
        yield


_ADVICE = "Script the model and the search, or let a server run on 127.0.0.1."


def _refuse(sock: socket.socket, address: Any) -> None:
    inet = sock.family in (socket.AF_INET, socket.AF_INET6)
    if inet and not _is_here(address[0]):
        raise NetworkUsed(f"A test wanted to reach {address[0]}:{address[1]}. {_ADVICE}")


def _is_here(host: Any) -> bool:
    """Tell whether a host is this machine: by its number, by its name, or none at all."""
    name = host.decode() if isinstance(host, bytes) else host
    if name in (None, "", "localhost"):
        return True
    try:
        address = ipaddress.ip_address(str(name).partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
