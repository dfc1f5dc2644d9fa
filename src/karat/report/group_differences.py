"""Where systems differ, as sentences and tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from karat.evaluation.comparison_results import Compared, GroupDifference
from karat.evaluation.plain_words import verdict, winner
from karat.report.columns import Column, table_of
from karat.report.shown import (
    SIGNIFICANT,
    adjusted_p,
    difference_of,
    listed,
    marks_in_words,
    shown_between,
    shown_ci,
    shown_difference,
    shown_value,
    tests_made,
    unadjusted_notes,
)
from karat.result import Table

_MOST_NAMED = 5  # groups in a sentence
_MOST_GROUPS = 12  # rows of a table, without --details
_CLUSTERS = {"sentence": "sentences", "document": "documents", "instance": "instances", "type": "word types"}
_SMALLER = {"document": "sentence", "type": "instance"}  # of splits whose groups may be whole clusters, what is smaller

Groups = Sequence[GroupDifference]


def group_verdicts(compared: Compared) -> list[str]:
    """On which groups a system is better than another, in a sentence for each split and measure.

    Of several systems those sentences are of the best and the next best.
    """
    found = []
    for (split, measure), pairs in _pairs_by_split(compared).items():
        chosen = _pairs_of(_ranked(compared, measure)[:2], pairs)
        found += [f"{measure} by {split}: {_sentence(groups, compared.level)}" for groups in chosen]
    return found


def group_tables(compared: Compared, *, details: bool, for_paper: bool = False) -> list[Table]:
    """For each split and measure a table of groups.

    Of two systems with difference, interval and p; of several with a mark where one differs from the best, and with
    `details` each of them beside the best. `for_paper`, notes name no options.
    """
    tables, how = [], {"details": details, "for_paper": for_paper}
    for (split, measure), pairs in _pairs_by_split(compared).items():
        ranked = _ranked(compared, measure)
        if len(ranked) > 2:
            every = [one for groups in pairs for one in groups]
            tables.append(_systems_table(compared, every, f"{measure} by {split}", ranked, **how))
        if len(ranked) <= 2 or details:
            tables += [_pair_table(compared, groups, **how) for groups in _pairs_of(ranked[:1], pairs)]
    return tables


def _pairs_by_split(compared: Compared) -> dict[tuple[str, str], list[Groups]]:
    """Of every split and measure, in the order in which they were compared, the groups of each pair."""
    found: dict[tuple[str, str], dict[tuple[str, str], list[GroupDifference]]] = {}
    for split, groups in compared.by.items():
        for one in groups:
            pairs = found.setdefault((split, one.pair.measure or ""), {})
            pairs.setdefault((one.pair.a, one.pair.b), []).append(one)
    return {key: list(pairs.values()) for key, pairs in found.items()}


def _ranked(compared: Compared, measure: str) -> list[str]:
    """The systems from the best by a measure; where it is a measure of the split alone, by the first that ranks."""
    ranked = [one.name for one in compared.ranking if one.measure == measure]
    first = compared.ranking[0].measure if compared.ranking else ""
    return ranked or [one.name for one in compared.ranking if one.measure == first]


def _pairs_of(names: Sequence[str], pairs: Sequence[Groups]) -> list[Groups]:
    """The groups of the pairs that these systems are in."""
    return [groups for groups in pairs if {*names} <= {groups[0].pair.a, groups[0].pair.b}]


# ---- sentences -------------------------------------------------------------------------------------------------------


def _sentence(groups: Groups, level: float) -> str:
    """Who is better where."""
    pair = groups[0].pair
    if pair.measured.is_neutral:
        differ = [one for one in groups if verdict(one.pair, level) == "different"]
        return f"{pair.a} and {pair.b} differ on {_named(differ) if differ else 'no group'}."
    wins = {name: [one for one in groups if winner(one.pair, level) == name] for name in (pair.a, pair.b)}
    left = [one for one in groups if not winner(one.pair, level)]
    few = [one for one in left if verdict(one.pair, level) == "too few"]
    if len(few) == len(groups):
        return f"too few {_CLUSTERS.get(pair.cluster or '', 'groups')} for a verdict on any group."
    if len(left) == len(groups):
        return f"no clear difference between {pair.a} and {pair.b} on any of {len(groups)} groups."
    better, worse = sorted(wins, key=lambda name: -sum(abs(one.contribution) for one in wins[name]))
    rest = f"; no clear difference on the other {len(left)}" if left else ""
    where = f"on {_named(wins[better])}, worse on {_named(wins[worse])}"
    return f"{better} is better than {worse} {where}{rest}."


def _named(groups: Groups) -> str:
    """The groups, each with how much the systems differ there."""
    names = [f"{one.group or '(none)'} (by {one.pair.factor * abs(one.pair.difference):.2f})" for one in groups]
    return listed(names[:_MOST_NAMED], len(names) - _MOST_NAMED) if names else "none"


# ---- tables ----------------------------------------------------------------------------------------------------------


def _pair_table(compared: Compared, groups: Groups, *, details: bool, for_paper: bool) -> Table:
    """A row for each group: both systems, the difference, its interval and p."""
    first, level = groups[0].pair, compared.level
    shown = sorted(groups if details else groups[:_MOST_GROUPS], key=lambda one: -(one.n_gold or 0))
    difference = difference_of(first.a, first.b)
    columns: list[Column[GroupDifference]] = [
        (groups[0].split, lambda one: one.group or "(none)"),
        ("gold", lambda one: one.n_gold),
        (first.a, lambda one: shown_value(one.pair, one.pair.a, level)),
        (first.b, lambda one: shown_value(one.pair, one.pair.b, level)),
        (difference, lambda one: shown_difference(one.pair)),
        (shown_ci(level), lambda one: shown_between(one.pair)),
        ("adj. p", lambda one: adjusted_p(one.pair)),
    ]
    title = f"{first.measure} by {groups[0].split}: {first.a} and {first.b}"
    n = max(one.pair.n_compared for one in groups)
    over = "groups, pairs and measures" if compared.adjust == "holm-all" else "groups that differ"
    tests = " or ".join(tests_made(one.pair for one in groups if one.pair.n_differing != 0))
    adjusted = f", Holm-adjusted over {n} {over}" if n > 1 else ""
    made = table_of(shown, columns, title, if_known=["gold"])
    marks = marks_in_words(made, first.a, first.b, for_paper=for_paper)
    notes = [" ".join([*marks, *([f"adj. p: {tests}{adjusted}."] if tests else [])])]
    notes += unadjusted_notes([one.pair for one in shown], level)
    notes += _notes(compared, groups[0].split, len(groups) - len(shown), for_paper=for_paper)
    return replace(made, notes=[note for note in notes if note])


def _systems_table(
    compared: Compared, groups: Groups, title: str, ranked: Sequence[str], *, details: bool, for_paper: bool
) -> Table:
    """A row for each group: the systems from the best, with a mark where they differ from it."""
    cells: dict[str, dict[str, str]] = {}
    sizes: dict[str, tuple[float, int | None]] = {}
    for one in groups:
        sizes[one.group] = -one.share, one.n_gold
        here = cells.setdefault(one.group, {})
        for name, value in ((one.pair.a, one.pair.value_a), (one.pair.b, one.pair.value_b)):
            is_against_best = name != ranked[0] and ranked[0] in (one.pair.a, one.pair.b)
            mark = SIGNIFICANT if is_against_best and verdict(one.pair, compared.level) == "different" else ""
            if mark or name not in here:
                here[name] = f"{one.pair.factor * value:.2f}{mark}"
    every = sorted(cells, key=lambda group: (sizes[group][0], group))
    chosen = sorted(every if details else every[:_MOST_GROUPS], key=lambda group: -(sizes[group][1] or 0))
    columns: list[Column[str]] = [
        (groups[0].split, lambda group: group or "(none)"),
        ("gold", lambda group: sizes[group][1]),
        *((name, lambda group, name=name: cells[group].get(name)) for name in ranked),
    ]
    adjusted = "" if compared.adjust == "none" else ", Holm-adjusted over groups"
    notes = [f"{SIGNIFICANT} significantly different from {ranked[0]}, the best overall{adjusted}."]
    notes += _notes(compared, groups[0].split, len(every) - len(chosen), for_paper=for_paper)
    return table_of(chosen, columns, title, notes, if_known=["gold"])


def _notes(compared: Compared, split: str, n_more: int, *, for_paper: bool) -> list[str]:
    """That no test can be made where a group is a single cluster; how many groups are not shown."""
    notes = []
    if split == compared.cluster and split in _SMALLER:
        instead = "" if for_paper else f": --cluster {_SMALLER[split]} tests within it"
        notes.append(f"A {split} is a single cluster, too few for a test{instead}.")
    more = f"{n_more} more groups are not shown." if for_paper else f"--details shows {n_more} more groups."
    return notes + ([more] if n_more else [])
