"""How probable it is that one system is really better, if one says what one believes of the errors.

With the observed accuracy K, the gold's error rate C, the accuracy u where the gold is wrong and the probability p of
its own error, the real accuracy is x = K − Cp + Cu(1 + p) [Padró & Màrquez 1998, eqs. 1 and 2]. Beliefs about C, u and
p make one about x. Whether two systems share u and p decides the answer: if they do, all that the gold's errors do to
one they do to the other, and the order of x is that of K; if they do not, both may lie anywhere in their intervals. So
both answers are always given together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from karat._arrays import Floats
from karat.corpus.source import PathLike, read_source
from karat.corpus.toml_text import toml_from_text
from karat.errors import DataError, Problem
from karat.noise.bounds import least_p
from karat.signature import shown_input

N_DRAWS = 200_000
_SHAPES = {"point": 1, "uniform": 2, "beta": 2}  # and how many numbers each takes
_NAMES = ("C", "u", "p", "t")


@dataclass(frozen=True, slots=True)
class Belief:
    """A distribution between 0 and 1: a point, uniform between two numbers, or Beta(a, b)."""

    shape: str
    numbers: tuple[float, ...]

    def drawn(self, rng: np.random.Generator, n: int) -> Floats:
        if self.shape == "point":
            return np.full(n, self.numbers[0])
        first, second = self.numbers
        return rng.uniform(first, second, n) if self.shape == "uniform" else rng.beta(first, second, n)

    def density(self, values: Floats) -> Floats:
        """How likely each value is, up to a factor."""
        first, second = self.numbers
        if self.shape == "uniform":
            return ((values >= first) & (values <= second)).astype(np.float64)
        inside = np.clip(values, 1e-12, 1 - 1e-12)
        logs = (first - 1) * np.log(inside) + (second - 1) * np.log1p(-inside)
        likely: Floats = np.exp(logs - logs.max())
        return likely

    def __str__(self) -> str:
        return f"{self.shape}({', '.join(f'{number:g}' for number in self.numbers)})"


@dataclass(frozen=True, slots=True)
class Priors:
    """What is believed of C, u, p and t; of what is not named, C as given, u and p where reasonable, and any t.

    `name` is how a signature names them.
    """

    beliefs: Mapping[str, Belief]
    name: str = "uniform"

    def at(self, p: float | None) -> Priors:
        """The same beliefs, with p as given unless something is believed of it."""
        return self if p is None else replace(self, beliefs={"p": Belief("point", (p,)), **self.beliefs})

    def of(self, symbol: str, corpus_error: float, ambiguity: float) -> Belief:
        """The belief about C, u, p or t."""
        if symbol in self.beliefs:
            return self.beliefs[symbol]
        if symbol == "C":
            return Belief("point", (corpus_error,))
        if symbol == "t":
            return Belief("uniform", (0.0, 1.0))
        return Belief("uniform", (1 / ambiguity if symbol == "u" else float(least_p(ambiguity)), 1.0))

    def in_words(self, corpus_error: float, ambiguity: float) -> dict[str, str]:
        """All beliefs, in words."""
        return {symbol: str(self.of(symbol, corpus_error, ambiguity)) for symbol in _NAMES}


@dataclass(frozen=True, slots=True)
class Better:
    """The probability that the second of two systems is better, with errors of their own and with shared ones."""

    independent: float
    shared: float


Observed = float | Floats  # what was, or draws of what might have been


def probability_better(
    a: tuple[Observed, float, float],
    b: tuple[Observed, float, float],
    priors: Priors,
    *,
    seed: int = 0,
    n_draws: int = N_DRAWS,
) -> Better | None:
    """P(x_b > x_a) for two systems, each (observed, corpus error, ambiguity); None if beliefs leave nothing possible.

    Of what is observed there may be `n_draws` draws, which is how sampling error comes in.
    C, u and p are drawn. What is observed then leaves one t, so that a draw counts by how likely that t is: not at all
    if it cannot be, t > 1 or u > t. C is shared if it is one corpus.
    """
    rng = np.random.default_rng([seed, 5])
    drawn = [{symbol: priors.of(symbol, *one[1:]).drawn(rng, n_draws) for symbol in ("C", "u", "p")} for one in (a, b)]
    of_t = [priors.of("t", *one[1:]) for one in (a, b)]
    if a[1:] == b[1:]:
        drawn[1]["C"] = drawn[0]["C"]
    shared = [drawn[0], {**drawn[0], "C": drawn[1]["C"]}]
    found = []
    for pair in (drawn, shared):
        (x_a, weight_a), (x_b, weight_b) = (
            _real(one[0], belief, **values) for one, belief, values in zip((a, b), of_t, pair, strict=True)
        )
        weights = weight_a * weight_b
        if not weights.any():
            return None
        ahead = np.where(np.abs(x_b - x_a) < 1e-12, 0.5, x_b > x_a)
        found.append(float(np.average(ahead, weights=weights)))
    return Better(*found)


def _real(k: Observed, of_t: Belief, C: Floats, u: Floats, p: Floats) -> tuple[Floats, Floats]:  # noqa: N803
    """The real accuracy, and how much it counts."""
    t = (k - C * (1 - u) * p) / (1 - C)
    possible = (t <= 1 + 1e-12) & (u <= t + 1e-12)
    weights = np.where(possible, of_t.density(t), 0.0) / (1 - C)  # dt/dK
    return k - C * p + C * u * (1 + p), weights


def read_priors(priors: Priors | PathLike | None) -> Priors:
    """Beliefs as they are, the default ones for None, or those of a TOML file.

    There C, u, p and t are `{uniform = [0.02, 0.04]}`, `{beta = [3, 97]}` or `{point = 0.03}`.
    """
    if priors is None or isinstance(priors, Priors):
        return priors or Priors({})
    source = read_source(priors)
    try:
        data = toml_from_text(source.text(0, source.size))
    except ValueError as error:
        raise DataError(Problem("K604", f"not TOML: {error}", source.path)) from None
    beliefs = {symbol: _belief(symbol, value, source.path) for symbol, value in data.items()}
    return Priors(beliefs, shown_input(source.path, source.sha256()))


def _belief(symbol: str, value: object, path: str) -> Belief:
    hint = "write C = {uniform = [0.02, 0.04]}, u = {beta = [9, 1]} or p = {point = 0.7}"
    if symbol not in _NAMES:
        raise DataError(Problem("K604", f"unknown symbol {symbol!r}: there are C, u, p and t", path, hint=hint))
    if not isinstance(value, dict) or len(value) != 1:
        raise DataError(Problem("K604", f"{symbol}: {value!r} is not a prior", path, hint=hint))
    ((shape, given),) = value.items()
    numbers = given if isinstance(given, list) else [given]
    if shape not in _SHAPES or len(numbers) != _SHAPES[shape] or not all(_is_number(one) for one in numbers):
        raise DataError(Problem("K604", f"{symbol}: {shape} of {given!r} is not a prior", path, hint=hint))
    found = Belief(shape, tuple(map(float, numbers)))
    if symbol == "t" and shape != "beta" and found.numbers[0] == found.numbers[-1]:
        raise DataError(Problem("K604", "t cannot be a point: it follows from the observed accuracy", path, hint=hint))
    ends = {"point": found.numbers * 2, "uniform": found.numbers, "beta": (0.0, 1.0)}[shape]
    is_fine = 0 <= ends[0] <= ends[1] <= 1 and (shape != "beta" or min(found.numbers) > 0)
    if not is_fine or (symbol == "C" and shape != "beta" and ends[1] >= 1):
        raise DataError(Problem("K604", f"{symbol}: {found} is not a distribution between 0 and 1", path, hint=hint))
    return found


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
