"""No test talks to another machine; talking to this one is fine."""

import asyncio
import http.server
import socket
import threading
import urllib.request

import pytest
from wirebook_utils.testing import NetworkUsed, no_network


@pytest.mark.parametrize(
    "reach",
    [
        lambda: socket.create_connection(("192.0.2.1", 80), timeout=0.01),
        lambda: socket.create_connection(("example.org", 80), timeout=0.01),
        lambda: socket.socket().connect_ex(("192.0.2.1", 80)),
        lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 53)),
        lambda: socket.getaddrinfo("example.org", 80),
        lambda: urllib.request.urlopen("http://192.0.2.1/", timeout=0.01),
        lambda: asyncio.run(asyncio.wait_for(asyncio.open_connection("192.0.2.1", 80), 0.01)),
    ],
    ids=["number", "name", "connect_ex", "datagram", "look-up", "urllib", "asyncio"],
)
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_other_machines_are_out_of_reach(reach: object) -> None:
    """The error names what was wanted; it is on for every test of ours, with no fixture."""
    assert callable(reach)
    with pytest.raises(NetworkUsed, match=r"192\.0\.2\.1|example\.org"):
        reach()


def test_this_machine_is_in_reach(no_network: None) -> None:
    """A server on loopback answers, by number and by name."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
    threading.Thread(target=server.handle_request, daemon=True).start()
    with server, socket.create_connection(("localhost", server.server_port)) as client:
        client.sendall(b"HEAD / HTTP/1.0\r\n\r\n")
        assert client.recv(8) == b"HTTP/1.0"
    assert socket.getaddrinfo(None, 80)
    assert socket.getaddrinfo(b"localhost", 80)


def test_all_is_as_before_after_the_block() -> None:
    """Nothing stays patched."""
    before = socket.socket.connect, socket.getaddrinfo
    with no_network():
        assert socket.getaddrinfo is not before[1]
    assert (socket.socket.connect, socket.getaddrinfo) == before
