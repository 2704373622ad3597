"""Who may import whom: members only what is below them, and nothing heavy at the top."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.repo.tree import MEMBERS, ROOT, imports, sources

OURS = set(MEMBERS.values())
MAY = {
    "wirebook": set[str](),
    "wirebook_utils": {"wirebook"},
    "wirebook_agent": {"wirebook", "wirebook_utils"},
    "wirebook_cli": {"wirebook", "wirebook_utils"},
}
# What a member's modules may import besides the standard library and our own.
NEEDS = {"wirebook_cli": {"click"}}
# What a module may import at first use, as an extra.
EXTRAS = {
    "wirebook_utils": {
        *("anthropic", "openai", "httpx2", "xllamacpp"),
        *("json_repair", "pydantic", "pydantic_core", "yaml"),
        *("ddgs", "genai_prices", "pypdf", "pytest"),
    }
}
# The base of utils: single small modules that everything there may import.
BASE = tuple(
    f"wirebook_utils.{name}"
    for name in (
        *("attempt", "contracts", "errors", "extras", "prices", "sections", "time_left"),
        *("usage", "waiting"),
    )
)


# What a sub-folder names besides, inside a function: whoever lifts it out can leave it behind.
ALSO = {
    "call_llm": ("wirebook_utils.stand_in", "wirebook_utils.local_model"),
    "search_web": ("wirebook_utils.first_of",),
}


def top(name: str) -> str:
    """Give the first part of a dotted name."""
    return name.partition(".")[0]


@pytest.mark.parametrize("member", MEMBERS)
def test_members_import_what_is_below_them(member: str) -> None:
    """A member imports itself, what the design allows it, its needs and the standard library."""
    name = MEMBERS[member]
    needs = NEEDS.get(name, set()) | EXTRAS.get(name, set())
    allowed = {name} | MAY[name] | needs | sys.stdlib_module_names
    for file in sources(ROOT / member / name):
        found = {top(module) for module in imports(file.read_text(encoding="utf-8"))}
        assert found <= allowed, (file, found - allowed)


def test_core_has_no_import_of_its_package() -> None:
    """The core's one file stands alone, so that it can be copied anywhere."""
    found = imports((ROOT / "core/wirebook/core.py").read_text(encoding="utf-8"))
    assert {top(name) for name in found} <= sys.stdlib_module_names


@pytest.mark.parametrize(
    "folder", [p for p in (ROOT / "utils/wirebook_utils").iterdir() if (p / "__init__.py").exists()]
)
def test_sub_folder_of_utils_can_be_lifted_out(folder: Path) -> None:
    """It imports the base, the core and itself only."""
    allowed = (*BASE, f"wirebook_utils.{folder.name}", *ALSO.get(folder.name, ()))
    for file in sources(folder):
        for name in imports(file.read_text(encoding="utf-8")):
            if top(name) == "wirebook_utils":
                assert name.startswith(allowed), (file, name)


@pytest.mark.parametrize("name", sorted(OURS))
def test_import_does_no_work(name: str) -> None:
    """Importing a member loads nothing but the standard library and its needs, and says nothing."""
    code = f"import sys, {name}; print(*sorted({{m.partition('.')[0] for m in sys.modules}}))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stderr == ""
    site = {"sitecustomize", "usercustomize", "__main__", "__mp_main__"}
    loaded = {m for m in run.stdout.split() if not m.startswith(("_", "editable"))} - site
    allowed = OURS | NEEDS.get(name, set()) | sys.stdlib_module_names
    assert loaded - allowed <= {"typing_extensions"}
