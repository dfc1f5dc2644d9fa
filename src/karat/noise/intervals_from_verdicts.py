"""Values and intervals from verdicts on a sample of tokens, as draws of what the corpus could be.

In each stratum the shares are drawn from a Dirichlet distribution with the judgements counted and a weak prior, then
the tokens nobody judged from a multinomial with these shares: the finite corpus is in it, and all values come from the
same draws. Where judges err, what is counted is drawn first (`judge_errors`).

With `clusters`, the variance is that of whole clusters, as judgements in a stratum depend on the document too. What is
not known of this corpus is not known of more text like it either: such an interval holds the one without clusters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal

import numpy as np

from karat._arrays import Array, Floats, Indices
from karat.noise.judge_errors import Patterns, likely_truths, truths
from karat.noise.looking_early import always_valid_stretch
from karat.noise.token_sampling import CheckedStrata

Better = Literal["A", "B", "open"]
Values = Callable[[Floats, Floats], Mapping[str, Floats]]
_LEAST = {"difference": -1.0}  # all others are shares
_FEWER = 4  # ends for blanks judged one way or another need fewer draws


@dataclass(frozen=True, slots=True)
class CheckedEstimate:
    """A value with its interval; None where a stratum that it needs has no judgement.

    `least` and `most` are the ends that the interval could have had if the blanks had been judged, whatever was said.
    They are None where there is no value because rows are still to be judged: not only blanks are missing then.
    """

    value: float | None
    lower: float | None
    upper: float | None
    least: float | None
    most: float | None


@dataclass(frozen=True, slots=True)
class AlwaysValid:
    """The ends of an interval that holds however often people look while they judge, without blanks and with them."""

    lower: float
    upper: float
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class IfJudgesErr(CheckedEstimate):
    """A value and its interval if judges err in this share of the rows."""

    error: float
    always_valid: AlwaysValid | None

    @property
    def early(self) -> IfJudgesErr:
        """The same with the ends for those who look early."""
        return self if self.always_valid is None else replace(self, **asdict(self.always_valid))


@dataclass(frozen=True, slots=True)
class JudgeError:
    """The share of rows in which a judge errs (the number of the judge from 0, None for all alike), with interval."""

    judge: int | None
    value: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """An estimate, its draws, and its ends for those who look early."""

    estimate: CheckedEstimate | None
    drawn: Floats
    always_valid: AlwaysValid | None

    def if_judges_err(self, error: float) -> IfJudgesErr | None:
        if self.estimate is None:
            return None
        return IfJudgesErr(**asdict(self.estimate), error=error, always_valid=self.always_valid)


def better(lower: float | None, upper: float | None) -> Better:
    """Who of two systems is better by the ends of the difference B − A."""
    if lower is None or upper is None or lower <= 0 <= upper:
        return "open"
    return "B" if lower > 0 else "A"


# ---- what was judged -------------------------------------------------------------------------------------------------


def pooled(numbers: Array) -> Floats:
    """Right answers as outcomes: the last of four, the gold's tag where neither system has it, is no difference."""
    outcomes: Floats = np.asarray(numbers, dtype=np.float64)[..., :3].copy()
    if numbers.shape[-1] > 3:
        outcomes[..., 0] += numbers[..., 3]
    return outcomes


@dataclass(frozen=True, slots=True, eq=False)
class RightJudges:
    """Judgements taken to be right: the outcome of each token, BLANK where there is none."""

    outcomes: Indices

    def of_token(self) -> Floats:
        """1 for the outcome of each token [tokens × 3]."""
        found: Floats = (self.outcomes[:, None] == np.arange(3)).astype(np.float64)
        return found

    def numbers(self, check: CheckedStrata, known: Floats, n_draws: int, rng: np.random.Generator) -> Floats:
        """Tokens of each outcome among the judged ones [strata × 3], with others that are known."""
        return _summed(check, self.of_token()) + known


@dataclass(frozen=True, slots=True, eq=False)
class ErringJudges:
    """Judgements that may be wrong: their patterns, the shares' prior, and how often judges err, None if unknown."""

    patterns: Patterns
    prior: Floats
    error: float | None = None

    def of_token(self) -> Floats:
        """How likely each outcome is the right one, of each token [tokens × 3]."""
        _, probabilities = likely_truths(self.patterns, self.error)
        likely = np.concatenate([pooled(probabilities), np.zeros((1, 3))])  # BLANK is the last
        return likely[self.patterns.of_token]

    def numbers(self, check: CheckedStrata, known: Floats, n_draws: int, rng: np.random.Generator) -> Floats:
        """Draws of the tokens of each outcome among the judged ones [draws × strata × 3], with those known."""
        wide = np.zeros_like(self.prior)
        wide[:, :3] = known
        drawn = truths(self.patterns, self.prior, n_draws, rng, error=self.error, known=wide)
        return pooled(drawn.numbers) + known


Reading = RightJudges | ErringJudges


