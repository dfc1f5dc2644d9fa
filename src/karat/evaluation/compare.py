"""`karat.compare`: which differences between systems are real."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from karat._arrays import Floats
from karat.corpus import Annotated, Corpus, PathLike, Source
from karat.corpus.constituency_trees import Trees
from karat.corpus.formats import Readable
from karat.corpus.readers.key import Keys
from karat.errors import UsageError, visible
from karat.evaluation.comparison_results import Compared, PairResult, Ranked, Selection
from karat.evaluation.gold_clusters import clusters_of, documents_of
from karat.evaluation.results import Skipped, SystemScores
from karat.evaluation.system_pair import Pair, System, Wanted, mean_value, permutation_tests, run_values
from karat.evaluation.task import AnyTask, Asked, Like, Systems, evaluated, named_systems
from karat.evaluation.tasks import task_for
from karat.inference.clusters import FEWEST_DOCUMENTS, Clusters
from karat.inference.intervals import (
    NO_DIFFERENCE,
    ONE_CLUSTER,
    Interval,
    no_interval,
    scale_of,
    t_interval,
    value_interval,
)
from karat.inference.options import InferenceOptions
from karat.inference.paired_units import LARGE_DESIGN_EFFECT
from karat.inference.permutation import PermutationTest
from karat.inference.ranks import groups_told_apart, holm, optimism, rank_intervals, ranks
from karat.inference.real_test import SMALL_REAL_TEST
from karat.inference.resampling import Progress, bootstrap_sums, canonical_order, leave_one_out, standard_error
from karat.inference.runs import spread, variance_within_runs
from karat.measures.measure import Measure

if TYPE_CHECKING:
    from karat.hierarchy import Hierarchy
    from karat.measures.brackets.options import BracketOptions
    from karat.measures.hierarchical.options import HierarchyOptions
    from karat.measures.positional.options import TagOptions

__all__ = ["ADJUSTMENTS", "compare"]

ADJUSTMENTS = ("holm", "holm-all", "none")
_SEPARATORS = str.maketrans("|:", "__")  # what separates the parts of a signature


def compare(
    gold: Readable,
    systems: Systems | None = None,
    *,
    runs: Mapping[str, Sequence[Readable]] | None = None,
    measures: str | Iterable[str] | None = None,
    statistic: str | None = None,
    inference: InferenceOptions | None = None,
    adjust: str = "holm",
    margin: float | None = None,
    effect: float | None = None,
    power: float = 0.8,
    n_examples: int = 0,
    like: Like | None = None,
    column: str = "upos",
    input: str | None = None,
    skip_bad: bool = False,
    tags: TagOptions | None = None,
    hierarchy: HierarchyOptions | Hierarchy | PathLike | None = None,
    brackets: BracketOptions | None = None,
    progress: Progress | None = None,
) -> Compared:
    """Every pair of systems by every measure: difference, interval, paired test, adjusted for the number of pairs.

    Systems and what is asked of them are given as for `karat.score`; those with several runs (random seeds) in `runs`,
    by name. Without `measures`, UPOS, XPOS, UFeats, Lemmas, UAS and LAS as far as all have the columns; of trees
    Labelled F1, Recall-hard, Precision-hard and Crossing Rate; "all" takes all. `statistic` is f1, precision, recall or
    aligned_accuracy; without one, each measure's own value is compared, which is F1 for measures of words. `adjust`
    "holm" adjusts p over the pairs of each measure, "holm-all" over all pairs and measures, "none" not at all. `margin`
    asks whether systems differ by less; `effect` for the chance to find such a difference and the sentences needed to
    find it with a chance of `power`; `n_examples` for so many sentences on which each system of a pair is right where
    the other is wrong.
    """
    if adjust not in ADJUSTMENTS:
        raise UsageError(f"no adjustment {adjust!r}; there are {', '.join(ADJUSTMENTS)}")
    options = inference or InferenceOptions()
    wanted = Wanted(options, statistic, margin, effect, power, n_examples)
    inputs = _inputs(systems, runs)
    asked = Asked(
        measures=measures, like=like, column=column, input=input, skip_bad=skip_bad, tags=tags, hierarchy=hierarchy,
        brackets=brackets, is_comparison=True, statistic=statistic,
    )  # fmt: skip
    gold, kind, task = task_for(gold, inputs, asked)
    ours, found = evaluated(task, gold, inputs)
    entries = [System(name, [one for one in found if one.name == name]) for name in dict.fromkeys(dict(inputs))]
    if len(entries) < 2:
        raise UsageError("there is one system only; a comparison takes at least two")
    chosen = _common_measures(found, task, statistic)
    clusters = clusters_of(ours, options.cluster)
    results, ranking, selections = _AllPairs(ours, entries, clusters, wanted).by_measure(chosen, progress)
    results = _adjusted(results, adjust)
    names = ",".join(measure.name for measure in chosen)
    settings = [(key, names if key == "measures" else value) for key, value in task.settings(found)]
    compared = statistic or ("f1" if kind == "columns" and hierarchy is None else "value")
    settings += [("statistic", compared), ("cluster", clusters.signed), *options.signed(), ("adjust", adjust)]
    return Compared(
        gold=ours,
        level=options.level,
        statistic=compared,
        adjust=adjust,
        cluster=clusters.kind,
        pairs=tuple(results),
        ranking=tuple(_grouped(ranking, results, options.level)),
        selections=tuple(selections),
        settings=(*settings, *wanted.signed()),
        sources=(("gold", ours.source), *_sources(entries)),
        formats=((ours.path, ours.format), *((one.path, one.format) for one in found)),
        problems=(*ours.warnings, *(warning for one in found for warning in one.warnings)),
        warnings=(
            *clusters.warnings(),
            *filter(None, [options.too_few()]),
            *_warnings(results),
            *task.warnings(found),
            *_undefined(found, task),
        ),
        missing={name: lacking for one in found for name, lacking in one.missing.items()},
        skipped=Skipped(
            max(one.skipped.gold for one in found),
            sum(one.skipped.system for one in found),
            tuple(dict.fromkeys(problem for one in found for problem in one.skipped.problems)),
        ),
    )


def _inputs(systems: Systems | None, runs: Mapping[str, Sequence[Readable]] | None) -> list[tuple[str, Readable]]:
    """All systems and runs by name."""
    inputs = [(name, one) for name, one in (named_systems(systems) if systems else {}).items()]
    for name, several in (runs or {}).items():
        if isinstance(several, (str, os.PathLike, Corpus, Trees, Keys, Source)):
            raise UsageError(f"the runs of {name!r} must be a list, of one run or more")
        if name in dict(inputs):
            raise UsageError(f"two systems are called {name!r}")
        if not several:
            raise UsageError(f"{name!r} has no runs")
        inputs += [(name, one) for one in several]
    return inputs


def _sources(systems: Sequence[System]) -> list[tuple[str, Source]]:
    """What a signature names of each system: its file, or its runs under its name."""
    found = []
    for system in systems:
        role = "system" if len(system.runs) == 1 else "run of " + visible(system.name).translate(_SEPARATORS)
        found += [(role, run.source) for run in system.runs if run.source]
    return found


def _common_measures(found: Sequence[SystemScores], task: AnyTask, statistic: str | None) -> list[Measure]:
    """The measures that all systems have, by the statistic where one is named."""
    common = [one for one in task.measures if all(one.name in system.counts for system in found)]
    if common:
        return [one if statistic is None else one.by(statistic) for one in common]
    lacking = [(one, column, side) for one in found for both in one.missing.values() for side, column in both]
    if not lacking:
        wanting = next(one for one in found if task.measures[0].name not in one.counts)
        raise UsageError(f"{task.measures[0].name} has nothing to divide by in {wanting.name}")
    system, column, side = lacking[0]
    if side == "judgements":
        raise UsageError("these measures need people's verdicts; only scores take judgements")
    where = system.path if side == "system" else "the gold"
    raise UsageError(f"there is no measure for which all have the columns: {where} has no {column.upper()}, as one")


def _undefined(found: Sequence[SystemScores], task: AnyTask) -> list[str]:
    """That measures are not compared because a system has nothing to divide by."""
    return [
        f"{measure.name} is not compared: it has nothing to divide by in {one.name}"
        for measure in task.measures
        for one in found
        if one.brackets and measure.name in one.brackets.undefined
    ]


# ---- all pairs of a measure ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _AllPairs:
    """Every pair of systems on one gold, over these clusters."""

    gold: Annotated
    systems: Sequence[System]
    clusters: Clusters
    wanted: Wanted

    @property
    def options(self) -> InferenceOptions:
        return self.wanted.options

    def by_measure(
        self, measures: Sequence[Measure], progress: Progress | None
    ) -> tuple[list[PairResult], list[Ranked], list[Selection]]:
        """The pairs, the ranking and the choice of the best, measure by measure; all resampled in one pass."""
        counts = [[system.counts(one.name, self.clusters) for system in self.systems] for one in measures]
        together, own = self._resampled(measures, counts, progress)
        results: list[PairResult] = []
        ranking: list[Ranked] = []
        selections: list[Selection] = []
        for number, (measure, of_systems) in enumerate(zip(measures, counts, strict=True)):
            drawn = together[number]
            results += self._pairs(measure, of_systems, drawn)
            values = np.array([mean_value(measure.value, one.sum(axis=0)) for one in of_systems])
            intervals = [
                self._interval(one, measure, alone) for one, alone in zip(of_systems, own[number], strict=True)
            ]
            ranking += self._ranking(measure, of_systems, values, intervals, drawn)
            if drawn is not None:
                sign = _sign(measure)
                best = int(np.argmax(sign * values))
                too_good = optimism(sign * drawn, sign * values)
                name = self.systems[best].name
                selections.append(Selection(measure, name, len(self.systems), float(values[best]), too_good))
        return results, ranking, selections

    def _resampled(
        self, measures: Sequence[Measure], counts: Sequence[Sequence[Floats]], progress: Progress | None
    ) -> tuple[list[Floats | None], list[list[Floats | None]]]:
        """Of each measure the systems' values on each resample [resamples × systems], and those of each by itself."""
        n = len(self.systems)
        if not self.options.n_resamples or self.clusters.n < 2:
            return [None] * len(measures), [[None] * n for _ in measures]
        joined = [_joined(one, [system.name for system in self.systems]) for one in counts]
        blocks = [block for block, _ in joined] + [_flat(one) for of_systems in counts for one in of_systems]
        options = self.options
        sums = bootstrap_sums(
            blocks, n_resamples=options.n_resamples, seed=options.seed, jobs=options.jobs, progress=progress
        )
        together: list[Floats | None] = []
        own: list[list[Floats | None]] = []
        for number, measure in enumerate(measures):
            n_fields = counts[number][0].shape[2]
            together.append(_values(sums[number], joined[number][1], n_fields, measure, options.seed))
            alone = sums[len(measures) + number * n : len(measures) + (number + 1) * n]
            own.append([mean_value(measure.value, one.reshape(len(one), -1, n_fields)) for one in alone])
        return together, own

    def _pairs(self, measure: Measure, counts: Sequence[Floats], resampled: Floats | None) -> list[PairResult]:
        chosen = list(combinations(range(len(self.systems)), 2))
        tests = permutation_tests([(counts[i], counts[j]) for i, j in chosen], measure.value, self.options)
        documents = documents_of(self.gold)
        over: list[PermutationTest | None] = [None] * len(chosen)
        if self.clusters.kind != "sentence" or documents is None or not 2 <= documents.n < FEWEST_DOCUMENTS:
            documents = None
        if documents is not None:
            by_document = [system.counts(measure.name, documents) for system in self.systems]
            of_pairs = [(by_document[i], by_document[j]) for i, j in chosen]
            over = permutation_tests(of_pairs, measure.value, self.options)
        found = []
        for (i, j), test, over_documents in zip(chosen, tests, over, strict=True):
            drawn = None if resampled is None else resampled[:, [i, j]]
            a, b = self.systems[i], self.systems[j]
            pair = Pair(self.gold, a, b, measure, counts[i], counts[j], self.clusters, self.wanted, drawn)
            found.append(pair.result(test, documents, over_documents))
        return found

    def _interval(self, counts: Floats, measure: Measure, resampled: Floats | None) -> Interval | None:
        """A system's own interval: that of `karat.score`, or with several runs one that has their variance in it."""
        options = self.options
        if not options.n_resamples:
            return None
        if counts.shape[1] == 1:
            return value_interval(counts[:, 0], measure, options, resampled)
        value = float(mean_value(measure.value, counts.sum(axis=0)))
        if len(counts) < 2:
            return no_interval(len(counts), options, ONE_CLUSTER)
        without = measure.value(leave_one_out(counts))
        of_runs = run_values(measure.value, counts)
        found = spread(standard_error(without.mean(axis=1)), len(counts), [of_runs], [variance_within_runs(without)])
        if not value or (value == 1 and measure.is_share) or not found.error:
            return no_interval(len(counts), options, NO_DIFFERENCE)
        scale = scale_of(measure.bounds)
        ends = t_interval(value, found.error, found.df, options.level, scale)
        return Interval(*ends, options.level, scale, len(counts), 0)

    def _ranking(
        self,
        measure: Measure,
        counts: Sequence[Floats],
        values: Floats,
        intervals: Sequence[Interval | None],
        resampled: Floats | None,
    ) -> list[Ranked]:
        """The systems from the best, not yet in groups."""
        sign = _sign(measure)
        places = ranks(sign * values)
        bounds = rank_intervals(sign * resampled, self.options.level) if resampled is not None else None
        found = []
        for number in sorted(range(len(counts)), key=lambda one: (-sign * values[one], self.systems[one].name)):
            of_runs = run_values(measure.value, counts[number])
            lowest, highest = bounds[number] if bounds else (None, None)
            found.append(
                Ranked(
                    measure,
                    self.systems[number].name,
                    int(places[number]),
                    lowest,
                    highest,
                    0,
                    float(values[number]),
                    intervals[number],
                    len(of_runs),
                    float(np.std(of_runs, ddof=1)) if len(of_runs) > 1 else None,
                    tuple(of_runs),
                )
            )
        return found


