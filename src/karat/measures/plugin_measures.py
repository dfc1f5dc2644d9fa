"""Measures of other packages: what they say of themselves and what they count is checked, whatever asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args

import numpy as np

from karat._arrays import Floats
from karat.entry_points import Plugin
from karat.errors import UsageError
from karat.measures.measure import (
    FIELDS,
    STATISTICS,
    AlignedMeasure,
    Bounds,
    GoldUnits,
    HarmonicMean,
    Outcome,
    Places,
    Ratio,
    Statistic,
    WordMeasure,
)
from karat.measures.words.comparison import Comparison

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
_SAID = "name family what source fields value statistics extras has_parts shown_parts has_aligned bounds unit".split()
_SAID += "lower_is_better is_neutral needs of_words settles".split()
_NOT_IN_NAMES = set(",|:=")  # what separates names on the command line and in signatures
_ROUNDING = 1e-9


class PluginMeasure(AlignedMeasure):
    """A measure of another package, whose counts and units are checked.

    Whatever it raises, and counts that cannot be right, are a `DataError` that names the package (K973, K974).
    """

    plugin: Plugin

    def __init__(self, of: AlignedMeasure, plugin: Plugin) -> None:
        self.of, self.plugin = of, plugin
        for name in _SAID:
            setattr(self, name, getattr(of, name))
        self.value = _checked_statistic(of.value, plugin)
        self.statistics = {name: _checked_statistic(one, plugin) for name, one in of.statistics.items()}
        self.extras = {name: _checked_statistic(one, plugin) for name, one in of.extras.items()}
        if of.source == AlignedMeasure.source:  # the default, which is not about this one
            self.source = plugin.package

    def counts(self, comparison: Comparison) -> Floats:
        with self.plugin.calling():
            found = self._checked(self._counts(comparison), comparison.n_rows)
        self._check_values(found.sum(axis=0))
        return found

    def _counts(self, comparison: Comparison) -> Floats:
        return self.of.counts(comparison)

    def grouped(self, comparison: Comparison, places: Places) -> Floats | None:
        with self.plugin.calling():
            found = self._grouped(comparison, places)
            return None if found is None else self._checked(found, places.n)

    def _grouped(self, comparison: Comparison, places: Places) -> Floats | None:
        return self.of.grouped(comparison, places)

    def gold_units(self, comparison: Comparison) -> GoldUnits | None:
        with self.plugin.calling():
            found = self._gold_units(comparison)
            if found is not None:
                self._check_units(found, comparison)
            return found

    def _gold_units(self, comparison: Comparison) -> GoldUnits | None:
        return self.of.gold_units(comparison)

    def notes(self, comparison: Comparison) -> list[str]:
        with self.plugin.calling():
            return [str(one) for one in self.of.notes(comparison)]

    def beyond_counts(self, comparison: Comparison) -> Mapping[str, float]:
        with self.plugin.calling():
            found = {str(name): float(one) for name, one in self.of.beyond_counts(comparison).items()}
        if not np.isfinite(list(found.values())).all():
            raise self._unusable("has further values that are not finite numbers")
        return found

    def sizes(self, counts: Floats) -> Floats:
        with self.plugin.calling():
            return self.value.sizes(counts)

    def is_defined(self, counts: Floats) -> bool:
        with self.plugin.calling():
            return bool(self.of.is_defined(counts))

    def shows_extra(self, name: str, extra: float, value: float) -> bool:
        with self.plugin.calling():
            return bool(self.of.shows_extra(name, extra, value))

    def _unusable(self, what: str) -> Exception:
        return self.plugin.refusal("K974", what, f"report this to the authors of {self.plugin.package}")

    def _checked(self, counts: Any, n_rows: int) -> Floats:
        """Counts as they must be: one row for each sentence or group, one column for each field, none below 0."""
        found = np.asarray(counts)
        if found.shape != (n_rows, len(self.fields)):
            expected = f"({n_rows}, {len(self.fields)})"
            raise self._unusable(f"returns counts of shape {found.shape}; expected {expected}")
        if found.dtype.kind not in "biuf" or not np.isfinite(found).all():
            raise self._unusable("returns counts that are not finite numbers")
        if (found < 0).any():
            raise self._unusable("returns counts below 0")
        return found.astype(np.float64)

    def _check_values(self, counts: Floats) -> None:
        """Refuse a value outside of its bounds."""
        parts = self.statistics.items() if self.has_parts else ()
        for name, value in [("value", self.value), *parts]:
            found = float(value(counts))
            bounds: Bounds = self.bounds if name == "value" else "share"
            low, high = (-np.inf if bounds == "at most 1" else 0.0), (np.inf if bounds == "positive" else 1.0)
            if not low - _ROUNDING <= found <= high + _ROUNDING:
                shown = {"share": "from 0 to 1", "positive": "at least 0", "at most 1": "at most 1"}[bounds]
                raise self._unusable(f"has the {name} {found:.6g}, which is not {shown}")

    def _check_units(self, units: GoldUnits, comparison: Comparison) -> None:
        n, n_words = len(units.rows), comparison.gold.n_words
        are_rows = n == 0 or (units.rows.min() >= 0 and units.rows.max() < comparison.n_rows)
        words = units.words
        are_words = words is None or (len(words) == n and (n == 0 or (words.min() >= 0 and words.max() < n_words)))
        if len(units.right) != n or not are_rows or not are_words:
            raise self._unusable("returns units that do not fit the gold")


class PluginWordMeasure(PluginMeasure, WordMeasure):  # type: ignore[misc]  # which never has None for units
    """A measure of words of another package, which says what is right word by word."""

    of: WordMeasure

    def outcome(self, comparison: Comparison) -> Outcome:
        found = self.of.outcome(comparison)
        expected = len(comparison.alignment.gold_words), comparison.gold.n_words, comparison.system.n_words
        names = "right", "gold", "system"
        for name, flags, n in zip(names, (found.right, found.gold, found.system), expected, strict=True):
            if flags is None and name != "right":
                continue
            if (array := np.asarray(flags)).shape != (n,) or array.dtype != np.bool_:
                raise self._unusable(f"returns an Outcome whose '{name}' is not an array of {n} truth values")
        return found

    def _counts(self, comparison: Comparison) -> Floats:
        return WordMeasure.counts(self, comparison)

    def _grouped(self, comparison: Comparison, places: Places) -> Floats:
        return WordMeasure.grouped(self, comparison, places)

    def _gold_units(self, comparison: Comparison) -> GoldUnits:
        return WordMeasure.gold_units(self, comparison)


@dataclass(frozen=True, slots=True)
class CheckedStatistic:
    """A plug-in's own value from summed counts, which must be a finite number for each sum."""

    of: Statistic
    plugin: Plugin

    @property
    def name(self) -> str:
        return self.of.name

    @property
    def title(self) -> str:
        return self.of.title

    @property
    def what(self) -> str:
        return self.of.what

    @property
    def fields(self) -> tuple[int, ...]:
        return self.of.fields

    def __call__(self, counts: Floats) -> Floats:
        with self.plugin.calling():
            return self._checked("value", self.of(counts), counts.shape[:-1])

    def slopes(self, counts: Floats) -> Floats:
        with self.plugin.calling():
            return self._checked("slopes", self.of.slopes(counts), counts.shape)

    def sizes(self, counts: Floats) -> Floats:
        with self.plugin.calling():
            return self._checked("sizes", self.of.sizes(counts), counts.shape[:-1])

    def _checked(self, what: str, values: Any, shape: tuple[int, ...]) -> Floats:
        found = np.asarray(values, dtype=np.float64)
        if found.shape != shape or not np.isfinite(found).all():
            raise self.plugin.refusal(
                "K974",
                f"returns {what} of shape {found.shape}, or not finite; expected finite numbers of shape {shape}",
                f"report this to the authors of {self.plugin.package}",
            )
        return found


