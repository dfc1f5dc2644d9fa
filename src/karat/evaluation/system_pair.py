"""One pair of systems by one measure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

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
from karat.inference.clusters import Clusters, carried_by_few, fewest_clusters
from karat.inference.distributions import SMALLEST_P, t_tail
from karat.inference.intervals import (
    NO_DIFFERENCE,
    Interval,
    Value,
    degrees_of_freedom,
    difference_interval,
    no_interval,
    student_interval,
    too_few,
    wider,
)
from karat.inference.label_wins import LabelWin, label_wins
from karat.inference.options import InferenceOptions
from karat.inference.paired_units import design_effect, pair_counts
from karat.inference.permutation import PermutationTest, exact_test, integer_differences, randomisation_tests
from karat.inference.planning import Planning, equivalence, planned
from karat.inference.resampling import leave_one_out, standard_error
from karat.inference.runs import FEWEST_RUNS, RunVariance, Spread, pooled_variance, run_variance, spread
from karat.measures.measure import GOLD, STATISTICS, GoldUnits, Measure, Statistic

CLUSTER_T = "cluster-robust t"
_ADJUSTMENTS = ("holm", "holm-all", "none")
_OF_SOME = ("weak_correctness", "strong_correctness", "by_type_mean")  # measures of rich tags and of hierarchies


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of every pair; checked when it is made.

    `statistic` is what of a measure is compared, None for its own value; `adjust` what p is adjusted over.
    """

    options: InferenceOptions
    statistic: str | None = None
    margin: float | None = None
    effect: float | None = None
    power: float = 0.8
    n_examples: int = 0
    adjust: str = "holm"

    def __post_init__(self) -> None:
        if self.adjust not in _ADJUSTMENTS:
            raise UsageError(f"unknown adjustment {self.adjust!r}; choose from {', '.join(_ADJUSTMENTS)}")
        known = (*STATISTICS, *_OF_SOME)
        if self.statistic is not None and self.statistic not in known:
            raise UsageError(f"unknown statistic {self.statistic!r}; choose from {', '.join(known)}")
        for name, value in (("margin", self.margin), ("effect", self.effect)):
            if value is not None and not 0 < value < 1:
                raise UsageError(f"{name} {value}: it must lie between 0 and 1, as in 0.002 for 0.2 points")
        if not 1 - self.options.level < self.power < 1:
            least = f"{1 - self.options.level:g}"
            raise UsageError(f"power {self.power}: it must lie between {least} (the level of chance) and 1, as in 0.8")

    def signed(self) -> list[tuple[str, str]]:
        """The choices that a signature names."""
        choices = (("margin", self.margin), ("effect", self.effect))
        signed = [(name, repr(value)) for name, value in choices if value is not None]
        return signed + ([("power", repr(self.power))] if self.power != 0.8 else [])


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """A system's counts of every sentence by each measure, of each run; of a single run, also its units by measure."""

    name: str
    runs: Sequence[Mapping[str, Floats]]
    units: Mapping[str, GoldUnits] = field(default_factory=dict)

    def counts(self, measure: str, clusters: Clusters) -> Floats:
        """The counts of each cluster and run [clusters × runs × fields]."""
        return np.stack([clusters.summed(run[measure]) for run in self.runs], axis=1)

    def sentences(self, measure: str) -> Floats:
        """The counts of each sentence and run [sentences × runs × fields]."""
        return np.stack([run[measure] for run in self.runs], axis=1)


def permutation_tests(
    pairs: Sequence[tuple[Floats, Floats]], statistic: Statistic, options: InferenceOptions
) -> list[PermutationTest | None]:
    """The exact test where it can be done, else the one by random swaps; None for pairs with several runs."""
    single = {number: (a[:, 0], b[:, 0]) for number, (a, b) in enumerate(pairs) if a.shape[1] == b.shape[1] == 1}
    differences = {number: integer_differences(a, b, statistic) for number, (a, b) in single.items()}
    found = {number: exact_test(one) for number, one in differences.items() if one is not None}
    left = [number for number in single if number not in found] if options.n_resamples else []
    tests = randomisation_tests([single[number] for number in left], statistic, options)
    found |= dict(zip(left, tests, strict=True))
    return [found.get(number) for number in range(len(pairs))]


