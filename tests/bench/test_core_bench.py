"""The bench gives right results, and reports what it was given. No test looks at the clock."""

import asyncio
import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from bench.asked import Asked
from bench.core import measure, start
from bench.page import page
from bench.peers import AGAIN, OURS, ROOT, Entrant, NotInstalledError, install
from bench.report import About, Results, Times, figures, json_line, missed, table, targets
from bench.shapes import IMPORT, SHAPES, Shape, right_answer
from bench.worker import Worker, checked, load

N = 50
ABOUT = About("abc1234", "2030-01-02", "a machine", "3.11", {"x": "1"}, "python -m bench.core", 4)


def made_up() -> Results:
    """Give four rounds in which Wirebook takes half of the reference, and Burr crashed."""
    return {
        shape.name: {
            "wirebook": Times([1.0, 2.0, 3.0, 10.0]),
            "pocketflow": Times([2.0, 4.0, 6.0, 8.0]),
            "floor": Times([0.5, 0.5, 0.5, 0.5]),
            "burr": Times(missing="crashed (1): a | b"),
        }
        for shape in SHAPES
    }


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape.name != IMPORT])
@pytest.mark.parametrize("entrant", [entrant for entrant in OURS if entrant.label != AGAIN])
def test_each_shape_gives_the_right_answer(entrant: Entrant, shape: Shape) -> None:
    """All contenders without an environment of their own give the same right answer, twice."""
    run = load(entrant.module, entrant.library).builds[shape.name](N)
    for _ in range(2):
        given: Any = run()
        answer = asyncio.run(given) if shape.waits else given
        assert answer == right_answer(shape.name, N)


def test_a_wrong_answer_is_no_time() -> None:
    """A run that gives something else than the right answer raises instead of being timed."""
    with pytest.raises(ValueError, match="The answer is wrong: 49, not 50"):
        checked(0.1, 49, 50)


def test_worker_times_a_shape_that_waits_and_one_that_does_not() -> None:
    """The worker runs, checks and times each kind."""
    worker = Worker(load("flows", "wirebook"))
    assert worker.best("batch item", N, 0) > 0
    assert worker.best("parallel item", N, 0) > 0
    worker.runner.close()


def test_ratio_is_the_median_over_rounds() -> None:
    """Ratios are taken within a round; the time is the best of all rounds."""
    results = made_up()["sync step"]
    seen = figures(results["wirebook"], results["pocketflow"])
    assert (seen.us, seen.x_pocketflow) == (1.0, 0.5)
    assert seen.quartiles == (0.5, 0.6875)


def test_one_round_is_enough_for_figures() -> None:
    """A single round has a ratio, and its middle half is that ratio."""
    assert figures(Times([3.0]), Times([2.0])).quartiles == (1.5, 1.5)


def test_without_the_reference_there_are_no_ratios() -> None:
    """A reference that failed costs the ratios, not the report."""
    results = made_up()
    for row in results.values():
        row["pocketflow"] = Times(missing="crashed")
    assert figures(results[IMPORT]["wirebook"], Times()).x_pocketflow is None
    assert "0.50x" not in table(results)
    assert missed(results) == [shape.name for shape in SHAPES if shape.target]
    assert "sync step" in targets(results)


def test_table_has_a_row_for_each_shape_and_contender() -> None:
    """A contender that failed has a row that says so, and no cell breaks the table."""
    lines = table(made_up()).splitlines()
    assert len(lines) == 2 + len(SHAPES) * 4
    assert len({line.count("|") for line in lines}) == 1
    assert [cell.strip() for cell in lines[2].split("|")[1:-1]] == [
        "sync step, µs per step",
        "wirebook",
        "1.00",
        "0.500",
        "0.50x",
        "0.50x to 0.69x",
    ]
    assert "crashed (1): a / b" in lines[5]


@pytest.mark.parametrize(("ratio", "said"), [(1.0, "1.15x: met | 1.00x: met"), (1.1, "missed")])
def test_targets_say_met_or_missed(ratio: float, said: str) -> None:
    """The first and the later target are judged apart."""
    results = made_up()
    results["sync step"]["wirebook"] = Times([2 * ratio])
    results["sync step"]["pocketflow"] = Times([2.0])
    row = " ".join(targets(results).splitlines()[2].split())
    assert said in row
    assert missed(results) == []


def test_a_missed_first_target_is_named() -> None:
    """Only the first target counts for `--check`."""
    results = made_up()
    results["parallel item"]["wirebook"] = Times([2.6, 5.2, 7.8, 10.4])
    assert missed(results) == ["parallel item"]


def test_json_is_one_line_with_all_figures() -> None:
    """The line of JSON has where it was measured, and each contender's figures or its error."""
    line = json_line(made_up(), ABOUT)
    assert "\n" not in line
    said = json.loads(line)
    assert list(said) == ["commit", "date", "machine", "python", "versions", "shapes"]
    row = said["shapes"]["sync step"]
    assert row["wirebook"] == {"us": 1.0, "x_pocketflow": 0.5, "quartiles": [0.5, 0.6875]}
    assert row["burr"] == {"error": "crashed (1): a | b"}


def test_page_says_where_it_comes_from() -> None:
    """The page holds the table, the targets and all facts about the run."""
    text = page(made_up(), ABOUT)
    assert table(made_up()) in text
    assert targets(made_up()) in text
    for fact in (ABOUT.commit, ABOUT.date, ABOUT.machine, ABOUT.python, ABOUT.command, "x 1"):
        assert fact in text


def test_a_peer_that_cannot_be_installed_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An environment that cannot be made raises what the bench turns into a row."""
    monkeypatch.setattr("bench.peers.CACHE", tmp_path)
    monkeypatch.setattr("bench.peers.sys.executable", str(tmp_path / "no-python"))
    with pytest.raises(NotInstalledError, match="not installed"):
        install(Entrant("peer", "peer", "peer", ("peer==1",)))


def test_a_contender_that_does_not_start_is_a_row() -> None:
    """A library that is missing costs its own rows, with the reason, and nothing else."""
    with ExitStack() as stack:
        asked = start([Entrant("gone", "flows", "no_such_library")], stack)
    results = measure(asked, rounds=1)
    assert "ModuleNotFoundError" in results["sync step"]["gone"].missing


def test_a_contender_that_dies_is_a_row() -> None:
    """A process that ends in the middle costs its own numbers, with the reason."""
    with ExitStack() as stack:
        asked = start([OURS[0]], stack)
        worker = asked["wirebook"]
        assert isinstance(worker, Asked)
        worker.process.kill()
        worker.process.wait()
        results = measure(asked, rounds=2)
    assert results["sync step"]["wirebook"].missing == "crashed (-9): no last words"
    assert results["sync step"]["wirebook"].rounds == []


@pytest.mark.slow
def test_quick_run_from_end_to_end() -> None:
    """One round prints the tables, ends with a line of JSON, and finds no failure of its own."""
    command = [sys.executable, "-m", "bench.core", "--quick", "--rounds", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    shapes = json.loads(done.stdout.splitlines()[-1])["shapes"]
    assert list(shapes) == [shape.name for shape in SHAPES]
    for row in shapes.values():
        assert all("error" not in row[entrant.label] for entrant in OURS)
