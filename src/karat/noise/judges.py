"""What several judges said of the same tokens: one judgement of each, and how far they agreed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from karat._arrays import Array, Flags, Indices
from karat.inference.kappa import kappa
from karat.noise.token_sampling import NOT_JUDGED


@dataclass(frozen=True, slots=True, eq=False)
class MergedJudges:
    """One judgement for each token, and how far the judges agreed on the tokens that two or more of them judged.

    `n_ties` are the tokens without a majority, `n_shared` those with two or more judges. `agreement` is the mean share
    of pairs of judges who agree; `fleiss` and, for two judges, `cohen` are what is left of it beyond chance. They speak
    of the sample, not weighted, and are None where they are not defined.
    """

    codes: Indices
    n_ties: int
    n_shared: int
    agreement: float | None
    cohen: float | None
    fleiss: float | None


def merged_judges(codes: Array) -> MergedJudges:
    """The judgement that most judges gave [judges × tokens].

    Blanks (NOT_JUDGED) do not vote; where two judgements have the most votes, the token is open. NONE_SHOWN is a
    judgement like others. Chance agreement is Σ q² with q the pooled shares of the judgements [Fleiss 1971], tokens
    with more judges counting by the number of judgements; for Cohen's, Σ of the products of the two judges' own shares
    [Cohen 1960].

    >>> found = merged_judges(np.array([[1, 1, 2, -2], [1, 1, 3, 4]]))
    >>> found.codes.tolist(), found.n_ties, round(found.agreement, 3), round(found.cohen, 3), round(found.fleiss, 3)
    ([1, 1, -2, 4], 1, 0.667, 0.4, 0.333)
    """
    if codes.ndim != 2 or not len(codes):
        raise ValueError("judgements are a row for each judge")
    if (codes < NOT_JUDGED).any():
        raise ValueError("judgements are codes from 0, NONE_SHOWN or NOT_JUDGED")
    judged = codes != NOT_JUDGED
    votes = np.stack([(codes == row).sum(axis=0) * has for row, has in zip(codes, judged, strict=True)])
    best = np.take_along_axis(codes, votes.argmax(axis=0)[None], axis=0)[0]
    ties = ((votes == votes.max(axis=0)) & (codes != best)).any(axis=0)
    merged = np.where(ties | ~judged.any(axis=0), NOT_JUDGED, best)
    shared = judged.sum(axis=0) >= 2
    agreement, fleiss = _fleiss(codes[:, shared], judged[:, shared], votes[:, shared])
    cohen = _cohen(*codes[:, shared]) if len(codes) == 2 else None
    return MergedJudges(merged, int(ties.sum()), int(shared.sum()), agreement, cohen, fleiss)


def _fleiss(codes: Array, judged: Flags, votes: Array) -> tuple[float | None, float | None]:
    if not codes.size:
        return None, None
    n = judged.sum(axis=0)
    observed = float(((votes - judged).sum(axis=0) / (n * (n - 1))).mean())
    pooled = np.unique(codes[judged], return_counts=True)[1] / judged.sum()
    return observed, _beyond_chance(observed, float((pooled**2).sum()))


def _cohen(a: Array, b: Array) -> float | None:
    if not len(a):
        return None
    names, places = np.unique(np.stack([a, b]), return_inverse=True)
    of_a, of_b = (np.bincount(one, minlength=len(names)) for one in places.reshape(2, -1))
    return _beyond_chance(float((a == b).mean()), float(of_a @ of_b) / len(a) ** 2)


def _beyond_chance(observed: float, chance: float) -> float | None:
    found = float(kappa(np.array(observed), np.array(chance)))
    return None if math.isnan(found) else found
