"""A loopback server that plays what it is told to, and keeps what it was asked.

Each request is checked by the types of the provider's own SDK; what they do not know is a fault.
"""

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.contracts.types import faults


@dataclass(frozen=True)
class Play:
    """One response: its status, its headers and the parts of its body, `cut` before its end."""

    status: int = 200
    parts: tuple[bytes, ...] = ()
    headers: dict[str, str] = field(default_factory=dict[str, str])
    kind: str = "application/json"
    cut: bool = False
    until: threading.Event | None = None
    """What to wait for before the last part."""
    keeps: bool = False
    """Whether the connection stays open for another request."""
    drips: bool = True
    """Whether meanwhile something comes that means nothing."""


@dataclass(frozen=True)
class Asked:
    """One request, as it arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class Server:
    """Plays one response after the other, the last one again and again."""

    url: str = ""
    plays: list[Play | Callable[[Asked], Play]] = field(default_factory=list[Any])
    asked: list[Asked] = field(default_factory=list[Asked])
    was_asked: threading.Event = field(default_factory=threading.Event)
    hung_up: threading.Event = field(default_factory=threading.Event)
    faults: list[str] = field(default_factory=list[str])
    """What the SDK's types say against the requests so far."""

    def next(self, asked: Asked) -> Play:
        """Note a request, and choose the response."""
        self.asked.append(asked)
        self.faults += faults(asked.path, asked.body)
        self.was_asked.set()
        play = self.plays.pop(0) if len(self.plays) > 1 else self.plays[0]
        return play if isinstance(play, Play) else play(asked)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The bodies of the requests so far."""
        return [asked.body for asked in self.asked]


def answer(body: Any, status: int = 200, **headers: str) -> Play:
    """Play a JSON body; `_` in the name of a header stands for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Play(status, (json.dumps(body).encode(),), named)


def events(*bodies: Any, cut: bool = False, until: threading.Event | None = None) -> Play:
    """Play server-sent events; a text stands as it is."""
    parts = tuple(_event(body).encode() for body in bodies)
    return Play(parts=parts, kind="text/event-stream", cut=cut, until=until)


def _event(body: Any) -> str:
    if isinstance(body, str):
        return f"data: {body}\n\n"
    name = f"event: {body['type']}\n" if "type" in body else ""
    return f"{name}data: {json.dumps(body)}\n\n"


@contextmanager
def serving() -> Generator[Server]:
    """Serve on a free port of this machine inside the block."""
    server = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            size = int(self.headers.get("content-length", 0))
            body = json.loads(self.rfile.read(size))
            headers = {name.lower(): value for name, value in self.headers.items()}
            play = server.next(Asked(self.path, headers, body))
            self.protocol_version = "HTTP/1.1" if play.keeps else "HTTP/1.0"
            try:
                self.play(play)
            except OSError:
                server.hung_up.set()
            self.close_connection = not play.keeps

        def finish(self) -> None:
            super().finish()
            if self.protocol_version == "HTTP/1.1":
                server.hung_up.set()

        def play(self, play: Play) -> None:
            self.send_response(play.status)
            self.send_header("content-type", play.kind)
            if not play.cut and play.until is None:
                self.send_header("content-length", str(sum(map(len, play.parts))))
            elif play.cut:
                self.send_header("content-length", "100000")
            for name, value in play.headers.items():
                self.send_header(name, value)
            self.end_headers()
            for part in play.parts[:-1]:
                self.wfile.write(part)
            while play.until is not None and not play.until.wait(0.005):
                # A comment: nothing for the reader, and an error here once it has hung up.
                if play.drips:
                    self.wfile.write(b": wait\n\n" if "event" in play.kind else b" ")
            self.wfile.write(b"".join(play.parts[-1:]))

        def log_message(self, format: str, *args: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, args=(0.005,), daemon=True)
    thread.start()
    server.url = f"http://127.0.0.1:{http.server_address[1]}"
    try:
        yield server
    finally:
        for play in server.plays:
            if isinstance(play, Play) and play.until:
                play.until.set()
        http.shutdown()
        http.server_close()
        thread.join()
