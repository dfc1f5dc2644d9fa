"""What `karat reproduce` found: the numbers that papers print beside ours, and the papers' figures drawn again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from karat.report.draw.svg import safe_stem
from karat.report.draw.tag_tree import tag_tree
from karat.report.page.cells import PageCell, PageTable, count_cell, text_cell
from karat.report.page.parts import Block, Figure, figure
from karat.report.page.sections.any_result import value_cell
from karat.report.page.sections.corpora import divergence_blocks, grid_table_blocks
from karat.report.page.sections.noise import noise_blocks
from karat.report.page.sentence_sets import SentenceSet
from karat.report.published_numbers import shown_beside

Data = Mapping[str, Any]
_DRAWN = {"karat/noise": noise_blocks, "karat/diverge": divergence_blocks, "karat/grid-table": grid_table_blocks}


def published_blocks(id: str, result: Data, _: Sequence[SentenceSet | None] = ()) -> list[Block]:
    """How many numbers agree, paper by paper; the papers' figures; every number with ours."""
    states = [name for name in result["counts"] if name != "rows" and result["counts"][name]]
    rows = [
        [text_cell(one["paper"]), count_cell(one["counts"]["rows"]), *(count_cell(one["counts"][s]) for s in states)]
        for one in result["papers"]
    ]
    columns = ["paper", "rows", *(name.replace("_", " ") for name in states)]
    blocks: list[Block] = [PageTable(f"{id}-papers", "The numbers of each paper", columns, rows)]
    for number, paper in enumerate(result["papers"], 1):
        for place, one in enumerate(paper["figures"], 1):
            blocks += _figures(f"{id}-figure{number}-{place}", paper["paper"], one)
        blocks.append(_rows(f"{id}-rows{number}", paper))
    return blocks


def _figures(id: str, paper: str, drawn_from: Data) -> list[Figure]:
    """The drawings of a figure's result, without its tables, each under the paper's name of it."""
    result, title = drawn_from["result"], f"{paper}, {drawn_from['title']}"
    kind = result["schema"].rpartition("/")[0]
    if kind == "karat/tag-tree":
        edges = [(parent, child) for parent, child in result["edges"]]
        return [figure(id, tag_tree(edges, title=title, name=f"{paper} {drawn_from['name']}"))]
    blocks = _DRAWN[kind](id, result, ()) if kind in _DRAWN else []
    return [_renamed(one, title, f"{paper} {drawn_from['name']}") for one in blocks if isinstance(one, Figure)]


def _renamed(one: Figure, title: str, name: str) -> Figure:
    """A drawing under another name: of two with the same name, a page keeps the last."""
    return replace(one, drawing=replace(one.drawing, title=title, name=safe_stem(f"{name} {one.drawing.name}")))


def _rows(id: str, paper: Data) -> PageTable:
    columns = ["where", "number", "printed", "ours", "difference", "status", "why", "command"]
    rows = [
        [
            text_cell(one["where"]),
            text_cell(one["of"]),
            PageCell(one["printed"], one["value"]) if one["value"] is not None else text_cell(one["printed"]),
            _beside(one["ours"], one["worked"] or one["printed"]),
            _beside(one["difference"], one["worked"] or one["printed"]),
            text_cell(one["state"]),
            PageCell(one["why"]),
            PageCell(one["command"]),
        ]
        for one in paper["rows"]
    ]
    return PageTable(id, paper["title"], columns, rows)


def _beside(value: float | None, printed: str) -> PageCell:
    return value_cell(None) if value is None else PageCell(shown_beside(value, printed), value)
