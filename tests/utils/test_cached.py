"""`cached` asks once for the same question, and never takes one question for another."""

import asyncio
import json
import multiprocessing
import sqlite3
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from wirebook import Flow, Node
from wirebook_agent import research
from wirebook_utils import (
    Hit,
    Memory,
    SQLite,
    UsageError,
    acall_llm,
    cached,
    call_llm,
    run_flow,
)
from wirebook_utils.layers import trace
from wirebook_utils.search_files import search_files
from wirebook_utils.stand_in import stand_in
from wirebook_utils.store import Store
from wirebook_utils.usage import counted, metering, record
from wirebook_utils.waiting import waits

Stores = Callable[[], Store]


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """Keep in memory and in a file."""
    return Memory() if request.param == "memory" else SQLite(tmp_path / "new/kept.db")


def says(reply: Callable[[Any], Any]) -> Callable[..., Any]:
    """Make a model that has no name to be found by."""

    def model(prompt: Any, **_: Any) -> Any:
        return reply(prompt)

    return model


def same(value: Any, prompt: Any) -> Any:
    """Give a value whatever is asked."""
    return value


class Numbers:
    """A model that counts up, whatever it is asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def __call__(self, prompt: Any, **settings: Any) -> str:
        self.asked.append((prompt, settings))
        return str(len(self.asked))


def test_same_question_is_asked_once(store: Store) -> None:
    """The second time the reply comes from the store, and another question does not."""
    model = Numbers()
    ask = cached(model, store, name="numbers")
    assert [ask("a"), ask("a"), ask("b"), ask("a")] == ["1", "1", "2", "1"]


def test_async_function_is_asked_once(store: Store) -> None:
    """A function that waits stays one, for whoever looks."""

    async def model(prompt: str) -> str:
        await asyncio.sleep(0)
        return f"{prompt} {len(asked)}"

    asked: list[str] = []
    ask = cached(model, store, name="later")
    assert waits(ask)

    async def twice() -> list[str]:
        first = await ask("a")
        asked.append("a")
        return [first, await ask("a"), await ask("b")]

    assert asyncio.run(twice()) == ["a 0", "a 0", "b 1"]


@pytest.mark.parametrize(
    "other",
    [
        {"temperature": 1},
        {"model": "big"},
        {"max_tokens": 5},
        {"system": "be kind"},
        {"schema": {"type": "object"}},
        {"base_url": "http://elsewhere"},
        {"timeout": 9.0},
    ],
)
def test_every_setting_is_part_of_the_question(store: Store, other: dict[str, Any]) -> None:
    """S-044: another model, temperature, limit, system text or schema is another question."""
    ask = cached(Numbers(), store, name="numbers")
    assert (ask("q"), ask("q", **other), ask("q"), ask("q", **other)) == ("1", "2", "1", "2")


def test_messages_version_and_name_are_part_of_the_question(store: Store) -> None:
    """S-044: so is each message, what a function is bound to, and the version it is given."""
    model = Numbers()
    ask = cached(model, store, name="numbers")
    turn = {"role": "user", "content": "q"}
    assert [ask("q"), ask([turn]), ask([turn, turn]), ask([turn])] == ["1", "2", "3", "2"]
    assert cached(model, store, name="numbers", version="2")("q") == "4"
    assert cached(model, store, name="others")("q") == "5"
    assert cached(partial(model, temperature=1), store, name="numbers")("q") == "6"
    assert cached(partial(model, temperature=1), store, name="numbers")("q") == "6"
    assert ask("q", temperature=1) == "6"


def test_model_that_would_be_asked_is_part_of_the_question(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S-044: where none is named, the environment says which; a key changes nothing."""
    put: list[str] = []

    class Watched(Memory):
        def put(self, key: str, value: str) -> None:
            put.append(key)
            super().put(key, value)

    ask = cached(call_llm, Watched())
    monkeypatch.setenv("WIREBOOK_MODEL", "stand-in")
    ask("<question>\nWhat?\n</question>")
    ask("<question>\nWhat?\n</question>", model="stand-in", api_key="sk-secret")
    assert len(put) == 1
    monkeypatch.setenv("WIREBOOK_MODEL", "openai:x")
    for url in ("http://127.0.0.1:9", "http://127.0.0.2:9"):
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        with pytest.raises(UsageError):  # no key: it was not taken for the stand-in's
            ask("<question>\nWhat?\n</question>")


