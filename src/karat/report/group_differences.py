"""Where systems differ, as sentences and tables for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from karat.evaluation.comparison_results import Compared, GroupDifference
from karat.evaluation.plain_words import points, verdict
from karat.report.columns import Column, table_of
from karat.report.shown import (
    SIGNIFICANT,
    adjusted_p,
    difference_of,
    listed,
    shown_between,
    shown_ci,
    shown_difference,
    shown_value,
    winner,
)
from karat.result import Table

__all__ = ["group_tables", "group_verdicts"]

_MOST_NAMED = 5  # groups in a sentence
_MOST_GROUPS = 12  # rows of a table, without --details
_CLUSTERS = {"sentence": "sentences", "document": "documents", "instance": "instances", "type": "word types"}
_SMALLER = {"document": "sentence", "type": "instance"}  # of splits whose groups may be whole clusters, what is smaller

Family = Mapping[tuple[str, str], Sequence[GroupDifference]]  # the groups of each pair


def group_verdicts(compared: Compared) -> list[str]:
    """On which groups a system is better than another, in a sentence for each split and measure.

    Of several systems those sentences are of the best and the next best.
    """
    found = []
    for split, measure in _splits(compared):
        leader = _leader(compared, measure)
        pairs = [pair for pair in _of(compared, split, measure).items() if not leader or leader[0] in pair[0]]
        pairs = [pair for pair in pairs if len(leader) < 3 or leader[1] in pair[0]]
        found += [f"{measure} by {split}: {_sentence(several, compared.level)}" for _, several in pairs]
    return found


def group_tables(compared: Compared, *, details: bool) -> list[Table]:
    """For each split and measure a table of groups.

    Of two systems with difference, interval and p; of several with a mark where one differs from the best, and with
    `details` each of them beside the best.
    """
    tables = []
    for split, measure in _splits(compared):
        families, leader = _of(compared, split, measure), _leader(compared, measure)
        if len(leader) > 2:
            tables.append(_systems_table(compared, split, measure, leader, details=details))
        if len(leader) <= 2 or details:
            against_best = [several for pair, several in families.items() if not leader or leader[0] in pair]
            tables += [_pair_table(compared, several, details=details) for several in against_best]
    return tables


def _splits(compared: Compared) -> list[tuple[str, str]]:
    """Every split and measure, in the order in which they were compared."""
    every = ((split, one.pair.measure or "") for split, groups in compared.by.items() for one in groups)
    return list(dict.fromkeys(every))


def _of(compared: Compared, split: str, measure: str) -> Family:
    found: dict[tuple[str, str], list[GroupDifference]] = {}
    for one in compared.by[split]:
        if one.pair.measure == measure:
            found.setdefault((one.pair.a, one.pair.b), []).append(one)
    return found


def _leader(compared: Compared, measure: str) -> list[str]:
    """The systems from the best by a measure; where it is a measure of the split alone, by the first that ranks."""
    ranked = [one.name for one in compared.ranking if one.measure == measure]
    first = compared.ranking[0].measure if compared.ranking else ""
    return ranked or [one.name for one in compared.ranking if one.measure == first]


# ---- sentences -------------------------------------------------------------------------------------------------------


def _sentence(groups: Sequence[GroupDifference], level: float) -> str:
    """Who is better where."""
    pair = groups[0].pair
    if pair.measured.is_neutral:
        differ = [one for one in groups if verdict(one.pair, level) == "different"]
        return f"{pair.a} and {pair.b} differ on {_named(differ, pair.b)}."
    wins = {name: [one for one in groups if winner(one.pair, level) == name] for name in (pair.a, pair.b)}
    left = [one for one in groups if not winner(one.pair, level)]
    few = [one for one in left if verdict(one.pair, level) == "too few"]
    if len(few) == len(groups):
        return f"too few {_CLUSTERS.get(pair.cluster or '', 'groups')} for a verdict on any group."
    if len(left) == len(groups):
        return f"no clear difference between {pair.a} and {pair.b} on any of {len(groups)} groups."
    better, worse = sorted(wins, key=lambda name: -sum(abs(one.contribution) for one in wins[name]))
    rest = f"; no clear difference on the other {len(left)}" if left else ""
    where = f"on {_named(wins[better], better)}, worse on {_named(wins[worse], better)}"
    return f"{better} is better than {worse} {where}{rest}."


def _named(groups: Sequence[GroupDifference], system: str) -> str:
    """The groups, each with how much more this system scores than the other."""
    signs = [one.pair.factor * (1 if one.pair.b == system else -1) for one in groups]
    names = [
        f"{one.group or '(none)'} ({points(sign * one.pair.difference)})"
        for one, sign in zip(groups, signs, strict=True)
    ]
    return listed(names[:_MOST_NAMED], len(names) - _MOST_NAMED) if names else "none"


# ---- tables ----------------------------------------------------------------------------------------------------------


def _pair_table(compared: Compared, groups: Sequence[GroupDifference], *, details: bool) -> Table:
    """A row for each group: both systems, the difference, its interval and p."""
    first, level = groups[0].pair, compared.level
    shown = groups if details else groups[:_MOST_GROUPS]
    columns: list[Column[GroupDifference]] = [
        (groups[0].split, lambda one: one.group or "(none)"),
        ("gold", lambda one: one.n_gold),
        (first.a, lambda one: shown_value(one.pair, one.pair.a, level)),
        (first.b, lambda one: shown_value(one.pair, one.pair.b, level)),
        (difference_of(first.a, first.b), lambda one: shown_difference(one.pair)),
        (shown_ci(level), lambda one: shown_between(one.pair)),
        ("adj. p", lambda one: adjusted_p(one.pair)),
    ]
    title = f"{first.measure} by {groups[0].split}: {first.a} and {first.b}"
    n = max(one.pair.n_compared for one in groups)
    over = "groups, pairs and measures" if compared.adjust == "holm-all" else "groups that differ"
    notes = [f"adj. p: Holm-adjusted over {n} {over}."] if n > 1 else []
    notes += _notes(compared, groups[0].split, len(groups) - len(shown))
    return table_of(shown, columns, title, notes, if_known=["gold"])


def _systems_table(compared: Compared, split: str, measure: str, leader: Sequence[str], *, details: bool) -> Table:
    """A row for each group: the systems from the best, with a mark where they differ from it."""
    cells: dict[str, dict[str, str]] = {}
    sizes: dict[str, tuple[float, int | None]] = {}
    for several in _of(compared, split, measure).values():
        for one in several:
            sizes[one.group] = -one.share, one.n_gold
            here = cells.setdefault(one.group, {})
            for name, value in ((one.pair.a, one.pair.value_a), (one.pair.b, one.pair.value_b)):
                is_against_best = name != leader[0] and leader[0] in (one.pair.a, one.pair.b)
                mark = SIGNIFICANT if is_against_best and verdict(one.pair, compared.level) == "different" else ""
                if mark or name not in here:
                    here[name] = f"{one.pair.factor * value:.2f}{mark}"
    every = sorted(cells, key=lambda group: (sizes[group][0], group))
    chosen = every if details else every[:_MOST_GROUPS]
    columns: list[Column[str]] = [
        (split, lambda group: group or "(none)"),
        ("gold", lambda group: sizes[group][1]),
        *((name, lambda group, name=name: cells[group].get(name)) for name in leader),
    ]
    adjusted = "" if compared.adjust == "none" else ", Holm-adjusted over groups"
    notes = [f"{SIGNIFICANT} significantly different from {leader[0]}, the best overall{adjusted}."]
    notes += _notes(compared, split, len(every) - len(chosen))
    return table_of(chosen, columns, f"{measure} by {split}", notes, if_known=["gold"])


def _notes(compared: Compared, split: str, n_more: int) -> list[str]:
    """That no test can be made where a group is a single cluster; how many groups are not shown."""
    notes = []
    if split == compared.cluster and split in _SMALLER:
        smaller = f"--cluster {_SMALLER[split]}"
        notes.append(f"A {split} is a single cluster, too few for a test: {smaller} tests within it.")
    return notes + ([f"--details shows {n_more} more groups."] if n_more else [])
