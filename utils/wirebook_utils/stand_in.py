"""The offline stand-in: no model, but rules over the text it is given.

It lets every pattern run without a key and without a network, on real files, with the same answer
each time. It reads the sections `question`, `notes` and `searches` of a prompt. Where it may choose
to search, it does until the notes cover the question; else it quotes the sentences of the
notes that share most with the question, or says that they do not hold the answer.

Left out: understanding. It finds what is said in the words of the question, and nothing else.
"""

import json
import math
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wirebook_utils.contracts import Prompt
from wirebook_utils.coverage import COVERED, wanted, weights, words_of
from wirebook_utils.fill import fill
from wirebook_utils.search_files.bm25 import words
from wirebook_utils.sections import NO_EVIDENCE, read_numbered, sections, text_of
from wirebook_utils.sentences import plain, sentences

NEAR = 0.7
"""A sentence that is worth this share of the best one may stand beside it."""

_LONGEST = 300
"""Characters of an answer of several sentences, and of the longest that is not shortened."""

_AMOUNT = re.compile(r"\b(how (many|much|long|old|far|high|large|big|fast)|when|year)\b", re.I)


@dataclass(frozen=True)
class _Note:
    n: int
    title: str
    text: str

    @cached_property
    def words(self) -> frozenset[str]:
        return words_of(f"{self.title}\n{self.text}")

    @cached_property
    def sentences(self) -> list["_Sentence"]:
        texts = [plain(self.text[start:end]) for start, end in sentences(self.text)]
        return [_Sentence(self, place, text) for place, text in enumerate(texts)]


@dataclass(frozen=True)
class _Sentence:
    note: _Note
    place: int
    text: str

    @cached_property
    def words(self) -> frozenset[str]:
        return words_of(self.text)

    @property
    def announces(self) -> bool:
        """Whether it says nothing by itself: a colon with nothing after it, or code alone."""
        return self.text.endswith(":") or (self.text[:1] == self.text[-1:] == "`")

    def follows(self, other: "_Sentence") -> bool:
        return self.note is other.note and self.place == other.place + 1


def stand_in(prompt: Prompt, *, schema: dict[str, Any] | None = None) -> str:
    """Reply to a prompt by rules: JSON that fits a JSON schema, if there is one, else an answer."""
    text = text_of(prompt)
    given = sections(text)
    notes = [_Note(*note) for note in read_numbered(given.get("notes", ""))]
    reader = _Reader(given.get("question", text), notes, given.get("searches", "").splitlines())
    if schema:
        return json.dumps(fill(schema, reader), ensure_ascii=False)
    return reader.answer() if reader.covered else NO_EVIDENCE


@dataclass(frozen=True)
class _Reader:
    """A question and the notes to it, as far as the rules read them."""

    question: str
    notes: list[_Note]
    searches: list[str]

    @cached_property
    def wanted(self) -> dict[str, str]:
        """The words of the question that matter, as matched and as written."""
        return wanted(self.question)

    @cached_property
    def weights(self) -> dict[str, float]:
        """What they weigh, by the notes at hand."""
        return weights(self.question, [note.words for note in self.notes])

    def weigh(self, found: Collection[str]) -> float:
        """Add up the words of the question that are among those found."""
        return sum(weight for word, weight in self.weights.items() if word in found)

    @cached_property
    def covered(self) -> bool:
        """Whether one of the notes covers the question."""
        enough = COVERED * sum(self.weights.values())
        return any(self.weigh(note.words) > enough for note in self.notes)

    @cached_property
    def query(self) -> str:
        """What to search for: the question's own words, then those not found yet; then nothing."""
        known = frozenset[str]().union(*(note.words for note in self.notes))
        missing = [word for stem, word in self.wanted.items() if stem not in known]
        queries = [" ".join(dict.fromkeys(found)) for found in (self.wanted.values(), missing)]
        if not self.wanted:
            queries = [self.question.strip()]
        new = [query for query in queries if query and query not in self.searches]
        return new[0] if new and not self.covered else ""

    def sure(self) -> bool:
        """Say yes where the notes cover the question."""
        return self.covered

    def choice(self, names: list[Any]) -> Any:
        """Search or answer, where that is the choice; else what has most words of the question."""
        if "search" in names and "answer" in names:
            return "search" if self.query else "answer"
        return max(names, key=lambda name: len({*words(str(name))} & self.wanted.keys()))

    def text(self, name: str) -> str:
        """Give the query, the reason for it, or the answer."""
        if name == "query":
            return self.query
        if name == "reason":
            return "the notes cover the question" if self.covered else ""
        return self.answer()

    def answer(self) -> str:
        """Quote the best sentence, those that bring words it lacks, and what follows it: three."""
        ranked = sorted(self._scored(), key=lambda found: -found[0])
        if not ranked:
            return NO_EVIDENCE
        top, best = ranked[0]
        chosen = [best]
        near = [sentence for score, sentence in ranked[1:] if score > NEAR * top]
        for sentence in (*near, *best.note.sentences[best.place + 1 : best.place + 2]):
            said = {word for other in chosen for word in other.words}
            brings = self.weigh(sentence.words - said) > 0 or sentence.follows(best)
            size = sum(len(other.text) for other in chosen) + len(sentence.text)
            if brings and sentence not in chosen and len(chosen) < 3 and size <= _LONGEST:
                chosen.append(sentence)
        if all(sentence.note is best.note for sentence in chosen):
            chosen.sort(key=lambda sentence: sentence.place)
        return " ".join(f"{_shortened(s.text)} [{s.note.n}]" for s in chosen)

    def _scored(self) -> list[tuple[float, _Sentence]]:
        """Score each sentence by the question's words in it, the rarer the more, and its form."""
        every = [sentence for note in self.notes for sentence in note.sentences]
        held = {word: sum(word in s.words for s in every) for word in self.wanted}
        rarity = {word: math.log(1 + len(every) / (1 + n)) for word, n in held.items()}
        what = bool(re.match(r"\W*(what|who)\b", self.question, re.I))
        amount = bool(_AMOUNT.search(self.question))

        def score(sentence: _Sentence) -> float:
            # A word that stands only near the sentence, in its note, counts a third.
            points = sum(
                rare if word in sentence.words else rare / 3
                for word, rare in rarity.items()
                if word in sentence.note.words
            )
            points += amount and bool(re.search(r"\d", sentence.text))
            # What begins with the thing asked for says what it is.
            points += 0.5 * (what and not self.wanted.keys().isdisjoint(words(sentence.text)[:2]))
            points -= sentence.announces
            return points - len(sentence.text) / 1000 - sentence.note.n / 50

        return [(score(sentence), sentence) for sentence in every]


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rsplit(maxsplit=1)[0]} …"
