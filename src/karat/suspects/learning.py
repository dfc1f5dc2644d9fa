"""What verdicts say of the evidence: weights that fit them, near those that were chosen while verdicts are few.

A logistic regression of errors on the evidence. The weights have a normal prior around the chosen ones, so that without
verdicts the order is that of `karat.suspects.evidence`, and with many it is that of the verdicts.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Flags, Floats
from karat.suspects.evidence import WEIGHTS

_SPREAD = 0.5  # standard deviation of a weight around the chosen one, as a share of 1
_SPREAD_OF_LEVEL = 3.0  # of the constant, around even odds at a score of 3
_EVEN = -3.0
_STEEPNESS = np.log(10)  # evidence is in powers of ten
_N_STEPS = 50
_CLOSE = 1e-9


def learnt_weights(evidence: Floats, is_error: Flags) -> Floats:
    """The weights of the evidence [words × kinds] that fit the verdicts, by Newton's method.

    The probability of an error is 1/(1 + 10^−(level + weights · evidence)). The most probable weights come back, none
    of them below 0: evidence against a label never speaks for it.
    """
    n_kinds = evidence.shape[1]
    columns = _STEEPNESS * np.column_stack([np.ones(len(evidence)), evidence])
    prior = np.concatenate([[_EVEN], WEIGHTS])
    precision = 1 / np.concatenate([[_SPREAD_OF_LEVEL], np.full(n_kinds, _SPREAD)]) ** 2
    found = prior.copy()
    for _ in range(_N_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(columns @ found, -30, 30)))
        slope = columns.T @ (is_error - chance) - precision * (found - prior)
        curvature = (columns * (chance * (1 - chance))[:, None]).T @ columns + np.diag(precision)
        step = np.linalg.solve(curvature, slope)
        found = found + step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < _CLOSE:
            break
    weights: Floats = np.maximum(found[1:], 0.0)
    return weights
