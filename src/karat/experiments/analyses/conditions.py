"""The conditions of a grid, each with all its runs: a system, what it learnt from, what it was tested on."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np

from karat._arrays import Floats
from karat.corpus import Corpus
from karat.errors import UsageError
from karat.evaluation.all_pairs import AllPairs
from karat.evaluation.comparison_results import Ranked
from karat.evaluation.gold_clusters import clusters_of
from karat.evaluation.system_pair import System, Wanted
from karat.experiments.grid import Grid, GridCell
from karat.experiments.store import Store
from karat.experiments.treebanks import TextFiles, TextReading, corpus_of
from karat.inference.clusters import Clusters
from karat.inference.options import InferenceOptions
from karat.measures.catalogue import word_measures
from karat.systems.folds import folds_of

Role = Literal["train", "test"]
# Wisniewski & Yvon 2019 count the treebank of Old French, SRCMF, among the French ones
_COUNTED_AS = {"Old French": "French"}


@dataclass(frozen=True, eq=False)
class Runs:
    """All runs of a system that learnt from one text, or so many words of it, on one test.

    A run is a seed; with folds it is all folds of a seed together, in which every sentence is tested once.
    """

    system: str
    train: str
    test: str
    size: int | None
    cells: tuple[GridCell, ...]
    store: Store

    @property
    def is_in_domain(self) -> bool:
        return self.train == self.test

    @property
    def has_folds(self) -> bool:
        return self.cells[0].condition.fold is not None

    @property
    def column(self) -> str:
        """The column that was learnt; the first of several."""
        return str(self.cells[0].data["column"]).partition("+")[0]

    @cached_property
    def reading(self) -> TextReading:
        """How the texts were read."""
        data = self.cells[0].data
        return TextReading.from_dict(str(data["column"]), data)

    @property
    def language(self) -> str:
        return language_of(self.train)

    def text(self, role: Role) -> TextFiles:
        """The files that were learnt from, or tested on."""
        found = self.cells[0].data[f"{role}_text"]
        return TextFiles(tuple(found["paths"]), str(found["sha256"]))

    def corpus(self, role: Role) -> Corpus:
        """What was learnt from (all of it, whatever the size), or tested on."""
        return corpus_of(self.text(role), self.reading)

    @cached_property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that are complete."""
        every = list(dict.fromkeys(one.condition.seed for one in self.cells))
        if not self.has_folds:
            return tuple(every)
        n_folds = int(self.cells[0].data["folds"]["n"])
        by_seed = {seed: {one.condition.fold for one in self.cells if one.condition.seed == seed} for seed in every}
        return tuple(seed for seed, folds in by_seed.items() if len(folds) == n_folds)

    def of_seed(self, seed: int) -> list[GridCell]:
        """The cells of a run: one, or one for each fold."""
        return [one for one in self.cells if one.condition.seed == seed]

    def counts(self, seed: int, measure: str) -> Floats:
        """The counts of every sentence in a run [sentences × fields]."""
        corpus, cells = self.corpus("test"), self.of_seed(seed)
        n_fields = len(word_measures([measure])[0].fields)
        if not self.has_folds:
            return self.store.counts(cells[0].key, measure, (corpus.n_sentences, n_fields))
        how = cells[0].data["folds"]
        of_sentence = folds_of(corpus, how["n"], how["by"], seed)
        found = np.zeros((corpus.n_sentences, n_fields))
        for cell in cells:
            where = np.flatnonzero(of_sentence == cell.condition.fold)
            found[where] = self.store.counts(cell.key, measure, (len(where), n_fields))
        return found

    def clusters(self, inference: InferenceOptions) -> Clusters:
        """What of the test is independent: documents, sentences or the groups asked for."""
        return clusters_of(self.corpus("test"), inference.cluster)

    def as_system(self, measures: Sequence[str]) -> System:
        """The runs' counts, as systems are compared by; called after the training text."""
        return System(self.train, [{name: self.counts(seed, name) for name in measures} for seed in self.seeds])

    def means(self, measures: Sequence[str], inference: InferenceOptions) -> list[Ranked]:
        """The mean over runs by each measure; the interval has the variance of runs and of the text's clusters in it.

        With a single run it is the interval of `karat.score`.
        """
        every = AllPairs([self.as_system(measures)], self.clusters(inference), Wanted(inference))
        return every.compared(word_measures(measures))[1]


def conditions(grid: Grid) -> list[Runs]:
    """All conditions that have a complete run, in the order of the cells."""
    found: dict[tuple[object, ...], list[GridCell]] = {}
    for cell in grid.cells:
        of = cell.condition
        found.setdefault((of.system, of.train, of.test, of.size, of.fold is None), []).append(cell)
    every = []
    for cells in found.values():
        _refuse_other_texts(cells)
        of = cells[0].condition
        runs = Runs(of.system, of.train, of.test, of.size, tuple(cells), grid.store)
        if runs.seeds:
            every.append(runs)
    return every


def _refuse_other_texts(cells: Sequence[GridCell]) -> None:
    """Runs on different versions of a file have no mean."""
    for role in ("train", "test"):
        if len({one.data[f"{role}_text"]["sha256"] for one in cells}) > 1:
            of = cells[0].condition
            name = of.train if role == "train" else of.test
            raise UsageError(f"{name} was changed between runs of {of.system}: run the grid again")


def across_texts(grid: Grid, table: str) -> list[Runs]:
    """The conditions of whole training texts, without folds: those in which training and test are texts apart."""
    found = [one for one in conditions(grid) if one.size is None and not one.has_folds]
    if not found:
        raise UsageError(f"the table {table} needs a grid of whole training parts, without folds or sizes")
    return found


def language_of(treebank: str) -> str:
    """The language of a treebank by its name in UD; empty for other names.

    >>> language_of("UD_English-EWT"), language_of("UD_Old_French-SRCMF"), language_of("news")
    ('English', 'French', '')
    """
    language, dash, _ = treebank.removeprefix("UD_").partition("-")
    if not treebank.startswith("UD_") or not dash:
        return ""
    shown = language.replace("_", " ")
    return _COUNTED_AS.get(shown, shown)


def short_name(treebank: str) -> str:
    """What a treebank is called among those of its language: EWT of UD_English-EWT."""
    return treebank.partition("-")[2] if treebank.startswith("UD_") and "-" in treebank else treebank


@lru_cache(maxsize=64)
def file_sha256(text: TextFiles) -> str | None:
    """The SHA-256 of a text that is one file, by which papers' files are known; None where it is several."""
    if len(text.paths) != 1:
        return None
    with open(text.paths[0], "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def by_system(every: Sequence[Runs]) -> dict[str, list[Runs]]:
    """Conditions by system."""
    found: dict[str, list[Runs]] = {}
    for one in every:
        found.setdefault(one.system, []).append(one)
    return found
