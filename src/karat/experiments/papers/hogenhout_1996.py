"""Hogenhout & Matsumoto 1996, run again: two parsers with stochastic grammars, and what a test of them is worth.

The paper compares two versions of a parser of Japanese on 600 sentences of the EDR corpus. Here grammars are read off
the constituency trees of GUM: A is plain, B knows the label above each phrase. Test sentences come in whole documents
from all genres; all documents are tested once in folds, for the verdict. Its check by people is done with known truth:
parsers that learn another style of bracketing than they are tested against (`hogenhout_1996_check`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from karat._arrays import Flags
from karat.corpus import PathLike
from karat.corpus.constituency_trees import Trees
from karat.corpus.readers.bracket_folders import bracket_files, read_bracket_folder
from karat.corpus.readers.brackets import brackets_from_source
from karat.corpus.source import source_from_bytes
from karat.errors import NO_LINE, DataError, Problem
from karat.evaluation.comparison_results import PairResult
from karat.experiments.papers import (
    hogenhout_1996_check_tables as check_tables,
    hogenhout_1996_questions as questions,
    hogenhout_1996_tables as tables,
)
from karat.experiments.papers.hogenhout_1996_check import OracleVerdicts, oracle_verdicts
from karat.experiments.papers.hogenhout_1996_runs import (
    ORIGINAL,
    ParserOutcome,
    ParserRun,
    ParserRuns,
    TreebankSplit,
    folds_by_document,
    split_of,
)
from karat.experiments.papers.reproduction import ExperimentRun, NotRun, PaperPart, Reproduction, made_parts
from karat.inference.options import InferenceOptions
from karat.signature import signature
from karat.simulation import bracketing_styles
from karat.simulation.bracket_errors import with_planted_errors
from karat.systems.options import PcfgOptions

NAME = "hogenhout-1996"
SEEDS = 5  # splits
TEST_SIZE, MOST_WORDS, N_FOLDS = 600, 40, 5
PARSERS: Mapping[str, PcfgOptions] = {"A": PcfgOptions(), "B": PcfgOptions(vertical=2)}
ORDERS = [(vertical, horizontal) for vertical in (1, 2, 3) for horizontal in (0, 1, 2, 3)]
STYLES = tuple(style for style in bracketing_styles.STYLES if style != ORIGINAL)
PLANTED_RATE = 0.05
THRESHOLDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)


def reproduced(data: PathLike, folder: PathLike, how: ExperimentRun) -> Reproduction:
    """The paper's experiment on bracketed trees in the folder; `seeds` are how often a test part is drawn."""
    how.check_is_local(NAME)
    trees_folder = _folder_of_trees(data)
    trees = read_bracket_folder(trees_folder)
    if trees.traces.any():
        raise DataError(Problem("K104", "trees without traces were expected", trees.path, NO_LINE))
    runs = ParserRuns(trees_folder, os.path.join(folder, "parses"), how.jobs, how.watch, trees.source.sha256())
    work = ParserExperiment(trees, runs, [_split(trees, one) for one in how.seeds], how.inference)
    runs.do(work.planned())
    parts, refused = made_parts(_PARTS, work)
    settings = [("paper", NAME), ("splits", ",".join(map(str, how.seeds)))]
    return Reproduction(
        NAME,
        "Hogenhout & Matsumoto 1996, Towards a More Careful Evaluation of Broad Coverage Parsing Systems",
        os.fspath(folder),
        tuple(parts),
        (NotRun("the EDR corpus of Japanese, and the paper's parsers", "not free; GUM's trees are used"), *refused),
        runs.n_run,
        runs.n_kept,
        0,
        signature("reproduce", settings, [("trees", trees.path, trees.source.sha256())]),
        how.inference.level,
        tuple(work.verdict),
        "600 sentences of the EDR corpus",
    )


