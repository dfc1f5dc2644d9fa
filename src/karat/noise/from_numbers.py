"""Systems under a noisy gold: what each can be worth, and whether one is better [Padró & Màrquez 1998, §5].

The paper's rule is cautious: where the reasonable intervals of two taggers overlap, neither can be called better.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np

from karat._arrays import Floats
from karat.errors import UsageError
from karat.inference.distributions import normal_quantile
from karat.noise.bounds import (
    CELLS,
    checked_noise,
    envelope,
    evaluation_table,
    free_envelope,
    infeasible,
    least_p,
    reasonable_bounds,
    t_bounds,
    u_bounds,
)
from karat.noise.priors import Better, Priors, probability_better
from karat.noise.rules import decided
from karat.signature import signature

__all__ = [
    "Ends",
    "Evaluation",
    "NoiseResult",
    "NoisyPair",
    "NoisySystem",
    "Whole",
    "noise_from_numbers",
    "noisy_system",
]
__all__ += ["paired", "system_warnings"]

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Ends:
    """The ends of an interval."""

    lower: float
    upper: float

    def overlap(self, other: Ends) -> float:
        """The length of what two intervals share; 0 if nothing, or a single point."""
        return max(0.0, min(self.upper, other.upper) - max(self.lower, other.lower))

    def touches(self, other: Ends) -> bool:
        return self.lower <= other.upper and other.lower <= self.upper

    def shared_with(self, other: Ends) -> float:
        """What two intervals share, as a part of the shorter one."""
        shorter = min(one.upper - one.lower for one in (self, other))
        return self.overlap(other) / shorter if shorter else float(self.touches(other))


@dataclass(frozen=True, slots=True)
class Whole:
    """What files say beyond numbers: all words, of which some are ambiguous, and confidence intervals.

    `bounds` and `whole_confidence` are of the real accuracy on all words, `confidence` is of that on ambiguous ones;
    None where nothing varies between clusters.
    """

    n_words: int
    n_ambiguous: int
    observed: float
    bounds: Ends
    confidence: Ends | None
    whole_confidence: Ends | None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What is so if u and p are: the t and the real accuracy that are left, and the cases of Table 1.

    `cells` are None where there is no such t.
    """

    p: float
    u: float
    t: float
    real: float
    cells: Mapping[str, float] | None


@dataclass(frozen=True, slots=True)
class NoisySystem:
    """What a system's observed accuracy can mean.

    `intervals` are the reasonable ones for each p, None where the numbers cannot all be true for it; `envelope` is over
    all p that are possible, None where there is none, and then `why` says why. `free` assumes nothing, for p from 0 to
    1. `t` and `u` are the bounds of the tagger's accuracy where the gold is right and where it is wrong. `naive` is the
    normal interval of what is observed, with independent words and a perfect gold, where their number was given.
    `evaluations` are for each p, where u was given.
    """

    name: str
    observed: float
    corpus_error: float
    ambiguity: float
    intervals: tuple[tuple[float, Ends | None], ...]
    envelope: Ends | None
    free: Ends
    t: Ends
    u: Ends | None
    why: str
    naive: Ends | None = None
    whole: Whole | None = None
    evaluations: tuple[Evaluation, ...] = ()

    @property
    def with_sampling_error(self) -> Ends | None:
        """The envelope with sampling error, where that is known."""
        return None if self.whole is None else self.whole.confidence

    @property
    def is_clipped(self) -> bool:
        """Whether no more is observed than the gold has errors, so that bounds stop at 0."""
        return self.observed <= self.corpus_error


@dataclass(frozen=True, slots=True)
class NoisyPair:
    """Two systems: how far their envelopes overlap, and who is better by the paper's rule.

    `overlap` is the length of what the envelopes share, `share` that over the length of the shorter one; `better` is a
    name, or None where that is open; the naive intervals' answer is beside it. `probability` is that of b being better
    under stated beliefs. `rules` has the answer of each rule that needs no check by people. From files, sampling error
    is in all of these but the overlap, and `better_overall` is the paper's rule on all words, not only ambiguous ones.
    """

    a: str
    b: str
    overlap: float | None
    share: float | None
    better: str | None
    naive_better: str | None = None
    probability: Better | None = None
    rules: Mapping[str, str | None] = field(default_factory=dict)
    better_overall: str | None = None


