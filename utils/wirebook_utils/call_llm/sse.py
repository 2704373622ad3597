"""Server-sent events (WHATWG HTML, section 9.2), as far as models use them: their data.

The SDKs read them too, but look at no clock while a server sends nothing but comments, as some do
for minutes. Left out: names and ids of events; what matters is in the data.
"""

from collections.abc import Iterator


class Events:
    """Takes bytes as they arrive, and gives the data of each event that is whole."""

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[bytes] = []

    def feed(self, more: bytes) -> Iterator[bytes]:
        """Give the events that these bytes complete."""
        *lines, self._rest = (self._rest + more).split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                self._data.append(line[5:].strip())
            elif not line.strip() and self._data:
                yield b"\n".join(self._data)
                self._data = []
