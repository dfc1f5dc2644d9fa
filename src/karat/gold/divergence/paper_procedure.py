"""The procedure of Wisniewski & Yvon 2019, §4.2: halves of sentences, whichever documents they are of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from karat._arrays import Floats, Indices
from karat.gold.divergence.classifiers import halves, split_accuracy
from karat.gold.divergence.ngrams import NgramSpace
from karat.inference.distributions import t_quantile


def sentence_accuracies(
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


def splits_interval(found: Floats, level: float) -> tuple[float | None, float | None]:
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
