"""What `karat.score` returns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from karat._arrays import Floats
from karat.corpus import Annotated, Source
from karat.errors import Problem
from karat.inference.intervals import Interval, interval_dict
from karat.measures.measure import ALIGNED, CORRECT, GOLD, SYSTEM, GoldUnits, Measure
from karat.measures.splits import RowCounts
from karat.measures.words.confusion import Confusions
from karat.result import Cell, Result, Table, attributes, plain
from karat.signature import signature

if TYPE_CHECKING:
    from karat.evaluation.bracket_details import BracketDetails
    from karat.evaluation.evalb import EvalbDetails
    from karat.evaluation.whole_check import WholeCheck
    from karat.measures.hierarchical.tags_in_hierarchy import Instances
    from karat.measures.positional.errors import TagErrorCount

SCHEMA = "karat/score/1"
_PARTS = ("precision", "recall", "f1", "aligned_accuracy", "gold", "system", "correct", "aligned")
_INTERVAL = tuple(interval_dict(None))
MEASURED = ("value", *_PARTS)  # what is known of a measure, in data
_OF_VERDICTS = ("least", "most", "whole_check_lower", "whole_check_upper")


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
    further values that some measures have, by name. `whole_check` is there where people judged a sample of what it
    depends on: what the check of all would say.
    """

    measure: Measure
    value: float
    parts: Parts | None
    interval: Interval | None = None
    extras: Mapping[str, float] = field(default_factory=dict)
    whole_check: WholeCheck | None = None

    @classmethod
    def from_counts(cls, measure: Measure, counts: Floats, beyond: Mapping[str, float] | None = None) -> MeasureScore:
        """The score from summed counts; `beyond` has further values that do not follow from them."""
        value = float(measure.value(counts))
        extras = {name: float(statistic(counts)) for name, statistic in measure.extras.items()} | dict(beyond or {})
        if not measure.has_parts:
            return cls(measure, value, None, extras=extras)
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
        return cls(measure, value, parts, extras=extras)

    def __getattr__(self, name: str) -> Any:
        """The parts are had as if they were the score's own: `score.recall`."""
        if name not in _PARTS:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if self.parts is None:
            raise AttributeError(f"{self.name} is a plain ratio: it only has a value")
        return getattr(self.parts, name)

    @property
    def name(self) -> str:
        return self.measure.name

    @property
    def lower(self) -> float | None:
        return self.interval.lower if self.interval else None

    @property
    def upper(self) -> float | None:
        return self.interval.upper if self.interval else None

    @property
    def shown(self) -> float:
        """The value as it is shown: in percent, or in the measure's own unit."""
        return self.measure.factor * self.value

    def to_dict(self) -> dict[str, Any]:
        """The score as plain data; null for what it does not have."""
        parts = {name: getattr(self.parts, name, None) for name in _PARTS}
        return {"value": self.value, **parts, **self.extras, **interval_dict(self.interval), **_ends(self.whole_check)}


@dataclass(frozen=True, slots=True, eq=False)
class BoundedScore:
    """A measure that people's verdicts leave open: the scores of least and most value, with the `counts` of both.

    `whole_check` is as that of a `MeasureScore`.
    """

    measure: Measure
    scores: tuple[MeasureScore, MeasureScore]
    counts: tuple[Floats, Floats]
    whole_check: WholeCheck | None = None

    @property
    def least(self) -> float:
        return self.scores[0].value

    @property
    def most(self) -> float:
        return self.scores[1].value

    @property
    def ends(self) -> tuple[float, float] | None:
        """The lower end of the least value's interval and the upper end of the most, where both have one."""
        lower, upper = self.scores[0].lower, self.scores[1].upper
        return None if lower is None or upper is None else (lower, upper)

    def to_dict(self) -> dict[str, Any]:
        """No value, but the least and the most, and an interval around both."""
        both = [one.interval for one in self.scores]
        without = next((made for made in both if made and made.note), None)
        lower, upper = self.ends or (None, None)
        made = {**interval_dict(without or both[0]), "lower": lower, "upper": upper}
        bounds = {"least": self.least, "most": self.most}
        return {**dict.fromkeys(MEASURED), **made, **bounds, **_ends(self.whole_check)}


