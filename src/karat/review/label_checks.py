"""Labels that go with verdicts, checked before they are kept: who sends them is told what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from karat.corpus.open_verdicts import TYPO, UNCLEAR
from karat.errors import KaratError
from karat.gold.repeats.judged_repeats import MIXED
from karat.gold.repeats.placed_labels import FORM, PlacedLabel, entries_in, placed_label

_WITH_LABEL = {"suspect": ("error",), "repeat": ("error-in-both",), "change": ("other",), "adjudication": ("other",)}
_WITHOUT_LABEL = {"suspect": ("right", "ambiguity"), "repeat": ("ambiguity",)}


class LabelError(KaratError):
    """A label that cannot go with its verdict."""


def refuse_label(kind: str, verdict: str, label: str, view: Callable[[], Mapping[str, Any]], *, is_bulk: bool) -> None:
    """A `LabelError` for a label that cannot be; `view` gives what is shown of the item, with all its places."""
    if verdict == TYPO and not label and kind != "adjudication":  # an annotator may be called so
        raise LabelError("a typo needs the right form of the word as its label")
    if label and ((verdict == UNCLEAR and kind != "adjudication") or verdict in _WITHOUT_LABEL.get(kind, ())):
        raise LabelError(f"{verdict} goes without a label")
    if not label and verdict in _WITH_LABEL.get(kind, ()):
        raise LabelError(f"{verdict} needs the right label")
    is_by_place = kind == "repeat" and verdict == MIXED and bool(label)
    if is_bulk and (verdict == TYPO or is_by_place):
        raise LabelError("a typo and single places are of one row: decide them row by row")
    if verdict == TYPO and kind not in ("adjudication", "repeat"):
        _refuse_same_form(label, view())
    if is_by_place:
        _refuse_places(label, view())


def _refuse_same_form(label: str, shown: Mapping[str, Any]) -> None:
    context = shown.get("context") or {"words": ()}
    marked = [word["form"] for word in context["words"] if word["marked"]]
    if [label] == marked:
        raise LabelError(f"{label!r} is how the word is written: what is its right form?")


def _refuse_places(label: str, shown: Mapping[str, Any]) -> None:
    try:
        labels = [placed_label(entry) for entry in entries_in(label)]
    except ValueError as error:
        raise LabelError(f"{error}: {FORM}") from None
    if not labels:
        raise LabelError(f"no place is named: {FORM}")
    said: dict[tuple[tuple[str, str, int], bool], PlacedLabel] = {}
    for one in labels:
        if said.setdefault((one.place, one.is_typo), one).label != one.label:
            raise LabelError(f"word {one.word} of {one.sentence!r} has two labels")
    places = {(one["corpus"], one["sent_id"], one["word"]) for one in shown.get("all_places", ())}
    if places and len(places) == shown["n_places"]:
        for one in labels:
            if one.place not in places:
                raise LabelError(f"{str(one)!r} is not a place of this row")
