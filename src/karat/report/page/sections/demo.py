"""What `karat demo` found: what was true beside what karat concluded, and where the gold's errors were found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from karat.report.draw.score_intervals import ScoredSystem, score_intervals
from karat.report.page.cells import PageTable, count_cell, interval_cell, number_cell, text_cell
from karat.report.page.parts import Block, figure
from karat.report.page.sentence_sets import SentenceSet

Data = Mapping[str, Any]


def demo_blocks(id: str, result: Data, _: Sequence[SentenceSet | None]) -> list[Block]:
    """Each tagger's accuracy as observed, bounded, estimated and true; the estimates drawn beside the bounds."""
    systems: Sequence[Data] = sorted(result["systems"], key=lambda one: -one["true_accuracy"])
    rows = []
    for one in systems:
        checked, bounds = one["adjudicated"], one["bounds"]
        row = [text_cell(one["name"]), number_cell(one["true_accuracy"]), number_cell(one["observed"]["value"])]
        row += [interval_cell(bounds["lower"], bounds["upper"]), number_cell(checked["value"])]
        row += [interval_cell(checked["lower"], checked["upper"]), text_cell("yes" if checked["inside"] else "no")]
        rows.append(row)
    ci = f"{100 * result['level']:g} % CI"
    columns = [
        "tagger",
        "true",
        "observed on the gold",
        "what the gold's errors allow",
        "from the check",
        ci,
        "true in it",
    ]
    drawn = [
        ScoredSystem(
            one["name"],
            one["adjudicated"]["value"],
            one["adjudicated"]["lower"],
            one["adjudicated"]["upper"],
            bounds=(one["bounds"]["lower"], one["bounds"]["upper"]),
        )
        for one in systems
    ]
    suspects = result["suspects"]
    found = [
        [text_cell("planted errors in the gold"), count_cell(suspects["planted"])],
        [text_cell("of the first 10 suspects"), count_cell(suspects["first_10"])],
        [text_cell("of the first 50 suspects"), count_cell(suspects["first_50"])],
        [text_cell("words judged"), count_cell(result["words_judged"])],
    ]
    return [
        PageTable(f"{id}-systems", "Accuracy in %: true, observed, concluded", columns, rows),
        figure(f"{id}-drawn", score_intervals(drawn, measure="accuracy from the check", level=result["level"])),
        PageTable(f"{id}-suspects", "Planted errors that were found", ["what", "how many"], found),
    ]
