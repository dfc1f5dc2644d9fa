"""What people's judgements of a sample of tokens say: a system's real accuracy, the corpus's errors, who is better.

What is random is the sample of tokens. The corpus, its gold and the systems' tags are what they are: the observed
accuracy is known exactly, and once every token is judged, nothing is left open. Who wants to speak of more text of the
same kind gives `clusters` (the sentence or document of each token), and the corpus's own sampling error is added.

Values are design-based: each stratum's shares among what was judged there, weighted by its size. Blanks (NOT_JUDGED)
count as not sampled, as if they had been left at random; `least` and `most` do without that assumption.

Intervals are made of what the corpus could be. In each stratum the shares are drawn from a Dirichlet distribution with
the judgements counted and a weak prior, then the tokens nobody judged from a multinomial with these shares: the finite
corpus is in it, and all values come from the same draws. The prior has Jeffreys' ½ for what the gold says and ¼ for
each of two others that can be right, or ⅓ where two systems differ and the gold is with one of them. It was chosen by
simulation, at four kinds of noise (docs/noise-coverage.md). The stratified normal interval covers an accuracy 90 to
95 % of the time if C is not known, since of the rare errors in agreements few or none are seen. Where random noise
leaves next to no judgement against the gold, one more or less of them decides, and no interval covers a difference 95 %
of the time whatever their rate: with ¼ it is 92 to 97 %, with ½ up to 98 %, with ⅓ 94 to 98 %.

With `clusters`, the variance is that of whole clusters, as judgements in a stratum depend on the document too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np

from karat._arrays import Array, Floats, Indices
from karat.errors import UsageError
from karat.noise.bounds import CELLS
from karat.noise.token_sampling import (
    NOT_JUDGED,
    ONE_STRATA,
    PAIR_STRATA,
    CheckedStrata,
    StratumCheck,
    checked_strata,
    strata_one,
    strata_pair,
)

__all__ = ["N_DRAWS", "CheckedEstimate", "OneEstimate", "PairEstimate", "estimate_one", "estimate_pair"]

N_DRAWS = 20_000
_ROUNDING = 1e-9

# what a judgement can say: of one system, where it differs from the gold and where it does not; of two
_BLANK = -1
_GOLD_RIGHT, _BOTH_WRONG, _SYSTEM_RIGHT = range(3)
_NO_DIFFERENCE, _A_RIGHT, _B_RIGHT = range(3)
_ONE_PRIOR = np.array([[0.5, 0.25, 0.25], [0.5, 0.5, 0.0]])
_PAIR_PRIOR = np.array([[1 / 3, 0.5, 1 / 3], [1 / 3, 1 / 3, 0.5], [0.5, 0.25, 0.25]])


@dataclass(frozen=True, slots=True)
class CheckedEstimate:
    """A value with its interval; None where a stratum that it needs has no judgement.

    `least` and `most` are the ends that the interval could have had if the blanks had been judged, whatever was said.
    """

    value: float | None
    lower: float | None
    upper: float | None
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class OneEstimate:
    """What a check says of one system; None for what was not asked or cannot be: shares of nothing.

    In the paper's letters: `observed` K, `accuracy` x, `corpus_error` C as the check found it, `right_where_gold_right`
    t, `right_where_gold_wrong` u, `same_error` p. `right_where_different` (f) and `both_wrong_where_different` (g) are
    shares of the tokens where system and gold differ, `wrong_where_same` (e) of those where they agree. `cells` are
    those of Table 1, the cases of the evaluation itself, as shares of all words (`noise.EvaluationTable`).
    """

    observed: float
    known_corpus_error: float | None
    accuracy: CheckedEstimate | None
    corpus_error: CheckedEstimate | None
    right_where_different: CheckedEstimate | None
    both_wrong_where_different: CheckedEstimate | None
    wrong_where_same: CheckedEstimate | None
    right_where_gold_right: CheckedEstimate | None
    right_where_gold_wrong: CheckedEstimate | None
    same_error: CheckedEstimate | None
    cells: Mapping[str, CheckedEstimate | None]
    strata: tuple[StratumCheck, ...]
    level: float
    n_clusters: int | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PairEstimate:
    """What a check says of two systems: x_B − x_A, and the posterior chance that B is better (ties count half).

    The verdict is "A" or "B" if the interval excludes 0; `verdict_whatever_blanks` if it would however the blanks had
    been judged.
    """

    observed: float
    difference: CheckedEstimate
    probability_b_better: float | None
    strata: tuple[StratumCheck, ...]
    level: float
    n_clusters: int | None

    @property
    def verdict(self) -> Literal["A", "B", "open"]:
        return _better(self.difference.lower, self.difference.upper)

    @property
    def verdict_whatever_blanks(self) -> Literal["A", "B", "open"]:
        return _better(self.difference.least, self.difference.most)


def _better(lower: float | None, upper: float | None) -> Literal["A", "B", "open"]:
    if lower is None or upper is None or lower <= 0 <= upper:
        return "open"
    return "B" if lower > 0 else "A"


def estimate_one(
    gold: Array,
    system: Array,
    tokens: Indices,
    judgements: Array,
    rng: np.random.Generator,
    *,
    corpus_error: float | None = None,
    level: float = 0.95,
    clusters: Array | None = None,
) -> OneEstimate:
    """What the judgements of sampled tokens say of one system [Padró & Màrquez 1998, Table 1].

    `gold` and `system` are tag codes from 0 [n]; `judgements` has, for each of `tokens`, the code that is right,
    NONE_SHOWN or NOT_JUDGED. The tokens must be random samples of the two strata (`sample_one`).

    x = K − C + (1−K)(2f + g) if the corpus's error rate C is known, else x = K(1−e) + (1−K)f if agreements were
    sampled, else there is none. C must be the share of wrong tags in this very gold: the interval takes it as exact. If
    it is only the rate at which errors were thrown, or an estimate from elsewhere, the interval is too narrow (in
    simulation it then covers 87 to 95 %). With C known, u, p and t rest on it as well, and judged agreements only serve
    to estimate e and C as a check on it. C below what was found where they differ alone implies e < 0; then x is as the
    equation says, u, p and t are with e = 0, and a note says so.
    """
    if corpus_error is not None and not 0 <= corpus_error < 1:
        raise UsageError(f"a corpus error of {corpus_error}: it is a share, at least 0 and less than 1")
    check = checked_strata(strata_one(gold, system), ONE_STRATA, tokens, judgements, level, clusters)
    same = np.where(judgements == gold.take(tokens), _GOLD_RIGHT, _BOTH_WRONG)
    outcomes = np.where((judgements == system.take(tokens)) & (check.of_token == 0), _SYSTEM_RIGHT, same)
    outcomes = np.where(judgements == NOT_JUDGED, _BLANK, outcomes)
    corners = list(product((_GOLD_RIGHT, _BOTH_WRONG, _SYSTEM_RIGHT), (_GOLD_RIGHT, _BOTH_WRONG)))

    def values(numbers: Floats, sizes: Floats) -> dict[str, Floats]:
        return _table_one(numbers, sizes, len(gold), corpus_error)

    asked = (True, bool(check.n_sampled[1]))
    found = {
        name: one for name, (one, _) in _estimates(check, outcomes, _ONE_PRIOR, corners, asked, rng, values).items()
    }
    if not asked[1] and check.sizes[1]:
        found = {name: None if name in _needs_agreements(corpus_error) else one for name, one in found.items()}
    cells = {cell: found.pop(cell) for cell in CELLS}
    observed = int(check.sizes[1]) / len(gold)
    notes = _notes(check, check.counted(outcomes), corpus_error, found["corpus_error"])
    return OneEstimate(
        observed,
        corpus_error,
        **found,
        cells=cells,
        strata=check.strata,
        level=level,
        n_clusters=check.n_clusters,
        notes=notes,
    )


def estimate_pair(
    gold: Array,
    a: Array,
    b: Array,
    tokens: Indices,
    judgements: Array,
    rng: np.random.Generator,
    *,
    level: float = 0.95,
    clusters: Array | None = None,
) -> PairEstimate:
    """What the judgements of sampled tokens say of two systems: x_B − x_A = Σ N_h/N · mean of d over the strata h.

    d is 1 where B is right and A wrong, −1 where it is the other way round, 0 where both are wrong; where the systems
    agree it is 0 without a judgement. The tokens must be random samples of the three strata (`sample_pair`). The gold
    only serves to make the strata: no assumption is made on its errors. Systems that never differ have a difference of
    0, and nobody is better.
    """
    check = checked_strata(strata_pair(gold, a, b), PAIR_STRATA, tokens, judgements, level, clusters)
    either = np.where(judgements == b.take(tokens), _B_RIGHT, _NO_DIFFERENCE)
    outcomes = np.where(judgements == a.take(tokens), _A_RIGHT, either)
    outcomes = np.where(judgements == NOT_JUDGED, _BLANK, outcomes)

    def values(numbers: Floats, _sizes: Floats) -> dict[str, Floats]:
        return {"difference": (numbers[..., _B_RIGHT] - numbers[..., _A_RIGHT]).sum(axis=-1) / len(gold)}

    corners = [(_A_RIGHT,) * 3, (_B_RIGHT,) * 3]
    difference, drawn = _estimates(check, outcomes, _PAIR_PRIOR, corners, (True,) * 3, rng, values)["difference"]
    assert difference is not None  # it is no share of anything that may be missing
    better = None if difference.value is None else float((drawn > 0).mean() + (drawn == 0).mean() / 2)
    observed = (int((b == gold).sum()) - int((a == gold).sum())) / len(gold)
    return PairEstimate(observed, difference, better, check.strata, level, check.n_clusters)


# ---- values and intervals --------------------------------------------------------------------------------------------

_LEAST = {"difference": -1.0}  # all others are shares
_Values = Callable[[Floats, Floats], Mapping[str, Floats]]


def _estimates(
    check: CheckedStrata,
    outcomes: Indices,
    prior: Floats,
    corners: Sequence[Sequence[int]],
    asked: Sequence[bool],
    rng: np.random.Generator,
    values: _Values,
) -> dict[str, tuple[CheckedEstimate | None, Floats]]:
    """The estimates that `values` makes of the strata's outcomes, each with its draws.

    `corners` are the ways to judge all blanks, an outcome for each stratum, between which all others lie; a
    stratum that was not asked for is not judged in any.
    """
    counts = check.counted(outcomes)
    ways = [counts, *_with_blanks_judged(check, counts, corners, asked)]
    points = [values(_expected(check, way), check.sizes.astype(np.float64)) for way in ways]
    drawn = [values(*_drawn(check, way, prior, rng)) for way in ways]
    effects = _design_effects(check, outcomes, values)
    found = {}
    for name, one in points[0].items():
        stretched = [
            _stretched(point[name], draws[name], effects[name], _LEAST.get(name, 0.0))
            for point, draws in zip(points, drawn, strict=True)
        ]
        ends = [_ends(point[name], draws, check.level) for point, draws in zip(points, stretched, strict=True)]
        known = [pair for pair in ends if pair]
        estimate = None
        if known:
            lower, upper = ends[0] or (None, None)
            value = float(one) if ends[0] else None
            estimate = CheckedEstimate(
                value, lower, upper, min(low for low, _ in known), max(high for _, high in known)
            )
        found[name] = estimate, stretched[0]
    return found


def _with_blanks_judged(
    check: CheckedStrata, counts: Floats, corners: Sequence[Sequence[int]], asked: Sequence[bool]
) -> list[Floats]:
    """The counts with all blanks judged in each of the ways; of a stratum asked for and not sampled, all tokens."""
    blanks = np.where(check.n_sampled > 0, check.n_sampled - check.n_judged, np.where(asked, check.sizes, 0))
    if not blanks.any():
        return []
    ways = np.array(corners)
    return [counts + blanks[:, None] * (np.arange(3) == way[:, None]) for way in ways]


def _expected(check: CheckedStrata, counts: Floats) -> Floats:
    """The number of tokens with each outcome in the whole corpus, as estimated; nan where nothing was judged."""
    n = counts.sum(axis=1)
    weights = np.where((n == 0) & (check.sizes > 0), np.nan, check.sizes / np.maximum(n, 1))
    return counts * weights[:, None]


def _drawn(check: CheckedStrata, counts: Floats, prior: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """N_DRAWS corpora that the judgements leave possible: tokens of each outcome [… × strata × 3], and the sizes.

    With clusters they are other corpora, as large: no token of theirs has been judged, and their strata have other
    sizes, drawn from Student's t with the covariance between clusters.
    """
    shares = rng.standard_gamma(counts + prior, size=(N_DRAWS, *counts.shape))
    shares /= shares.sum(axis=-1, keepdims=True)
    if check.clusters is None:
        rest = check.sizes - counts.sum(axis=1).astype(np.intp)
        return counts + rng.multinomial(rest, shares), check.sizes.astype(np.float64)
    df = len(check.clusters) - 1
    deviations = _size_deviations(check, check.clusters)
    variances, axes = np.linalg.eigh(deviations.T @ deviations * ((df + 1) / df))
    root = (axes * np.sqrt(np.maximum(variances, 0))).T
    moved = rng.standard_normal((N_DRAWS, len(counts))) @ root
    moved /= np.sqrt(rng.chisquare(df, size=(N_DRAWS, 1)) / df)
    sizes = np.maximum(check.sizes + moved, 0)
    return sizes[..., None] * shares, sizes


def _size_deviations(check: CheckedStrata, clusters: Indices) -> Floats:
    """By how many tokens each stratum has more in a cluster than in the corpus, for the cluster's length."""
    lengths = clusters.sum(axis=1, keepdims=True)
    deviations: Floats = clusters[:, :-1] - lengths * (check.sizes / lengths.sum())
    return deviations


