"""What all results have in common."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import pytest

import karat
from karat.result import Result, Table, html_table, json_text


@dataclass(frozen=True)
class Numbers(Result):
    rows: tuple[tuple[str, float | None], ...]
    signature: str = "karat:0|verb:<b>"

    def to_dict(self) -> dict[str, Any]:
        return dict(self.rows)

    def records(self) -> Table:
        return Table(["name", "value"], [list(row) for row in self.rows], "<title>")


def test_a_data_frame_has_the_records_rows() -> None:
    frame = Numbers((("a", 0.5), ("b", None))).to_dataframe()
    assert list(frame.columns) == ["name", "value"]
    assert frame["name"].tolist() == ["a", "b"]
    assert frame["value"].tolist()[0] == 0.5


def test_without_pandas_a_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(karat.UsageError, match="pip install pandas"):
        Numbers((("a", 0.5),)).to_dataframe()


def test_html_is_escaped_and_long_tables_are_cut() -> None:
    html = Numbers(tuple((f"<script>{n}", 1 / 3) for n in range(60)))._repr_html_()
    assert "<script>" not in html
    assert "<title>" not in html
    assert "<b>" not in html
    assert html.count("<tr>") == 1 + 50
    assert "10 more rows" in html
    assert "0.3333" in html


def test_cells_without_a_value_are_shown_as_a_dash() -> None:
    assert "<td>–</td>" in html_table(Table(["a"], [[None]]))


def test_json_has_no_nan_and_writes_out_what_is_not_unicode() -> None:
    assert json_text({"path": "a\udcff"}) == '{\n "path": "a\\udcff"\n}\n'
    with pytest.raises(ValueError, match="JSON compliant"):
        json_text({"value": float("nan")})


def test_what_a_prompt_shows_has_the_beginning_of_a_long_signature() -> None:
    assert Result.__repr__(Numbers((), "karat:0|verb:x")) == "<Numbers: karat:0|verb:x>"
    shown = Result.__repr__(Numbers((), f"karat:0|verb:x|gold:{'a' * 300}"))
    assert shown.startswith("<Numbers: karat:0|verb:x|gold:aaa")
    assert shown.endswith("…>")
    assert len(shown) < 140
