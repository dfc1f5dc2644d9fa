"""Systems under a noisy gold: what each can be worth, and whether one is better [Padró & Màrquez 1998, §5].

The paper's rule is cautious: where the reasonable intervals of two taggers overlap, neither can be called better.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from karat._arrays import Floats
from karat.corpus.source import PathLike
from karat.errors import UsageError
from karat.inference.distributions import normal_quantile
from karat.noise.bounds import (
    Bounds,
    checked_noise,
    envelope,
    evaluation_table,
    free_bounds,
    free_envelope,
    free_p_bounds,
    infeasible,
    least_p,
    p_bounds,
    reasonable_bounds,
    t_bounds,
    u_bounds,
)
from karat.noise.decision_rules import decided
from karat.noise.priors import Priors, probability_better, read_priors
from karat.noise.results import AtP, Ends, Evaluation, NoiseResult, NoisyPair, NoisySystem, Whole, only_p

_ROUNDING = 1e-9


def noise_bounds(
    observed: float | Sequence[float] | Mapping[str, float],
    corpus_error: float | Sequence[float],
    ambiguity: float | Sequence[float],
    *,
    p: float | Sequence[float] = (),
    u: float | None = None,
    n: int | None = None,
    ambiguous_share: float | Sequence[float] | None = None,
    other_error: float | None = None,
    level: float = 0.95,
    priors: Priors | PathLike | None = None,
    seed: int = 0,
) -> NoiseResult:
    """What observed accuracies of ambiguous words can mean, given the gold's error rate and the words' mean ambiguity.

    Systems without a name are called T1, T2, … `corpus_error`, `ambiguity` and `ambiguous_share` are given once, or
    once for each system. `p` are the probabilities of making the gold's own error for which intervals are wanted;
    without any, that of chance, 1/(a − 1), and 1. If one is given, bounds and verdicts are for that p, otherwise they
    are for all p. With `u`, the accuracy where the gold is wrong, the cases of the evaluation are filled in for each p.
    `n` is the number of words, for the naive intervals, `level` their confidence.

    With `ambiguous_share`, the share of words that are ambiguous, the accuracy on all words is given too. A system has
    just one tag to choose for the other words, and scores all of them as right: a share of 0.363 makes 91.35 % and
    92.82 % of the paper's ambiguous words its 96.86 % and 97.39 % of all. `other_error` is the share of them that the
    gold, and so the system, has wrong (without one, 0).

    `priors` are beliefs about C, u, p and t, or the file that has them, for the probability of being better; `seed` is
    that of its draws.
    """
    observed, p = _named(observed), checked_p(p)
    priors = read_priors(priors).at(only_p(p))
    errors, ambiguities = (_each(one, len(observed), name) for one, name in (
        (corpus_error, "corpus error"), (ambiguity, "ambiguity")))  # fmt: skip
    checked_noise(list(observed.values()), errors, ambiguities)
    if n is not None and n < 1:
        raise UsageError(f"{n} words: at least one is needed")
    if u is not None and not 0 <= u <= 1:
        raise UsageError(f"u {u:g}: a probability must lie between 0 and 1")
    shares = _shares(ambiguous_share, other_error, len(observed))
    systems = tuple(
        _with_all_words(noisy_system(name, value, error, mean, p=p, u=u, n=n, level=level), share, other_error or 0.0)
        for (name, value), error, mean, share in zip(observed.items(), errors, ambiguities, shares, strict=True)
    )
    settings = [
        ("observed", ",".join(repr(one) for one in observed.values())),
        ("corpus-error", ",".join(repr(one) for one in dict.fromkeys(errors))),
        ("ambiguity", ",".join(repr(one) for one in dict.fromkeys(ambiguities))),
    ]
    settings += [("p", ",".join(map(repr, p)))] if p else []
    settings += [("u", repr(u))] if u is not None else []
    settings += [("n", str(n)), ("level", repr(level))] if n is not None else []
    if ambiguous_share is not None:
        settings.append(("ambiguous-share", ",".join(repr(one) for one in dict.fromkeys(shares))))
        settings += [("other-error", repr(other_error))] if other_error else []
    settings += [("priors", priors.name), ("seed", str(seed))]
    return NoiseResult(
        systems,
        paired(systems, priors, seed=seed),
        tuple(settings),
        system_warnings(systems),
        priors=priors.in_words(errors[0], ambiguities[0]),
        p=p,
        level=level,
    )


def _named(observed: float | Sequence[float] | Mapping[str, float]) -> dict[str, float]:
    several = [observed] if isinstance(observed, (int, float)) else observed
    named = several if isinstance(several, Mapping) else {f"T{n}": one for n, one in enumerate(several, start=1)}
    if not named or not all(isinstance(one, (int, float)) for one in named.values()):
        raise UsageError("observed accuracies must be numbers, one for each system, as in 0.9135")
    return dict(named)


def checked_p(p: float | Sequence[float]) -> tuple[float, ...]:
    """The probabilities of the gold's own error, each once; a `UsageError` for what is no probability."""
    several = (float(p),) if isinstance(p, (int, float)) else tuple(dict.fromkeys(map(float, p)))
    for one in several:
        if not 0 <= one <= 1:
            raise UsageError(f"p {one:g}: a probability must lie between 0 and 1")
    return several


