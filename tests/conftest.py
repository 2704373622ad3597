"""What every test can rely on: the tester's keys, settings and models are not there."""

import os

import pytest
from wirebook_utils.testing.plugin import is_recording


@pytest.fixture(autouse=True)
def _alone(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Keep keys, proxies, settings and pulled models out, of what a test starts too."""
    if is_recording(request):
        return
    for name in os.environ:
        if (
            name.upper().startswith(("OPENAI_", "ANTHROPIC_", "BRAVE_", "WIREBOOK_"))
            or "PROXY" in name.upper()
        ):
            monkeypatch.delenv(name)
    monkeypatch.setenv("WIREBOOK_MODELS", str(tmp_path_factory.getbasetemp() / "no-models"))
