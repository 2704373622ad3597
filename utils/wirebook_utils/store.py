"""Where `cached` keeps replies: `Memory` for this process, `SQLite` in a file for all.

Left out: clearing out. Delete the file, or give `cached` a `max_age`.
"""

import os
import sqlite3
import time
import warnings
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, Protocol

from wirebook_utils.errors import UsageError

MAGIC = b"SQLite format 3\0"
"""What a file of SQLite begins with."""

WAIT = 10.0
"""Seconds that a write waits for another process's."""


class Kept(NamedTuple):
    """A reply as JSON, and when it was kept, as `time.time()` tells."""

    value: str
    at: float


class Store(Protocol):
    """What keeps replies by a key; a store of your own has these two methods."""

    def get(self, key: str) -> Kept | None:
        """Give what is kept under a key."""
        ...

    def put(self, key: str, value: str) -> None:
        """Keep a value under a key, in place of what was there."""
        ...


class Memory:
    """Keeps replies as long as it lives."""

    def __init__(self) -> None:
        self._kept: dict[str, Kept] = {}

    def get(self, key: str) -> Kept | None:
        """Give what is kept under a key."""
        return self._kept.get(key)

    def put(self, key: str, value: str) -> None:
        """Keep a value under a key."""
        self._kept[key] = Kept(value, time.time())


class SQLite:
    """Keeps replies in a file, for any number of threads and processes.

    A file that fails later on costs a warning and a call of the model, never the reply. Raises
    `UsageError` if the file cannot be made or holds something else.
    """

    def __init__(self, file: str | os.PathLike[str]) -> None:
        self.file = Path(file)
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self._look()
            with self._open() as base:
                base.execute("PRAGMA journal_mode=WAL")
                base.execute(
                    "CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, value TEXT, at REAL)"
                )
                base.execute("SELECT key, value, at FROM replies LIMIT 1")
        except (OSError, sqlite3.Error) as error:
            raise UsageError(
                f"{self.file} cannot keep replies: {error}. Give a new file, or one made by SQLite."
            ) from error

    def get(self, key: str) -> Kept | None:
        """Give what is kept under a key."""
        try:
            with self._open() as base:
                found = base.execute("SELECT value, at FROM replies WHERE key = ?", (key,))
                row: tuple[str, float] | None = found.fetchone()
        except sqlite3.Error as error:
            self._warn(error)
            return None
        return Kept(*row) if row else None

    def put(self, key: str, value: str) -> None:
        """Keep a value under a key."""
        try:
            with self._open() as base:
                base.execute("REPLACE INTO replies VALUES (?, ?, ?)", (key, value, time.time()))
        except sqlite3.Error as error:
            self._warn(error)

    def _look(self) -> None:
        """Leave a file alone that is none of SQLite's: it would write over a short one."""
        with suppress(FileNotFoundError), self.file.open("rb") as there:
            if there.read(len(MAGIC)) not in (b"", MAGIC):
                raise OSError("it holds something else")

    @contextmanager
    def _open(self) -> Generator[sqlite3.Connection]:
        # One for each use: a connection belongs to its thread, and is not to cross a fork.
        with closing(sqlite3.connect(self.file, timeout=WAIT, isolation_level=None)) as base:
            yield base

    def _warn(self, error: sqlite3.Error) -> None:
        warnings.warn(f"{self.file} did not keep a reply: {error}", RuntimeWarning, stacklevel=4)
