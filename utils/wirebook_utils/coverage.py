"""How much of a question a text covers: the share of its words that stand there, by weight.

Left out: understanding. What is said in other words is not found.
"""

import re
from collections.abc import Collection, Sequence

from wirebook_utils.search_files.bm25 import words

COVERED = 0.5
"""A text covers the question if it holds more than this share of its weighted words."""

_STOP = set(
    words(
        "a about all am an and any are as at be been but by can could did do does done "
        "explain few for from get give had happen has have how i if in into is it its just "
        "kind let made make many may me mean might more most much must my name no not of off "
        "on one only or other our out own please say shall should show so some such tell than "
        "that the their them then there these they thing this those to too two up us use very "
        "was way we were what when where which while who whom whose why will with work would "
        "you your "
    )
)
_NAMED = re.compile(r"(?<=\s)[A-Z]\w*|\w*\d\w*|\w+_\w+|`[^`]+`")


def words_of(text: str) -> frozenset[str]:
    """Give the words of a text as they are matched."""
    return frozenset(words(text, parts=True))


def wanted(question: str) -> dict[str, str]:
    """Give the words of a question that matter, as matched and as written."""
    written = re.findall(r"\w+", question)
    return {stem: word for word in written for stem in words(word) if stem not in _STOP}


def weights(question: str, texts: Sequence[Collection[str]]) -> dict[str, float]:
    """Weigh those words: names and numbers double, those that fewer texts hold a bit more."""
    named = set(words(" ".join(_NAMED.findall(question))))
    size = len(texts) or 1
    shares = {word: sum(word in text for text in texts) / size for word in wanted(question)}
    return {w: (2 if w in named else 1) * (1.25 - share / 2) for w, share in shares.items()}


def coverage(question: str, texts: Sequence[str]) -> list[float]:
    """Give the share of the question that each text covers, from 0 to 1."""
    held = [words_of(text) for text in texts]
    weighed = weights(question, held)
    total = sum(weighed.values()) or 1.0
    return [sum(weighed[word] for word in weighed.keys() & text) / total for text in held]
