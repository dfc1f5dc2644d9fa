"""Where systems differ, as sentences and tables for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from karat.evaluation.comparison_results import Compared, GroupDifference
from karat.evaluation.plain_words import points, verdict
from karat.report.shown import difference_of, listed, p_cell, shown_interval
from karat.result import Best, Cell, Table

__all__ = ["group_tables", "group_verdicts"]

_MOST_NAMED = 5  # groups in a sentence
_MOST_GROUPS = 12  # rows of a table, without --details
_DIFFERENT = "†"
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
    wins = {name: [one for one in groups if _winner(one, level) == name] for name in (pair.a, pair.b)}
    left = [one for one in groups if not _winner(one, level)]
    few = [one for one in left if verdict(one.pair, level) == "too few"]
    if len(few) == len(groups):
        return f"too few {_CLUSTERS.get(pair.cluster or '', 'groups')} for a verdict on any group."
    if len(left) == len(groups):
        return f"no clear difference between {pair.a} and {pair.b} on any of {len(groups)} groups."
    better, worse = sorted(wins, key=lambda name: -sum(abs(one.contribution) for one in wins[name]))
    rest = f"; no clear difference on the other {len(left)}" if left else ""
    where = f"on {_named(wins[better], better)}, worse on {_named(wins[worse], better)}"
    return f"{better} is better than {worse} {where}{rest}."


def _winner(one: GroupDifference, level: float) -> str:
    """The system that is better on a group; empty where it is not known."""
    if verdict(one.pair, level) != "different":
        return ""
    return one.pair.b if one.pair.b_is_ahead else one.pair.a


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
    first = groups[0].pair
    shown = groups if details else groups[:_MOST_GROUPS]
    rows: list[list[Cell]] = []
    for one in shown:
        pair = one.pair
        winner = "" if pair.measured.is_neutral else _winner(one, compared.level)
        values = [(pair.a, pair.factor * pair.value_a), (pair.b, pair.factor * pair.value_b)]
        row: list[Cell] = [one.group or "(none)", one.n_gold]
        row += [Best(f"{value:.2f}") if winner == name else value for name, value in values]
        row += [points(pair.factor * pair.difference), shown_interval(pair.interval, signed=True, factor=pair.factor)]
        bound = pair.p_is_upper_bound and pair.p_adjusted == pair.p
        rows.append([*row, p_cell(pair.p_adjusted, bound)])
    columns = [
        groups[0].split,
        "gold",
        first.a,
        first.b,
        difference_of(first.a, first.b),
        f"{100 * compared.level:.10g} % CI",
        "adj. p",
    ]
    if all(row[1] is None for row in rows):
        columns, rows = [columns[0], *columns[2:]], [[row[0], *row[2:]] for row in rows]
    title = f"{first.measure} by {groups[0].split}: {first.a} and {first.b}"
    return Table(columns, rows, title, _notes(compared, groups, len(groups) - len(shown)))


def _systems_table(compared: Compared, split: str, measure: str, leader: Sequence[str], *, details: bool) -> Table:
    """A row for each group: the systems from the best, with a mark where they differ from it."""
    cells: dict[str, dict[str, Cell]] = {}
    sizes: dict[str, tuple[float, int | None]] = {}
    families = _of(compared, split, measure)
    for several in families.values():
        for one in several:
            sizes[one.group] = -one.share, one.n_gold
            here = cells.setdefault(one.group, {})
            for name, value in ((one.pair.a, one.pair.value_a), (one.pair.b, one.pair.value_b)):
                is_against_best = name != leader[0] and leader[0] in (one.pair.a, one.pair.b)
                mark = _DIFFERENT if is_against_best and verdict(one.pair, compared.level) == "different" else ""
                shown = f"{one.pair.factor * value:.2f}{mark}"
                if mark or name not in here:
                    here[name] = shown
    every = sorted(cells, key=lambda group: (sizes[group][0], group))
    chosen = every if details else every[:_MOST_GROUPS]
    rows: list[list[Cell]] = [
        [group or "(none)", sizes[group][1], *(cells[group].get(name) for name in leader)] for group in chosen
    ]
    columns = [split, "gold", *leader]
    if all(row[1] is None for row in rows):
        columns, rows = [split, *leader], [[row[0], *row[2:]] for row in rows]
    adjusted = "" if compared.adjust == "none" else ", Holm-adjusted over groups"
    notes = [f"{_DIFFERENT} significantly different from {leader[0]}, the best overall{adjusted}."]
    notes += _one_cluster_note(compared, split)
    n_more = len(every) - len(chosen)
    notes += [f"--details shows {n_more} more groups."] if n_more else []
    return Table(columns, rows, f"{measure} by {split}", notes)


def _notes(compared: Compared, groups: Sequence[GroupDifference], n_more: int) -> list[str]:
    """What p is adjusted for; that a group is one cluster; how many groups are not shown."""
    n = max(one.pair.n_compared for one in groups)
    notes = []
    if n > 1:
        over = "groups, pairs and measures" if compared.adjust == "holm-all" else "groups that differ"
        notes.append(f"adj. p: Holm-adjusted over {n} {over}.")
    notes += _one_cluster_note(compared, groups[0].split)
    return notes + ([f"--details shows {n_more} more groups."] if n_more else [])


def _one_cluster_note(compared: Compared, split: str) -> list[str]:
    """That no test can be made where a group is a cluster."""
    if split != compared.cluster or split not in _SMALLER:
        return []
    return [f"A {split} is a single cluster, too few for a test: --cluster {_SMALLER[split]} tests within it."]
