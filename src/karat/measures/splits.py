"""A measure's counts split into groups: of words (by tag, by relation, by arc, by a lexicon) or of sentences.

Features and categories of tags are no groups of words, for a word has several: they have measures of their own
(`OWN_MEASURES`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Floats, Ids, Indices
from karat._numbering import numbered_pairs
from karat.corpus import Annotated
from karat.corpus.lexicon import AMBIGUOUS, UNAMBIGUOUS, UNKNOWN, Lexicon
from karat.measures.measure import AlignedMeasure, Measure, Places
from karat.measures.words.arcs import DIRECTIONS, LENGTHS, arc_directions, arc_lengths
from karat.measures.words.comparison import Comparison, at
from karat.measures.words.dependencies import without_subtype

_LENGTHS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, None))


@dataclass(frozen=True, slots=True, eq=False)
class WordGroups:
    """A group for every gold word and every system word; `label` is what the groups are made of.

    Groups that are `ordered` are shown in their order, others the most frequent first.
    """

    names: Sequence[str]
    gold: Ids
    system: Ids
    label: str | None = None
    ordered: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SentenceGroups:
    """A group for every row."""

    names: Sequence[str]
    rows: Indices


def groups_by(split: str, comparison: Comparison) -> WordGroups | SentenceGroups:
    """The groups of one of the SPLITS."""
    return SPLITS[split](comparison)


def _labels(
    column: str, name: str, transform: Callable[[str], str] | None = None
) -> Callable[[Comparison], WordGroups]:
    def groups(comparison: Comparison) -> WordGroups:
        gold, system = comparison.codes(column, transform)
        names = np.empty(max(gold.max(initial=-1), system.max(initial=-1)) + 1, dtype=object)
        for corpus, codes in ((comparison.system, system), (comparison.gold, gold)):
            values = corpus.column(column)
            place = np.zeros(len(values.vocabulary), dtype=np.intp)
            place[values.ids] = codes  # every word of one value has the same code
            texts = values.vocabulary.strings
            names[place] = [transform(text) if transform else text for text in texts]
        return WordGroups(names.tolist(), gold, system, label=name)

    return groups


def document_groups(gold: Annotated) -> SentenceGroups:
    """The sentences by document."""
    names = [name or f"document {number}" for number, name in enumerate(gold.document_names, start=1)]
    distinct = {name: number for number, name in enumerate(dict.fromkeys(names))}  # files may share a document's name
    groups = np.array([distinct[name] for name in names] or [0])
    return SentenceGroups(list(distinct) or [gold.path], groups.take(gold.sentence_document))


def length_groups(lengths: Indices) -> SentenceGroups:
    """The sentences by their number of words."""
    names = [f"{low}–{high}" if high else f"{low}+" for low, high in _LENGTHS]
    return SentenceGroups(names, np.searchsorted([low for low, _ in _LENGTHS][1:], lengths, side="right"))


SPLITS: dict[str, Callable[[Comparison], WordGroups | SentenceGroups]] = {
    "upos": _labels("upos", "upos"),
    "xpos": _labels("xpos", "xpos"),
    "deprel": _labels("deprel", "deprel", without_subtype),
    "full-deprel": _labels("deprel", "full-deprel"),
    "distance": lambda comparison: WordGroups(LENGTHS, *arc_lengths(comparison), "distance", ordered=True),
    "direction": lambda comparison: WordGroups(DIRECTIONS, *arc_directions(comparison), "direction", ordered=True),
    "form": _labels("form", "form"),
    "document": lambda comparison: document_groups(comparison.gold),
    "length": lambda comparison: length_groups(np.diff(comparison.gold.sentence_offsets)),
}
OWN_MEASURES = ("feats", "category")
SPLIT_NEEDS = {"upos": "upos", "xpos": "xpos", "deprel": "deprel", "full-deprel": "deprel", "distance": "head"}
SPLIT_NEEDS |= {"direction": "head", "feats": "feats"}

_SHOWN_BY = {  # what splits show, unless measures were named: a few that people ask for
    "xpos": ("XPOS", "LAS"),
    "deprel": ("UAS", "LAS"),
    "full-deprel": ("FullLAS",),
    "distance": ("UAS", "LAS"),
    "direction": ("UAS", "LAS"),
    "lexicon": ("UPOS", "Lemmas", "LAS"),
}
_SHOWN = ("UPOS", "LAS", "Labelled F1", "Recall-hard", "Precision-hard", "Crossing Rate", "Complete Match")


def measures_shown(split: str, available: Sequence[str]) -> list[str]:
    """The measures that a split is shown by where none were named; all where it has none of those."""
    return [name for name in _SHOWN_BY.get(split, _SHOWN) if name in available] or list(available)


def groups_by_lexicon(lexicon: Lexicon, comparison: Comparison) -> WordGroups:
    """Words unknown to a lexicon, known with one tag and known with several."""
    names = [""] * 3
    names[UNKNOWN], names[UNAMBIGUOUS], names[AMBIGUOUS] = "unknown", "unambiguous", "ambiguous"
    return WordGroups(names, lexicon.classes(comparison.gold), lexicon.classes(comparison.system))


def known_by_lexicon(lexicon: Lexicon, comparison: Comparison) -> WordGroups:
    """Words unknown and known to a lexicon."""
    gold, system = (lexicon.classes(side) != UNKNOWN for side in (comparison.gold, comparison.system))
    return WordGroups(["unknown", "known"], gold.astype(np.int32), system.astype(np.int32))


@dataclass(frozen=True, slots=True, eq=False)
class RowCounts:
    """The counts [rows × fields] of a measure in the rows that have any; rows are numbered among those in the test."""

    measure: Measure
    rows: Indices
    counts: Floats


Groups = dict[str, dict[str, RowCounts]]  # group → measure → counts


def grouped(names: Sequence[str], measured: Sequence[Mapping[str, RowCounts]]) -> Groups:
    """What several measures have by group, in the order of the groups' names, of those that have any."""
    found: Groups = {name: {} for name in names}
    for of_groups in measured:
        for name, counts in of_groups.items():
            found[name][counts.measure.name] = counts
    return {name: of for name, of in found.items() if of}


