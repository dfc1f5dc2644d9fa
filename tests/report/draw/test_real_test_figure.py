"""The drawing of M1 against M2: every pair that has a curve has it, and those without are named."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from drawn_svg import titles
from karat.errors import UsageError
from karat.evaluation.comparison_results import PairResult
from karat.evaluation.from_counts import compare_counts
from karat.inference.paired_units import PairCounts
from karat.report.draw.real_test import real_test_figure


def pair(a: str, b: str, yy: int, yn: int, ny: int, nn: int) -> PairResult:
    return compare_counts(PairCounts(yy, yn, ny, nn), names=(a, b)).pairs[0]


def test_each_pair_has_its_curve_and_its_smallest_real_test() -> None:
    drawn = real_test_figure([pair("ada", "bix", 6516, 232, 343, 4309), pair("ada", "<c>", 6000, 300, 100, 5000)]).svg
    root = ElementTree.fromstring(drawn)
    words = ["".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "ada, bix: smallest real test 1,139 of 11,400 units (mark), z 4.64 to 4.67" in words
    assert any(one.startswith("ada, <c>: ") and ", z −10." in one for one in words)
    smallest = [one.replace(",", "") for one in titles(root) if "smallest real test" in one]
    sizes = [re.search(r"test (\d+) of (\d+) units .* M1 (\d+) M2 (\d+)", one) for one in smallest]
    assert [int(one[1]) + int(one[3]) + int(one[4]) == int(one[2]) for one in sizes if one] == [True, True]
    assert drawn.count("<circle") == 2  # the first pair's mark and its key; the second has squares
    curves = [one.split() for one in re.findall(r'<polyline points="([^"]*)"', drawn) if one.count(" ") == 199]
    assert len(curves) == 4  # M1 against M2, and z over the size, of both
    # the first curve begins with M2 = 0, on the axis, and ends with M1 = 0, on the other
    (x, y), (x_end, y_end) = (map(float, curves[0][place].split(",")) for place in (0, -1))
    assert (y, x_end) == (340.0, 70.0)
    assert x > 400
    assert y_end < 340


def test_a_pair_of_which_one_is_never_worse_is_named_without_a_curve() -> None:
    drawn = real_test_figure([pair("ada", "bix", 6516, 232, 343, 4309), pair("ada", "gold", 6000, 0, 100, 5000)]).svg
    assert "ada, gold: no M1 and M2 to choose from" in drawn
    assert drawn.count("<circle") == 2  # its mark and its key


def test_nothing_to_draw_is_said() -> None:
    with pytest.raises(UsageError, match="one system is never worse"):
        real_test_figure([pair("ada", "gold", 6000, 0, 100, 5000)])
    with pytest.raises(UsageError, match="have no units"):
        real_test_figure([])
