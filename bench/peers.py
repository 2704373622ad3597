"""The environments of the libraries that Wirebook is compared with: one each, made on first use.

They live under `.cache/bench/`, which Git ignores, and hold pinned versions.
"""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache" / "bench"
INSTALL_SECONDS = 600


class NotInstalledError(Exception):
    """Raised when an environment could not be made; says what pip said last."""


@dataclass(frozen=True)
class Entrant:
    """Who takes part: a module of `bench.contenders`, what to give it, and what it needs."""

    label: str
    module: str
    library: str
    requirements: tuple[str, ...] = ()

    @property
    def home(self) -> Path:
        """Give the folder of its environment."""
        return CACHE / self.module

    @property
    def python(self) -> Path:
        """Give its interpreter: that of the bench itself if it needs nothing."""
        return self.home / "bin" / "python" if self.requirements else Path(sys.executable)

    @property
    def installed(self) -> bool:
        """Say whether its environment holds just what it needs."""
        note = self.home / "installed.txt"
        return not self.requirements or (
            note.exists() and note.read_text().split() == [*self.requirements]
        )


AGAIN = "pocketflow, again"
OURS = (
    Entrant("wirebook", "flows", "wirebook"),
    Entrant("pocketflow", "flows", "pocketflow"),
    Entrant(AGAIN, "flows", "pocketflow"),
    Entrant("floor", "floor", "asyncio"),
)
# Burr's own parallel module needs pydantic.
PEERS = (
    Entrant("langgraph", "langgraph", "langgraph.graph", ("langgraph==1.2.24",)),
    Entrant("burr", "burr", "burr.core", ("apache-burr==0.43.0", "pydantic==2.14.4")),
)


def install(entrant: Entrant) -> None:
    """Make the environment of `entrant` unless it is there. Raises `NotInstalledError`."""
    if entrant.installed:
        return
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    pip = [str(entrant.python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for command in (
        [sys.executable, "-m", "venv", "--clear", str(entrant.home)],
        [*pip, *entrant.requirements],
    ):
        try:
            done = subprocess.run(
                command, env=clean, capture_output=True, text=True, timeout=INSTALL_SECONDS
            )
        except (OSError, subprocess.TimeoutExpired) as e:
            raise NotInstalledError(f"not installed: {e}") from e
        if done.returncode:
            last = (done.stderr.strip() or "no reason given").splitlines()[-1]
            raise NotInstalledError(f"not installed: {last}")
    (entrant.home / "installed.txt").write_text("\n".join(entrant.requirements) + "\n")
