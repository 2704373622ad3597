"""Proof 2: on random graphs Wirebook does what PocketFlow does, but for the rows of `rows.py`."""

import importlib

import pytest
import wirebook
from hypothesis import HealthCheck, given, settings

from tests.compat.build import play
from tests.compat.compare import comparable, expected
from tests.compat.graphs import Spec, tops

pocketflow = importlib.import_module("pocketflow")
# The same graphs each time: a new one that fails belongs into the slow run of a developer.
same = settings(derandomize=True, database=None, deadline=None)
slow = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check(spec: Spec) -> None:
    """Run a graph twice on each library, and compare all that can be seen."""
    theirs, ours = play(pocketflow, spec, runs=2), play(wirebook, spec, runs=2)
    assert comparable(ours, spec) == expected(theirs, spec)


@settings(same, max_examples=400)
@given(tops())
def test_random_graphs(spec: Spec) -> None:
    """Events, warnings, results, errors, `shared` and the originals are the same."""
    check(spec)


@pytest.mark.slow
@settings(slow, max_examples=4000)
@given(tops())
def test_many_random_graphs(spec: Spec) -> None:
    """The same on graphs that are new each time."""
    check(spec)
