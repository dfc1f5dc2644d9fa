"""The paper's claims about its measures, each with a test over documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Floats
from karat._numbering import numbered_pairs
from karat.evaluation.all_pairs import AllPairs
from karat.evaluation.comparison_results import PairResult
from karat.evaluation.system_pair import System, Wanted
from karat.experiments.papers.acedanski_2010_scores import COLUMN, TAGSET, Scored, Scoring, SystemTags, statistic
from karat.inference.distributions import t_tail
from karat.inference.intervals import degrees_of_freedom, difference_interval
from karat.inference.options import InferenceOptions
from karat.inference.resampling import leave_one_out, standard_error
from karat.measures.measure import GOLD
from karat.measures.positional.errors import tag_differences
from karat.tagsets import read_tagset
from karat.tagsets._tagset import POS

SAID_TO_BE_COMMON = ("case", "gender", "number")


@dataclass(frozen=True, slots=True)
class TestedDifference:
    """A difference with its interval and its p (two-sided), over documents."""

    __test__ = False  # not a test, whatever pytest makes of its name

    value: float
    lower: float | None
    upper: float | None
    p: float

    @property
    def is_positive(self) -> bool | None:
        """Whether it is clearly above 0, or clearly not; None where that is open."""
        if self.lower is None or self.upper is None or self.lower <= 0 <= self.upper:
            return None
        return self.lower > 0


def compared(scored: Sequence[Scored], scoring: Scoring, options: InferenceOptions) -> list[PairResult]:
    """Every pair of systems by the F of a way to score, tested over documents, p adjusted for the number of pairs."""
    measure = scoring.measure()
    systems = [System(one.system, [{measure.name: one.counts[scoring.name]}]) for one in scored]
    pairs, _ = AllPairs(systems, scored[0].text.clusters, Wanted(options)).compared([measure])
    return pairs


def more_than(scored: Scored, less: str, more: str, options: InferenceOptions) -> TestedDifference:
    """How much larger a system's F is by one way to score than by another.

    Both are of the same words, so what a document scores by one can be swapped with what it scores by the other.
    """
    measure = Scoring(more, "exact").measure()
    systems = [System(name, [{measure.name: scored.counts[name]}]) for name in (less, more)]
    ((pair,), _) = AllPairs(systems, scored.text.clusters, Wanted(options)).compared([measure])
    ends = pair.interval.ends if pair.interval is not None else None
    lower, upper = ends or (None, None)
    return TestedDifference(pair.difference, lower, upper, pair.p)


def closer_together(scored: Scored, one: str, other: str, options: InferenceOptions) -> TestedDifference:
    """How much nearer precision and recall are by the second way to score than by the first: |P − R| − |P − R|."""
    precision, recall = statistic("P"), statistic("R")
    n_fields = scored.counts[one].shape[1]

    def apart(counts: Floats) -> Floats:
        return np.abs(precision(counts) - recall(counts))

    def value(counts: Floats) -> Floats:
        found: Floats = apart(counts[..., :n_fields]) - apart(counts[..., n_fields:])
        return found

    both = np.concatenate([scored.counts[one], scored.counts[other]], axis=1)
    return _tested(scored.text.clusters.summed(both), value, options)


def _tested(counts: Floats, value: object, options: InferenceOptions) -> TestedDifference:
    """A value of counts [clusters × fields] against 0: the jackknife's t."""
    assert callable(value)
    found, sizes = float(value(counts.sum(axis=0))), counts[:, GOLD]
    without = value(leave_one_out(counts))
    error, df = standard_error(without), degrees_of_freedom(sizes, without)
    p = min(1.0, 2 * t_tail(abs(found) / error, df)) if error else float(found == 0)
    ends = difference_interval(counts, value, options, sizes=sizes).ends
    lower, upper = ends or (None, None)
    return TestedDifference(found, lower, upper, p)


# ---- which categories go wrong ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class CategoryErrors:
    """How many words of a system have a wrong value of each category, the part of speech being one, and a test.

    `ahead` is by how many words the rarest of case, gender and number is before the most frequent of the other
    grammatical categories, among which the part of speech is not.
    """

    system: str
    n_words: int
    n_wrong: int
    counts: dict[str, int]
    ahead: TestedDifference

    @property
    def has_pos_before_one(self) -> bool:
        """Whether the part of speech is wrong more often than one of case, gender and number."""
        return self.counts.get(POS, 0) > min(self.counts.get(one, 0) for one in SAID_TO_BE_COMMON)


def category_errors(tagged: SystemTags, options: InferenceOptions) -> CategoryErrors:
    """What is wrong in the tags of a system that gives one tag to each word."""
    gold, system = tagged.text.gold.column(COLUMN), tagged.corpus.column(COLUMN)
    tagset = read_tagset(TAGSET)
    (ours, _), (theirs, _) = (tagset.parsed(one.vocabulary.strings) for one in (gold, system))
    left, right, pair_of_word = numbered_pairs(gold.ids, system.ids, len(ours), len(theirs))
    names = {name: number for number, name in enumerate((POS, *tagset.categories))}
    wrong = np.zeros((len(left), len(names)))
    for number, (one, other) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        for _, category, _, _ in tag_differences(ours[one], theirs[other], frozenset()):
            wrong[number, names[category]] = 1
    sentence = tagged.text.gold.words_sentence
    of_words = wrong[pair_of_word]
    n_sentences = tagged.text.gold.n_sentences
    by_sentence = np.stack(
        [np.bincount(sentence, weights=column, minlength=n_sentences) for column in of_words.T], axis=1
    )
    sums = by_sentence.sum(axis=0)
    said = [names[one] for one in SAID_TO_BE_COMMON]
    others = [number for name, number in names.items() if number not in said and name != POS]
    last, first = min(said, key=lambda one: sums[one]), max(others, key=lambda one: sums[one])
    words = np.bincount(sentence, minlength=n_sentences).astype(np.float64)
    counts = tagged.text.clusters.summed(np.column_stack([words, by_sentence[:, last] - by_sentence[:, first]]))
    ahead = _tested(counts, lambda summed: summed[..., 1], options)
    ranked = sorted(names, key=lambda name: -sums[names[name]])
    found = {name: int(sums[names[name]]) for name in ranked if sums[names[name]]}
    return CategoryErrors(tagged.system, len(sentence), int(of_words.any(axis=1).sum()), found, ahead)
