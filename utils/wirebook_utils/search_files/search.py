"""`search_files`: the folder as a search function.

Left out: other formats than text, HTML and PDF, and an index on disk: it is built at once, in
memory.
"""

import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from wirebook_utils.contracts import Hit
from wirebook_utils.errors import UsageError
from wirebook_utils.search_files.bm25 import BM25
from wirebook_utils.search_files.passages import Passage, cut
from wirebook_utils.search_files.read import SUFFIXES, read


def search_files(folder: str | os.PathLike[str], *, top: int = 5) -> Callable[[str], list[Hit]]:
    """Index the text, HTML and PDF files below a folder and give a function that searches them.

    A hit is a passage: `title` is the heading above it, or the page in a PDF, such as "page 3";
    `url` is the file's path from the folder on; `span` is its place in the file in characters, for
    HTML and PDF in the text that `file_text` gives; `score` is its BM25, above 0, higher is better.
    Read are .md, .txt and .rst (UTF-8, or UTF-16 that is marked as such), .html and .htm, and .pdf
    by pypdf. Hidden files and folders and links are passed over. A file that cannot be read is left
    out with a `UserWarning` that names it and says why.

    Raises `UsageError` if there is no such folder or no file with text in it.
    """
    if not os.fspath(folder):
        raise UsageError("The name of the folder is empty. Give one that holds text files.")
    root = Path(folder)
    # os.path tells, where Path would raise, of a name that no file can have.
    if not os.path.exists(root):
        raise UsageError(f"There is no folder {str(folder)!r}. Give one that holds text files.")
    if not root.is_dir():
        raise UsageError(f"{str(folder)!r} is a file. Give the folder that holds it.")
    found = list(_passages(root))
    if not found:
        raise UsageError(
            f"Nothing to read in {str(folder)!r}: it has no {', '.join(SUFFIXES)} file with text."
        )
    index = BM25(f"{passage.title}\n{passage.text}" for passage in found)

    def search(query: str) -> list[Hit]:
        return [_hit(found[i], score) for i, score in index.rank(query, top)]

    return search


def _files(root: Path) -> Iterator[Path]:
    def failed(error: OSError) -> None:
        warnings.warn(f"{error.filename} cannot be read: left out.", stacklevel=2)

    for folder, folders, names in os.walk(root, onerror=failed):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(folder, name)
            if file.suffix.lower() not in SUFFIXES or name.startswith("."):
                continue
            # What cannot be looked at, as where a folder only lists names, is told when it is read.
            if not os.path.islink(file) and (os.path.isfile(file) or not os.path.exists(file)):
                yield file


def _passages(root: Path) -> Iterator[Passage]:
    missing: set[str] = set()
    for file in _files(root):
        source = file.relative_to(root).as_posix()
        try:
            text, parts = read(file)
        except UsageError as error:
            if str(error) not in missing:
                warnings.warn(f"{error} ({file.suffix} files are left out.)", stacklevel=3)
            missing.add(str(error))
        except (ValueError, OSError) as error:
            why = error if isinstance(error, ValueError) else "cannot be read"
            warnings.warn(f"{source} {why}: left out.", stacklevel=3)
        else:
            yield from cut(source, text, parts)


def _hit(passage: Passage, score: float) -> Hit:
    span = (passage.start, passage.end)
    return Hit(passage.title, passage.source, passage.text, score, span)
