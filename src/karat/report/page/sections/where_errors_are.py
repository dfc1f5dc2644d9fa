"""Where the errors of systems are: by group, by confusion, and where one system is right and another one wrong."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from karat.evaluation.results import MeasureScore
from karat.inference.intervals import ONE_SIDED
from karat.measures.measure import CORRECT, GOLD, SYSTEM
from karat.report.draw.confusion_matrix import confusion_matrix
from karat.report.draw.curves import Point, Series, curves
from karat.report.draw.svg import Drawing
from karat.report.page.cells import PageCell, PageTable, count_cell, interval_cell, number_cell, text_cell
from karat.report.page.evidence import Group, SystemEvidence
from karat.report.page.parts import Block, Lengths, Links, figure
from karat.report.page.sentence_sets import BEFORE, SentenceSet

_FIRST = (("UPOS", "upos"), ("XPOS", "xpos"), ("LAS", "deprel"), ("Labelled F1", "label"))  # open at once
_MOST_GROUPS = 60
_MOST_CONFUSIONS = 25
_MOST_SENTENCES = 20_000  # whose counts a page can hold
_MOST_PAIRS = 6
_MOST_NAMED = 3  # systems whose errors are told in words


def error_blocks(id: str, found: SentenceSet) -> list[Block]:
    """Who is right where the other is wrong, splits with intervals, confusions."""
    return [*_pair_links(found), *_groups(id, found), *_lengths(id, found), *_confusions(id, found)]


def errors_in_words(found: SentenceSet) -> list[str]:
    """Where most errors of each system are, in a sentence."""
    said = []
    now = [one for one in found.evidence.systems if not one.name.endswith(BEFORE)]
    for system in now[:_MOST_NAMED]:
        most = _most_confused(found, system) or _most_missed(found, system)
        if most:
            said.append(f"Most errors of {system.name}: {most}.")
    return said


def _most_confused(found: SentenceSet, system: SystemEvidence) -> str:
    for column in found.evidence.confusions:
        top = system.scores.confusions[column].top[:3] if column in system.scores.confusions else ()
        if top:
            return ", ".join(f"{one.system} for {one.gold} ({one.count:,})" for one in top)
    return ""


def _most_missed(found: SentenceSet, system: SystemEvidence) -> str:
    """The labels of brackets that the system misses most often."""
    measure = next(iter(found.evidence.headlines), "")
    units = system.units(measure)
    if units is None or units.labels is None:
        return ""
    missed = np.bincount(units.labels[~units.right], minlength=len(units.names))
    order = np.argsort(-missed, kind="stable")[:3].tolist()
    return ", ".join(f"{units.names[n]} missed ({missed[n]:,})" for n in order if missed[n])


def _pair_links(found: SentenceSet) -> list[Block]:
    """Lists of what one system has right and another one wrong, by the measures people look at first."""
    systems = [one.name for one in found.evidence.systems]
    links = []
    for measure in found.evidence.headlines[:2]:
        for a, b in list(combinations(systems, 2))[: _MOST_PAIRS if len(systems) < 4 else 3]:
            for right, wrong in ((a, b), (b, a)):
                name = found.lists.only_one_right(right, wrong, measure)
                if name:
                    links.append((name, found.lists.words_of(name)))
    return [Links("One system right, the other wrong", links)] if links else []


def _groups(id: str, found: SentenceSet) -> list[Block]:
    blocks: list[Block] = []
    for split in found.evidence.splits:
        by_measure: dict[str, list[Group]] = {}
        for group in found.evidence.groups(split):
            by_measure.setdefault(group.measure.name, []).append(group)
        for measure, groups in by_measure.items():
            if all(one is None or one.value == 1 for group in groups for one in group.scores):
                continue  # nothing is wrong
            blocks.append(_group_table(f"{id}-{split}-{len(blocks)}", split, measure, groups, found))
            if split == "length" and len(groups) > 1 and measure == found.evidence.headlines[0]:
                blocks.append(figure(f"{id}-curve", _length_curve(measure, groups, found)))
    return blocks


def _group_table(id: str, split: str, measure: str, groups: Sequence[Group], found: SentenceSet) -> PageTable:
    systems = [one.name for one in found.evidence.systems]
    factor = groups[0].measure.factor
    ci = f"{100 * found.evidence.level:g} % CI"
    columns = [split, "n", *(name for system in systems for name in (system, ci))]
    rows: list[list[PageCell]] = []
    for group in groups[:_MOST_GROUPS]:
        row = [text_cell(group.name or "(none)"), count_cell(group.size)]
        for system, one in zip(systems, group.scores, strict=True):
            to = found.lists.in_group(system, measure, split, group.name)
            row.append(number_cell(None if one is None else one.value, factor, to=to))
            lower, upper = (one.interval.lower, one.interval.upper) if one and one.interval else (None, None)
            is_one_sided = one is not None and one.interval is not None and one.interval.method == ONE_SIDED
            row.append(interval_cell(lower, upper, factor, is_one_sided=is_one_sided))
        rows.append(row)
    left = len(groups) - len(rows)
    notes = [f"The {len(rows)} largest of {len(groups):,} groups."] if left else []
    over = "sentences" if split == "document" else "documents or sentences with units of the group"
    is_f1 = groups[0].measure.value.name == "f1"
    what = "F1 in %. " if is_f1 else "In %. " if groups[0].measure.in_percent else ""
    notes.append(f"{what}n: units in the gold. Intervals over {over}; groups were looked at without adjustment.")
    unit = "" if groups[0].measure.in_percent else f" ({groups[0].measure.unit})"
    is_first = measure == found.evidence.headlines[0]
    is_open = (measure, split) in _FIRST or (split in ("length", "lexicon") and is_first)
    return PageTable(id, f"{measure}{unit} by {split}", columns, rows, notes, size_column=1, is_open=is_open)


def _length_curve(measure: str, groups: Sequence[Group], found: SentenceSet) -> Drawing:
    """How scores go with the length of sentences."""
    factor = groups[0].measure.factor
    series = []
    for number, system in enumerate(found.evidence.systems):
        points = []
        for place, group in enumerate(groups, 1):
            one = group.scores[number]
            if one is not None:
                ends = one.interval.ends if one.interval else None
                lower, upper = (None, None) if ends is None else (factor * ends[0], factor * ends[1])
                words = f"{group.name} words: {factor * one.value:.2f}"
                points.append(Point(place, factor * one.value, lower, upper, words))
        series.append(Series(system.name, points))
    unit = "%" if groups[0].measure.in_percent else groups[0].measure.unit
    return curves(
        series,
        title=f"{measure} by length of sentences",
        axes=("words in a sentence", f"{measure} ({unit})"),
        x_labels=[(place, group.name) for place, group in enumerate(groups, 1)],
        name=f"length-{measure}",
    )


def _lengths(id: str, found: SentenceSet) -> list[Block]:
    """Counts of every sentence, so that the reader can group them by limits of their own."""
    measure = next(iter(found.evidence.headlines), None)
    if measure is None or found.evidence.has_trees or len(found.evidence.rows) > _MOST_SENTENCES:
        return []
    scores = [one.scores for one in found.evidence.systems]
    first: MeasureScore = scores[0].measures[measure]
    if not first.measure.has_parts or first.measure.value.name != "f1":
        return []
    gold = found.evidence.gold
    clusters = found.evidence.clusters
    lengths = (gold.sentence_offsets[1:] - gold.sentence_offsets[:-1])[found.evidence.rows]
    counts = [one.counts[measure][:, [GOLD, SYSTEM, CORRECT]].astype(int).tolist() for one in scores]
    rows = [
        [length, cluster, *(count for of in each for count in of)]
        for length, cluster, *each in zip(lengths.tolist(), clusters.of_sentence.tolist(), *counts, strict=True)
    ]
    names = [one.name for one in found.evidence.systems]
    return [Lengths(f"{id}-lengths", measure, names, rows, found.evidence.level)]


def _confusions(id: str, found: SentenceSet) -> list[Block]:
    blocks: list[Block] = []
    for column in found.evidence.confusions:
        for number, system in enumerate(found.evidence.systems):
            confusions = system.scores.confusions.get(column)
            if confusions is None or not confusions.top:
                continue
            counts = {
                (gold, given): count
                for gold, row in zip(confusions.labels, confusions.matrix.tolist(), strict=True)
                for given, count in zip(confusions.labels, row, strict=True)
                if count
            }
            every = sorted((-count, *pair) for pair, count in counts.items() if pair[0] != pair[1])
            rows, links = [], {}
            for less, gold, given in every[:_MOST_CONFUSIONS]:
                to = found.lists.confusion(system.name, column, gold, given)
                links[gold, given] = f"#{to}"
                rows.append([text_cell(gold), text_cell(given), count_cell(-less, to=to)])
            name = f"{id}-{column}-{number}"
            drawing = confusion_matrix(counts, column=column, system=system.name, labels=confusions.labels, links=links)
            blocks.append(figure(name, drawing))
            title = f"{system.name}: most frequent confusions of {column}"
            left = len(every) - len(rows)
            notes = [f"{left:,} rarer ones are not listed."] if left else []
            blocks.append(PageTable(f"{name}-top", title, ["gold", system.name, "times"], rows, notes))
    return blocks