def test_hits_come_back_as_hits(store: Store) -> None:
    """A list of hits is the same after a restart, spans included; so are none, and plain JSON."""
    hits = [Hit("t", "u", "x", 0.5, (3, 4)), Hit("", "", "é\ud800", 1.0)]
    given: list[Any] = [hits, [], None, {"a": [1, 2.5, True]}, "text"]
    for value in given:
        ask = cached(says(partial(same, value)), store, name=f"gives {value!r}")
        assert ask("q") == value
        assert ask("q") == value


def test_what_json_cannot_keep_is_told(store: Store) -> None:
    """It is an error at the first call, not a surprise at the second."""
    for value in ((1, 2), {1: 2}, object(), [Hit("t", "u", "x", 1.0), "no hit"], {1}):
        with pytest.raises(TypeError, match="JSON cannot keep"):
            cached(says(partial(same, value)), store, name="odd")("q")


def test_errors_are_not_kept(store: Store) -> None:
    """The next call asks again."""
    down = [ConnectionError("down")]

    def model(_: str) -> str:
        if down:
            raise down.pop()
        return "fine"

    ask = cached(model, store, name="shaky")
    with pytest.raises(ConnectionError):
        ask("q")
    assert ask("q") == "fine"


class Number(Node[Any, None, int]):
    """Reads a number, at the third attempt at the latest."""

    def __init__(self, ask: Callable[[str], str]) -> None:
        super().__init__(max_retries=3)
        self.ask = ask

    def exec(self, prep_res: None) -> int:
        return int(self.ask("q"))

    def post(self, shared: Any, prep_res: None, exec_res: int) -> None:
        shared["n"] = exec_res


def test_second_attempt_goes_past_the_store(store: Store) -> None:
    """S-043: garbage is not read again; what the second attempt gets takes its place."""
    served = iter(["garbage", "42", "43"])
    ask = cached(says(lambda _: next(served)), store, name="served")
    for _ in range(2):
        shared: dict[str, int] = {}
        run_flow(Flow(Number(ask)), shared)
        assert shared == {"n": 42}


def test_reply_that_does_not_pass_its_check_is_not_kept(store: Store) -> None:
    """S-043: also for a flow that is run without the front door."""
    served = iter(["garbage", "42"])
    ask = cached(says(lambda _: next(served)), store, name="served", check=int)
    shared: dict[str, int] = {}
    Number(ask).run(shared)
    assert (shared, ask("q")) == ({"n": 42}, "42")


def test_old_replies_are_asked_again(store: Store) -> None:
    """`max_age` is in seconds; without one, what is kept stays."""
    model = Numbers()
    stale = cached(model, store, name="numbers", max_age=0.0)
    assert [stale("q"), stale("q")] == ["1", "2"]
    fresh = cached(model, store, name="numbers", max_age=60.0)
    assert fresh("q") == "2"


def test_function_without_a_name_is_told(tmp_path: Path) -> None:
    """Two lambdas, or two searches over two folders, must not answer for each other."""
    (tmp_path / "a.md").write_text("Otters.")
    nameless: list[Any] = [says(str), Numbers(), search_files(tmp_path), partial(Numbers())]
    for function in nameless:
        with pytest.raises(UsageError, match="Give it a name"):
            cached(function, Memory())
    cached(stand_in, Memory())
    cached(partial(acall_llm, model="openai"), Memory())


def test_what_cannot_be_compared_is_told() -> None:
    """An object that says nothing of itself could be any other."""
    with pytest.raises(UsageError, match="plain data"):
        cached(Numbers(), Memory(), name="n")(object())


