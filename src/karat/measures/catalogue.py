"""All measures by name: those of words, and what each family has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from karat.errors import UsageError
from karat.measures.measure import AlignedMeasure, Measure
from karat.measures.words.dependencies import (
    BLEX,
    CLAS,
    LAS,
    MLAS,
    UAS,
    Deprels,
    FullLAS,
    LASWithoutPunctuation,
    UASWithoutPunctuation,
)
from karat.measures.words.enhanced import ELAS, EULAS
from karat.measures.words.exact_match import ExactMatch
from karat.measures.words.segmentation import Sentences, Tokens, Words
from karat.measures.words.tags import UPOS, XPOS, AllTags, Feats, Lemmas, UFeats
from karat.result import Cell, Result, Table

_M = TypeVar("_M", bound=Measure)


def _by_name(*measures: AlignedMeasure) -> Mapping[str, AlignedMeasure]:
    return {measure.name: measure for measure in measures}


EVERY_MEASURE = _by_name(
    Tokens(), Sentences(), Words(), UPOS(), XPOS(), UFeats(), Feats(), AllTags(), Lemmas(), UAS(), LAS(), FullLAS(),
    Deprels(), UASWithoutPunctuation(), LASWithoutPunctuation(), CLAS(), MLAS(), BLEX(), ELAS(), EULAS(),
    ExactMatch(UPOS()), ExactMatch(UAS()), ExactMatch(LAS()),
)  # fmt: skip

CONLL18 = _by_name(
    Tokens(), Sentences(), Words(), UPOS(), XPOS(), UFeats(), AllTags(), Lemmas(), UAS(), LAS(), CLAS(), MLAS(), BLEX(),
    ELAS(official=True), EULAS(official=True),
)  # fmt: skip


def every_measure() -> list[Measure]:
    """The measures of all families: words, error rates, rich tags, tags in a hierarchy, brackets, agreement."""
    from karat.measures.agreement import AGREEMENT_MEASURES
    from karat.measures.brackets.bracket_measures import BRACKET_MEASURES
    from karat.measures.hierarchical.scores import hierarchical_scores
    from karat.measures.positional.options import TagOptions
    from karat.measures.positional.rich_tags import RichTags
    from karat.measures.words.error_rates import error_rates

    found: list[Measure] = [*EVERY_MEASURE.values(), *error_rates(), *RichTags(TagOptions("nkjp")).measures().values()]
    return [*found, *hierarchical_scores().values(), *BRACKET_MEASURES.values(), *AGREEMENT_MEASURES]


@dataclass(frozen=True, slots=True, repr=False)
class MeasureList(Result):
    """All measures, with what they are measures of, what is compared, and who defined them."""

    measures: tuple[Measure, ...]

    def to_dict(self) -> dict[str, Any]:
        """The measures as plain data, in the schema karat/measure-list/1."""
        return {"schema": "karat/measure-list/1", "measures": [self._row(one) for one in self.measures]}

    def _row(self, one: Measure) -> dict[str, Any]:
        return {
            "name": one.name,
            "family": one.family,
            "definition": one.what,
            "source": one.source,
            "unit": one.unit,
            "lower_is_better": one.lower_is_better,
        }

    def records(self) -> Table:
        """One row for each measure."""
        rows = [list(self._row(one).values()) for one in self.measures]
        return Table(list(self._row(self.measures[0])), rows)

    def view(self) -> Table:
        """The measures as people read them."""
        rows: list[list[Cell]] = [[one.name, one.what, one.source] for one in self.measures]
        return Table(["measure", "what is compared", "source"], rows)

    def tables(self) -> list[Table]:
        """A table for each family."""
        families = dict.fromkeys(one.family for one in self.measures)
        return [
            replace(MeasureList(tuple(one for one in self.measures if one.family == family)).view(), title=family)
            for family in families
        ]


def list_measures() -> MeasureList:
    """All measures that karat has."""
    return MeasureList(tuple(every_measure()))


def check_known(name: str) -> None:
    """A `UsageError` if there is no measure of this name in any family."""
    if name.strip().lower() not in {one.name.lower() for one in every_measure()}:
        raise UsageError(f"unknown measure {name!r}; karat measures lists them all")


def measures_named(names: Iterable[str], catalogue: Mapping[str, _M]) -> list[_M]:
    """The measures of these names, upper or lower case, each once, in the order given; "all" is all of them."""
    by_lower_name = {name.lower(): measure for name, measure in catalogue.items()}
    found: dict[str, _M] = {}
    for name in names:
        key = name.strip().lower()
        if key == "all":
            return list(catalogue.values())
        measure = by_lower_name.get(key)
        if measure is None:
            raise UsageError(f"unknown measure {name!r}; choose from {', '.join(catalogue)}")
        found[measure.name] = measure
    return list(found.values())
