"""Every pair of several systems by every measure, and their ranking, from counts.

One decision a pair, its verdict, is behind all: groups and ranks are counted from it, and so never contradict it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from karat._arrays import Floats
from karat.corpus import Annotated
from karat.evaluation.comparison_results import PairResult, Ranked
from karat.evaluation.plain_words import verdict
from karat.evaluation.system_pair import Pair, System, Wanted, mean_sizes, permutation_tests
from karat.inference.clusters import Clusters
from karat.inference.intervals import (
    NO_DIFFERENCE,
    Interval,
    degrees_of_freedom,
    intervals,
    no_interval,
    scale_of,
    student_interval,
    too_few,
    value_interval,
)
from karat.inference.options import InferenceOptions
from karat.inference.permutation import PermutationTest
from karat.inference.ranks import holm, letters, rank_sets, ranks, separate_groups
from karat.inference.resampling import Progress, bootstrap_sums, canonical_order, leave_one_out, standard_error
from karat.inference.runs import FEWEST_RUNS, RunVariance, pooled_variance, run_variance, spread
from karat.measures.measure import Measure


@dataclass(frozen=True, slots=True, eq=False)
class AllPairs:
    """Every pair of systems over these clusters.

    `documents` are what else the pairs are looked at over, where sentences are the clusters because they were asked
    for. The gold is for what is said of single units. `by_t` asks for the cluster-robust t test instead of permutation.
    """

    systems: Sequence[System]
    clusters: Clusters
    wanted: Wanted
    gold: Annotated | None = None
    documents: Clusters | None = None
    by_t: bool = False

    @property
    def options(self) -> InferenceOptions:
        return self.wanted.options

    def compared(
        self, measures: Sequence[Measure], progress: Progress | None = None
    ) -> tuple[list[PairResult], list[Ranked]]:
        """The pairs and the ranking, measure by measure; all resampled in one pass, where there is resampling."""
        counts = [[system.counts(one.name, self.clusters) for system in self.systems] for one in measures]
        together, own = self._resampled(measures, counts, progress)
        pairs: list[PairResult] = []
        for number, (measure, of_systems) in enumerate(zip(measures, counts, strict=True)):
            pairs += self._pairs(measure, of_systems, together[number])
        pairs = adjusted(pairs, [{"holm": one.measure, "holm-all": "all"}.get(self.wanted.adjust) for one in pairs])
        ranking: list[Ranked] = []
        for number, (measure, of_systems) in enumerate(zip(measures, counts, strict=True)):
            here = [one for one in pairs if one.measure == measure.name]
            made = [self._interval(*one, measure) for one in zip(self.systems, of_systems, own[number], strict=True)]
            ranking += self._ranking(measure, of_systems, made, here)
        return pairs, ranking

    def _resampled(
        self, measures: Sequence[Measure], counts: Sequence[Sequence[Floats]], progress: Progress | None
    ) -> tuple[list[Floats | None], list[list[Floats | None]]]:
        """Of each measure the systems' values on each resample [resamples × systems], and those of each by itself."""
        n, options = len(self.systems), self.options
        if not options.resamples_with(self.clusters.n):
            return [None] * len(measures), [[None] * n for _ in measures]
        joined = [_joined(one, [system.name for system in self.systems]) for one in counts]
        blocks = [block for block, _ in joined] + [_flat(one) for of_systems in counts for one in of_systems]
        sums = bootstrap_sums(blocks, options, progress)
        together: list[Floats | None] = []
        own: list[list[Floats | None]] = []
        for number, measure in enumerate(measures):
            n_fields = counts[number][0].shape[2]
            places = joined[number][1]
            values = [_mean_value(measure, sums[number][:, one].reshape(len(sums[0]), -1, n_fields)) for one in places]
            together.append(np.stack(values, axis=1))
            alone = sums[len(measures) + number * n : len(measures) + (number + 1) * n]
            own.append([_mean_value(measure, one.reshape(len(one), -1, n_fields)) for one in alone])
        return together, own

    def _pairs(self, measure: Measure, counts: Sequence[Floats], resampled: Floats | None) -> list[PairResult]:
        chosen = list(combinations(range(len(self.systems)), 2))
        tests: list[PermutationTest | None] = [None] * len(chosen)
        over = tests
        if not self.by_t:
            tests = permutation_tests([(counts[i], counts[j]) for i, j in chosen], measure.value, self.options)
        if self.documents is not None:
            by_document = [system.counts(measure.name, self.documents) for system in self.systems]
            of_pairs = [(by_document[i], by_document[j]) for i, j in chosen]
            over = permutation_tests(of_pairs, measure.value, self.options)
        by_sentence = [system.sentences(measure.name) for system in self.systems] if self.clusters.are_few else None
        others = self._run_variance(measure, counts)
        found = []
        for (i, j), test, over_documents in zip(chosen, tests, over, strict=True):
            drawn = None if resampled is None else resampled[:, [i, j]]
            a, b, both = self.systems[i], self.systems[j], (counts[i], counts[j])
            finer = None if by_sentence is None else (by_sentence[i], by_sentence[j])
            pair = Pair(a, b, measure, both, self.clusters, self.wanted, drawn, finer, others)
            found.append(pair.result(self.gold, test, self.documents, over_documents))
        return found

    def _run_variance(self, measure: Measure, counts: Sequence[Floats]) -> RunVariance | None:
        """How far runs scatter, over all systems that have several; None where none has enough to say so."""
        if all(one.shape[1] < FEWEST_RUNS for one in counts):
            return None
        every = [
            run_variance(measure.value(one.sum(axis=0)).tolist(), measure.value(leave_one_out(one)))
            for one in counts
            if one.shape[1] > 1 and len(one) > 1
        ]
        return pooled_variance([one for one in every if one])

    def _interval(self, system: System, counts: Floats, resampled: Floats | None, measure: Measure) -> Interval | None:
        """A system's own interval: that of `karat.score`, or with several runs one that has their variance in it."""
        options = self.options
        if not options.n_resamples:
            return None
        if counts.shape[1] == 1:
            if self.clusters.are_few:
                return intervals([(system.sentences(measure.name)[:, 0], measure)], self.clusters, options)[0]
            return value_interval(counts[:, 0], measure, options, resampled, self.clusters.strata)
        of_runs = measure.value(counts.sum(axis=0))
        value = float(of_runs.mean())
        if note := too_few(counts):
            return no_interval(len(counts), options, note)
        without = measure.value(leave_one_out(counts))
        scatter = run_variance(of_runs.tolist(), without)
        sizes = mean_sizes(measure, counts)
        runs = [(1 / len(of_runs), scatter)] if scatter else []
        mean = without.mean(axis=1)
        found = spread(standard_error(mean), degrees_of_freedom(sizes, mean, self.clusters.strata), runs)
        if not value or (value == 1 and measure.is_share) or not found.error:
            return no_interval(len(counts), options, NO_DIFFERENCE)
        return student_interval(value, found.error, found.df, sizes, options, scale_of(measure.bounds))

    def _ranking(
        self,
        measure: Measure,
        counts: Sequence[Floats],
        of_systems: Sequence[Interval | None],
        pairs: Sequence[PairResult],
    ) -> list[Ranked]:
        """The systems from the best, with the groups and ranks that follow from which pairs are different."""
        sign = -1 if measure.lower_is_better else 1
        values = np.array([_mean_value(measure, one.sum(axis=0)) for one in counts])
        names = [system.name for system in self.systems]
        order = sorted(range(len(counts)), key=lambda one: (-sign * values[one], names[one]))
        different = {frozenset((one.a, one.b)) for one in pairs if verdict(one, self.options.level) == "different"}
        ranked = [names[number] for number in order]
        better = np.array([[frozenset((one, other)) in different for other in ranked] for one in ranked])
        places, sets, groups, marks = ranks(sign * values), rank_sets(better), separate_groups(better), letters(better)
        found = []
        for i, number in enumerate(order):
            of_runs = measure.value(counts[number].sum(axis=0)).tolist()
            found.append(
                Ranked(
                    measure,
                    names[number],
                    int(places[number]),
                    *sets[i],
                    groups[i],
                    float(values[number]),
                    of_systems[number],
                    len(of_runs),
                    float(np.std(of_runs, ddof=1)) if len(of_runs) > 1 else None,
                    tuple(of_runs),
                    tuple(name for j, name in enumerate(ranked) if j != i and not better[i, j]),
                    marks[i],
                )
            )
        return found


