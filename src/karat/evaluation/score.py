"""`karat.score`: every measure of every system against one gold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from karat._arrays import Floats
from karat.corpus import Annotated, PathLike
from karat.corpus.constituency_trees import Trees
from karat.corpus.documents_from_comments import document_comment
from karat.corpus.formats import Readable
from karat.errors import UsageError
from karat.evaluation.gold_clusters import clusters_of, documents_of
from karat.evaluation.results import MeasureScore, Scores, SystemScores
from karat.evaluation.task import Asked, Like, Systems, evaluated, named_systems
from karat.evaluation.tasks import task_for
from karat.inference.clusters import Clusters
from karat.inference.intervals import intervals as made_intervals
from karat.inference.options import InferenceOptions
from karat.inference.paired_units import design_effect
from karat.inference.resampling import Progress
from karat.measures.measure import CORRECT, GOLD, Measure

if TYPE_CHECKING:
    from karat.evaluation.whole_check import WholeCheck
    from karat.hierarchy import Hierarchy
    from karat.measures.brackets.options import BracketOptions
    from karat.measures.hierarchical.options import HierarchyOptions
    from karat.measures.positional.options import TagOptions
    from karat.tagsets import TagMap


def score(
    gold: Readable,
    systems: Systems,
    *,
    measures: str | Iterable[str] | None = None,
    like: Like | None = None,
    by: str | Iterable[str] = (),
    confusions: str | Iterable[str] = (),
    n_top: int = 10,
    lexicon: Readable | None = None,
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
    parses: PathLike | None = None,
    prm: PathLike | None = None,
    evalb_steps: bool = False,
    intervals: bool | None = None,
    inference: InferenceOptions | None = None,
    progress: Progress | None = None,
) -> Scores:
    """The scores of a system, or of several in a list or by name in a mapping, against the gold.

    Words in columns, sense keys and bracketed trees are scored, each kind against its own. What is to be read may be
    given as what it was read into, as a path or as a list of paths read as one (of a system: a list in the list or in
    the mapping); trees also as a folder: each file is a document, paired by relative path. Without `measures` all are
    computed for which both sides have the columns. `like="conll18"` gives exactly the numbers of the official UD
    evaluator (docs/conll18.md says how they differ), `like="evalb"` those of EVALB, with the parameters in a file `prm`
    or those of COLLINS.prm.

    `by` splits the measures into groups: upos, xpos, deprel, full-deprel, distance (from the head), direction (of the
    head), form, document, length; of trees label, document, length; of sense keys type. By feats, and with `tags` by
    category, it gives precision, recall and F1 of the value of each feature or category. `lexicon` splits into words
    known, unknown, ambiguous and unambiguous by a training corpus. `confusions` asks for the confusion matrices of
    columns. `column` is what the tags of plain tagged text are. `map` maps the tags of both sides before they are
    compared: the name of a map that karat has (penn-upos), a file of pairs or the pairs themselves. It is about the
    tags of `column`, or of XPOS where that is the measure named; without `measures`, these tags are what is scored.
    penn-upos makes UPOS out of XPOS where there is one. With `skip_bad`, bad sentences of the gold leave the test and
    bad ones of the system are scored as 0; otherwise they raise. `document_from` names a comment of the gold's
    sentences that says which document each is from, as orig_file_sentence of UD_Polish-PDB; `document_pattern` is a
    regular expression whose first group in it is the document (`karat.corpus.documents_from_comments`). With `tags`,
    rich tags are taken apart and scored by how much of them is right: exact, pos, PA, WPA, CWPA. With `hierarchy`, tags
    are scored by the probability that goes to right leaves of it: hierarchical, exact, hP, hR, hF. `brackets` says
    which words and brackets of trees count; `judgements` is a worklist of brackets with people's verdicts
    (`karat.bracket_worklist`), `parses` a file with the number of parses of each gold sentence, for the Parse Base. Of
    trees, EVALB's F1 stands beside karat's; with `evalb_steps` also which step of preparation moves F1 by how much on
    the way from one to the other.

    Each measure has a confidence interval, made as `inference` says, unless `intervals` is False; with `like` only if
    it is True. `progress` is told the share of the resampling that is done.
    """
    named = list(named_systems(systems).items())
    asked = Asked(
        measures=measures, like=like, by=by, confusions=confusions, n_top=n_top, lexicon=lexicon, column=column,
        map=map, input=input, skip_bad=skip_bad, tags=tags, hierarchy=hierarchy, brackets=brackets,
        judgements=judgements, prm=prm, evalb_steps=evalb_steps,
        documents=document_comment(document_from, document_pattern),
    )  # fmt: skip
    gold, _, task = task_for(gold, named, asked)
    options = inference or InferenceOptions()
    if not (like is None if intervals is None else intervals):
        options = replace(options, n_resamples=0)
    ours, found = evaluated(task, gold, named)
    settings = task.settings(found)
    base = None if parses is None else _parse_base(ours, parses)
    if not options.n_resamples:
        return Scores(ours, tuple(found), tuple(settings), warnings=tuple(task.warnings(found)), parse_base=base)
    clusters = clusters_of(ours, options.cluster)
    found = with_intervals(found, clusters, options, progress)
    settings += [("cluster", clusters.signed), *options.signed()]
    few = filter(None, [options.too_few() if options.resamples_with(clusters.n) else ""])
    warnings = (*clusters.warnings(), *few, *_sentences_warning(ours, clusters, found), *task.warnings(found))
    return Scores(ours, tuple(found), tuple(settings), clusters.kind, warnings, base, clusters.effective)


def _parse_base(gold: Annotated, parses: PathLike) -> float | None:
    if not isinstance(gold, Trees):
        raise UsageError("parses can only be used with bracketed trees")
    from karat.measures.brackets.parse_base import parse_base, parses_from_file

    return parse_base(gold, parses_from_file(gold, parses))


def with_intervals(
    systems: Sequence[SystemScores], clusters: Clusters, options: InferenceOptions, progress: Progress | None = None
) -> list[SystemScores]:
    """The systems with an interval for each measure; a system's do not depend on what else is scored."""
    wanted = [(counts, measure) for one in systems for measure, counts in _counted(one)]
    made = iter(made_intervals(wanted, clusters, options, progress))

    def sure(score: MeasureScore) -> MeasureScore:
        return replace(score, interval=next(made))

    found = []
    for one in systems:
        measures = {name: sure(score) for name, score in one.measures.items()}
        if one.brackets and one.bounded:
            bounded = {
                name: replace(both, scores=(sure(both.scores[0]), sure(both.scores[1])))
                for name, both in one.bounded.items()
            }
            one = replace(one, brackets=replace(one.brackets, bounded=bounded))
        one = replace(one, measures=measures)
        found.append(_with_whole_check(one, options.level) if one.brackets and one.brackets.is_estimate else one)
    return found


