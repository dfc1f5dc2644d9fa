"""All measures by name: those of words, and what each family has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from karat.entry_points import every, named
from karat.errors import DataError, Problem, UsageError
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
    """All measures, with what they are measures of, what is compared, and who defined them.

    Those of other packages come last; `unusable` are plug-ins that are none, and why.
    """

    measures: tuple[Measure, ...]
    unusable: tuple[Problem, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The measures as plain data, in the schema karat/measure-list/1."""
        return {
            "schema": "karat/measure-list/1",
            "measures": [self._row(one) for one in self.measures],
            "unusable": [str(one) for one in self.unusable],
        }

    def _row(self, one: Measure) -> dict[str, Any]:
        return {
            "name": one.name,
            "family": one.family,
            "definition": one.what,
            "source": one.source,
            "unit": one.unit,
            "lower_is_better": one.lower_is_better,
            "package": _package(one),
        }

    def records(self) -> Table:
        """One row for each measure."""
        rows = [list(self._row(one).values()) for one in self.measures]
        return Table(list(self._row(self.measures[0])), rows)

    def view(self) -> Table:
        """The measures as people read them."""
        rows: list[list[Cell]] = [
            [one.name, one.what, ", ".join(dict.fromkeys(filter(None, [one.source, _package(one)])))]
            for one in self.measures
        ]
        return Table(["measure", "what is compared", "source"], rows)

    def tables(self) -> list[Table]:
        """A table for each family."""
        families = dict.fromkeys(one.family for one in self.measures)
        return [
            replace(MeasureList(tuple(one for one in self.measures if one.family == family)).view(), title=family)
            for family in families
        ]


def _package(one: Measure) -> str | None:
    """The package that a measure comes from, if it is not karat."""
    return None if one.plugin is None else one.plugin.shown


def list_measures() -> MeasureList:
    """All measures that there are: karat's, then those of other packages."""
    added, unusable = every_plugin_measure()
    return MeasureList((*every_measure(), *added.values()), tuple(unusable))


def every_plugin_measure() -> tuple[dict[str, AlignedMeasure], list[Problem]]:
    """The measures of other packages by name, and why others of theirs cannot be used."""
    from karat.measures.plugin_measures import plugin_measure  # which the plain path does without

    added: dict[str, AlignedMeasure] = {}
    plugins, unusable = every("measure", _names)
    for one in plugins:
        try:
            added[one.name] = plugin_measure(one)
        except DataError as error:
            unusable += error.problems
    return added, unusable


def _names() -> set[str]:
    """The names of karat's own measures in lower case."""
    return {one.name.lower() for one in every_measure()}


def plugin_measure_named(name: str) -> AlignedMeasure | None:
    """The measure of this name of another package; a `DataError` if it cannot be used."""
    plugin = named("measure", name, _names)
    if plugin is None:
        return None
    from karat.measures.plugin_measures import plugin_measure

    return plugin_measure(plugin)


def with_plugins(names: Iterable[str], catalogue: Mapping[str, AlignedMeasure]) -> Mapping[str, AlignedMeasure]:
    """The catalogue, and those of other packages' measures that are named and not in it."""
    known = {"all", *(name.lower() for name in catalogue)}
    added = [plugin_measure_named(name) for name in names if name.strip().lower() not in known]
    return {**catalogue, **{one.name: one for one in added if one is not None}} if added else catalogue


def word_measure(name: str) -> AlignedMeasure | None:
    """The measure of words of exactly this name, karat's or another package's; None if there is none."""
    return EVERY_MEASURE.get(name) or plugin_measure_named(name)


def word_measures(names: Iterable[str]) -> list[AlignedMeasure]:
    """The measures of words of these names, karat's or other packages'; a `UsageError` if there is none."""
    wanted = tuple(names)
    return measures_named(wanted, with_plugins(wanted, EVERY_MEASURE))


def check_known(name: str) -> None:
    """A `UsageError` if there is no measure of this name in any family."""
    if name.strip().lower() not in _names() and plugin_measure_named(name) is None:
        meant = _meant(name, [one.name for one in every_measure()])
        raise UsageError(f"unknown measure {name!r}{meant}; karat measures lists them all")


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
            raise UsageError(f"unknown measure {name!r}{_meant(key, catalogue)}; choose from {', '.join(catalogue)}")
        found[measure.name] = measure
    return list(found.values())


def _meant(name: str, known: Iterable[str]) -> str:
    """The known name that one which is not known may stand for, as a question; nothing if none is near."""
    from difflib import get_close_matches

    by_lower_name = {one.lower(): one for one in known}
    found = get_close_matches(name.strip().lower(), list(by_lower_name), n=1, cutoff=0.7)
    return f" (did you mean {by_lower_name[found[0]]}?)" if found else ""
