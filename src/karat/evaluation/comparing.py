"""`karat.compare`: which differences between systems are real."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from karat._arrays import Floats
from karat.corpus import Annotated, Corpus, Source
from karat.corpus.constituency_trees import Trees
from karat.corpus.formats import opened
from karat.corpus.readers.key import Keys
from karat.errors import UsageError, visible
from karat.evaluation.clusters import clusters_of, documents_of
from karat.evaluation.compared import Compared, PairResult, Ranked, Selection
from karat.evaluation.pair import (
    Pair,
    System,
    Wanted,
    checked,
    mean_value,
    permutation_tests,
    run_values,
    signed_choices,
)
from karat.evaluation.results import Skipped, SystemScores
from karat.evaluation.scoring import (
    Planned,
    Readable,
    Systems,
    hierarchy_options_of,
    named_systems,
    tell_what_is_wrong,
)
from karat.evaluation.word_scores import Like, plan
from karat.inference.clusters import FEWEST_DOCUMENTS, Clusters
from karat.inference.intervals import (
    NO_DIFFERENCE,
    ONE_CLUSTER,
    Interval,
    Scale,
    no_interval,
    score_interval,
    t_interval,
)
from karat.inference.options import InferenceOptions
from karat.inference.pairs import LARGE_DESIGN_EFFECT
from karat.inference.permutation import PermutationTest
from karat.inference.ranks import groups_told_apart, holm, optimism, rank_intervals, ranks
from karat.inference.real_test import SMALL_REAL_TEST
from karat.inference.resampling import Progress, bootstrap_sums, canonical_order, leave_one_out, standard_error
from karat.inference.runs import spread, variance_within_runs
from karat.measures import Measure
from karat.measures.brackets.tree_comparison import BracketOptions

if TYPE_CHECKING:
    from karat.corpus.source import PathLike
    from karat.hierarchy import Hierarchy
    from karat.measures.hierarchical.options import HierarchyOptions
    from karat.measures.positional.options import TagOptions

__all__ = ["ADJUSTMENTS", "COMPARED_BY_DEFAULT", "compare"]

COMPARED_BY_DEFAULT = ("UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS")
_SEPARATORS = str.maketrans("|:", "__")  # what separates the parts of a signature
ADJUSTMENTS = ("holm", "holm-all", "none")


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
    wanted_power: float = 0.8,
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

    Systems are given as for `karat.score`; those with several runs (random seeds) in `runs`, by name. Without
    `measures`, those of COMPARED_BY_DEFAULT for which all have the columns, and of trees COMPARED_BRACKETS. `statistic`
    is f1, precision, recall or aligned_accuracy; without one, each measure's own value is compared, which is F1 for
    measures of words. `tags` says how rich tags are scored, `hierarchy` how tags in a hierarchy and sense keys are,
    `brackets` which brackets of trees count. `adjust` "holm"
    adjusts p over the pairs of each measure, "holm-all" over all pairs and measures, "none" not at all. `margin` asks
    whether systems differ by less; `effect` for the power to find such a difference and the sentences needed for
    `wanted_power`; `n_examples` for so many sentences on which each system of a pair is right where the other is wrong.
    """
    options = inference or InferenceOptions()
    if adjust not in ADJUSTMENTS:
        raise UsageError(f"no adjustment {adjust!r}; there are {', '.join(ADJUSTMENTS)}")
    wanted = checked(options, statistic, margin, effect, wanted_power, n_examples)
    hierarchy = hierarchy_options_of(hierarchy)
    gold, kind = opened(gold, input)
    if kind is None:
        tell_what_is_wrong(gold, _inputs(systems, runs), input=input, skip_bad=skip_bad)
    scored: Planned
    if kind == "key":
        if like or tags is not None:
            raise UsageError("like and tags are for words in columns, not for sense keys")
        from karat.evaluation.score_keys import key_plan

        scored = key_plan(
            measures=measures, hierarchy=hierarchy, skip_bad=skip_bad, inference=options,
            default=compared_hierarchical(statistic), keeps_units=True,
        )  # fmt: skip
    elif kind == "brackets":
        if like or tags is not None or hierarchy is not None:
            raise UsageError("like, tags and hierarchy are not for bracketed trees")
        from karat.evaluation.score_brackets import bracket_plan
        from karat.measures.brackets.bracket_measures import COMPARED_BRACKETS

        scored = bracket_plan(
            measures=measures, options=brackets, skip_bad=skip_bad, inference=options, default=COMPARED_BRACKETS,
            keeps_units=True,
        )  # fmt: skip
    else:
        default = COMPARED_BY_DEFAULT if hierarchy is None else compared_hierarchical(statistic)
        scored = plan(
            measures=measures, like=like, column=column, input=input, skip_bad=skip_bad, inference=options,
            default=default, keeps_units=True, tags=tags, hierarchy=hierarchy,
        )  # fmt: skip
    inputs = _inputs(systems, runs)
    ours, found = scored.score_each(gold, inputs)
    entries = [System(name, [one for one in found if one.name == name]) for name in dict.fromkeys(dict(inputs))]
    if len(entries) < 2:
        raise UsageError("there is one system only; a comparison takes at least two")
    chosen = _common_measures(found, scored)
    names = [measure.name for measure in chosen]
    clusters = clusters_of(ours, options.cluster)
    results, ranking, selections = _by_measure(ours, entries, chosen, clusters, wanted, progress)
    results = _adjusted(results, adjust)
    ranking = _grouped(ranking, results, options.level)
    named = [(key, ",".join(names) if key == "measures" else value) for key, value in scored.settings(found)]
    statistic = statistic or ("f1" if kind == "columns" and hierarchy is None else "value")
    made = [("statistic", statistic), ("cluster", clusters.signed), *options.signed(), ("adjust", adjust)]
    return Compared(
        gold=ours,
        level=options.level,
        statistic=statistic,
        adjust=adjust,
        cluster=clusters.kind,
        pairs=tuple(results),
        ranking=tuple(ranking),
        selections=tuple(selections),
        settings=(*named, *made, *signed_choices(wanted)),
        sources=(("gold", ours.source), *_sources(entries)),
        formats=((ours.path, ours.format), *((one.path, one.format) for one in found)),
        problems=(*ours.warnings, *(warning for one in found for warning in one.warnings)),
        warnings=(
            *clusters.warnings(),
            *filter(None, [options.too_few()]),
            *_warnings(results),
            *scored.warnings(found),
            *_undefined(found, scored),
        ),
        missing={name: lacking for one in found for name, lacking in one.missing.items()},
        skipped=Skipped(
            max(one.skipped.gold for one in found),
            sum(one.skipped.system for one in found),
            tuple(dict.fromkeys(problem for one in found for problem in one.skipped.problems)),
        ),
    )


