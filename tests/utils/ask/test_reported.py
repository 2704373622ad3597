"""The reported faults of parsing, each with the reply that showed it."""

from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from wirebook_utils import BadReply
from wirebook_utils.ask import ask, index_of


@dataclass(frozen=True)
class Step:
    """What the replies of most cases decide."""

    action: Literal["search", "answer"]
    search_query: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Outline:
    """A list of titles."""

    sections: list[str]


@dataclass(frozen=True)
class Chapter:
    """A section with a name of its own."""

    name: str
    about: str = ""


@dataclass(frozen=True)
class Chapters:
    """A list of objects."""

    sections: list[Chapter]


@dataclass(frozen=True)
class Texts:
    """Four values that look like something else."""

    country: str
    version: str
    day: str
    code: str


@dataclass(frozen=True)
class Loose:
    """Anything under these names."""

    ok: bool = False
    x: Any = None
    t: str = ""
    said: str = ""
    note: str = ""
    n: int = 0
    items: list[int] = field(default_factory=list[int])


def read(reply: str, schema: Any) -> Any:
    """Read one reply, with no second try."""
    return ask(lambda prompt: reply, "?", schema, tries=1)


def test_s024_colon_in_a_list_item_stays_text() -> None:
    """Two texts were asked for, and two texts are given."""
    reply = "```yaml\nsections:\n  - Safety: why it matters\n  - Outlook\n```"
    assert read(reply, Outline) == Outline(["Safety: why it matters", "Outlook"])


def test_s024_colon_in_a_list_item_makes_an_object_where_one_is_asked_for() -> None:
    """The same form, read as what the schema says."""
    reply = "sections:\n  - name: Safety\n    about: why it matters\n  - name: Outlook\n"
    wanted = Chapters([Chapter("Safety", "why it matters"), Chapter("Outlook")])
    assert read(reply, Chapters) == wanted


@pytest.mark.parametrize(
    "head", ["", "```\n", "```yml\n", "```YAML\n", "```yaml\r\n", "~~~\n", "Sure:\n\n```yaml\n"]
)
@pytest.mark.parametrize("tail", ["", "\n```", "\r\n```\r\n", "\n\nHope that helps!"])
def test_s025_fence_may_be_missing_or_odd(head: str, tail: str) -> None:
    """Any fence or none, closed or not, with text around."""
    tail = tail.replace("```", "~~~") if head.startswith("~") else tail
    assert read(f"{head}action: answer{tail}", Step) == Step("answer")


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ('{"items": [1, 2,],}', Loose(items=[1, 2])),
        ('{"items": [1, 2,,],,}', Loose(items=[1, 2])),
        (
            '{"note": "keep ,] and ,} as they are", "n": 1,}',
            Loose(note="keep ,] and ,} as they are", n=1),
        ),
    ],
)
def test_s026_trailing_commas(reply: str, value: Loose) -> None:
    """They are passed over, and those inside a text stay."""
    assert read(reply, Loose) == value


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("{'ok': True, 'x': None}", Loose(ok=True)),
        ("{\u201cok\u201d: true}", Loose(ok=True)),
        ('{"t": "two\nlines"}', Loose(t="two\nlines")),
        ('{"said": "the "boss", he left"}', Loose(said='the "boss", he left')),
        ('{ok: true, // yes\n "n": 1}', Loose(ok=True, n=1)),
    ],
)
def test_s027_flavours_of_json(reply: str, value: Loose) -> None:
    """Python's, typographic and careless JSON mean what they say."""
    assert read(reply, Loose) == value


@dataclass(frozen=True)
class Tree:
    """A value that holds values of its own kind."""

    name: str = ""
    children: tuple["Tree", ...] = ()


@pytest.mark.parametrize(
    ("reply", "schema"),
    [
        ('{"action": "search", "search_query": "ott', Step),
        ('{"action": "answer"', Step),
        ('{"sections": ["a", "b"', Outline),
        ('{"name": "a", "children": [{"name": "b"}', Tree),
        ('{"name": "a", "children": [{"name": "b"}, 7]}', Tree),
        ("{'name': 'a', 'children': [{'name': 'b'}, 7]}", Tree),
        ('{"other": 1}', Tree),
        ('[1, 2, {"n": 1}', list[int]),
    ],
)
def test_s027_never_half_a_value(reply: str, schema: Any) -> None:
    """What was cut off or is wrong is no value, though a repair, or a part of it, would fit."""
    with pytest.raises(BadReply):
        read(reply, schema)


def test_value_in_a_wrapper_is_found() -> None:
    """An object of one more level, or a list of one, holds what was asked for."""
    assert read('{"decision": {"action": "answer"}}', Step) == Step("answer")
    assert read('[{"action": "answer"}]', Step) == Step("answer")


