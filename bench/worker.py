"""One contender in a process of its own: asked over stdin, answers on stdout, a line of JSON each.

    python -m bench.worker MODULE LIBRARY
    {"shape": "sync step", "n": 1000, "seconds": 0.05}   ->   {"best": 0.00152}

The first line is its own: `{"python": ..., "versions": {...}, "shapes": [...]}`. What goes wrong
is answered too: `{"error": ...}`. Only the standard library is needed, and POSIX.
"""

import asyncio
import gc
import json
import os
import platform
import sys
from collections.abc import Callable
from importlib import import_module
from time import process_time
from typing import Any, cast

from bench.shapes import IMPORT, SHAPES, Contender, Run, right_answer


def best_of(sample: Callable[[], float], seconds: float) -> float:
    """Give the least of the samples that fit into `seconds` of CPU, of at least two. Seconds."""
    samples = [sample(), sample()]
    while sum(samples) < seconds:
        samples.append(sample())
    return min(samples)


def sample_plain(run: Run, right: object) -> float:
    """Give the CPU seconds of one run, and raise `ValueError` if its answer is wrong."""
    begin = process_time()
    answer = run()
    seconds = process_time() - begin
    return checked(seconds, answer, right)


async def sample_waiting(run: Any, right: object) -> float:
    """Do as `sample_plain` does, for a run to await."""
    begin = process_time()
    answer = await run()
    seconds = process_time() - begin
    return checked(seconds, answer, right)


def checked(seconds: float, answer: object, right: object) -> float:
    """Give `seconds` if the answer is the right one."""
    if answer != right:
        raise ValueError(f"The answer is wrong: {str(answer)[:60]}, not {str(right)[:60]}")
    return seconds


def cpu_of(code: str) -> float:
    """Give the CPU seconds of a fresh interpreter that runs `code`."""
    pid = os.posix_spawn(sys.executable, [sys.executable, "-c", code], os.environ)
    _, status, used = os.wait4(pid, 0)
    if status:
        raise RuntimeError(f"A fresh interpreter failed at: {code}")
    return used.ru_utime + used.ru_stime


def best_import(module: str, seconds: float) -> float:
    """Give the CPU seconds that a fresh `import` adds to the bare interpreter, best of each."""
    bare = best_of(lambda: cpu_of("pass"), seconds / 2)
    return best_of(lambda: cpu_of(f"import {module}"), seconds / 2) - bare


class Worker:
    """Keeps what is built, so that only the runs are timed."""

    def __init__(self, contender: Contender) -> None:
        self.contender = contender
        self.built: dict[tuple[str, int], Run] = {}
        self.runner = asyncio.Runner()

    def best(self, shape: str, n: int, seconds: float) -> float:
        """Give the CPU seconds of the best run of `n` steps or items."""
        gc.collect()
        if shape == IMPORT:
            return best_import(self.contender.imports, seconds)
        if (shape, n) not in self.built:
            self.built[shape, n] = self.contender.builds[shape](n)
        run, right = self.built[shape, n], right_answer(shape, n)
        if any(known.name == shape and known.waits for known in SHAPES):
            return best_of(lambda: self.runner.run(sample_waiting(run, right)), seconds)
        return best_of(lambda: sample_plain(run, right), seconds)


def load(module: str, library: str) -> Contender:
    """Give the contender of a module in `bench.contenders`."""
    made = import_module(f"bench.contenders.{module}").contender(library)
    return cast(Contender, made)


def main(module: str, library: str) -> None:
    """Answer until the input ends."""
    # What a library prints must not come between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(**made: object) -> None:
        print(json.dumps(made), file=answers, flush=True)

    try:
        contender = load(module, library)
    except Exception as e:
        return answer(error=f"{type(e).__name__}: {e}")
    shapes = [*contender.builds, IMPORT]
    answer(python=platform.python_version(), versions=contender.versions, shapes=shapes)
    worker = Worker(contender)
    for line in sys.stdin:
        try:
            answer(best=worker.best(**json.loads(line)))
        except Exception as e:
            answer(error=f"{type(e).__name__}: {e}")


if __name__ == "__main__":
    main(*sys.argv[1:])
