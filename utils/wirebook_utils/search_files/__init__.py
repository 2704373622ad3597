"""Search the text files of a folder by BM25: a `Search` like any other."""

from wirebook_utils.search_files.read import file_text
from wirebook_utils.search_files.search import search_files

__all__ = ["file_text", "search_files"]
