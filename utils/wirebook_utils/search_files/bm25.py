"""Okapi BM25: rank texts by the words they share with a query.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the
idf of Lucene, which is never negative; k1 = 1.5, b = 0.75.

Left out: anything that learns. Two words match if they are alike but for a plain English ending.
"""

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import lru_cache
from heapq import nsmallest
from itertools import chain, repeat

K1, B = 1.5, 0.75

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
# Marks that stand on letters, and the scripts that are written with many of them.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u065f\u0900-\u0963\u0966-\u0dff"
_TOKEN = re.compile(f"[{_CJK}]+|(?:[^\\W_{_CJK}]|[{_MARKS}])+")
_ASCII = re.compile("[0-9A-Za-z]+")
_DOUBLED = re.compile(r"([bdfgmnprt])\1$")
_IS_CJK = re.compile(f"[{_CJK}]")
_SHORT = 32
_ACCENT = re.compile("[\u0300-\u036f]")
_HUMP = re.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def words(text: str, *, parts: bool = False) -> list[str]:
    """Split a text of any script into words to match by.

    Case, accents and plain English endings are dropped; Chinese, Japanese and Korean are cut into
    pairs of characters, since they have no spaces. With `parts`, as an index wants it, these give
    their single characters too, and a name in camel case its parts: `batch node` finds `BatchNode`.
    """
    tokens: list[str] = (_ASCII if text.isascii() else _TOKEN).findall(_unaccented(text))
    # Texts are long and their words few, but what has no spaces never comes again.
    split = _known if len(max(tokens, key=len, default="")) < _SHORT else _words
    return list(chain.from_iterable(map(split, tokens, repeat(parts))))


def _words(token: str, parts: bool) -> tuple[str, ...]:
    if not _IS_CJK.match(token):
        humps = _HUMP.findall(token) if parts and not token.islower() else []
        return stem(token.casefold()), *(stem(h.casefold()) for h in humps if len(humps) > 1)
    single = token if parts or len(token) == 1 else ""
    return *single, *(token[i : i + 2] for i in range(len(token) - 1))


_known = lru_cache(1 << 16)(_words)


def _unaccented(text: str) -> str:
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _ACCENT.sub("", unicodedata.normalize("NFKD", text)))


def stem(word: str) -> str:
    """Drop the endings of plural and tense: `retries` and `retry` become one word."""
    if len(word) < 4 or not word.isascii():
        return word
    if word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            word = _DOUBLED.sub(r"\1", word[: -len(ending)])
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


class BM25:
    """An index over texts, asked with a query."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths: list[int] = []
        for i, text in enumerate(texts):
            counts = Counter(words(text, parts=True))
            lengths.append(counts.total())
            for word, count in counts.items():
                self._postings[word].append((i, count))
        mean = sum(lengths) / max(1, len(lengths)) or 1.0
        self._norms = [K1 * (1 - B + B * length / mean) for length in lengths]

    def rank(self, query: str, top: int) -> list[tuple[int, float]]:
        """Give the indexes of the `top` best texts with their scores, above 0, best first."""
        scores: dict[int, float] = defaultdict(float)
        total = len(self._norms)
        for word in dict.fromkeys(words(query)):
            postings = self._postings.get(word, [])
            idf = math.log(1 + (total - len(postings) + 0.5) / (len(postings) + 0.5))
            for i, count in postings:
                scores[i] += idf * count * (K1 + 1) / (count + self._norms[i])
        return nsmallest(top, scores.items(), key=lambda found: (-found[1], found[0]))
