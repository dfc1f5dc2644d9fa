"""What is to be known of a measure to show it, by its name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from karat.errors import DataError
from karat.measures.measure import Measure


@dataclass(frozen=True, slots=True)
class MeasureFacts:
    """What a measure compares, what it is measured in and which way is better."""

    name: str
    what: str = ""
    unit: str = "%"
    lower_is_better: bool = False
    is_neutral: bool = False
    family: str = ""
    is_f1: bool = False

    @property
    def factor(self) -> int:
        return 100 if self.unit == "%" else 1


def facts_of(name: str) -> MeasureFacts:
    """The facts of a measure; of one that is not known here, that it is a share."""
    known = _catalogue().get(name) or _of_plugin(name)
    if known is None:
        return MeasureFacts(name)
    return MeasureFacts(
        name, known.what, known.unit, known.lower_is_better, known.is_neutral, known.family, known.value.name == "f1"
    )


@cache
def _catalogue() -> dict[str, Measure]:
    from karat.measures.catalogue import every_measure

    return {one.name: one for one in every_measure()}


def _of_plugin(name: str) -> Measure | None:
    """The measure of another package, where that is installed here and can be used."""
    from karat.measures.catalogue import plugin_measure_named

    try:
        return plugin_measure_named(name)
    except DataError:  # a page shows what it can
        return None
