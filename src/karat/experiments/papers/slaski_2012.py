"""Slaski, Acedański & Przepiórkowski 2012, run again: attachment from co-occurrence in merely tagged text.

The paper has 963 sentences of the National Corpus of Polish, of which two linguists agreed, and statistics of a million
words. Here sentences are those of UD_Polish-PDB, and statistics of PDB, PUD and LFG, a tenth of that; the same is done
with English. Beyond the paper: one parent for each object, what each kind of signal gives, learning curves, predicted
tags, Hindle & Rooth's choice, and a cascade.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from karat.corpus import PathLike
from karat.errors import NO_LINE, DataError, Problem
from karat.experiments.papers import (
    slaski_2012_plan as plan,
    slaski_2012_signals as signals,
    slaski_2012_tables as tables,
)
from karat.experiments.papers.reproduction import ExperimentRun, NotRun, PaperPart, PaperTable, Reproduction, made_parts
from karat.experiments.papers.slaski_2012_analyses import (
    cascade_table,
    choices_table,
    leak_table,
    predicted_table,
    size_table,
)
from karat.experiments.papers.slaski_2012_runs import AttachmentRun, AttachmentRuns
from karat.experiments.papers.slaski_2012_scores import ONE_PARENT, ScoredRun, ratios_of, scored_run
from karat.experiments.papers.slaski_2012_texts import ENGLISH, LFG, POLISH, WORDNET, data_in, polish_data
from karat.inference.options import InferenceOptions
from karat.signature import signature
from karat.systems.attachment.classifiers import BALANCED_FOREST, CLASSIFIERS

NAME = "slaski-2012"
SEEDS = 1  # times that sentences are drawn
_FEW = f"{plan.FEW_FOLDS} folds."


def reproduced(data: PathLike, folder: PathLike, how: ExperimentRun) -> Reproduction:
    """The paper's experiment on treebanks in the folder; `seeds` are how often the 963 sentences are drawn."""
    how.check_is_local(NAME)
    if not os.path.isdir(data):
        raise DataError(Problem("K101", "no such folder", os.fspath(data), NO_LINE))
    found = {POLISH: polish_data(os.fspath(data))}
    english = data_in(os.fspath(data), ENGLISH)
    if english is not None:
        found[ENGLISH] = english
    runs = AttachmentRuns(found, os.path.join(folder, "runs"), how.jobs, how.watch)
    work = AttachmentExperiment(runs, how.seeds, how.inference)
    runs.do(plan.planned(list(found), how.seeds))
    parts, refused = made_parts(_PARTS, work)
    missing = [
        NotRun("the annotated sentences of the National Corpus of Polish", "not published; UD_Polish-PDB is used")
    ]
    missing.append(NotRun("statistics of a million words", "PDB, PUD and LFG have a tenth of that"))
    for name, one in found.items():
        if one.wordnet is None:
            missing.append(
                NotRun(f"{name}: features of the wordnet", f"no WordNet in {WORDNET} (wordnet-base), or no plwordnet")
            )
    settings = [("paper", NAME), ("drawn", ",".join(map(str, how.seeds)))]
    inputs = [(name.lower(), "+".join(of for of, _ in one.treebanks), one.sha256()) for name, one in found.items()]
    return Reproduction(
        NAME,
        "Slaski, Acedański & Przepiórkowski 2012, Machine Learning of Syntactic Attachment from Morphosyntactic and "
        "Semantic Co-occurrence Statistics",
        os.fspath(folder),
        tuple(parts),
        (*missing, *refused),
        runs.n_run,
        runs.n_kept,
        len(runs.failures),
        signature("reproduce", settings, inputs),
        how.inference.level,
        tuple(work.verdict),
        "other sentences, with other groups and rules and ten times the statistics",
    )


@dataclass(eq=False)
class AttachmentExperiment:
    """The runs, how often sentences are drawn, and what comes out."""

    runs: AttachmentRuns
    seeds: Sequence[int]
    inference: InferenceOptions

    def __post_init__(self) -> None:
        self.verdict: list[str] = []
        self._scored: dict[AttachmentRun, ScoredRun] = {}

    def scored(self, run: AttachmentRun) -> ScoredRun:
        """A run's scores."""
        if run not in self._scored:
            kept = self.runs.pairs(run.setting)
            self._scored[run] = scored_run(kept, self.runs.decisions(run), self.inference)
        return self._scored[run]

    def all_scored(self, runs: Mapping[str, AttachmentRun]) -> dict[str, ScoredRun]:
        """The scores of several runs."""
        return {name: self.scored(run) for name, run in runs.items()}

    def need(self, language: str) -> None:
        """A `DataError` if the treebanks of a language are not there."""
        if language not in self.runs.data:
            raise DataError(Problem("K104", f"no treebanks of {language} in the folder", language, NO_LINE))


