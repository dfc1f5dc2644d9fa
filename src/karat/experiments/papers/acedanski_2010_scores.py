"""Systems' tags scored in all ways of the paper: counts of each sentence; SC, WC, P, R and F from any sum of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from karat._arrays import Floats, Ids, Indices
from karat._numbering import numbered_values
from karat.align import align
from karat.corpus import Column, Corpus, Vocabulary, corpus_from_source, read_source
from karat.corpus.interning import spans_of_strings
from karat.evaluation.gold_clusters import clusters_of
from karat.experiments.further_tags import further_tags
from karat.experiments.grid import GridCell
from karat.experiments.papers.acedanski_2010_prints import STATISTICS
from karat.experiments.store import Store
from karat.inference.clusters import Clusters
from karat.measures.measure import Statistic
from karat.measures.positional.accuracy import TagScoring
from karat.measures.positional.several_tags import GradedTags, TagColumn
from karat.measures.positional.word_tags import BETWEEN
from karat.measures.words.comparison import Comparison
from karat.tagsets import read_tagset
from karat.weights import Weights

COLUMN, TAGSET = "xpos", "nkjp"
ACCOMMODABILITY = "accommodability"  # footnote 4 of the paper: which earlier work left out
_STATISTICS = {"SC": "strong_correctness", "WC": "weak_correctness", "P": "precision", "R": "recall", "F": "f1"}


@dataclass(frozen=True, slots=True)
class Scoring:
    """A way to score tags: exact, pos, PA, WPA or CWPA, and the weights; `name` is what tables call it."""

    name: str
    score: str
    weights: Weights | None = None

    def measure(self, ignored: frozenset[str] = frozenset()) -> GradedTags:
        """The measure, without some categories."""
        how = TagScoring(read_tagset(TAGSET), self.weights, "present", ignored)
        return GradedTags(self.score, TagColumn(COLUMN), how)


@dataclass(frozen=True, eq=False)
class TestText:
    """A text to test on: the gold, the fold of each sentence (None without folds), and what of it is independent."""

    __test__ = False  # not a test, whatever pytest makes of its name

    name: str
    gold: Corpus
    fold: Indices | None = None
    golds: dict[str, Corpus] = field(default_factory=dict)

    @property
    def clusters(self) -> Clusters:
        return clusters_of(self.gold)

    def gold_with(self, name: str, made: Callable[[Corpus], Corpus]) -> Corpus:
        """Another gold of the same text, made once."""
        if name not in self.golds:
            self.golds[name] = made(self.gold)
        return self.golds[name]


@dataclass(frozen=True, slots=True, eq=False)
class SystemTags:
    """A system's tags on a text, as a corpus with one or several tags in XPOS."""

    system: str
    text: TestText
    corpus: Corpus

    @property
    def tags_per_word(self) -> float:
        values = self.corpus.column(COLUMN)
        sizes = np.array([one.count(BETWEEN) + 1 for one in values.vocabulary.strings])
        return float(sizes.take(values.ids).mean())

    def scored(self, scorings: Sequence[Scoring], gold: Corpus, ignored: frozenset[str] = frozenset()) -> Scored:
        """The counts of every sentence by each way to score."""
        pair = Comparison(align(gold, self.corpus))
        counts = {one.name: one.measure(ignored).counts(pair) for one in scorings}
        return Scored(self.system, self.text, counts)


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """A system's counts [sentences × fields] by each way to score."""

    system: str
    text: TestText
    counts: Mapping[str, Floats]

    def pooled(self, scoring: str) -> dict[str, float]:
        """SC, WC, P, R and F of all sentences together."""
        summed = self.counts[scoring].sum(axis=0)
        return {name: float(statistic(name)(summed)) for name in STATISTICS}

    def over_folds(self, scoring: str, name: str) -> tuple[float, float] | None:
        """The mean and the standard deviation of a statistic over folds; None without folds."""
        if self.text.fold is None:
            return None
        counts = self.counts[scoring]
        sums = np.stack([counts[self.text.fold == one].sum(axis=0) for one in range(int(self.text.fold.max()) + 1)])
        values = statistic(name)(sums)
        return float(values.mean()), float(values.std(ddof=1))


def statistic(name: str) -> Statistic:
    """SC, WC, P, R or F as a function of summed counts."""
    return GradedTags.statistics[_STATISTICS[name]]


# ---- what systems wrote ----------------------------------------------------------------------------------------------


def tagged_text(
    system: str, text: TestText, cells: Sequence[GridCell], store: Store, least: float | None
) -> SystemTags:
    """What a system wrote in the cells of its folds, or in one cell, as one text; with the other tags likely enough."""
    ids = np.zeros(text.gold.n_words, dtype=np.int32)
    codes: dict[str, int] = {}
    for cell in cells:
        written = corpus_from_source(read_source(store.output(cell.key)), tag=COLUMN, trees=False)
        ids[_words(text, cell)] = _tags(written, least, codes)
    column = Column(ids, Vocabulary(spans_of_strings(codes)))
    return SystemTags(system, text, replace(text.gold, _columns={**text.gold._columns, COLUMN: column}))


def _words(text: TestText, cell: GridCell) -> Indices:
    """The words that a cell is about."""
    if text.fold is None:
        return np.arange(text.gold.n_words)
    return np.flatnonzero(text.fold.take(text.gold.words_sentence) == cell.condition.fold)


def _tags(written: Corpus, least: float | None, codes: dict[str, int]) -> Ids:
    """The numbers of each word's tags, several joined."""
    best = written.column(COLUMN)
    if least is None:
        return numbered_values(best.vocabulary.strings, codes).take(best.ids)
    others = further_tags(written, COLUMN, least)
    texts = (BETWEEN.join((tag, *more)) for tag, more in zip(best.strings(), others, strict=True))
    return numbered_values(texts, codes)
