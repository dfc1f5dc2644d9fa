"""Whether documents tell which of two corpora they are of: accuracy, permutation test and interval.

Half of the documents of each corpus are learnt from, the others classified, so that no sentence is recognised by its
document's topic. If the corpora are alike, documents could as well have changed places: the accuracies after such
permutations say what chance does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Floats, Indices
from karat._ragged import Ragged
from karat.gold.divergence.accuracy_interval import accuracy_interval
from karat.gold.divergence.classifiers import logistic_scores
from karat.gold.divergence.document_pairs import DocumentPair


@dataclass(frozen=True, slots=True)
class DocumentTest:
    """The accuracy over all splits, its interval and p (None where too few documents or no permutations allow it).

    `n_sampled` is how many sentences of each corpus took part in a split, on average.
    """

    accuracy: float
    lower: float | None
    upper: float | None
    p: float | None
    n_sampled: int


def document_test(
    pair: DocumentPair,
    first: Ragged,
    second: Ragged,
    *,
    classifier: str,
    n_splits: int,
    n_permutations: int,
    level: float,
    random: np.random.Generator,
    is_sure: bool = True,
) -> DocumentTest:
    """How well the n-grams of sentences tell the corpora apart, and how sure that is.

    p is the share of permutations, the data itself among them, whose accuracy is as high: one-sided, for to do worse
    than by chance is chance, too. Without `is_sure`, for documents too few, there are no p and no interval. The same
    random numbers make the same splits and permutations whatever the n-grams.
    """
    n_right, n_classified, n_taking_part = _outcomes(pair, first, second, classifier, n_splits, random)
    accuracy = _accuracy(pair.is_first, n_right, n_classified)
    n_sampled = round(n_taking_part / n_splits)
    if not is_sure:
        return DocumentTest(accuracy, None, None, None, n_sampled)
    error, df = standard_error(pair, n_right, n_classified)
    if classifier == "logistic" or not n_permutations:
        ends = accuracy_interval(accuracy, error, df, level, None)
        return DocumentTest(accuracy, *ends, None, n_sampled)
    from karat.gold.divergence._compiled_halves import permuted_accuracies

    bags = pair.bags(first, second)
    permuted = permuted_accuracies(pair.groups(), bags, pair.is_first, pair.is_pure, n_splits, n_permutations, random)
    p = float((1 + np.count_nonzero(permuted >= accuracy)) / (1 + n_permutations))
    ends = accuracy_interval(accuracy, error, df, level, permuted)
    return DocumentTest(accuracy, *ends, p, n_sampled)


def _outcomes(
    pair: DocumentPair, first: Ragged, second: Ragged, classifier: str, n_splits: int, random: np.random.Generator
) -> tuple[Floats, Indices, int]:
    """By document, sentences recognised and classified over all splits; how many of each corpus took part."""
    from karat.gold.divergence._compiled_halves import chosen_sentences, outcomes

    groups = pair.groups()
    if classifier != "logistic":
        return outcomes(groups, pair.bags(first, second), pair.is_first, n_splits, random)
    offsets = np.append(first.offsets, first.offsets[-1] + second.offsets[1:])
    every = Ragged(offsets, np.append(first.values, second.values))
    document = np.repeat(np.arange(len(pair.is_first)), np.diff(pair.offsets))
    n_right, n_classified = np.zeros(len(pair.is_first)), np.zeros(len(pair.is_first), dtype=np.intp)
    n_taking_part = 0
    for _ in range(n_splits):
        learnt, learnt_of_first, chosen, of_first = chosen_sentences(groups, pair.is_first, random)
        if not len(learnt) or not len(chosen):
            continue
        learn, test = every.taken(learnt), every.taken(chosen)
        known, numbers = np.unique(learn.values, return_inverse=True)
        place = np.minimum(np.searchsorted(known, test.values), len(known) - 1)
        ids = np.where(known[place] == test.values, place, -1)
        scores = logistic_scores(numbers, learn.sizes, learnt_of_first, ids, test.sizes)
        right = np.where(scores == 0, 0.5, (scores > 0) == of_first)
        n_right += np.bincount(document[chosen], right, len(n_right))
        n_classified += np.bincount(document[chosen], minlength=len(n_right))
        n_taking_part += (len(learnt) + len(chosen)) // 2
    return n_right, n_classified, n_taking_part


def _accuracy(is_first: Flags, n_right: Floats, n_classified: Indices) -> float:
    from karat.gold.divergence._compiled_halves import accuracy_of

    return float(accuracy_of(is_first, n_right, n_classified))


def standard_error(pair: DocumentPair, n_right: Floats, n_classified: Indices) -> tuple[float, float]:
    """The standard error of the accuracy by which documents are classified, those learnt from given; its df.

    The accuracy is the mean of two ratios, recognised to classified sentences, linearised over units. The degrees of
    freedom are Satterthwaite's, of strata (units of the first corpus, of the second, of both) whose numbers of units
    are Kish's effective ones, (Σn)²/Σn², for documents may be of very different size.
    """
    influence = np.zeros(pair.n_units)
    for is_corpus in (pair.is_first, ~pair.is_first):
        right, of = n_right[is_corpus], n_classified[is_corpus]
        if of.sum():
            share = right.sum() / of.sum()
            influence += np.bincount(pair.unit[is_corpus], (right - share * of) / (2 * of.sum()), pair.n_units)
    size = np.bincount(pair.unit, n_classified, pair.n_units)
    variance, for_df = 0.0, 0.0
    is_pure, has_first = pair.is_pure, pair.n_first_of_unit > 0
    for stratum in (is_pure & has_first, is_pure & ~has_first, ~is_pure):
        sizes = size[stratum & (size > 0)]
        if not len(sizes):
            continue
        part = float((influence[stratum] ** 2).sum()) * len(sizes) / max(len(sizes) - 1, 1)
        effective = float(sizes.sum() ** 2 / (sizes**2).sum())
        variance += part
        for_df += part**2 / max(effective - 1, 0.5)
    return variance**0.5, max(1.0, variance**2 / for_df) if for_df else 1.0