def row_counts(measure: Measure, counts: Floats) -> RowCounts:
    """Those rows of counts [all rows in the test × fields] that have any."""
    rows = np.flatnonzero(counts.any(axis=1))
    return RowCounts(measure, rows, counts[rows])


def rows_by_group(measure: Measure, counts: Floats, groups: SentenceGroups) -> dict[str, RowCounts]:
    """The counts of rows in the test by the rows' groups, of the groups that have any."""
    return _by_group(measure, groups.names, groups.rows, np.arange(len(counts)), counts)


def group_row_counts(
    measures: Sequence[AlignedMeasure], comparison: Comparison, groups: WordGroups | SentenceGroups
) -> list[dict[str, RowCounts]]:
    """Of each measure the counts of each group row by row, of the groups that have any; none if its units are no words.

    A system word belongs to the group of its own label where being right includes having that label (UPOS by upos, LAS
    by deprel), so that precision and recall of a label are the usual ones. Otherwise it goes with the gold word that it
    matches, and by its own label only if it matches none.
    """
    if isinstance(groups, SentenceGroups):
        kept = comparison.alignment.kept
        of_kept = SentenceGroups(groups.names, groups.rows[kept])
        return [rows_by_group(one, one.counts(comparison)[kept], of_kept) for one in measures]
    cells = {by_own_label: _cells(comparison, groups, by_own_label) for by_own_label in (True, False)}
    found = []
    for measure in measures:
        rows, of_cells, places = cells[groups.label in measure.settles]
        counts = measure.grouped(comparison, places)
        found.append({} if counts is None else _by_group(measure, groups.names, of_cells, rows, counts))
    return found


def _cells(comparison: Comparison, groups: WordGroups, by_own_label: bool) -> tuple[Indices, Indices, Places]:
    """The rows and groups of cells, which are rows with a group in them, group by group; and the cell of each word."""
    alignment = comparison.alignment
    pairs = at(groups.gold, alignment.gold_words)
    system = groups.system
    if not by_own_label:
        system = system.copy()
        system[alignment.system_words] = pairs
    nowhere = len(groups.names)  # the group of words that are in no row of the test; it comes last
    number = np.cumsum(alignment.kept) - 1  # of every row among those in the test
    rows = comparison.gold.words_sentence, alignment.system_rows, comparison.matching_rows
    of_words = [
        np.where(alignment.kept.take(row), group, nowhere)
        for row, group in zip(rows, (groups.gold, system, pairs), strict=True)
    ]
    every_row = np.maximum(number.take(np.concatenate(rows)), 0)
    of_cells, rows_of_cells, cells = numbered_pairs(np.concatenate(of_words), every_row, nowhere + 1, len(number))
    n_cells = int(np.searchsorted(of_cells, nowhere))
    of_gold, of_system, of_pairs = np.split(np.minimum(cells, n_cells), np.cumsum([len(one) for one in rows])[:-1])
    return rows_of_cells[:n_cells], of_cells[:n_cells], Places(of_gold, of_system, of_pairs, n_cells)


def _by_group(
    measure: Measure, names: Sequence[str], groups: Indices, rows: Indices, counts: Floats
) -> dict[str, RowCounts]:
    """Cells, each with a group, a row and counts, by group; those without any counts are left out."""
    some = np.flatnonzero(counts.any(axis=1))
    some = some[np.argsort(groups[some], kind="stable")]
    ends = np.searchsorted(groups[some], np.arange(len(names) + 1))
    found = {}
    for number in np.flatnonzero(np.diff(ends)).tolist():
        chosen = some[ends[number] : ends[number + 1]]
        found[names[number]] = RowCounts(measure, rows[chosen], counts[chosen])
    return found