def _mean_value(measure: Measure, counts: Floats) -> Floats:
    """The value from summed counts [… × runs × fields]: the mean of the runs' values."""
    mean: Floats = measure.value(counts).mean(axis=-1)
    return mean


def _flat(counts: Floats) -> Floats:
    return counts.reshape(len(counts), -1)


def _joined(counts: Sequence[Floats], names: Sequence[str]) -> tuple[Floats, list[slice]]:
    """The counts of all systems side by side, and which columns are whose.

    The systems stand in an order that depends on their counts, not on the order in which they were given, so that the
    same weights are drawn whichever comes first.
    """

    def content(number: int) -> tuple[bytes, str]:
        rows = _flat(counts[number])
        return rows[canonical_order(rows)].tobytes(), names[number]

    order = sorted(range(len(counts)), key=content)
    places: list[slice] = [slice(0)] * len(counts)
    at = 0
    for number in order:
        width = counts[number].shape[1] * counts[number].shape[2]
        places[number] = slice(at, at + width)
        at += width
    return np.hstack([_flat(counts[number]) for number in order]), places


def adjusted(pairs: Sequence[PairResult], families: Sequence[Hashable]) -> list[PairResult]:
    """The pairs with p adjusted (Holm) for how many there are of the same family; of the family None as they are."""
    members: dict[Hashable, list[int]] = {}
    for number, family in enumerate(families):
        if family is not None:
            members.setdefault(family, []).append(number)
    found = list(pairs)
    for numbers in members.values():
        for number, p in zip(numbers, holm([pairs[number].p for number in numbers]), strict=True):
            found[number] = replace(pairs[number], p_adjusted=p, n_compared=len(numbers))
    return found
