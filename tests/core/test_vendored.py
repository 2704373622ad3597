"""`core.py` is complete by itself: copied alone into a project it runs there."""

import ast
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import wirebook

SOURCE = Path(wirebook.__file__).with_name("core.py")

PROGRAM = """
import importlib.util, sys
assert importlib.util.find_spec("wirebook") is None
sys.path.insert(0, sys.argv[1])
import asyncio
from my_flow import AsyncFlow, AsyncNode, BatchNode, Flow, Node

class Items(BatchNode):
    def prep(self, shared): return shared["items"]
    def exec(self, item): return item * 2
    def post(self, shared, prep_res, exec_res):
        shared["items"] = exec_res
        return "again" if exec_res[0] < 8 else "done"

class Sum(AsyncNode):
    async def exec_async(self, prep_res): await asyncio.sleep(0)
    async def post_async(self, shared, prep_res, exec_res): shared["sum"] = sum(shared["items"])

items = Items()
items - "again" >> items
items - "done" >> Sum()
shared = {"items": [1, 2]}
asyncio.run(AsyncFlow(items).run_async(shared))
Flow(Node()).run(shared)
print(shared)
"""


def test_copy_alone_runs_a_graph(tmp_path: Path) -> None:
    """Under another name, with no wirebook to import, the copy runs a flow."""
    (tmp_path / "my_flow.py").write_text(SOURCE.read_text())
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", "-c", PROGRAM, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr == ""
    assert ran.stdout == "{'items': [8, 16], 'sum': 24}\n"


def test_only_the_standard_library_is_imported() -> None:
    """There is no relative import, and no package outside the standard library."""
    imports = [n for n in ast.walk(ast.parse(SOURCE.read_text())) if isinstance(n, ast.Import)]
    froms = [n for n in ast.walk(ast.parse(SOURCE.read_text())) if isinstance(n, ast.ImportFrom)]
    names = {alias.name for node in imports for alias in node.names}
    assert names
    assert names <= sys.stdlib_module_names
    assert froms == []


def test_header_says_version_licence_and_credit() -> None:
    """A copy tells where it is from: our version and licence, and whose names it follows."""
    header = ast.get_docstring(ast.parse(SOURCE.read_text())) or ""
    assert f"Wirebook {wirebook.__version__}, MIT licence" in header
    assert re.search(r"PocketFlow, \(c\) 2024 Zachary Huang, MIT", header)
    assert wirebook.__version__ == version("wirebook")
