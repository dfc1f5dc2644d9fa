"""What `karat compare` found: differences between systems, and which are real."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from karat.report.draw.error_overlap import error_overlap
from karat.report.draw.pairwise_matrix import PairDifference, PairVerdict, pairwise_matrix
from karat.report.draw.permutation_distribution import permutation_distribution
from karat.report.draw.score_intervals import ScoredSystem, score_intervals
from karat.report.draw.svg import Drawing
from karat.report.page.cells import (
    PageCell,
    PageTable,
    count_cell,
    difference_cell,
    interval_cell,
    number_cell,
    p_cell,
    text_cell,
)
from karat.report.page.headlines import perfect_of_pairs
from karat.report.page.measure_facts import facts_of
from karat.report.page.parts import Block, Paragraphs, figure
from karat.report.page.sentence_sets import SentenceSet, first_set
from karat.report.shown import headlines

_SWAPS = 4_000
_BINS = 41
_MOST_IN_MATRIX = 20  # systems: with more, a matrix is large and says little
_VERDICTS = {
    "open": "no clear difference",
    "same": "the same",
    "too few": "too few for a test",
    "alone only": "only if tested alone",
    "border": "borderline",
}
Data = Mapping[str, Any]


def comparison_blocks(id: str, result: Data, sets: Sequence[SentenceSet | None], *, average: str = "") -> list[Block]:
    """Pairs, ranking, and drawings of the measure people look at first; `average` is macro over several treebanks."""
    sentences = first_set(sets)
    pairs: Sequence[Data] = result["pairs"]
    if not pairs:
        return []
    names = list(dict.fromkeys(name for one in pairs for name in (one["a"], one["b"])))
    measures = headlines(list(dict.fromkeys(one["measure"] or "" for one in pairs)), perfect_of_pairs(pairs))
    ordered = sorted(pairs, key=lambda one: measures.index(one["measure"] or ""))
    table = pair_table(f"{id}-pairs", ordered, names, result["level"], sentences, average=average)
    blocks: list[Block] = [table]
    first = [one for one in ordered if (one["measure"] or "") == measures[0]]
    drawings: list[Drawing] = []
    if result.get("ranking"):
        drawings.append(_ranked(result["ranking"], measures[0], result["level"], average))
    if _MOST_IN_MATRIX >= len(names) > 2:
        drawings.append(_matrix(first, names, measures[0], result["level"], average))
    elif len(names) == 2:
        drawings += _of_two(first[0], sentences)
    blocks += [figure(f"{id}-{number}", one) for number, one in enumerate(drawings)]
    blocks.append(Paragraphs([one["words"] for one in ordered if one.get("words")], "Every difference in words"))
    if result.get("by"):
        blocks += [_group_differences(f"{id}-by-{split}", split, rows) for split, rows in result["by"].items() if rows]
    return blocks


def pair_table(
    id: str,
    pairs: Sequence[Data],
    names: Sequence[str],
    level: float,
    sentences: SentenceSet | None,
    *,
    average: str = "",
    treebanks: Sequence[str] = (),
) -> PageTable:
    """A row for each pair: both values, the difference, its interval, p, the verdict.

    Of an `average` over treebanks, or on each of `treebanks`, by which rows are then named, no units are counted.
    """
    is_adjusted = any(one["p_adjusted"] != one["p"] for one in pairs)
    two, has_units = len(names) == 2, not (average or treebanks)
    columns = ["treebank" if treebanks else "measure"]
    columns += (names[0], names[1]) if two else ("A", "B", "value of A", "value of B")
    columns += [f"{names[1]} − {names[0]}" if two else "B − A", f"{100 * level:g} % CI of the difference", "p"]
    columns += [*(["adjusted p"] if is_adjusted else []), "verdict"]
    if has_units:
        columns += [f"only {names[0]} right", f"only {names[1]} right"] if two else ["only A right", "only B right"]
    rows = []
    for place, one in enumerate(pairs):
        measure = one["measure"] or ""
        facts = facts_of(measure)
        row: list[PageCell] = [text_cell(treebanks[place]) if treebanks else text_cell(measure, facts.what)]
        row += [] if two else [text_cell(one["a"]), text_cell(one["b"])]
        row += [number_cell(one["value_a"], facts.factor), number_cell(one["value_b"], facts.factor)]
        row += [difference_cell(one["difference"], facts.factor)]
        row += [interval_cell(one["lower"], one["upper"], facts.factor, signed=True), p_cell(one["p"])]
        row += [p_cell(one["p_adjusted"])] if is_adjusted else []
        row += [text_cell(_verdict(one), one.get("words") or "")]
        row += _only_one_right(one, measure, sentences) if has_units else []
        rows.append(row)
    notes = ["Values in % unless the measure has another unit; differences in points."]
    return PageTable(id, f"Differences of {average} averages" if average else "Differences", columns, rows, notes)


def _only_one_right(one: Data, measure: str, sentences: SentenceSet | None) -> list[PageCell]:
    """How many units only the first, and only the second, has right."""
    lists = ["", ""]
    if sentences:
        lists = [sentences.lists.only_one_right(*both, measure) for both in _both_ways(one)]
    counts = one["counts"] or {}
    return [count_cell(counts.get(name), to=to) for name, to in zip(("YN", "NY"), lists, strict=True)]


def _both_ways(one: Data) -> tuple[tuple[str, str], tuple[str, str]]:
    return (one["a"], one["b"]), (one["b"], one["a"])


def _verdict(one: Data) -> str:
    """Which is better, in a few words."""
    if one["verdict"] != "different":
        return _VERDICTS.get(one["verdict"], str(one["verdict"]))
    better = (one["difference"] > 0) != bool(one["lower_is_better"])
    return f"{one['b'] if better else one['a']} is better"


# ---- drawn -----------------------------------------------------------------------------------------------------------


def _ranked(ranking: Sequence[Data], measure: str, level: float, average: str = "") -> Drawing:
    of = sorted((one for one in ranking if one["measure"] == measure), key=lambda one: one["rank"])
    systems = [
        ScoredSystem(one["name"], one["value"], one["lower"], one["upper"], (one["rank_lower"], one["rank_upper"]))
        for one in of
    ]
    called = f"{average.capitalize()}-averaged {measure}" if average else measure
    return score_intervals(systems, measure=called, percent=facts_of(measure).unit == "%", level=level)


def _matrix(pairs: Sequence[Data], names: Sequence[str], measure: str, level: float, average: str = "") -> Drawing:
    found = []
    for one in pairs:
        ends = (None, None) if one["lower"] is None else (-one["upper"], -one["lower"])
        found.append(PairDifference(one["a"], one["b"], -one["difference"], _symbol(one), one["p_adjusted"], *ends))
    called = f"{average}-averaged {measure}" if average else measure
    return pairwise_matrix(names, found, measure=called, percent=facts_of(measure).unit == "%", level=level)


def _symbol(one: Data) -> PairVerdict:
    """What a pair is, seen from its first system."""
    if one["verdict"] == "different":
        return "worse" if (one["difference"] > 0) != bool(one["lower_is_better"]) else "better"
    is_equivalent = one["verdict"] == "same" or bool((one.get("equivalence") or {}).get("holds"))
    return "equivalent" if is_equivalent else "unclear"


def _of_two(one: Data, sentences: SentenceSet | None) -> list[Drawing]:
    """How the errors of two systems overlap, and what differences chance would give."""
    found = []
    if one["counts"]:
        counts = {name.lower(): one["counts"][name] for name in ("YY", "YN", "NY", "NN")}
        family = facts_of(one["measure"] or "").family
        unit = "brackets" if family == "brackets" else "words"
        found.append(error_overlap(one["a"], one["b"], **counts, unit=unit, measure=one["measure"] or ""))
    if sentences and one["measure"]:
        found += _swapped(one, sentences)
    return found


def _swapped(one: Data, sentences: SentenceSet) -> list[Drawing]:
    """The differences that swapping the two systems on whole clusters gives, which are those that chance would give."""
    scores = {system.name: system.scores for system in sentences.evidence.systems}
    both = [scores.get(one["a"]), scores.get(one["b"])]
    if any(of is None or one["measure"] not in of.counts for of in both):
        return []
    clusters = sentences.evidence.clusters
    a, b = (clusters.summed(of.counts[one["measure"]]) for of in both if of is not None)
    measure = next(of.measures[one["measure"]].measure for of in both if of is not None)
    signs = np.random.default_rng(0).integers(0, 2, (_SWAPS, len(a))).astype(np.float64)
    swapped_a = signs @ b + (1 - signs) @ a
    differences = measure.value(swapped_a) - measure.value(a.sum(axis=0) + b.sum(axis=0) - swapped_a)
    reach = max(float(np.abs(differences).max()), abs(one["difference"])) * 1.05 or 1e-4
    counts, edges = np.histogram(differences, bins=_BINS, range=(-reach, reach))
    return [
        permutation_distribution(
            edges.tolist(),
            (counts / _SWAPS).tolist(),
            one["difference"],
            p=one["p"],
            measure=one["measure"],
            names=(one["b"], one["a"]),  # as tables have it, the second minus the first
            percent=measure.in_percent,
        )
    ]


def _group_differences(id: str, split: str, rows: Sequence[Data]) -> PageTable:
    """Where systems differ, as `--by` found it."""
    cells = []
    for one in rows:
        factor = facts_of(one["measure"] or "").factor
        cells.append(
            [
                text_cell(one["group"]),
                text_cell(one["measure"]),
                text_cell(one["a"]),
                text_cell(one["b"]),
                count_cell(one.get("gold")),
                number_cell(one["value_a"], factor),
                number_cell(one["value_b"], factor),
                difference_cell(one["difference"], factor),
                interval_cell(one["lower"], one["upper"], factor, signed=True),
                p_cell(one["p_adjusted"]),
            ]
        )
    columns = [split, "measure", "A", "B", "n", "value of A", "value of B", "B − A", "CI", "adjusted p"]
    notes = ["p is adjusted (Holm) over the groups of the split in which the systems differ."]
    return PageTable(id, f"Differences by {split}", columns, cells, notes, size_column=4, is_open=len(rows) <= 40)
