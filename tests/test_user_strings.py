"""What users read is plain English: phrases that nobody uses do not come back."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

from user_strings import every_user_string

ODD = (
    "second less first",
    "commonest",
    "wholly wrong",
    "too sure of",
    "errors less",
    "It is open which",
    "for want of",
)


def test_odd_phrases_do_not_come_back() -> None:
    every = list(every_user_string())
    assert len(every) > 1000
    assert [one for one in every if any(phrase in one[2] for phrase in ODD)] == []