def _with_whole_check(system: SystemScores, level: float) -> SystemScores:
    """A system of which people judged a sample, with what the check of all brackets would say.

    That is less than what more text would: intervals are made to hold those of the whole check.
    """
    from karat.evaluation.whole_check import whole_check

    assert system.brackets is not None
    whole = whole_check(system.brackets.items, system.brackets.strata, level=level)

    def held(score: MeasureScore, one: WholeCheck) -> MeasureScore:
        return replace(score, interval=score.interval and score.interval.around(one.lower, one.upper))

    measures = {
        name: replace(held(score, whole[name]), whole_check=whole[name]) if name in whole else score
        for name, score in system.measures.items()
    }
    bounded = {
        name: replace(both, scores=(held(both.scores[0], one), held(both.scores[1], one)), whole_check=one)
        if (one := whole.get(name))
        else both
        for name, both in system.bounded.items()
    }
    return replace(system, measures=measures, brackets=replace(system.brackets, bounded=bounded))


def _counted(system: SystemScores) -> Iterator[tuple[Measure, Floats]]:
    """The measures of a system and their counts of every sentence; those of measures left open for least and most."""
    for name, one in system.measures.items():
        yield one.measure, system.counts[name]
    for open_ in system.bounded.values():
        yield from ((open_.measure, counts) for counts in open_.counts)


def _sentences_warning(gold: Annotated, clusters: Clusters, systems: Sequence[SystemScores]) -> tuple[str, ...]:
    """That sentences are resampled although there are documents, and how far sentences of one depend on each other."""
    documents = documents_of(gold)
    if clusters.kind != "sentence" or documents is None or documents.n < 2:
        return ()
    sums = [(name, documents.summed(counts)) for one in systems for name, counts in one.counts.items()]
    effects = [
        (design_effect(of[:, CORRECT], of[:, GOLD], float(of[:, CORRECT].sum())) or 0.0, name) for name, of in sums
    ]
    effect, name = max(effects, default=(0.0, ""))
    worst = f"; their design effect is up to {effect:.1f} ({name})" if effect else ""
    return (
        f"sentences are resampled, as requested: intervals are too narrow if sentences of a document are alike{worst}",
    )
