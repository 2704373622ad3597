"""Run a folder of unittest files with `pocketflow` standing for `wirebook`; a process of its own.

    python tests/compat/alias.py .cache/pocketflow-0.0.3/tests

Prints one JSON object: how many tests ran, the text of each that failed, and the files from which
the classes that the tests imported really come.
"""

import inspect
import json
import sys
import unittest
from types import ModuleType
from typing import Any

import wirebook


def run(folder: str) -> dict[str, Any]:
    """Run what unittest discovers in `folder`, and count."""
    sys.modules["pocketflow"] = wirebook
    suite = unittest.defaultTestLoader.discover(folder)
    result = unittest.TextTestRunner(stream=sys.stderr).run(suite)
    return {
        "ran": result.testsRun,
        "skipped": len(result.skipped),
        "failed": [text for _, text in [*result.failures, *result.errors]],
        "sources": sorted({source for module in [*sys.modules.values()] for source in of(module)}),
    }


def of(module: ModuleType) -> list[str]:
    """List the files that define what a test file imported from `pocketflow`."""
    if not module.__name__.startswith("test_"):
        return []
    named = [
        vars(module)[name] for name in wirebook.__all__ if inspect.isclass(vars(module).get(name))
    ]
    return [inspect.getfile(cls) for cls in named]


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1])))