def _ends(whole: WholeCheck | None) -> dict[str, float]:
    """The interval of what the whole check would say, as plain data; nothing where no sample was judged."""
    return {} if whole is None else {"whole_check_lower": whole.lower, "whole_check_upper": whole.upper}


@dataclass(frozen=True, slots=True)
class Skipped:
    """Sentences that could not be scored: bad gold ones left the test, bad ones of the system are scored as 0."""

    gold: int
    system: int
    problems: tuple[Problem, ...]


@dataclass(frozen=True, eq=False)
class SystemScores:
    """One system's scores.

    `counts` has, for every measure, the counts of each gold sentence that is in the test; `groups` has those of rows
    that have any: split → group → measure → counts. `missing` has, for each measure that was left out, the side ("gold"
    or "system") and the column for want of which it was. `source` and `format` are what the system's output was read
    from (None where there was none). Where systems are to be compared, `units` has each measure's units of the gold.
    `notes` are what must not be overlooked. What only some kinds of data have is None, or empty, for the others:
    `brackets` and `evalb` of trees, `tag_errors` of rich tags and `weightless`, the categories that a measure weighs
    without having a weight; `instances` of tags in a hierarchy, how many were attempted; `unmapped` of tags that were
    mapped, by path how many words have which tag that the map does not know.
    """

    name: str
    path: str
    measures: Mapping[str, MeasureScore]
    counts: Mapping[str, Floats]
    skipped: Skipped
    source: Source | None
    format: str
    confusions: Mapping[str, Confusions] = field(default_factory=dict)
    missing: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()
    units: Mapping[str, GoldUnits] = field(default_factory=dict)
    groups: Mapping[str, Mapping[str, Mapping[str, RowCounts]]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    tag_errors: tuple[TagErrorCount, ...] = ()
    weightless: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unmapped: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    instances: Instances | None = None
    brackets: BracketDetails | None = None
    evalb: EvalbDetails | None = None

    def __getitem__(self, measure: str) -> MeasureScore:
        return self.measures[measure]

    def __repr__(self) -> str:
        return f"<SystemScores {self.name}: {_shown(self.measures)}>"

    @cached_property
    def by(self) -> dict[str, dict[str, dict[str, MeasureScore]]]:
        """Split → group → measure → score."""
        return {
            split: {
                group: {name: MeasureScore.from_counts(one.measure, one.counts.sum(axis=0)) for name, one in of.items()}
                for group, of in groups.items()
            }
            for split, groups in self.groups.items()
        }

    @property
    def bounded(self) -> Mapping[str, BoundedScore]:
        """The measures that verdicts leave open."""
        return self.brackets.bounded if self.brackets else {}

    def to_dict(self) -> dict[str, Any]:
        """The scores as plain data."""
        found: dict[str, Any] = {
            **attributes(self, "name path"),
            "sha256": self.source.sha256() if self.source else None,
            "measures": plain({**self.measures, **self.bounded}),
            "skipped": {
                **attributes(self.skipped, "gold system"),
                "problems": [str(problem) for problem in self.skipped.problems],
            },
            "not_measured": {name: sorted({column for _, column in both}) for name, both in self.missing.items()},
        }
        if self.instances:
            found["instances"] = {**asdict(self.instances), "missing": self.instances.missing}
        if self.by:
            found["by"] = plain(self.by)
        found |= attributes(self, "tag_errors") if self.tag_errors else {}
        found |= attributes(self, "confusions") if self.confusions else {}
        if self.brackets:  # measures that are not known without verdicts, or have nothing to divide by, are null
            found["measures"] |= dict.fromkeys((*self.missing, *self.brackets.undefined))
            found |= self.brackets.to_dict()
        return found | (attributes(self, "evalb") if self.evalb else {})


@dataclass(frozen=True, eq=False)
class Scores(Result):
    """The scores of one or several systems on one gold; `settings` are the choices that made them what they are.

    `cluster` is what was resampled for intervals (empty without), `warnings` say what they cannot be trusted for.
    `effective_clusters` is how many clusters of the same size those are worth.
    `parse_base` is the geometric mean of the parses' number to the power of 1/words, where that number was given.
    """

    gold: Annotated
    systems: tuple[SystemScores, ...]
    settings: tuple[tuple[str, str], ...]
    cluster: str = ""
    warnings: tuple[str, ...] = ()
    parse_base: float | None = None
    effective_clusters: float | None = None

    @cached_property
    def signature(self) -> str:
        """What was measured, how and on which inputs."""
        sources = [("gold", self.gold.source), *(("system", one.source) for one in self.systems if one.source)]
        return signature("score", self.settings, [(role, one.path, one.sha256()) for role, one in sources])

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
        raise KeyError(f"no system {name!r}; choose from {', '.join(one.name for one in self.systems)}")

    def __repr__(self) -> str:
        return f"<Scores on {self.gold.path}: {', '.join(map(repr, self.systems))}>"

    def to_dict(self) -> dict[str, Any]:
        """The scores as plain data, in the schema karat/score/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "gold": gold_dict(self.gold),
            "skipped": {
                "gold": max((system.skipped.gold for system in self.systems), default=0),
                "systems": {system.name: system.skipped.system for system in self.systems},
            },
            "systems": plain(self.systems),
            **({"parse_base": self.parse_base} if self.parse_base is not None else {}),
            **attributes(self, "effective_clusters warnings"),
        }

    def records(self) -> Table:
        """One row for each system and measure, and for each group where there are splits."""
        return measured_records(self._rows(), ("name", "split", "group"))

    def _rows(self) -> Iterator[tuple[Sequence[str], MeasureScore | BoundedScore]]:
        for system in self.systems:
            yield from (((system.name, "", ""), one) for one in system.measures.values())
            yield from (((system.name, "", ""), open_) for open_ in system.bounded.values())
            for split, groups in system.by.items():
                for group, found in groups.items():
                    yield from (((system.name, split, group), one) for one in found.values())

    def view(self) -> Table:
        """Measures in rows, systems in columns."""
        names = dict.fromkeys(name for system in self.systems for name in system.measures)
        rows: list[list[Cell]] = []
        for name in names:
            found = [system.measures.get(name) for system in self.systems]
            unit = next(one.measure.unit for one in found if one)
            rows.append([name, *(None if one is None else _with_interval(one) for one in found), unit])
        title = f"{self.gold.n_text_words:,} words, {self.gold.n_sentences:,} sentences of {self.gold.path}"
        return Table(["measure", *(system.name for system in self.systems), "unit"], rows, title, self.warnings)


def gold_dict(gold: Annotated) -> dict[str, Any]:
    """A gold as plain data."""
    return {
        "path": gold.path,
        "sha256": gold.source.sha256(),
        "sentences": gold.n_sentences,
        "words": gold.n_text_words,
        "tokens": gold.n_tokens,
        "documents": gold.n_documents if gold.has_documents else None,
    }


def measured_records(rows: Iterable[tuple[Sequence[str], MeasureScore | BoundedScore]], keys: Sequence[str]) -> Table:
    """Scores as rows, each behind its keys, such as the name of the system; a key that no row has is left out."""
    every = [(key, one.measure.name, one.to_dict()) for key, one in rows]
    used = [place for place in range(len(keys)) if place == 0 or any(key[place] for key, _, _ in every)]
    others = dict.fromkeys(name for _, _, data in every for name in data)
    values = [*MEASURED, *(name for name in others if name not in (*MEASURED, *_INTERVAL, *_OF_VERDICTS))]
    values += [*_INTERVAL, *(name for name in _OF_VERDICTS if name in others)]
    cells = [[*(key[place] for place in used), name, *map(data.get, values)] for key, name, data in every]
    return Table([*(keys[place] for place in used), "measure", *values], cells)


def _with_interval(score: MeasureScore) -> str:
    """A value, and its interval where there is one."""
    factor = score.measure.factor
    if score.lower is None or score.upper is None:
        return f"{score.shown:.2f}"
    return f"{score.shown:.2f} ({factor * score.lower:.2f}–{factor * score.upper:.2f})"


def _shown(measures: Mapping[str, MeasureScore]) -> str:
    """The measures people ask for first."""
    chosen = [name for name in ("UPOS", "LAS", "Labelled F1") if name in measures] or list(measures)[:2]
    return ", ".join(f"{name} {measures[name].value:.4f}" for name in chosen)
