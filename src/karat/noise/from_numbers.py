"""Systems under a noisy gold: what each can be worth, and whether one is better [Padró & Màrquez 1998, §5].

The paper's rule is cautious: where the reasonable intervals of two taggers overlap, neither can be called better.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from karat._arrays import Floats
from karat.corpus.source import PathLike
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
from karat.noise.decision_rules import decided
from karat.noise.priors import Priors, probability_better, read_priors
from karat.noise.results import Ends, Evaluation, NoiseResult, NoisyPair, NoisySystem

__all__ = ["noise_bounds", "noisy_system", "paired", "system_warnings"]

_ROUNDING = 1e-9


def noise_bounds(
    observed: float | Sequence[float] | Mapping[str, float],
    corpus_error: float | Sequence[float],
    ambiguity: float | Sequence[float],
    *,
    p: Sequence[float] = (),
    u: float | None = None,
    n: int | None = None,
    level: float = 0.95,
    priors: Priors | PathLike | None = None,
    seed: int = 0,
) -> NoiseResult:
    """What observed accuracies of ambiguous words can mean, given the gold's error rate and the words' mean ambiguity.

    Systems without a name are called T1, T2, … `corpus_error` and `ambiguity` are given once, or once for each system.
    `p` are the probabilities of making the gold's own error for which intervals are wanted; without any, that of
    chance, 1/(a − 1), and 1. With `u`, the accuracy where the gold is wrong, the cases of the evaluation are filled in
    for each p. `n` is the number of words, for the naive intervals, `level` their confidence. `priors` are beliefs
    about C, u, p and t, or the file that has them, for the probability of being better; `seed` is that of its draws.
    """
    observed = _named(observed)
    priors = read_priors(priors)
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


def _named(observed: float | Sequence[float] | Mapping[str, float]) -> dict[str, float]:
    several = [observed] if isinstance(observed, (int, float)) else observed
    named = several if isinstance(several, Mapping) else {f"T{n}": one for n, one in enumerate(several, start=1)}
    if not named or not all(isinstance(one, (int, float)) for one in named.values()):
        raise UsageError("observed accuracies are numbers, one for each system, as in 0.9135")
    return dict(named)


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
