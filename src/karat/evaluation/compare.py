"""`karat.compare`: which differences between systems are real."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from karat.corpus import Corpus, PathLike, Source
from karat.corpus.constituency_trees import Trees
from karat.corpus.documents_from_comments import document_comment
from karat.corpus.formats import Readable
from karat.corpus.readers.key import Keys
from karat.errors import UsageError, visible
from karat.evaluation.all_pairs import AllPairs
from karat.evaluation.comparison_results import Compared, PairResult, UndecidedMeasure
from karat.evaluation.gold_clusters import clusters_of, documents_of
from karat.evaluation.group_differences import group_differences
from karat.evaluation.plain_words import shown_p
from karat.evaluation.results import MeasureScore, Skipped, SystemScores
from karat.evaluation.system_pair import System, Wanted
from karat.evaluation.task import AnyTask, Asked, Like, Systems, evaluated, named_systems
from karat.evaluation.tasks import task_for
from karat.inference.options import InferenceOptions
from karat.inference.permutation import RANDOMISATION
from karat.inference.resampling import Progress
from karat.measures.measure import Measure

if TYPE_CHECKING:
    from karat.hierarchy import Hierarchy
    from karat.measures.brackets.options import BracketOptions
    from karat.measures.hierarchical.options import HierarchyOptions
    from karat.measures.positional.options import TagOptions
    from karat.tagsets import TagMap

_CLUSTERS = {"sentence": "sentences", "document": "documents"}
_SEPARATORS = str.maketrans("|:", "__")  # what separates the parts of a signature


def compare(
    gold: Readable,
    systems: Systems | None = None,
    *,
    runs: Mapping[str, Sequence[Readable]] | None = None,
    measures: str | Iterable[str] | None = None,
    by: str | Iterable[str] = (),
    lexicon: Readable | None = None,
    statistic: str | None = None,
    inference: InferenceOptions | None = None,
    adjust: str = "holm",
    baseline: str | None = None,
    margin: float | None = None,
    effect: float | None = None,
    power: float = 0.8,
    n_examples: int = 0,
    like: Like | None = None,
    column: str = "upos",
    map: PathLike | Mapping[str, str] | TagMap | None = None,
    input: str | None = None,
    skip_bad: bool = False,
    document_from: str | None = None,
    document_pattern: str | None = None,
    tags: TagOptions | None = None,
    hierarchy: HierarchyOptions | Hierarchy | PathLike | None = None,
    brackets: BracketOptions | None = None,
    judgements: PathLike | None = None,
    prm: PathLike | None = None,
    progress: Progress | None = None,
) -> Compared:
    """Every pair of systems by every measure: difference, interval, paired test, adjusted for the number of pairs.

    Systems and what is asked of them are given as for `karat.score`; those with several runs (random seeds) in `runs`,
    by name. Without `measures`, UPOS, XPOS, UFeats, Lemmas, UAS, LAS and CLAS as far as all have the columns; of trees
    Labelled F1, precision and recall, Recall-hard, Precision-hard, Crossing Rate, Complete Match and Average Crossing,
    with `judgements` also Recall-soft and Precision-soft; "all" takes all. `like="evalb"` compares trees by EVALB's
    figures, on the sentences that it scores. `statistic` is f1, precision, recall or aligned_accuracy; without one,
    each measure's own value is compared, which is F1 for measures of words. `by` and `lexicon` split the measures into
    groups, as for `karat.score`, and compare each pair on every group, by the measures that people ask for of such a
    split or by those named. `adjust` "holm" adjusts p over the pairs of each measure, and over the groups of a split,
    "holm-all" over all pairs and measures, "none" not at all. Reports compare the others with the system `baseline`, or
    with the best. `margin` asks whether systems differ by less; `effect` for the chance to find such a difference and
    the sentences needed to find it with a chance of `power`; `n_examples` for so many sentences on which each system of
    a pair is right where the other is wrong.
    """
    options = inference or InferenceOptions()
    wanted = Wanted(options, statistic, margin, effect, power, n_examples, adjust)
    inputs = _inputs(systems, runs)
    asked = Asked(
        measures=measures, like=like, by=by, lexicon=lexicon, column=column, map=map, input=input, skip_bad=skip_bad,
        tags=tags, hierarchy=hierarchy, brackets=brackets, judgements=judgements, prm=prm, is_comparison=True,
        statistic=statistic, documents=document_comment(document_from, document_pattern),
    )  # fmt: skip
    if judgements is not None and any(len(several) > 1 for several in (runs or {}).values()):
        raise UsageError("judgements can only be used with one output per system, not with several runs")
    gold, kind, task = task_for(gold, inputs, asked)
    ours, found = evaluated(task, gold, inputs)
    runs_of = {name: [one for one in found if one.name == name] for name, _ in inputs}
    entries = [System(name, [one.counts for one in several], several[0].units) for name, several in runs_of.items()]
    if len(entries) < 2:
        raise UsageError("only one system: a comparison needs at least two")
    chosen = _common_measures(found, task, statistic)
    clusters = clusters_of(ours, options.cluster)
    documents = documents_of(ours) if clusters.kind == "sentence" and clusters.n_documents > 1 else None
    results, ranking = AllPairs(entries, clusters, wanted, ours, documents).compared(chosen, progress)
    groups = group_differences(runs_of, clusters, wanted, measures_named=measures is not None, progress=progress)
    names = ",".join(measure.name for measure in chosen)
    settings = [(key, names if key == "measures" else value) for key, value in task.settings(found)]
    compared = statistic or ("f1" if kind == "columns" and hierarchy is None else "value")
    settings += [("statistic", compared), ("cluster", clusters.signed), *options.signed(), ("adjust", adjust)]
    settings += [("baseline", baseline)] if baseline else []
    return Compared(
        gold=ours,
        level=options.level,
        statistic=compared,
        adjust=adjust,
        cluster=clusters.kind,
        effective_clusters=clusters.effective,
        pairs=tuple(results),
        ranking=tuple(ranking),
        by=groups,
        settings=(*settings, *wanted.signed()),
        sources=(("gold", ours.source), *_sources(runs_of)),
        formats=((ours.path, ours.format), *((one.path, one.format) for one in found)),
        problems=(*ours.warnings, *(warning for one in found for warning in one.warnings)),
        warnings=(
            *clusters.warnings(),
            *filter(None, [options.too_few() if _resamples(results) else ""]),
            *_warnings(results),
            *task.warnings(found),
            *_undefined(found, task),
            *_copies(found),
        ),
        baseline=baseline,
        missing={name: lacking for one in found for name, lacking in one.missing.items()},
        undecided=_undecided(found, task),
        is_estimate=any(one.brackets and one.brackets.is_estimate for one in found),
        left_out=_left_out(found),
        skipped=Skipped(
            max(one.skipped.gold for one in found),
            sum(one.skipped.system for one in found),
            tuple(dict.fromkeys(problem for one in found for problem in one.skipped.problems)),
        ),
    )


def _copies(found: Sequence[SystemScores]) -> list[str]:
    """That outputs are the same file, of several systems or of the runs of one: it may have been meant otherwise."""
    names: dict[str, list[str]] = {}
    for one in found:
        if one.source is not None:
            names.setdefault(one.source.sha256(), []).append(one.name)
    said = []
    for same in filter(lambda each: len(each) > 1, names.values()):
        systems = list(dict.fromkeys(same))
        if len(systems) > 1:
            said.append(f"{' and '.join(systems)} have the same output")
        else:
            said.append(f"{len(same)} runs of {systems[0]} have the same output: they do not show how much runs vary")
    return said


def _inputs(systems: Systems | None, runs: Mapping[str, Sequence[Readable]] | None) -> list[tuple[str, Readable]]:
    """All systems and runs by name."""
    inputs = [(name, one) for name, one in (named_systems(systems) if systems else {}).items()]
    for name, several in (runs or {}).items():
        if isinstance(several, (str, os.PathLike, Corpus, Trees, Keys, Source)):
            raise UsageError(f"the runs of {name!r} must be a list of at least one run")
        if name in dict(inputs):
            raise UsageError(f"two systems are called {name!r}")
        if not several:
            raise UsageError(f"{name!r} has no runs")
        inputs += [(name, one) for one in several]
    return inputs


def _sources(systems: Mapping[str, Sequence[SystemScores]]) -> list[tuple[str, Source]]:
    """What a signature names of each system: its file, or its runs under its name."""
    found = []
    for name, runs in systems.items():
        role = "system" if len(runs) == 1 else "run of " + visible(name).translate(_SEPARATORS)
        found += [(role, run.source) for run in runs if run.source]
    return found


def _common_measures(found: Sequence[SystemScores], task: AnyTask, statistic: str | None) -> list[Measure]:
    """The measures that all systems have, by the statistic where one is named."""
    common = [one for one in task.measures if all(one.name in system.counts for system in found)]
    if common:
        return [one if statistic is None else one.by(statistic) for one in common]
    undecided = next((one for one in task.measures if any(one.name in system.bounded for system in found)), None)
    if undecided is not None:
        names = ", ".join(system.name for system in found if undecided.name in system.bounded)
        raise UsageError(f"{undecided.name} cannot be compared: verdicts on brackets of {names} are missing")
    lacking = [(one, column, side) for one in found for both in one.missing.values() for side, column in both]
    if not lacking:
        wanting = next(one for one in found if task.measures[0].name not in one.counts)
        raise UsageError(f"{task.measures[0].name} is undefined (division by 0) for {wanting.name}")
    system, column, side = lacking[0]
    if side == "judgements":
        raise UsageError("these measures need human verdicts: give `judgements=FILE`")
    where = system.path if side == "system" else "the gold"
    raise UsageError(f"no measure has its columns in all files: {where} has no {column.upper()}, for example")


def _undecided(found: Sequence[SystemScores], task: AnyTask) -> tuple[UndecidedMeasure, ...]:
    """The measures that are not compared because verdicts are missing, with what is known of them."""
    every = []
    for measure in task.measures:
        if any(measure.name in one.bounded for one in found):
            known = {one.name: one.bounded.get(measure.name) or one.measures.get(measure.name) for one in found}
            ends = {
                name: (one.value, one.value) if isinstance(one, MeasureScore) else (one.least, one.most)
                for name, one in known.items()
                if one is not None
            }
            every.append(UndecidedMeasure(measure, ends))
    return tuple(every)


def _left_out(found: Sequence[SystemScores]) -> dict[str, int]:
    """How many sentences EVALB leaves out of each system, over all its runs; nothing where it did not score them."""
    left_out = Counter[str]()
    for one in found:
        if one.evalb is not None:
            left_out[one.name] += len(one.evalb.left_out)
    return left_out


def _undefined(found: Sequence[SystemScores], task: AnyTask) -> list[str]:
    """That measures are not compared because a system has nothing to divide by."""
    return [
        f"{measure.name} is not compared: it is undefined (division by 0) for {one.name}"
        for measure in task.measures
        for one in found
        if one.brackets and measure.name in one.brackets.undefined
    ]


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
            f"sentences are treated as independent, as requested; over the {worst.documents.n_documents} documents:"
            f"{shown} {shown_p(worst.documents.p)} ({worst.a} and {worst.b} on {worst.measure})"
        )
    carried = [one for one in results if one.few_carry_it]
    if carried:
        names = ", ".join(dict.fromkeys(f"{one.a} and {one.b} on {one.measure}" for one in carried[:3]))
        more = f" and {len(carried) - 3} more" if len(carried) > 3 else ""
        found.append(
            f"few {_CLUSTERS.get(carried[0].cluster or '', 'clusters')} account for the difference of {names}{more}: p "
            "may be too small and the CI too narrow; look at these before you conclude"
        )
    return found


def _resamples(results: Sequence[PairResult]) -> bool:
    """Whether anything was resampled."""
    return any(one.test.startswith(RANDOMISATION) for one in results) or any(
        one.interval is not None and one.interval.n_resamples for one in results
    )