def judge_errors_from(
    patterns: Patterns, prior: Floats, level: float, n_draws: int, rng: np.random.Generator
) -> tuple[JudgeError, ...]:
    """How often judges err, each or all alike, with intervals that cut off equal tails."""
    values, _ = likely_truths(patterns)
    drawn = truths(patterns, prior, n_draws, rng).errors
    shared = patterns.share_a_rate
    found = []
    for place in range(1 if shared else len(values)):
        lower, upper = np.quantile(drawn[:, place], [(1 - level) / 2, (1 + level) / 2]).tolist()
        value = float(values[place])
        judge = None if shared else int(patterns.judges[place])
        found.append(JudgeError(judge, value, min(lower, value), max(upper, value)))
    return tuple(found)


def _summed(check: CheckedStrata, of_token: Floats) -> Floats:
    counts = np.zeros((len(check.names), 3))
    np.add.at(counts, check.of_token, of_token)
    return counts


# ---- values and intervals --------------------------------------------------------------------------------------------


def estimates(
    check: CheckedStrata,
    reading: Reading,
    prior: Floats,
    corners: Sequence[Sequence[int]],
    asked: Sequence[bool],
    n_draws: int,
    rng: np.random.Generator,
    values: Values,
) -> dict[str, Found]:
    """The estimates that `values` makes of the strata's outcomes.

    `corners` are the ways to judge all blanks, an outcome for each stratum, between which all others lie; a
    stratum that was not asked for is not judged in any.
    """
    of_token = reading.of_token()
    counts = _summed(check, of_token)
    # where judges may err, a tie is a judgement like others
    undecided = check.n_undecided if isinstance(reading, RightJudges) else check.n_blank
    ways = [np.zeros_like(counts), *_blanks_judged(check, undecided, corners, asked)]
    points = [values(_expected(check, counts + way), check.sizes.astype(np.float64)) for way in ways]

    def draws(scope: CheckedStrata, rng: np.random.Generator) -> list[Mapping[str, Floats]]:
        found = []
        for way in ways:
            n = n_draws if way is ways[0] or isinstance(reading, RightJudges) else max(n_draws // _FEWER, 1)
            found.append(values(*_drawn(scope, reading.numbers(scope, way, n, rng), prior, n, rng)))
        return found

    scopes = [draws(replace(check, clusters=None), rng)]
    if check.clusters is not None:
        effects = _design_effects(check, of_token, check.clusters, values)
        (of_clusters,) = rng.spawn(1)  # so that all else is drawn as without them
        more_text = draws(check, of_clusters)
        scopes.append(
            [
                {name: _stretched(point[name], one[name], effects[name], _LEAST.get(name, 0.0)) for name in one}
                for point, one in zip(points, more_text, strict=True)
            ]
        )
    n_planned = int(check.n_sampled.sum()) + (check.n_missing or 0)
    stretch = always_valid_stretch(int(check.n_judged.sum()), n_planned, check.level)
    found = {}
    for name, one in points[0].items():
        ends = [
            _ends(point[name], [drawn[name] for drawn in of_way], check.level)
            for point, *of_way in zip(points, *scopes, strict=True)
        ]
        least = _LEAST.get(name, 0.0)
        always = [_widened(point[name], pair, stretch, least) for point, pair in zip(points, ends, strict=True)]
        known, known_always = [pair for pair in ends if pair], [pair for pair in always if pair]
        estimate, valid = None, None
        if known:
            lower, upper = ends[0] or (None, None)
            value = float(one) if ends[0] else None
            is_bounded = value is not None or check.is_finished
            estimate = CheckedEstimate(value, lower, upper, *(_outermost(known) if is_bounded else (None, None)))
            valid = AlwaysValid(*always[0], *_outermost(known_always)) if always[0] else None
        widest = max((scope[0][name] for scope in scopes), key=np.std)
        found[name] = Found(estimate, widest, valid)
    return found


def _outermost(ends: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return min(low for low, _ in ends), max(high for _, high in ends)


def _blanks_judged(
    check: CheckedStrata, undecided: Indices, corners: Sequence[Sequence[int]], asked: Sequence[bool]
) -> list[Floats]:
    """All blanks judged in each of the ways; of a stratum asked for of which nobody saw a token, all tokens."""
    seen = check.n_judged + check.n_undecided > 0
    blanks = np.where(seen, undecided, np.where(asked, check.sizes, 0))
    if not blanks.any():
        return []
    return [blanks[:, None] * (np.arange(3) == way[:, None]).astype(np.float64) for way in np.array(corners)]


def _expected(check: CheckedStrata, counts: Floats) -> Floats:
    """The number of tokens with each outcome in the whole corpus, as estimated; nan where nothing was judged."""
    n = counts.sum(axis=1)
    weights = np.where((n == 0) & (check.sizes > 0), np.nan, check.sizes / np.where(n == 0, 1, n))
    return counts * weights[:, None]


def _drawn(
    check: CheckedStrata, counts: Floats, prior: Floats, n_draws: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Corpora that the judgements leave possible: tokens of each outcome [draws × strata × 3], and the sizes.

    `counts` are the tokens of each outcome among the judged ones, the same for all draws or of each.
    With clusters they are other corpora, as large: no token of theirs has been judged, and their strata have other
    sizes, drawn from Student's t with the covariance between clusters.
    """
    shares = rng.standard_gamma(counts + prior, size=(n_draws, *counts.shape[-2:]))
    shares /= shares.sum(axis=-1, keepdims=True)
    if check.clusters is None:
        rest = check.sizes - np.rint(counts.sum(axis=-1)).astype(np.intp)
        return counts + rng.multinomial(rest, shares), check.sizes.astype(np.float64)
    df = len(check.clusters) - 1
    deviations = _size_deviations(check, check.clusters)
    variances, axes = np.linalg.eigh(deviations.T @ deviations * ((df + 1) / df))
    root = (axes * np.sqrt(np.maximum(variances, 0))).T
    moved = rng.standard_normal((n_draws, len(check.sizes))) @ root
    moved /= np.sqrt(rng.chisquare(df, size=(n_draws, 1)) / df)
    sizes = np.maximum(check.sizes + moved, 0)
    return sizes[..., None] * shares, sizes


def _size_deviations(check: CheckedStrata, clusters: Indices) -> Floats:
    """By how many tokens each stratum has more in a cluster than in the corpus, for the cluster's length."""
    lengths = clusters.sum(axis=1, keepdims=True)
    deviations: Floats = clusters[:, :-1] - lengths * (check.sizes / lengths.sum())
    return deviations


def _design_effects(check: CheckedStrata, of_token: Floats, clusters: Indices, values: Values) -> dict[str, float]:
    """How many times as large each value's variance is as if judgements in a stratum did not depend on the cluster.

    They do: in a hard document the system is at fault more often. The variance is that of the ultimate clusters, the
    sum of squares of all that a cluster adds to the linearised value [Hansen, Hurwitz & Madow 1953]; the other that of
    the draws, clusters of sizes and independent judgements. 1 where there is no variance.
    """
    counts = _summed(check, of_token)
    expected, sizes = _expected(check, counts), check.sizes.astype(np.float64)
    n = len(sizes)
    step = float(clusters.sum()) * 1e-6
    one_more = np.eye(3 * n).reshape(3 * n, n, 3) * step
    up, down = (values(expected + sign * one_more, sizes + sign * one_more.sum(axis=-1)) for sign in (1, -1))
    n_judged = np.maximum(counts.sum(axis=1), 1)
    shares, weights = counts / n_judged[:, None], sizes / n_judged
    shares[counts.sum(axis=1) == 0, 0] = 1  # what is not judged matters by its size alone, whatever is right in it
    deviations = _size_deviations(check, clusters)
    judged = of_token.any(axis=1)
    stratum, outcome, cluster = check.of_token[judged], of_token[judged], check.cluster_of_token[judged]
    factor = len(deviations) / (len(deviations) - 1)
    effects = {}
    for name in up:
        slopes = np.nan_to_num((up[name] - down[name]) / (2 * step)).reshape(n, 3)
        means = (slopes * shares).sum(axis=1)
        of_sizes = deviations @ means
        residuals = weights[stratum] * ((slopes[stratum] * outcome).sum(axis=1) - means[stratum])
        together = of_sizes + np.bincount(cluster, weights=residuals, minlength=len(deviations))
        apart = factor * float(of_sizes @ of_sizes) + float(residuals @ residuals)
        effects[name] = factor * float(together @ together) / apart if apart > 0 else 1.0
    return effects


def _stretched(point: Floats, drawn: Floats, effect: float, least: float) -> Floats:
    """The draws with their distance from the value multiplied by the root of the design effect, from `least` to 1."""
    if effect == 1 or not np.isfinite(point):
        return drawn
    return np.clip(point + (drawn - point) * math.sqrt(effect), least, 1)


def _ends(point: Floats, scopes: Sequence[Floats], level: float) -> tuple[float, float] | None:
    """The interval that cuts off equal tails of the draws of each scope, or less, made to hold the value.

    None where there is no value.
    """
    if not np.isfinite(point):
        return None
    lower = upper = float(point)
    for drawn in scopes:
        ordered = np.sort(drawn[np.isfinite(drawn)])
        tail = (1 - level) / 2 * (len(ordered) - 1)
        low, high = math.floor(tail), len(ordered) - 1 - math.floor(tail)
        lower, upper = min(float(ordered[low]), lower), max(float(ordered[high]), upper)
    return lower, upper


def _widened(point: Floats, ends: tuple[float, float] | None, times: float, least: float) -> tuple[float, float] | None:
    """The ends moved away from the value, so many times as far."""
    if ends is None:
        return None
    value = float(point)
    return max(value - times * (value - ends[0]), least), min(value + times * (ends[1] - value), 1.0)
