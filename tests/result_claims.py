"""What holds of every result: the command line prints its data, its rows make a data frame, its HTML is safe."""

from __future__ import annotations

from typing import Any

from karat.result import Result

__all__ = ["SCRIPT", "assert_is_printed", "assert_is_safe"]

SCRIPT = "<script>"


def assert_is_printed(result: Result, printed: Any) -> None:
    """The data is what `--json` printed, and the data frame has the records' rows and columns."""
    assert result.to_dict() == printed
    records, frame = result.records(), result.to_dataframe()
    assert list(frame.columns) == list(records.columns)
    assert len(frame) == len(records.rows)


def assert_is_safe(result: Result) -> None:
    """The HTML shows the name <script>, and does not have it."""
    html = result._repr_html_()
    assert SCRIPT not in html
    assert "&lt;script&gt;" in html