def _checked_statistic(one: Statistic, plugin: Plugin) -> Statistic:
    return one if isinstance(one, (Ratio, HarmonicMean)) else CheckedStatistic(one, plugin)


@cache
def plugin_measure(plugin: Plugin) -> PluginMeasure:
    """The measure that a plug-in is; a `DataError` if it cannot be imported or is none."""
    given = plugin.loaded()
    with plugin.calling():
        of = given() if isinstance(given, type) and issubclass(given, AlignedMeasure) else given
    if not isinstance(of, AlignedMeasure):
        raise plugin.refusal("K971", "is not a WordMeasure or AlignedMeasure")
    try:
        check_description(of)
    except UsageError as error:
        raise plugin.refusal("K971", f"cannot be used: {error}") from error
    if of.name != plugin.name:
        raise plugin.refusal("K971", f"calls itself {of.name!r}: its 'name' must be that of the entry point")
    return wrapped(of, plugin)


def wrapped(of: AlignedMeasure, plugin: Plugin) -> PluginMeasure:
    """A measure whose counts are checked."""
    is_plain = isinstance(of, WordMeasure) and all(
        getattr(type(of), name) is getattr(WordMeasure, name) for name in ("counts", "grouped", "gold_units")
    )
    return (PluginWordMeasure if is_plain else PluginMeasure)(of, plugin)


def check_description(of: AlignedMeasure) -> None:
    """A `UsageError` where what a measure says of itself cannot be."""
    name = getattr(of, "name", None)
    if not isinstance(name, str) or not name.strip() or not name.isprintable() or name.lower() == "all":
        raise UsageError(f"its name is {name!r}")
    if _NOT_IN_NAMES & set(name) or name != name.strip():
        raise UsageError(
            f"its name {name!r} has one of {' '.join(sorted(_NOT_IN_NAMES))}, or starts or ends with a blank"
        )
    for what in ("what", "source", "family", "unit"):
        if not isinstance(getattr(of, what), str):
            raise UsageError(f"its '{what}' is not a text")
    if not of.what:
        raise UsageError("its 'what' is empty: say what is compared, in a few words")
    for what in ("needs", "settles"):
        if not isinstance(getattr(of, what), tuple):
            raise UsageError(f"its '{what}' is not a tuple of names")
    if unknown := [one for one in of.needs if one not in COLUMNS]:
        raise UsageError(f"it needs a column {unknown[0]!r}; there are {', '.join(COLUMNS)}")
    if of.bounds not in get_args(Bounds):
        raise UsageError(f"its 'bounds' are {of.bounds!r}; choose from {', '.join(get_args(Bounds))}")
    if of.has_parts and (tuple(of.fields) != FIELDS or not {*STATISTICS} <= {*of.statistics}):
        raise UsageError("it has parts, so it must keep the default fields and statistics")
    parts = of.statistics.values() if of.has_parts else ()
    for one in (of.value, *parts, *of.extras.values()):
        if not all(0 <= field < len(of.fields) for field in one.fields):
            raise UsageError(f"its statistic {one.name} uses fields that it does not have")
