"""The offline stand-in: no model, but rules over the text it is given.

It lets every pattern run without a key and without a network, on real files, with the same answer
each time. It reads the sections `question`, `notes` and `actions` of a prompt. Where it may choose
among actions, it searches until the notes cover the question; else it quotes the sentences of the
notes that share most with the question, or says that they do not hold the answer.

Left out: understanding. It finds what is said in the words of the question, and nothing else.
"""

import json
import math
import re
from collections import Counter
from dataclasses import dataclass

from wirebook_utils.contracts import Prompt
from wirebook_utils.search_files.bm25 import words
from wirebook_utils.sections import sections

NOTICE = (
    "No model: the offline stand-in answers, by rules. For a real one: --call-llm module:function"
)
NO_EVIDENCE = "NO EVIDENCE"

_ENOUGH = 0.6
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
_NOTE = re.compile(r"^\[(\d{1,6})\] (.*?)\n(.*?)(?=\n\n\[\d{1,6}\] |\Z)", re.M | re.S)
_CODE = re.compile(r"^ {0,3}(```|~~~).*?(^ {0,3}\1|\Z)", re.M | re.S)
_SENTENCE = re.compile(
    r"(?<=[.!?])\s+(?=[\"'`(\[*]*[A-Z0-9])|(?<=[。！？])|\n\s*\n|\n(?=\s*(?:[-*|#+]|\d+\.) ?)"
)


@dataclass(frozen=True)
class _Sentence:
    """A sentence of note `n`, its own words, and those with its title's."""

    n: int
    text: str
    own: frozenset[str]
    words: frozenset[str]


def stand_in(prompt: Prompt) -> str:
    """Reply to a prompt by rules: an action as JSON if it lists `actions`, else an answer."""
    text = prompt if isinstance(prompt, str) else "\n".join(str(m["content"]) for m in prompt)
    given = sections(text)
    question = given.get("question", text)
    notes = _sentences(given.get("notes", ""))
    if "actions" in given:
        return _decide(question, notes, given.get("searches", "").splitlines())
    return _answer(question, notes)


def _decide(question: str, notes: list[_Sentence], searches: list[str]) -> str:
    """Search by the question's own words, then by those not found yet, and then answer."""
    wanted = _wanted(question)
    known = {word for sentence in notes for word in sentence.words}
    missing = [word for stem, word in wanted.items() if stem not in known]
    queries = [" ".join(dict.fromkeys(found)) for found in (wanted.values(), missing)]
    if not wanted:
        queries = [question.strip()]
    for query in queries:
        covered = bool(notes) and _coverage(wanted, known, notes) >= _ENOUGH
        if query and query not in searches and not covered:
            return json.dumps({"action": "search", "query": query}, ensure_ascii=False)
    return json.dumps({"action": "answer"})


def _answer(question: str, notes: list[_Sentence]) -> str:
    """Quote up to three sentences: each for what those before it do not say, then what follows."""
    wanted = _wanted(question)
    weights = _weights(wanted, notes)
    least = 0.15 * sum(weights.values())
    chosen: list[int] = []
    said: set[str] = set()
    while len(chosen) < 3:
        gains = [(_gain(note, said, weights) - 0.01 * i, i) for i, note in enumerate(notes)]
        gain, best = max(gains, key=lambda found: found[0], default=(0.0, 0))
        if gain <= (least if chosen else 0):
            break
        chosen.append(best)
        said |= notes[best].words
    if not chosen or _coverage(wanted, said, notes) < _ENOUGH:
        return NO_EVIDENCE
    after = chosen[-1] + 1
    if len(chosen) == 1 and after < len(notes) and notes[after].n == notes[after - 1].n:
        chosen.append(after)
    return " ".join(f"{notes[i].text} [{notes[i].n}]" for i in chosen)


def _gain(sentence: _Sentence, said: set[str], weights: dict[str, float]) -> float:
    """Weigh what a sentence adds; a word that only its title has counts half."""
    return sum(
        weight * (1 if word in sentence.own else 0.5)
        for word, weight in weights.items()
        if word in sentence.words - said
    )


def _coverage(wanted: dict[str, str], known: set[str], notes: list[_Sentence]) -> float:
    weights = _weights(wanted, notes)
    return sum(w for word, w in weights.items() if word in known) / (sum(weights.values()) or 1.0)


def _weights(wanted: dict[str, str], notes: list[_Sentence]) -> dict[str, float]:
    """Weigh the question's words: the rarer in the notes, the more."""
    seen = Counter(word for sentence in notes for word in sentence.words)
    return {word: math.log(1 + (len(notes) + 1) / (seen[word] + 0.5)) for word in wanted}


def _wanted(question: str) -> dict[str, str]:
    """Give the words of a question that matter, as matched and as written."""
    written = re.findall(r"\w+", question)
    return {stem: word for word in written for stem in words(word) if stem not in _STOP}


def _sentences(notes: str) -> list[_Sentence]:
    found: list[_Sentence] = []
    for n, title, text in _NOTE.findall(notes):
        about = words(title.partition(" (")[0])
        for part in _SENTENCE.split(_CODE.sub("\n\n", text)):
            plain = _plain(part or "")
            if len(plain) > 8 and not part.lstrip().startswith("#"):
                own = frozenset(words(plain))
                found.append(_Sentence(int(n), plain, own, own.union(about)))
    return found


def _plain(text: str) -> str:
    """Take the marks of Markdown out of a sentence: links, emphasis, bullets, table cells."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(text.split()))
    text = re.sub(r"^(?:[-*+]|\d+\.|>) +", "", text.replace("**", ""))
    if text.startswith("|"):
        cells = [cell.strip() for cell in text.strip("|").split("|")]
        text = (
            "" if set("".join(cells)) <= set("-: ") else ": ".join(cell for cell in cells if cell)
        )
    return text.strip()
