"""`wirebook list` and `wirebook show`, as a user types them."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from wirebook_agent import research_flow
from wirebook_agent.wiring import agent
from wirebook_utils import draw
from wirebook_utils.stand_in import stand_in

from tests.cli.test_run import wirebook

KEYS = ["name", "summary", "when", "when_not", "needs", "calls", "fails_when", "use", "flow"]

MODULE = """
import functools
from wirebook import Flow, Node
from wirebook_utils import Wiring

class Odd(Node):
    name = "\\x1b[31mred\\x1b[0m"

def build(call_llm, search, n=1, *more, temper, **given):
    assert callable(call_llm) and callable(search) and callable(temper) and n == 1
    return Flow(Odd())

def broken(call_llm):
    raise ValueError("no wires")

def card(name, build):
    text = "tells \\x1b[31mred\\nlies \\u202e"
    ask = functools.partial(print)
    return Wiring(name, text, text, text, build, ask, frozenset({"call_llm", "moon"}), "1")

odd = card("odd", build)
lost = card("lost", functools.partial(build))
bad = card("bad", broken)
"""


@pytest.fixture
def others(tmp_path: Path) -> Path:
    """A folder where three patterns of somebody else are installed."""
    (tmp_path / "others.py").write_text(MODULE, encoding="utf-8")
    info = tmp_path / "others-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1\n")
    entries = "".join(f"{name} = others:{name}\n" for name in ("odd", "lost", "bad"))
    (info / "entry_points.txt").write_text(f"[wirebook.patterns]\n{entries}")
    return tmp_path


def test_show_tells_the_card_and_the_picture(tmp_path: Path) -> None:
    """What it is for and not for, what it needs and costs, how it fails, and how it goes on."""
    done = wirebook(tmp_path, "show", "agent")
    assert (done.returncode, done.stderr) == (0, "")
    told = (agent.summary, agent.when, agent.when_not, agent.calls, *agent.fails_when)
    drawn = "  > Decide  --search--> LookUp\n            --answer--> Write\n"
    for text in (*told, "call_llm, search", drawn):
        assert text in done.stdout
    [file] = re.findall(r"^Flow +(.*)$", done.stdout, flags=re.M)
    assert "def research_flow(" in Path(file).read_text(encoding="utf-8")


@pytest.mark.parametrize("module", ["bad = 7", "raise SystemExit(0)", "1 / 0"])
def test_pattern_that_is_broken_leaves_the_others(others: Path, module: str) -> None:
    """It is named, and what else is installed is listed."""
    (others / "others.py").write_text(module, encoding="utf-8")
    done = wirebook(others, "list", PYTHONPATH=str(others))
    assert done.returncode == 0
    assert done.stdout.startswith("agent ")
    assert "The pattern 'bad' cannot be loaded" in done.stderr


def test_lines_of_use_run(tmp_path: Path) -> None:
    """The three lines that `show` prints give an answer, once the functions are there."""
    shown = wirebook(tmp_path, "show", "agent").stdout
    lines = re.findall(r"^  (.*)$", shown.partition("\nUse\n")[2].partition("\n\n")[0], flags=re.M)
    assert len(lines) == 3
    own = (
        "from wirebook_utils import Hit\n"
        "from wirebook_utils.stand_in import stand_in as call_llm\n"
        "def search(query): return [Hit('', 'a', 'Why? Because otters sleep.', 1)]\n"
    )
    code = own + "\n".join(lines)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip()


def test_draw_prints_mermaid_of_the_real_flow(tmp_path: Path) -> None:
    """`--draw` prints what `draw` makes of the flow that a run goes through, and nothing else."""
    done = wirebook(tmp_path, "show", "agent", "--draw")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == draw(research_flow(stand_in, lambda query: []))


def test_page_names_the_keys_of_a_card() -> None:
    """`docs/command.md` lists what is in a card, in its order."""
    page = Path(__file__).parents[2] / "docs/command.md"
    assert ", ".join(f"`{key}`" for key in KEYS) in page.read_text(encoding="utf-8")


def test_json_is_the_card(tmp_path: Path) -> None:
    """`show --json` prints one card, `list --json` all of them."""
    card = json.loads(wirebook(tmp_path, "show", "agent", "--json").stdout)
    assert list(card) == KEYS
    assert (card["needs"], card["calls"]) == (["call_llm", "search"], agent.calls)
    assert card["fails_when"] == list(agent.fails_when)
    assert Path(card["flow"]).is_absolute()
    assert json.loads(wirebook(tmp_path, "list", "--json").stdout) == [card]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["show"], "Missing argument"),
        (["show", "agnt"], "Did you mean 'agent'? Installed: agent"),
        (["show", "agent", "--draw", "--json"], "Give one of them"),
        (["show", "agent", "--nope"], "--nope"),
        (["list", "agent"], "(agent). See: wirebook list --help"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_input_is_one_line_and_exits_2(tmp_path: Path, words: list[str], says: str) -> None:
    """As with `run`: one line that says what to do."""
    done = wirebook(tmp_path, *words)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert line.startswith("wirebook: ")
    assert says in line


@pytest.mark.parametrize("name", ["odd", "lost"])
def test_pattern_of_somebody_else_is_shown(others: Path, name: str) -> None:
    """It is built with stand-ins for what it requires; its texts cannot colour the terminal."""
    done = wirebook(others, "show", name)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout
    assert f"{name}: tells red lies" in done.stdout
    assert "\\x1b[31mred" in done.stdout.partition("Picture")[2]
    # Its `ask` cannot be imported by a name, so nothing is promised about it.
    assert "Use" not in done.stdout
    assert ("others.py" in done.stdout) == (name == "odd")
    assert json.loads(wirebook(others, "show", name, "--json").stdout)["use"] == []
    drawn = wirebook(others, "show", name, "--draw").stdout
    assert 'n0["#65533;#91;31mred#65533;#91;0m"]' in drawn
    listed = wirebook(others, "list").stdout
    assert "\x1b" not in listed
    assert len(listed.splitlines()) == 4


def test_pattern_that_cannot_be_built_still_has_a_card(others: Path) -> None:
    """`show` says that there is no picture and why; `--draw` has nothing to print and exits 3."""
    done = wirebook(others, "show", "bad")
    assert done.returncode == 0
    assert "It could not be built: ValueError: no wires" in done.stdout
    drawn = wirebook(others, "show", "bad", "--draw")
    assert (drawn.returncode, drawn.stdout) == (3, "")
    [line] = drawn.stderr.splitlines()
    assert "ValueError: no wires" in line


@pytest.mark.skipif(sys.platform == "win32", reason="sh")
@pytest.mark.parametrize("words", ["show agent", "show agent --draw", "list --json"])
def test_closed_pipe_and_closed_stdout_are_no_errors(tmp_path: Path, words: str) -> None:
    """`wirebook ... | head -c 0` and `wirebook ... >&-` end quietly."""
    for end in ("| head -c 0", ">&-"):
        command = f"{sys.executable} -m wirebook_cli.main {words} {end}"
        done = subprocess.run(
            ["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
