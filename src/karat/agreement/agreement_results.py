"""What `karat.agree` returns: coefficients, flat or level by level, and what annotators disagree about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from karat.agreement.adjudication_results import Adjudication
from karat.agreement.agreed_sentences import AgreedSentences
from karat.agreement.differing_items import DifferingItems
from karat.agreement.disagreement import ConfusedTags, HardItem, TagUse
from karat.corpus import Source
from karat.errors import Problem
from karat.inference.intervals import Interval, interval_dict
from karat.measures.agreement import AgreementMeasure
from karat.result import Cell, Result, Table
from karat.signature import signature

SCHEMA = "karat/agree/1"


@dataclass(frozen=True, slots=True)
class Coefficient:
    """The value of a coefficient and how sure we are of it; where it is not defined the value is None and `why` not."""

    measure: AgreementMeasure = field(compare=False)
    value: float | None
    interval: Interval | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class LevelAgreement:
    """The agreement where the hierarchy is cut at a level (see `karat.hierarchy.levels`), `depth` from 1.

    `n_tags` different tags are there for all that annotators wrote.
    """

    depth: int
    n_tags: int
    coefficients: Mapping[str, Coefficient]

    def to_dict(self) -> dict[str, Any]:
        """The level as plain data."""
        return {"depth": self.depth, "tags": self.n_tags, **_coefficient_data(self.coefficients)}


def _coefficient_data(coefficients: Mapping[str, Coefficient]) -> dict[str, Any]:
    """Values, intervals, and why there are none, by coefficient."""
    return {
        **{name: one.value for name, one in coefficients.items()},
        "intervals": {name: interval_dict(one.interval) for name, one in coefficients.items()},
        "why_undefined": {name: one.why for name, one in coefficients.items() if one.why},
    }


@dataclass(frozen=True, slots=True)
class AnnotatorPair:
    """The agreement of two annotators on the items that both have; None where it is not defined."""

    a: str
    b: str
    n_items: int
    observed: float | None
    kappa_pooled: float | None
    kappa_cohen: float | None
    alpha: float | None

    def to_dict(self) -> dict[str, Any]:
        """The pair as plain data."""
        data = asdict(self)
        return {"a": data.pop("a"), "b": data.pop("b"), "items": data.pop("n_items"), **data}


@dataclass(frozen=True, eq=False)
class Agreement(Result):
    """How well annotators agree.

    `coefficients` are observed, kappa_pooled, kappa_cohen and alpha. `n_items` items have two annotations or more and
    count; on `n_differing` annotators differ; `n_all` items have any annotation. `missing` has, for every annotator,
    how many of all items are without. `pairs` are there for more than two annotators. `is_underspecified` says whether
    an annotation is more than one leaf, so that annotators who say the same do not agree fully by equation 4.
    `is_exact` is false where chance in resamples was taken to first order, for want of room. `n_clusters` have items
    that count. `levels` are those of a hierarchy. `disagreements` are all items on which annotators differ; what
    adjudicators said of them, and the sentences without any, are there where they were asked for.
    """

    names: tuple[str, ...]
    what: str
    column: str
    n_items: int
    n_all: int
    n_differing: int
    coefficients: Mapping[str, Coefficient]
    missing: Mapping[str, int]
    pairs: tuple[AnnotatorPair, ...]
    per_tag: tuple[TagUse, ...]
    confusions: tuple[ConfusedTags, ...]
    hardest: tuple[HardItem, ...]
    levels: tuple[LevelAgreement, ...]
    disagreements: DifferingItems = field(repr=False)
    is_underspecified: bool
    is_exact: bool
    has_hierarchy: bool
    level: float
    cluster: str
    n_clusters: int
    settings: tuple[tuple[str, str], ...]
    sources: tuple[Source, ...]
    formats: tuple[tuple[str, str], ...]
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    adjudication: Adjudication | None = None
    agreed: AgreedSentences | None = None

    def __getitem__(self, coefficient: str) -> float | None:
        return self.coefficients[coefficient].value

    @cached_property
    def signature(self) -> str:
        """What was measured, how and on which inputs."""
        inputs = [("annotator", source.path, source.sha256()) for source in self.sources]
        return signature("agree", self.settings, inputs)

    def to_dict(self) -> dict[str, Any]:
        """The agreement as plain data, in the schema karat/agree/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "items": self.n_items,
            **_coefficient_data(self.coefficients),
            "annotators": list(self.names),
            "item": self.what,
            "column": self.column if self.what == "word" else None,
            "all_items": self.n_all,
            "differing": self.n_differing,
            "missing": dict(self.missing),
            "level": self.level,
            "cluster": self.cluster,
            "n_clusters": self.n_clusters,
            "underspecified": self.is_underspecified,
            "pairs": [one.to_dict() for one in self.pairs],
            "per_tag": [asdict(one) for one in self.per_tag],
            "confusions": [asdict(one) for one in self.confusions],
            "hardest": [one.to_dict(self.names) for one in self.hardest],
            "levels": [one.to_dict() for one in self.levels],
            "adjudication": None if self.adjudication is None else self.adjudication.to_dict(),
            "agreed": None if self.agreed is None else self.agreed.to_dict(),
            "warnings": list(self.warnings),
        }

    def records(self) -> Table:
        """One row for each coefficient."""
        rows: list[list[Cell]] = []
        for name, one in self.coefficients.items():
            sure = interval_dict(one.interval)
            row: list[Cell] = [name, one.value, sure["lower"], sure["upper"], sure["level"], sure["method"]]
            rows.append([*row, self.cluster, self.n_clusters, self.n_items, one.why or None])
        columns = "coefficient value lower upper level method cluster n_clusters items why".split()
        return Table(columns, rows)

    def view(self) -> Table:
        """The coefficients, with their intervals."""
        rows: list[list[Cell]] = []
        for one in self.coefficients.values():
            sure = interval_dict(one.interval)
            rows.append([one.measure.title, one.value, sure["lower"], sure["upper"], one.why or None])
        title = f"{', '.join(self.names)} on {self.n_items:,} {self.what}s"
        return Table(["coefficient", "value", "lower", "upper", "undefined because"], rows, title)

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{name} {'undefined' if one.value is None else format(one.value, '.4f')}"
            for name, one in self.coefficients.items()
        )
        return f"<Agreement of {', '.join(self.names)} on {self.n_items:,} {self.what}s: {shown}>"
