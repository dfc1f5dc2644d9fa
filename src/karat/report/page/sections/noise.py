"""What `karat noise` and `karat noise estimate` found: bounds of the real accuracy, and what checked tokens say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from karat.report.draw.noise import NoisyAccuracy, noise_intervals
from karat.report.draw.score_intervals import ScoredSystem, score_intervals
from karat.report.page.cells import PageCell, PageTable, interval_cell, number_cell, text_cell
from karat.report.page.parts import Block, figure
from karat.report.page.sentence_sets import SentenceSet

Data = Mapping[str, Any]
_NAMES = {"corpus_error": "error rate of the gold", "difference": "difference"}


def noise_blocks(id: str, result: Data, _: Sequence[SentenceSet | None]) -> list[Block]:
    """What is observed and what it can mean, on ambiguous and on all words, and the bounds drawn."""
    systems: Sequence[Data] = result["systems"]
    rows = []
    for one in systems:
        overall = one.get("overall") or {}
        row = [text_cell(one["name"]), number_cell(one["observed"]), number_cell(one["corpus_error"])]
        row += [PageCell(f"{one['ambiguity']:.2f}", one["ambiguity"])]
        row += [_ends(one.get("bounds")), _ends(one.get("free")), _ends(one.get("confidence"))]
        rows.append([*row, number_cell(overall.get("observed")), _ends(overall), _ends(overall.get("confidence"))])
    columns = ["system", "observed", "gold wrong", "tags per word", "real, if reasonable", "real, no assumptions"]
    columns += ["with sampling error", "all words: observed", "all words: real", "all words: with sampling error"]
    kept = [place for place in range(len(columns)) if any(row[place].text != "–" for row in rows)]
    table = PageTable(
        f"{id}-bounds",
        "Observed and real accuracy of ambiguous words, in %",
        [columns[place] for place in kept],
        [[row[place] for place in kept] for row in rows],
        [f"{one['name']}: {one['why']}" for one in systems if one.get("why")],
    )
    return [table, *_pairs(id, result["pairs"]), *_bands(id, result)]


def _ends(one: Data | None) -> PageCell:
    return interval_cell(one.get("lower"), one.get("upper")) if one else PageCell("–")


def _pairs(id: str, pairs: Sequence[Data]) -> list[Block]:
    rows = []
    for one in pairs:
        probability = one.get("probability") or {}
        row = [text_cell(one["a"]), text_cell(one["b"]), text_cell(_said(one["verdict"]), one.get("words") or "")]
        row += [text_cell(_said(one.get("verdict_overall")))]
        rows.append([*row, number_cell(probability.get("independent")), number_cell(one.get("overlap_share"))])
    columns = ["A", "B", "ambiguous words", "all words", "probability that B is better, in %", "overlap, in %"]
    return [PageTable(f"{id}-pairs", "Which is better, whatever the gold's errors", columns, rows)] if rows else []


def _said(verdict: str | None) -> str | None:
    if verdict is None or verdict == "open":
        return verdict and "no clear winner"
    return "the numbers cannot all be true" if verdict == "impossible" else f"{verdict} is better"


def _bands(id: str, result: Data) -> list[Block]:
    """The bounds over p; what is shown for a given p is in the table."""
    systems = [
        NoisyAccuracy(one["name"], one["observed"], one["corpus_error"], one["ambiguity"])
        for one in result["systems"]
        if one.get("feasible", True) and one.get("envelope")
    ]
    return [figure(f"{id}-bands", noise_intervals(systems))] if systems else []


def estimate_blocks(id: str, result: Data, _: Sequence[SentenceSet | None]) -> list[Block]:
    """The estimates with intervals, and what they would be if judges erred."""
    level = result["level"]
    estimates = {name: one for name, one in result["estimates"].items() if one}
    rows = [
        [text_cell(_NAMES.get(name, name)), number_cell(one["value"]), _ends(one), _worst(one)]
        for name, one in estimates.items()
    ]
    ci = f"{100 * level:g} % CI"
    blocks: list[Block] = [
        PageTable(f"{id}-estimates", "Estimates, in %", ["what", "estimate", ci, "whatever blanks would be"], rows)
    ]
    drawn = [
        ScoredSystem(name, one["value"], one["lower"], one["upper"])
        for name, one in estimates.items()
        if name in result["systems"]
    ]
    if drawn:
        blocks.append(figure(f"{id}-drawn", score_intervals(drawn, measure="real accuracy", level=level)))
    if result.get("sensitivity"):
        rows = [[number_cell(one["error"]), number_cell(one["value"]), _ends(one)] for one in result["sensitivity"]]
        title = "If judges err"
        blocks.append(PageTable(f"{id}-sensitivity", title, ["judges wrong in %", "estimate", ci], rows))
    strata = [
        [text_cell(one["name"]), PageCell(f"{one['size']:,}", one["size"]), text_cell(one.get("n_judged"))]
        for one in result["strata"]
    ]
    blocks.append(PageTable(f"{id}-strata", "What was checked", ["words", "how many", "judged"], strata, is_open=False))
    return blocks


def _worst(one: Data) -> PageCell:
    return interval_cell(one.get("least"), one.get("most"))
