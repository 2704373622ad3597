"""`Cassette` plays back what a model said, and says what changed."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wirebook_utils import UsageError, ask
from wirebook_utils.testing import Cassette

SCHEMA = {"type": "boolean"}


def loud(prompt: Any, *, schema: Any = None) -> str:
    """Reply in capitals."""
    return f"{prompt}!\nIndeed.".upper()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Record three exchanges."""
    file = tmp_path / "new" / "loud.yaml"
    with Cassette(file, loud) as model:
        model("Why?\n  Say it.")
        model("Is it?", schema=SCHEMA)
        model([{"role": "user", "content": "水獭"}])
    return file


def test_file_can_be_read(file: Path) -> None:
    """A prompt of several lines stands there as such, after a line that says how to renew it."""
    assert file.read_text(encoding="utf-8").startswith(
        "# What a model said, played back by tests. To record it anew: pytest --record\n"
        "- prompt: |-\n    Why?\n      Say it.\n"
        "  reply: |-\n    WHY?\n      SAY IT.!\n    INDEED.\n"
    )
    assert "content: 水獭" in file.read_text(encoding="utf-8")


def test_replies_are_played_back(file: Path) -> None:
    """The same prompts get the same replies, in any order and without a model, in a loop too."""
    with Cassette(file) as model:
        assert model([{"role": "user", "content": "水獭"}]).endswith("INDEED.")
        assert model("Is it?", schema=SCHEMA) == "IS IT?!\nINDEED."
        assert asyncio.run(model.waiting("Why?\n  Say it.")).startswith("WHY?")


@given(st.text(st.characters(codec="utf-8")) | st.text(" \nab:#-'é水\u2028"))
def test_any_text_comes_back_as_it_was(text: str) -> None:
    """Spaces and line ends too, at either end and in the middle."""
    with tempfile.TemporaryDirectory() as folder:
        with Cassette(Path(folder, "x.yaml"), "{} ".format) as model:
            model(text)
        with Cassette(Path(folder, "x.yaml")) as model:
            assert model(text) == f"{text} "


def test_alike_prompts_are_played_in_their_order(tmp_path: Path) -> None:
    """What was said first comes first, and no more often than it was said."""
    said = iter("ab")

    def model(prompt: Any) -> str:
        return next(said)

    with Cassette(tmp_path / "x.yaml", model) as asked:
        assert [asked("q"), asked("q")] == ["a", "b"]
    played = Cassette(tmp_path / "x.yaml")
    assert [played("q"), played("q")] == ["a", "b"]
    with pytest.raises(AssertionError, match="none is left"):
        played("q")


def test_changed_prompt_fails_with_a_diff(file: Path) -> None:
    """It names the file, shows the line that differs, and says what to do."""
    with pytest.raises(AssertionError) as caught:
        Cassette(file)("Why?\n  Say it again.")
    told = str(caught.value)
    assert str(file) in told
    assert "\n-    Say it.\n+    Say it again." in told
    assert "pytest --record" in told
    assert len(caught.traceback) < 9


def test_changed_schema_fails_too(file: Path) -> None:
    """A model that is held to another schema may say another thing."""
    with pytest.raises(AssertionError, match=r"\n-  type: boolean\n\+  type: string"):
        Cassette(file)("Is it?", schema={"type": "string"})
    with pytest.raises(AssertionError):
        Cassette(file)("Is it?")


def test_what_is_not_asked_for_fails(file: Path) -> None:
    """A run that asks less than it did is another run."""
    with pytest.raises(AssertionError, match="2 not asked for, first:\nIs it"), Cassette(file) as m:
        m("Why?\n  Say it.")


def test_failed_recording_leaves_the_old_one(file: Path) -> None:
    """Half a recording is none."""
    before = file.read_bytes()

    def breaks(prompt: Any) -> str:
        if prompt == "b":
            raise ConnectionError
        return "new"

    def record() -> None:
        with Cassette(file, breaks) as model:
            model("a")
            model("b")

    with pytest.raises(ConnectionError):
        record()
    assert file.read_bytes() == before
    assert [each.name for each in file.parent.iterdir()] == [file.name]


def test_async_model_is_recorded(tmp_path: Path) -> None:
    """Its cassette waits as it does; asked plainly, it says so."""

    async def later(prompt: Any) -> str:
        await asyncio.sleep(0)
        return "late"

    with Cassette(tmp_path / "x.yaml", later) as model:
        assert asyncio.run(model.waiting("q")) == "late"
    assert Cassette(tmp_path / "x.yaml")("q") == "late"
    with pytest.raises(TypeError, match="waiting"):
        Cassette(tmp_path / "x.yaml", later)("q")


def test_secrets_are_not_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the environment calls a secret, and what looks like a key, in prompt and in reply."""
    monkeypatch.setenv("MY_TOKEN", "a-long-word-of-mine")
    prompt = "a-long-word-of-mine, sk-proj-abcdefghijklmnop, Bearer abcdefghijkl.mnop, sk-2"
    with Cassette(tmp_path / "x.yaml", loud) as model:
        model(prompt)
    held = (tmp_path / "x.yaml").read_text()
    assert "prompt: '***, ***, ***, sk-2'" in held
    assert "abcdefghijkl" not in held
    assert Cassette(tmp_path / "x.yaml")(prompt)
    monkeypatch.delenv("MY_TOKEN")
    with pytest.raises(AssertionError):
        Cassette(tmp_path / "x.yaml")(prompt)


@pytest.mark.parametrize(
    "text", ["", "a: 1", "- 1", "- prompt: x", "{", "\x00", "- !!python/name:os"]
)
def test_file_that_is_none_is_told(tmp_path: Path, text: str) -> None:
    """Whatever stands there, the error names it; and one that is not there says how to make it."""
    (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(UsageError, match=r"(?s)x.yaml is no cassette: .*[Rr]ecord it"):
        Cassette(tmp_path / "x.yaml")
    with pytest.raises(UsageError, match=r"There is no .*y.yaml. To record it: pytest --record"):
        Cassette(tmp_path / "y.yaml")


def test_ask_records_the_schema(tmp_path: Path) -> None:
    """A model that takes a schema is given it, when it is played back too."""

    def held(prompt: Any, *, schema: Any = None) -> str:
        return "true" if schema == SCHEMA else "no schema"

    with Cassette(tmp_path / "x.yaml", held) as model:
        assert ask(model, "Is it?", bool) is True
    with Cassette(tmp_path / "x.yaml") as model:
        assert ask(model, "Is it?", bool) is True
