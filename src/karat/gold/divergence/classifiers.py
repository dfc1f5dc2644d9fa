"""Classifiers that tell sentences of two corpora apart by the n-grams in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from karat._arrays import Flags, Floats, Indices
from karat._numbering import numbered_keys
from karat._ragged import Ragged, offsets_of, owners_of
from karat.errors import UsageError

CLASSIFIERS = ("naive-bayes", "logistic")
_SMOOTHING = 1.0  # add-one, as in scikit-learn's MultinomialNB
_MOST_STEPS = 1000
_MOST_TRIES = 1000  # for corpora of very few texts, where chance may leave a half empty


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Sentences to learn from and sentences to classify, of the first corpus and as many of the second."""

    learn_first: Indices
    learn_second: Indices
    classify_first: Indices
    classify_second: Indices


def halves(first: Indices, second: Indices, n_splits: int, random: np.random.Generator) -> Iterator[Split]:
    """Random splits of two corpora, given as numbers of their sentences' texts: the same text, the same number.

    Of the larger corpus as many sentences are drawn as the smaller has, and half of both are to learn from. Sentences
    of the same text stay in one half: otherwise, of a text that both corpora have, one copy would be learnt to be the
    other corpus's, and corpora of the same text would be told apart *less* often than by chance.
    """
    for _ in range(n_splits):
        for _ in range(_MOST_TRIES):
            split = _split(first, second, random)
            if all(map(len, (split.learn_first, split.learn_second, split.classify_first, split.classify_second))):
                break
        yield split


def _split(first: Indices, second: Indices, random: np.random.Generator) -> Split:
    size = min(len(first), len(second))
    ours, theirs = random.permutation(len(first))[:size], random.permutation(len(second))[:size]
    # by appearance, so that nothing depends on what the numbers of texts are
    texts, number = numbered_keys(np.concatenate([first.take(ours), second.take(theirs)]))
    n_texts = len(texts)
    in_first = np.bincount(number[:size], minlength=n_texts) > 0
    in_second = np.bincount(number[size:], minlength=n_texts) > 0
    learns = np.zeros(n_texts, dtype=np.bool_)
    for stratum in (in_first & ~in_second, in_second & ~in_first, in_first & in_second):
        members = random.permutation(np.flatnonzero(stratum))
        learns[members[: (len(members) + int(random.integers(2))) // 2]] = True
    to_learn = learns.take(number)
    ours_learn, theirs_learn = to_learn[:size], to_learn[size:]
    return Split(ours[ours_learn], theirs[theirs_learn], ours[~ours_learn], theirs[~theirs_learn])


@dataclass(frozen=True, slots=True, eq=False)
class _Examples:
    """Sentences as n-grams numbered among those of the sentences to learn from; -1 for all others."""

    ids: Indices
    lengths: Indices


def split_accuracy(first: Ragged, second: Ragged, split: Split, *, classifier: str, scratch: Indices) -> float:
    """The share of sentences, among those to classify, whose corpus is recognised; both corpora count alike.

    `scratch` holds a -1 for every kind of n-gram, before and after: renumbering the few kinds of a split costs as much
    as the split has n-grams, not as the corpora have.
    """
    learn_a, learn_b = first.taken(split.learn_first), second.taken(split.learn_second)
    test_a, test_b = first.taken(split.classify_first), second.taken(split.classify_second)
    known = np.concatenate([learn_a.values, learn_b.values])
    scratch[known] = np.arange(len(known))
    learn = _Examples(scratch.take(known), np.concatenate([learn_a.sizes, learn_b.sizes]))
    ids = scratch.take(np.concatenate([test_a.values, test_b.values]))
    test = _Examples(ids, np.concatenate([test_a.sizes, test_b.sizes]))
    scratch[known] = -1
    is_first = np.arange(len(learn.lengths)) < len(split.learn_first)
    scores = naive_bayes_scores if classifier == "naive-bayes" else logistic_scores
    found = scores(learn.ids, learn.lengths, is_first, test.ids, test.lengths)
    n_first = len(split.classify_first)
    return float(((found[:n_first] >= 0).mean() + (found[n_first:] < 0).mean()) / 2)


def naive_bayes_scores(
    learn_ids: Indices, learn_lengths: Indices, is_first: Flags, test_ids: Indices, test_lengths: Indices
) -> Floats:
    """log P(sentence | first) - log P(sentence | second): multinomial naive Bayes, smoothed by adding 1.

    Both corpora are as likely beforehand, since as many sentences of each are to be classified.

    The vocabulary is that of the sentences learnt from; an n-gram of a sentence that is not in it (-1) says nothing.
    No sentence may be empty.
    """
    of_first = np.repeat(is_first, learn_lengths)
    n = len(learn_ids) + 1  # a place more, for what is not known
    in_first = np.bincount(learn_ids[of_first], minlength=n)
    in_second = np.bincount(learn_ids[~of_first], minlength=n)
    size = _SMOOTHING * np.count_nonzero(in_first + in_second)
    weights = np.log((in_first + _SMOOTHING) / (in_second + _SMOOTHING))
    weights -= np.log((in_first.sum() + size) / (in_second.sum() + size))
    weights[-1] = 0
    scores: Floats = np.add.reduceat(weights.take(test_ids, mode="wrap"), offsets_of(test_lengths)[:-1])
    return scores


def logistic_modules() -> tuple[Any, Any]:
    """`scipy.sparse` and `sklearn.linear_model`, which are not imported before; a `UsageError` without them."""
    try:
        return import_module("scipy.sparse"), import_module("sklearn.linear_model")
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("scipy", "sklearn"):
            raise
        raise UsageError("the classifier logistic needs scikit-learn: pip install 'karat[logistic]'") from None


def logistic_scores(
    learn_ids: Indices, learn_lengths: Indices, is_first: Flags, test_ids: Indices, test_lengths: Indices
) -> Floats:
    """The same by scikit-learn's logistic regression on counts, with its own settings (L2, C = 1), classes balanced."""
    sparse, linear_model = logistic_modules()
    kinds, learn = np.unique(learn_ids, return_inverse=True)

    def counts(columns: Indices, rows: Indices, n_rows: int) -> object:
        return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(n_rows, len(kinds)))

    examples = counts(learn, owners_of(learn_lengths), len(learn_lengths))
    is_known = test_ids >= 0
    rows = owners_of(test_lengths)[is_known]
    model = linear_model.LogisticRegression(max_iter=_MOST_STEPS, class_weight="balanced").fit(examples, is_first)
    scores: Floats = model.decision_function(
        counts(np.searchsorted(kinds, test_ids[is_known]), rows, len(test_lengths))
    )
    return scores
