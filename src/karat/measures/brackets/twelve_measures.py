"""Twelve measures of a parser, and of the test itself, from the items [Hogenhout & Matsumoto 1996, §5, Table 3].

EMA and EMR, CEA and CER, SPA and SPR are the exact matches, crossing errors and spurious brackets that a person
accepted and rejected. Where no one looked, exact matches count as accepted, as the paper suggests, and what needs more
is not known.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from karat.corpus import PathLike, read_source
from karat.errors import DataError, Problem, shortened
from karat.result import Cell, Result, Table

SCHEMA, SEVERAL_SCHEMA = "karat/measures/1", "karat/parser-measures/1"
_MOST_BYTES = 1 << 20
_LARGEST = 10**15  # brackets
COUNTED_ITEMS = ("TTB", "TPB", "EM", "CE", "SP", "PINH", "PNINH", "TINH", "TNINH")
JUDGED_ITEMS = ("EMA", "EMR", "CEA", "CER", "SPA", "SPR")
_PARTS = {"EM": ("EMA", "EMR"), "CE": ("CEA", "CER"), "SP": ("SPA", "SPR")}


@dataclass(frozen=True, slots=True)
class ParserMeasure:
    """A measure as a ratio of sums of items."""

    name: str
    numerator: tuple[str, ...]
    denominator: tuple[str, ...]

    @property
    def calculation(self) -> str:
        return f"{_sum(self.numerator)}/{_sum(self.denominator)}"

    def value(self, items: Mapping[str, int]) -> float | None:
        """The value; None where an item is missing or the denominator is 0."""
        if any(item not in items for item in (*self.numerator, *self.denominator)):
            return None
        below = sum(items[item] for item in self.denominator)
        return sum(items[item] for item in self.numerator) / below if below else None


def _sum(items: tuple[str, ...]) -> str:
    return items[0] if len(items) == 1 else f"({'+'.join(items)})"


PARSER_MEASURES = (
    ParserMeasure("Generation Rate", ("TPB",), ("TTB",)),
    ParserMeasure("Recall-hard", ("EMA",), ("TTB",)),
    ParserMeasure("Recall-soft", ("EMA", "CEA", "SPA"), ("TTB",)),
    ParserMeasure("Precision-hard", ("EMA",), ("TPB",)),
    ParserMeasure("Precision-soft", ("EMA", "CEA", "SPA"), ("TPB",)),
    ParserMeasure("Spuriousness", ("SP",), ("TPB",)),
    ParserMeasure("Spurious Reject", ("SPR",), ("SPA", "SPR")),
    ParserMeasure("False Error", ("CEA",), ("CEA", "CER")),
    ParserMeasure("Test Noise", ("EMR", "CEA", "SPA", "SPR"), ("TPB",)),
    ParserMeasure("Problem Rate", ("EMR", "CEA", "SPR"), ("TPB",)),
    ParserMeasure("P-inheritance", ("PINH",), ("PINH", "PNINH")),
    ParserMeasure("T-inheritance", ("TINH",), ("TINH", "TNINH")),
)


def complete_items(items: Mapping[str, int]) -> dict[str, int]:
    """The items with those that follow from others: EM from EMA and EMR and so on; EMA = EM where no one looked."""
    found = dict(items)
    if "EM" in found and "EMA" not in found and "EMR" not in found:
        found["EMA"], found["EMR"] = found["EM"], 0
    for whole, (accepted, rejected) in _PARTS.items():
        if accepted in found and rejected in found:
            found.setdefault(whole, found[accepted] + found[rejected])
    if "EMA" in found and "EM" not in found:  # the paper's suggestion: exact matches were not looked at
        found["EMR"] = 0
        found["EM"] = found["EMA"]
    return found


def contradictions(items: Mapping[str, int]) -> list[str]:
    """What cannot be: parts that do not add up to their whole."""
    sums: list[tuple[str, tuple[str, ...]]] = [*_PARTS.items()]
    sums += [("TPB", ("EM", "CE", "SP")), ("CE", ("PINH", "PNINH")), ("EM", ("TINH", "TNINH"))]
    wrong = []
    for whole, parts in sums:
        if whole in items and all(part in items for part in parts):
            total = sum(items[part] for part in parts)
            if total != items[whole]:
                wrong.append(f"{' + '.join(parts)} is {total:,}, and {whole} is {items[whole]:,}")
    if items.get("EM", 0) > items.get("TTB", items.get("EM", 0)):
        wrong.append(f"EM is {items['EM']:,}, more than the {items['TTB']:,} brackets of the treebank (TTB)")
    return wrong


def misprint(items: Mapping[str, int]) -> str:
    """What the paper prints otherwise for its own items (Table 1 of both its systems); empty for others."""
    if items.get("TTB") != 11400 or items.get("TPB") not in (8671, 8771):
        return ""
    return (
        "the paper's Table 4 prints a Generation Rate of 71.5 % and 72.3 % for these items; by its own definition, "
        "TPB/TTB, it is 76.1 % and 76.9 % (the print would need some 12,130 treebank brackets, perhaps a count before "
        "preparation)"
    )


@dataclass(frozen=True, slots=True, repr=False)
class ParserMeasures(Result):
    """The measures by name, None where an item is missing; `notes` are what the paper prints otherwise."""

    values: Mapping[str, float | None]
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> float | None:
        return self.values[name]

    def to_dict(self) -> dict[str, Any]:
        """The measures as plain data, in the schema karat/measures/1."""
        return {"schema": SCHEMA, "measures": dict(self.values)}

    def records(self) -> Table:
        """One row for each measure."""
        return Table(["measure", "value"], [[name, value] for name, value in self.values.items()])

    def view(self) -> Table:
        """The measures in percent, each with its calculation."""
        calculations = {measure.name: measure.calculation for measure in PARSER_MEASURES}
        rows: list[list[Cell]] = [
            [name, calculations.get(name), None if value is None else f"{100 * value:.1f} %"]
            for name, value in self.values.items()
        ]
        is_missing = any(value is None for value in self.values.values())
        notes = ["–: items are missing, or the denominator is 0."] if is_missing else []
        return Table(["measure", "calculation", "value"], rows, "", notes)


@dataclass(frozen=True, slots=True, repr=False)
class ParserMeasureTable(Result):
    """The measures of several parsers, by the parsers' names, side by side."""

    parsers: Mapping[str, ParserMeasures]

    def __getitem__(self, name: str) -> ParserMeasures:
        return self.parsers[name]

    @property
    def notes(self) -> tuple[str, ...]:
        """What the paper prints otherwise, each once."""
        return tuple(dict.fromkeys(note for one in self.parsers.values() for note in one.notes))

    def to_dict(self) -> dict[str, Any]:
        """The measures of each parser as plain data, in the schema karat/parser-measures/1."""
        parsers = [{"name": name, "measures": dict(one.values)} for name, one in self.parsers.items()]
        return {"schema": SEVERAL_SCHEMA, "parsers": parsers}

    def records(self) -> Table:
        """One row for each parser and measure."""
        rows: list[list[Cell]] = [
            [name, measure, value] for name, one in self.parsers.items() for measure, value in one.values.items()
        ]
        return Table(["name", "measure", "value"], rows)

    def view(self) -> Table:
        """Measures in rows and parsers in columns, in percent: as the paper's Table 4."""
        rows: list[list[Cell]] = []
        for measure in PARSER_MEASURES:
            values = [one[measure.name] for one in self.parsers.values()]
            shown = [None if value is None else f"{100 * value:.1f}" for value in values]
            rows.append([measure.name, measure.calculation, *shown])
        is_missing = any(cell is None for row in rows for cell in row)
        notes = ["In %. To test whether differences are real, use karat compare on the trees."]
        notes += ["–: items are missing, or the denominator is 0."] if is_missing else []
        return Table(["measure", "calculation", *self.parsers], rows, "", notes, optional=("calculation",))


