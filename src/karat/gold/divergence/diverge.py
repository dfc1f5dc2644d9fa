"""How different corpora are, in words and in annotation [Wisniewski & Yvon 2019, §4.2].

A classifier tells, from the n-grams of a sentence, which of two corpora it is from. The better it does, the more the
corpora differ; its error estimates their H-divergence [Kifer et al. 2004; Ben-David et al. 2010]. Words show a shift in
what is written, labels and words with their labels also one in how it is annotated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from karat._arrays import Floats, Indices
from karat.corpus import PathLike
from karat.errors import UsageError
from karat.gold.divergence.classifiers import CLASSIFIERS, halves, logistic_modules, split_accuracy
from karat.gold.divergence.corpus_parts import CorpusParts, Readable
from karat.gold.divergence.ngrams import NgramSpace, ngram_space, text_numbers
from karat.gold.divergence.paper_figure import printed_accuracy
from karat.gold.divergence.plain_differences import PairShares, jensen_shannon, pair_shares
from karat.gold.divergence.telling_ngrams import TellingNgram, telling_ngrams
from karat.inference.distributions import t_quantile
from karat.result import Cell, Result, Table
from karat.signature import signature

__all__ = ["FEATURES", "Divergences", "FeatureSummary", "PairDivergence", "PairShares", "TellingNgram", "diverge"]
__all__ += ["jensen_shannon"]

SCHEMA = "karat/diverge/1"
FEATURES = ("words", "labels", "both")
_FIELDS: tuple[str, ...] = ("train", "test", "features", "accuracy", "lower", "upper", "error", "divergence")
_FIELDS += ("n_train", "n_test", "n_sampled", "paper")


@dataclass(frozen=True, slots=True)
class PairDivergence:
    """How well sentences of one corpus are told from those of another by one set of features.

    The accuracy is the mean over all splits, `lower` and `upper` are the ends of its confidence interval (None with a
    single split). `n_train` and `n_test` are the sentences of the two, of which `n_sampled` of each took part. `paper`
    is what Wisniewski & Yvon print for the same files.
    """

    train: str
    test: str
    features: str
    accuracy: float
    lower: float | None
    upper: float | None
    n_train: int
    n_test: int
    n_sampled: int
    paper: float | None

    @property
    def error(self) -> float:
        """The share of sentences that are taken for the other corpus's."""
        return 1 - self.accuracy

    @property
    def divergence(self) -> float:
        """2(1 - 2 error) [Ben-David et al. 2010]: 0 where the corpora cannot be told apart, 2 where always."""
        return 2 * (1 - 2 * self.error)

    def to_dict(self) -> dict[str, Any]:
        """What was found, as plain data."""
        return {name: getattr(self, name) for name in _FIELDS}


@dataclass(frozen=True, slots=True)
class FeatureSummary:
    """One set of features over all pairs of different corpora [Wisniewski & Yvon 2019, Table 7].

    `best` is the share of pairs for which it is the most accurate; features that tie share a pair. The paper's
    numbers are those of the same cells of its Figure 1, None where it does not print them all.
    """

    features: str
    median: float
    best: float
    n_pairs: int
    paper_median: float | None
    paper_best: float | None

    def to_dict(self) -> dict[str, Any]:
        """The summary as plain data."""
        paper = (
            {"median": round(self.paper_median, 4), "best": self.paper_best} if self.paper_median is not None else None
        )
        best, n_pairs = self.best, self.n_pairs
        return {"features": self.features, "median": self.median, "best": best, "pairs": n_pairs, "paper": paper}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Divergences(Result):
    """The result of `diverge`; `rows` and `columns` name the corpora that have a part to stand there."""

    features: tuple[str, ...]
    corpora: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    is_symmetric: bool
    cells: tuple[PairDivergence, ...]
    summary: tuple[FeatureSummary, ...]
    telling: tuple[TellingNgram, ...]
    shares: tuple[PairShares, ...]
    classifier: str
    n_splits: int
    level: float
    formats: tuple[tuple[str, str], ...]
    signature: str

    def cell(self, train: str, test: str, features: str) -> PairDivergence | None:
        """What was found for two corpora, for files in either order; None if they were not compared."""
        wanted = [(train, test), (test, train)] if self.is_symmetric else [(train, test)]
        return next((one for one in self.cells if one.features == features and (one.train, one.test) in wanted), None)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, in the schema karat/diverge/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "features": list(self.features),
            "corpora": list(self.corpora),
            "cells": [one.to_dict() for one in self.cells],
            "table7": [one.to_dict() for one in self.summary],
            "telling": [asdict(one) for one in self.telling],
            "shares": [one.to_dict() for one in self.shares],
        }

    def records(self) -> Table:
        """One row for each pair and set of features."""
        return Table(list(_FIELDS), [list(one.to_dict().values()) for one in self.cells])

    def view(self) -> Table:
        """How well each pair of corpora is told apart."""
        rows: list[list[Cell]] = [
            [one.train, one.test, one.features, *(_percent(end) for end in (one.accuracy, one.lower, one.upper))]
            for one in self.cells
        ]
        notes = ["The share of sentences, in %, whose corpus is recognised: 50 is chance."]
        return Table(["a", "b", "told apart by", "accuracy", "lower", "upper"], rows, "", notes)


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{100 * share:.2f}"


