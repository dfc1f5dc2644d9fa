"""Do checks by people hold when people err, leave rows blank and look early? Coverage on text whose truth is known.

`python benchmarks/judges_coverage.py --output docs/judges-coverage.md` simulates 1,000 data sets for each cell: the text,
the gold and the two taggers are those of `noise_coverage.py`. A judge errs in a share of the rows, whatever the row, and
then gives any other answer that the row offers as often as another. Beside each figure stands what it was before judges'
errors were estimated: the majority counted, or the one verdict there was, and ties were left out.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the processes share the cores

import numpy as np

from karat._arrays import Array, Flags, Ids, Indices
from karat.noise import estimates_from_verdicts
from karat.noise.estimates_from_verdicts import CheckedEstimate, estimate_one, estimate_pair
from karat.noise.expected_margin import WITH_GOLD, settling_tokens
from karat.noise.judges import merged_judges
from karat.noise.token_sampling import AGREEMENTS_SHARE, NOT_JUDGED, NOT_REACHED, sample_one, sample_pair, strata_pair
from karat.simulation.noise import noisy
from karat.simulation.systems import system
from karat.simulation.text import simulated
from noise_coverage import CORPUS_ERROR, KINDS, N_TOKENS, Noise

N_DRAWS = 2000  # as many as make the mean of many data sets exact enough
BUDGETS = {"x, C unknown": 300, "x, C known": 300, "Δ": 200}
ERRORS = (0.0, 0.02, 0.05, 0.1)
N_LOOKS = 8
OF_EACH = 10  # cells of one data set: the text is what takes time


@dataclass(frozen=True)
class Judges:
    """Who judges: as many as have a rate of errors (None: that of the cell), and the rows that all of them judge."""

    name: str
    errors: tuple[float | None, ...]
    overlap: float  # a number of rows or, up to 1, a share of them


JUDGES = (
    Judges("1 judge, ε as it is", (None,), 0),
    Judges("2 judges, 50 rows in common", (None, None), 50),
    Judges("2 judges, all rows in common", (None, None), 1),
    Judges("3 judges, all rows in common", (None, None, None), 1),
)
UNEQUAL = Judges("3 judges, 2, 10 and 2 % wrong, all rows in common", (0.02, 0.1, 0.02), 1)


@dataclass(frozen=True, eq=False)
class Data:
    """The true, the gold's and two taggers' tags."""

    truth: Ids
    gold: Ids
    a: Ids
    b: Ids


def made(kind: Noise, rng: np.random.Generator) -> Data:
    text = simulated(N_TOKENS, rng)
    gold = noisy(text, CORPUS_ERROR, "random", rng, over="ambiguous")
    taggers = [system(text, gold, t=one.t, u=one.u, p=one.p, rng=rng, over="ambiguous") for one in (kind.a, kind.b)]
    words = np.flatnonzero(text.ambiguous)
    return Data(*(side[words].astype(np.int32) for side in (text.tags, gold, *taggers)))


def said(truth: Ids, shown: Sequence[Ids], error: float, rng: np.random.Generator) -> Ids:
    """What a judge says: the right one of the tags shown, or -1 if it is not among them; in error any other of these."""
    options = np.stack([*shown, np.full_like(truth, -1)])
    is_new = np.array([~(options[:n] == options[n]).any(axis=0) for n in range(len(options))])
    right = np.where((options[:-1] == truth).any(axis=0), truth, -1)
    others = is_new & (options != right)
    order = np.where(others, rng.random(others.shape), 2.0)
    wrong = np.take_along_axis(options, order.argmin(axis=0)[None], axis=0)[0]
    return np.where(rng.random(len(truth)) < error, wrong, right).astype(np.int32)


def judged(
    data: Data, tokens: Indices, shown: Sequence[Ids], judges: Judges, error: float, rng: np.random.Generator
) -> Ids:
    """What each judge says of the rows that are theirs [judges × rows]."""
    n, n_judges = len(tokens), len(judges.errors)
    n_common = round(judges.overlap * n) if judges.overlap <= 1 else int(judges.overlap)
    place = rng.permutation(n)
    found = np.full((n_judges, n), NOT_REACHED, dtype=np.int32)
    sides = [side[tokens] for side in shown]
    for judge, own in enumerate(judges.errors):
        mine = (place < n_common) | (place % n_judges == judge)
        of_judge = said(data.truth[tokens], sides, error if own is None else own, rng)
        found[judge, mine] = of_judge[mine]
    return found


# ---- judges who err --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Covered:
    """Whether an interval holds the truth, its width, and how far its value is from the truth; and what was before."""

    now: bool
    width: float
    off: float
    before: bool
    off_before: float


def one_run(what: str, judges: Judges, error: float, data: Data, rng: np.random.Generator) -> Covered:
    """One check by these judges, all of whom err as often, of one tagger's accuracy or of the difference of two."""
    budget = BUDGETS[what]
    if what == "Δ":
        tokens = sample_pair(data.gold, data.a, data.b, budget, rng).tokens
        shown = (data.gold, data.a, data.b)
        real = float((data.b == data.truth).mean()) - float((data.a == data.truth).mean())
    else:
        share = AGREEMENTS_SHARE if what == "x, C unknown" else 0.0
        tokens = sample_one(data.gold, data.a, budget, rng, agreements_share=share).tokens
        shown = (data.gold, data.a)
        real = float((data.a == data.truth).mean())
    corpus_error = float((data.gold != data.truth).mean()) if what == "x, C known" else None

    def estimated(codes: Array, suppose: Sequence[float]) -> tuple[CheckedEstimate, list[object]]:
        if what == "Δ":
            pair = estimate_pair(data.gold, data.a, data.b, tokens, codes, rng, suppose=suppose)
            return pair.difference, list(pair.sensitivity)
        one = estimate_one(data.gold, data.a, tokens, codes, rng, corpus_error=corpus_error, suppose=suppose)
        assert one.accuracy is not None
        return one.accuracy, list(one.sensitivity)

    codes = judged(data, tokens, shown, judges, error, rng)
    alone = len(codes) == 1
    found, cases = estimated(codes[0] if alone else codes, [error] if alone else [])
    now = cases[0] if cases else found
    before = found if alone else estimated(merged_judges(np.maximum(codes, NOT_JUDGED)).codes, [])[0]
    return Covered(_holds(now, real), _width(now), _value(now) - real, _holds(before, real), _value(before) - real)


def _value(one: object) -> float:
    found = one.value  # type: ignore[attr-defined]
    assert found is not None
    return float(found)


def _width(one: object) -> float:
    return float(one.upper - one.lower)  # type: ignore[attr-defined]


def _holds(one: object, real: float) -> bool:
    return bool(one.lower - 1e-12 <= real <= one.upper + 1e-12)  # type: ignore[attr-defined]


def judge_cells() -> list[tuple[str, Judges, float]]:
    cells = [(what, judges, error) for what in BUDGETS for judges in JUDGES for error in ERRORS]
    return cells + [(what, UNEQUAL, 0.05) for what in BUDGETS]


def judge_runs(kind: Noise, cells: Sequence[tuple[str, Judges, float]], seeds: Sequence[int]) -> list[list[Covered]]:
    """Each cell's runs; all cells see the same data sets."""
    estimates_from_verdicts.N_DRAWS = N_DRAWS
    found: list[list[Covered]] = [[] for _ in cells]
    for seed in seeds:
        data = made(kind, np.random.default_rng([seed, 31]))
        for place, (what, judges, error) in enumerate(cells):
            found[place].append(one_run(what, judges, error, data, np.random.default_rng([seed, place, 32])))
    return found
