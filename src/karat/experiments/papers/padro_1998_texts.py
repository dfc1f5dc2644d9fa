"""The taggers and texts of Padró & Màrquez 1998, run again: finished grids, and which words a tagger has right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from karat._arrays import Array, Flags, Ids
from karat.corpus import Corpus, corpus_from_source, read_source
from karat.corpus.lexicon import AMBIGUOUS, lexicon_from_corpus
from karat.errors import UsageError
from karat.experiments.grid import Grid, GridCell
from karat.experiments.papers import padro_1998_prints as prints
from karat.experiments.papers.ud_folders import TreebankFolder
from karat.experiments.run import fold_texts
from karat.experiments.treebanks import TextReading, Treebank, corpus_of, treebanks
from karat.inference.options import InferenceOptions

COLUMN = "xpos"
KINDS = ("B", "T", "BT", "C", "BC", "TC", "BTC")
SYSTEMS: Mapping[str, str] = {
    "most frequent": "most-frequent:suffixes=yes",
    "HMM2": "hmm:order=1",
    "HMM3": "hmm:order=2",
    **{kind: f"relaxation:constraints={kind}" for kind in KINDS},
}
FIRST, SECOND = "B", "TC"  # the paper's T1 and T2
PLANTED_IN = ("most frequent", "HMM2", "HMM3", "B", "TC")
N_FOLDS = 10
PLANTED_RATE = prints.CORPUS_ERROR  # the paper's estimate for the Wall Street Journal
PLANTED = {
    "random, test": ("random", False),
    "random, both": ("random", True),
    "systematic, test": ("systematic", False),
    "systematic, both": ("systematic", True),
}


@dataclass(frozen=True, slots=True)
class Plant:
    """A treebank with planted errors: its folder, where they are, and the seed."""

    path: str
    where: str
    seed: int


@dataclass(eq=False)
class Work:
    """The finished grids and the texts behind them."""

    folders: Sequence[TreebankFolder]
    across: Grid
    in_folds: Grid
    plants: Sequence[Plant]
    with_errors: Grid
    inference: InferenceOptions
    _folds: dict[tuple[str, int, int], tuple[Corpus, Ids]] = field(default_factory=dict)

    @cached_property
    def banks(self) -> dict[str, Treebank]:
        return {one.name: one for one in treebanks([each.path for each in self.folders])}

    def text(self, name: str, part: str) -> Corpus:
        found = getattr(self.banks[name], part)
        if found is None:
            raise UsageError(f"{name} has no {part} part")
        return corpus_of(found, TextReading(COLUMN))

    def fold(self, name: str, seed: int, fold: int) -> tuple[Corpus, Ids]:
        """A fold, and how many tags its words have in what it was learnt from; all taggers have the same ones."""
        if (name, seed, fold) not in self._folds:
            corpus = corpus_of(self.banks[name].whole(), TextReading(COLUMN))
            train, test = fold_texts(corpus, N_FOLDS, "document", seed, fold, COLUMN)
            self._folds[name, seed, fold] = test, numbers_of_tags(train, test)
        return self._folds[name, seed, fold]

    def output(self, of: Grid, cell: GridCell) -> Corpus:
        """What a system wrote."""
        return corpus_from_source(read_source(of.store.output(cell.key)), tag=COLUMN, trees=False)


def named(cell: GridCell) -> str:
    """What the paper calls a system, or we do."""
    return next(name for name, system in SYSTEMS.items() if system == cell.condition.system)


def short_name(name: str) -> str:
    """A treebank's name without its language."""
    return name.rpartition("-")[2]


def tags_as_numbers(*corpora: Corpus) -> list[Ids]:
    """The tags of corpora of the same words, as numbers that can be compared."""
    known: dict[str, int] = {}
    found = []
    for corpus in corpora:
        column = corpus.column(COLUMN)
        numbers = np.array([known.setdefault(one, len(known)) for one in column.vocabulary.strings], dtype=np.int32)
        found.append(numbers.take(column.ids))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class RightWords:
    """Which words a system has right, and how many tags each has in the training text."""

    right: Flags
    n_tags: Array

    @property
    def is_ambiguous(self) -> Flags:
        found: Flags = self.n_tags >= AMBIGUOUS
        return found

    @property
    def numbers(self) -> tuple[float, float, float, float]:
        """Accuracy on all and on ambiguous words, their share, and how many tags they have on average."""
        several = self.is_ambiguous
        return (
            float(self.right.mean()),
            float(self.right[several].mean()) if several.any() else float("nan"),
            float(several.mean()),
            float(self.n_tags[several].mean()) if several.any() else float("nan"),
        )


def numbers_of_tags(train: Corpus, gold: Corpus) -> Ids:
    """How many tags each word of a gold has in a training text."""
    return lexicon_from_corpus(train, COLUMN).ambiguities(gold)


def right_words(n_tags: Ids, gold: Corpus, output: Corpus) -> RightWords:
    """The words of a gold that an output has right."""
    ours, theirs = tags_as_numbers(gold, output)
    return RightWords(ours == theirs, n_tags)


def percent(value: float | None, places: int = 2) -> str | None:
    """A share in percent; None where there is none."""
    return None if value is None or np.isnan(value) else f"{100 * value:.{places}f}"
