"""One pair of systems by one measure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from karat._arrays import Flags, Floats, Indices
from karat.corpus import Annotated
from karat.errors import UsageError
from karat.evaluation.comparison_results import (
    DocumentView,
    Estimate,
    PairExample,
    PairResult,
    RunSpread,
    TTest,
)
from karat.evaluation.results import SystemScores
from karat.inference.clusters import Clusters
from karat.inference.distributions import SMALLEST_P, t_quantile, t_tail
from karat.inference.intervals import NO_DIFFERENCE, ONE_CLUSTER, Interval, difference_interval, no_interval, t_interval
from karat.inference.label_wins import LabelWin, label_wins
from karat.inference.options import InferenceOptions
from karat.inference.paired_units import PairCounts, design_effect, pair_counts
from karat.inference.permutation import PermutationTest, exact_test, integer_differences, randomisation_tests
from karat.inference.planning import Planning, equivalence, planned
from karat.inference.real_test import real_test
from karat.inference.resampling import leave_one_out, standard_error
from karat.inference.runs import Spread, spread, variance_within_runs
from karat.measures.measure import GOLD, STATISTICS, Measure, Statistic

__all__ = ["Pair", "System", "Wanted", "mean_value", "permutation_tests", "run_values"]

CLUSTER_T = "cluster-robust t"
_OF_SOME = ("weak_correctness", "strong_correctness", "by_type_mean")  # measures of rich tags and of hierarchies


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of every pair; checked when it is made.

    `statistic` is what of a measure is compared, None for its own value.
    """

    options: InferenceOptions
    statistic: str | None = None
    margin: float | None = None
    effect: float | None = None
    power: float = 0.8
    n_examples: int = 0

    def __post_init__(self) -> None:
        known = (*STATISTICS, *_OF_SOME)
        if self.statistic is not None and self.statistic not in known:
            raise UsageError(f"no statistic {self.statistic!r}; there are {', '.join(known)}")
        for name, value in (("margin", self.margin), ("effect", self.effect)):
            if value is not None and not 0 < value < 1:
                raise UsageError(f"{name} {value}: it must lie between 0 and 1, as in 0.002 for 0.2 points")
        if not 1 - self.options.level < self.power < 1:
            least = f"{1 - self.options.level:g}"
            raise UsageError(f"power {self.power}: it must lie between {least} (which chance has) and 1, as in 0.8")

    def signed(self) -> list[tuple[str, str]]:
        """The choices that a signature names."""
        choices = (("margin", self.margin), ("effect", self.effect))
        signed = [(name, repr(value)) for name, value in choices if value is not None]
        return signed + ([("power", repr(self.power))] if self.power != 0.8 else [])


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """A system's runs."""

    name: str
    runs: Sequence[SystemScores]

    def counts(self, measure: str, clusters: Clusters) -> Floats:
        """The counts of each cluster and run [clusters × runs × fields]."""
        return np.stack([clusters.summed(run.counts[measure]) for run in self.runs], axis=1)


def mean_value(statistic: Statistic, counts: Floats) -> Floats:
    """The value from summed counts [… × runs × fields]: the mean of the runs' values."""
    mean: Floats = statistic(counts).mean(axis=-1)
    return mean


def run_values(statistic: Statistic, counts: Floats) -> list[float]:
    """The value of each run from counts [clusters × runs × fields]."""
    return [float(value) for value in statistic(counts.sum(axis=0))]


def permutation_tests(
    pairs: Sequence[tuple[Floats, Floats]], statistic: Statistic, options: InferenceOptions
) -> list[PermutationTest | None]:
    """The exact test where it can be done, else the one by random swaps; None for pairs with several runs."""
    found: list[PermutationTest | None] = [None] * len(pairs)
    left: list[int] = []
    for number, (a, b) in enumerate(pairs):
        if a.shape[1] > 1 or b.shape[1] > 1:
            continue
        differences = integer_differences(a[:, 0], b[:, 0], statistic)
        if differences is None:
            left.append(number)
        else:
            found[number] = exact_test(differences)
    if left and options.n_resamples:
        tests = randomisation_tests(
            [(pairs[number][0][:, 0], pairs[number][1][:, 0]) for number in left],
            statistic,
            n_resamples=options.n_resamples,
            seed=options.seed,
            jobs=options.jobs,
        )
        for number, test in zip(left, tests, strict=True):
            found[number] = test
    return found


