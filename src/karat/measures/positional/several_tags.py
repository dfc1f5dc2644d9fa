"""Tags scored by how much of them is right, several tags a word on either side [Acedański & Przepiórkowski 2010, §3.1].

With T the system's tags of a word, G the gold's and score(t, A) the best score of t with a tag of A:

    P  = Σ Σ score(t, G) / Σ |T|            over the system's tags
    R  = Σ Σ score(g, T) / Σ |G|            over the gold's tags
    F  = 2PR / (P + R)
    WC = mean of the best score of a word's tags
    SC = mean of the worst score of all its tags, on both sides

A word without a tag scores 0 and still counts. A gold word that the system splits or joins otherwise is a miss; counted
as a hit instead, the `if_hit` values are the upper ends of what a right segmentation could have given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Floats, Indices
from karat._numbering import numbered_pairs
from karat._ragged import owners_of, stretches
from karat.corpus import Corpus
from karat.errors import DataError, Problem
from karat.measures.measure import (
    CORRECT,
    FIELDS,
    GOLD,
    SYSTEM,
    AlignedMeasure,
    GoldUnits,
    HarmonicMean,
    Places,
    Ratio,
    Statistic,
    recall,
)
from karat.measures.positional.accuracy import ScoreTable, TagScoring, score_table
from karat.measures.positional.word_tags import WordTags, word_tags
from karat.measures.words.comparison import Comparison, at
from karat.tagsets import Tag, TagError

# gold tags, system tags, what the gold's tags score, aligned words; what the system's tags score, weak and strong
# correctness, gold words; and of words that are not aligned: gold tags, system tags, gold words
PRECISE, WEAK, STRONG, WORDS, LOST_GOLD, LOST_SYSTEM, LOST_WORDS = range(len(FIELDS), len(FIELDS) + 7)
GRADED_FIELDS = (*FIELDS, "precise", "weak", "strong", "words", "lost gold", "lost system", "lost words")

_MOST_PAIRS = 50_000_000  # of different tags: three tables of 400 MB

_precision = Ratio("precision", (PRECISE,), (SYSTEM,))
_f1 = HarmonicMean("f1", _precision, recall)
_hit_precision = Ratio("precision_if_hit", (PRECISE, LOST_SYSTEM), (SYSTEM,))
_hit_recall = Ratio("recall_if_hit", (CORRECT, LOST_GOLD), (GOLD,))
_weak = Ratio(
    "weak_correctness", (WEAK,), (WORDS,), title="WC", what="weak correctness, the best score of a word's tags"
)
_strong = Ratio(
    "strong_correctness", (STRONG,), (WORDS,), title="SC",
    what="strong correctness, the worst score of a word's tags on both sides",
)  # fmt: skip
_if_hit = HarmonicMean(
    "if_hit", _hit_precision, _hit_recall, "if hit",
    "F1 if gold words that the system tokenises differently counted as right, not as wrong",
)  # fmt: skip
_STATISTICS: Mapping[str, Statistic] = {one.name: one for one in (_f1, _precision, recall, _weak, _strong)}
_EXTRAS: Mapping[str, Statistic] = {one.name: one for one in (_weak, _strong, _if_hit)}


@dataclass(frozen=True, slots=True)
class TagColumn:
    """Where a corpus has its tags: a column, perhaps with FEATS, or with probabilities in every second cell."""

    name: str
    with_features: bool = False
    with_probabilities: bool = False

    @property
    def needs(self) -> tuple[str, ...]:
        return (self.name,)

    def read(self, corpus: Corpus) -> WordTags:
        with_features = self.with_features and corpus.has("feats")
        return word_tags(corpus, self.name, with_features=with_features, with_probabilities=self.with_probabilities)


@dataclass(frozen=True, slots=True, eq=False)
class WordScores:
    """What each pair of matching words scores: all its gold tags, all its system tags, the best tag, the worst."""

    of_gold: Floats
    of_system: Floats
    weak: Floats
    strong: Floats


class GradedTags(AlignedMeasure):
    """One score of tags, as a measure."""

    family = "rich tags"
    source = "Acedański & Przepiórkowski 2010"
    fields = GRADED_FIELDS
    has_aligned = False
    of_words = True
    value: Statistic = _f1
    statistics = _STATISTICS
    extras = _EXTRAS

    def __init__(self, score: str, column: TagColumn, how: TagScoring) -> None:
        self.name, self.column, self.how = score, column, how
        self.needs = column.needs
        self.what = _WHAT[score]

    def shows_extra(self, name: str, extra: float, value: float) -> bool:
        return name != _if_hit.name or extra != value  # where all words match, it says nothing

    def sides(self, comparison: Comparison) -> tuple[WordTags, WordTags]:
        """The tags of all gold and all system words."""
        key = ("word tags", self.column)
        return comparison.kept(key, lambda: (self.column.read(comparison.gold), self.column.read(comparison.system)))

    def parsed(self, comparison: Comparison) -> tuple[list[Tag | None], list[Tag | None], list[TagError]]:
        """The distinct tags of both sides taken apart, and what is wrong with those that cannot be."""

        def made() -> tuple[list[Tag | None], list[Tag | None], list[TagError]]:
            sides = self.sides(comparison)
            if len(sides[0].texts) * len(sides[1].texts) > _MOST_PAIRS:
                numbers = " and ".join(f"{len(side.texts):,}" for side in sides)
                message = f"{numbers} different tags are too many to compare with each other"
                raise DataError(Problem("K803", message, comparison.gold.path, hint="is this the column of tags?"))
            (ours, wrong), (theirs, wrong_there) = (self.how.tagset.parsed(side.texts) for side in sides)
            if wrong and not any(ours):
                message = f"none of the gold's tags is in the tagset {self.how.tagset.name}; {wrong[0]}"
                hint = "is it another tagset, or another column? karat tagset check lists all tags that fail"
                raise DataError(Problem("K802", message, comparison.gold.path, hint=hint))
            return ours, theirs, wrong + wrong_there

        return comparison.kept(("parsed tags", self.column, self.how.tagset.name), made)

    def word_scores(self, comparison: Comparison) -> WordScores:
        """The scores of all pairs of matching words."""

        def made() -> WordScores:
            ours, theirs = self.sides(comparison)
            our_tags, their_tags, _ = self.parsed(comparison)
            number = {text: code for code, text in enumerate(theirs.texts)}
            same = np.zeros((len(ours.texts), len(theirs.texts)), dtype=np.bool_)
            for code, text in enumerate(ours.texts):
                if text in number:
                    same[code, number[text]] = True
            table = score_table(our_tags, their_tags, same, self.how, self.name)
            alignment = comparison.alignment
            pairs = at(ours.sets, alignment.gold_words), at(theirs.sets, alignment.system_words)
            return _word_scores(ours, theirs, pairs[0].astype(np.intp), pairs[1].astype(np.intp), table)

        return comparison.kept(("word scores", self.name, self.column, self.how), made)

    def counts(self, comparison: Comparison) -> Floats:
        rows = comparison.gold.words_sentence, comparison.alignment.system_rows, comparison.matching_rows
        return self._tallied(comparison, rows, comparison.n_rows)

    def grouped(self, comparison: Comparison, places: Places) -> Floats:
        return self._tallied(comparison, (places.gold, places.system, places.pairs), places.n + 1)[: places.n]

    def _tallied(self, comparison: Comparison, rows: tuple[Indices, Indices, Indices], n: int) -> Floats:
        """The counts [n × fields], given a row for every gold word, every system word and every matching pair."""
        of_gold, of_system, of_pairs = rows
        ours, theirs = self.sides(comparison)
        scores = self.word_scores(comparison)
        alignment = comparison.alignment
        counts = np.zeros((n, len(GRADED_FIELDS)))

        def tally(field: int, where: Indices, weights: Floats | Indices | None = None) -> None:
            counts[:, field] = np.bincount(where, weights=weights, minlength=n)

        n_ours, n_theirs = ours.sizes.take(ours.sets), theirs.sizes.take(theirs.sets)
        tally(GOLD, of_gold, n_ours)
        tally(SYSTEM, of_system, n_theirs)
        tally(CORRECT, of_pairs, scores.of_gold)
        tally(PRECISE, of_pairs, scores.of_system)
        tally(WEAK, of_pairs, scores.weak)
        tally(STRONG, of_pairs, scores.strong)
        tally(WORDS, of_gold)
        lost, lost_there = _others(len(n_ours), alignment.gold_words), _others(len(n_theirs), alignment.system_words)
        tally(LOST_GOLD, of_gold[lost], n_ours[lost])
        tally(LOST_SYSTEM, of_system[lost_there], n_theirs[lost_there])
        tally(LOST_WORDS, of_gold[lost])
        return counts

    def gold_units(self, comparison: Comparison) -> GoldUnits:
        """The gold words; one is found if all its tags, and no others, are right in full."""
        right = np.zeros(comparison.gold.n_words, dtype=np.bool_)
        right[comparison.alignment.gold_words] = self.word_scores(comparison).strong >= 1
        return GoldUnits(comparison.gold.words_sentence, right, np.arange(len(right)))

    def notes(self, comparison: Comparison) -> list[str]:
        """What must not be overlooked: tags that cannot be taken apart."""
        _, _, wrong = self.parsed(comparison)
        found = []
        if wrong:
            some = "; ".join(dict.fromkeys(str(error) for error in wrong[:3]))
            found.append(
                f"{len({error.tag for error in wrong})} tags are not in the tagset {self.how.tagset.name} and are "
                f"right only where the other side has the same text: {some}"
            )
        return found

    def weightless(self, comparison: Comparison) -> tuple[str, ...]:
        """The categories of all tags that this score weighs and for which there is no weight."""
        ours, theirs, _ = self.parsed(comparison)
        return self.how.weightless([*ours, *theirs], self.name)


_WHAT = {
    "exact": "whole tags",
    "pos": "parts of speech",
    "PA": "positions of tags: positional accuracy",
    "WPA": "weighted positional accuracy",
    "CWPA": "the same, weights by part of speech",
}


def _others(n: int, chosen: Indices) -> Flags:
    others = np.ones(n, dtype=np.bool_)
    others[chosen] = False
    return others


def _word_scores(ours: WordTags, theirs: WordTags, gold: Indices, system: Indices, table: ScoreTable) -> WordScores:
    """The scores of pairs of sets, worked out once for each distinct pair."""
    our_sets, their_sets, pair_of_word = numbered_pairs(gold, system, len(ours.sizes), len(theirs.sizes))
    of_gold, of_system, weak, strong = _set_scores(ours, theirs, our_sets, their_sets, table.score)
    return WordScores(of_gold[pair_of_word], of_system[pair_of_word], weak[pair_of_word], strong[pair_of_word])


def _set_scores(
    ours: WordTags, theirs: WordTags, our_sets: Indices, their_sets: Indices, scores: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Of each pair of sets: Σ score(g, T), Σ score(t, G), the best score and the worst; all 0 where a side is empty."""
    n_ours, n_theirs = ours.sizes.take(our_sets), theirs.sizes.take(their_sets)
    sums = [np.zeros(len(our_sets)) for _ in range(4)]
    some = np.flatnonzero((n_ours > 0) & (n_theirs > 0))
    if not len(some):
        return sums[0], sums[1], sums[2], sums[3]
    n_ours, n_theirs = n_ours[some], n_theirs[some]
    n_each = n_ours * n_theirs
    place = stretches(0, n_each)  # among the pairs of tags of a pair of sets
    width = np.repeat(n_theirs, n_each)
    of_ours, of_theirs = np.divmod(place, width)
    our_tag = ours.members.values.take(np.repeat(ours.members.offsets.take(our_sets[some]), n_each) + of_ours)
    their_tag = theirs.members.values.take(np.repeat(theirs.members.offsets.take(their_sets[some]), n_each) + of_theirs)
    score = scores[our_tag, their_tag]
    of_gold = np.maximum.reduceat(score, np.flatnonzero(of_theirs == 0))  # the best for each gold tag
    start_gold = np.cumsum(n_ours) - n_ours
    turned = np.lexsort((of_ours, of_theirs, owners_of(n_each)))
    of_system = np.maximum.reduceat(score[turned], np.flatnonzero(of_ours[turned] == 0))  # and for each system tag
    start_system = np.cumsum(n_theirs) - n_theirs
    sums[0][some] = np.add.reduceat(of_gold, start_gold)
    sums[1][some] = np.add.reduceat(of_system, start_system)
    sums[2][some] = np.maximum.reduceat(of_gold, start_gold)
    worst = np.minimum.reduceat(of_gold, start_gold), np.minimum.reduceat(of_system, start_system)
    sums[3][some] = np.minimum(*worst)
    return sums[0], sums[1], sums[2], sums[3]
