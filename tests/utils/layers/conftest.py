"""The fixture that runs a flow in every setting."""

import pytest

from tests.utils.layers.settings import SETTINGS, Drive


@pytest.fixture(params=SETTINGS, ids=[setting.__name__ for setting in SETTINGS])
def drive(request: pytest.FixtureRequest) -> Drive:
    """Run a flow in each setting: `drive(flow, shared, *layers)`."""
    setting: Drive = request.param
    return setting