def test_hit_costs_nothing_and_is_seen() -> None:
    """Tokens of a run stay known, and the trace tells where the reply came from."""

    def model(_: str) -> str:
        record("openai:gpt-4o-mini", 10, 1)
        return "42"

    ask = counted(cached(model, Memory(), name="model"))
    spans: list[dict[str, Any]] = []
    with metering() as meter:
        for _ in range(2):
            run_flow(Flow(Number(ask)), {}, layers=[trace(spans)])
    assert (meter.usage.calls, meter.usage.input_tokens) == (2, 10)
    told = [event["name"] for span in spans for event in span["events"]]
    assert told == ["wirebook.cache_hit"]


def test_agent_runs_from_what_was_kept(tmp_path: Path) -> None:
    """The whole run again, with a model and a search that are gone."""
    kept = SQLite(tmp_path / "kept.db")

    def search(_: str) -> list[Hit]:
        return [Hit("Otters", "a.md", "Otters hold hands while they sleep.", 1.0)]

    def gone(*_: Any, **__: Any) -> Any:
        raise ConnectionError

    def go(model: Any, find: Any) -> str:
        return research(
            "What do otters hold?",
            call_llm=cached(model, kept, name="model"),
            search=cached(find, kept, name="search"),
        ).text

    with_both = go(stand_in, search)
    assert "hands" in with_both

    # The stand-in takes a schema, so what stands in for it must too.
    def held(prompt: Any, *, schema: Any = None) -> str:
        raise ConnectionError

    assert go(held, gone) == with_both


def _fill(file: str, name: str) -> None:
    ask = cached(says(lambda prompt: f"{name} {prompt}"), SQLite(file), name=name)
    for i in range(50):
        assert ask(str(i)) == f"{name} {i}"


def test_threads_and_processes_share_a_file(tmp_path: Path) -> None:
    """Two processes and four threads write at once, and everything is there."""
    file = str(tmp_path / "kept.db")
    spawn = multiprocessing.get_context("spawn")
    workers: list[Any] = [spawn.Process(target=_fill, args=(file, f"p{i}")) for i in range(2)]
    workers += [threading.Thread(target=_fill, args=(file, f"t{i}")) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers[:2]] == [0, 0]
    with sqlite3.connect(file) as base:
        assert base.execute("SELECT count(*) FROM replies").fetchone() == (300,)
    base.close()


@pytest.mark.parametrize("content", [b"no database at all, but long enough to be one" * 40, b"x"])
def test_file_that_is_no_store_is_told_and_left_alone(tmp_path: Path, content: bytes) -> None:
    """Somebody's file is not written over."""
    file = tmp_path / "notes.txt"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=r"notes.txt cannot keep replies: .* Give a new file"):
        SQLite(file)
    assert file.read_bytes() == content


def test_file_that_breaks_later_costs_a_warning_and_no_reply(tmp_path: Path) -> None:
    """A reply that was paid for is given, kept or not."""
    file = tmp_path / "kept.db"
    ask = cached(says(lambda prompt: f"echo {prompt}"), SQLite(file), name="echo")
    ask("a")
    for old in tmp_path.glob("kept.db*"):
        old.unlink()
    file.write_bytes(b"broken" * 1_000)
    with pytest.warns(RuntimeWarning, match=r"kept.db did not keep a reply"):
        assert ask("a") == "echo a"


def test_keys_tell_nothing_of_what_was_asked(tmp_path: Path) -> None:
    """Prompts and secrets are hashed, and the reply is readable JSON."""
    file = tmp_path / "kept.db"
    cached(says(lambda _: "reply"), SQLite(file), name="x")("my prompt", api_key="sk-secret")
    held = b"".join(part.read_bytes() for part in tmp_path.glob("kept.db*"))
    assert b"my prompt" not in held
    assert b"sk-secret" not in held
    assert json.dumps({"value": "reply"}).encode() in held