@dataclass(frozen=True, eq=False)
class NoiseResult:
    """Systems under a noisy gold, and every pair of them."""

    systems: tuple[NoisySystem, ...]
    pairs: tuple[NoisyPair, ...]
    settings: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...] = ()
    inputs: tuple[tuple[str, str, str], ...] = ()
    cluster: str = ""
    n_clusters: int = 0
    priors: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def signature(self) -> str:
        """What was computed, and from what."""
        return signature("noise", self.settings, self.inputs)


def noise_from_numbers(
    observed: Mapping[str, float],
    corpus_error: float | Sequence[float],
    ambiguity: float | Sequence[float],
    *,
    p: Sequence[float] = (),
    u: float | None = None,
    n: int | None = None,
    level: float = 0.95,
    priors: Priors | None = None,
    seed: int = 0,
) -> NoiseResult:
    """What observed accuracies of ambiguous words can mean, given the gold's error rate and the words' mean ambiguity.

    `corpus_error` and `ambiguity` are given once, or once for each system. `p` are the probabilities of making the
    gold's own error for which intervals are wanted; without any, that of chance, 1/(a − 1), and 1. With `u`, the
    accuracy where the gold is wrong, the cases of the evaluation are filled in for each p. `n` is the number of words,
    for the naive intervals. `priors` are beliefs about C, u, p and t, for the probability of being better.
    """
    priors = priors or Priors({})
    errors, ambiguities = (_each(one, len(observed), name) for one, name in (
        (corpus_error, "corpus error"), (ambiguity, "ambiguity")))  # fmt: skip
    checked_noise(list(observed.values()), errors, ambiguities)
    if n is not None and n < 1:
        raise UsageError(f"{n} words: there must be at least one")
    for symbol, one in [*(("p", one) for one in p), *([] if u is None else [("u", u)])]:
        if not 0 <= one <= 1:
            raise UsageError(f"{symbol} {one:g}: a probability lies between 0 and 1")
    systems = tuple(
        noisy_system(name, value, error, mean, p=p, u=u, n=n, level=level)
        for (name, value), error, mean in zip(observed.items(), errors, ambiguities, strict=True)
    )
    settings = [
        ("observed", ",".join(repr(one) for one in observed.values())),
        ("corpus-error", ",".join(repr(one) for one in dict.fromkeys(errors))),
        ("ambiguity", ",".join(repr(one) for one in dict.fromkeys(ambiguities))),
    ]
    settings += [("p", ",".join(map(repr, p)))] if p else []
    settings += [("u", repr(u))] if u is not None else []
    settings += [("n", str(n)), ("level", repr(level))] if n is not None else []
    settings += [("priors", priors.name), ("seed", str(seed))]
    said = priors.said(errors[0], ambiguities[0])
    pairs = paired(systems, priors, seed=seed)
    return NoiseResult(systems, pairs, tuple(settings), system_warnings(systems), priors=said)


def _each(values: float | Sequence[float], n: int, name: str) -> list[float]:
    several = [float(values)] if isinstance(values, (int, float)) else [float(one) for one in values]
    if len(several) not in (1, n):
        raise UsageError(f"{len(several)} values of {name} for {n} systems: give one, or one for each")
    return several * n if len(several) == 1 else several


def noisy_system(
    name: str,
    observed: float,
    corpus_error: float,
    ambiguity: float,
    *,
    p: Sequence[float] = (),
    u: float | None = None,
    n: int | None = None,
    level: float = 0.95,
) -> NoisySystem:
    """What one system's observed accuracy can mean."""
    numbers = observed, corpus_error, ambiguity
    chosen = list(p) or list(dict.fromkeys([float(least_p(ambiguity)), 1.0]))
    found = reasonable_bounds(*numbers, chosen)
    free = free_envelope(observed, corpus_error)
    whole, of_t, of_u = envelope(*numbers), t_bounds(observed, corpus_error), u_bounds(*numbers)
    return NoisySystem(
        name,
        observed,
        corpus_error,
        ambiguity,
        tuple((one, _ends(low, high)) for one, low, high in zip(chosen, found.lower, found.upper, strict=True)),
        _ends(whole.lower, whole.upper),
        Ends(float(free.lower), float(free.upper)),
        Ends(float(of_t.lower), float(of_t.upper)),
        _ends(of_u.lower, of_u.upper),
        infeasible(*numbers),
        None if n is None else _naive(observed, n, level),
        evaluations=() if u is None else tuple(_evaluation(observed, corpus_error, u, one) for one in chosen),
    )


