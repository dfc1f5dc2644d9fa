"""`karat.score`: every measure of every system against one gold."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from karat._arrays import Floats
from karat.corpus import Annotated, Corpus, Source
from karat.corpus.constituency_trees import Trees
from karat.corpus.formats import Readable, opened
from karat.corpus.readers.key import Keys
from karat.errors import DataError, UsageError
from karat.evaluation.clusters import clusters_of, documents_of
from karat.evaluation.results import Scores, SystemScores
from karat.evaluation.word_scores import Like, plan
from karat.inference.clusters import FEWEST_DOCUMENTS, Clusters
from karat.inference.intervals import score_interval
from karat.inference.options import InferenceOptions
from karat.inference.pairs import score_design_effect
from karat.inference.resampling import Progress, bootstrap_sums
from karat.measures import Measure
from karat.measures.measure import CORRECT, GOLD

if TYPE_CHECKING:
    from karat.corpus.source import PathLike
    from karat.hierarchy import Hierarchy
    from karat.measures.hierarchical.options import HierarchyOptions
    from karat.measures.positional.options import TagOptions

__all__ = ["Planned", "Readable", "Systems", "few_documents_warning", "hierarchy_options_of", "named_systems", "score"]
__all__ += ["scored", "tell_what_is_wrong", "with_intervals"]

Systems = Readable | Mapping[str, Readable] | Sequence[Readable]


class Planned(Protocol):
    """What is to be scored, and how: words in columns, or trees."""

    @property
    def measures(self) -> Sequence[Measure]: ...
    @property
    def intervals(self) -> bool: ...
    @property
    def inference(self) -> InferenceOptions: ...
    def score_each(
        self, gold: Readable, systems: Sequence[tuple[str, Readable]]
    ) -> tuple[Annotated, list[SystemScores]]: ...
    def settings(self, systems: Sequence[SystemScores], cluster: str | None = None) -> tuple[tuple[str, str], ...]: ...
    def warnings(self, systems: Sequence[SystemScores]) -> Sequence[str]: ...


def score(
    gold: Readable,
    system: Systems,
    *,
    measures: str | Iterable[str] | None = None,
    like: Like | None = None,
    by: str | Iterable[str] = (),
    confusions: str | Iterable[str] = (),
    n_top: int = 10,
    lexicon: Readable | None = None,
    column: str = "upos",
    input: str | None = None,
    skip_bad: bool = False,
    tags: TagOptions | None = None,
    hierarchy: HierarchyOptions | Hierarchy | PathLike | None = None,
    intervals: bool | None = None,
    inference: InferenceOptions | None = None,
    progress: Progress | None = None,
) -> Scores:
    """The scores of a system, or of several in a list or by name in a mapping, against the gold.

    Corpora may be given as such, as a path or as a list of paths read as one (of a system: a list in the list or in the
    mapping). Without `measures` all are computed for
    which both sides have the columns. `like="conll18"` gives exactly the numbers of the official UD evaluator
    (`docs/conll18.md` says how they differ). `by` splits the measures into groups: upos, xpos, deprel, full-deprel,
    form, document, length; `lexicon` into words known, unknown, ambiguous and unambiguous by a training corpus.
    `confusions` asks for the confusion matrices of columns. `column` is what the tags of plain tagged text are.
    With `skip_bad`, bad sentences of the gold leave the test and bad ones of the system count as wholly wrong;
    otherwise they raise. With `tags`, rich tags are taken apart and scored by how much of them is right: exact,
    pos, PA, WPA, CWPA. With `hierarchy`, tags are scored by the probability that goes to right leaves of it:
    hierarchical, exact, hP, hR, hF.

    Each measure has a confidence interval, made as `inference` says, unless `intervals` is False; with `like` only if
    it is True. `progress` is told the share of the resampling that is done.

    Bracketed trees are scored too, with all defaults; `karat.score_brackets` has the options for them. Sense keys are
    scored with `hierarchy`, or without, and `by` may then be type.
    """
    hierarchy = hierarchy_options_of(hierarchy)
    gold, kind = opened(gold, input)
    if kind is None:
        tell_what_is_wrong(gold, list(named_systems(system).items()), input=input, skip_bad=skip_bad)
    if kind == "key":
        from karat.evaluation.score_keys import key_plan

        if like or confusions or lexicon is not None or tags is not None:
            raise UsageError("like, confusions, lexicon and tags are for words in columns, not for sense keys")
        keys_wanted = key_plan(
            measures=measures, hierarchy=hierarchy, by=by, skip_bad=skip_bad, intervals=intervals, inference=inference
        )
        return scored(gold, list(named_systems(system).items()), keys_wanted, progress)
    if kind == "brackets":
        from karat.evaluation.score_brackets import score_brackets

        if like or confusions or lexicon is not None or tags is not None or hierarchy is not None:
            hint = "; karat.score_like_evalb gives EVALB's numbers" if like else ""
            raise UsageError(f"like, confusions, lexicon, tags and hierarchy are not for bracketed trees{hint}")
        return score_brackets(
            gold, system, measures=measures, by=by, skip_bad=skip_bad, intervals=intervals, inference=inference,
            progress=progress,
        )  # fmt: skip
    wanted = plan(
        measures=measures, like=like, by=by, confusions=confusions, n_top=n_top, lexicon=lexicon, column=column,
        input=input, skip_bad=skip_bad, intervals=intervals, inference=inference, tags=tags, hierarchy=hierarchy,
    )  # fmt: skip
    return scored(gold, list(named_systems(system).items()), wanted, progress)


def tell_what_is_wrong(
    gold: Readable, systems: Sequence[tuple[str, Readable]], *, input: str | None, skip_bad: bool
) -> None:
    """Raise the `DataError` of a gold that cannot be used, before anything is said of options that it may not fit."""
    try:
        plan(input=None if input == "brackets" else input, skip_bad=skip_bad).score_each(gold, systems)
    except DataError as error:  # systems may well be trees: the gold may have been meant to be
        raise DataError(problem for problem in error.problems if problem.code != "K108") from None


def scored(
    gold: Readable, systems: Sequence[tuple[str, Readable]], wanted: Planned, progress: Progress | None = None
) -> Scores:
    """The scores as planned, with intervals where they are wanted."""
    ours, found = wanted.score_each(gold, systems)
    if not wanted.intervals:
        return Scores(ours, tuple(found), wanted.settings(found), warnings=tuple(wanted.warnings(found)))
    clusters = clusters_of(ours, wanted.inference.cluster)
    found = with_intervals(found, clusters, wanted, progress)
    few = filter(None, [wanted.inference.too_few() if wanted.inference.resamples_with(clusters.n) else ""])
    warnings = (*clusters.warnings(), *few, *few_documents_warning(ours, clusters, found), *wanted.warnings(found))
    return Scores(ours, tuple(found), wanted.settings(found, clusters.signed), clusters.kind, warnings)


def with_intervals(
    systems: Sequence[SystemScores], clusters: Clusters, wanted: Planned, progress: Progress | None = None
) -> list[SystemScores]:
    """The systems with an interval for each measure; a system's do not depend on what else is scored."""
    options = wanted.inference
    measures = {measure.name: measure for measure in wanted.measures}
    blocks = [clusters.summed(counts) for one in systems for counts in one.counts.values()]
    names = [name for one in systems for name in one.counts]
    resampled: Sequence[Floats | None] = [None] * len(blocks)
    if options.resamples_with(clusters.n):
        sums = bootstrap_sums(
            blocks, n_resamples=options.n_resamples, seed=options.seed, jobs=options.jobs, progress=progress
        )
        resampled = [measures[name].value(one) for name, one in zip(names, sums, strict=True)]
    made = iter(
        score_interval(block, measures[name].value, options, one, is_share=measures[name].is_share)
        for name, block, one in zip(names, blocks, resampled, strict=True)
    )
    return [
        replace(one, measures={name: replace(score, interval=next(made)) for name, score in one.measures.items()})
        for one in systems
    ]