# ---- the parts -------------------------------------------------------------------------------------------------------


def _table_1(work: AttachmentExperiment) -> Iterator[PaperPart]:
    part, said = tables.table_1(work.scored(plan.drawn(work.seeds[0])), work.inference)
    work.verdict += said
    yield part


def _polish(work: AttachmentExperiment) -> Iterator[PaperPart]:
    runs = dict(plan.POLISH_TEXTS)
    runs |= {f"963 sentences, drawing {seed}": plan.drawn(seed) for seed in work.seeds if seed}
    notes = (
        f"{plan.FOLDS} folds by sentence; {plan.FEW_FOLDS} for all sentences and for all of at most 14 words. On all "
        f"sentences classifiers learn from {plan.FEW_TRAIN:,} sentences.",
    )
    part, said = tables.texts("polish", POLISH, work.all_scored(runs), notes, level=work.inference.level)
    work.verdict.append(said[-1 if len(work.seeds) < 2 else len(plan.POLISH_TEXTS) - 1])
    yield part


def _rules(work: AttachmentExperiment) -> Iterator[PaperPart]:
    kept = {}
    for setting in plan.RULES:
        if setting.sentences != LFG or "UD_Polish-LFG" in dict(work.runs.data[POLISH].treebanks):
            kept["LFG" if setting.sentences == LFG else "PDB"] = work.runs.pairs(setting)
    yield tables.rules(kept)


def _classifiers(work: AttachmentExperiment) -> Iterator[PaperPart]:
    runs = work.all_scored({CLASSIFIERS[name].what: run for name, run in plan.BY_CLASSIFIER.items()})
    forest = runs[CLASSIFIERS[BALANCED_FOREST].what]
    best = max(runs, key=lambda name: ratios_of(runs[name].ways[ONE_PARENT])[2])
    said = (f"The best of them with one parent: {best}.",)
    table = tables.runs_beside(
        "Classifiers, 963 sentences", "classifier", runs, said, (f"{_FEW} Difference: from the balanced forest.",),
        against=forest, inference=work.inference, seconds=True,
    )  # fmt: skip
    yield PaperPart("classifiers", "Classifiers", (), (("", table),))


def _curves(work: AttachmentExperiment) -> Iterator[PaperPart]:
    by_size = work.all_scored({f"{size:,}": run for size, run in plan.BY_TREEBANK_SIZE.items()})
    found = [
        size_table("training sentences", by_size, f"{_FEW} All Polish sentences of at most 14 words.", work.inference)
    ]
    for language in work.runs.data:
        scored = [work.scored(run) for run in plan.by_statistics_size(language)]
        of_size = {f"{one.kept.n_counted_words:,}": one for one in scored}
        note = f"{_FEW} 963 sentences of at most 14 words; none of them is counted."
        found.append(size_table(f"{language}, words counted", of_size, note, work.inference))
    work.verdict += [one.verdict[0] for one in found]
    yield PaperPart("curves", "Learning curves", (), tuple(("", one) for one in found))


def _left_out(work: AttachmentExperiment) -> Iterator[PaperPart]:
    found = []
    for language in work.runs.data:
        runs = work.all_scored(plan.by_what_is_left_out(language))
        own, every = runs.values()
        gain = every.beyond(own, ONE_PARENT, work.inference)
        said = (
            f"{language}: F1 is {tables.higher(gain.difference)} if no evaluated sentence is counted, "
            f"not only the sentence itself left out (p {tables.shown_p(gain)}).",
        )
        notes = (f"{_FEW} 963 sentences of at most 14 words. Difference: from leaving the sentence itself out.",)
        title = f"{language}: what is left out of the statistics"
        found.append(tables.runs_beside(title, "left out", runs, said, notes, against=own, inference=work.inference))
        work.verdict += said
    yield PaperPart("left-out", "What is left out of the statistics", (), tuple(("", one) for one in found))