def _folder_of_trees(data: PathLike) -> str:
    """The folder with trees: the one that is named, or one below it."""
    if not os.path.isdir(data):
        raise DataError(Problem("K101", "no such folder", os.fspath(data), NO_LINE))
    with os.scandir(data) as entries:
        below = sorted(one.path for one in entries if one.is_dir())
    for folder in (os.fspath(data), *below):
        with os.scandir(folder) as entries:
            if any(one.name.endswith(".ptb") for one in entries) and len(bracket_files(folder)) > 1:
                return folder
    hint = "name a folder with files of bracketed trees (.ptb), one per document, such as GUM's"
    raise DataError(Problem("K104", "no folder of bracketed trees in it", os.fspath(data), NO_LINE, hint=hint))


def _split(trees: Trees, seed: int) -> TreebankSplit:
    split = split_of(trees, seed, size=TEST_SIZE, most_words=MOST_WORDS)
    if int(split.train.sum()) < TEST_SIZE or int(split.test.sum()) < TEST_SIZE or not split.dev.any():
        message = f"too few trees for tests of {TEST_SIZE} sentences"
        raise DataError(Problem("K104", message, trees.path, NO_LINE))
    return split


@dataclass(eq=False)
class ParserExperiment:
    """The treebank, its splits, and the runs; what several parts share."""

    trees: Trees
    runs: ParserRuns
    splits: Sequence[TreebankSplit]
    inference: InferenceOptions

    def __post_init__(self) -> None:
        self.verdict: list[str] = []

    # ---- the runs

    def main(self, system: str, split: TreebankSplit, *, predicted_tags: bool = False) -> ParserRun:
        """A or B on a split's test part."""
        train, test = f"split {split.seed}", "predicted" if predicted_tags else "test"
        options = PARSERS[system]
        return ParserRun(system, train, test, options, split.whole_train, split.test, predicted_tags=predicted_tags)

    def counted(self, system: str) -> ParserRun:
        """A or B on the first split, with numbers of parses and brackets left out."""
        first, options = self.splits[0], PARSERS[system]
        where = f"split {first.seed}", "curve"
        return ParserRun(
            system, *where, options, first.whole_train, first.test, count=True, thresholds=THRESHOLDS
        )  # fmt: skip

    def ordered(self, order: tuple[int, int], split: TreebankSplit, part: str) -> ParserRun:
        """A parser of these orders, trained without the dev part, on dev or test."""
        options = PcfgOptions(vertical=order[0], horizontal=order[1])
        testing = split.dev if part == "dev" else split.test
        return ParserRun(f"{order[0]}, {order[1]}", f"split {split.seed}", part, options, split.train, testing)

    def folded(self, system: str) -> list[ParserRun]:
        """A or B on every document once."""
        return [
            ParserRun(system, "folds", f"fold {number}", PARSERS[system], ~fold, fold & self.short)
            for number, fold in enumerate(self.folds)
        ]

    def in_style(self, system: str, style: str) -> ParserRun:
        """A or B that learnt a style, on the first split."""
        first = self.splits[0]
        return ParserRun(
            system, style, f"split {first.seed}", PARSERS[system], first.whole_train, first.test, style=style
        )

    def planned(self) -> list[ParserRun]:
        """All runs."""
        found = [self.main(one, split) for split in self.splits for one in PARSERS]
        found += [self.main(one, split, predicted_tags=True) for split in self.splits for one in PARSERS]
        found += [self.counted(one) for one in PARSERS]
        found += [run for one in PARSERS for run in self.folded(one)]
        found += [self.in_style(one, style) for style in STYLES for one in PARSERS]
        return found + [
            self.ordered(order, split, part) for split in self.splits for order in ORDERS for part in ("dev", "test")
        ]

    @cached_property
    def short(self) -> Flags:
        """The trees that are not too long to be tested."""
        n_words = np.diff(self.trees.word_offsets)
        flags: Flags = (n_words > 0) & (n_words <= MOST_WORDS)
        return flags

    @cached_property
    def folds(self) -> list[Flags]:
        return folds_by_document(self.trees, N_FOLDS, 0)

    def outcome(self, run: ParserRun) -> ParserOutcome:
        return self.runs.outcome(run)

    def gold(self, testing: Flags) -> Trees:
        """The gold trees of a test."""
        return self.trees.only(testing)

    def whole(self, system: str) -> Trees:
        """What A or B gave all documents, in the order of the treebank."""
        lines = np.full(self.trees.n_trees, "", dtype=object)
        for run in self.folded(system):
            lines[run.testing] = self.outcome(run).lines[0.0]
        text = "".join(f"{line}\n" for line in lines[self.short])
        return brackets_from_source(source_from_bytes(text.encode(), system))

    # ---- the systems compared

    def systems(self, split: TreebankSplit) -> dict[str, Trees]:
        """A's and B's trees of a split's test."""
        return {name: self.outcome(self.main(name, split)).trees() for name in PARSERS}

    @cached_property
    def over_folds(self) -> list[PairResult]:
        """B − A by every measure, over all documents."""
        from karat.evaluation.compare import compare

        systems = {name: self.whole(name) for name in PARSERS}
        return list(compare(self.gold(self.short), systems, measures="all", inference=self.inference).pairs)

    @cached_property
    def truths(self) -> dict[tuple[str, str], OracleVerdicts]:
        """By style and system: the brackets of parsers that learnt the style, judged by it."""
        first = self.splits[0]
        gold = self.gold(first.test)
        found = {}
        for style in STYLES:
            own = bracketing_styles.styled(gold, style)
            for name in PARSERS:
                found[style, name] = oracle_verdicts(gold, own, self.outcome(self.in_style(name, style)).trees())
        planted = with_planted_errors(gold, PLANTED_RATE, np.random.default_rng([first.seed, 1996]))
        for name, system in self.systems(first).items():
            found["planted errors", name] = oracle_verdicts(planted.trees, gold, system)
        return found


