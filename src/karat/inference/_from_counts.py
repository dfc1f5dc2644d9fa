"""Two systems from YY, YN, NY and NN alone."""

from __future__ import annotations

import math
from dataclasses import replace

from karat.errors import UsageError
from karat.inference._compared import Compared, Equivalence, Estimate, PairResult, Planning
from karat.inference._pair import checked, signed_choices
from karat.inference.intervals import Interval, t_interval
from karat.inference.options import InferenceOptions
from karat.inference.pairs import PairCounts
from karat.inference.permutation import SMALLEST_P
from karat.inference.planning import equivalence_p, minimum_detectable, needed_factor, power
from karat.inference.real_test import SMALL_REAL_TEST, real_test

__all__ = ["compare_counts"]

MCNEMAR = "McNemar exact"


def compare_counts(
    counts: PairCounts,
    *,
    names: tuple[str, str] = ("A", "B"),
    level: float = 0.95,
    margin: float | None = None,
    effect: float | None = None,
    wanted_power: float = 0.8,
    n_sentences: int | None = None,
    assumed_design_effect: float = 1.0,
) -> Compared:
    """What YY, YN, NY and NN alone can say of two systems: all of it takes units for independent.

    `assumed_design_effect`, if something is known of it, widens the interval and planning, not McNemar's test. With
    `n_sentences`, planning can say how many sentences it takes.
    """
    if min(counts.yy, counts.yn, counts.ny, counts.nn) < 0 or not counts.n:
        raise UsageError("counts are numbers of units: none below 0, and not all 0")
    if assumed_design_effect <= 0:
        raise UsageError(f"design effect {assumed_design_effect}: it must be positive")
    options = InferenceOptions(level=level)
    wanted = checked(options, "recall", margin, effect, wanted_power, 0)
    n, difference = counts.n, counts.difference
    variance = (counts.yn + counts.ny - n * difference**2) / n**2 * assumed_design_effect
    error = math.sqrt(max(variance, 0.0))
    df = 1e9  # so many units that t is normal
    interval = None
    if error:
        interval = Interval(*t_interval(difference, error, df, level), level, "unit z", n, 0)
    reduction_error = counts.error_reduction_error()
    reduction = Estimate(counts.error_reduction, None)
    if counts.error_reduction is not None and reduction_error:
        ends = t_interval(counts.error_reduction, reduction_error * math.sqrt(assumed_design_effect), df, level)
        reduction = Estimate(counts.error_reduction, Interval(*ends, level, "unit z", n, 0))
    low, high = counts.odds_ratio_interval(level)
    odds = Interval(low, high, level, "Clopper-Pearson", n, 0) if counts.yn + counts.ny else None
    planning = None
    if error:
        planning = Planning(wanted_power, minimum_detectable(error, df, level, wanted_power))
        if effect is not None:
            factor = needed_factor(effect, error, level, wanted_power)
            sentences = None if n_sentences is None else math.ceil(factor * n_sentences)
            planning = replace(
                planning, effect=effect, power=power(effect, error, df, level), sentences_needed=sentences
            )
    p_margin = None if margin is None else equivalence_p(difference, error, df, margin)
    equivalence = None if margin is None or p_margin is None else Equivalence(margin, p_margin, p_margin < 1 - level)
    p = counts.mcnemar_p
    result = PairResult(
        a=names[0],
        b=names[1],
        measure=None,
        value_a=counts.a,
        value_b=counts.b,
        difference=difference,
        interval=interval,
        test=MCNEMAR,
        p=max(p, SMALLEST_P),
        mid_p=max(counts.mcnemar_mid_p, SMALLEST_P),
        p_is_upper_bound=p < SMALLEST_P,
        p_adjusted=max(p, SMALLEST_P),
        n_differing=counts.yn + counts.ny,
        cluster=None,
        n_clusters=None,
        t_test=None,
        design_effect=None,
        counts=counts,
        real_test=real_test(counts.yy, counts.yn, counts.ny, counts.nn),
        odds_ratio=Estimate(counts.odds_ratio, odds),
        error_reduction=reduction,
        equivalence=equivalence,
        planning=planning,
        documents=None,
        runs=None,
    )
    warnings = ["clustering cannot be seen in counts: if errors cluster, p is too small and the intervals too narrow"]
    if result.real_test is not None and result.real_test.is_small:
        warnings.append(
            f"the real test is small ({result.real_test.size:.0f} units, below {SMALL_REAL_TEST}): the systems hardly "
            "differ in what they get right"
        )
    values = f"YY={counts.yy},YN={counts.yn},NY={counts.ny},NN={counts.nn}"
    settings = [("counts", values), ("level", f"{level:g}"), *signed_choices(wanted)]
    if assumed_design_effect != 1:
        settings.append(("design-effect", f"{assumed_design_effect:g}"))
    return Compared(None, level, "recall", "none", "", (result,), (), (), tuple(settings), warnings=tuple(warnings))
