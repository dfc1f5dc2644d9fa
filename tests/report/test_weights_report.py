"""Weights for people."""

from __future__ import annotations

from karat.report.weights import weights_report
from karat.weights import Weights, read_weights


def test_whole_numbers_in_a_column_have_no_decimals_however_small() -> None:
    (table,) = weights_report(read_weights("poliqarp-2010")).tables
    shown = {row[0]: row[1] for row in table.rows}
    assert (shown["number"], shown["accommodability"], shown["post-prepositionality"]) == ("2,074", "25", "8")


def test_one_weight_with_decimals_gives_them_to_its_whole_column() -> None:
    made = Weights(
        "made", {"case": 2074.0, "number": 0.5}, {"subst": {"case": 3.0}, "adj": {"case": 1.0, "number": 0.25}}
    )
    absolute, conditional = weights_report(made).tables
    assert [row[1] for row in absolute.rows] == ["2,074.000", "0.500"]
    assert [row[1:] for row in conditional.rows] == [["3", None], ["1", "0.250"]]