def _sign(measure: Measure) -> int:
    """1 where higher is better, else -1."""
    return -1 if measure.lower_is_better else 1


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


def _values(sums: Floats, places: Sequence[slice], n_fields: int, measure: Measure, seed: int) -> Floats:
    """The systems' values on every resample [resamples × systems]; of several runs, as many are drawn as there are."""
    from numpy.random import default_rng

    found = []
    for number, place in enumerate(places):
        values = measure.value(sums[:, place].reshape(len(sums), -1, n_fields))
        n_runs = values.shape[1]
        if n_runs > 1:
            rng = default_rng([seed, 3, number])
            values = np.take_along_axis(values, rng.integers(0, n_runs, size=values.shape), axis=1)
        found.append(values.mean(axis=1))
    return np.stack(found, axis=1)


# ---- all pairs together ----------------------------------------------------------------------------------------------


def _adjusted(results: Sequence[PairResult], adjust: str) -> list[PairResult]:
    """The results with p adjusted for how many there are, of each measure or of all."""
    if adjust == "none":
        return list(results)
    families: dict[str | None, list[int]] = {}
    for number, one in enumerate(results):
        families.setdefault(one.measure if adjust == "holm" else None, []).append(number)
    adjusted = list(results)
    for numbers in families.values():
        for number, p in zip(numbers, holm([results[number].p for number in numbers]), strict=True):
            adjusted[number] = replace(results[number], p_adjusted=p)
    return adjusted