def mean_sizes(measure: Measure, counts: Floats) -> Floats:
    """How much of a value rests on each cluster, on the average of runs, from counts [clusters × runs × fields]."""
    sizes: Floats = measure.sizes(counts).mean(axis=1)
    return sizes


@dataclass(eq=False)
class Pair:
    """Two systems by one measure: counts [clusters × runs × fields] and the values on each resample [resamples × 2].

    `by_sentence` are the counts of sentences where clusters of them are so few that theirs matter too. `others` is the
    variance of runs of all systems, for those with a single run.
    """

    a: System
    b: System
    measured: Measure
    of_systems: tuple[Floats, Floats]
    clusters: Clusters
    wanted: Wanted
    resampled: Floats | None
    by_sentence: tuple[Floats, Floats] | None
    others: RunVariance | None

    def __post_init__(self) -> None:
        self.measure, self.options = self.measured.name, self.wanted.options
        self.n_a = self.of_systems[0].shape[1]
        self.counts = np.concatenate(self.of_systems, axis=1)
        self.has_runs = self.counts.shape[1] > 2
        self.value_a, self.value_b = (float(value) for value in self._both(self.counts.sum(axis=0)))
        self.difference = self.value_b - self.value_a
        of_runs = self.measured.value(self.counts.sum(axis=0)).tolist()
        self.of_runs = of_runs[: self.n_a], of_runs[self.n_a :]
        self.spread = self._spread(self.counts)

    def _both(self, counts: Floats) -> tuple[Floats, Floats]:
        values = self.measured.value(counts)
        return values[..., : self.n_a].mean(axis=-1), values[..., self.n_a :].mean(axis=-1)

    def _difference(self, counts: Floats) -> Floats:
        a, b = self._both(counts)
        return b - a

    def _spread(self, counts: Floats) -> Spread:
        """The standard error of the difference over the clusters that these counts are of."""
        if len(counts) < 2:
            return spread(0.0, 1.0)
        without = leave_one_out(counts)
        changed = self._difference(without)
        df = degrees_of_freedom(mean_sizes(self.measured, counts), changed, self.clusters.strata)
        return spread(standard_error(changed), df, self._run_parts(self.measured.value(without)))

    def _run_parts(self, without: Floats) -> list[tuple[float, RunVariance]]:
        """The variances of runs and the shares that they have in that of the difference.

        A system with fewer runs than say how far they scatter is taken to scatter as the other does, and where that has
        too few as well, as all systems do.
        """
        if not self.has_runs and self.others is None:
            return []
        of_systems = (without[:, : self.n_a], without[:, self.n_a :])
        own = [run_variance(values, theirs) for values, theirs in zip(self.of_runs, of_systems, strict=True)]
        shares = [1 / len(values) for values in self.of_runs]
        if min(map(len, self.of_runs)) >= FEWEST_RUNS:
            return [(share, one) for share, one in zip(shares, own, strict=True) if one]
        borrowed = self._borrowed([one for one in own if one])
        return [(sum(shares), borrowed)] if borrowed else []

    def _borrowed(self, own: Sequence[RunVariance]) -> RunVariance | None:
        """The variance of runs where a system has too few: that of both, or if neither has enough of all systems."""
        of_both = pooled_variance(own)
        return of_both if max(map(len, self.of_runs)) >= FEWEST_RUNS else self.others or of_both

    def _reduction(self, a: Floats, b: Floats) -> Floats:
        """The share of A's errors that B is without: (b − a)/(1 − a), or (a − b)/a; not finite where A has none."""
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Floats = (a - b) / a if self.measured.lower_is_better else (b - a) / (1 - a)
        return found

    def result(
        self,
        gold: Annotated | None,
        test: PermutationTest | None,
        documents: Clusters | None,
        over_documents: PermutationTest | None,
    ) -> PairResult:
        """All that is said of the pair; `documents` and the test over them where sentences were asked for.

        The gold is for what is said of single units.
        """
        t_test = self._t_test(self.spread, self.clusters.n)
        units = None
        have_units = all(self.measure in one.units for one in (self.a, self.b))  # one of them may be right by halves
        if gold is not None and not self.has_runs and have_units:
            units = _Units(self, gold)
        view = None if documents is None else self._over_documents(documents, over_documents, units)
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
            design_effect=None if units is None else units.design_effect(self.clusters),
            counts=None if units is None else units.counts,
            odds_ratio=None if units is None else units.odds_ratio(),
            error_reduction=self._reduction_estimate(),
            equivalence=equivalence(self.difference, self.spread, self.wanted.margin, self.options.level)
            if self.are_enough
            else None,
            planning=self._planning(),
            documents=view,
            runs=self._runs() if self.has_runs or self.others else None,
            examples=() if units is None else units.examples(),
            labels=() if units is None else units.labels(),
            few_carry_it=self._few_carry_it(),
        )

    def _p(self, test: PermutationTest | None, t_test: TTest) -> tuple[float, float | None, bool]:
        if test is not None:
            return test.p, test.mid_p, test.is_upper_bound
        return max(t_test.p, SMALLEST_P), None, t_test.p < SMALLEST_P

    def _over_documents(self, documents: Clusters, test: PermutationTest | None, units: _Units | None) -> DocumentView:
        effect = None if units is None else units.design_effect(documents)
        if test is not None:
            return DocumentView(documents.n, effect, test.p)
        both = np.concatenate([self.a.counts(self.measure, documents), self.b.counts(self.measure, documents)], axis=1)
        return DocumentView(documents.n, effect, max(self._t_test(self._spread(both), documents.n).p, SMALLEST_P))

    def _few_carry_it(self) -> bool:
        """Whether few clusters carry the difference, so that neither test nor interval can be trusted to the digit."""
        if self.clusters.n < 2:
            return False
        sizes = mean_sizes(self.measured, self.counts)
        without = self._difference(leave_one_out(self.counts))
        return carried_by_few(sizes, without - without.mean())

    def _t_test(self, found: Spread, n_clusters: int) -> TTest:
        if n_clusters < 2 or not found.error:
            is_none = not self.difference or n_clusters < 2
            return TTest(None, found.df, 1.0 if is_none else 0.0, found.error)
        t = self.difference / found.error
        return TTest(t, found.df, min(1.0, 2 * t_tail(abs(t), found.df)), found.error)

    def _interval(self) -> Interval | None:
        if not self.options.n_resamples:
            return None
        least, most = (-1.0, 1.0) if self.measured.is_share else (-math.inf, math.inf)
        if self.has_runs or self.others:
            if note := too_few(self.counts) or ("" if self.spread.error else NO_DIFFERENCE):
                return no_interval(self.clusters.n, self.options, note)
            error, sizes = self.spread.error, mean_sizes(self.measured, self.counts)
            return student_interval(self.difference, error, self.spread.df, sizes, self.options).within(least, most)
        drawn = None if self.resampled is None else self.resampled[:, 1] - self.resampled[:, 0]
        return self._between(self._difference, drawn, least, most)

    def _between(self, value: Value, drawn: Floats | None, least: float, most: float) -> Interval:
        """The interval of a value of both systems; the wider of the clusters' and the sentences' where both matter."""
        sizes, strata = mean_sizes(self.measured, self.counts), self.clusters.strata
        made = difference_interval(self.counts, value, self.options, drawn, sizes=sizes, strata=strata)
        if self.by_sentence is None:
            return made.within(least, most)
        sentences, by_t = np.concatenate(self.by_sentence, axis=1), replace(self.options, method="t")
        other = difference_interval(sentences, value, by_t, sizes=mean_sizes(self.measured, sentences))
        return wider(made.within(least, most), other.within(least, most))

    def _reduction_estimate(self) -> Estimate:
        has_errors = self.value_a != 0 if self.measured.lower_is_better else self.value_a != 1
        if not has_errors or self.measured.is_neutral:
            return Estimate(None, None)
        value = float(self._reduction(np.array(self.value_a), np.array(self.value_b)))
        if not self.options.n_resamples or self.has_runs or self.others or not self.are_enough:
            return Estimate(value, None)
        drawn = None if self.resampled is None else self._reduction(self.resampled[:, 0], self.resampled[:, 1])
        if drawn is not None and not np.isfinite(drawn).all():
            return Estimate(value, None)
        made = self._between(lambda counts: self._reduction(*self._both(counts)), drawn, -math.inf, 1.0)
        return Estimate(value, made)

    @property
    def are_enough(self) -> bool:
        """Whether a test over the clusters could say anything."""
        return self.clusters.n >= fewest_clusters(self.options.level)

    def _planning(self) -> Planning | None:
        if not self.are_enough:
            return None
        sizes = len(self.clusters.of_sentence), self.clusters.n, float(self.counts[:, 0, GOLD].sum())
        return planned(self.spread, self.options.level, self.wanted.power, self.wanted.effect, *sizes)

    def _runs(self) -> RunSpread:
        a, b = (float(np.std(values, ddof=1)) if len(values) > 1 else None for values in self.of_runs)
        n_a, n_b = (len(values) for values in self.of_runs)
        is_borrowed = min(n_a, n_b) < FEWEST_RUNS
        are_too_few = is_borrowed and max(n_a, n_b) < FEWEST_RUNS and self.others is None
        return RunSpread(n_a, n_b, a, b, self.spread.run_error, self.spread.cluster_error, is_borrowed, are_too_few)


