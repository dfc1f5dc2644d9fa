"""A tagset: for every part of speech its categories, and how a tag is cut into their values.

A tag is cut in one of three ways. *Separated*: `subst:sg:nom:m1`, the part of speech first. *Characters*: `NNMS1`, one
character a position. *Features*: `NOUN|Case=Nom|Number=Sing`, the part of speech and then names with values. A category
that a tag does not have is not among its values; one may have several values (`acc.gen`, `Int,Rel`, or a letter that
stands for a set of others), and a wildcard stands for all of them. What does not fit the description is an error that
says what and where; nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

Cut = Literal["separated", "characters", "features"]
POS = "pos"  # what the part of speech is called where categories are named


class TagError(ValueError):
    """A tag that is not one of its tagset's: what is wrong, and at which character, from 0."""

    def __init__(self, tag: str, message: str, place: int) -> None:
        super().__init__(f"{tag!r}: {message}")
        self.tag, self.message, self.place = tag, message, place


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a category's value in the tags of a part of speech. A category of "" is a place that stays empty."""

    category: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag taken apart: its part of speech, and the value or values of each category that it has."""

    text: str
    pos: str
    values: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class Tagset:
    """A tagset, as its description has it.

    `values` are those of each category, `values_of` those that a category has with one part of speech only; the values
    themselves are mapped to their names, which may be empty. `sets` are the values that stand for several others,
    `maps` those that are written in another way. An `open` tagset has any category with any value, as long as they are
    written as `category_form` and `value_form`, two regular expressions, have it.
    """

    name: str
    about: str
    cut: Cut
    slots: Mapping[str, tuple[Slot, ...]]
    values: Mapping[str, Mapping[str, str]]
    values_of: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    pos_names: Mapping[str, str] = field(default_factory=dict)
    sets: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    maps: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    separator: str = ":"
    value_separator: str = ""
    wildcard: str = ""
    empty: str = "-"
    width: int = 1
    coarse_width: int = 0
    length: int = 0
    unknown: frozenset[str] = frozenset()
    open: bool = False
    category_form: str = ".+"
    value_form: str = ".+"

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """All categories that a tag can have but the part of speech, in the order in which they are described."""
        of_slots = dict.fromkeys(slot.category for slots in self.slots.values() for slot in slots if slot.category)
        described = (name for name in self.values if self.cut == "features" or name in of_slots)
        return tuple(dict.fromkeys((*described, *of_slots)))

    @property
    def parts_of_speech(self) -> tuple[str, ...]:
        return tuple(self.slots)

    def values_in(self, category: str, pos: str = "") -> Mapping[str, str]:
        """The values of a category with their names; with a part of speech, those that it has there."""
        of_pos = self.values_of.get(pos, {}).get(category)
        if of_pos is not None:
            return of_pos
        found = dict(self.values.get(category, {}))
        if not pos:
            for others in self.values_of.values():
                found.update(others.get(category, {}))
        return found

    def coarse(self, pos: str) -> str:
        """The part of speech without what only parts it further."""
        return pos[: self.coarse_width] if self.coarse_width else pos

    def parse(self, text: str) -> Tag:
        """A tag taken apart; a `TagError` if it is none."""
        if text in self.unknown:
            return Tag(text, text, {})
        if not text:
            raise TagError(text, "the tag is empty", 0)
        if self.cut == "features":
            return self._features(text)
        return self._characters(text) if self.cut == "characters" else self._separated(text)

    def parsed(self, texts: Sequence[str]) -> tuple[list[Tag | None], list[TagError]]:
        """The tags taken apart, None for those that cannot be, and why they cannot."""
        found: list[Tag | None] = []
        errors: list[TagError] = []
        for text in texts:
            try:
                found.append(self.parse(text))
            except TagError as error:
                errors.append(error)
                found.append(None)
        return found, errors

    # ---- cutting

    def _slots(self, text: str, pos: str) -> tuple[Slot, ...]:
        slots = self.slots.get(pos)
        if slots is None:
            raise TagError(text, f"no part of speech {pos!r} in the tagset {self.name}", 0)
        return slots

    def _separated(self, text: str) -> Tag:
        pos, *pieces = text.split(self.separator) if self.separator else [text]
        slots = iter(self._slots(text, pos))
        values: dict[str, tuple[str, ...]] = {}
        place = len(pos) + len(self.separator)
        for piece in pieces:
            for slot in slots:
                found = self._values(piece, slot.category, pos)
                if found is not None:
                    values[slot.category] = found
                    break
                if not slot.optional:
                    raise self._no_value(text, piece, slot.category, pos, place)
            else:
                raise TagError(text, f"{piece!r} is one value too many for {pos}", place)
            place += len(piece) + len(self.separator)
        for slot in slots:
            if not slot.optional:
                raise TagError(text, f"{slot.category} is missing", len(text))
        return Tag(text, pos, values)

    def _characters(self, text: str) -> Tag:
        pos, rest = text[: self.width], text[self.width :]
        slots = self._slots(text, pos)
        values: dict[str, tuple[str, ...]] = {}
        for place, (character, slot) in enumerate(zip(rest, slots, strict=False), start=self.width):
            if character == self.empty:
                continue
            found = self._values(character, slot.category, pos)
            if found is None:
                raise self._no_value(text, character, slot.category, pos, place)
            values[slot.category] = found
        if len(rest) > len(slots):
            raise TagError(text, f"{rest[len(slots) :]!r} is too many for {pos}", self.width + len(slots))
        if self.length and len(text) != self.length:
            raise TagError(
                text, f"{len(text)} characters where {self.length} were expected", min(len(text), self.length)
            )
        return Tag(text, pos, values)

    def _features(self, text: str) -> Tag:
        pos, *pieces = text.split(self.separator)
        self._slots(text, pos)
        values: dict[str, tuple[str, ...]] = {}
        place = len(pos) + len(self.separator)
        for piece in pieces if pieces != [self.empty] else []:
            name, equals, value = piece.partition("=")
            if not equals or not name or not value:
                raise TagError(text, f"{piece!r} is not of the form name=value", place)
            if name in values:
                raise TagError(text, f"{name} occurs twice", place)
            if name not in self.categories and not (self.open and re.fullmatch(self.category_form, name)):
                raise TagError(text, f"no category {name!r} in the tagset {self.name}", place)
            found = self._values(value, name, pos)
            if found is None:
                raise self._no_value(text, value, name, pos, place + len(name) + 1)
            values[name] = found
            place += len(piece) + len(self.separator)
        return Tag(text, pos, values)

    def _values(self, text: str, category: str, pos: str) -> tuple[str, ...] | None:
        """What a piece of a tag stands for in a category; None if for nothing."""
        if not category:
            return None
        known = self.values_in(category, pos)
        if self.wildcard and text == self.wildcard and known:
            return tuple(known)
        pieces = text.split(self.value_separator) if self.value_separator else [text]
        found: list[str] = []
        for piece in pieces:
            value = self.maps.get(category, {}).get(piece, piece)
            several = self.sets.get(category, {}).get(value, (value,))
            is_known = all(one in known for one in several)
            if not is_known and not (self.open and re.fullmatch(self.value_form, value)):
                return None
            found += several
        order = {value: number for number, value in enumerate(known)}
        return tuple(sorted(dict.fromkeys(found), key=lambda value: (order.get(value, len(order)), value)))

    def _no_value(self, text: str, piece: str, category: str, pos: str, place: int) -> TagError:
        if not category:
            return TagError(text, f"{piece!r} where nothing is expected", place)
        if self.open:
            return TagError(text, f"{piece!r} is not how values of {category} are written", place)
        known = [*self.values_in(category, pos), *self.sets.get(category, {})]
        some = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
        return TagError(text, f"{piece!r} is not a value of {category} (choose from {some})", place)