def parser_measure_table(parsers: Mapping[str, Mapping[str, int] | PathLike]) -> ParserMeasureTable:
    """The twelve measures of several parsers, each from its items or from a JSON file that has them.

    A `DataError` with the problems of all of them.
    """
    found: dict[str, ParserMeasures] = {}
    problems: list[Problem] = []
    for name, items in parsers.items():
        try:
            found[name] = parser_measures(items)
        except DataError as error:
            problems += error.problems
    if problems:
        raise DataError(problems)
    return ParserMeasureTable(found)


def parser_measures(items: Mapping[str, int] | PathLike) -> ParserMeasures:
    """The twelve measures from items, or from a JSON file that has them; None where an item is missing.

    A `DataError` for what are no items (K720, K721), and for items that cannot all be true (K722).

    >>> round(parser_measures({"TTB": 11400, "TPB": 8671, "EM": 6748})["Recall-hard"], 3)
    0.592
    """
    path = "<items>" if isinstance(items, Mapping) else "<stdin>" if items == "-" else os.fspath(items)
    items = _checked(items, path) if isinstance(items, Mapping) else items_from_file(items)
    complete = complete_items(items)
    if wrong := contradictions(complete):
        raise DataError([Problem("K722", f"these numbers cannot all be true: {one}", path) for one in wrong])
    values = {measure.name: measure.value(complete) for measure in PARSER_MEASURES}
    return ParserMeasures(values, tuple(filter(None, [misprint(items)])))


def items_from_file(path: PathLike) -> dict[str, int]:
    """The items in a JSON file, checked; `-` is standard input."""
    source = read_source(path)
    if source.size > _MOST_BYTES:
        raise DataError(Problem("K720", "too large for an object of items", source.path))
    try:
        data: Any = json.loads(source.text(0, source.size))
    except json.JSONDecodeError as error:
        problem = Problem("K720", f"not JSON: {error.msg}", source.path, error.lineno, error.colno)
        raise DataError(problem) from None
    except (ValueError, RecursionError):
        raise DataError(Problem("K720", "not an object of items", source.path)) from None
    return _checked(data, source.path)


def _checked(data: Any, path: str) -> dict[str, int]:
    known = (*COUNTED_ITEMS, *JUDGED_ITEMS)
    if not isinstance(data, Mapping) or not data:
        hint = f'write an object, as in {{"TTB": 11400, "TPB": 8671}}; items are {", ".join(known)}'
        raise DataError(Problem("K720", "not an object of items", path, hint=hint))
    problems = []
    for name, value in data.items():
        if name not in known:
            problems.append(Problem("K721", f"no item {name!r}", path, hint=f"items are {', '.join(known)}"))
        elif not isinstance(value, Integral) or isinstance(value, bool) or not 0 <= int(value) <= _LARGEST:
            problems.append(Problem("K721", f"{name} is {shortened(repr(value))}, not a number of brackets", path))
    if problems:
        raise DataError(problems)
    return dict(data)
