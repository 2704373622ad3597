"""What a step, an item and an import cost in Wirebook, in PocketFlow and in what else one may use.

    python -m bench.core              two to four minutes, LangGraph and Burr included
    python -m bench.core --quick      about 20 seconds; those two only if they are there already
    python -m bench.core --write      renew docs/bench-core.md
    python -m bench.core --check      end with 1 if a first target is missed

Prints the tables, then one line of JSON as the last line. Left out: what needs the wall clock
(time spent waiting, disks) and memory.
"""

import argparse
import platform
import sys
from contextlib import ExitStack
from datetime import date

from bench.asked import Asked, NoAnswerError
from bench.page import page
from bench.peers import OURS, PEERS, ROOT, Entrant, NotInstalledError, install
from bench.report import About, Results, Times, json_line, missed, table, targets
from bench.shapes import SHAPES, Shape
from bench.where import commit, machine

PAGE = ROOT / "docs" / "bench-core.md"
ROUNDS, QUICK_ROUNDS = 32, 8
NO_SUCH_SHAPE = "does not have it"
# CPU seconds that a contender may use on one shape in one round.
SAMPLE_SECONDS = 0.06


def start(entrants: list[Entrant], stack: ExitStack) -> dict[str, Asked | str]:
    """Start a process for each, or give the reason why there is none, by label."""
    asked: dict[str, Asked | str] = {}
    for entrant in entrants:
        try:
            install(entrant)
            asked[entrant.label] = worker = Asked(entrant)
            stack.callback(worker.close)
        except (NotInstalledError, NoAnswerError) as e:
            asked[entrant.label] = str(e)
    return asked


def ask(worker: Asked, shape: Shape, times: Times) -> None:
    """Add one round to `times`. After a failure there are no numbers, and the reason stays."""
    try:
        seconds = worker.best(shape.name, shape.n, SAMPLE_SECONDS)
    except NoAnswerError as e:
        times.rounds.clear()
        times.missing = str(e)
    else:
        times.rounds.append(seconds / shape.n * 1e6)


def measure(asked: dict[str, Asked | str], rounds: int) -> Results:
    """Ask all contenders for all shapes, in turn, `rounds` times over."""
    results: Results = {shape.name: {name: Times() for name in asked} for shape in SHAPES}
    for turn in range(rounds):
        names = [*asked]
        first = turn % len(names)
        for shape in SHAPES:
            for name in names[first:] + names[:first]:
                worker, times = asked[name], results[shape.name][name]
                if isinstance(worker, str):
                    times.missing = worker
                elif shape.name not in worker.shapes:
                    times.missing = NO_SUCH_SHAPE
                elif not times.missing:
                    ask(worker, shape, times)
        if sys.stderr.isatty():
            print(f"\rround {turn + 1} of {rounds} ", end="", file=sys.stderr, flush=True)
    return results


def about(command: str, rounds: int) -> About:
    """Give where it is measured; versions follow when the contenders have named theirs."""
    return About(
        commit=commit("core", "bench"),
        date=date.today().isoformat(),
        machine=machine(),
        python=platform.python_version(),
        versions={},
        command=command,
        rounds=rounds,
    )


def main() -> int:
    """Measure, print, and give the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="few rounds, nothing installed")
    parser.add_argument("--write", action="store_true", help=f"renew {PAGE.relative_to(ROOT)}")
    parser.add_argument("--check", action="store_true", help="end with 1 if a target is missed")
    parser.add_argument("--rounds", type=int, help=f"instead of {ROUNDS}, or {QUICK_ROUNDS}")
    options = parser.parse_args()
    rounds = options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS)
    where = about(" ".join(["python -m bench.core", *sys.argv[1:]]), rounds)
    with ExitStack() as stack:
        peers = [peer for peer in PEERS if peer.installed or not options.quick]
        asked = start([*OURS, *peers], stack)
        for worker in asked.values():
            if isinstance(worker, Asked):
                where.versions.update(worker.versions)
        results = measure(asked, rounds)
    print(table(results), targets(results), json_line(results, where), sep="\n\n")
    if options.write:
        PAGE.write_text(page(results, where))
    return 1 if options.check and missed(results) else 0


if __name__ == "__main__":
    sys.exit(main())