def _english(work: AttachmentExperiment) -> Iterator[PaperPart]:
    work.need(ENGLISH)
    notes = (
        f"{plan.FEW_FOLDS} folds; classifiers learn from {plan.FEW_TRAIN:,} sentences of at most 14 words, or from "
        f"{plan.FEWER_TRAIN:,} of any length.",
    )
    runs = work.all_scored(plan.ENGLISH_TEXTS)
    part, said = tables.texts("english", ENGLISH, runs, notes, level=work.inference.level)
    work.verdict.append(said[1])
    yield part


def _signals(work: AttachmentExperiment) -> Iterator[PaperPart]:
    names = work.runs.pairs(plan.POLISH_DRAWN).pairs.names
    use = work.runs.signals(plan.SIGNAL_USE)
    found: list[PaperTable] = tables.signal_tables(use, names, tuple(signals.groups_of_signals(names)))
    runs = work.all_scored(dict(plan.BY_SIGNALS))
    every = runs[signals.EVERY]
    said, notes = [], (f"{_FEW} Single measures: with distance, order and rules. Difference: from all signals.",)
    losses = {name: every.beyond(run, ONE_PARENT, work.inference) for name, run in runs.items() if run is not every}
    for name in (*signals.WITHOUT, signals.ONLY_PLACES):
        sure = losses[name].p is not None and float(losses[name].p or 0) < 1 - work.inference.level
        said.append(
            f"{name[0].upper()}{name[1:]}: F1 {tables.higher(-losses[name].difference)}"
            f"{'' if sure else ', no clear difference'}."
        )
    best = max(signals.ONLY_MEASURES, key=lambda name: ratios_of(runs[name].ways[ONE_PARENT])[2])
    said.append(f"The best single measure: {best.removesuffix(' alone')}.")
    found.append(
        tables.runs_beside(
            "Forests without some signals", "signals", runs, tuple(said), notes, against=every, inference=work.inference
        )
    )
    yield PaperPart("signals", "Signals", tables.signal_ranks(use, names), tuple(("", one) for one in found))


def _leak(work: AttachmentExperiment) -> Iterator[PaperPart]:
    yield PaperPart(
        "leak", "Shuffled edges", (), (("", leak_table(work.scored(plan.SHUFFLED), work.scored(plan.IN_FEW_FOLDS))),)
    )


def _map(work: AttachmentExperiment) -> Iterator[PaperPart]:
    runs = work.all_scored({"LFG's tags mapped": plan.IN_FEW_FOLDS, "LFG's tags as they are": plan.NOT_MAPPED})
    table = tables.runs_beside(
        "LFG's older tags in the statistics", "statistics", runs, (), (f"{_FEW} 963 sentences.",),
        against=runs["LFG's tags mapped"], inference=work.inference,
    )  # fmt: skip
    yield PaperPart("map", "LFG's tags", (), (("", table),))


def _predicted(work: AttachmentExperiment) -> Iterator[PaperPart]:
    runs = work.all_scored({"gold": plan.IN_FEW_FOLDS, "predicted": plan.PREDICTED})
    table = predicted_table(runs)
    work.verdict += table.verdict
    yield PaperPart("predicted", "Predicted tags", (), (("", table),))


def _choices(work: AttachmentExperiment) -> Iterator[PaperPart]:
    runs = {f"Polish, {name}": run for name, run in plan.POLISH_TEXTS.items()}
    if ENGLISH in work.runs.data:
        runs |= {f"English, {name}": plan.ENGLISH_TEXTS[name] for name in list(plan.ENGLISH_TEXTS)[1::2]}
    table = choices_table(work.all_scored(runs))
    work.verdict += table.verdict
    yield PaperPart("choices", "Verb or noun", (), (("", table),))


def _cascade(work: AttachmentExperiment) -> Iterator[PaperPart]:
    first, second = (work.scored(plan.BY_CLASSIFIER[name]) for name in (BALANCED_FOREST, plan.BOOSTING))
    table = cascade_table(first, second, work.inference)
    yield PaperPart("cascade", "A cascade", (), (("", table),))


_PARTS: Mapping[str, Callable[[AttachmentExperiment], Iterator[PaperPart]]] = {
    "Table 1": _table_1,
    "Polish texts": _polish,
    "the rules": _rules,
    "classifiers": _classifiers,
    "learning curves": _curves,
    "what is left out": _left_out,
    "English": _english,
    "signals": _signals,
    "shuffled edges": _leak,
    "LFG's tags": _map,
    "predicted tags": _predicted,
    "verb or noun": _choices,
    "a cascade": _cascade,
}
