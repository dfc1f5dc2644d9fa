"""How often judges err, and what their verdicts then say of the truth.

Judges err. Of rare errors among many agreements, most that one judge reports may be the judge's own. Rows that several
judges have seen tell how often: where two of them disagree, at least one is wrong.

The model is the one-coin version of Dawid & Skene 1979. A row of a stratum offers m answers, of which one is right,
answer k with the stratum's probability π_k. A judge j errs with probability ε_j, whatever the row, and then gives any
of the m − 1 other answers as often as another; judges err independently. Two judges share one ε: what they disagree on
tells the sum of theirs alone. Three and more have their own, if each has rows in common with two others.

The posterior is drawn by Gibbs sampling: the right answers given π and ε (multinomial), π given these (Dirichlet), ε
given these (beta). ε stays below ½, or right and wrong could change places. Rows of one stratum with the same answers
are one pattern, and are drawn together: the work does not grow with the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Array, Floats, Indices

BLANK = -1
MOST_ERROR = 0.5
# Beta's a and b, as if of so many verdicts so many had been wrong; chosen by `benchmarks/judges_coverage.py`
ERROR_PRIOR = (0.5, 9.5)
FEWEST_SHARED = 10  # rows that two judges or more have judged: of fewer, what is believed of ε would be the prior
_N_OF_CHAIN, _N_BURN_IN, _THINNING = 25, 60, 2
_N_STEPS, _CLOSE = 500, 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """Rows by stratum and answers: for each pattern its stratum, its rows, and which judges gave which answer.

    `gave` is 1 where a judge gave an answer [patterns × judges × answers]; `n_answers` is how many there are to give
    [strata], `of_token` the pattern of each row, or BLANK, `judges` who answered anything.
    """

    strata: Indices
    n_rows: Indices
    gave: Floats
    n_answers: Indices
    of_token: Indices
    judges: Indices

    @property
    def judged(self) -> Floats:
        """1 where a judge gave any answer [patterns × judges]."""
        judged: Floats = self.gave.sum(axis=2)
        return judged

    @property
    def n_shared(self) -> int:
        """How many rows two judges or more have judged."""
        return int(self.n_rows[self.judged.sum(axis=1) >= 2].sum())

    @property
    def n_disputed(self) -> int:
        """How many rows judges have given different answers of."""
        n_different = (self.gave.sum(axis=1) > 0).sum(axis=1)
        return int(self.n_rows[n_different >= 2].sum())

    @property
    def share_a_rate(self) -> bool:
        """Whether all judges must be taken to err alike: two, or one who has rows in common with fewer than two."""
        judged = self.judged
        together = (judged.T * self.n_rows) @ judged
        np.fill_diagonal(together, 0)
        return bool(((together > 0).sum(axis=1) < 2).any())


def patterns(strata: Indices, answers: Array, n_answers: Sequence[int]) -> Patterns:
    """The patterns of answers [judges × rows], from 0 to what the row's stratum offers; BLANK where there is none.

    Judges who answered nothing are no judges.
    """
    judges = np.flatnonzero((answers != BLANK).any(axis=1))
    answers = answers[judges]
    some = (answers != BLANK).any(axis=0)
    rows = np.concatenate([strata[None, some], answers[:, some]])
    found, places, n_rows = np.unique(rows, axis=1, return_inverse=True, return_counts=True)
    of_token = np.full(len(strata), BLANK, dtype=np.intp)
    of_token[some] = places.reshape(-1)
    gave = (found[1:].T[:, :, None] == np.arange(max(n_answers))).astype(np.float64)
    return Patterns(found[0].astype(np.intp), n_rows, gave, np.array(n_answers), of_token, judges)


@dataclass(frozen=True, slots=True, eq=False)
class Truths:
    """What the verdicts leave possible: `numbers` of rows with each right answer [… × strata × answers], `errors` ε."""

    numbers: Floats
    errors: Floats


class _Model:
    """The likelihood of the patterns, and what counts."""

    def __init__(self, found: Patterns) -> None:
        n_patterns, self.n_judges, self.n_answers = found.gave.shape
        self.found = found
        offered = np.arange(self.n_answers) < found.n_answers[found.strata, None]
        self.closed = np.where(offered, 0.0, -np.inf)
        gave, judged = found.gave, found.judged[:, :, None]
        wrong = np.where(offered[:, None], judged - gave, 0.0)
        self.right = gave.transpose(1, 0, 2).reshape(self.n_judges, -1)
        self.wrong = wrong.transpose(1, 0, 2).reshape(self.n_judges, -1)
        others = np.log(np.maximum(found.n_answers[found.strata] - 1, 1))
        self.closed = self.closed - wrong.sum(axis=1) * others[:, None]
        self.in_stratum = (found.strata == np.arange(len(found.n_answers))[:, None]).astype(np.float64)
        self.n_verdicts = found.n_rows @ found.judged
        self.shape = (-1, n_patterns, self.n_answers)

    def probabilities(self, shares: Floats, errors: Floats) -> Floats:
        """Of each pattern's right answer, given shares [… × strata × answers] and ε [… × judges]."""
        with np.errstate(divide="ignore"):
            likely = np.log(shares)[:, self.found.strata] + self.closed
            likely += (np.log1p(-errors) @ self.right + np.log(errors) @ self.wrong).reshape(self.shape)
        likely -= likely.max(axis=2, keepdims=True)
        np.exp(likely, out=likely)
        likely /= likely.sum(axis=2, keepdims=True)
        return likely

    def by_stratum(self, numbers: Array) -> Floats:
        """Rows with each right answer, of the strata, from those of the patterns."""
        summed: Floats = self.in_stratum @ numbers
        return summed

    def n_wrong(self, numbers: Array) -> Floats:
        """How many verdicts of each judge are wrong if these are the right answers."""
        return numbers.reshape(len(numbers), -1).astype(np.float64) @ self.wrong.T


