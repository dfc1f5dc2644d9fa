"""Statistics over pairs of things that share members, as conditions share corpora: each member left out in turn.

Train × test conditions are not independent: all conditions of a training text are easier or harder together, and so are
those of a test. Independent are, at most, the corpora. So the standard error of a statistic over conditions is the
jackknife's over corpora: what it is without all conditions of a corpus, as training text and as test, corpus by corpus
(`over_members`). The interval is Student's with one degree of freedom less than there are corpora.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence

import numpy as np

from karat._arrays import Flags, Floats
from karat.inference.distributions import t_quantile
from karat.inference.intervals import t_interval
from karat.inference.resampling import standard_error
from karat.inference.wilson import wilson

FEWEST_MEMBERS = 4  # with fewer, the interval would be as wide as what can be

Pairs = Sequence[tuple[Hashable, Hashable]]
Ends = tuple[float, float]


def over_members(statistic: Callable[[Flags], float], pairs: Pairs) -> tuple[float, int] | None:
    """The standard error of a statistic over pairs, and its degrees of freedom.

    `statistic` is given which pairs to keep. None where there are too few members, or where it is undefined (NaN)
    without one of them.
    """
    members = list(dict.fromkeys(one for pair in pairs for one in pair))
    if len(members) < FEWEST_MEMBERS:
        return None
    without = [statistic(np.array([member not in pair for pair in pairs], dtype=np.bool_)) for member in members]
    if not all(math.isfinite(one) for one in without):
        return None
    return standard_error(np.array(without)), len(members) - 1


def spearman(x: Floats, y: Floats) -> float:
    """Spearman's rank correlation: Pearson's of ranks, equal values sharing theirs; NaN where one does not vary.

    >>> round(spearman(np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4])), 3)
    0.8
    """
    if len(x) < 2:
        return math.nan
    a, b = (one - one.mean() for one in (shared_ranks(x), shared_ranks(y)))
    below = math.sqrt(float((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / below if below else math.nan


def shared_ranks(values: Floats) -> Floats:
    """The rank of each value from 1; equal ones have the mean of theirs."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    middle: Floats = last - (counts - 1) / 2
    return middle[place.reshape(-1)]


def correlation_interval(x: Floats, y: Floats, pairs: Pairs, level: float) -> Ends | None:
    """The interval of Spearman's correlation over pairs that share members, on the scale of Fisher's z.

    Its coverage in simulation is in docs/grid-analyses.md.
    """

    def fisher(keep: Flags) -> float:
        found = spearman(x[keep], y[keep])
        return math.atanh(found) if abs(found) < 1 else math.nan

    found = over_members(fisher, pairs)
    whole = fisher(np.ones(len(x), dtype=np.bool_))
    if found is None or not math.isfinite(whole):
        return None
    reach = t_quantile((1 + level) / 2, found[1]) * found[0]
    return math.tanh(whole - reach), math.tanh(whole + reach)


def ratio_interval(top: Floats, bottom: Floats, pairs: Pairs, level: float) -> Ends | None:
    """The interval of Σ top / Σ bottom, a share, over pairs that share members, on the scale of its logit."""

    def share(keep: Flags) -> float:
        below = float(bottom[keep].sum())
        return float(top[keep].sum()) / below if below else math.nan

    found, whole = over_members(share, pairs), share(np.ones(len(top), dtype=np.bool_))
    if found is None or not 0 < whole < 1 or not found[0]:
        return None
    return t_interval(whole, *found, level, "t-logit")


def share_of_pairs(hits: Flags, pairs: Pairs, level: float) -> tuple[Ends, float] | None:
    """Wilson's interval of the share of pairs that are hits, and how many independent pairs it takes them for.

    Those are n / d, where d is how much larger the variance over members is than it would be with all pairs apart, at
    least 1. Where all pairs are the same, they are as many as members, if these are fewer.
    """
    n, n_members = len(hits), len({one for pair in pairs for one in pair})
    if not n:
        return None
    share = float(hits.mean())
    worth = float(min(n, n_members))
    if 0 < share < 1:
        found = over_members(lambda keep: float(hits[keep].mean()) if keep.any() else math.nan, pairs)
        if found is not None:
            apart = share * (1 - share) / max(n - 1, 1)
            worth = n / max(found[0] ** 2 / apart, 1.0)
    return wilson(share, worth, level), worth
