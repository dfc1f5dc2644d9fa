"""Tags and checks of tags, as tables for people and as data for programs."""

from __future__ import annotations

from typing import Any

from karat.measures.positional.tag_check import TagCheck
from karat.result import Cell, Table
from karat.tagsets import Tag, Tagset

__all__ = ["check_json", "check_table", "tag_json", "tag_table"]


def check_table(check: TagCheck) -> Table:
    """The tags that fail, with the place of the first."""
    rows: list[list[Cell]] = [[one.tag, one.n_words, f"{one.path}:{one.line}", one.message] for one in check.failed]
    n_words = sum(one.n_words for one in check.failed)
    fine = f"All {check.n_tags:,} tags of {check.n_words:,} words are of the tagset {check.tagset.name}."
    bad = f"{len(check.failed):,} of {check.n_tags:,} tags, on {n_words:,} of {check.n_words:,} words, are not."
    return Table(["tag", "words", "first", "what is wrong"], rows, check.path, [bad if check.failed else fine])


def check_json(check: TagCheck) -> dict[str, Any]:
    """A check as plain data, in the schema karat/tagset-check/1."""
    return {
        "schema": "karat/tagset-check/1",
        "tagset": check.tagset.name,
        "corpus": check.path,
        "tags": check.n_tags,
        "tokens": check.n_words,
        "failed": [
            {
                "tag": one.tag,
                "message": one.message,
                "place": one.place,
                "tokens": one.n_words,
                "path": one.path,
                "line": one.line,
            }
            for one in check.failed
        ],
    }


def tag_table(tagset: Tagset, tag: Tag) -> Table:
    """What a tag is made of."""
    rows: list[list[Cell]] = [["pos", tag.pos, tagset.pos_names.get(tag.pos) or None]]
    for category, values in tag.values.items():
        names = tagset.values_in(category, tag.pos)
        rows.append([category, " or ".join(values), " or ".join(filter(None, map(names.get, values))) or None])
    return Table(["category", "value", "meaning"], rows, f"{tag.text} in {tagset.name}")


def tag_json(tagset: Tagset, tag: Tag) -> dict[str, Any]:
    """A tag taken apart, as plain data."""
    return {
        "schema": "karat/tagset-show/1",
        "tagset": tagset.name,
        "tag": tag.text,
        "pos": tag.pos,
        "values": {category: list(values) for category, values in tag.values.items()},
    }