def _design_effects(check: CheckedStrata, outcomes: Indices, values: _Values) -> dict[str, float]:
    """How many times as large each value's variance is as if judgements in a stratum did not depend on the cluster.

    They do: in a hard document the system is at fault more often. The variance is that of the ultimate clusters, the
    sum of squares of all that a cluster adds to the linearised value [Hansen, Hurwitz & Madow 1953]; the other that of
    the draws, clusters of sizes and independent judgements. 1 without clusters, and where there is no variance.
    """
    counts = check.counted(outcomes)
    expected, sizes = _expected(check, counts), check.sizes.astype(np.float64)
    names = list(values(expected, sizes))
    if check.clusters is None:
        return dict.fromkeys(names, 1.0)
    n = len(sizes)
    step = float(check.clusters.sum()) * 1e-6
    one_more = np.eye(3 * n).reshape(3 * n, n, 3) * step
    up, down = (values(expected + sign * one_more, sizes + sign * one_more.sum(axis=-1)) for sign in (1, -1))
    n_judged = np.maximum(counts.sum(axis=1), 1)
    shares, weights = counts / n_judged[:, None], sizes / n_judged
    shares[counts.sum(axis=1) == 0, 0] = 1  # what is not judged matters by its size alone, whatever is right in it
    deviations = _size_deviations(check, check.clusters)
    judged = outcomes >= 0
    stratum, outcome, cluster = check.of_token[judged], outcomes[judged], check.cluster_of_token[judged]
    factor = len(deviations) / (len(deviations) - 1)
    effects = {}
    for name in names:
        slopes = np.nan_to_num((up[name] - down[name]) / (2 * step)).reshape(n, 3)
        means = (slopes * shares).sum(axis=1)
        of_sizes = deviations @ means
        residuals = weights[stratum] * (slopes[stratum, outcome] - means[stratum])
        together = of_sizes + np.bincount(cluster, weights=residuals, minlength=len(deviations))
        apart = factor * float(of_sizes @ of_sizes) + float(residuals @ residuals)
        effects[name] = factor * float(together @ together) / apart if apart > 0 else 1.0
    return effects


