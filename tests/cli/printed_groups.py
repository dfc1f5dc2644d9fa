"""What is printed of groups, held to the JSON: systems side by side, and pairs by group."""

from __future__ import annotations

from typing import Any

from printed_tables import Printed, factor, is_p, shows, with_first

__all__ = ["check_groups", "check_side_by_side"]


def check_side_by_side(systems: Any, tables: list[Printed]) -> None:
    """Several systems by group: a table for each measure, with a column for each system."""
    names = [system["name"] for system in systems]
    for split in systems[0].get("by", {}):
        shown = [table for table in with_first(tables, split) if set(names) <= set(table.columns)]
        measures = dict.fromkeys(name for system in systems for of in system["by"][split].values() for name in of)
        assert shown, split
        for table in shown:
            assert any(is_by_group(table, measure, systems, split) for measure in measures), (split, table.columns)


def is_by_group(table: Printed, measure: str, systems: Any, split: str) -> bool:
    """Whether a table has the values of this measure."""
    for row in table.rows:
        cells = dict(zip(table.columns, row, strict=True))
        for system in systems:
            one = system["by"][split].get(row[0].replace("(none)", ""), {}).get(measure)
            if not shows(cells[system["name"]], one and one["value"], factor=factor(measure)):
                return False
    return True


def check_groups(data: Any, tables: list[Printed]) -> None:
    """Pairs by group: tables of one pair and one measure, or of all systems by one measure."""
    systems = {pair[side] for pair in data["pairs"] for side in "ab"}
    for split, groups in data.get("by", {}).items():
        shown = with_first(tables, split)
        families = {(one["measure"], one["a"], one["b"]) for one in groups}
        assert len(shown) >= len({measure for measure, _, _ in families}), split
        for table in shown:
            assert any(
                is_of_pair(table, [one for one in groups if (one["measure"], one["a"], one["b"]) == family])
                for family in families
            ) or (
                systems <= set(table.columns)
                and any(
                    is_of_systems(table, [one for one in groups if one["measure"] == name]) for name, _, _ in families
                )
            ), (split, table.columns)


def is_of_pair(table: Printed, groups: list[dict[str, Any]]) -> bool:
    """Whether a table has the first of these groups of a pair: values, difference, interval and adjusted p.

    The largest in the gold come first.
    """
    a, b, its = groups[0]["a"], groups[0]["b"], factor(groups[0]["measure"])
    if not {a, b, "adj. p"} <= set(table.columns) or len(table.rows) > len(groups):
        return False
    shown = sorted(groups[: len(table.rows)], key=lambda one: -(one["gold"] or 0))
    for row, one in zip(table.rows, shown, strict=True):
        cells = [cell.replace("$-$", "-").replace("−", "-") for cell in row]
        *values, difference, interval, p = cells[table.columns.index(a) :]
        if row[0] != (one["group"] or "(none)") or not is_p(p, one["p_adjusted"]):
            return False
        if not all(
            shows(cell, one[name], factor=its) for cell, name in zip(values, ("value_a", "value_b"), strict=True)
        ):
            return False
        if not shows(difference, one["difference"], factor=its):
            return False
        if not shows(interval, one["lower"], one["upper"], factor=its):
            return False
    return True


def is_of_systems(table: Printed, groups: list[dict[str, Any]]) -> bool:
    """Whether a table has the values of all systems on these groups."""
    values = {(one["group"], one[side]): one[f"value_{side}"] for one in groups for side in "ab"}
    its = factor(groups[0]["measure"])
    return all(
        shows(cell, values.get((row[0].replace("(none)", ""), name)), factor=its)
        for row in table.rows
        for name, cell in zip(table.columns, row, strict=True)
        if name in {system for _, system in values}
    )