def diverge(
    corpora: Mapping[str, Readable] | Sequence[PathLike] | PathLike,
    *,
    features: str | Sequence[str] = FEATURES,
    column: str = "upos",
    classifier: str = "naive-bayes",
    n_splits: int = 20,
    level: float = 0.95,
    seed: int = 0,
    n_top: int = 5,
    input: str | None = None,
    progress: Callable[[float], None] | None = None,
) -> Divergences:
    """How well a classifier tells the corpora apart, each pair of them.

    A corpus is a file, several files as one, or the folder of a treebank. Of folders, the training part of each is set
    against the test part of each, its own included, as in the paper's Figure 1; files are compared as they are. Of the
    larger side as many sentences are drawn as the smaller has; half of both is learnt from, the other half classified,
    anew in each of `n_splits`; sentences with the same words stay together. Intervals are Student's with the variance
    of Nadeau & Bengio 2003, which allows for splits that share sentences. `n_top` is how many n-grams to keep that
    give a corpus away, of each kind.
    """
    chosen = _checked(features, classifier, n_splits)
    parts = CorpusParts.read(corpora, input, column)
    pairs = parts.pairs()
    if not pairs:
        raise UsageError("nothing to compare: give two files, or folders of which one has a train and one a test part")
    if chosen != ("words",):
        parts.refuse_no_labels(column)
    texts = text_numbers(parts.corpora)
    parts.refuse_too_short(pairs, texts)
    cells: list[PairDivergence] = []
    telling: list[TellingNgram] = []
    is_printed = column == "upos" and classifier == "naive-bayes"
    for number, name in enumerate(chosen):
        space = ngram_space(parts.corpora, name, column)
        done = partial(_tell, progress, number * len(pairs), len(chosen) * len(pairs))
        every = _accuracies(space, texts, pairs, classifier, n_splits, seed, done)
        for pair, found in zip(pairs, every, strict=True):
            cells.append(_pair_divergence(parts, pair, name, found, level, is_printed=is_printed))
        telling += telling_ngrams(space, parts.owner, name, n_top)
    settings = [("features", ",".join(chosen)), ("column", column), ("classifier", classifier)]
    settings += [("splits", str(n_splits)), ("level", repr(level)), ("seed", str(seed))]
    return Divergences(
        chosen,
        parts.names,
        parts.names if parts.all_files else _owners(parts, {train for train, _ in pairs}),
        parts.names if parts.all_files else _owners(parts, {test for _, test in pairs}),
        parts.all_files,
        tuple(cells),
        _summary(cells, chosen),
        tuple(telling),
        tuple(_shares(parts, pair, column) for pair in pairs),
        classifier,
        n_splits,
        level,
        tuple((corpus.path, corpus.format) for corpus in parts.corpora),
        signature("diverge", settings, parts.signed()),
    )


def _owners(parts: CorpusParts, places: Iterable[int]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(parts.owner[place] for place in sorted(places)))