def likely_truths(found: Patterns, error: float | None = None) -> tuple[Floats, Floats]:
    """The most likely ε [judges] and the right answer of each pattern, as probabilities, by EM [Dawid & Skene 1979].

    With an `error`, all judges err as often as that.
    """
    model = _Model(found)
    shared = found.share_a_rate
    errors = np.full((1, model.n_judges), 0.05 if error is None else error)
    if error == 0:
        errors[:] = 1e-300
    shares = (np.arange(model.n_answers) < found.n_answers[:, None]) / found.n_answers[:, None]
    probabilities = model.probabilities(shares[None], errors)
    for _ in range(_N_STEPS):
        numbers = probabilities * found.n_rows[:, None]
        counts = model.by_stratum(numbers)[0]
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
        if error is None:
            wrong, n = model.n_wrong(numbers), model.n_verdicts
            rate = np.full_like(wrong, wrong.sum() / n.sum()) if shared else wrong / n
            errors = np.clip(rate, 1e-12, MOST_ERROR)
        before, probabilities = probabilities, model.probabilities(shares[None], errors)
        if np.abs(probabilities - before).max() < _CLOSE:
            break
    return errors[0], probabilities[0]


def truths(
    found: Patterns,
    prior: Floats,
    n_draws: int,
    rng: np.random.Generator,
    *,
    error: float | None = None,
    known: Floats | None = None,
) -> Truths:
    """Draws of the right answers of the judged rows, and of ε [draws × judges].

    `prior` is Dirichlet's for each stratum's shares [strata × answers], 0 for answers that it does not offer. With an
    `error`, all judges err as often as that. `known` are further rows whose right answer is known.
    """
    model = _Model(found)
    shared = found.share_a_rate
    n_chains = -(-n_draws // _N_OF_CHAIN)
    n_kept = _N_OF_CHAIN
    start, likely = likely_truths(found, error)
    first = prior if known is None else prior + known
    errors = np.repeat(np.maximum(start[None], 1e-300), n_chains, axis=0)
    drawn, rates = [], []
    numbers = rng.multinomial(found.n_rows, np.broadcast_to(likely, (n_chains, *likely.shape)))
    a, b = ERROR_PRIOR
    for step in range(_N_BURN_IN + n_kept * _THINNING):
        counts = model.by_stratum(numbers)
        if error is None:
            wrong, n = model.n_wrong(numbers), model.n_verdicts
            if shared:
                wrong, n = wrong.sum(axis=1, keepdims=True), n.sum(keepdims=True)
            new = np.maximum(rng.beta(a + wrong, b + n - wrong), 1e-300)
            errors = np.where(new < MOST_ERROR, new, errors)  # above it no draw: the chain stays where it is
        if step >= _N_BURN_IN and (step - _N_BURN_IN) % _THINNING == 0:
            drawn.append(counts)
            rates.append(errors)
        shares = rng.standard_gamma(counts + first)
        shares /= shares.sum(axis=2, keepdims=True)
        numbers = rng.multinomial(found.n_rows, model.probabilities(shares, errors))
    return Truths(np.concatenate(drawn)[:n_draws], np.concatenate(rates)[:n_draws])
