"""The measures by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from karat.errors import UsageError
from karat.measures.measure import AlignedMeasure, Measure
from karat.measures.words.dependencies import BLEX, CLAS, LAS, MLAS, UAS, Deprels, FullLAS
from karat.measures.words.enhanced import ELAS, EULAS
from karat.measures.words.exact_match import ExactMatch
from karat.measures.words.segmentation import Sentences, Tokens, Words
from karat.measures.words.tags import UPOS, XPOS, AllTags, Feats, Lemmas, UFeats

__all__ = ["CONLL18", "EVERY_MEASURE", "measures_named"]


_M = TypeVar("_M", bound=Measure)


def _by_name(*measures: AlignedMeasure) -> Mapping[str, AlignedMeasure]:
    return {measure.name: measure for measure in measures}


EVERY_MEASURE = _by_name(
    Tokens(), Sentences(), Words(), UPOS(), XPOS(), UFeats(), Feats(), AllTags(), Lemmas(), UAS(), LAS(), FullLAS(),
    Deprels(), CLAS(), MLAS(), BLEX(), ELAS(), EULAS(), ExactMatch(UPOS()), ExactMatch(UAS()), ExactMatch(LAS()),
)  # fmt: skip

CONLL18 = _by_name(
    Tokens(), Sentences(), Words(), UPOS(), XPOS(), UFeats(), AllTags(), Lemmas(), UAS(), LAS(), CLAS(), MLAS(), BLEX(),
    ELAS(official=True), EULAS(official=True),
)  # fmt: skip


def measures_named(names: Iterable[str], catalogue: Mapping[str, _M]) -> list[_M]:
    """The measures of these names, upper or lower case, each once, in the order given."""
    by_lower_name = {name.lower(): measure for name, measure in catalogue.items()}
    found: dict[str, _M] = {}
    for name in names:
        measure = by_lower_name.get(name.strip().lower())
        if measure is None:
            raise UsageError(f"no measure {name!r}; there are {', '.join(catalogue)}")
        found[measure.name] = measure
    return list(found.values())
