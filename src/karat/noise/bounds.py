"""What an observed accuracy can mean when the gold itself has errors [Padró & Màrquez 1998].

A share C of the gold's tags is wrong. A tagger is right on a share t of the words that the gold has right and on a
share u of those that it has wrong; where both are wrong, it makes the same error with probability p. With eqs. 1 and 2,

    x = (1 − C) t + C u                 what the tagger is really right on
    K = (1 − C) t + C (1 − u) p         what is seen
    x = K − C p + C u (1 + p)

K is known, C more or less; for given p, x grows with u. So x lies between its values at the smallest and the largest u
that all else allows. Without any assumption that is 0 ≤ t, u ≤ 1 (eqs. 3–7). The paper's reasonable bounds ask for
more: the tagger is no worse than chance where the gold is wrong, u ≥ 1/a for words of a possible tags, and no better
there than elsewhere, u ≤ t; and p is at least that of chance, 1/(a − 1) ≤ p ≤ 1. The bounds hold if the assumptions do,
and they have no sampling error in them.

All functions take numbers or arrays of any shapes that go together, and give arrays; NaN where numbers cannot all be
true.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from karat._arrays import Floats
from karat.errors import UsageError

_ROUNDING = 1e-9
_MOST_TAGS = 1e6


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """The ends between which a number lies; NaN where there can be no such number."""

    lower: Floats
    upper: Floats


def checked_noise(observed: ArrayLike, corpus_error: ArrayLike, ambiguity: ArrayLike | None = None) -> None:
    """A `UsageError` for numbers that are no accuracies, error rates or ambiguities of ambiguous words."""
    for value in np.ravel(observed).tolist():
        if not 0 <= value <= 1:
            raise UsageError(f"an observed accuracy of {value:g}: it must lie between 0 and 1, as in 0.9135")
    for value in np.ravel(corpus_error).tolist():
        if not 0 <= value < 1:
            raise UsageError(f"a corpus error of {value:g}: it must be at least 0 and below 1, as in 0.03")
    for value in np.ravel(ambiguity).tolist() if ambiguity is not None else []:
        if not (2 <= value <= _MOST_TAGS):
            raise UsageError(
                f"an ambiguity of {value:g}: ambiguous words have at least 2 tags on average, and at most a million"
            )


def least_p(ambiguity: ArrayLike) -> Floats:
    """The probability of the same error by chance, 1/(a − 1), but no more than 1."""
    return np.minimum(1.0, 1.0 / np.maximum(np.asarray(ambiguity, dtype=np.float64) - 1, _ROUNDING))


def free_bounds(observed: ArrayLike, corpus_error: ArrayLike, p: ArrayLike) -> Bounds:
    """The bounds of x that assume nothing [eqs. 6 and 7].

    The lower one is K − Cp; where K < Cp the paper's would be negative, and t cannot be: there it is C − K/p, at t = 0.
    """
    k, c, p = _floats(observed, corpus_error, p)
    with np.errstate(divide="ignore", invalid="ignore"):
        lowest = np.where(k >= c * p, 0.0, 1 - k / (c * p))
        highest = np.where(k <= 1 - c, 1.0, 1 - (k + c - 1) / (c * p))
    return _between(k, c, p, lowest, highest)


def reasonable_bounds(observed: ArrayLike, corpus_error: ArrayLike, ambiguity: ArrayLike, p: ArrayLike) -> Bounds:
    """The bounds of x with 1/a ≤ u ≤ t and t ≤ 1, for given p [§4].

    u ≤ t is u (1 − C − Cp) ≤ K − Cp. With C below 1/2, that is u ≤ (K − Cp)/(1 − C − Cp), so that x lies between
    K − Cp + C(1 + p)/a and, if K ≤ 1 − C, (K − Cp)/(1 − C − Cp), else 1 − (K + C − 1)/p.
    """
    k, c, a, p = _floats(observed, corpus_error, ambiguity, p)
    lowest, highest = _reasonable_u(k, c, a, p)
    return _between(k, c, p, lowest, highest)


def _reasonable_u(k: Floats, c: Floats, a: Floats, p: Floats) -> tuple[Floats, Floats]:
    slope, rest = 1 - c - c * p, k - c * p
    with np.errstate(divide="ignore", invalid="ignore"):
        at_t = rest / slope
        most = np.where(slope > _ROUNDING, at_t, np.where((np.abs(slope) <= _ROUNDING) & (rest < 0), -np.inf, np.inf))
        # with so many errors in the gold, u ≤ t bounds u from below
        least = np.where(slope < -_ROUNDING, at_t, -np.inf)
        for_t = np.where(k <= 1 - c, np.inf, 1 - (k + c - 1) / (c * p))
    return np.maximum(1 / a, least), np.minimum(np.minimum(most, for_t), 1.0)


def _between(k: Floats, c: Floats, p: Floats, lowest: Floats, highest: Floats) -> Bounds:
    """The bounds of x from those of u; NaN where there is no u. Without errors in the gold, x is K."""
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.minimum(_ROUNDING + 1e-14 / (c * p), 1e-6)  # what rounding of K does to u
        highest = np.where((highest < lowest) & (highest > lowest - error), lowest, highest)
        is_there = (lowest <= highest) | (c == 0)
        ends = [np.where(c == 0, k, k - c * p + c * u * (1 + p)) for u in (lowest, highest)]
    return Bounds(*(np.where(is_there, np.clip(end, 0, 1), np.nan) for end in ends))


def p_bounds(observed: ArrayLike, corpus_error: ArrayLike, ambiguity: ArrayLike) -> Bounds:
    """The p for which the reasonable bounds are not empty.

    At least 1/(a − 1) and a(K + C − 1)/(C(a − 1)); the paper prints (K + C − 1)/C, which leaves out that u ≥ 1/a. At
    most 1 and (aK − 1 + C)/(C(a − 1)), where u ≥ 1/a would exceed t.
    """
    k, c, a = _floats(observed, corpus_error, ambiguity)
    with np.errstate(divide="ignore", invalid="ignore"):
        for_t = a * (k + c - 1) / (c * (a - 1))
        for_u = (a * k - 1 + c) / (c * (a - 1))
    lower = np.where(c == 0, least_p(a), np.maximum(least_p(a), for_t))
    upper = np.where(c == 0, 1.0, np.minimum(1.0, for_u))
    is_there = lower <= upper + _ROUNDING
    lower, upper = np.where(is_there, lower, np.nan), np.where(is_there, np.maximum(lower, upper), np.nan)
    return _with_many_errors(k, c, a, Bounds(lower, upper), lambda p: (p, p))


def free_p_bounds(observed: ArrayLike, corpus_error: ArrayLike) -> Bounds:
    """The bounds of p that assume nothing [eq. 4]: at least (K + C − 1)/C, where t = 1 and u = 0, and at most 1.

    Without errors in the gold, p says nothing: from 0 to 1.
    """
    k, c = _floats(observed, corpus_error)
    with np.errstate(divide="ignore", invalid="ignore"):
        lower = np.where(c == 0, 0.0, np.clip((k + c - 1) / c, 0.0, 1.0))
    return Bounds(lower, np.ones_like(lower))


def envelope(observed: ArrayLike, corpus_error: ArrayLike, ambiguity: ArrayLike) -> Bounds:
    """The bounds of x over all p that are possible.

    The lower bound falls with p. The upper one falls with p if K ≤ 1 − C and grows otherwise. With half of the gold
    wrong or more, neither need be so: there p is tried out on a fine grid.
    """
    k, c, a = _floats(observed, corpus_error, ambiguity)
    ends = p_bounds(k, c, a)
    first, last = (reasonable_bounds(k, c, a, p) for p in (ends.lower, ends.upper))
    found = Bounds(np.fmin(first.lower, last.lower), np.fmax(first.upper, last.upper))

    def at(p: Floats) -> tuple[Floats, Floats]:
        every = reasonable_bounds(k, c, a, p)
        return every.lower, every.upper

    return _with_many_errors(k, c, a, found, at)


def _with_many_errors(
    k: Floats, c: Floats, a: Floats, found: Bounds, at: Callable[[Floats], tuple[Floats, Floats]]
) -> Bounds:
    """What was found, but where half of the gold is wrong or more the ends over many p; NaN where none is possible.

    `at` says between what a number lies for each p.
    """
    many = c >= 0.5
    if not many.any():
        return found
    shares = np.linspace(0, 1, 2001).reshape(-1, *[1] * k.ndim)
    p = least_p(a) + shares * (1 - least_p(a))
    least_u, most_u = _reasonable_u(k, c, a, p)
    is_there = least_u <= most_u + _ROUNDING
    some = is_there.any(axis=0)
    low, high = at(p)
    lowest, highest = np.where(is_there, low, np.inf).min(axis=0), np.where(is_there, high, -np.inf).max(axis=0)
    lower, upper = np.where(some, lowest, np.nan), np.where(some, highest, np.nan)
    return Bounds(np.where(many, lower, found.lower), np.where(many, upper, found.upper))


def free_envelope(observed: ArrayLike, corpus_error: ArrayLike) -> Bounds:
    """The bounds of x that assume nothing, over all p: K − C, and K + C or, if that exceeds 1, 2 − K − C."""
    k, c = _floats(observed, corpus_error)
    return Bounds(np.maximum(0.0, k - c), 1 - np.abs(1 - k - c))


def t_bounds(observed: ArrayLike, corpus_error: ArrayLike) -> Bounds:
    """The bounds of t [eq. 5], 0 where K < C."""
    k, c = _floats(observed, corpus_error)
    return Bounds(np.maximum(0.0, (k - c) / (1 - c)), np.minimum(1.0, k / (1 - c)))


def u_bounds(observed: ArrayLike, corpus_error: ArrayLike, ambiguity: ArrayLike) -> Bounds:
    """The reasonable bounds of u: from 1/a up to t, as far as some possible p lets it."""
    k, c, a = _floats(observed, corpus_error, ambiguity)
    ends = p_bounds(k, c, a)
    highest = np.fmax(*(_reasonable_u(k, c, a, p)[1] for p in (ends.lower, ends.upper)))
    is_there = ~np.isnan(ends.lower)
    lower = np.where(is_there, 1 / a, np.nan)
    found = Bounds(lower, np.where(is_there, np.where(c == 0, 1.0, np.maximum(highest, lower)), np.nan))
    return _with_many_errors(k, c, a, found, lambda p: _reasonable_u(k, c, a, p))


def infeasible(observed: float, corpus_error: float, ambiguity: float, p: float | None = None) -> str:
    """Why numbers cannot all be true, in words; empty if they can."""
    k, c, a = observed, corpus_error, ambiguity
    if p is not None:
        if not np.isnan(reasonable_bounds(k, c, a, p).lower).any():
            return ""
        at_most = 1 - c + c * p * (1 - 1 / a)
        at_least = (1 - c) / a + c * (1 - 1 / a) * p
        given = f" and p = {p:.4g}"
    else:
        if not np.isnan(envelope(k, c, a).lower).any():
            return ""
        at_most, at_least, given = 1 - c / a, (1 - c) / a + c * (1 - 1 / a) * float(least_p(a)), ""
    side = f"above {100 * at_most:.4g} %" if k > at_most else f"below {100 * at_least:.4g} %"
    return (
        f"these numbers cannot all be true: with {100 * c:.4g} % of the gold wrong{given}, a system that is right "
        f"there at least as often as by chance (1/{a:g}) and no more often than elsewhere cannot score {side}; "
        f"observed: {100 * k:.4g} %"
    )


CELLS = ("true_positive", "true_negative", "false_negative", "false_positive", "both_wrong_differently")


def evaluation_table(corpus_error: ArrayLike, t: ArrayLike, u: ArrayLike, p: ArrayLike) -> dict[str, Floats]:
    """The cases of an evaluation, CELLS, as shares of all words, from given parameters [Table 1].

    The evaluation is right where it says right of a right tag and wrong of a wrong one. Where gold and tagger are both
    wrong, but not in the same way, its verdict is right, though not for the reason that it has.
    """
    c, t, u, p = _floats(corpus_error, t, u, p)
    shares = (1 - c) * t, (1 - c) * (1 - t), c * u, c * (1 - u) * p, c * (1 - u) * (1 - p)
    return dict(zip(CELLS, shares, strict=True))


def _floats(*values: ArrayLike) -> list[Floats]:
    return [np.array(value, dtype=np.float64) for value in np.broadcast_arrays(*map(np.asarray, values))]
