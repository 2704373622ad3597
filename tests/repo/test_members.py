"""One version, one licence, no address of an index and no path of a machine."""

import re
import tomllib
from email import message_from_string
from importlib.metadata import Distribution, distributions

import pytest
import wirebook
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.repo.tree import MEMBERS, ROOT, project, tracked

ALLOWED = re.compile(
    r"\b(MIT|BSD|Apache|ISC|PSF|Python Software Foundation|MPL|Mozilla Public|Unlicense|0BSD)\b"
)
# Those whose metadata name none, by the licence file in their source archive.
UNDECLARED = {"pocketflow": "MIT"}
DENIED = re.compile(r"\b(A?GPL|LGPL|GNU|Proprietary|Commercial)\b")


def licence_of(dist: Distribution) -> str:
    """Give what a distribution's metadata say of its licence."""
    fields = message_from_string(dist.read_text("METADATA") or "")
    classifiers = [c for c in fields.get_all("Classifier", []) if c.startswith("License")]
    named = [*fields.get_all("License-Expression", []), *classifiers]
    return " ".join(named or fields.get_all("License", [])) or UNDECLARED.get(dist.name, "")


def test_one_version() -> None:
    """All members, the package, the core's header and the changelog name the same version."""
    versions = {project(member)["version"] for member in MEMBERS}
    assert versions == {wirebook.__version__}
    header = (ROOT / "core/wirebook/core.py").read_text(encoding="utf-8")
    assert f"Wirebook {wirebook.__version__}, MIT licence" in header
    assert f"## {wirebook.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_members_pin_each_other() -> None:
    """A member needs exactly its own version of the others."""
    ours = {project(member)["name"] for member in MEMBERS}
    for member in MEMBERS:
        table = project(member)
        extras = table.get("optional-dependencies", {}).values()
        needs = [*table["dependencies"], *(need for extra in extras for need in extra)]
        for need in map(Requirement, needs):
            if need.name in ours - {table["name"]}:
                assert str(need.specifier) == f"=={table['version']}", (member, need)


def test_core_pulls_nothing() -> None:
    """The core has no dependency and no extra."""
    table = project("core")
    assert table["dependencies"] == []
    assert "optional-dependencies" not in table


@pytest.mark.parametrize("member", MEMBERS)
def test_member_is_complete(member: str) -> None:
    """Each member has its README, its licence with the notice of PocketFlow, and `py.typed`."""
    folder = ROOT / member
    licence = (folder / "LICENSE").read_text(encoding="utf-8")
    assert licence == (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Zachary Huang" in licence
    assert len((folder / "README.md").read_text(encoding="utf-8")) > 200
    assert (folder / MEMBERS[member] / "py.typed").exists()


def test_everything_installed_may_be_used() -> None:
    """Every distribution in this environment has a licence that we allow."""
    for dist in distributions():
        licence = licence_of(dist)
        assert ALLOWED.search(licence), (dist.name, licence[:80])
        assert not DENIED.search(licence), (dist.name, licence[:80])


def test_constraints_pin_every_need() -> None:
    """What any member or the tests need is pinned, by a version that satisfies the need."""
    pinned: dict[str, str] = {}
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        name, _, version = line.partition(" ;")[0].partition("==")
        pinned[canonicalize_name(name)] = version
    root = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needs = [*root["dependency-groups"]["dev"]]
    for member in MEMBERS:
        table = project(member)
        needs += table["dependencies"]
        needs += [n for extra in table.get("optional-dependencies", {}).values() for n in extra]
    for need in map(Requirement, needs):
        if not need.name.startswith("wirebook"):
            assert need.specifier.contains(pinned[canonicalize_name(need.name)]), need


def test_no_address_of_an_index_and_no_path_of_a_machine() -> None:
    """No tracked file names a package index or a folder of the machine it was made on."""
    # Written so that this file does not name them itself.
    hosts = r"(py[p]i|py[t]honhosted|registry\.n[p]mjs|d[e]b\.debian)\.org"
    paths = r"(?<![A-Za-z0-9_.])/(w[o]rk|r[o]ot|h[o]me)/"
    found = {
        str(file.relative_to(ROOT)): match.group()
        for file in tracked()
        if (
            match := re.search(
                f"{hosts}|{paths}", file.read_text(encoding="utf-8", errors="replace")
            )
        )
    }
    assert found == {}
