"""Two systems from YY, YN, NY and NN alone."""

from __future__ import annotations

import math

from karat.errors import UsageError
from karat.evaluation.comparison_results import Compared, Estimate, PairResult
from karat.evaluation.system_pair import Wanted
from karat.inference.distributions import SMALLEST_P, two_sided_normal
from karat.inference.intervals import Interval, t_interval
from karat.inference.options import InferenceOptions
from karat.inference.paired_units import PairCounts
from karat.inference.planning import equivalence, planned
from karat.inference.real_test import SMALL_REAL_TEST
from karat.inference.runs import Spread
from karat.measures.measure import Measure

MCNEMAR = "McNemar exact"
MCNEMAR_Z = "McNemar z, design effect given"
NORMAL = 1e6  # so many degrees of freedom that t is normal


def compare_counts(
    counts: PairCounts,
    *,
    names: tuple[str, str] = ("A", "B"),
    level: float = 0.95,
    margin: float | None = None,
    effect: float | None = None,
    power: float = 0.8,
    n_sentences: int | None = None,
    assumed_design_effect: float = 1.0,
) -> Compared:
    """What YY, YN, NY and NN alone can say of two systems: all of it takes units for independent.

    Unless something is known of the design effect: then McNemar's z is divided by its square root, and intervals and
    planning are widened by it. With `n_sentences`, planning can say how many sentences it takes.
    """
    if min(counts.yy, counts.yn, counts.ny, counts.nn) < 0 or not counts.n:
        raise UsageError("counts must not be negative, and not all 0")
    if not 0 < assumed_design_effect < 1e6:
        raise UsageError(f"design effect {assumed_design_effect}: it must be a positive number")
    wanted = Wanted(InferenceOptions(level=level), "recall", margin, effect, power)
    n, difference, root = counts.n, counts.difference, math.sqrt(assumed_design_effect)
    is_assumed = assumed_design_effect != 1
    error = math.sqrt(max(counts.yn + counts.ny - n * difference**2, 0.0)) / n * root
    method = "design effect z" if is_assumed else "unit z"
    interval = Interval(*t_interval(difference, error, NORMAL, level), level, method, n, 0) if error else None
    p, mid_p = counts.mcnemar_p, counts.mcnemar_mid_p
    if is_assumed:
        p = mid_p = two_sided_normal((counts.mcnemar_z or 0.0) / root)
    reduction = Estimate(counts.error_reduction, None)
    if reduction.value is not None and (reduction_error := counts.error_reduction_error()):
        ends = t_interval(reduction.value, reduction_error * root, NORMAL, level)
        reduction = Estimate(reduction.value, Interval(*ends, level, method, n, 0))
    found = Spread(error, NORMAL, error, 0.0)
    result = PairResult(
        a=names[0],
        b=names[1],
        measured=Measure(),
        measure=None,
        value_a=counts.a,
        value_b=counts.b,
        difference=difference,
        interval=interval,
        test=MCNEMAR_Z if is_assumed else MCNEMAR,
        p=max(p, SMALLEST_P),
        mid_p=max(mid_p, SMALLEST_P),
        p_is_upper_bound=p < SMALLEST_P,
        p_adjusted=max(p, SMALLEST_P),
        n_differing=counts.yn + counts.ny,
        design_effect=assumed_design_effect if is_assumed else None,
        counts=counts,
        odds_ratio=Estimate(counts.odds_ratio, _odds_interval(counts, level, assumed_design_effect)),
        error_reduction=reduction,
        equivalence=equivalence(difference, found, margin, level),
        planning=planned(found, level, power, effect, n_sentences, None, n),
    )
    warnings = ["counts do not show clustering; if errors cluster, p and CI are too small"]
    if is_assumed:
        warnings = [f"results depend on the given design effect of {assumed_design_effect:g}"]
    if result.real_test is not None and result.real_test.is_small:
        warnings.append(
            f"few units distinguish the systems: the real test has {result.real_test.size:.0f}, below {SMALL_REAL_TEST}"
        )
    values = f"YY={counts.yy},YN={counts.yn},NY={counts.ny},NN={counts.nn}"
    settings = [("counts", values), ("level", repr(level)), *wanted.signed()]
    if is_assumed:
        settings.append(("design-effect", repr(assumed_design_effect)))
    if n_sentences is not None:
        settings.append(("sentences", str(n_sentences)))
    return Compared(None, level, "recall", "none", "", (result,), (), tuple(settings), warnings=tuple(warnings))


def _odds_interval(counts: PairCounts, level: float, assumed_design_effect: float) -> Interval | None:
    """The interval of NY/YN: exact, or with a design effect on the scale of its logarithm."""
    if not counts.yn + counts.ny:
        return None
    if assumed_design_effect == 1:
        return Interval(*counts.odds_ratio_interval(level), level, "Clopper-Pearson", counts.n, 0)
    if not (counts.yn and counts.ny):
        return None
    error = math.sqrt((1 / counts.yn + 1 / counts.ny) * assumed_design_effect)
    low, high = t_interval(math.log(counts.ny / counts.yn), error, NORMAL, level)
    return Interval(math.exp(low), math.exp(high), level, "design effect z", counts.n, 0)
