"""Do checks by people hold when people err, leave rows blank and look early? Coverage on text whose truth is known.

`calibration.py` runs this for docs/calibration.md, 1,000 data sets for each row. Text, gold and taggers are those of
`noise_coverage.py`; of two taggers 200 rows are judged, of one 300. A judge errs in a share of the rows and then gives
any other answer that the row offers. Errors are independent, and as frequent in every row, but for the last cells:
there a fifth of the rows is hard (three times as many errors as on average), or judges err together (in half of the
rows they give the same answer, right or wrong). Beside each figure stands what it was when the majority counted, or
the one verdict there was, ties were left out, and intervals had no judges in them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the processes share the cores

import numpy as np

from karat._arrays import Array, Floats, Ids, Indices
from karat.noise import estimates_from_verdicts
from karat.noise.estimates_from_verdicts import estimate_one, estimate_pair
from karat.noise.expected_margin import WITH_GOLD, expected_margin, pair_variances, settling_tokens
from karat.noise.intervals_from_verdicts import CheckedEstimate, IfJudgesErr, better
from karat.noise.judges import merged_judges
from karat.noise.token_sampling import (
    AGREEMENTS_SHARE,
    NOT_JUDGED,
    NOT_REACHED,
    pair_allocation,
    sample_one,
    sample_pair,
)
from karat.simulation.noise import noisy
from karat.simulation.systems import system
from karat.simulation.text import simulated
from noise_coverage import CORPUS_ERROR, KINDS, N_TOKENS, Noise

N_DRAWS = 1000  # as many as make the mean of many data sets exact enough
BUDGETS = {"x, C unknown": 300, "x, C known": 300, "Δ": 200}
ERRORS = (0.0, 0.02, 0.05, 0.1)
HARD_ROWS = 0.2
N_LOOKS = 8
LEFT_BLANK = (0.2, 0.4, 0.6)  # of the rows in which one of two systems is right
PAIRS = ((600, 700, 100), (300, 380, 50), (1500, 1650, 200))  # tokens of the strata, as in `pair_of`
PILOT = 100
N_PAIRS = 4  # of each kind, for each data set of the other rows: a power of 80 % is to be seen to a percent


@dataclass(frozen=True)
class Judges:
    """Who judges: as many as have a rate of errors (None: that of the cell), and the rows that all of them judge."""

    name: str
    errors: tuple[float | None, ...]
    overlap: float  # a number of rows or, up to 1, a share of them
    hard: float = 1.0  # how many times as many errors as on average a fifth of the rows has
    together: float = 0.0  # the share of rows of which all judges give the same answer


JUDGES = (
    Judges("1 judge, ε as it is", (None,), 0),
    Judges("2 judges, 50 rows in common", (None, None), 50),
    Judges("2 judges, all rows in common", (None, None), 1),
    Judges("3 judges, all rows in common", (None, None, None), 1),
)
UNEQUAL = Judges("3 judges, 2, 10 and 2 % wrong, all rows in common", (0.02, 0.1, 0.02), 1)
DEPENDENT = tuple(
    Judges(f"{len(errors)} judges, {name}, {common} rows in common", errors, overlap, hard, together)
    for name, hard, together in (("a fifth of rows hard", 3.0, 0.0), ("erring together", 1.0, 0.5))
    for errors, common, overlap in (((None, None), "50", 50), ((None, None, None), "all", 1))
)


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


def said(truth: Ids, shown: Sequence[Ids], error: float | Floats, rng: np.random.Generator) -> Ids:
    """What a judge says: the right one of the tags shown, or -1 if it is not among them; in error any other."""
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
    truth, sides = data.truth[tokens], [side[tokens] for side in shown]
    is_hard = rng.random(n) < HARD_ROWS
    factor = np.where(is_hard, judges.hard, (1 - HARD_ROWS * judges.hard) / (1 - HARD_ROWS))
    of_all, is_of_all = said(truth, sides, error * factor, rng), rng.random(n) < judges.together
    for judge, own in enumerate(judges.errors):
        mine = (place < n_common) | (place % n_judges == judge)
        of_judge = np.where(is_of_all, of_all, said(truth, sides, (error if own is None else own) * factor, rng))
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
        shown: tuple[Ids, ...] = (data.gold, data.a, data.b)
        real = float((data.b == data.truth).mean()) - float((data.a == data.truth).mean())
    else:
        share = AGREEMENTS_SHARE if what == "x, C unknown" else 0.0
        tokens = sample_one(data.gold, data.a, budget, rng, agreements_share=share).tokens
        shown = (data.gold, data.a)
        real = float((data.a == data.truth).mean())
    corpus_error = float((data.gold != data.truth).mean()) if what == "x, C known" else None

    def estimated(codes: Array, suppose: Sequence[float]) -> tuple[CheckedEstimate, list[IfJudgesErr]]:
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


_Estimate = CheckedEstimate | IfJudgesErr


def _ends(one: _Estimate) -> tuple[float, float]:
    assert one.lower is not None
    assert one.upper is not None
    return one.lower, one.upper


def _value(one: _Estimate) -> float:
    assert one.value is not None
    return one.value


def _width(one: _Estimate) -> float:
    lower, upper = _ends(one)
    return upper - lower


def _holds(one: _Estimate, real: float) -> bool:
    lower, upper = _ends(one)
    return lower - 1e-12 <= real <= upper + 1e-12


def judge_cells() -> list[tuple[str, Judges, float]]:
    cells = [(what, judges, error) for what in BUDGETS for judges in JUDGES for error in ERRORS]
    return cells + [(what, judges, 0.05) for judges in (UNEQUAL, *DEPENDENT) for what in BUDGETS]


def judge_runs(kind: Noise, cells: Sequence[tuple[str, Judges, float]], seeds: Sequence[int]) -> list[list[Covered]]:
    """Each cell's runs; all cells see the same data sets."""
    estimates_from_verdicts.N_DRAWS = N_DRAWS
    found: list[list[Covered]] = [[] for _ in cells]
    for seed in seeds:
        data = made(kind, np.random.default_rng([seed, 31]))
        for place, (what, judges, error) in enumerate(cells):
            found[place].append(one_run(what, judges, error, data, np.random.default_rng([seed, place, 32])))
    return found


