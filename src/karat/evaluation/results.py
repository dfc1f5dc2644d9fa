"""What `karat.score` returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import karat
from karat._arrays import Floats
from karat.corpus import Annotated, Source
from karat.errors import Problem
from karat.inference.intervals import Interval
from karat.measures import GoldUnits, Measure
from karat.measures.measure import ALIGNED, CORRECT, GOLD, SYSTEM
from karat.measures.words.confusion import Confusions
from karat.signature import signature

if TYPE_CHECKING:
    from karat.measures.hierarchical.options import Instances
    from karat.measures.positional.errors import TagErrorCount

__all__ = ["BoundedScore", "BracketDetails", "MeasureScore", "Parts", "Scores", "Skipped", "SystemScores"]


@dataclass(frozen=True, slots=True)
class Parts:
    """The units that a measure counts, and the shares of them; without aligned units the last two are None."""

    gold: int
    system: int
    correct: float
    precision: float
    recall: float
    f1: float
    aligned: int | None
    aligned_accuracy: float | None


@dataclass(frozen=True, slots=True)
class MeasureScore:
    """One measure's value, and what it was computed from; of measures of words `value` is F1.

    `parts` is None where the measure is a plain ratio, which has no precision and recall; asking for them is then an
    AttributeError. `interval` says how sure we are of the value; None where no interval was asked for. `extras` are
    further values that some measures have, by name.
    """

    name: str
    value: float
    parts: Parts | None
    interval: Interval | None = None
    extras: Mapping[str, float] = field(default_factory=dict)

    @property
    def _parts(self) -> Parts:
        if self.parts is None:
            raise AttributeError(f"{self.name} is a plain ratio: it has a value only")
        return self.parts

    @property
    def gold(self) -> int:
        return self._parts.gold

    @property
    def system(self) -> int:
        return self._parts.system

    @property
    def correct(self) -> float:
        return self._parts.correct

    @property
    def precision(self) -> float:
        return self._parts.precision

    @property
    def recall(self) -> float:
        return self._parts.recall

    @property
    def f1(self) -> float:
        return self._parts.f1

    @property
    def aligned(self) -> int | None:
        return self._parts.aligned

    @property
    def aligned_accuracy(self) -> float | None:
        return self._parts.aligned_accuracy

    @property
    def lower(self) -> float | None:
        return self.interval.lower if self.interval else None

    @property
    def upper(self) -> float | None:
        return self.interval.upper if self.interval else None

    @classmethod
    def from_counts(cls, measure: Measure, counts: Floats, said: Mapping[str, float] | None = None) -> MeasureScore:
        """The score from summed counts; `said` is what does not follow from them."""
        value = float(measure.value(counts))
        extras = {name: float(statistic(counts)) for name, statistic in measure.extras.items()} | dict(said or {})
        if not measure.has_parts:
            return cls(measure.name, value, None, extras=extras)
        gold, system, aligned = (round(float(counts[field])) for field in (GOLD, SYSTEM, ALIGNED))
        correct = float(counts[CORRECT])
        values = {name: float(statistic(counts)) for name, statistic in measure.statistics.items()}
        parts = Parts(
            gold,
            system,
            int(correct) if correct.is_integer() else correct,
            values["precision"],
            values["recall"],
            values["f1"],
            aligned if measure.has_aligned else None,
            values["aligned_accuracy"] if measure.has_aligned else None,
        )
        return cls(measure.name, value, parts, extras=extras)


@dataclass(frozen=True, slots=True)
class BoundedScore:
    """A measure that people's verdicts leave open: between `least` and `most`; intervals are those of the two."""

    name: str
    least: float
    most: float
    least_interval: Interval | None = None
    most_interval: Interval | None = None


@dataclass(frozen=True, slots=True, eq=False)
class BracketDetails:
    """What scoring of trees says beyond measures.

    `items` are those of Hogenhout & Matsumoto 1996, `open_items` those that verdicts leave open, with the smallest and
    the largest number; `bounded` the measures that follow from them. `crossings` has the number of parsed sentences
    with 0, 1, 2 and more crossing brackets, `n_missing` that of missing parses, `up_to_cutoff` the measures on the
    sentences of at most `cutoff` words. `items_by_label` is there where it was asked for. `values` are all counts of
    each gold sentence in the test. `surplus` are files that no gold file goes with, `undefined` the measures that have
    nothing to divide by. Where people judged a sample, what follows from their verdicts `is_estimate`.
    `n_punctuation` is the number of gold words that were dropped as punctuation; if none was, `n_unmarked` is that of
    words that look like it.
    """

    items: Mapping[str, float]
    open_items: Mapping[str, tuple[float, float]]
    bounded: Mapping[str, BoundedScore]
    crossings: Mapping[str, int]
    n_missing: int
    cutoff: int
    n_up_to_cutoff: int
    up_to_cutoff: Mapping[str, MeasureScore]
    items_by_label: Mapping[str, Mapping[str, int]]
    values: Mapping[str, Floats]
    surplus: tuple[str, ...] = ()
    undefined: tuple[str, ...] = ()
    is_estimate: bool = False
    n_punctuation: int = 0
    n_unmarked: int = 0


