"""Models on this machine: pulled once, verified, and served in this process.

The files: `catalog` (which there are), `folder` (where they stand), `pull` and `sources` (how they
come), `serve` (how one answers). `pull` is imported by itself, since few need it.

Left out: training, and models in other formats than GGUF.
"""

from wirebook_utils.local_model.catalog import DEFAULT, MODELS, File, Model, Wheel
from wirebook_utils.local_model.folder import here, known, models_folder, path_of, remove
from wirebook_utils.local_model.serve import is_there, located, served, standing

__all__ = [
    "DEFAULT",
    "MODELS",
    "File",
    "Model",
    "Wheel",
    "here",
    "is_there",
    "known",
    "located",
    "models_folder",
    "path_of",
    "remove",
    "served",
    "standing",
]