def compared_hierarchical(statistic: str | None) -> tuple[str, ...]:
    """The measures of tags in a hierarchy that are compared if none are named: those that have the statistic."""
    return ("hierarchical", "exact") if statistic == "by_type_mean" else ("hierarchical", "exact", "hF")


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


def _common_measures(found: Sequence[SystemScores], scored: Planned) -> list[Measure]:
    """The measures that all systems have."""
    common = [one for one in scored.measures if all(one.name in system.counts for system in found)]
    if not common:
        lacking = [(one, column, side) for one in found for both in one.missing.values() for side, column in both]
        if not lacking:
            wanting = next(one for one in found if scored.measures[0].name not in one.counts)
            raise UsageError(f"{scored.measures[0].name} has nothing to divide by in {wanting.name}")
        system, column, side = lacking[0]
        if side == "judgements":
            raise UsageError("these measures need people's verdicts; karat score --judgements gives them")
        where = system.path if side == "system" else "the gold"
        raise UsageError(f"there is no measure for which all have the columns: {where} has no {column.upper()}, as one")
    return common


def _undefined(found: Sequence[SystemScores], scored: Planned) -> list[str]:
    """That measures are not compared because a system has nothing to divide by."""
    return [
        f"{measure.name} is not compared: it has nothing to divide by in {one.name}"
        for measure in scored.measures
        for one in found
        if one.brackets and measure.name in one.brackets.undefined
    ]


# ---- all pairs of a measure ------------------------------------------------------------------------------------------


def _by_measure(
    gold: Annotated,
    systems: Sequence[System],
    measures: Sequence[Measure],
    clusters: Clusters,
    wanted: Wanted,
    progress: Progress | None,
) -> tuple[list[PairResult], list[Ranked], list[Selection]]:
    """The pairs, the ranking and the choice of the best, measure by measure; all resampled in one pass."""
    options = wanted.options
    by = {measure.name: wanted.by(measure) for measure in measures}
    names = list(by)
    counts = {name: [system.counts(name, clusters) for system in systems] for name in names}
    together = {name: _joined(counts[name], [system.name for system in systems]) for name in names}
    alone = [(name, number) for name in names for number in range(len(systems))]
    resampled: dict[str, Floats] = {}
    own: dict[tuple[str, int], Floats] = {}
    if options.n_resamples and clusters.n > 1:
        blocks = [together[name][0] for name in names]
        blocks += [_flat(counts[name][number]) for name, number in alone]
        sums = bootstrap_sums(
            blocks, n_resamples=options.n_resamples, seed=options.seed, jobs=options.jobs, progress=progress
        )
        for name, one in zip(names, sums, strict=False):
            resampled[name] = _values(one, together[name][1], counts[name][0].shape[2], by[name])
        for key, one in zip(alone, sums[len(names) :], strict=True):
            own[key] = mean_value(by[key[0]].statistic, one.reshape(len(one), -1, counts[key[0]][0].shape[2]))
    results: list[PairResult] = []
    ranking: list[Ranked] = []
    selections: list[Selection] = []
    for name, here in by.items():
        results += _pairs(gold, systems, name, counts[name], clusters, here, resampled.get(name))
        values = np.array([mean_value(here.statistic, one.sum(axis=0)) for one in counts[name]])
        intervals = [_system_interval(one, here, own.get((name, number))) for number, one in enumerate(counts[name])]
        ranking += _ranking(name, systems, counts[name], values, intervals, here, resampled.get(name))
        if name in resampled:
            best = int(np.argmax(here.sign * values))
            too_good = optimism(here.sign * resampled[name], here.sign * values)
            selections.append(Selection(name, systems[best].name, len(systems), float(values[best]), too_good))
    return results, ranking, selections


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