def test_s028_scalars_stay_text_unless_asked_otherwise() -> None:
    """`NO` is no boolean, `1.10` no number, a date no date, where texts are asked for."""
    reply = "```yaml\ncountry: NO\nversion: 1.10\nday: 2024-05-01\ncode: 012\n```"
    assert read(reply, Texts) == Texts("NO", "1.10", "2024-05-01", "012")


def test_s028_scalars_become_what_the_schema_asks_for() -> None:
    """A boolean and numbers, where those are asked for."""
    assert read("ok: yes\nn: 12\nitems:\n- 3\n- 4", Loose) == Loose(ok=True, n=12, items=[3, 4])


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("reason: see ticket #12 for more", "see ticket #12 for more"),
        ("reason: @home meaning", "@home meaning"),
        ("reason: *bold* claim", "*bold* claim"),
        ("reason: 100% sure", "100% sure"),
        ("reason: `code` first", "`code` first"),
        ("reason: see: the docs: here", "see: the docs: here"),
        ('reason: it\'s "quoted" here', 'it\'s "quoted" here'),
        ("reason: {x} is set", "{x} is set"),
        ("reason: |\n  two\n  lines", "two\nlines"),
        ("reason: >\n  one\n  line", "one line"),
        ("reason: no end\n  in sight", "no end in sight"),
        ("reason: \u201cso\u201d", "so"),
        ("\treason: tab", "tab"),
        ("**reason**: bold", "bold"),
        ("Reason: other case", "other case"),
        ("I looked.\n\nreason: after prose\n\nBye: now.", "after prose"),
    ],
)
def test_s029_no_text_is_lost(reply: str, value: str) -> None:
    """Hashes, symbols, colons, quotes and blocks of lines are read whole."""

    @dataclass
    class Why:
        reason: str

    assert read(reply, Why).reason.strip() == value


@pytest.mark.parametrize("reply", ["```yaml\nsearch\n```", "```yaml\n- search\n- moon\n```", "7"])
def test_s030_bare_word_or_list_names_the_keys(reply: str) -> None:
    """The error says that an object was expected, and with which keys."""
    with pytest.raises(BadReply, match="It is no object with the keys action, search_query, reas"):
        read(reply, Step)


@pytest.mark.parametrize(
    "reply",
    [
        "action: search\nsearch_query: a\naction: answer",
        '{"action": "search", "search_query": "a", "action": "answer"}',
        "{'action': 'search', 'search_query': 'a', 'action': 'answer',}",
    ],
)
def test_s031_of_a_key_that_comes_twice_the_last_counts(reply: str) -> None:
    """The rule is the same for every way to write it."""
    assert read(reply, Step) == Step("answer", "a")


def test_s032_index_is_read_as_models_write_it() -> None:
    """A number, a number with its name, or the name; else the error names the range."""
    items = ["a.py", "b.py", "src/c.py"]
    assert [index_of(entry, items) for entry in ("1 # b.py", "src/c.py", 2.0, "0", 1)] == [
        *(1, 2, 2, 0, 1)
    ]
    for wrong in (3, "-1", None, "x.py", "", 1.5, "1e9", True):
        with pytest.raises(ValueError, match=r"none of the indices 0 to 2: 0 # a\.py, 1 # b\.py"):
            index_of(wrong, items)
    with pytest.raises(ValueError, match="0 to 99") as caught:
        index_of(100, ["x"] * 100)
    assert str(caught.value).endswith("49 # x")


def test_s033_braces_in_the_prose_are_passed_over() -> None:
    """The first object that fits is taken."""

    @dataclass
    class A:
        a: dict[str, int]

    reply = 'Set {x}. Result: {"a": {"b": 1}} - hope {this} helps'
    assert read(reply, A) == A({"b": 1})
    assert read('First {"b": 2}, then {"a": {"b": 1}}.', A) == A({"b": 1})


@pytest.mark.parametrize("mark", ["\ufeff", "\u200b", "\ufeff\u200b \n"])
@pytest.mark.parametrize("body", ['{"action": "answer"}', "action: answer"])
def test_s034_invisible_characters_are_dropped(mark: str, body: str) -> None:
    """A byte order mark or a space of no width is no part of a key."""
    assert read(f"{mark}{body}{mark}", Step) == Step("answer")


def test_characters_that_join_others_stay() -> None:
    """A family is one emoji of three, and Persian words keep their joints."""
    family, word = (
        "\U0001f468\u200d\U0001f469\u200d\U0001f466",
        "\u0645\u06cc\u200c\u0631\u0648\u0645",
    )
    for reply in (f"action: answer\nreason: {family} {word}", f"\ufeff{family} {word}\u200b"):
        schema: Any = Step if "action" in reply else str
        value = read(reply, schema)
        assert (value if schema is str else value.reason) == f"{family} {word}"
