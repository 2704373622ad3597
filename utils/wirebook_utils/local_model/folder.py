"""Where pulled models stand: a folder each, below one that `WIREBOOK_MODELS` can name."""

import os
import shutil
from pathlib import Path

from wirebook_utils.errors import UsageError
from wirebook_utils.local_model.catalog import MODELS, Model


def models_folder() -> Path:
    """Give the folder of all models: `WIREBOOK_MODELS`, else `~/.cache/wirebook/models`."""
    named = os.environ.get("WIREBOOK_MODELS", "").strip()
    return Path(named) if named else Path.home() / ".cache" / "wirebook" / "models"


def known(name: str) -> Model:
    """Give a model of the catalog; raise `UsageError` that names those there are."""
    if name not in MODELS:
        raise UsageError(f"No model named {name!r}. There are: {', '.join(MODELS)}.")
    return MODELS[name]


def path_of(name: str) -> Path | None:
    """Give the first file of a model if all of it has been pulled; else `None`.

    Files are verified when they are pulled; here only their size is looked at.
    """
    model = known(name)
    paths = [models_folder() / name / file.name for file in model.files]
    sizes = [path.stat().st_size if path.is_file() else -1 for path in paths]
    return paths[0] if sizes == [file.bytes for file in model.files] else None


def here(name: str) -> Path:
    """Give the first file of a model; raise `UsageError` that says how to get it if it is not."""
    path = path_of(name)
    if path is None:
        raise UsageError(f"The model {name!r} is not here. Try: wirebook model pull {name}")
    return path


def remove(name: str) -> int:
    """Delete what has been pulled of a model, half of it too; give the bytes freed."""
    folder = models_folder() / known(name).name
    freed = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    shutil.rmtree(folder, ignore_errors=True)
    return freed