class _Units:
    """What two systems have right, unit by unit of the gold."""

    def __init__(self, pair: Pair, gold: Annotated) -> None:
        self.pair, self.gold = pair, gold
        self.ours, self.theirs = (one.units[pair.measure] for one in (pair.a, pair.b))
        kept = ~gold.bad
        self.chosen = kept.take(self.ours.rows)
        number = np.cumsum(kept) - 1  # of every sentence among those in the test
        self.sentences: Indices = number.take(self.ours.rows)[self.chosen]
        self.a: Flags = self.ours.right[self.chosen]
        self.b: Flags = self.theirs.right[self.chosen]
        self.counts = pair_counts(self.a, self.b)

    def _sums(self, clusters: Clusters) -> Floats:
        """For every cluster the units only A has right, those only B has right, and all [clusters × 3]."""
        of_unit = clusters.of_sentence.take(self.sentences)
        which = (self.a & ~self.b, self.b & ~self.a, slice(None))
        columns = [np.bincount(of_unit[chosen], minlength=clusters.n) for chosen in which]
        return np.column_stack(columns).astype(np.float64)

    def design_effect(self, clusters: Clusters) -> float | None:
        sums = self._sums(clusters)
        n_differing = self.counts.yn + self.counts.ny
        return design_effect(sums[:, 1] - sums[:, 0], sums[:, 2], n_differing)

    def odds_ratio(self) -> Estimate:
        """NY/YN with an interval over clusters: Student's t on the scale of its logarithm."""
        value, options = self.counts.odds_ratio, self.pair.options
        if value is None or not self.counts.ny or not options.n_resamples or not self.pair.are_enough:
            return Estimate(value, None)

        def log_ratio(summed: Floats) -> Floats:
            with np.errstate(divide="ignore", invalid="ignore"):
                found: Floats = np.log(summed[..., 1]) - np.log(summed[..., 0])
            return found

        sums = self._sums(self.pair.clusters)
        by_t = replace(options, method="t")
        on_logs = difference_interval(sums[:, :2], log_ratio, by_t, sizes=sums[:, 2])
        if on_logs.ends is None:
            return Estimate(value, on_logs)
        lower, upper = (math.exp(min(end, 700)) for end in on_logs.ends)
        return Estimate(value, replace(on_logs, lower=lower, upper=upper, method="t-log"))

    def labels(self) -> tuple[LabelWin, ...]:
        """The labels on which the systems differ, where units have labels."""
        if self.ours.labels is None:
            return ()
        labels = self.ours.labels[self.chosen]
        return tuple(label_wins(labels, self.ours.names, self.sentences, self.a, self.b, self.pair.clusters))

    def examples(self) -> tuple[PairExample, ...]:
        """For each direction the sentences with most units that one has right and the other wrong."""
        gold, rows, found = self.gold, self.ours.rows, []
        ours, theirs = self.ours.right, self.theirs.right
        for name, chosen in ((self.pair.a.name, ours & ~theirs), (self.pair.b.name, theirs & ~ours)):
            chosen &= self.chosen
            n_units = np.bincount(rows[chosen], minlength=gold.n_sentences)
            best = np.argsort(-n_units, kind="stable")[: self.pair.wanted.n_examples]
            for sentence in best[n_units[best] > 0].tolist():
                first = int(gold.sentence_offsets[sentence])
                words = self.ours.words
                marked = () if words is None else words[chosen & (rows == sentence)] - first + 1
                found.append(
                    PairExample(
                        name,
                        gold.sent_id(sentence),
                        gold.line_of(sentence),
                        int(n_units[sentence]),
                        gold.words_of(sentence),
                        tuple(int(place) for place in marked),
                    )
                )
        return tuple(found)
