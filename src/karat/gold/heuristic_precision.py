"""How many of the suspicious repeats that a heuristic keeps are errors, by people's verdicts.

It is the last column of Table 4 in Wisniewski & Yvon 2019, with intervals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from karat._arrays import Floats, Indices
from karat.corpus.open_verdicts import estimated
from karat.gold.repeats.judged_repeats import ERRORS, JudgedRow, ListSettings
from karat.gold.repeats.paper_tables import PRINTED_TABLE_4, PrintedHeuristic
from karat.inference.wilson import wilson

PRECISION_FIELDS: tuple[str, ...] = ("heuristic", "suspicious", "judged", "errors", "precision", "lower", "upper")
PRECISION_FIELDS += ("n_independent", "judged_in_part")
_SIZES = range(2, 11)
# SHA-256 of the paper's files, EWT's train and PUD's test set in UD 2.3, as far as signatures show them
_PAPERS = {"0d3c2af34502b6a2", "1c869b5f697a6f38"}


@dataclass(frozen=True, slots=True)
class HeuristicPrecision:
    """Of the suspicious repeats in a list that a heuristic keeps: how many, how many were judged, how many are errors.

    `judged_in_part` are those of which some rows are judged, but not all: these do not count as judged.
    `n_independent` is how many independent verdicts the interval takes them for: see `heuristic_precisions`.
    """

    heuristic: str
    suspicious: int
    judged: int
    errors: int
    n_independent: float
    lower: float | None
    upper: float | None
    paper: PrintedHeuristic | None
    judged_in_part: int = 0

    @property
    def precision(self) -> float | None:
        return self.errors / self.judged if self.judged else None

    def to_dict(self) -> dict[str, Any]:
        """The precision as plain data."""
        paper = None if self.paper is None else asdict(self.paper)
        return {**{name: getattr(self, name) for name in PRECISION_FIELDS}, "paper": paper}


@dataclass(frozen=True, slots=True)
class _Repeat:
    """A repeat of the list: what keeps it, and whether it is an error; None if that is not decided, or only in part."""

    rows: Sequence[JudgedRow]
    is_error: bool | None
    is_in_part: bool


def heuristic_precisions(
    rows: Iterable[JudgedRow], settings: ListSettings, *, level: float = 0.95
) -> tuple[HeuristicPrecision, ...]:
    """The share of judged repeats that are errors: of all, of those of at least n words, of disjoint and inner ones.

    Only repeats count of which all rows are judged: one error would else be enough to count a repeat, but no single
    ambiguity. Such a repeat is an error if one of its rows is (`mixed` is one, too); a row without a verdict has that
    of another row about the same places and labels. Repeats in which the same word has the same two labels mostly get
    the same verdict, and many lie in each other: they are no independent evidence. So the interval is
    Wilson's for n / d verdicts, where d is how much larger the variance is between such groups of repeats than it would
    be with all n apart (at least 1); where all verdicts are the same, there are as many as groups. It is meant for
    lists that were judged whole, or in a random order: the top of a ranked list says nothing about the rest.
    """
    repeats = _repeats(list(rows))
    groups = _groups(repeats)
    longest = max((one.rows[0].n_words for one in repeats), default=0)
    shortest = min((one.rows[0].n_words for one in repeats), default=0)
    kept = {"none": [True] * len(repeats), "disjoint": [one.rows[0].disjoint for one in repeats]}
    kept["non-fringe"] = [one.rows[0].non_fringe for one in repeats]
    for size in _SIZES:
        flags = [one.rows[0].n_words >= size for one in repeats]
        if max(shortest, 2) <= size <= longest and (size <= 4 or flags not in kept.values()):
            kept[f"size {size}"] = flags
    judged = np.array([one.is_error is not None for one in repeats], dtype=np.bool_)
    in_part = np.array([one.is_in_part for one in repeats], dtype=np.bool_)
    is_error = np.array([bool(one.is_error) for one in repeats], dtype=np.float64)
    found = []
    for heuristic, flags in kept.items():
        keep = np.array(flags, dtype=np.bool_)
        chosen = keep & judged
        n, n_errors = int(chosen.sum()), int(is_error[chosen].sum())
        n_independent = _n_independent(is_error[chosen], groups[chosen])
        lower, upper = wilson(n_errors / n, n_independent, level) if n else (None, None)
        paper = _printed(heuristic, settings)
        n_in_part = int((keep & in_part).sum())
        found.append(
            HeuristicPrecision(heuristic, int(keep.sum()), n, n_errors, n_independent, lower, upper, paper, n_in_part)
        )
    return tuple(found)


def _repeats(rows: list[JudgedRow]) -> list[_Repeat]:
    by_places: dict[str, str] = {}
    for row in rows:
        if estimated(row.verdict) and by_places.get(row.same_places) not in ERRORS:  # one error is enough
            by_places[row.same_places] = row.verdict
    by_repeat: dict[tuple[int, int], list[JudgedRow]] = {}
    for row in rows:
        by_repeat.setdefault(row.repeat, []).append(row)
    found = []
    for of_it in by_repeat.values():
        verdicts = {estimated(row.verdict) or by_places.get(row.same_places, "") for row in of_it}
        is_error = None if "" in verdicts else bool(verdicts & set(ERRORS))
        found.append(_Repeat(of_it, is_error, is_error is None and len(verdicts) > 1))
    return found


def _groups(repeats: Sequence[_Repeat]) -> Indices:
    """A number for each repeat: the same where a word with two labels is in both, directly or by way of others."""
    first: dict[object, int] = {}
    group = list(range(len(repeats)))

    def root(one: int) -> int:
        while group[one] != one:
            group[one] = group[group[one]]
            one = group[one]
        return one

    for number, repeat in enumerate(repeats):
        for row in repeat.rows:
            group[root(number)] = root(first.setdefault(row.pattern, number))
    return np.array([root(number) for number in range(len(repeats))], dtype=np.intp)


def _n_independent(is_error: Floats, groups: Indices) -> float:
    """How many independent verdicts say as much as these, of which those of a group go together."""
    n = len(is_error)
    if not n:
        return 0.0
    _, of_group = np.unique(groups, return_inverse=True)
    n_groups = int(of_group.max()) + 1
    share = float(is_error.mean())
    if n_groups < 2 or share in (0.0, 1.0):
        return float(n_groups)
    residual = np.bincount(of_group, weights=is_error - share)
    between = n_groups / (n_groups - 1) * float((residual**2).sum()) / n**2
    apart = share * (1 - share) / (n - 1)
    return n / max(between / apart, 1.0)


def _printed(heuristic: str, settings: ListSettings) -> PrintedHeuristic | None:
    """What Table 4 prints of a heuristic, if the list is of the paper's corpora, labels and repeats."""
    if {one[:16] for one in settings.hashes} != _PAPERS or settings.of != "upos" or settings.min_words is None:
        return None
    size = int(heuristic.removeprefix("size ")) if heuristic.startswith("size ") else 1
    return PRINTED_TABLE_4.get(heuristic) if settings.min_words <= size else None
