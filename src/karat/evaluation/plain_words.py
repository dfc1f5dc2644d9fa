"""What a comparison says, in a sentence that anyone can read.

The sentence follows from the interval and the adjusted p alone; where these two disagree it says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from karat.inference.clusters import fewest_clusters, smallest_p
from karat.inference.distributions import SMALLEST_P
from karat.inference.runs import FEWEST_RUNS

if TYPE_CHECKING:
    from karat.evaluation.comparison_results import PairResult
    from karat.inference.planning import Equivalence

LEAST_SHOWN_P = 0.0001
Verdict = Literal["same", "too few", "different", "alone only", "border", "open"]

_CLUSTERS = {
    "sentence": "sentences",
    "document": "documents",
    "instance": "instances",
    "type": "word types",
    None: "units",
}


def verdict(pair: PairResult, level: float) -> Verdict:
    """What the adjusted p and the interval together say.

    different: both say so. open: neither does, or runs are too few to tell. border: one does and the other does not.
    alone only: p would say so but for the number of comparisons. too few: so few clusters, or clusters that differ,
    that no test could say so. same: none differs.
    """
    alpha = 1 - level
    if not pair.difference and (pair.n_differing == 0 or (pair.t_test is not None and not pair.t_test.error)):
        return "same"
    excludes = pair.interval is not None and pair.interval.includes_zero is False
    includes = pair.interval is not None and pair.interval.includes_zero is True
    if pair.n_clusters is not None and smallest_p(pair.n_clusters) * pair.n_compared >= alpha:
        return "too few"
    if pair.runs is not None and pair.runs.too_few:
        return "open"
    if pair.p_adjusted < alpha:
        return "border" if includes else "different"
    if pair.n_differing is not None and smallest_p(pair.n_differing) * pair.n_compared >= alpha:
        return "too few"
    if pair.p < alpha:
        return "alone only"
    return "border" if excludes else "open"


def winner(pair: PairResult, level: float) -> str:
    """The system that is better; empty where that is not known, or neither more nor less is better."""
    if verdict(pair, level) != "different" or pair.measured.is_neutral:
        return ""
    return pair.b if pair.b_is_ahead else pair.a


def in_words(pair: PairResult, level: float, statistic: str = "") -> str:
    """The sentence, and one more each for equivalence and for runs where they were asked for.

    `statistic` is what of the measure was compared, if not its value.
    """
    return " ".join([_on_difference(pair, level, statistic), *_on_equivalence(pair), *_on_runs(pair)])


def _on_difference(pair: PairResult, level: float, statistic: str) -> str:
    better, worse = (pair.b, pair.a) if pair.b_is_ahead else (pair.a, pair.b)
    on = f" on {pair.measure}{f' ({statistic})' if statistic else ''}" if pair.measure else ""
    values = _values(pair)
    p = shown_p(pair.p_adjusted, pair.p_is_upper_bound, name="adjusted p" if pair.n_compared > 1 else "p")
    found = verdict(pair, level)
    units = _CLUSTERS.get(pair.cluster, "groups")
    if found == "same":
        return f"{pair.a} and {pair.b} score the same{on} on all {units}."
    is_ahead = "is higher than" if pair.measured.is_neutral else "is ahead of"
    ahead = f"{better} {is_ahead} {worse}{on} ({values})"
    if not pair.difference:
        ahead = f"{pair.a} and {pair.b} tie{on} ({values.partition(' to ')[0]})"
    if found == "too few":
        return f"{ahead}, but {why_too_few(pair, level)}."
    if found == "different":
        is_better = is_ahead if pair.measured.is_neutral else "is better than"
        size = f"{shown_value(pair, abs(pair.difference))}{_unit(pair)}"
        return f"{better} {is_better} {worse}{on}: {values}, a difference of {size} ({_between(pair, level, '', p)})."
    if found == "alone only":
        alone = shown_p(pair.p, pair.p_is_upper_bound)
        return (
            f"{ahead}. On its own the difference would be significant ({alone}), but not among {pair.n_compared} "
            f"comparisons ({p})."
        )
    if found == "open" and pair.runs is not None and pair.runs.too_few:
        return (
            f"{ahead}, but with so few runs this may be how much runs vary (give at least {FEWEST_RUNS} of a system)."
        )
    if found == "open" and not pair.difference:
        return f"{ahead}; {_between(pair, level, ' of the difference', p)}."
    if found == "border":
        between = _between(pair, level, "", "")
        if pair.p_adjusted < 1 - level:
            return f"{ahead}, but this is borderline: the test finds a difference ({p}), the {between} includes 0."
        return f"{ahead}, but this is borderline: the {between} excludes 0, the test finds no difference ({p})."
    return f"{ahead}, but the difference could be due to chance ({_between(pair, level, ' of the difference', p)})."


def _values(pair: PairResult) -> str:
    """Both values, the better first, with as many digits as it takes to tell them apart: `87.9 to 86.7`."""
    values = [pair.factor * one for one in (pair.value_a, pair.value_b)]
    first, second = reversed(values) if pair.b_is_ahead else values
    digits = _digits(pair)
    return f"{first:.{digits}f} to {second:.{digits}f}"


def _digits(pair: PairResult) -> int:
    least = 1 if pair.measured.in_percent else 2
    a, b = (pair.factor * one for one in (pair.value_a, pair.value_b))
    return next((n for n in range(least, 5) if a == b or f"{a:.{n}f}" != f"{b:.{n}f}"), 5)


def shown_value(pair: PairResult, value: float) -> str:
    """A value, or a difference, in the unit of the measure, as the sentence shows it."""
    return f"{pair.factor * value:.{max(_digits(pair), 2)}f}"


def why_too_few(pair: PairResult, level: float) -> str:
    """Why no test can tell."""
    units = _CLUSTERS.get(pair.cluster, "groups")
    n, needed = pair.n_clusters, fewest_clusters(level, pair.n_compared)
    if n is not None and n < needed:
        among = f" with {pair.n_compared} comparisons" if pair.n_compared > 1 else ""
        are = "is too few" if n == 1 else "are too few"
        return f"{n} {units if n != 1 else units[:-1]} {are} for a verdict (at least {needed}{among})"
    differ = f"{units[:-1]} differs" if pair.n_differing == 1 else f"{units} differ"
    return f"only {pair.n_differing} {differ}: too few for a verdict"


def shown_p(p: float, is_upper_bound: bool = False, *, name: str = "p") -> str:
    """A p as it is printed, never as 0: `p = 0.032`, `p < 0.0001`."""
    if p < LEAST_SHOWN_P or (is_upper_bound and p <= LEAST_SHOWN_P):
        return f"{name} < {LEAST_SHOWN_P}"
    digits = 4 if f"{p:.2g}" in ("0.05", "0.01") else 2  # so that it is seen on which side p lies
    shown = f"{p:.2f}" if p >= 0.1 else f"{p:.{digits}g}" if digits > 2 else f"{p:#.2g}"
    return f"{name} {'<' if is_upper_bound else '='} {shown}"


def points(value: float) -> str:
    """A difference in points with its sign; small ones with as many digits as it takes to be seen."""
    shown = f"{value:+.2f}"
    return (shown if float(shown) or not value else f"{value:+.1g}").replace("-", "−")


def _between(pair: PairResult, level: float, of: str, p: str) -> str:
    """The interval, for the difference as the sentence states it, of the better system over the worse; and p."""
    ends = _ends(pair)
    if ends is None:
        return p
    low, high = ends if pair.difference >= 0 else (-ends[1], -ends[0])
    return ", ".join(filter(None, [f"{100 * level:g} % CI{of} {points(low)} to {points(high)}", p]))


def _unit(pair: PairResult) -> str:
    return " points" if pair.measured.in_percent else ""


def _ends(pair: PairResult) -> tuple[float, float] | None:
    ends = None if pair.interval is None else pair.interval.ends
    return ends and (pair.factor * ends[0], pair.factor * ends[1])


def _on_equivalence(pair: PairResult) -> list[str]:
    if pair.equivalence is None:
        return []
    is_bound = pair.equivalence.p < SMALLEST_P
    p = shown_p(max(pair.equivalence.p, SMALLEST_P), is_bound)
    margin = margin_in_words(pair, pair.equivalence)
    are = "are equivalent" if pair.equivalence.holds else "are not shown to be equivalent"
    return [f"They {are} within {margin} (two one-sided tests, {p})."]


def margin_in_words(pair: PairResult, equivalence: Equivalence) -> str:
    """The margin within which systems may be equivalent."""
    margin = f"{pair.factor * equivalence.margin:g}{_unit(pair)}"
    return "1 point" if margin == "1 points" else margin


def _on_runs(pair: PairResult) -> list[str]:
    if pair.runs is None or pair.runs.too_few:
        return []
    few = [(name, n) for name, n in ((pair.a, pair.runs.n_a), (pair.b, pair.runs.n_b)) if n < FEWEST_RUNS]
    return [f"{name} has {n} run{'s' * (n > 1)}, assumed to vary as much as those of other systems." for name, n in few]
