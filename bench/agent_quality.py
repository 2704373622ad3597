"""Measure the research agent: how often its answer holds the right one, and what that took.

    WIREBOOK_DATA=folder python -m bench.agent_quality                  the stand-in, a second
    WIREBOOK_DATA=folder python -m bench.agent_quality --model local    a real model too, minutes
    WIREBOOK_DATA=folder python -m bench.agent_quality --write          renew docs/bench-agent.md

A run with a model that is broken off goes on where it was.

The set is `xquad_en` of that folder: questions on 48 articles, with the answers as they stand in
the text. The articles are written to files and searched by `search_files`; the questions are those
with the smallest sha1 of their id, so that they are fixed and nobody chose them. An answer is right
if it has at most 300 characters and the normalised gold answer stands in it. F1 is SQuAD's, over
the words of the whole text, the best over the gold answers (Rajpurkar et al. 2016).

Left out: a judge. What is right in other words counts as wrong.
"""

import argparse
import gzip
import hashlib
import json
import os
import platform
import re
import statistics
import string
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from wirebook_agent import research
from wirebook_utils import CallLLM, Limits, Search, call_llm, chosen_model
from wirebook_utils.search_files import search_files
from wirebook_utils.stand_in import stand_in

from bench.where import ROOT, commit, last_change, machine

PAGE = ROOT / "docs" / "bench-agent.md"
LONGEST = 300
COLUMNS = (
    *("model", "questions", "right", "F1", "searches", "model calls", "characters", "empty"),
    *("seconds", "stop reasons"),
)
STAND_IN = 60
"""Questions that the stand-in is asked."""
_CITATION = re.compile(r"\s*\[\d+\]")


def rows(file: Path) -> Iterator[dict[str, Any]]:
    """Read a file of JSON lines."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def normalised(text: str) -> str:
    """Normalise as SQuAD does: lower case, no punctuation, no articles, single spaces."""
    plain = "".join(c for c in text.lower() if c not in set(string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", plain).split())


def is_right(text: str, golds: list[str]) -> bool:
    """Tell whether a text of at most 300 characters holds one of the gold answers."""
    held = f" {normalised(_CITATION.sub('', text))} "
    return len(text) <= LONGEST and any(f" {normalised(gold)} " in held for gold in golds)


def f1(text: str, golds: list[str]) -> float:
    """Give the best F1 over the gold answers, by the words that a text shares with them."""

    def one(gold: str) -> float:
        said, wanted = (
            Counter(normalised(_CITATION.sub("", text)).split()),
            Counter(normalised(gold).split()),
        )
        same = (said & wanted).total()
        return 2 * same / (said.total() + wanted.total()) if same else 0.0

    return max(map(one, golds))


Row: TypeAlias = dict[str, Any]


def questions(folder: Path, n: int) -> list[Row]:
    """Give the questions with the smallest sha1 of their id."""

    def digest(row: Row) -> str:
        return hashlib.sha1(row["id"].encode()).hexdigest()

    return sorted(rows(folder / "queries.jsonl.gz"), key=digest)[:n]


def measure(folder: Path, n: int, call_llm: CallLLM, kept: Path | None = None) -> list[Row]:
    """Ask the agent n questions over the articles as files; those that `kept` holds are done."""
    before = kept.read_text(encoding="utf-8") if kept and kept.exists() else ""
    done: dict[str, Row] = {row["id"]: row for row in map(json.loads, before.splitlines())}
    with tempfile.TemporaryDirectory() as files:
        for row in rows(folder / "docs.jsonl.gz"):
            Path(files, f"{row['id']}.txt").write_text(row["text"], encoding="utf-8")
        search = search_files(files)
        for row in questions(folder, n):
            if row["id"] in done:
                continue
            done[row["id"]] = outcome = one(row, call_llm, search)
            if kept:
                kept.parent.mkdir(parents=True, exist_ok=True)
                with kept.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(outcome) + "\n")
    return [done[row["id"]] for row in questions(folder, n)]


def one(row: Row, call_llm: CallLLM, search: Search) -> Row:
    """Ask one question, and keep what came of it."""
    began = time.perf_counter()
    answer = research(row["text"], call_llm=call_llm, search=search, limits=Limits(seconds=900))
    golds = [gold["text"] for gold in row["answers"]]
    return {
        "id": row["id"],
        "text": answer.text,
        "right": is_right(answer.text, golds),
        "f1": f1(answer.text, golds),
        "searches": len(answer.data["searches"]),
        "calls": answer.usage.calls,
        "stop_reason": answer.stop_reason,
        "seconds": time.perf_counter() - began,
    }


def figures(outcomes: list[Row]) -> Row:
    """Sum up."""
    mean = {
        key: statistics.mean(row[key] for row in outcomes)
        for key in ("right", "f1", "searches", "calls")
    }
    reasons = Counter(row["stop_reason"] for row in outcomes)
    return {
        "questions": len(outcomes),
        **mean,
        "characters": statistics.mean(len(row["text"]) for row in outcomes),
        "empty": sum(not row["text"].strip() for row in outcomes),
        "seconds": statistics.median(row["seconds"] for row in outcomes),
        "stop_reasons": dict(reasons.most_common()),
    }


def line(model: str, found: Row) -> str:
    """Write a row of the table."""
    reasons = ", ".join(f"{name} {n}" for name, n in found["stop_reasons"].items())
    cells = [
        *(model, found["questions"], f"{found['right']:.1%}", f"{found['f1']:.3f}"),
        *(f"{found['searches']:.2f}", f"{found['calls']:.2f}", f"{found['characters']:.0f}"),
        *(found["empty"], f"{found['seconds']:.3g}", reasons),
    ]
    return f"| {' | '.join(map(str, cells))} |"


def page(lines: list[str], command: str) -> str:
    """Write the page of the docs."""
    table = "\n".join(lines)
    return f"""# How good the agent's answers are

