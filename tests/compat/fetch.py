"""Fetch PocketFlow's own tests, for `test_upstream.py`. `make setup` runs this; nothing else does.

The package index has two archives of a release, and the tests are only in the source one. They go
to `.cache/pocketflow-0.0.3/`, out of version control. Which index to ask is left to pip's own
configuration.
"""

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

RELEASE = "pocketflow-0.0.3"
SHA256 = "afadc1c44658bf811668a789dee7053ed654d021c861c58696a2cb6bc4775133"
CACHE = Path(__file__).parents[2] / ".cache" / RELEASE


def fetch(to: Path = CACHE) -> None:
    """Put the release at `to`, whole or not at all; do nothing where it is. Exits on an error."""
    if to.exists():
        return
    to.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=to.parent) as folder:
        with tarfile.open(_download(Path(folder))) as archive:
            archive.extractall(folder, filter="data")
        try:
            (Path(folder) / RELEASE).rename(to)
        except OSError:  # somebody else was faster, which is as good
            if not to.exists():
                raise


def _download(folder: Path) -> Path:
    """Let pip get the source archive: told the hash, it checks before it looks inside."""
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{RELEASE.replace('-', '==')} --hash=sha256:{SHA256}\n")
    options = ["--no-deps", "--no-binary", "pocketflow", "--dest", str(folder), "-r", str(wanted)]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run([*pip, *options], capture_output=True, text=True)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
        reason = lines[-1].removeprefix("ERROR: ") if lines else f"pip gave {done.returncode}"
        sys.exit(f"Cannot fetch the source archive of {RELEASE}: {reason}")
    return folder / f"{RELEASE}.tar.gz"


if __name__ == "__main__":
    fetch()
