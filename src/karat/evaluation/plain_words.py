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

__all__ = ["Verdict", "in_words", "points", "shown_p", "verdict"]

Verdict = Literal["same", "too few", "different", "documents", "alone only", "border", "open"]


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
    if pair.n_differing == 0 and not pair.difference:
        return "same"
    excludes = pair.interval is not None and pair.interval.includes_zero is False
    includes = pair.interval is not None and pair.interval.includes_zero is True
    if pair.n_clusters is not None and smallest_p(pair.n_clusters) * pair.n_compared >= alpha:
        return "too few"
    if pair.runs is not None and pair.runs.are_too_few:
        return "open"
    if pair.p_adjusted < alpha:
        return "border" if includes else "different"
    if pair.n_differing is not None and smallest_p(pair.n_differing) * pair.n_compared >= alpha:
        return "too few"
    if pair.p < alpha:
        return "alone only"
    return "border" if excludes else "open"


def in_words(pair: PairResult, level: float, statistic: str = "") -> str:
    """The sentence, and one more each for equivalence and for runs where they were asked for.

    `statistic` is what of the measure was compared, if not its value. Of a measure of which neither more nor less is
    better it is said who has more.
    """
    better, worse = (pair.b, pair.a) if pair.b_is_ahead else (pair.a, pair.b)
    is_better, ahead = ("is higher than", "higher than") if pair.measured.is_neutral else ("is better than", "ahead of")
    by = f" by {pair.measure}{f' ({statistic})' if statistic else ''}" if pair.measure else ""
    units = _CLUSTERS.get(pair.cluster, "groups")
    size = f"{pair.factor * abs(pair.difference):.2f}{_unit(pair)}"
    p = shown_p(pair.p_adjusted, pair.p_is_upper_bound, name="adjusted p" if pair.n_compared > 1 else "p")
    found = verdict(pair, level)
    if found == "same":
        text = f"{pair.a} and {pair.b} do the same on all {units}{by}."
    elif found == "too few":
        text = f"{better} is {ahead} {worse}{by} by {size}, but {_too_few(pair, level, units)}."
    elif found == "different":
        text = f"{better} {is_better} {worse}{by}: {size}{_between(pair, level)} ({p})."
    elif found == "alone only":
        text = (
            f"{better} is {ahead} {worse}{by} by {size}; alone this would be significant "
            f"({shown_p(pair.p, pair.p_is_upper_bound)}), among {pair.n_compared} comparisons it is not ({p})."
        )
    elif found == "border":
        test, interval = ("says so", "includes") if pair.p_adjusted < 1 - level else ("does not say so", "excludes")
        text = (
            f"It is on the border whether {better} {is_better} {worse}{by}: {size}; the test {test} ({p}), "
            f"the interval {interval} 0{_between(pair, level)}."
        )
    else:
        what = "higher" if pair.measured.is_neutral else "better"
        text = (
            f"It is open which of {pair.a} and {pair.b} is {what}{by}: a difference of {size} may be chance ({p})"
            f"{_may_be(pair)}."
        )
    return " ".join([text, *_on_equivalence(pair), *_on_runs(pair)])


def _too_few(pair: PairResult, level: float, units: str) -> str:
    """Why no test can tell."""
    n, needed = pair.n_clusters, fewest_clusters(level, pair.n_compared)
    if n is not None and n < needed:
        among = f" with {pair.n_compared} comparisons" if pair.n_compared > 1 else ""
        are = "is too few" if n == 1 else "are too few"
        return f"{n} {units if n != 1 else units[:-1]} {are} for any test to tell (it takes {needed}{among})"
    return f"too few {units} differ ({pair.n_differing}) for any test to tell"


def shown_p(p: float, is_upper_bound: bool = False, *, name: str = "p") -> str:
    """A p as it is printed, never as 0: `p = 0.032`, `p < 1e-12`."""
    if is_upper_bound:
        return f"{name} < {p:.0e}".replace("e-0", "e-")
    digits = 4 if f"{p:.2g}" in ("0.05", "0.01") else 2  # so that it is seen on which side p lies
    return f"{name} = {p:.{digits}g}" if p >= 0.0001 else f"{name} = {p:.1e}"


def points(value: float) -> str:
    """A difference in points with its sign; small ones with as many digits as it takes to be seen."""
    shown = f"{value:+.2f}"
    return shown if float(shown) or not value else f"{value:+.1g}"


def _between(pair: PairResult, level: float) -> str:
    """The interval, for the difference as the sentence states it: of the better system over the worse."""
    ends = _ends(pair)
    if ends is None:
        return ""
    low, high = ends if pair.difference >= 0 else (-ends[1], -ends[0])
    return f", {100 * level:g} % interval {points(low)} to {points(high)}"


def _may_be(pair: PairResult) -> str:
    ends = _ends(pair)
    if ends is None:
        return ""
    return f"; the true one ({pair.b} less {pair.a}) may be anything from {points(ends[0])} to {points(ends[1])}"


def _unit(pair: PairResult) -> str:
    return " points" if pair.measured.in_percent else ""


def _ends(pair: PairResult) -> tuple[float, float] | None:
    interval = pair.interval
    if interval is None or interval.lower is None or interval.upper is None:
        return None
    return pair.factor * interval.lower, pair.factor * interval.upper


def _on_equivalence(pair: PairResult) -> list[str]:
    if pair.equivalence is None:
        return []
    is_bound = pair.equivalence.p < SMALLEST_P
    p = shown_p(max(pair.equivalence.p, SMALLEST_P), is_bound)
    margin = f"{pair.factor * pair.equivalence.margin:g}{_unit(pair)}"
    if pair.equivalence.holds:
        return [f"That they differ by less than {margin} is shown (two one-sided tests, {p})."]
    return [f"That they differ by less than {margin} is not shown (two one-sided tests, {p})."]


def _on_runs(pair: PairResult) -> list[str]:
    if pair.runs is None:
        return []
    single = [name for name, n in ((pair.a, pair.runs.n_a), (pair.b, pair.runs.n_b)) if n == 1]
    if pair.runs.are_too_few:
        return [f"Runs are too few to say how far they scatter: give {FEWEST_RUNS} or more of a system."]
    return [f"Of {name} there is one run only: it is taken to scatter as the others' do." for name in single]
