"""Base URLs in every spelling."""

import pytest
from wirebook_utils import UsageError
from wirebook_utils.call_llm.address import base_of, shown

from tests.contracts.server import answer
from tests.contracts.speech import Talk


@pytest.mark.parametrize(
    ("given", "base"),
    [
        ("http://h/v1", "http://h/v1"),
        ("http://h/v1/", "http://h/v1"),
        ("http://h/v1/v1", "http://h/v1"),
        ("http://h//v1//", "http://h/v1"),
        ("http://h/api/v1/", "http://h/api/v1"),
        ("http://h/av1", "http://h/av1"),
        ("http://h/openai", "http://h/openai"),
        ("http://h:80", "http://h:80/v1"),
        ("localhost:8080", "http://localhost:8080/v1"),
        ("http://[::1]:8080/", "http://[::1]:8080/v1"),
        ("https://h/v1/chat/completions", "https://h/v1"),
        ("https://h/v1?version=2", "https://h/v1?version=2"),
    ],
)
def test_s041_base_url_is_put_right(given: str, base: str) -> None:
    """One slash each, `/v1` once and where the host stands alone, other paths left alone."""
    assert base_of(given, versioned=True) == base


@pytest.mark.parametrize("given", ["http://h", "http://h/", "http://h/v1/", "http://h/v1/messages"])
def test_s041_anthropic_adds_its_version_itself(given: str) -> None:
    """The SDK's own `/v1` is not doubled."""
    assert base_of(given, versioned=False) == "http://h"


@pytest.mark.parametrize(
    "given", ["ftp://h", "http://", "http://h:port", "http://[h", "http://:1", "http://a b"]
)
def test_what_is_no_address_is_refused(given: str) -> None:
    """The error gives an example."""
    with pytest.raises(UsageError, match="http://localhost:8080/v1"):
        base_of(given, versioned=True)


def test_shown_address_has_no_secrets() -> None:
    """A password and a query are left out of what may be shown."""
    assert shown("http://me:secret@h:1/v1?key=secret") == "http://h:1/v1"


@pytest.mark.parametrize("tail", ["", "/", "/v1", "/v1/"])
def test_s041_every_spelling_arrives(talk: Talk, tail: str) -> None:
    """The request goes to the one path that there is."""
    talk.plays("hi")
    talk.ask(base_url=talk.server.url + tail)
    path = "/v1/messages" if talk.provider == "anthropic" else "/v1/chat/completions"
    assert talk.server.asked[0].path == path


def test_s041_final_url_is_in_the_error(talk: Talk) -> None:
    """A 404 shows where the request went."""
    talk.plays(answer({"detail": "Not Found"}, 404))
    path = "/api/v1/messages" if talk.provider == "anthropic" else "/api/chat/completions"
    with pytest.raises(UsageError, match=f"{talk.server.url}{path} was not found"):
        talk.ask(base_url=f"{talk.server.url}/api/")
