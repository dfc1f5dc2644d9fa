"""What a check of all brackets would say, from verdicts on a sample of them: the judged measures with their intervals.

The test set is what it is: TTB, TPB, EM, CE and SP are known exactly. What is random is which brackets people looked
at. Each judged measure of Hogenhout & Matsumoto 1996 (Table 3) is then a known number plus numbers of accepted
brackets, over a known number, so that its interval is that of a stratified total (`karat.inference.stratified_totals`).
The intervals of `karat score` beside it are of more text of the same kind, and wider.

    strata = [CheckedStratum("CE", 894, 90, 21), CheckedStratum("SP", 1029, 103, 96)]
    whole_check({"TTB": 11400, "TPB": 8671, "EM": 6748, "CE": 894, "SP": 1029}, strata)["False Error"].lower
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from karat.inference.stratified_totals import SampledStratum, collapsed, total_interval
from karat.measures.brackets.checked_strata import CheckedStratum
from karat.measures.brackets.human_check import BracketCheck, Verdicts
from karat.measures.brackets.twelve_measures import PARSER_MEASURES

_ITEMS = ("EM", "CE", "SP")
_UNCHECKED = ("EM",)  # what counts as accepted where nobody looked


@dataclass(frozen=True, slots=True)
class WholeCheck:
    """A measure as verdicts on all brackets would give it: the estimate, and the interval that covers it.

    Where rows are open, `value` is None; the estimate lies between `least` and `most`, and the interval is around both.
    """

    value: float | None
    least: float
    most: float
    lower: float
    upper: float
    level: float


def whole_check(
    items: Mapping[str, float], strata: Sequence[CheckedStratum], *, level: float = 0.95
) -> dict[str, WholeCheck]:
    """The judged measures by name, from the items TTB, TPB, EM, CE and SP and from what was judged of each stratum.

    Those that depend on verdicts which are there; those with nothing to divide by are left out. Without strata of EM,
    exact matches count as accepted. Sizes of an item's strata (times `times`) must sum to the item.

    >>> items = {"TTB": 11400, "TPB": 8671, "EM": 6748, "CE": 894, "SP": 1029}
    >>> strata = [CheckedStratum("CE", 894, 90, 21), CheckedStratum("SP", 1029, 103, 96)]
    >>> found = whole_check(items, strata)["False Error"]
    >>> print(f"{found.value:.4f} {found.lower:.4f} {found.upper:.4f}")
    0.2333 0.1588 0.3233
    """
    found = {}
    for measure in PARSER_MEASURES:
        top, below = _linear(measure.numerator), _linear(measure.denominator)
        judged = {item: factor for item, factor in top.accepted.items() if factor}
        denominator = sum(items[name] for name in below.known) if judged else 0.0
        if not denominator or any(below.accepted.values()):
            continue
        has_verdicts = {one.item for one in strata if one.size}
        known = sum(items[name] for name in top.known)
        known += sum(judged[item] * items[item] for item in _UNCHECKED if item in judged and item not in has_verdicts)
        needed = {item for item in judged if item not in _UNCHECKED and items[item]}
        if needed <= has_verdicts and has_verdicts & set(judged):
            found[measure.name] = _measured(known, denominator, judged, strata, level)
    return found


def whole_check_of(check: BracketCheck, verdicts: Verdicts, *, level: float = 0.95) -> dict[str, WholeCheck]:
    """The judged measures of a system whose brackets were judged, from its worklist with verdicts."""
    kept = ~check.comparison.pair.gold.bad
    items = {name: float(check.comparison.items[name][kept].sum()) for name in ("TTB", "TPB", *_ITEMS)}
    return whole_check(items, verdicts.of(check).strata, level=level)


@dataclass(frozen=True, slots=True)
class _Linear:
    """A sum of items as known ones, and how often the accepted brackets of an item are in it."""

    known: tuple[str, ...]
    accepted: Mapping[str, int]


def _linear(names: Iterable[str]) -> _Linear:
    """Items are known, accepted ones count once, rejected ones are the item without the accepted ones."""
    known, accepted = [], dict.fromkeys(_ITEMS, 0)
    for name in names:
        item, verdict = name[:2], name[2:]
        if item not in _ITEMS or not verdict:
            known.append(name)
        elif verdict == "A":
            accepted[item] += 1
        else:
            known.append(item)
            accepted[item] -= 1
    return _Linear(tuple(known), accepted)


def _measured(
    known: float, denominator: float, factors: Mapping[str, int], strata: Sequence[CheckedStratum], level: float
) -> WholeCheck:
    """The measure with open rows decided so that it is the least, and the most."""
    ends = []
    for is_most in (False, True):
        decided = _decided(strata, factors, is_most=is_most)
        total = sum(one.factor * one.total for one in decided)
        ends.append([(known + number) / denominator for number in (total, *total_interval(decided, level))])
    (least, lower, _), (most, _, upper) = ends
    is_open = any(one.n_open and factors.get(one.item) for one in strata)
    return WholeCheck(None if is_open else least, least, most, lower, upper, level)


def _decided(strata: Sequence[CheckedStratum], factors: Mapping[str, int], *, is_most: bool) -> list[SampledStratum]:
    """The strata as samples, with open rows accepted or rejected so that the total is least or most."""
    found = []

    def kind(one: CheckedStratum) -> tuple[str, int]:
        return one.item, one.times

    for (item, times), of_kind in groupby(sorted(strata, key=kind), kind):
        factor = times * factors.get(item, 0)
        if factor:
            is_accepted = is_most == (factor > 0)
            found += collapsed(
                [
                    SampledStratum(
                        one.size, one.n_judged + one.n_open, one.n_accepted + one.n_open * is_accepted, factor
                    )
                    for one in of_kind
                ]
            )
    return found