def few_documents_warning(gold: Annotated, clusters: Clusters, systems: Sequence[SystemScores]) -> tuple[str, ...]:
    """That there are documents, too few to resample by default, and how far sentences of one depend on each other."""
    documents = documents_of(gold)
    if clusters.kind != "sentence" or documents is None or not 2 <= documents.n < FEWEST_DOCUMENTS:
        return ()
    effects = [
        (score_design_effect(documents.summed(counts)[:, CORRECT], documents.summed(counts)[:, GOLD]) or 0.0, name)
        for one in systems
        for name, counts in one.counts.items()
    ]
    effect, name = max(effects, default=(0.0, ""))
    worst = f"; their design effect is up to {effect:.1f} ({name})" if effect else ""
    return (
        f"sentences are resampled, for {documents.n} documents are few ({FEWEST_DOCUMENTS} would be taken): intervals "
        f"are too narrow where sentences of a document are alike{worst}; --cluster document takes documents",
    )


def named_systems(system: Systems) -> dict[str, Readable]:
    """The systems by name: the names given, or those of their files."""
    if isinstance(system, Mapping):
        named = dict(system)
    elif isinstance(system, (Corpus, Trees, Keys, Source, str, os.PathLike)):
        named = {_default_name(system): system}
    else:
        named = {}
        for one in system:
            name = _default_name(one)
            named[name if name not in named else f"{name} ({len(named) + 1})"] = one
    if not named:
        raise UsageError("no system was given")
    return named


def _default_name(system: Readable) -> str:
    path = system.path if isinstance(system, (Corpus, Trees, Keys, Source)) else system
    return os.path.basename(path) if isinstance(path, (str, os.PathLike)) else "system"


def hierarchy_options_of(given: HierarchyOptions | Hierarchy | PathLike | None) -> HierarchyOptions | None:
    """Options of scoring tags in a hierarchy, where the hierarchy alone may have been given."""
    if given is None:
        return None
    from karat.measures.hierarchical.options import HierarchyOptions

    return given if isinstance(given, HierarchyOptions) else HierarchyOptions(given)
