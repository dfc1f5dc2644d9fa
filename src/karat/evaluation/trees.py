"""Constituency trees: brackets, what people say of them, and what their verdicts leave open."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, get_args

import numpy as np

from karat._arrays import Floats
from karat.corpus import Corpus, PathLike, Source, read_source
from karat.corpus.constituency_trees import Trees
from karat.corpus.formats import Readable
from karat.corpus.readers.bracket_folders import read_bracket_folder, read_bracket_folder_beside
from karat.corpus.readers.brackets import as_many_as, brackets_beside, brackets_from_source
from karat.corpus.readers.key import Keys
from karat.corpus.worklist import Worklist, read_worklist
from karat.errors import NO_LINE, DataError, Problem, UsageError
from karat.evaluation.beside_evalb import NamedParameters, evalb_parameters
from karat.evaluation.bracket_details import BracketDetails
from karat.evaluation.results import BoundedScore, MeasureScore, Skipped, SystemScores
from karat.evaluation.task import Asked, Systems, Task, each_system, named_systems
from karat.measures.brackets.bracket_measures import (
    BRACKET_MEASURES,
    COMPARED_BRACKETS,
    COMPARED_WITH_VERDICTS,
    BracketMeasure,
)
from karat.measures.brackets.human_check import (
    VERDICTS,
    BracketCheck,
    Judged,
    Verdicts,
    worklist_of_checks,
)
from karat.measures.brackets.options import BracketOptions, Inheritance
from karat.measures.brackets.paired_trees import paired_trees
from karat.measures.brackets.punctuation import Punctuation, punctuation_named
from karat.measures.brackets.tree_counts import TreeComparison
from karat.measures.brackets.twelve_measures import COUNTED_ITEMS, JUDGED_ITEMS
from karat.measures.catalogue import measures_named
from karat.measures.measure import Measure
from karat.measures.splits import Groups, SentenceGroups, document_groups, length_groups, row_counts, rows_by_group
from karat.signature import shown_input, signature

BRACKET_SPLITS = ("label", "document", "length")
SPARSE = 0.9  # a generation rate below it flatters what counts crossings only
_ITEMS = (*COUNTED_ITEMS, *JUDGED_ITEMS)


class BracketTask(Task[Trees, Any]):
    """How trees are read: files, or folders whose files are paired by relative path."""

    def read_gold(self, readable: Readable) -> Trees:
        folder = _folder(readable)
        ours = self._trees(readable) if folder is None else read_bracket_folder(folder, bad=self.asked.bad)
        if ours.bad.all():
            raise DataError(Problem("K502", "no gold sentence is left to score", ours.path))
        return ours

    def read_system(self, readable: Readable, gold: Trees | None) -> Trees | None:
        folder = _folder(readable)
        if gold is None:
            return None if folder is not None else self._trees(readable)
        if isinstance(readable, Trees):
            return as_many_as(gold, readable, self.asked.bad)
        if folder is None:
            return self._beside(gold, _source(readable))
        if not gold.names:
            hint = "give two folders or two files: files in folders are paired by relative path"
            raise DataError(
                Problem("K102", "this is a folder, but the gold is a file", str(folder), NO_LINE, hint=hint)
            )
        return read_bracket_folder_beside(gold, folder, bad=self.asked.bad)

    def _trees(self, readable: Readable) -> Trees:
        return readable if isinstance(readable, Trees) else self._read(_source(readable))

    def _read(self, source: Source) -> Trees:
        return brackets_from_source(source, bad=self.asked.bad)

    def _beside(self, gold: Trees, source: Source) -> Trees:
        return brackets_beside(gold, source, bad=self.asked.bad)


def _source(readable: Readable) -> Source:
    if isinstance(readable, (Corpus, Keys, Trees)):
        raise UsageError("bracketed trees can only be scored against bracketed trees")
    return readable if isinstance(readable, Source) else read_source(readable)


def _folder(readable: Readable) -> PathLike | None:
    return readable if isinstance(readable, (str, os.PathLike)) and os.path.isdir(readable) else None


def surplus_notes(system: Trees) -> tuple[str, ...]:
    """That files of a folder are not scored."""
    return tuple(f"{path}: no gold file of this name; not scored" for path in system.surplus)


@dataclass(frozen=True, eq=False)
class TreeTask(BracketTask):
    """How trees are scored."""

    measures: Sequence[BracketMeasure]
    asked: Asked
    is_default: bool
    options: BracketOptions
    punctuation: Punctuation
    by: tuple[str, ...] = ()
    judgements: str = ""
    verdicts: Verdicts | None = None
    beside_evalb: NamedParameters | None = None

    def paired(self, gold: Trees, system: Trees) -> TreeComparison:
        pair = paired_trees(gold, system, self.punctuation)
        if pair.problems and self.asked.bad == "raise":
            raise DataError(pair.problems)
        return TreeComparison(pair, self.options)

    def scores(self, pair: TreeComparison, name: str) -> SystemScores:
        judged = None if self.verdicts is None else self.verdicts.of(BracketCheck(name, pair))
        return _TreeScoring(self, pair, judged).scores(name)

    def finish(self) -> None:
        if self.verdicts is not None:
            self.verdicts.refuse_misfits()

    def warnings(self, systems: Sequence[SystemScores]) -> list[str]:
        """That parses are missing, that files are not scored, and that sparse bracketing flatters."""
        found = self._unfitting([one.brackets for one in systems if one.brackets])
        for one in systems:
            found += one.notes
            details = one.brackets
            assert details is not None
            if details.n_missing:
                what = "missing parse counts" if details.n_missing == 1 else "missing parses count"
                found.append(f"{one.name}: {details.n_missing:,} {what} as producing nothing")
            rate = details.items["TPB"] / details.items["TTB"] if details.items["TTB"] else 1.0
            if rate < SPARSE:
                found.append(
                    f"{one.name} makes {100 * rate:.0f} % as many brackets as the gold (Generation Rate below "
                    f"{SPARSE}): sparse bracketing flatters Precision, Crossing Rate, Bracketing Accuracy and Sentence "
                    "Accuracy"
                )
        return found

    def _unfitting(self, every: Sequence[BracketDetails]) -> list[str]:
        """That no word is punctuation, or no bracket has a label that is wanted: what was asked for may not fit."""
        found = []
        if self.punctuation.tags and any(one.n_unmarked for one in every):
            what = f"no word of the gold has a punctuation tag ({self.punctuation.signed})"
            like = f"{every[0].n_unmarked:,} look like punctuation"
            found.append(f'{what}, but {like}: `punctuation="unicode"`, or a file of tags, drops them')
        if self.options.label and not any(one.items["TTB"] or one.items["TPB"] for one in every):
            cut = "; labels are cut at the first - or =" if set("-=") & set(self.options.label) else ""
            found.append(f"no bracket has a label like {self.options.label}{cut}")
        return found

    def settings(self, systems: Sequence[SystemScores]) -> list[tuple[str, str]]:
        names = ",".join(measure.name for measure in self.measures)
        settings = [("like", "karat"), ("measures", "all" if self.is_default else names)]
        settings += self.options.signed(self.punctuation.signed)
        settings += [("by", ",".join(self.by))] if self.by else []
        if self.asked.evalb_steps and self.beside_evalb:
            settings.append(("evalb-steps", self.beside_evalb.signed))
        settings += [("judgements", self.judgements)] if self.judgements else []
        return settings + ([("bad", "skipped")] if self.asked.skip_bad else [])


class _TreeScoring:
    """One system beside the gold; `judged` is what people said of its brackets."""

    def __init__(self, task: TreeTask, comparison: TreeComparison, judged: Judged | None) -> None:
        self.task, self.judged = task, judged
        self.open = frozenset[str]() if judged is None else judged.open
        settled = {} if judged is None else judged.corners[0]
        settled = {item: counts for item, counts in settled.items() if item not in self.open}
        self.comparison = replace(comparison, judged=settled)
        self.kept = ~comparison.pair.gold.bad
        values = self.comparison.values.items()
        self.values = {name: counts[self.kept] for name, counts in values if name not in self.open}

    @cached_property
    def ways(self) -> dict[BracketMeasure, list[Floats]]:
        """The counts of each measure that verdicts leave open, for all ways to decide; one if they are the same."""
        found = {}
        for measure in self.task.measures:
            if measure.ingredients & self.open:
                assert self.judged is not None
                corners = (
                    self.values | {item: corner[item][self.kept] for item in self.open}
                    for corner in self.judged.corners
                )
                every = [measure.counts(values) for values in corners]
                found[measure] = every[:1] if all(np.array_equal(every[0], counts) for counts in every) else every
        return found

    @cached_property
    def known(self) -> dict[Measure, Floats]:
        """The counts of the measures that are not left open."""
        measures = self.task.measures
        found: dict[Measure, Floats] = {
            one: one.counts(self.values) for one in measures if one.ingredients <= set(self.values)
        }
        ways = self.ways.items()
        return found | {one: every[0] for one, every in ways if len(every) == 1 or not one.is_defined(every[0])}

    def _levelled(self, measure: Measure, counts: Floats, corner: int = 0) -> Floats:
        """What intervals and tests are made of: counts, of a sample those in which a tree has as many as it has.

        Where all that was judged is accepted, or nothing, counts stay: they say how many trees were looked at.
        """
        assert isinstance(measure, BracketMeasure)
        of_people = measure.ingredients & set(JUDGED_ITEMS)
        is_settled = measure.is_share and float(measure.value(counts.sum(axis=0))) in (0.0, 1.0)
        if self.judged is None or not self.judged.is_sample or not of_people or is_settled:
            return counts
        levelled = self.judged.levelled[corner]
        return measure.counts(self.values | {item: levelled[item][self.kept] for item in of_people})

    def scores(self, name: str) -> SystemScores:
        """All that is said of the system, without intervals."""
        defined = [one for one in self.task.measures if one in self.known and one.is_defined(self.known[one])]
        counts: dict[Measure, Floats] = {one: self.known[one] for one in defined}
        pair = self.comparison.pair
        gold, system, problems = pair.gold, pair.system, pair.problems
        return SystemScores(
            name,
            system.path,
            _scores(counts),
            {one.name: self._levelled(one, found) for one, found in counts.items()},
            Skipped(
                int((~self.kept).sum()),
                int(system.bad.sum()) + len({problem.sentence for problem in problems}),
                (*gold.problems, *system.problems, *problems),
            ),
            system.source,
            system.format,
            groups={split: self._by(split, counts) for split in self.task.by},
            missing=self._missing(),
            units={one.name: one.units(self.comparison) for one in defined if one.units}
            if self.task.asked.is_comparison
            else {},
            notes=surplus_notes(system),
            warnings=system.warnings,
            brackets=self._details(counts),
        )

    def _missing(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """The measures that want verdicts, and for which items."""
        found = {}
        for one in self.task.measures:
            lacking = one.ingredients - set(self.values)
            if one not in self.known and one not in self.ways and lacking <= set(JUDGED_ITEMS):
                found[one.name] = tuple(("judgements", item) for item in JUDGED_ITEMS if item in lacking)
        return found

    def _details(self, counts: Mapping[Measure, Floats]) -> BracketDetails:
        options, pair = self.task.options, self.comparison.pair
        short = self.comparison.n_words[self.kept] <= options.cutoff
        by_label = self.comparison.labelled.items_by_label(self.kept) if "label" in self.task.by else {}
        return BracketDetails(
            options=options,
            punctuation=self.task.punctuation.signed,
            order=tuple(one.name for one in self.task.measures),
            items={item: float(self.values[item].sum()) for item in _ITEMS if item in self.values},
            open_items={item: self._item_bounds(item) for item in _ITEMS if item in self.open},
            bounded={one.name: self._bounded(one, every) for one, every in self.ways.items() if one not in self.known},
            crossings=self._crossings(),
            n_missing=int((self.kept & pair.system.missing & ~pair.system.bad).sum()),
            n_up_to_cutoff=int(short.sum()),
            up_to_cutoff=_scores({one: found[short] for one, found in counts.items()}),
            items_by_label={label: items for label, items in by_label.items() if options.is_wanted(label)},
            values=self.values,
            undefined=tuple(one.name for one in self.known if one not in counts),
            is_estimate=self.judged is not None and self.judged.is_sample,
            strata=() if self.judged is None else self.judged.strata,
            n_punctuation=(n_dropped := int((pair.gold_dropped & ~pair.gold_traces).sum())),
            beside_evalb=None
            if self.task.beside_evalb is None
            else self.task.beside_evalb.beside(self.comparison, with_steps=self.task.asked.evalb_steps),
            n_unmarked=0 if n_dropped else int((punctuation_named("unicode").of(pair.gold) & ~pair.gold_traces).sum()),
        )

    def _bounded(self, measure: BracketMeasure, ways: Sequence[Floats]) -> BoundedScore:
        """The least and the most of a measure that is left open."""
        order = sorted(range(len(ways)), key=lambda corner: float(measure.value(ways[corner].sum(axis=0))))
        ends = order[0], order[-1]
        least, most = (MeasureScore.from_counts(measure, ways[corner].sum(axis=0)) for corner in ends)
        levelled = [self._levelled(measure, ways[corner], corner) for corner in ends]
        return BoundedScore(measure, (least, most), (levelled[0], levelled[1]))

    def _item_bounds(self, item: str) -> tuple[float, float]:
        assert self.judged is not None
        sums = [float(corner[item][self.kept].sum()) for corner in self.judged.corners]
        return min(sums), max(sums)

    def _crossings(self) -> dict[str, int]:
        """How many parsed sentences have 0, 1, 2 and more crossing brackets."""
        n = self.comparison.items["CE"][self.kept & self.comparison.pair.comparable].astype(np.intp)
        tally = np.bincount(np.minimum(n, 3), minlength=4).tolist()
        return dict(zip(("0", "1", "2", "more"), tally, strict=True))

    def _by(self, split: str, counts: Mapping[Measure, Floats]) -> Groups:
        """Group → measure → counts of trees."""
        if split == "label":
            return self._by_label(list(counts))
        is_document, pair = split == "document", self.comparison.pair
        groups = document_groups(pair.gold) if is_document else length_groups(self.comparison.n_words.astype(np.intp))
        of_kept = SentenceGroups(groups.names, groups.rows[self.kept])
        found: Groups = {groups.names[number]: {} for number in np.unique(of_kept.rows).tolist()}
        for one, every in counts.items():
            for name, rows in rows_by_group(one, every, of_kept).items():
                if one.is_defined(rows.counts):
                    found[name][one.name] = rows
        return found

    def _by_label(self, measures: Sequence[Measure]) -> Groups:
        """A bracket of a label is right if the other side has it with this label; verdicts are not of labels.

        Measures are those that can be had from the items of one label.
        """
        names = {"labelled gold": "TTB", "labelled system": "TPB", "labelled correct": "EM"}
        names |= {"EMA": "EM"} if self.judged is None else {}
        found = {}
        for label in filter(self.task.options.is_wanted, self.comparison.labelled.items_by_label(self.kept)):
            items = self.comparison.labelled.items_of(label.__eq__)
            values = {item: tally[self.kept].astype(np.float64) for item, tally in items.items()}
            values |= {name: values[item] for name, item in names.items()}
            having = [one for one in measures if isinstance(one, BracketMeasure) and one.ingredients <= set(values)]
            counts = [(one, one.counts(values)) for one in having]
            found[label] = {one.name: row_counts(one, every) for one, every in counts if one.is_defined(every)}
        return found


def _scores(counts: Mapping[Measure, Floats]) -> dict[str, MeasureScore]:
    """The scores of the measures that have something to divide by."""
    return {
        one.name: MeasureScore.from_counts(one, found.sum(axis=0))
        for one, found in counts.items()
        if one.is_defined(found)
    }


def tree_task(asked: Asked, names: Sequence[str]) -> TreeTask:
    """The task that is asked for, of systems of these names; a `UsageError` for what does not exist."""
    options = asked.brackets or BracketOptions()
    if options.cutoff < 1:
        raise UsageError(f"cutoff {options.cutoff}: it must be at least 1 word")
    if options.inheritance not in get_args(Inheritance):
        known = " and ".join(get_args(Inheritance))
        raise UsageError(f"unknown inheritance {options.inheritance!r}; choose from {known}")
    measures = asked.measure_names
    default: Iterable[str] = BRACKET_MEASURES
    if asked.is_comparison and not asked.is_all:
        default = COMPARED_BRACKETS if asked.judgements is None else COMPARED_WITH_VERDICTS
    chosen = measures_named(measures or default, BRACKET_MEASURES)
    if options.label:
        for measure in chosen:
            if measures and not measure.is_of_structures:
                raise UsageError(f"{measure.name} cannot be computed for some labels only (label {options.label})")
        chosen = [measure for measure in chosen if measure.is_of_structures]
    judgements, verdicts = "", None
    if asked.judgements is not None:
        worklist = read_worklist(asked.judgements, kinds=VERDICTS)
        verdicts = Verdicts(worklist, list(names))
        judgements = shown_input(worklist.path, read_source(asked.judgements).sha256())
    return TreeTask(
        chosen,
        asked,
        not measures,
        options,
        punctuation_named(options.punctuation),
        asked.splits(BRACKET_SPLITS, " of trees"),
        judgements,
        verdicts,
        _beside_evalb(asked, options, chosen),
    )


def _beside_evalb(asked: Asked, options: BracketOptions, measures: Sequence[BracketMeasure]) -> NamedParameters | None:
    """What EVALB's figure is computed with, to stand beside karat's; None where it is not scored, or not by EVALB."""
    if asked.evalb_steps and options.label:
        raise UsageError(f"EVALB has no figure for some labels only (label {options.label})")
    parameters = evalb_parameters(asked.prm)
    is_scored = any(one.name == parameters.measure for one in measures)
    if asked.evalb_steps and not is_scored:
        raise UsageError(f"EVALB steps need {parameters.measure}, which is not among the measures")
    return None if asked.is_comparison or options.label or not is_scored else parameters


def bracket_worklist(
    gold: Readable,
    systems: Systems,
    *,
    brackets: BracketOptions | None = None,
    include_exact: bool = False,
    sample: int | None = None,
    same_style: bool = False,
    skip_bad: bool = False,
    seed: int = 0,
) -> Worklist:
    """The brackets that people should judge: those that cross one of the gold's or that it does not have.

    With `include_exact` also those that it has; with `sample` a stratified sample of so many, with weights; with
    `same_style` all systems aim at one style, so that a bracket of several is judged once. The last line of the head
    says what it was made from.
    """
    task = tree_task(Asked(brackets=brackets, skip_bad=skip_bad), [])
    every = list(named_systems(systems).items())
    ours, checks = each_system(task, gold, every, lambda pair, name: BracketCheck(name, pair))
    worklist = worklist_of_checks(checks, include_exact=include_exact, sample=sample, same_style=same_style, seed=seed)
    names = ",".join(check.name.translate(_QUOTED) for check in checks)
    settings = [*task.options.signed(task.punctuation.signed), ("systems", names)]
    sides = [("gold", ours), *(("system", check.comparison.pair.system) for check in checks)]
    inputs = [(role, side.source.path, side.source.sha256()) for role, side in sides]
    return replace(worklist, head=(*worklist.head, signature("score worklist", settings, inputs)))


_QUOTED = str.maketrans({mark: f"%{ord(mark):02X}" for mark in "%|,"})