# ---- the parts -------------------------------------------------------------------------------------------------------


def _from_its_items(work: ParserExperiment) -> Iterator[PaperPart]:
    del work
    yield tables.from_its_items()


def _accuracy(work: ParserExperiment) -> Iterator[PaperPart]:
    rows = []
    for split in work.splits:
        gold = work.gold(split.test)
        for name in PARSERS:
            for predicted in (False, True):
                outcome = work.outcome(work.main(name, split, predicted_tags=predicted))
                rows.append(tables.AccuracyRow(name, split.seed, predicted, gold, outcome))
    part, said = tables.accuracy(rows)
    work.verdict += said
    yield part


def _folds(work: ParserExperiment) -> Iterator[PaperPart]:
    part, said = tables.folds(work.over_folds, work.inference)
    work.verdict.insert(0, said)
    yield part


def _paper_tables(work: ParserExperiment) -> Iterator[PaperPart]:
    first = work.splits[0]
    outcomes = {name: work.outcome(work.counted(name)) for name in PARSERS}
    yield tables.paper_tables(work.gold(first.test), work.systems(first), outcomes, work.inference)


def _orders(work: ParserExperiment) -> Iterator[PaperPart]:
    found = {}
    for split in work.splits:
        for order in ORDERS:
            values = []
            for where in ("dev", "test"):
                run = work.ordered(order, split, where)
                values.append(tables.labelled_f1(work.gold(run.testing), work.outcome(run).trees()))
            found[order, split.seed] = (values[0], values[1])
    part, said = questions.orders(found)
    work.verdict += said
    yield part


def _structures(work: ParserExperiment) -> Iterator[PaperPart]:
    systems = {name: work.whole(name) for name in PARSERS}
    yield questions.structures(work.gold(work.short), systems, work.inference)


def _curve(work: ParserExperiment) -> Iterator[PaperPart]:
    gold = work.gold(work.splits[0].test)
    part, said = questions.curve(gold, {name: work.outcome(work.counted(name)) for name in PARSERS}, THRESHOLDS)
    work.verdict += said
    yield part


def _check(work: ParserExperiment) -> Iterator[PaperPart]:
    part, said = check_tables.check(work.truths, work.inference.level)
    work.verdict += said
    yield part
    part, said = check_tables.coverage_part(work.truths, work.inference.level)
    work.verdict += said
    yield part


_PARTS: Mapping[str, Callable[[ParserExperiment], Iterator[PaperPart]]] = {
    "the paper's own items": _from_its_items,
    "all documents": _folds,
    "accuracy": _accuracy,
    "Tables 1 to 4": _paper_tables,
    "structures": _structures,
    "orders": _orders,
    "partial bracketing": _curve,
    "the check with known truth": _check,
}
