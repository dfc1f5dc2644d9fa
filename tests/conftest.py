"""What all tests share: the marker `slow`, and how long hypothesis may take."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# The machines are shared, so time is no reason to fail an example; and a run is the same every time, on every machine.
settings.register_profile(
    "karat", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("karat")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes some seconds; runs by default, left out with -m 'not slow'")
