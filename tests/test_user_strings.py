"""What users read is plain English: phrases that nobody uses do not come back."""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

from karat.cli._output import as_options
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


def test_the_command_line_shows_no_words_of_python() -> None:
    """Parameters stand in backquotes, which it shows as options; functions of the library stand in no message."""
    shown = [(path, line, as_options(text.replace("{…}", "…"))) for path, line, text in every_user_string()]
    assert [one for one in shown if "`" in one[2] or re.search(r"\bkarat\.[a-z]|\b(dict|kwargs)\b", one[2])] == []


def test_parameters_are_shown_as_options() -> None:
    text = '`like` and `missing_weight=0`, `column=…`, `cluster="document"`, `strict=True`, `beam=-1e-05`'
    shown = "--like and --missing-weight 0, --column …, --cluster document, --strict, --beam -1e-05"
    assert as_options(text) == shown