def _values(sums: Floats, places: Sequence[slice], n_fields: int, wanted: Wanted) -> Floats:
    """The systems' values on every resample [resamples × systems]; of several runs, as many are drawn as there are."""
    from numpy.random import default_rng

    found = []
    for number, place in enumerate(places):
        values = wanted.statistic(sums[:, place].reshape(len(sums), -1, n_fields))
        n_runs = values.shape[1]
        if n_runs > 1:
            rng = default_rng([wanted.options.seed, 3, number])
            values = np.take_along_axis(values, rng.integers(0, n_runs, size=values.shape), axis=1)
        found.append(values.mean(axis=1))
    return np.stack(found, axis=1)


def _system_interval(counts: Floats, wanted: Wanted, resampled: Floats | None) -> Interval | None:
    """A system's own interval: that of `karat.score`, or with several runs one that has their variance in it."""
    options = wanted.options
    if not options.n_resamples:
        return None
    if counts.shape[1] == 1:
        return score_interval(counts[:, 0], wanted.statistic, options, resampled, is_share=wanted.is_share)
    value = float(mean_value(wanted.statistic, counts.sum(axis=0)))
    if len(counts) < 2:
        return no_interval(len(counts), options, ONE_CLUSTER)
    without = wanted.statistic(leave_one_out(counts))
    of_runs = run_values(wanted.statistic, counts)
    found = spread(standard_error(without.mean(axis=1)), len(counts), [of_runs], [variance_within_runs(without)])
    if not value or (value == 1 and wanted.is_share) or not found.error:
        return no_interval(len(counts), options, NO_DIFFERENCE)
    scale: Scale = "t-logit" if wanted.is_share else "t-log"
    ends = t_interval(value, found.error, found.df, options.level, scale)
    return Interval(*ends, options.level, scale, len(counts), 0)


def _ranking(
    measure: str,
    systems: Sequence[System],
    counts: Sequence[Floats],
    values: Floats,
    intervals: Sequence[Interval | None],
    wanted: Wanted,
    resampled: Floats | None,
) -> list[Ranked]:
    """The systems from the best, not yet grouped."""
    bounds = None if resampled is None else rank_intervals(wanted.sign * resampled, wanted.options.level)
    places = ranks(wanted.sign * values)
    found = []
    for number in sorted(range(len(systems)), key=lambda number: (-wanted.sign * values[number], systems[number].name)):
        of_runs = run_values(wanted.statistic, counts[number])
        lowest, highest = bounds[number] if bounds else (None, None)
        found.append(
            Ranked(
                measure,
                systems[number].name,
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


def _pairs(
    gold: Annotated,
    systems: Sequence[System],
    measure: str,
    counts: Sequence[Floats],
    clusters: Clusters,
    wanted: Wanted,
    resampled: Floats | None,
) -> list[PairResult]:
    chosen = list(combinations(range(len(systems)), 2))
    tests = permutation_tests([(counts[i], counts[j]) for i, j in chosen], wanted)
    documents = documents_of(gold)
    over: list[PermutationTest | None] = [None] * len(chosen)
    if clusters.kind != "sentence" or documents is None or not 2 <= documents.n < FEWEST_DOCUMENTS:
        documents = None
    if documents is not None:
        by_document = [system.counts(measure, documents) for system in systems]
        over = permutation_tests([(by_document[i], by_document[j]) for i, j in chosen], wanted)
    found = []
    for (i, j), test, over_documents in zip(chosen, tests, over, strict=True):
        drawn = None if resampled is None else resampled[:, [i, j]]
        pair = Pair(gold, systems[i], systems[j], measure, counts[i], counts[j], clusters, wanted, drawn)
        found.append(pair.result(test, documents, over_documents))
    return found


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
            f"{worst.documents.p:.3g}; --cluster document takes documents"
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