def _evaluation(observed: float, corpus_error: float, u: float, p: float) -> Evaluation:
    """What u and p leave [eqs. 1 and 2]."""
    k, c = observed, corpus_error
    t = (k - c * (1 - u) * p) / (1 - c)
    cells: dict[str, float] | None = None
    if -_ROUNDING <= t <= 1 + _ROUNDING:
        table = evaluation_table(c, min(max(t, 0.0), 1.0), u, p)
        cells = {cell: float(getattr(table, cell)) for cell in CELLS}
    return Evaluation(p, u, t, k - c * p + c * u * (1 + p), cells)


def _ends(lower: object, upper: object) -> Ends | None:
    low, high = float(np.asarray(lower)), float(np.asarray(upper))
    return None if math.isnan(low) else Ends(low, high)


def _naive(observed: float, n: int, level: float) -> Ends:
    reach = normal_quantile((1 + level) / 2) * math.sqrt(observed * (1 - observed) / n)
    return Ends(max(0.0, observed - reach), min(1.0, observed + reach))


def paired(
    systems: Sequence[NoisySystem],
    priors: Priors,
    *,
    seed: int = 0,
    sampled: Mapping[str, Floats] | None = None,
) -> tuple[NoisyPair, ...]:
    """Every pair of systems, by the paper's rule, by others and under beliefs.

    `sampled` are draws of what might have been observed of each system, where it is known how far that varies.
    """
    found = []
    for a, b in combinations(systems, 2):
        if a.envelope is None or b.envelope is None:
            found.append(NoisyPair(a.name, b.name, None, None, None))
            continue
        of_a, of_b = a.with_sampling_error or a.envelope, b.with_sampling_error or b.envelope
        numbers = [
            (one.observed if sampled is None else sampled[one.name], one.corpus_error, one.ambiguity) for one in (a, b)
        ]
        believed = probability_better(numbers[0], numbers[1], priors, seed=seed)
        verdicts = decided(b.observed - a.observed, of_a.touches(of_b), of_a.shared_with(of_b), believed)
        overall = None
        if a.whole is not None and b.whole is not None:
            ends = [one.whole_confidence or one.bounds for one in (a.whole, b.whole)]
            overall = _better(a, ends[0], b, ends[1])
        found.append(
            NoisyPair(
                a.name,
                b.name,
                a.envelope.overlap(b.envelope),
                a.envelope.shared_with(b.envelope),
                _better(a, of_a, b, of_b),
                None if a.naive is None or b.naive is None else _better(a, a.naive, b, b.naive),
                believed,
                {rule: {1: b.name, -1: a.name}.get(verdict) for rule, verdict in verdicts.items()},
                overall,
            )
        )
    return tuple(found)


def _better(a: NoisySystem, of_a: Ends, b: NoisySystem, of_b: Ends) -> str | None:
    if of_a.touches(of_b):
        return None
    return b.name if of_b.lower > of_a.upper else a.name


def system_warnings(systems: Sequence[NoisySystem]) -> tuple[str, ...]:
    """What cannot be, what was clipped, and what was measured on different corpora."""
    found = [f"{one.name}: {one.why}" for one in systems if one.why]
    found += [
        f"{one.name}: no more is observed ({one.observed:g}) than the gold has errors ({one.corpus_error:g}); bounds "
        "that would be negative are 0"
        for one in systems
        if one.is_clipped
    ]
    if len({(one.corpus_error, one.ambiguity) for one in systems}) > 1:
        found.append("corpus errors or ambiguities differ: the systems were measured on different corpora")
    return tuple(found)
