"""What all tests share: how wide the terminal is, and how long hypothesis may take."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# The machines are shared, so time is no reason to fail an example; and a run is the same every time, on every machine.
settings.register_profile(
    "karat", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("karat")

# Notes are wrapped to the terminal; a test must not depend on the one that it is run from, nor on a worker having none.
os.environ["COLUMNS"] = "80"
