"""`karat.score_brackets`: every measure of bracketing of every system against one gold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from karat.corpus import Bad, PathLike, read_source
from karat.corpus.constituency_trees import Trees
from karat.corpus.worklist import Worklist, keep_verdicts, read_worklist, write_worklist
from karat.errors import DataError, UsageError
from karat.evaluation.each_system import each_system
from karat.evaluation.results import Scores, SystemScores
from karat.evaluation.scoring import Readable, Systems, named_systems, scored
from karat.evaluation.tree_scores import TreeScoring
from karat.evaluation.word_scores import several
from karat.inference.options import InferenceOptions
from karat.inference.resampling import Progress
from karat.measures import measures_named
from karat.measures.brackets.bracket_measures import BRACKET_MEASURES, BracketMeasure
from karat.measures.brackets.human_check import VERDICTS, BracketCheck, Verdicts, bracket_worklist
from karat.measures.brackets.parse_base import parse_base, parses_from_file
from karat.measures.brackets.punctuation import Punctuation, punctuation_named
from karat.measures.brackets.tree_comparison import BracketOptions, TreeComparison
from karat.measures.brackets.tree_pairs import paired_trees
from karat.signature import shown_input

__all__ = ["BRACKET_SPLITS", "BracketPlan", "bracket_plan", "score_brackets"]

BRACKET_SPLITS = ("label", "document", "length")
SPARSE = 0.9  # a generation rate below it flatters what counts crossings only


@dataclass(frozen=True, eq=False)
class BracketPlan:
    """What is to be scored of trees, checked once for all systems."""

    measures: Sequence[BracketMeasure]
    is_default: bool
    options: BracketOptions
    punctuation: Punctuation
    by: tuple[str, ...]
    bad: Bad
    intervals: bool
    inference: InferenceOptions
    keeps_units: bool = False
    judgements: Worklist | None = None
    judgements_name: str = ""

    def compared(self, gold: Trees, system: Trees) -> TreeComparison:
        """The trees side by side; a `DataError` where words differ, unless bad input is to be kept."""
        pair = paired_trees(gold, system, self.punctuation)
        if pair.problems and self.bad == "raise":
            raise DataError(pair.problems)
        return TreeComparison(pair, self.options)

    def score_each(self, gold: Readable, systems: Sequence[tuple[str, Readable]]) -> tuple[Trees, list[SystemScores]]:
        """The gold and the scores of each system, without intervals."""
        verdicts = None if self.judgements is None else Verdicts(self.judgements, [name for name, _ in systems])

        def scores(ours: Trees, name: str, theirs: Trees, surplus: tuple[str, ...]) -> SystemScores:
            comparison = self.compared(ours, theirs)
            judged = None if verdicts is None else verdicts.of(BracketCheck(name, comparison))
            return TreeScoring(self, comparison, judged).scores(name, surplus)

        ours, found = each_system(gold, systems, self.bad, scores)
        if verdicts is not None:
            verdicts.refuse_misfits()
        return ours, found

    def warnings(self, systems: Sequence[SystemScores]) -> list[str]:
        """That parses are missing, that files are not scored, and that sparse bracketing flatters."""
        found = self._unfitting(systems)
        for one in systems:
            details = one.brackets
            assert details is not None
            found += [f"{path}: no gold file of this name; not scored" for path in details.surplus]
            if details.n_missing:
                what = "missing parse counts" if details.n_missing == 1 else "missing parses count"
                found.append(f"{one.name}: {details.n_missing:,} {what} as producing nothing")
            rate = details.items["TPB"] / details.items["TTB"] if details.items["TTB"] else 1.0
            if rate < SPARSE:
                found.append(
                    f"{one.name} makes {rate:.0%} as many brackets as the gold (Generation Rate below {SPARSE}): "
                    "sparse bracketing flatters Precision, Crossing Rate, Bracketing Accuracy and Sentence Accuracy"
                )
        return found

    def _unfitting(self, systems: Sequence[SystemScores]) -> list[str]:
        """That no word is punctuation, or no bracket has a label that is wanted: what was asked for may not fit."""
        every = [one.brackets for one in systems if one.brackets]
        found = []
        if self.punctuation.tags and any(one.n_unmarked for one in every):
            what = f"no word of the gold has a punctuation tag ({self.punctuation.signed})"
            like = f"{every[0].n_unmarked:,} look like punctuation"
            found.append(f"{what}, but {like}: --punctuation unicode, or a FILE of tags, drops them")
        if self.options.label and not any(one.items["TTB"] or one.items["TPB"] for one in every):
            cut = "; labels are cut at the first - or =" if set("-=") & set(self.options.label) else ""
            found.append(f"no bracket has a label like {self.options.label}{cut}")
        return found

    def write_worklist(
        self,
        path: PathLike,
        gold: Readable,
        systems: Sequence[tuple[str, Readable]],
        *,
        include_exact: bool,
        sample: int | None,
        same_style: bool,
    ) -> int:
        """Write the brackets that people should look at, and tell how many."""

        def check(ours: Trees, name: str, theirs: Trees, _: tuple[str, ...]) -> BracketCheck:
            return BracketCheck(name, self.compared(ours, theirs))

        _, checks = each_system(gold, systems, self.bad, check)
        rows = bracket_worklist(
            checks, include_exact=include_exact, sample=sample, same_style=same_style, seed=self.inference.seed
        )
        keep_verdicts(path, VERDICTS)
        write_worklist(path, rows)
        return len(rows.rows)

    def settings(self, _: Sequence[SystemScores], cluster: str | None = None) -> tuple[tuple[str, str], ...]:
        """The settings that a signature names; where intervals were made, also how and with which clusters."""
        names = ",".join(measure.name for measure in self.measures)
        settings = [("like", "karat"), ("measures", "all" if self.is_default else names)]
        settings += self.options.signed(self.punctuation.signed)
        if self.by:
            settings.append(("by", ",".join(self.by)))
        if self.judgements is not None:
            settings.append(("judgements", self.judgements_name))
        if self.bad == "keep":
            settings.append(("bad", "skipped"))
        if cluster is not None:
            settings += [("cluster", cluster), *self.inference.signed()]
        return tuple(settings)


def bracket_plan(
    *,
    measures: str | Iterable[str] | None = None,
    options: BracketOptions | None = None,
    by: str | Iterable[str] = (),
    skip_bad: bool = False,
    intervals: bool | None = None,
    inference: InferenceOptions | None = None,
    default: Sequence[str] = (),
    keeps_units: bool = False,
    judgements: PathLike | None = None,
) -> BracketPlan:
    """The plan that the options of `score_brackets` ask for; a `UsageError` for what does not exist."""
    options = options or BracketOptions()
    names = several(measures or ())
    if measures is not None and not names:
        raise UsageError("no measure was named")
    splits = several(by)
    for split in splits:
        if split not in BRACKET_SPLITS:
            raise UsageError(f"no split of trees by {split!r}; there are {', '.join(BRACKET_SPLITS)}")
    if options.cutoff < 1:
        raise UsageError(f"a cutoff of {options.cutoff} words: there must be at least one")
    chosen = measures_named(names or default or BRACKET_MEASURES, BRACKET_MEASURES)
    if options.label:
        for measure in chosen:
            if names and not measure.is_of_structures:
                raise UsageError(f"{measure.name} is not for brackets of some labels alone (label {options.label})")
        chosen = [measure for measure in chosen if measure.is_of_structures]
    inference = inference or InferenceOptions()
    worklist, worklist_name = None, ""
    if judgements is not None:
        worklist = read_worklist(judgements, kinds=VERDICTS)
        worklist_name = shown_input(worklist.path, read_source(judgements).sha256())
    return BracketPlan(
        chosen,
        not names,
        options,
        punctuation_named(options.punctuation),
        splits,
        "keep" if skip_bad else "raise",
        (True if intervals is None else intervals) and inference.n_resamples > 0,
        inference,
        keeps_units,
        worklist,
        worklist_name,
    )


def score_brackets(
    gold: Readable,
    system: Systems,
    *,
    measures: str | Iterable[str] | None = None,
    options: BracketOptions | None = None,
    by: str | Iterable[str] = (),
    skip_bad: bool = False,
    intervals: bool | None = None,
    inference: InferenceOptions | None = None,
    judgements: PathLike | None = None,
    worklist: PathLike | None = None,
    include_exact: bool = False,
    sample: int | None = None,
    same_style: bool = False,
    parses: PathLike | None = None,
    progress: Progress | None = None,
) -> Scores:
    """The scores of one or several constituency parsers: items, the twelve measures of Table 3, and PARSEVAL's.

    Trees are given as paths (a folder: each file is a document, paired by relative path), lists of paths or `Trees`.
    `options` say which words and brackets count. `by` splits by label, document or length. `worklist` is a file to
    write the brackets to that a person should look at (`include_exact`, `sample`, `same_style` say which); `judgements`
    is such a file with verdicts. `parses` is a file with the number of parses of each gold sentence, for the Parse
    Base. The rest is as for `score`.
    """
    wanted = bracket_plan(
        measures=measures, options=options, by=by, skip_bad=skip_bad, intervals=intervals, inference=inference,
        judgements=judgements,
    )  # fmt: skip
    systems = list(named_systems(system).items())
    if worklist is not None:
        gold = _read_once(gold)
        systems = [(name, _read_once(one)) for name, one in systems]
        n_rows = wanted.write_worklist(
            worklist, gold, systems, include_exact=include_exact, sample=sample, same_style=same_style
        )
    found = scored(gold, systems, wanted, progress)
    if worklist is not None:
        found = replace(found, n_to_judge=n_rows)
    if parses is None:
        return found
    assert isinstance(found.gold, Trees)
    return replace(found, parse_base=parse_base(found.gold, parses_from_file(found.gold, parses)))


def _read_once(readable: Readable) -> Readable:
    """What standard input has, which cannot be read twice; anything else as it is."""
    return read_source(readable) if readable == "-" else readable