def _checked(features: str | Sequence[str], classifier: str, n_splits: int) -> tuple[str, ...]:
    asked = [features] if isinstance(features, str) else list(features)
    asked = list(FEATURES) if asked == ["all"] else asked
    for name in asked:
        if name not in FEATURES:
            raise UsageError(f"no features {name!r}; there are {', '.join(FEATURES)} and all")
    if classifier not in CLASSIFIERS:
        raise UsageError(f"no classifier {classifier!r}; there are {', '.join(CLASSIFIERS)}")
    if classifier == "logistic":
        logistic_modules()  # what is missing is said before the work
    if n_splits < 1 or not asked:
        raise UsageError("at least one split, and one set of features, are needed")
    return tuple(name for name in FEATURES if name in asked)


def _tell(progress: Callable[[float], None] | None, n_before: int, n_pairs: int, n_done: float) -> None:
    if progress:
        progress((n_before + n_done) / n_pairs)


def _accuracies(
    space: NgramSpace,
    texts: Sequence[Indices],
    pairs: Sequence[tuple[int, int]],
    classifier: str,
    n_splits: int,
    seed: int,
    done: Callable[[float], None],
) -> Floats:
    """The accuracy of every split of every pair [pairs × splits].

    Each pair has the same random numbers, so that it does not matter what else is compared, and that all features see
    the same splits.
    """
    found = np.empty((len(pairs), n_splits))
    scratch = np.full(space.n_kinds, -1, dtype=np.intp)
    for row, (train, test) in enumerate(pairs):
        first, second = space.corpora[train], space.corpora[test]
        splits = halves(texts[train], texts[test], n_splits, np.random.default_rng(seed))
        for place, split in enumerate(splits):
            found[row, place] = split_accuracy(first, second, split, classifier=classifier, scratch=scratch)
            done(row + (place + 1) / n_splits)
    return found


def _pair_divergence(
    parts: CorpusParts, pair: tuple[int, int], features: str, found: Floats, level: float, *, is_printed: bool
) -> PairDivergence:
    first, second = (parts.corpora[place] for place in pair)
    n_sampled = min(first.n_sentences, second.n_sentences)
    lower, upper = _interval(found, level)
    paper = printed_accuracy(first.source.sha256(), second.source.sha256(), features) if is_printed else None
    sizes = first.n_sentences, second.n_sentences, n_sampled
    names = parts.owner[pair[0]], parts.owner[pair[1]]
    return PairDivergence(*names, features, float(found.mean()), lower, upper, *sizes, paper)


def _shares(parts: CorpusParts, pair: tuple[int, int], column: str) -> PairShares:
    train, test = pair
    return pair_shares(parts.corpora[train], parts.corpora[test], column, names=(parts.owner[train], parts.owner[test]))


def _interval(found: Floats, level: float) -> tuple[float | None, float | None]:
    """The confidence interval of the mean accuracy over splits [Nadeau & Bengio 2003, §3.2].

    Splits share sentences, so the variance of their mean is not that of one over their number, but more by
    n_test/n_train times that of one; here these are halves, so that this is 1.
    """
    if len(found) < 2:
        return None, None
    variance = found.var(ddof=1) * (1 / len(found) + 1)
    reach = t_quantile((1 + level) / 2, len(found) - 1) * float(np.sqrt(variance))
    mean = float(found.mean())
    return max(0.0, mean - reach), min(1.0, mean + reach)


def _summary(cells: Sequence[PairDivergence], features: Sequence[str]) -> tuple[FeatureSummary, ...]:
    """Medians, and how often each set of features is best, over the pairs of different corpora."""
    apart = [one for one in cells if one.train != one.test]
    if not apart:
        return ()
    by_features = {name: [one for one in apart if one.features == name] for name in features}
    ours = np.array([[one.accuracy for one in by_features[name]] for name in features])
    printed = np.array([[np.nan if one.paper is None else one.paper for one in by_features[name]] for name in features])
    is_printed = not np.isnan(printed).any()
    best, paper_best = _best_shares(ours), _best_shares(printed)
    return tuple(
        FeatureSummary(
            name,
            float(np.median(ours[place])),
            float(best[place]),
            ours.shape[1],
            float(np.median(printed[place])) if is_printed else None,
            float(paper_best[place]) if is_printed else None,
        )
        for place, name in enumerate(features)
    )


def _best_shares(accuracies: Floats) -> Floats:
    """The share of columns in which each row has the greatest value; those that tie share."""
    is_best = accuracies == accuracies.max(axis=0)
    with np.errstate(invalid="ignore"):
        shares: Floats = (is_best / is_best.sum(axis=0)).mean(axis=1)
    return shares
