"""What scoring of trees says beyond measures: items, crossings, what verdicts leave open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from karat._arrays import Floats
from karat.evaluation.beside_evalb import BesideEvalb
from karat.evaluation.results import BoundedScore, MeasureScore
from karat.measures.brackets.checked_strata import CheckedStratum
from karat.measures.brackets.options import BracketOptions
from karat.measures.brackets.twelve_measures import COUNTED_ITEMS, JUDGED_ITEMS
from karat.result import attributes, plain


@dataclass(frozen=True, slots=True, eq=False)
class BracketDetails:
    """What scoring of trees says beyond measures.

    `items` are those of Hogenhout & Matsumoto 1996, `open_items` those that verdicts leave open, with the smallest and
    the largest number; `bounded` the measures that follow from them. `crossings` has the number of parsed sentences
    with 0, 1, 2 and more crossing brackets, `n_missing` that of missing parses, `up_to_cutoff` the measures on the
    sentences up to the cutoff. `items_by_label` is there where it was asked for. `values` are all counts of
    each gold sentence in the test. `undefined` are the measures that have nothing to divide by. Where people judged a
    sample, what follows from their verdicts `is_estimate`, and `strata` are what it was drawn from.
    `n_punctuation` is the number of gold words that were
    dropped as punctuation; if none was, `n_unmarked` is that of words that look like it. `options` say how brackets
    were prepared, `punctuation` how a signature names what counts as such; `order` is that of all measures asked for.
    `beside_evalb` is what EVALB would give, where its figure has one beside it.
    """

    options: BracketOptions
    punctuation: str
    order: tuple[str, ...]
    items: Mapping[str, float]
    open_items: Mapping[str, tuple[float, float]]
    bounded: Mapping[str, BoundedScore]
    crossings: Mapping[str, int]
    n_missing: int
    n_up_to_cutoff: int
    up_to_cutoff: Mapping[str, MeasureScore]
    items_by_label: Mapping[str, Mapping[str, int]]
    values: Mapping[str, Floats]
    undefined: tuple[str, ...] = ()
    is_estimate: bool = False
    strata: tuple[CheckedStratum, ...] = ()
    n_punctuation: int = 0
    n_unmarked: int = 0
    beside_evalb: BesideEvalb | None = None

    def to_dict(self) -> dict[str, Any]:
        """The details as plain data."""
        found: dict[str, Any] = {
            "items": {
                name: None if name in self.open_items else whole(self.items[name])
                for name in (*COUNTED_ITEMS, *JUDGED_ITEMS)
                if name in self.items or name in self.open_items
            },
            "crossings": plain(self.crossings),
            "missing_parses": self.n_missing,
            "up_to_cutoff": {
                "cutoff": self.options.cutoff,
                "sentences": self.n_up_to_cutoff,
                "measures": plain(self.up_to_cutoff),
            },
        }
        if self.open_items:
            found["open_items"] = {
                name: {"least": whole(least), "most": whole(most)} for name, (least, most) in self.open_items.items()
            }
        found |= attributes(self, "beside_evalb") if self.beside_evalb else {}
        return found | ({"items_by": {"label": plain(self.items_by_label)}} if self.items_by_label else {})


def whole(number: float) -> int | float:
    """A number of brackets: an int where it is one, as it is but for the estimates of a sample."""
    return int(number) if float(number).is_integer() else number
