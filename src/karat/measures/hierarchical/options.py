"""How tags in a hierarchy are to be scored [Melamed & Resnik 2000]."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from karat.errors import UsageError
from karat.options import option

if TYPE_CHECKING:
    from karat.corpus.source import PathLike
    from karat.hierarchy import Hierarchy, Layout

LAYOUTS = ("indented", "dotted", "pairs", "wordnet")


@dataclass(frozen=True, slots=True)
class HierarchyOptions:
    """Options of scoring tags in a hierarchy.

    `hierarchy` is a file, in a `layout` that is found out if it is not given; without one, all tags are leaves. With
    `tree`, no tag may have two parents. Probability goes down as the file `downward` says, or as it is in the corpus to
    `learn_from` (smoothed with `alpha`), else to all children alike; with `downward="distinct"` to all leaves below a
    tag alike. Probabilities that do not sum to 1 are normalised, or with `strict` refused. `column` is where words have
    their tags; with `probabilities`, columns of tagged text take turns: a tag and its probability. For cross entropy,
    no probability is taken for less than `smallest_probability`.
    """

    hierarchy: PathLike | Hierarchy | None = option(
        None,
        "Score tags by this hierarchy (indented, dotted names, parent TAB child, or WordNet's folder) and the "
        "probability given to right leaves: hierarchical, exact, hP, hR, hF; also cross_entropy, brier.",
        metavar="FILE",
    )
    layout: Layout | None = option(None, "Layout of the hierarchy file (default: detected).", choices=LAYOUTS)
    tree: bool = option(False, "Refuse tags with two parents.")
    downward: PathLike | None = option(
        None,
        "How to spread a tag's probability: evenly over all leaves below it (distinct), or as in a file of parent, "
        "child and probability (default: evenly over its children).",
        metavar="distinct|FILE",
    )
    learn_from: PathLike | None = option(
        None, "Spread a tag's probability as learned from the tags of this corpus or key file.", metavar="FILE"
    )
    alpha: float = option(1.0, "With --learn-from: weight of the smoothing.")
    strict: bool = option(False, "Refuse probabilities that do not sum to 1.")
    smallest_probability: float = option(
        0.001, "Smallest probability that cross_entropy uses; smaller ones count as this."
    )
    column: str = "upos"
    probabilities: bool = False

    def __post_init__(self) -> None:
        if self.downward is not None and self.learn_from is not None:
            raise UsageError("choose only one: downward probabilities from a file, learned ones, or distinct leaves")
        if not self.alpha > 0 or not math.isfinite(self.alpha):
            raise UsageError(f"alpha {self.alpha}: the smoothing weight must be above 0")
        if not 0 < self.smallest_probability < 1:
            raise UsageError(f"smallest probability {self.smallest_probability}: it must lie between 0 and 1")
        needs_tags = self.learn_from is not None or not (self.downward is None or self.is_distinct)
        if self.hierarchy is None and needs_tags:
            raise UsageError("downward probabilities need a hierarchy")

    @property
    def is_distinct(self) -> bool:
        """Whether all distinct leaves below a tag get the same probability."""
        return self.downward == "distinct"
