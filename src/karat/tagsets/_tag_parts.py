"""What a tag is made of, as a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from karat.corpus.source import PathLike
from karat.errors import DataError, Problem
from karat.result import Cell, Result, Table
from karat.tagsets._description import read_tagset
from karat.tagsets._tagset import Tag, TagError, Tagset


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TagParts(Result):
    """A tag taken apart, and the tagset that says what its parts mean."""

    tagset: Tagset
    tag: Tag

    def to_dict(self) -> dict[str, Any]:
        """The parts as plain data, in the schema karat/tagset-show/1."""
        return {
            "schema": "karat/tagset-show/1",
            "tagset": self.tagset.name,
            "tag": self.tag.text,
            "pos": self.tag.pos,
            "values": {category: list(values) for category, values in self.tag.values.items()},
        }

    def records(self) -> Table:
        """One row for each category that the tag has, and its part of speech."""
        tag, tagset = self.tag, self.tagset
        rows: list[list[Cell]] = [["pos", tag.pos, tagset.pos_names.get(tag.pos) or None]]
        for category, values in tag.values.items():
            names = tagset.values_in(category, tag.pos)
            rows.append([category, " or ".join(values), " or ".join(filter(None, map(names.get, values))) or None])
        return Table(["category", "value", "meaning"], rows, f"{tag.text} in {tagset.name}")


def tag_parts(tagset: PathLike | Tagset, tag: str) -> TagParts:
    """What a tag is made of: its part of speech and the values of its categories; a `DataError` if it is no such tag.

    >>> tag_parts("nkjp", "subst:sg:nom:m1").tag.values["case"]
    ('nom',)
    """
    known = read_tagset(tagset)
    try:
        return TagParts(known, known.parse(tag))
    except TagError as error:
        hint = f"check a corpus against the tagset {known.name} to see all that fail"
        raise DataError(Problem("K802", error.message, f"<{tag}>", 1, error.place + 1, hint=hint)) from None
