"""The proofs bite: each fault of `mutants.py` is seen by the proof it belongs to."""

import asyncio
import contextlib
import importlib
from types import ModuleType

import pytest
import wirebook
from hypothesis import HealthCheck, Phase, given, settings

from tests.compat.build import play
from tests.compat.compare import comparable, expected
from tests.compat.graphs import Spec, tops
from tests.compat.mutants import COMMON, OURS, Mutant
from tests.compat.play import Outcome
from tests.compat.rows import ROWS

pocketflow = importlib.import_module("pocketflow")
Bank = list[tuple[Spec, Outcome]]


@pytest.fixture(scope="module")
def bank() -> Bank:
    """Make a fixed set of random graphs, each with what has to be seen of it; small ones first."""
    specs: list[Spec] = []

    @settings(
        max_examples=1500,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(tops())
    def collect(spec: Spec) -> None:
        specs.append(spec)

    collect()
    specs.sort(key=lambda spec: len(spec.every()))
    return [(spec, expected(play(pocketflow, spec), spec)) for spec in specs]


def killed_by(bank: Bank, lib: ModuleType) -> Spec | None:
    """Find the first graph on which a library does something else than it has to."""
    for spec, wanted in bank:
        try:
            if comparable(play(lib, spec), spec) != wanted:
                return spec
        except Exception:
            return spec
    return None


def test_core_itself_survives(bank: Bank) -> None:
    """Without a fault no graph of the set shows a difference."""
    assert killed_by(bank, wirebook) is None


@pytest.mark.parametrize("mutant", COMMON, ids=lambda mutant: mutant.name)
def test_differential_kills(mutant: Mutant, bank: Bank) -> None:
    """Some graph shows the fault."""
    assert killed_by(bank, mutant.load()) is not None


def attempts_of_parallel_items(lib: ModuleType) -> list[int]:
    """Let two items fail by turns, and give what each saw as its attempt."""
    seen: list[int] = []

    class Items(lib.AsyncParallelBatchNode):  # type: ignore[misc, name-defined]
        async def prep_async(self, shared: object) -> list[int]:
            return [1, 2]

        async def exec_async(self, item: int) -> None:
            await asyncio.sleep(0)
            seen.append(self.cur_retry)
            if item == 1:
                raise ValueError

        async def exec_fallback_async(self, item: int, exc: Exception) -> None: ...

    asyncio.run(Items(max_retries=3).run_async({}))
    return sorted(seen)


def run_of_an_async_node_in_a_loop(lib: ModuleType) -> list[str]:
    """Run an async node plainly inside a loop, and give what began."""
    began: list[str] = []

    class Begins(lib.AsyncNode):  # type: ignore[misc, name-defined]
        async def prep_async(self, shared: object) -> None:
            began.append("prep")

    async def inside() -> None:
        with contextlib.suppress(RuntimeError):
            Begins().run({})

    asyncio.run(inside())
    return began


def node_without_a_loop(lib: ModuleType) -> str:
    """Run an async node that fails in a plain flow outside a loop, and give what came out."""

    class Fails(lib.AsyncNode):  # type: ignore[misc, name-defined]
        async def exec_async(self, prep_res: object) -> None:
            raise ValueError

    try:
        lib.Flow(Fails()).run({})
    except Exception as error:
        return type(error).__name__
    return "nothing"


CHECKS = (attempts_of_parallel_items, run_of_an_async_node_in_a_loop, node_without_a_loop)


def shows(mutant: Mutant) -> bool:
    """Tell whether a row of the differences, or one of the checks above, shows a fault."""
    lib = mutant.load()
    if any(check(lib) != check(wirebook) for check in CHECKS):
        return True
    for row in ROWS:
        try:
            if row.observe(lib) != row.ours:
                return True
        except BaseException:
            return True
    return False


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mutant", OURS, ids=lambda mutant: mutant.name)
def test_rows_kill(mutant: Mutant) -> None:
    """Where Wirebook differs on purpose, the rows show a fault."""
    assert shows(mutant)


def test_there_are_enough() -> None:
    """At least twenty faults are tried, all of different names."""
    names = [mutant.name for mutant in COMMON + OURS]
    assert len({*names}) == len(names) >= 20
