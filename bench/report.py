"""From the times of all rounds to the table, the verdict on the targets and the line of JSON."""

import json
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import TypeAlias

from bench.shapes import IMPORT, SHAPES, Shape

REFERENCE, CANDIDATE, FLOOR = "pocketflow", "wirebook", "floor"


@dataclass
class Times:
    """Microseconds of CPU a step or item, the best of each round; or why there are none."""

    rounds: list[float] = field(default_factory=list[float])
    missing: str = ""


@dataclass(frozen=True)
class Figures:
    """What one cell of the report says: microseconds, and times of the reference."""

    us: float
    x_pocketflow: float | None
    quartiles: tuple[float, float] | None


# By shape, then by contender.
Results: TypeAlias = dict[str, dict[str, Times]]


@dataclass(frozen=True)
class About:
    """Where and with what it was measured."""

    commit: str
    date: str
    machine: str
    python: str
    versions: dict[str, str]
    command: str
    rounds: int


def figures(times: Times, reference: Times) -> Figures:
    """Give the best time, and the median and middle half of the ratios within the rounds."""
    best = min(times.rounds)
    if len(reference.rounds) != len(times.rounds):
        return Figures(best, None, None)
    ratios = [own / other for own, other in zip(times.rounds, reference.rounds, strict=True)]
    low, _, high = quantiles(ratios, n=4, method="inclusive") if ratios[1:] else ratios * 3
    return Figures(best, median(ratios), (low, high))


def digits(value: float) -> str:
    """Give about three digits that count: 0.079, 1.52, 45.5, 637."""
    return f"{value:.{max(0, 3 - len(str(int(value))))}f}" if value >= 1 else f"{value:.3f}"


def ratio(value: float) -> str:
    """Give a ratio as it is printed: 0.95x, 12.3x, 125x."""
    return f"{value:.2f}x" if value < 10 else f"{digits(value)}x"


def cells(shape: Shape, name: str, results: Results) -> list[str]:
    """Give the cells of a row after its name."""
    times = results[shape.name][name]
    if times.missing:
        return [times.missing.replace("|", "/"), "", "", ""]
    scale = 1000 if shape.name == IMPORT else 1
    seen = figures(times, results[shape.name].get(REFERENCE, Times()))
    floor = results[shape.name].get(FLOOR, Times()).rounds
    over = digits((seen.us - min(floor)) / scale) if floor and name != FLOOR else "-"
    if seen.x_pocketflow is None or seen.quartiles is None:
        return [digits(seen.us / scale), over, "-", "-"]
    low, high = seen.quartiles
    middle = f"{ratio(low)} to {ratio(high)}"
    return [digits(seen.us / scale), over, ratio(seen.x_pocketflow), middle]


def aligned(rows: list[list[str]], words: int) -> str:
    """Give rows, the head first, as a table in Markdown: `words` columns left, the others right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    rule = ["-" * w if i < words else "-" * (w - 1) + ":" for i, w in enumerate(widths)]
    lines = [
        [cell.ljust(w) if i < words else cell.rjust(w) for i, (cell, w) in enumerate(pairs)]
        for pairs in (list(zip(row, widths, strict=True)) for row in [rows[0], rule, *rows[1:]])
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def table(results: Results) -> str:
    """Give all shapes and contenders, one row each."""
    rows = [["CPU time", "contender", "each", "over the floor", "x pocketflow", "middle half"]]
    for shape in SHAPES:
        unit = "ms" if shape.name == IMPORT else f"µs per {shape.unit}"
        heading = f"{shape.name}, {unit}"
        for name in results[shape.name]:
            rows.append([heading, name, *cells(shape, name, results)])
            heading = ""
    return aligned(rows, words=2)


def verdict(value: float, limit: float | None) -> str:
    """Say whether a target is met."""
    return "-" if limit is None else f"{limit:.2f}x: {'met' if value <= limit else 'missed'}"


def measured(shape: Shape, results: Results) -> float | None:
    """Give the times of the candidate over those of the reference, if both were measured."""
    times = results[shape.name]
    ours, reference = times.get(CANDIDATE, Times()), times.get(REFERENCE, Times())
    return figures(ours, reference).x_pocketflow if ours.rounds and reference.rounds else None


def targets(results: Results) -> str:
    """Give the table of the targets and whether they are met."""
    rows = [["target, x pocketflow", "measured", "now at most", "then at most"]]
    for shape in SHAPES:
        value, goal = measured(shape, results), shape.target
        if goal and value is not None:
            judged = [verdict(value, limit) for limit in (goal.first, goal.then)]
            rows.append([shape.name, ratio(value), *judged])
        elif goal:
            rows.append([shape.name, "not measured", "-", "-"])
    return aligned(rows, words=1)


def missed(results: Results) -> list[str]:
    """Give the shapes whose first target is missed or could not be measured."""
    names: list[str] = []
    for shape in SHAPES:
        value = measured(shape, results)
        if shape.target and (value is None or value > shape.target.first):
            names.append(shape.name)
    return names


def json_line(results: Results, about: About) -> str:
    """Give everything on one line of JSON."""
    shapes = {
        shape: {name: entry(times, row.get(REFERENCE, Times())) for name, times in row.items()}
        for shape, row in results.items()
    }
    keys = ("commit", "date", "machine", "python", "versions")
    return json.dumps({**{key: getattr(about, key) for key in keys}, "shapes": shapes})


def entry(times: Times, reference: Times) -> dict[str, object]:
    """Give the figures of one contender at one shape, or why there are none."""
    if times.missing:
        return {"error": times.missing}
    seen = figures(times, reference)
    x, quartiles = seen.x_pocketflow, seen.quartiles
    return {
        "us": round(seen.us, 4),
        "x_pocketflow": x and round(x, 4),
        "quartiles": quartiles and [round(q, 4) for q in quartiles],
    }