def _stretched(point: Floats, drawn: Floats, effect: float, least: float) -> Floats:
    """The draws with their distance from the value multiplied by the root of the design effect, from `least` to 1."""
    if effect == 1 or not np.isfinite(point):
        return drawn
    stretched: Floats = np.clip(point + (drawn - point) * math.sqrt(effect), least, 1)
    return stretched


def _ends(point: Floats, drawn: Floats, level: float) -> tuple[float, float] | None:
    """The interval that cuts off equal tails of the draws, made to hold the value; None where there is no value."""
    if not np.isfinite(point):
        return None
    ordered = np.sort(drawn[np.isfinite(drawn)])
    tail = (1 - level) / 2 * (len(ordered) - 1)
    low, high = math.floor(tail), len(ordered) - 1 - math.floor(tail)
    return min(float(ordered[low]), float(point)), max(float(ordered[high]), float(point))


# ---- the paper's parameters ------------------------------------------------------------------------------------------


def _table_one(numbers: Floats, sizes: Floats, n: int, corpus_error: float | None) -> dict[str, Floats]:
    """All parameters from the tokens [… × 2 × 3] of each cell of Table 1, which they fill; 0/0 is nan."""
    different, same = sizes[..., 0], sizes[..., 1]
    gold_right, both_wrong, system_right = (numbers[..., 0, outcome] for outcome in range(3))
    counted = numbers[..., 1, _BOTH_WRONG]
    gold_wrong = both_wrong + system_right  # where they differ
    same_error = counted if corpus_error is None else corpus_error * n - gold_wrong
    accuracy = (same - same_error + system_right) / n
    same_error = np.clip(same_error, 0, same)
    both_right = same - same_error
    with np.errstate(invalid="ignore"):
        return {
            "accuracy": np.clip(accuracy, 0, 1),
            "corpus_error": (counted + gold_wrong) / n,
            "right_where_different": system_right / different,
            "both_wrong_where_different": both_wrong / different,
            "wrong_where_same": counted / same,
            "right_where_gold_right": both_right / (both_right + gold_right),
            "right_where_gold_wrong": system_right / (same_error + gold_wrong),
            "same_error": same_error / (same_error + both_wrong),
            "true_positive": both_right / n,
            "true_negative": gold_right / n,
            "false_negative": system_right / n,
            "false_positive": same_error / n,
            "both_wrong_differently": both_wrong / n,
        }


