"""Whatever a model replies: a value that the schema allows or a `BadReply`, and soon."""

import contextlib
import json
import time
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from wirebook_utils import BadReply
from wirebook_utils.ask import ask


@dataclass(frozen=True)
class Inner:
    """A part."""

    name: str
    n: int = 0


@dataclass(frozen=True)
class Wanted:
    """A bit of everything."""

    action: Literal["search", "answer"]
    query: str = ""
    parts: list[Inner] = field(default_factory=list[Inner])
    sure: bool | None = None


MARKS = st.sampled_from(
    [
        *("{", "}", "[", "]", ":", ",", '"', "'", "`", "```", "```yaml\n", "\n", "  ", "- ", "\t"),
        *("action", "query", "parts", "name", "search", "answer", "null", "true", "no", "#", "&a"),
        *("*a", "!!python/object:os.system", "---", "|", ">", "?", "<think>", "</think>", "\ufeff"),
        *("\u201c", "\u201d", "\\", "\\u", "\x00", "\ud800", "1e999", "NaN", "-1", "%", "@", "é"),
    ]
)
GOOD = {"action": "search", "query": "otters", "parts": [{"name": "a", "n": 1}], "sure": True}


@st.composite
def spoiled(draw: st.DrawFn) -> str:
    """A good reply with a part cut out or something put in."""
    text = draw(st.sampled_from([json.dumps(GOOD), json.dumps(GOOD, indent=1), YAML]))
    at, to = sorted(draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    put = draw(st.lists(MARKS, max_size=3))
    return text[:at] + "".join(put) + text[draw(st.sampled_from([at, to])) :]


YAML = "action: search\nquery: otters\nparts:\n  - name: a\n    n: 1\nsure: yes\n"


def allowed(value: Any) -> bool:
    """Tell whether a value is what the schema says, by plain looks and not by pydantic."""
    return (
        isinstance(value, Wanted)
        and value.action in ("search", "answer")
        and type(value.query) is str
        and value.sure in (None, True, False)
        and all(type(part.name) is str and type(part.n) is int for part in value.parts)
    )


@given(st.one_of(spoiled(), st.lists(MARKS, max_size=30).map("".join), st.text(max_size=80)))
@settings(max_examples=600, deadline=None)
@example("a: &a [x]\nb: *a")
def test_no_reply_crashes_or_gives_what_the_schema_forbids(reply: str) -> None:
    """A value of the type, or `BadReply` with a reason."""
    try:
        value = ask(lambda prompt: reply, "?", Wanted, tries=1)
    except BadReply:
        return
    assert allowed(value)


@given(
    st.sampled_from(["search", "answer"]),
    st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" "), max_size=40),
    st.sampled_from([None, True, False]),
    st.sampled_from(["{}", "```json\n{}\n```", "Here you are: {}. Bye", "<think>{{x}}</think>{}"]),
)
@settings(max_examples=200, deadline=None)
def test_what_is_written_well_is_read_as_it_is(
    action: str, query: str, sure: bool | None, around: str
) -> None:
    """Every value that is proper JSON comes out unchanged, whatever stands around it."""
    value: dict[str, Any] = {"action": action, "query": query, "sure": sure}
    reply = around.replace("{}", json.dumps(value, ensure_ascii=False)).replace("{{x}}", "{x}")
    assert ask(lambda prompt: reply, "?", Wanted, tries=1) == Wanted(**value)


@pytest.mark.parametrize(
    "reply",
    [
        "[" * 50_000,
        '{"a":' * 20_000,
        "{'a':" * 20_000 + "}" * 20_000,
        '{"action": "' + '\\"' * 50_000,
        '"' * 60_000,
        "- " * 20_000 + "x",
        "action: " * 6_000,
        "a:\n" + "".join(" " * i + "a:\n" for i in range(1, 300)),
        "`" * 50_000,
        "```" * 15_000,
        "```\n" * 12_000,
        "<think>" * 20_000,
        "{x} " * 12_000,
        '{"action" ' * 5_000 + "}" * 5_000,
        "action: *a\n" * 4_000,
        "\ufeff" * 100_000,
        "\t" * 100_000,
        "x" * 300_000,
        "x" + " " * 199_000 + "x",
        "query: x" + " " * 49_000 + "y",
        "- x" + "\t" * 49_000 + "y",
        "\ufeff " * 90_000,
        "\n" * 40_000 + "x",
        "action" + " " * 40_000 + "x",
        "query" * 9_000,
        "- " * 10_000 + "query: x",
        "~" * 190_000,
        "[{" * 12_000 + "}]" * 12_000,
    ],
    ids=lambda reply: repr(reply[:12]),
)
def test_no_reply_makes_it_hang(reply: str) -> None:
    """Deep, long and odd replies end as `BadReply`, in seconds where a bad way took minutes."""
    began = time.process_time()
    with pytest.raises(BadReply):
        ask(lambda prompt: reply, "?", Wanted, tries=1)
    assert time.process_time() - began < 30


def test_no_reply_makes_it_hang_where_a_list_is_asked_for() -> None:
    """Nor do marks before a key, where there is no key to look for."""
    began = time.process_time()
    with pytest.raises(BadReply):
        ask(lambda prompt: "*" * 49_000 + "x", "?", list[str], tries=1)
    assert time.process_time() - began < 30


def test_aliases_of_yaml_are_not_followed() -> None:
    """A text of nine lines that stands for a thousand million is read as text, or not at all."""
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    with pytest.raises(BadReply):
        ask(lambda prompt: "\n".join(lines), "?", dict[str, list[Any]], tries=1)


@dataclass(frozen=True)
class Tree:
    """A type that holds itself."""

    name: str
    children: "list[Tree]" = field(default_factory=list["Tree"])


@pytest.mark.parametrize("depth", [250, 330, 800])
def test_value_that_is_nested_deep_is_a_value_or_a_bad_reply(depth: int) -> None:
    """No `RecursionError` comes out; how deep is too deep differs from one Python to the next."""
    reply = '{"name": "a", "children": [' * depth + "]}" * depth
    with contextlib.suppress(BadReply):
        assert isinstance(ask(lambda prompt: reply, "?", Tree, tries=1), Tree)