@dataclass(frozen=True, slots=True)
class Skipped:
    """Sentences that could not be scored: bad gold ones left the test, bad ones of the system count as wholly wrong."""

    gold: int
    system: int
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SystemScores:
    """One system's scores.

    `counts` has, for every measure, the counts of each gold sentence that is in the test. `by` is split → group →
    measure → score. `missing` has, for each measure that was left out, the side ("gold" or "system") and the column for
    want of which it was. `source` and `format` are what the system's output was read from (None where there was none).
    `units` has each measure's units of the gold, where two systems are to be compared. `brackets` is there for trees.
    `notes` are what must not be overlooked, `tag_errors` what goes wrong in rich tags, where that was asked for;
    `instances` how many of sense keys were attempted.
    """

    name: str
    path: str
    measures: Mapping[str, MeasureScore]
    counts: Mapping[str, Floats]
    by: Mapping[str, Mapping[str, Mapping[str, MeasureScore]]]
    confusions: Mapping[str, Confusions]
    skipped: Skipped
    missing: Mapping[str, tuple[tuple[str, str], ...]]
    source: Source | None
    format: str
    warnings: tuple[Problem, ...]
    units: Mapping[str, GoldUnits] = field(default_factory=dict)
    brackets: BracketDetails | None = None
    notes: tuple[str, ...] = ()
    tag_errors: tuple[TagErrorCount, ...] = ()
    instances: Instances | None = None

    def __getitem__(self, measure: str) -> MeasureScore:
        return self.measures[measure]

    def __repr__(self) -> str:
        return f"<SystemScores {self.name}: {_shown(self.measures)}>"


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of one or several systems on one gold; `settings` are the choices that made them what they are.

    `cluster` is what was resampled for intervals (empty without), `warnings` say what they cannot be trusted for.
    `parse_base` is the geometric mean of the parses' number to the power of 1/words, where that number was given;
    `n_to_judge` how many brackets were written for people to judge, where that was asked for.
    """

    gold: Annotated
    systems: tuple[SystemScores, ...]
    settings: tuple[tuple[str, str], ...]
    cluster: str = ""
    warnings: tuple[str, ...] = ()
    parse_base: float | None = None
    n_to_judge: int | None = None

    @cached_property
    def signature(self) -> str:
        """What was measured, how and on which inputs."""
        sources = [("gold", self.gold.source), *(("system", one.source) for one in self.systems)]
        inputs = [(role, source.path, source.sha256()) for role, source in sources if source is not None]
        return signature(karat.__version__, "score", self.settings, inputs)

    def __getitem__(self, measure: str) -> MeasureScore:
        """A measure's score where there is one system: `karat.score(gold, system)["LAS"].f1`."""
        if len(self.systems) != 1:
            raise KeyError(f"there are {len(self.systems)} systems: choose one, as in scores.system(name)[measure]")
        return self.systems[0][measure]

    def system(self, name: str) -> SystemScores:
        """The scores of the system of this name."""
        for one in self.systems:
            if one.name == name:
                return one
        raise KeyError(f"no system {name!r}; there are {', '.join(one.name for one in self.systems)}")

    def __repr__(self) -> str:
        return f"<Scores on {self.gold.path}: {', '.join(map(repr, self.systems))}>"

    def _repr_html_(self) -> str:
        """The table that Jupyter shows."""
        from html import escape

        names = list(dict.fromkeys(name for system in self.systems for name in system.measures))
        head = "".join(f"<th>{escape(system.name)}</th>" for system in self.systems)
        rows = []
        for name in names:
            found = [system.measures.get(name) for system in self.systems]
            cells = "".join(f"<td>{100 * one.value:.2f}</td>" if one else "<td>–</td>" for one in found)
            rows.append(f"<tr><th>{escape(name)}</th>{cells}</tr>")
        size = f"{self.gold.n_words:,} words, {self.gold.n_sentences:,} sentences"
        caption = f"{size} of {escape(self.gold.path)}; {'in %' if self.systems[0].brackets else 'F1 in %'}"
        body = "".join(rows)
        return (
            f"<table><caption>{caption}</caption><tr><th></th>{head}</tr>{body}</table>"
            f"<small><code>{escape(self.signature)}</code></small>"
        )


def _shown(measures: Mapping[str, MeasureScore]) -> str:
    """The measures people ask for first."""
    chosen = [name for name in ("UPOS", "LAS", "Labelled F1") if name in measures] or list(measures)[:2]
    return ", ".join(f"{name} {measures[name].value:.4f}" for name in chosen)
