"""A measure's counts split into groups: of words (by tag, by relation, by a lexicon) or of sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices
from karat.corpus import Annotated
from karat.corpus.lexicon import AMBIGUOUS, UNAMBIGUOUS, UNKNOWN, Lexicon
from karat.measures.measure import ALIGNED, CORRECT, FIELDS, GOLD, SYSTEM, AlignedMeasure, WordMeasure
from karat.measures.words.comparison import Comparison, at
from karat.measures.words.dependencies import without_subtype

__all__ = ["SPLITS", "SentenceGroups", "WordGroups", "document_groups", "group_counts", "groups_by"]
__all__ += ["groups_by_lexicon", "length_groups"]

_LENGTHS = ((1, 10), (11, 20), (21, 30), (31, 40), (41, None))


@dataclass(frozen=True, slots=True, eq=False)
class WordGroups:
    """A group for every gold word and every system word; `label` is the column that the groups come from."""

    names: list[str]
    gold: Ids
    system: Ids
    label: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class SentenceGroups:
    """A group for every row."""

    names: list[str]
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
    "form": _labels("form", "form"),
    "document": lambda comparison: document_groups(comparison.gold),
    "length": lambda comparison: length_groups(np.diff(comparison.gold.sentence_offsets)),
}
SPLIT_NEEDS = {"upos": "upos", "xpos": "xpos", "deprel": "deprel", "full-deprel": "deprel"}


def groups_by_lexicon(lexicon: Lexicon, comparison: Comparison) -> WordGroups:
    """Words unknown to a lexicon, known with one tag and known with several."""
    names = [""] * 3
    names[UNKNOWN], names[UNAMBIGUOUS], names[AMBIGUOUS] = "unknown", "unambiguous", "ambiguous"
    return WordGroups(names, lexicon.classes(comparison.gold), lexicon.classes(comparison.system))


def group_counts(measure: AlignedMeasure, comparison: Comparison, groups: WordGroups | SentenceGroups) -> Floats | None:
    """The summed counts of each group [groups × FIELDS]; None where the measure's units are not words.

    A system word belongs to the group of its own label where being right includes having that label (UPOS by upos, LAS
    by deprel), so that precision and recall of a label are the usual ones. Otherwise it goes with the gold word that it
    matches, and by its own label only if it matches none.
    """
    kept = comparison.alignment.kept
    if isinstance(groups, SentenceGroups):
        counts = np.zeros((len(groups.names), len(measure.fields)))
        np.add.at(counts, groups.rows[kept], measure.counts(comparison)[kept])
        return counts
    if not isinstance(measure, WordMeasure):
        return measure.grouped(comparison, groups.gold, groups.system, len(groups.names))
    return _word_group_counts(measure, comparison, groups)


def _word_group_counts(measure: WordMeasure, comparison: Comparison, groups: WordGroups) -> Floats:
    alignment = comparison.alignment
    outcome = measure.outcome(comparison)
    system_groups = groups.system
    if groups.label not in measure.settles:
        system_groups = system_groups.copy()
        system_groups[alignment.system_words] = at(groups.gold, alignment.gold_words)
    pairs = at(groups.gold, alignment.gold_words)
    aligned = None if outcome.gold is None else at(outcome.gold, alignment.gold_words)
    counts = np.empty((len(groups.names), len(FIELDS)))
    for field, codes, rows, chosen in (
        (GOLD, groups.gold, comparison.gold.words_sentence, outcome.gold),
        (SYSTEM, system_groups, alignment.system_rows, outcome.system),
        (CORRECT, pairs, comparison.matching_rows, outcome.right),
        (ALIGNED, pairs, comparison.matching_rows, aligned),
    ):
        counts[:, field] = _group_sizes(codes, rows, chosen, alignment.kept, len(groups.names))
    return counts


def _group_sizes(codes: Ids, rows: Indices, chosen: Flags | None, kept: Flags, n_groups: int) -> Indices:
    if not kept.all():
        in_kept = kept.take(rows)
        chosen = in_kept if chosen is None else chosen & in_kept
    return np.bincount(codes if chosen is None else codes[chosen], minlength=n_groups)