class Pair:
    """Two systems by one measure: counts [clusters × runs × fields] and the values on each resample [resamples × 2]."""

    def __init__(
        self,
        gold: Annotated,
        a: System,
        b: System,
        measure: Measure,
        a_counts: Floats,
        b_counts: Floats,
        clusters: Clusters,
        wanted: Wanted,
        resampled: Floats | None,
    ) -> None:
        self.gold, self.a, self.b, self.measured, self.measure = gold, a, b, measure, measure.name
        self.n_a = a_counts.shape[1]
        self.counts = np.concatenate([a_counts, b_counts], axis=1)
        self.clusters, self.wanted, self.options = clusters, wanted, wanted.options
        self.resampled = resampled
        self.has_runs = self.counts.shape[1] > 2
        self.value_a, self.value_b = (float(value) for value in self._both(self.counts.sum(axis=0)))
        self.difference = self.value_b - self.value_a
        of_runs = measure.value(self.counts.sum(axis=0)).tolist()
        self.of_runs = of_runs[: self.n_a], of_runs[self.n_a :]
        self.spread = self._spread(self.counts)

    def _both(self, counts: Floats) -> tuple[Floats, Floats]:
        statistic = self.measured.value
        return mean_value(statistic, counts[..., : self.n_a, :]), mean_value(statistic, counts[..., self.n_a :, :])

    def _difference(self, counts: Floats) -> Floats:
        a, b = self._both(counts)
        return b - a

    def _spread(self, counts: Floats) -> Spread:
        """The standard error of the difference over the clusters that these counts are of."""
        if len(counts) < 2:
            return spread(0.0, len(counts), self.of_runs)
        without = leave_one_out(counts)
        values = self.measured.value(without)
        within = [variance_within_runs(values[:, : self.n_a]), variance_within_runs(values[:, self.n_a :])]
        return spread(standard_error(self._difference(without)), len(counts), self.of_runs, within)

    def _error_reduction(self, counts: Floats) -> Floats:
        return self._reduction(*self._both(counts))

    def _reduction(self, a: Floats, b: Floats) -> Floats:
        """The share of A's errors that B is without: (b − a)/(1 − a), or (a − b)/a; not finite where A has none."""
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Floats = (a - b) / a if self.measured.lower_is_better else (b - a) / (1 - a)
        return found

    def result(
        self, test: PermutationTest | None, documents: Clusters | None, over_documents: PermutationTest | None
    ) -> PairResult:
        """All that is said of the pair; `documents` (and the test over them) where they are too few to be clusters."""
        t_test = self._t_test(self.spread, self.clusters.n)
        has_units = not self.has_runs and self.measure in self.a.runs[0].units
        units = self._units() if has_units else None
        counts, sums = (None, None) if units is None else (units[0], units[1])
        view = None if documents is None else self._over_documents(documents, over_documents, counts)
        p, mid_p, p_is_bound = self._p(test, t_test)
        return PairResult(
            a=self.a.name,
            b=self.b.name,
            measured=self.measured,
            measure=self.measure,
            value_a=self.value_a,
            value_b=self.value_b,
            difference=self.difference,
            interval=self._interval(),
            test=CLUSTER_T if test is None else test.method,
            p=p,
            mid_p=mid_p,
            p_is_upper_bound=p_is_bound,
            p_adjusted=p,
            n_differing=None if test is None else test.n_differing,
            cluster=self.clusters.kind,
            n_clusters=self.clusters.n,
            t_test=t_test,
            design_effect=None if sums is None or counts is None else _unit_design_effect(sums, counts),
            counts=counts,
            real_test=None if counts is None else real_test(counts.yy, counts.yn, counts.ny, counts.nn),
            odds_ratio=None if sums is None or counts is None else self._odds_ratio(sums, counts),
            error_reduction=self._reduction_estimate(),
            equivalence=equivalence(self.difference, self.spread, self.wanted.margin, self.options.level)
            if self.clusters.n > 1
            else None,
            planning=self._planning(),
            documents=view,
            runs=self._runs() if self.has_runs else None,
            examples=self._examples() if self.wanted.n_examples and has_units else (),
            labels=self._labels() if has_units else (),
        )

    def _p(self, test: PermutationTest | None, t_test: TTest) -> tuple[float, float | None, bool]:
        if test is not None:
            return test.p, test.mid_p, test.is_upper_bound
        return max(t_test.p, SMALLEST_P), None, t_test.p < SMALLEST_P

    def _over_documents(
        self, documents: Clusters, test: PermutationTest | None, counts: PairCounts | None
    ) -> DocumentView:
        effect = None if counts is None else _unit_design_effect(self._unit_sums(documents), counts)
        if test is not None:
            return DocumentView(documents.n, effect, test.p)
        both = np.concatenate([self.a.counts(self.measure, documents), self.b.counts(self.measure, documents)], axis=1)
        return DocumentView(documents.n, effect, max(self._t_test(self._spread(both), documents.n).p, SMALLEST_P))

    def _t_test(self, found: Spread, n_clusters: int) -> TTest:
        if n_clusters < 2 or not found.error:
            is_none = not self.difference or n_clusters < 2
            return TTest(None, found.df, 1.0 if is_none else 0.0, found.error)
        t = self.difference / found.error
        return TTest(t, found.df, min(1.0, 2 * t_tail(abs(t), found.df)), found.error)

    def _interval(self) -> Interval | None:
        if not self.options.n_resamples:
            return None
        if self.has_runs and (self.clusters.n < 2 or not self.spread.error):
            why = NO_DIFFERENCE if self.clusters.n > 1 else ONE_CLUSTER
            return no_interval(self.clusters.n, self.options, why)
        if self.has_runs:
            ends = t_interval(self.difference, self.spread.error, self.spread.df, self.options.level)
            return Interval(*ends, self.options.level, "t", self.clusters.n, 0)
        drawn = None if self.resampled is None else self.resampled[:, 1] - self.resampled[:, 0]
        return difference_interval(self.counts, self._difference, self.options, drawn)

    def _reduction_estimate(self) -> Estimate:
        has_errors = self.value_a != 0 if self.measured.lower_is_better else self.value_a != 1
        if not has_errors or self.measured.is_neutral:
            return Estimate(None, None)
        value = float(self._reduction(np.array(self.value_a), np.array(self.value_b)))
        if not self.options.n_resamples or self.has_runs:
            return Estimate(value, None)
        drawn = None if self.resampled is None else self._reduction(self.resampled[:, 0], self.resampled[:, 1])
        if drawn is not None and not np.isfinite(drawn).all():
            return Estimate(value, None)
        return Estimate(value, difference_interval(self.counts, self._error_reduction, self.options, drawn))

    def _planning(self) -> Planning | None:
        if self.clusters.n < 2:
            return None
        sizes = len(self.clusters.of_sentence), self.clusters.n, float(self.counts[:, 0, GOLD].sum())
        return planned(self.spread, self.options.level, self.wanted.power, self.wanted.effect, *sizes)

    def _runs(self) -> RunSpread:
        a, b = (float(np.std(values, ddof=1)) if len(values) > 1 else None for values in self.of_runs)
        reach = t_quantile((1 + self.options.level) / 2, self.spread.df) * self.spread.run_error
        n_a, n_b = (len(values) for values in self.of_runs)
        exceeded = abs(self.difference) > reach
        return RunSpread(n_a, n_b, a, b, self.spread.run_error, self.spread.cluster_error, exceeded)

    # what follows looks at single units

    def _kept_units(self) -> tuple[Indices, Flags, Flags]:
        """Of every unit in the test the number of its sentence among those in it, and whether A and B have it right."""
        ours, theirs = self.a.runs[0].units[self.measure], self.b.runs[0].units[self.measure]
        kept = ~self.gold.bad
        number = np.cumsum(kept) - 1
        chosen = kept.take(ours.rows)
        return number.take(ours.rows)[chosen], ours.right[chosen], theirs.right[chosen]

    def _unit_sums(self, clusters: Clusters) -> Floats:
        """For every cluster the units only A has right, those only B has right, and all [clusters × 3]."""
        sentences, a, b = self._kept_units()
        of_unit = clusters.of_sentence.take(sentences)
        columns = [np.bincount(of_unit[chosen], minlength=clusters.n) for chosen in (a & ~b, b & ~a, slice(None))]
        return np.column_stack(columns).astype(np.float64)

    def _units(self) -> tuple[PairCounts, Floats]:
        _, a, b = self._kept_units()
        return pair_counts(a, b), self._unit_sums(self.clusters)

    def _labels(self) -> tuple[LabelWin, ...]:
        """The labels on which the systems differ, where units have labels."""
        units = self.a.runs[0].units[self.measure]
        if units.labels is None:
            return ()
        sentences, a, b = self._kept_units()
        labels = units.labels[~self.gold.bad.take(units.rows)]
        return tuple(label_wins(labels, units.names, sentences, a, b, self.clusters))

    def _odds_ratio(self, sums: Floats, counts: PairCounts) -> Estimate:
        """NY/YN with an interval over clusters: Student's t on the scale of its logarithm."""
        value = counts.odds_ratio
        if value is None or not counts.ny or not self.options.n_resamples:
            return Estimate(value, None)

        def log_ratio(summed: Floats) -> Floats:
            with np.errstate(divide="ignore", invalid="ignore"):
                found: Floats = np.log(summed[..., 1]) - np.log(summed[..., 0])
            return found

        on_logs = difference_interval(sums[:, :2], log_ratio, replace(self.options, method="t"))
        if on_logs.lower is None or on_logs.upper is None:
            return Estimate(value, on_logs)
        ends = math.exp(on_logs.lower), math.exp(on_logs.upper)
        return Estimate(value, replace(on_logs, lower=ends[0], upper=ends[1], method="t-log"))

    def _examples(self) -> tuple[PairExample, ...]:
        """For each direction the sentences with most units that one has right and the other wrong."""
        ours, theirs = self.a.runs[0].units[self.measure], self.b.runs[0].units[self.measure]
        found: list[PairExample] = []
        for name, chosen in ((self.a.name, ours.right & ~theirs.right), (self.b.name, theirs.right & ~ours.right)):
            chosen &= ~self.gold.bad.take(ours.rows)
            n_units = np.bincount(ours.rows[chosen], minlength=self.gold.n_sentences)
            best = np.argsort(-n_units, kind="stable")[: self.wanted.n_examples]
            for sentence in best[n_units[best] > 0].tolist():
                first = int(self.gold.sentence_offsets[sentence])
                marked = () if ours.words is None else ours.words[chosen & (ours.rows == sentence)] - first + 1
                found.append(
                    PairExample(
                        name,
                        self.gold.sent_id(sentence),
                        self.gold.line_of(sentence),
                        int(n_units[sentence]),
                        self.gold.words_of(sentence),
                        tuple(int(place) for place in marked),
                    )
                )
        return tuple(found)


def _unit_design_effect(sums: Floats, counts: PairCounts) -> float | None:
    return design_effect((sums[:, 1] - sums[:, 0]).astype(np.intp), sums[:, 2].astype(np.intp), counts.yn + counts.ny)
