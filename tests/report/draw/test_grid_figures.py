"""Drawings of tables about grids: marks where the numbers are, words for each, nothing on top of another."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from karat.experiments.analyses.table import GridTable, tidy
from karat.report.draw.curves import Point, Series, curves
from karat.report.draw.dot_panels import Panel, dot_panels
from karat.report.draw.grid_figures import grid_figure
from karat.report.draw.heat_map import ColourScale
from karat.report.draw.scatter import Dot, scatter
from karat.report.draw.svg import text_width

SVG = "{http://www.w3.org/2000/svg}"
TREEBANKS = ["UD_French-GSD", "UD_French-Sequoia", "UD_Old_French-SRCMF"]


def table(name: str, rows: list[dict[str, Any]], **summary: Any) -> GridTable:
    columns = tuple(dict.fromkeys(key for row in rows for key in row))
    return GridTable(name, "A title", ("Said.",), columns, tidy(columns, rows), summary)


def drawn(found: GridTable) -> ET.Element:
    figure = grid_figure(found)
    assert figure is not None
    return ET.fromstring(figure.svg)


def texts(root: ET.Element) -> list[str]:
    return [one.text or "" for one in root.iter(f"{SVG}text")]


def titled_groups(root: ET.Element) -> list[ET.Element]:
    """The groups of marks with their words; the lines through them are groups of their own."""
    groups = [one for one in root.iter(f"{SVG}g") if one.find(f"{SVG}title") is not None]
    return [one for one in groups if not (one.findtext(f"{SVG}title") or "").endswith(" points")]


def titles(root: ET.Element) -> list[str]:
    return [one.findtext(f"{SVG}title") or "" for one in titled_groups(root)]


def shape_of(group: ET.Element) -> tuple[str, int]:
    """The kind of the last shape of a group, and how many corners it has."""
    last = [one for one in group if one.tag != f"{SVG}title"][-1]
    return last.tag.removeprefix(SVG), len((last.get("points") or "").split())


def boxes(root: ET.Element) -> list[tuple[float, float, float, float]]:
    """Where level text is, a little narrower than the generous estimate."""
    turned = {id(text) for one in root.iter(f"{SVG}g") if one.get("transform") for text in one.iter(f"{SVG}text")}
    found = []
    for one in root.iter(f"{SVG}text"):
        if id(one) not in turned:
            x, y, wide = float(one.get("x") or 0), float(one.get("y") or 0), 0.85 * text_width(one.text or "")
            left = {"start": x, "middle": x - wide / 2, "end": x - wide}[one.get("text-anchor") or "start"]
            found.append((left, left + wide, y - 10, y + 2))
    return found


def assert_no_text_on_text(root: ET.Element) -> None:
    every = boxes(root)
    for number, one in enumerate(every):
        for other in every[number + 1 :]:
            apart = one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]
            assert apart, (one, other)


def assert_all_inside(root: ET.Element) -> None:
    width, height = float(root.get("width") or 0), float(root.get("height") or 0)
    for left, right, top, bottom in boxes(root):
        assert left >= 0
        assert right <= width
        assert top >= 0
        assert bottom <= height


MATRIX = [
    {
        "system": "hmm",
        "measure": "UPOS",
        "train": train,
        "test": test,
        "size": None,
        "value": value,
        "lower": value - 0.01,
    }
    | {"upper": value + 0.01, "runs": 3}
    for train, values in (("UD_French-GSD", (0.95, 0.9, 0.5)), ("UD_French-Sequoia", (0.85, 0.96, 0.6)))
    for test, value in zip(TREEBANKS, values, strict=True)
]
IGNORING = [
    {"system": "hmm", "train": train, "test": test, "full": 0.1, "minsize": 0.09, "disjoint": 0.05, "all": 0.02}
    | {"in_domain_train": 0.04}
    for train in TREEBANKS[:2]
    for test in TREEBANKS
]
CORRELATION = [
    {"system": "hmm", "train": "UD_French-GSD", "test": test, "in_domain": test == "UD_French-GSD", "error": error}
    | {"all_rate": rate, "all_repeats": 1200}
    for test, error, rate in zip(TREEBANKS, (0.05, 0.1, 0.4), (0.01, 0.012, 0.02), strict=True)
]
SUSPICIOUS = [
    {"system": "hmm", "language": "French", "filter": name, "words": words, "and_more": words == 10, "repeats": repeats}
    | {"share": 0.1 * (words or 5)}
    for name in ("disjoint", "all")
    for words, repeats in ((None, 500), (1, 300), (2, 150), (3, 40), (10, 4))
]
CURVE = [
    {"system": system, "measure": "UPOS", "train": "UD_French-GSD", "test": test, "words": words, "value": value}
    | {"lower": value - 0.02, "upper": value + 0.02}
    for system in ("hmm", "perceptron")
    for test in ("UD_French-GSD", "UD_French-PUD")
    for words, value in ((1000, 0.8), (2000, 0.85), (8000, 0.9))
]
TABLE_1 = [
    {"train": "UD_French-Spoken", "test": "UD_French-GSD", "error": 0.28, "paper": 0.303},
    {"train": "UD_French-Sequoia", "test": "UD_French-GSD", "error": 0.068, "paper": 0.075},
]
EVERY: dict[str, list[dict[str, Any]]] = {
    "matrix": MATRIX,
    "ignoring": IGNORING,
    "correlation": CORRELATION,
    "suspicious": SUSPICIOUS,
    "curve": CURVE,
}
EVERY |= {"table1": TABLE_1}


@pytest.mark.parametrize("name", EVERY)
def test_figures_are_well_formed_and_nothing_hides_another(name: str) -> None:
    root = drawn(table(name, EVERY[name]))
    assert root.get("aria-label") == "A title"
    assert_no_text_on_text(root)
    assert_all_inside(root)


def test_tables_that_are_not_drawn_have_no_figure() -> None:
    assert grid_figure(table("cost", [{"system": "hmm"}])) is None
    assert grid_figure(table("matrix", [])) is None
    assert grid_figure(table("table1", [TABLE_1[0] | {"paper": None}])) is None


def test_every_square_says_what_it_is_with_its_interval() -> None:
    root = drawn(table("matrix", MATRIX))
    assert titles(root)[0] == "UD_French-GSD on UD_French-GSD: 95.00 %, 95 % CI 94.00 to 96.00, 3 runs"
    assert len(titles(root)) == 6
    assert {"95.0", "50.0", "GSD", "SRCMF", "train ↓  test →", "50.0 %", "96.0 %"} <= {*texts(root)}


def test_colours_go_from_the_least_to_the_most() -> None:
    scale = ColourScale(0.2, 0.8, "", "")
    shades = [scale.opacity(value) for value in (0.1, 0.2, 0.5, 0.8, 0.9)]
    assert 0 < shades[0] == shades[1] < shades[2] < shades[3] == shades[4] < 1
    assert ColourScale(0.5, 0.5, "", "").opacity(0.5) == shades[0]


def test_points_of_the_scatter_are_where_their_numbers_are() -> None:
    root = drawn(table("correlation", CORRELATION, all_correlation=-0.5))
    groups = titled_groups(root)
    assert [shape_of(one) for one in groups] == [("circle", 0), ("polygon", 4), ("polygon", 4)]
    first, second, third = (_middle(one) for one in groups)
    assert first[0] < second[0] < third[0]
    assert first[1] > second[1] > third[1]  # upwards is less on paper
    # between 0 and 20 tokens in 1,000, 4 times as far as between 10 and 12
    assert (third[0] - second[0]) / (second[0] - first[0]) == pytest.approx(4, abs=0.05)
    assert titles(root)[2].startswith("UD_French-GSD on UD_Old_French-SRCMF: error rate 40.00 %, 1,200 suspicious")
    assert "Spearman's correlation −0.50" in texts(root)
    assert {"French, in-domain", "French, across corpora"} <= {*texts(root)}


def _middle(group: ET.Element) -> tuple[float, float]:
    shape = [one for one in group if one.tag != f"{SVG}title"][-1]
    if shape.get("cx"):
        return float(shape.get("cx") or 0), float(shape.get("cy") or 0)
    points = [tuple(map(float, one.split(","))) for one in (shape.get("points") or "").split()]
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def test_figure_3_has_four_marks_for_each_test_and_the_line() -> None:
    root = drawn(table("ignoring", IGNORING))
    said = titles(root)
    assert len(said) == 2 * (3 * 4 + 1)
    assert "trained on UD_French-GSD, SRCMF: errors ignored in suspicious repeats: disjoint 5.00" in said
    lines = [one for one in root.iter(f"{SVG}g") if (one.findtext(f"{SVG}title") or "").endswith("own treebank 4.00")]
    assert len(lines) == 2
    marks = [one for one in root.iter(f"{SVG}g") if "UD_French-GSD, GSD" in (one.findtext(f"{SVG}title") or "")]
    assert len({shape_of(one) for one in marks}) >= 3
    heights = [_middle(one)[1] for one in marks]
    assert heights == sorted(heights)
    (line,) = lines[0].findall(f"{SVG}polyline")
    y = float(re.findall(r",([\d.]+)", line.get("points") or "")[0])
    assert heights[2] < y < heights[3]  # 5 % is above 4 %, 2 % below


def test_figure_2_leaves_out_lengths_of_few_repeats() -> None:
    root = drawn(table("suspicious", SUSPICIOUS))
    assert titles(root) == [
        f"French, {name}: {words} words, {10 * words:.1f} % of {repeats} repeats"
        for name in ("disjoint", "all")
        for words, repeats in ((1, 300), (2, 150), (3, 40))
    ]
    dashes = [one.get("stroke-dasharray") for one in root.iter(f"{SVG}polyline") if one.get("stroke-width") == "2"]
    assert dashes == [None, "5 4"] * 2  # and those of the legend


def test_learning_curves_are_those_in_domain_with_whiskers() -> None:
    root = drawn(table("curve", CURVE))
    assert [one for one in texts(root) if ", " in one] == ["hmm, UD_French-GSD", "perceptron, UD_French-GSD"]
    groups = titled_groups(root)
    assert len(groups) == 6
    for one in groups:
        (whisker,) = one.findall(f"{SVG}path")
        assert (whisker.get("d") or "").count("M") == 3  # the line and both ends


@pytest.mark.parametrize("name", ["<script>", "]]>", "a\x00\x1bb", "x" * 200, "長" * 30, "&\"'"])
def test_hostile_names_are_escaped(name: str) -> None:
    figures = [
        scatter([Dot(1, 2, name, name)], title="t", axes=("x", "y"), above=name),
        curves([Series(name, [Point(1, 2, 1, 3, name)])], title="t", axes=("x", "y")),
        dot_panels([Panel(name, {name: [1.0]}, 2.0)], [name], title="t", y_name="y", line_name=name),
    ]
    for figure in figures:
        assert "<script>" not in figure.svg
        ET.fromstring(figure.svg.encode())
