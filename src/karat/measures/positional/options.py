"""How rich tags are to be scored: the tagset, the weights, and what counts [Acedański & Przepiórkowski 2010]."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from karat.options import option

if TYPE_CHECKING:
    from karat.corpus.source import PathLike
    from karat.tagsets import Tagset
    from karat.weights import Weights

Slots = Literal["present", "declared"]


@dataclass(frozen=True, slots=True)
class TagOptions:
    """Options of scoring rich tags.

    `tagset` and `weights` are names of those that karat has, or files; without weights those of the paper are taken.
    `slots` that count are those `present` in a tag, or all that are `declared` for its part of speech. Categories to
    ignore count nowhere; those without a weight have the `missing_weight`. `column` is where the tags are: XPOS, or for
    a tagset of features UPOS with FEATS. With `probabilities`, columns of tagged text take turns: a tag and its
    probability.
    """

    tagset: PathLike | Tagset = option(
        None,
        "Split tags into categories by this tagset (nkjp, ud, pdt, multext-east, penn, or a .toml file) and score how "
        "much of them is right: exact, pos, PA, WPA, CWPA.",
        metavar="NAME|FILE",
    )
    weights: PathLike | Weights | None = option(
        None,
        "Weights of categories for WPA and CWPA, as made by karat weights (default: poliqarp-2010).",
        metavar="NAME|FILE",
    )
    slots: Slots = option(
        "present",
        "Count the slots that a tag fills, or all slots of its part of speech.",
        choices=("present", "declared"),
    )
    missing_weight: float = option(1.0, "Weight of categories without a weight.", metavar="W", least=0)
    ignore_category: Iterable[str] = option((), "Leave out this category.", metavar="CATEGORY", is_repeatable=True)
    probabilities: bool = option(
        False, "Read columns of tagged text as tag, probability, tag, …; also with --hierarchy."
    )
    column: str | None = None
