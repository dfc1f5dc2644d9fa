"""Twelve measures of a parser, and of the test itself, from the items [Hogenhout & Matsumoto 1996, §5, Table 3].

EMA and EMR, CEA and CER, SPA and SPR are the exact matches, crossing errors and spurious brackets that a person
accepted and rejected. Where no one looked, exact matches count as accepted, as the paper suggests, and what needs more
is not known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["COUNTED_ITEMS", "JUDGED_ITEMS", "PARSER_MEASURES", "ParserMeasure", "complete_items", "contradictions"]
__all__ += ["misprint", "parser_measures"]

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


def parser_measures(items: Mapping[str, int]) -> dict[str, float | None]:
    """The twelve measures from items; None where an item is missing.

    >>> round(parser_measures({"TTB": 11400, "TPB": 8671, "EM": 6748})["Recall-hard"], 3)
    0.592
    """
    complete = complete_items(items)
    return {measure.name: measure.value(complete) for measure in PARSER_MEASURES}