def _needs_agreements(corpus_error: float | None) -> set[str]:
    """What cannot be estimated where no agreements were sampled."""
    always = {"corpus_error", "wrong_where_same"}
    if corpus_error is not None:
        return always
    always |= {"accuracy", "right_where_gold_right", "right_where_gold_wrong", "same_error"}
    return always | {"true_positive", "false_positive"}


def _notes(check: CheckedStrata, counts: Floats, known: float | None, found: CheckedEstimate | None) -> tuple[str, ...]:
    """Why a corpus error that was given does not fit the judgements."""
    if known is None:
        return ()
    notes = []
    n_judged = counts[0].sum()
    wrong = counts[0, _BOTH_WRONG:].sum() / n_judged * check.sizes[0] / check.sizes.sum() if n_judged else 0.0
    given = f"the corpus error is given as {known:.4g}, but the check finds"
    if wrong > known + _ROUNDING:
        notes.append(f"{given} {wrong:.4g} in those tokens alone where system and gold differ")
    ends = (found.lower, found.upper) if found else (None, None)
    if ends[0] is not None and ends[1] is not None and not ends[0] - _ROUNDING <= known <= ends[1] + _ROUNDING:
        notes.append(f"{given} {ends[0]:.4g} to {ends[1]:.4g}")
    return tuple(notes)
