"""The parser measures as a table and as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from karat.measures.brackets.twelve_measures import PARSER_MEASURES
from karat.result import Table

__all__ = ["measures_json", "measures_records", "measures_table"]

SCHEMA = "karat/measures/1"


def measures_table(values: Mapping[str, float | None]) -> Table:
    """The measures in percent, each with its calculation."""
    rows = []
    for measure in PARSER_MEASURES:
        value = values[measure.name]
        rows.append([measure.name, measure.calculation, None if value is None else f"{100 * value:.1f} %"])
    missing = any(value is None for value in values.values())
    notes = ["–: items are missing, or there is nothing to divide by."] if missing else []
    return Table(["measure", "calculation", "value"], rows, "", notes)


def measures_records(values: Mapping[str, float | None]) -> Table:
    """One row a measure: plain numbers for programs."""
    return Table(["measure", "value"], [[name, value] for name, value in values.items()])


def measures_json(values: Mapping[str, float | None]) -> dict[str, Any]:
    """The measures as plain data, in the schema karat/measures/1."""
    return {"schema": SCHEMA, "measures": dict(values)}
