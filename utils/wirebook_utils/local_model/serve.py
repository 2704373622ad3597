"""Serve a GGUF file in this process, on a loopback port of its own, in OpenAI's format.

A model is loaded once per process and stays, since loading takes seconds and a gigabyte. Others on
the machine reach the port too, so the server asks for a key that only this process has.

Left out: several requests at a time. They wait for each other.
"""

import importlib
import os
import secrets
import threading
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wirebook_utils.errors import ServiceError, UsageError
from wirebook_utils.extras import extra
from wirebook_utils.local_model.catalog import DEFAULT
from wirebook_utils.local_model.folder import here, path_of

CONTEXT = 16_384
"""Tokens that a prompt and its reply may have together."""

LONGEST = 1_024
"""Tokens of a reply for which no limit is set: small models know no end."""

LOADING = 120.0

_servers: dict[tuple[str, int], tuple[Any, str]] = {}
_lock = threading.Lock()


def own_file() -> Path | None:
    """Give the file that `WIREBOOK_GGUF` names. Raises `UsageError` if there is none."""
    named = os.environ.get("WIREBOOK_GGUF", "").strip()
    if not named:
        return None
    if not Path(named).is_file():
        raise UsageError(f"WIREBOOK_GGUF={named!r} is no file. Give the path of a .gguf file.")
    return Path(named)


def standing() -> str:
    """Name the model that `local` means: the file of one's own, else the default one."""
    own = own_file()
    return own.stem if own else DEFAULT


def located(name: str) -> Path:
    """Give the file of a model. Raises `UsageError` if it has not been pulled."""
    own = own_file()
    return own if own and name == own.stem else here(name)


def is_there() -> bool:
    """Tell whether a local model could answer: a file is there, and the library to run it."""
    return bool((own_file() or path_of(DEFAULT)) and find_spec("xllamacpp"))


def threads() -> int:
    """Give `WIREBOOK_THREADS`, else 1 under CI, else half the processors, at most 4."""
    named = os.environ.get("WIREBOOK_THREADS", "").strip()
    if named:
        if not (named.isascii() and named.isdigit() and int(named) > 0):
            raise UsageError(f"WIREBOOK_THREADS={named!r}: give a number of threads, 1 or more.")
        return int(named)
    return 1 if os.environ.get("CI") else max(1, min(4, (os.cpu_count() or 2) // 2))


def served(name: str) -> tuple[str, str]:
    """Give the base URL of a model and the key to it; it is loaded if it was not yet.

    Raises `UsageError` if it has not been pulled, or `xllamacpp` is not installed.
    """
    path = located(name)
    with _lock:
        key = str(path.resolve()), threads()
        if key not in _servers:
            right = secrets.token_urlsafe()
            _servers[key] = _load(path, key[1], right), right
        server, right = _servers[key]
        return f"{server.listening_address}/v1", right


def _load(path: Path, n: int, right: str) -> Any:
    with extra("local", "A local model"):
        # A compiled library without types.
        xllamacpp: Any = importlib.import_module("xllamacpp")
    made = xllamacpp.CommonParams()
    made.model.path = str(path)
    made.n_ctx, made.n_predict, made.n_parallel, made.verbosity = CONTEXT, LONGEST, 1, -1
    made.cpuparams.n_threads = made.cpuparams_batch.n_threads = n
    made.port, made.api_keys = 0, [right]
    try:
        server = xllamacpp.Server(made)
    except Exception as error:
        raise UsageError(f"{path} cannot be loaded as a model: {error}") from error
    _wait_for(server.listening_address, path)
    return server


def _wait_for(url: str, path: Path) -> None:
    """Wait until the model is loaded. Raises `ServiceError` if that takes too long."""
    import urllib.error
    import urllib.request

    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    ends = time.monotonic() + LOADING
    while time.monotonic() < ends:
        try:
            with opener.open(f"{url}/health", timeout=5):
                return
        except urllib.error.HTTPError as error:
            error.close()  # 503: it is loading
        except OSError:
            pass
        time.sleep(0.05)
    raise ServiceError(f"{path.name} was not loaded within {LOADING:g} s.")
