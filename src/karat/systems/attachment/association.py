"""How strongly two values are associated, from how often they were observed, alone and together.

The six measures of [Slaski, Acedański & Przepiórkowski 2012, §2.3], after [Seretan 2011]. A contingency table has the
observations of both values O, of the left one R, of the right one C, and all of them N; E = R·C/N is how many of both
were to be expected by chance.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Floats

ASSOCIATION_MEASURES = ("log-likelihood", "chi-squared", "t-score", "z-score", "mutual-information", "frequency")
_INSTEAD_OF_NONE = 0.5  # observations, where none would make a measure infinite


def association(observed: Array, left_totals: Array, right_totals: Array, totals: Array) -> Floats:
    """The six measures of each contingency table, on a last axis in the order of `ASSOCIATION_MEASURES`.

    - log-likelihood ratio: 2 Σ Oᵢⱼ ln(Oᵢⱼ/Eᵢⱼ) over the four cells, a cell of 0 adding 0 [Dunning 1993];
    - chi-squared: N (O₁₁O₂₂ − O₁₂O₂₁)² / (R₁R₂C₁C₂), without Yates's correction;
    - t-score (O − E)/√O and z-score (O − E)/√E;
    - pointwise mutual information log₂(O/E);
    - frequency O/N.

    Where O is 0, an O of 1/2 takes its place in the t-score and in mutual information, so that they stay finite. Where
    R, C or N is 0 there is no evidence, and all measures are 0; where R or C is N, the value is there always, and
    log-likelihood ratio and chi-squared are 0.
    """
    o, r, c, n = np.broadcast_arrays(*(np.asarray(one, float) for one in (observed, left_totals, right_totals, totals)))
    is_known = (r > 0) & (c > 0) & (n > 0)
    n = np.where(is_known, n, 1.0)
    r, c = np.where(is_known, r, n), np.where(is_known, c, n)
    o = np.where(is_known, o, n)
    expected, seen = r * c / n, np.maximum(o, _INSTEAD_OF_NONE)
    found = np.empty((*o.shape, len(ASSOCIATION_MEASURES)))
    found[..., 0] = _log_likelihood_ratio(o, r, c, n)
    margins = r * c * (n - r) * (n - c)
    found[..., 1] = np.divide(n * (o * n - r * c) ** 2, margins, out=np.zeros_like(o), where=margins > 0)
    found[..., 2] = (seen - expected) / np.sqrt(seen)
    found[..., 3] = (o - expected) / np.sqrt(expected)
    found[..., 4] = np.log2(seen / expected)
    found[..., 5] = o / n
    found[~is_known] = 0
    return found


def _log_likelihood_ratio(o: Floats, r: Floats, c: Floats, n: Floats) -> Floats:
    found = np.zeros_like(o)
    for cell, row, column in ((o, r, c), (r - o, r, n - c), (c - o, n - r, c), (n - r - c + o, n - r, n - c)):
        is_filled = (cell > 0) & (row > 0) & (column > 0)
        ratio = np.divide(cell * n, row * column, out=np.ones_like(o), where=is_filled)
        found += cell * np.log(ratio, out=ratio)
    return np.maximum(2 * found, 0)
