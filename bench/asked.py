"""The other end of `worker.py`: start a contender's process, ask it, and tell why it failed."""

import json
import os
import select
import subprocess
import tempfile
from contextlib import suppress
from typing import Any

from bench.peers import ROOT, Entrant

REPLY_SECONDS = 120.0
# No peer may send anything anywhere while it is measured.
QUIET = {"LANGSMITH_TRACING": "false", "DO_NOT_TRACK": "1"}


class NoAnswerError(Exception):
    """Raised when a contender gives no number; says why."""


class Asked:
    """A contender that lives in a process of its own until `close`."""

    def __init__(self, entrant: Entrant) -> None:
        # Open as long as the process: `close` closes it.
        self.log = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            [entrant.python, "-m", "bench.worker", entrant.module, entrant.library],
            cwd=ROOT,
            env=os.environ | QUIET,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        try:
            hello = self.reply()
        except NoAnswerError:
            self.close()
            raise
        self.python: str = hello["python"]
        self.versions: dict[str, str] = hello["versions"]
        self.shapes: list[str] = hello["shapes"]

    def best(self, shape: str, n: int, seconds: float) -> float:
        """Give the CPU seconds of the best of many runs of `n` steps or items."""
        assert self.process.stdin
        try:
            self.process.stdin.write(
                json.dumps({"shape": shape, "n": n, "seconds": seconds}) + "\n"
            )
            self.process.stdin.flush()
        except OSError as e:
            raise NoAnswerError(self.last_words()) from e
        return float(self.reply()["best"])

    def reply(self) -> dict[str, Any]:
        """Give the next line that it answers. Raises `NoAnswerError`."""
        assert self.process.stdout
        if not select.select([self.process.stdout], [], [], REPLY_SECONDS)[0]:
            self.process.kill()
            raise NoAnswerError(f"gave no answer in {REPLY_SECONDS:.0f} s")
        if not (line := self.process.stdout.readline()):
            raise NoAnswerError(self.last_words())
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise NoAnswerError(answer["error"])
        return answer

    def last_words(self) -> str:
        """Say how the process ended."""
        code = self.process.wait(REPLY_SECONDS)
        self.log.seek(0)
        lines = self.log.read().decode(errors="replace").strip().splitlines()
        return f"crashed ({code}): {lines[-1] if lines else 'no last words'}"

    def close(self) -> None:
        """End the process."""
        for stream in (self.process.stdin, self.process.stdout):
            # What a dead process did not read cannot be flushed any more.
            with suppress(OSError):
                if stream:
                    stream.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