def _grouped(ranking: Sequence[Ranked], results: Sequence[PairResult], level: float) -> list[Ranked]:
    """The ranking with groups of systems that the adjusted tests cannot tell apart."""
    told_apart = {
        (one.measure, frozenset((one.a, one.b))) for one in results if one.p_adjusted < 1 - level and one.difference
    }
    found: list[Ranked] = []
    for measure in dict.fromkeys(one.measure for one in ranking):
        here = [one for one in ranking if one.measure == measure]
        names = [one.name for one in here]

        def is_better(i: int, j: int, measure: str = measure, names: Sequence[str] = names) -> bool:
            return (measure, frozenset((names[i], names[j]))) in told_apart

        groups = groups_told_apart(len(here), is_better)
        for i, (one, group) in enumerate(zip(here, groups, strict=True)):
            like = tuple(name for j, name in enumerate(names) if j != i and not is_better(i, j))
            found.append(replace(one, group=group, not_told_apart=like))
    return found


def _warnings(results: Sequence[PairResult]) -> list[str]:
    """What must not be overlooked, each kind once."""
    found = []
    over = [one for one in results if one.documents is not None]
    if over:
        worst = max(over, key=lambda one: (one.documents and one.documents.design_effect) or 0.0)
        assert worst.documents is not None
        effect = worst.documents.design_effect
        shown = "" if effect is None else f" design effect {effect:.1f},"
        found.append(
            f"sentences are resampled, for {worst.documents.n_documents} documents are few ({FEWEST_DOCUMENTS} would "
            f"be taken); over documents {worst.a} and {worst.b} have by {worst.measure}{shown} p = "
            f'{worst.documents.p:.3g}; `cluster="document"` takes documents'
        )
    clustered = [one for one in results if one.design_effect is not None and one.design_effect > LARGE_DESIGN_EFFECT]
    if clustered:
        worst = max(clustered, key=lambda one: one.design_effect or 0.0)
        found.append(
            f"errors cluster (design effect up to {worst.design_effect:.1f}, {worst.a} and {worst.b} by "
            f"{worst.measure}): McNemar's test and z, which take units for independent, are too sure of themselves"
        )
    small = [one for one in results if one.real_test is not None and one.real_test.is_small]
    if small:
        least = min(small, key=lambda one: one.real_test.size if one.real_test else 0.0)
        assert least.real_test is not None
        found.append(
            f"few units tell the systems apart: the real test of {least.a} and {least.b} by {least.measure} has "
            f"{least.real_test.size:.0f}, below {SMALL_REAL_TEST}"
        )
    return found
