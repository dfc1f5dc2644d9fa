"""How one tag is scored for another, position by position [Acedański & Przepiórkowski 2010, §2]."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from karat.corpus import PathLike
from karat.measures.positional.accuracy import TAG_SCORES, TagScoring, declared_slots, score_table
from karat.measures.positional.options import Slots, TagOptions
from karat.measures.positional.rich_tags import RichTags
from karat.result import Cell, Result, Table
from karat.signature import signature
from karat.tagsets import Tag, Tagset, tag_parts
from karat.tagsets._tagset import POS
from karat.weights import Weights

SCHEMA = "karat/tagset-compare/1"
Right = Literal["yes", "in part", "no"]


@dataclass(frozen=True, slots=True)
class Position:
    """A category that a tag has: its value, or values, on either side, and what it weighs.

    `gold_share` is the share of the gold's values that the system has too, what recall counts; `system_share` the share
    of the system's values that the gold has, what precision counts; None where a side has no such position. `weight` is
    that of WPA, `weight_given_gold` and `weight_given_system` are those of CWPA; None where there are no such weights.
    """

    category: str
    gold: tuple[str, ...]
    system: tuple[str, ...]
    gold_share: float | None
    system_share: float | None
    weight: float | None
    weight_given_gold: float | None
    weight_given_system: float | None

    @property
    def right(self) -> Right:
        """Whether the position is right: `in part` where one side has some of the other's values."""
        shares = {self.gold_share, self.system_share}
        return "yes" if shares == {1.0} else "in part" if any(shares) else "no"

    def to_dict(self) -> dict[str, Any]:
        """The position as plain data."""
        return {**asdict(self), "gold": list(self.gold), "system": list(self.system), "right": self.right}


@dataclass(frozen=True, slots=True)
class PairScore:
    """What a measure says of a system's tag for a gold tag."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, eq=False, repr=False)
class TagComparison(Result):
    """How a system's tag is scored for a gold tag: position by position, and by each measure."""

    tagset: Tagset
    gold: Tag
    system: Tag
    positions: tuple[Position, ...]
    measures: Mapping[str, PairScore]
    weights: str
    settings: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...] = ()

    @cached_property
    def signature(self) -> str:
        """The tags and how they were scored."""
        tags = [(role, tag.text.replace("|", "%7C")) for role, tag in (("gold", self.gold), ("system", self.system))]
        return signature("tagset compare", [*self.settings, *tags], [])

    def __getitem__(self, measure: str) -> PairScore:
        return self.measures[measure]

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain data, in the schema karat/tagset-compare/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "tagset": self.tagset.name,
            "weights": self.weights,
            "gold": self.gold.text,
            "system": self.system.text,
            "positions": [one.to_dict() for one in self.positions],
            "measures": {name: asdict(one) for name, one in self.measures.items()},
            "warnings": list(self.warnings),
        }

    def records(self) -> Table:
        """One row for each position, then one for each measure."""
        columns = ["kind", "name", "gold", "system", "right", "gold_share", "system_share", "weight"]
        columns += ["weight_given_gold", "weight_given_system", "precision", "recall", "f1"]
        rows: list[list[Cell]] = []
        for one in self.positions:
            values: list[Cell] = [" ".join(one.gold), " ".join(one.system), one.right, one.gold_share, one.system_share]
            weights = [one.weight, one.weight_given_gold, one.weight_given_system]
            rows.append(["position", one.category, *values, *weights, *[None] * 3])
        rows += [
            ["measure", name, *[None] * 8, one.precision, one.recall, one.f1] for name, one in self.measures.items()
        ]
        return Table(columns, rows)

    def view(self) -> Table:
        """The positions, with the scores below."""
        rows: list[list[Cell]] = [
            [one.category, " ".join(one.gold) or None, " ".join(one.system) or None, one.right, one.weight]
            for one in self.positions
        ]
        notes = [f"{name}: P {one.precision:.4f}, R {one.recall:.4f}, F {one.f1:.4f}" for name, one in
                 self.measures.items()]  # fmt: skip
        title = f"{self.system.text} for {self.gold.text} in {self.tagset.name}"
        return Table(["category", "gold", "system", "right", "weight"], rows, title, notes)


def compare_tags(
    tagset: PathLike | Tagset,
    gold: str,
    system: str,
    *,
    weights: PathLike | Weights | None = None,
    slots: Slots = "present",
    missing_weight: float = 1.0,
    ignore_category: Iterable[str] = (),
) -> TagComparison:
    """How a system's tag is scored for a gold tag of a tagset; a `DataError` (K802) if one is no such tag.

    The other parameters are those of `karat.TagOptions`. WPA and CWPA are there if `weights` have what they need.

    >>> found = compare_tags("nkjp", "subst:sg:nom:n", "ger:sg:nom:n:perf:aff")
    >>> found["PA"]
    PairScore(precision=0.5, recall=0.75, f1=0.6)
    """
    options = TagOptions(tagset, weights, slots, missing_weight, tuple(ignore_category))
    rich = RichTags(options)
    ours, theirs = (tag_parts(rich.how.tagset, text).tag for text in (gold, system))
    lacking = {}
    measures = {}
    known = rich.how.weights
    for name in TAG_SCORES:
        if (name == "WPA" and not (known and known.absolute)) or (name == "CWPA" and not (known and known.conditional)):
            continue
        table = score_table([ours], [theirs], np.array([[gold == system]]), rich.how, name)
        scores = (float(one[0, 0]) for one in (table.precision, table.recall, table.score))
        measures[name] = PairScore(*scores)
        if without := rich.how.weightless([ours, theirs], name):
            lacking[name] = without
    return TagComparison(
        rich.how.tagset,
        ours,
        theirs,
        tuple(_positions(ours, theirs, rich.how)),
        measures,
        known.name if known else "",
        tuple(rich.signed()),
        tuple(rich.missing_weights(lacking)),
    )


def _positions(gold: Tag, system: Tag, how: TagScoring) -> Iterable[Position]:
    """The part of speech and all categories that one of two tags has, or declares where these count."""
    sides = [{POS: (tag.pos,), **tag.values} for tag in (gold, system)]
    if how.slots == "declared":
        sides = [
            {**side, **{name: side.get(name, ()) for name in declared_slots(tag.pos, how)}}
            for side, tag in zip(sides, (gold, system), strict=True)
        ]
    ours, theirs = sides
    for category in dict.fromkeys((*ours, *theirs)):
        if category in how.ignored:
            continue
        mine, other = ours.get(category), theirs.get(category)
        yield Position(
            category,
            mine or (),
            other or (),
            _share(mine, other),
            _share(other, mine),
            _weight(category, gold.pos, how, "WPA"),
            _weight(category, gold.pos, how, "CWPA") if mine is not None else None,
            _weight(category, system.pos, how, "CWPA") if other is not None else None,
        )


def _share(mine: Sequence[str] | None, other: Sequence[str] | None) -> float | None:
    """The share of our values that the other side has; two empty slots agree."""
    if mine is None:
        return None
    if not mine:
        return float(other is not None and not other)
    return len(set(mine) & set(other or ())) / len(mine)


def _weight(category: str, pos: str, how: TagScoring, score: str) -> float | None:
    """What a category weighs in a score; None if there are no such weights."""
    weights = how.weights
    if weights is None or not (weights.absolute if score == "WPA" else weights.conditional):
        return None
    weigh = how.weigher(score)
    found = weigh(category, pos) if weigh else None
    return how.missing_weight if found is None else found
