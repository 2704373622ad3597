"""The libraries that the tests of the core run over."""

import importlib

import pytest
import wirebook

from tests.core.lib import Lib

pocketflow = importlib.import_module("pocketflow")  # it has no types
REFERENCE = Lib(pocketflow), Lib(pocketflow, is_async=True)
OURS = Lib(wirebook), Lib(wirebook, is_async=True)
PLAIN_HOOKS = Lib(wirebook, is_async=True, plain_hooks=True)


def describe(lib: Lib) -> str:
    """Name a library in a test's id."""
    kind = "plain-hooks" if lib.plain_hooks else "async" if lib.is_async else "sync"
    return f"{lib.module.__name__}-{kind}"


@pytest.fixture(params=[*REFERENCE, *OURS, PLAIN_HOOKS], ids=describe)
def lib(request: pytest.FixtureRequest) -> Lib:
    """What the reference does and we do as well, plain and async."""
    lib: Lib = request.param
    return lib


@pytest.fixture(params=[REFERENCE[0], OURS[0]], ids=describe)
def sync_lib(request: pytest.FixtureRequest) -> Lib:
    """What the reference's plain classes do and ours do as well."""
    lib: Lib = request.param
    return lib


@pytest.fixture(params=[REFERENCE[1], OURS[1]], ids=describe)
def async_lib(request: pytest.FixtureRequest) -> Lib:
    """What the reference's async classes do and ours do as well."""
    lib: Lib = request.param
    return lib


@pytest.fixture(params=[*OURS, PLAIN_HOOKS], ids=describe)
def ours(request: pytest.FixtureRequest) -> Lib:
    """What we do and the reference does not, plain and async."""
    lib: Lib = request.param
    return lib


@pytest.fixture(params=[OURS[1], PLAIN_HOOKS], ids=describe)
def async_ours(request: pytest.FixtureRequest) -> Lib:
    """What our async classes do and the reference's do not."""
    lib: Lib = request.param
    return lib


@pytest.fixture(params=REFERENCE, ids=describe)
def reference(request: pytest.FixtureRequest) -> Lib:
    """What the reference does, to show where we differ."""
    lib: Lib = request.param
    return lib


@pytest.fixture
def sleeps(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float]]:
    """Who was asked to sleep and how long, instead of the sleep."""
    seen: list[tuple[str, float]] = []

    async def sleep(seconds: float) -> None:
        seen.append(("asyncio", seconds))

    monkeypatch.setattr("asyncio.sleep", sleep)
    monkeypatch.setattr("time.sleep", lambda seconds: seen.append(("time", seconds)))  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    return seen