def _each(values: float | Sequence[float], n: int, name: str) -> list[float]:
    several = [float(values)] if isinstance(values, (int, float)) else [float(one) for one in values]
    if len(several) not in (1, n):
        raise UsageError(f"{len(several)} values of {name} for {n} systems: give one, or one for each")
    return several * n if len(several) == 1 else several


def _shares(values: float | Sequence[float] | None, other_error: float | None, n: int) -> Sequence[float | None]:
    """The share of ambiguous words of each system."""
    if values is None:
        if other_error is not None:
            raise UsageError(
                "the error rate of other words also needs the share of ambiguous words, as in `ambiguous_share=0.36`"
            )
        return [None] * n
    shares = _each(values, n, "ambiguous share")
    for one in shares:
        if not 0 < one <= 1:
            raise UsageError(f"an ambiguous share of {one:g}: it must be above 0 and at most 1, as in 0.36")
    checked_noise([], [] if other_error is None else other_error)
    return shares


def _with_all_words(one: NoisySystem, share: float | None, other_error: float) -> NoisySystem:
    """The system with its accuracy on all words, if a share of them is ambiguous and the others score as right."""
    if share is None or one.bounds is None:
        return one
    others = free_envelope(1.0, other_error)
    bounds = Ends(
        share * one.bounds.lower + (1 - share) * float(others.lower),
        share * one.bounds.upper + (1 - share) * float(others.upper),
    )
    return replace(one, whole=Whole(share, other_error, share * one.observed + 1 - share, bounds))


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
    numbers, k_and_c = (observed, corpus_error, ambiguity), (observed, corpus_error)
    chosen = list(p) or list(dict.fromkeys([float(least_p(ambiguity)), 1.0]))
    reasonable, free = (
        [_possible(Bounds(*ends)) for ends in zip(found.lower, found.upper, strict=True)]
        for found in (reasonable_bounds(*numbers, chosen), free_bounds(*k_and_c, chosen))
    )
    return NoisySystem(
        name,
        *numbers,
        intervals=tuple(map(AtP, chosen, reasonable, free)),
        envelope=_possible(envelope(*numbers)),
        free=ends_of(free_envelope(*k_and_c)),
        t=ends_of(t_bounds(*k_and_c)),
        u=_possible(u_bounds(*numbers)),
        p=ends_of(free_p_bounds(*k_and_c)),
        reasonable_p=_possible(p_bounds(*numbers)),
        why=infeasible(*numbers, only_p(p)),
        at_p=only_p(p),
        naive=None if n is None else _naive(observed, n, level),
        evaluations=() if u is None else tuple(_evaluation(observed, corpus_error, u, one) for one in chosen),
    )


def _evaluation(observed: float, corpus_error: float, u: float, p: float) -> Evaluation:
    """What u and p leave [eqs. 1 and 2]."""
    k, c = observed, corpus_error
    t = (k - c * (1 - u) * p) / (1 - c)
    cells: dict[str, float] | None = None
    if -_ROUNDING <= t <= 1 + _ROUNDING:
        table = evaluation_table(c, min(max(t, 0.0), 1.0), u, p)
        cells = {cell: float(share) for cell, share in table.items()}
    return Evaluation(p, u, t, k - c * p + c * u * (1 + p), cells)


def ends_of(bounds: Bounds) -> Ends:
    """The bounds of a single number."""
    return Ends(float(bounds.lower), float(bounds.upper))


def _possible(bounds: Bounds) -> Ends | None:
    return None if np.isnan(bounds.lower) else ends_of(bounds)


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
        if a.bounds is None or b.bounds is None:
            found.append(NoisyPair(a.name, b.name, None, None, None))
            continue
        of_a, of_b = a.with_sampling_error or a.bounds, b.with_sampling_error or b.bounds
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
                a.bounds.overlap(b.bounds),
                a.bounds.shared_with(b.bounds),
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
        f"{one.name}: the observed accuracy ({one.observed:g}) is no higher than the gold's error rate "
        f"({one.corpus_error:g}); bounds that would be negative are set to 0"
        for one in systems
        if one.is_clipped
    ]
    chance = min(float(least_p(one.ambiguity)) for one in systems)
    if systems[0].at_p is not None and systems[0].at_p < chance - _ROUNDING:
        found.append(f"p = {systems[0].at_p:.3g} is below chance, which is 1/(ambiguity − 1) = {chance:.3g}")
    if len({(one.corpus_error, one.ambiguity) for one in systems}) > 1:
        found.append("corpus errors or ambiguities differ: the systems were measured on different corpora")
    return tuple(found)