Generated by `{command}`, at commit {commit("utils", "patterns", "bench")}, on {date.today()},
with Python {platform.python_version()} on {machine()}.

Questions on 48 articles of Wikipedia (XQuAD, English), those with the smallest sha1 of their id;
the articles are files, searched by `search_files`. Right is an answer of at most {LONGEST}
characters in which the normalised gold answer stands; F1 is SQuAD's, over all words of the text, so
that a whole sentence around a short answer scores low. Seconds are the median of a question.

| {" | ".join(COLUMNS)} |
{"|---" * len(COLUMNS)}|
{table}

The stand-in is no model: it quotes the sentences that share most words with the question.
"""


def main() -> int:
    """Measure, print, and give the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", help="a model to ask besides the stand-in, such as local")
    parser.add_argument("--questions", type=int, default=30, help="how many it is asked")
    parser.add_argument("--write", action="store_true", help=f"renew {PAGE.relative_to(ROOT)}")
    options = parser.parse_args()
    data = os.environ.get("WIREBOOK_DATA")
    if not data or not Path(data, "xquad_en").is_dir():
        print("Set WIREBOOK_DATA to the folder that holds xquad_en.", file=sys.stderr)
        return 2
    folder = Path(data, "xquad_en")
    found = {"the offline stand-in": figures(measure(folder, STAND_IN, stand_in))}
    if options.model:
        name = chosen_model(options.model)
        # Of the same code alone: what is kept of another says nothing of this one.
        at = last_change("utils/wirebook_utils", "patterns/agent/wirebook_agent")
        kept = ROOT / ".cache/bench" / f"agent-{name.replace(':', '-')}-{at}.jsonl"
        model = partial(call_llm, model=options.model, temperature=0, timeout=600)
        found[f"`{name}`"] = figures(measure(folder, options.questions, model, kept))
    print(json.dumps(found))
    if options.write:
        command = " ".join(["python -m bench.agent_quality", *sys.argv[1:]])
        lines = [line(model, row) for model, row in found.items()]
        PAGE.write_text(page(lines, command), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