# ---- pairs of known strata -------------------------------------------------------------------------------------------

N_WORDS = 20_000


def pair_of(sizes: Sequence[int], with_gold: float, rng: np.random.Generator) -> Data:
    """Two systems that differ in strata of these sizes: who is right by the gold is so in truth in such a share.

    Else the other is. Where neither is right by the gold, one, the other and neither are so in a third each. The real
    difference is exactly that; with the first two sizes equal, it is 0.
    """
    n_a, n_b, n_neither = sizes
    truth, gold, a, b = np.zeros((4, N_WORDS), dtype=np.int32)
    b[:n_a] = 1  # the gold has 0
    a[n_a : n_a + n_b] = 1
    last = slice(n_a + n_b, n_a + n_b + n_neither)
    a[last], b[last] = 1, 2
    truth[rng.permutation(n_a)[: round((1 - with_gold) * n_a)]] = 1
    truth[n_a + rng.permutation(n_b)[: round((1 - with_gold) * n_b)]] = 1
    truth[last] = rng.permutation(np.where(np.arange(n_neither) < n_neither // 3 * 3, np.arange(n_neither) % 3, 0))
    return Data(truth, gold, a, b)


def _real(data: Data) -> float:
    return float((data.b == data.truth).mean()) - float((data.a == data.truth).mean())


def _right(data: Data, tokens: Indices, *shown: Ids) -> Ids:
    return said(data.truth[tokens], [side[tokens] for side in shown], 0.0, np.random.default_rng(0))


@dataclass(frozen=True)
class Decided:
    """Whether a verdict was given that is wrong (or right, where that is asked for), now and before."""

    now: bool
    before: bool


def looked(data: Data, budget: int, rng: np.random.Generator) -> Decided:
    """Of two equal systems: whether any of eight looks while rows are judged calls one better."""
    tokens = rng.permutation(sample_pair(data.gold, data.a, data.b, budget, rng).tokens)
    right = _right(data, tokens, data.gold, data.a, data.b)
    now = before = False
    for look in range(1, N_LOOKS + 1):
        codes = np.where(np.arange(len(tokens)) < round(look / N_LOOKS * len(tokens)), right, NOT_REACHED)
        found = estimate_pair(data.gold, data.a, data.b, tokens, codes, rng)
        now |= found.verdict != "open"
        before |= better(found.difference.lower, found.difference.upper) != "open"
    return Decided(now, before)


def looked_at_one(data: Data, budget: int, rng: np.random.Generator) -> Decided:
    """Of one system, C not known: whether any of eight intervals of its accuracy misses it."""
    sample = sample_one(data.gold, data.a, budget, rng, agreements_share=AGREEMENTS_SHARE)
    tokens = rng.permutation(sample.tokens)
    right = _right(data, tokens, data.gold, data.a)
    real = float((data.a == data.truth).mean())
    now = before = False
    for look in range(1, N_LOOKS + 1):
        codes = np.where(np.arange(len(tokens)) < round(look / N_LOOKS * len(tokens)), right, NOT_REACHED)
        found = estimate_one(data.gold, data.a, tokens, codes, rng)
        if found.accuracy is None or found.accuracy.value is None or found.always_valid is None:
            continue
        plain, valid = _ends(found.accuracy), (found.always_valid.lower, found.always_valid.upper)
        lower, upper = plain if found.is_finished else valid
        now |= not lower - 1e-12 <= real <= upper + 1e-12
        before |= not plain[0] - 1e-12 <= real <= plain[1] + 1e-12
    return Decided(now, before)


def with_blanks(data: Data, budget: int, share: float, rng: np.random.Generator) -> Decided:
    """Of two equal systems, where judges leave such a share of the rows blank in which the first is right."""
    tokens = sample_pair(data.gold, data.a, data.b, budget, rng).tokens
    right = _right(data, tokens, data.gold, data.a, data.b)
    hard = (right == data.a[tokens]) & (rng.random(len(tokens)) < share)
    found = estimate_pair(data.gold, data.a, data.b, tokens, np.where(hard, NOT_JUDGED, right), rng)
    before = better(found.difference.lower, found.difference.upper)
    return Decided(found.verdict != "open", before != "open")


def planned(data: Data, sizes: Sequence[int], rng: np.random.Generator) -> Decided:
    """Whether as many tokens as `noise plan` says settle who is better."""
    of_strata, observed = np.array(sizes), (sizes[1] - sizes[0]) / N_WORDS
    needed = settling_tokens(of_strata, observed, N_WORDS, 0.95)
    assert needed is not None
    as_before = np.arange(1, of_strata.sum())
    real, variances = abs(observed) * (2 * WITH_GOLD[0] - 1), pair_variances(WITH_GOLD[0])
    step = max(needed // 200, 1)
    margins = (
        (int(n), expected_margin(of_strata, pair_allocation(of_strata, int(n)), variances, N_WORDS, 0.95))
        for n in as_before[::step]
    )
    before = next(n for n, margin in margins if margin < real)
    settled = []
    for n in (needed, before):
        tokens = sample_pair(data.gold, data.a, data.b, n, rng).tokens
        right = _right(data, tokens, data.gold, data.a, data.b)
        settled.append(estimate_pair(data.gold, data.a, data.b, tokens, right, rng).verdict == "B")
    return Decided(*settled)


def extended(data: Data, seed: int) -> tuple[bool, bool] | None:
    """Whether `rows_to_settle` more rows settle it, and whether the first rows' estimate is close to the truth.

    None where the first rows settle it, or where no number of rows is named.
    """

    def judged_of(budget: int) -> tuple[Indices, Ids]:
        tokens = sample_pair(data.gold, data.a, data.b, budget, np.random.default_rng(seed)).tokens
        return tokens, _right(data, tokens, data.gold, data.a, data.b)

    rng = np.random.default_rng([seed, 33])
    first = estimate_pair(data.gold, data.a, data.b, *judged_of(PILOT), rng)
    if not first.rows_to_settle:
        return None
    then = estimate_pair(data.gold, data.a, data.b, *judged_of(PILOT + first.rows_to_settle), rng)
    real = _real(data)
    assert first.difference.value is not None
    return then.verdict != "open", abs(first.difference.value - real) < 0.15 * real


def decided_runs(seeds: Sequence[int]) -> dict[str, list[Decided]]:
    """All that is decided of pairs of known strata, and looks at one system."""
    estimates_from_verdicts.N_DRAWS = N_DRAWS
    found: dict[str, list[Decided]] = {}
    for seed in seeds:
        rng = np.random.default_rng([seed, 34])
        for n in (200, 400):
            equal = pair_of((650, 650, 100), 0.8, rng)
            name = f"eight looks at {n} rows, two equal systems: one is called better"
            found.setdefault(name, []).append(looked(equal, n, rng))
        name = "eight looks at 300 rows, one system, C unknown: an interval misses"
        found.setdefault(name, []).append(looked_at_one(made(KINDS[1], rng), 300, rng))
        for share in LEFT_BLANK:
            equal = pair_of((650, 650, 100), 0.8, rng)
            name = f"{100 * share:.0f} % of one system's right rows left blank, two equal systems: one is called better"
            found.setdefault(name, []).append(with_blanks(equal, 300, share, rng))
        for sizes, number in product(PAIRS, range(N_PAIRS)):
            pair = pair_of(sizes, WITH_GOLD[0], rng)
            strata = ", ".join(map(str, sizes))
            name = f"as many tokens as plan says, strata of {strata}: the better is called better"
            found.setdefault(name, []).append(planned(pair, sizes, rng))
            name = f"{PILOT} rows, then as many more as estimate says: one is called better"
            tried = extended(pair, N_PAIRS * seed + number)  # few are open and close to the truth
            if tried is not None and tried[1]:
                found.setdefault(name, []).append(Decided(tried[0], False))
    return found


# ---- tables ----------------------------------------------------------------------------------------------------------


def simulate_judges(kind: Noise, n_runs: int, jobs: int) -> list[list[Covered]]:
    """The runs of `judge_cells`, cell by cell."""
    parts = [range(first, n_runs, jobs) for first in range(jobs)]
    with ProcessPoolExecutor(jobs) as pool:
        found = list(pool.map(judge_runs, [kind] * jobs, [judge_cells()] * jobs, parts))
    return [[one for part in found for one in part[place]] for place in range(len(judge_cells()))]


def simulate_decisions(n_runs: int, jobs: int) -> dict[str, list[Decided]]:
    parts = [range(first, n_runs, jobs) for first in range(jobs)]
    found: dict[str, list[Decided]] = {}
    with ProcessPoolExecutor(jobs) as pool:
        for part in pool.map(decided_runs, parts):
            for name, runs in part.items():
                found.setdefault(name, []).extend(runs)
    return found


def _percent(values: Sequence[float]) -> float:
    return 100 * float(np.mean(values))


def judge_table(found: Sequence[Sequence[Covered]]) -> list[str]:
    lines = [
        "| of | judges | wrong in | covers | width | bias | covered before | bias before |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for (what, judges, error), runs in zip(judge_cells(), found, strict=True):
        rate = "" if judges is UNEQUAL else f"{100 * error:g} %"
        cells = [what, judges.name, rate, f"{_percent([one.now for one in runs]):.1f}"]
        cells += [f"{_percent([one.width for one in runs]):.2f}", f"{_percent([one.off for one in runs]):+.2f}"]
        cells += [f"{_percent([one.before for one in runs]):.1f}", f"{_percent([one.off_before for one in runs]):+.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def decision_table(found: Mapping[str, Sequence[Decided]]) -> list[str]:
    lines = ["| what | data sets | now | before |", "|---|---|---|---|"]
    for name, runs in found.items():
        before = "" if "estimate says" in name else f"{_percent([one.before for one in runs]):.1f}"
        lines.append(f"| {name} | {len(runs):,} | {_percent([one.now for one in runs]):.1f} | {before} |")
    return lines


def lines(n_runs: int, jobs: int, kind: Noise = KINDS[1]) -> list[str]:
    """The section of docs/calibration.md."""
    decisions = decision_table(simulate_decisions(n_runs, jobs))
    return [
        "## Judges who err",
        "",
        f"`noise estimate` on {n_runs:,} data sets for each row; the head of `benchmarks/judges_coverage.py` says how.",
        "Coverage of 95 % intervals in % (standard error 0.7 around 95 %), widths and biases in points. Before, the",
        "majority of judges, or the only one, was taken to be right.",
        "",
        *judge_table(simulate_judges(kind, n_runs, jobs)),
        "",
        "With one judge, the row is that of the sensitivity table whose rate of errors is the true one; nobody knows",
        "which one that is.",
        "",
        "Nothing can be done about judges who err together: where they agree, they are believed. Then C has to be",
        "known, or systems compared with each other, where such errors fall on both.",
        "",
        "### Looking early, blanks, and how many rows it takes",
        "",
        "Shares of data sets, in %. Judges never err here.",
        "",
        *decisions,
        "",
        "Of the last, data sets whose first rows are open and estimate the difference to within 15 %: the number of",
        "rows is given for a difference that is as estimated.",
    ]
