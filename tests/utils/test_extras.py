"""What is not installed is said in one line, with what to type."""

import importlib

import pytest
from wirebook_utils import UsageError
from wirebook_utils.extras import extra


def test_missing_extra_is_one_line_that_ends_with_the_command() -> None:
    """It names the purpose, the library and the extra."""
    with pytest.raises(UsageError) as caught, extra("sky", "Flying"):
        importlib.import_module("no_such_wings")
    assert str(caught.value) == (
        "Flying needs 'no_such_wings', which is not installed. "
        "Try: pip install 'wirebook-utils[sky]'"
    )


def test_what_is_there_is_imported() -> None:
    """Nothing is said, and other errors come out as they are."""
    with extra("sky", "Flying"):
        importlib.import_module("json")
    with pytest.raises(ZeroDivisionError), extra("sky", "Flying"):
        _ = 1 / 0
