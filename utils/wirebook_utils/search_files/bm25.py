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

K1, B = 1.5, 0.75

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
# Marks that stand on letters, and the scripts that are written with many of them.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u065f\u0900-\u0963\u0966-\u0dff"
_TOKEN = re.compile(f"[{_CJK}]+|(?:[^\\W_{_CJK}]|[{_MARKS}])+")
_DOUBLED = re.compile(r"([bdfgmnprt])\1$")
_ACCENT = re.compile("[\u0300-\u036f]")
_HUMP = re.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def words(text: str, *, parts: bool = False) -> list[str]:
    """Split a text of any script into words to match by.

    Case, accents and plain English endings are dropped; Chinese, Japanese and Korean are cut into
    pairs of characters, since they have no spaces. With `parts`, as an index wants it, these give
    their single characters too, and a name in camel case its parts: `batch node` finds `BatchNode`.
    """
    found: list[str] = []
    for token in _TOKEN.findall(_unaccented(text)):
        if not re.match(f"[{_CJK}]", token):
            found.append(stem(token.casefold()))
            humps = _HUMP.findall(token) if parts and not token.islower() else []
            found += [stem(hump.casefold()) for hump in humps if len(humps) > 1]
            continue
        if parts or len(token) == 1:
            found += token
        found += [token[i : i + 2] for i in range(len(token) - 1)]
    return found


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
        self._lengths: list[int] = []
        for i, text in enumerate(texts):
            counts = Counter(words(text, parts=True))
            self._lengths.append(counts.total())
            for word, count in counts.items():
                self._postings[word].append((i, count))
        self._mean = sum(self._lengths) / max(1, len(self._lengths)) or 1.0

    def rank(self, query: str, top: int) -> list[tuple[int, float]]:
        """Give the indexes of the `top` best texts with their scores, above 0, best first."""
        scores: dict[int, float] = defaultdict(float)
        total = len(self._lengths)
        for word in dict.fromkeys(words(query)):
            postings = self._postings.get(word, [])
            idf = math.log(1 + (total - len(postings) + 0.5) / (len(postings) + 0.5))
            for i, count in postings:
                norm = 1 - B + B * self._lengths[i] / self._mean
                scores[i] += idf * count * (K1 + 1) / (count + K1 * norm)
        return sorted(scores.items(), key=lambda found: (-found[1], found[0]))[:top]
