"""A strict reader of BibTeX, of what every program that reads it agrees on."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Entry", "entries_of"]

_REQUIRED = {  # as BibTeX's own styles have it
    "article": {"author", "title", "journal", "year"},
    "book": {"author", "title", "publisher", "year"},
    "incollection": {"author", "title", "booktitle", "publisher", "year"},
    "inproceedings": {"author", "title", "booktitle", "year"},
    "misc": {"author", "title"},
    "techreport": {"author", "title", "institution", "year"},
}


@dataclass(frozen=True)
class Entry:
    """An entry with its fields, and the lines before it."""

    kind: str
    key: str
    fields: dict[str, str]
    comments: list[str]


def entries_of(text: str) -> dict[str, Entry]:
    """The entries by key; an `AssertionError` for anything that is no entry, no comment and no empty line."""
    assert text.isascii()
    found: dict[str, Entry] = {}
    place, comments = 0, list[str]()
    while place < len(text):
        if text[place] == "\n":
            place += 1
        elif text[place] == "%":
            end = text.index("\n", place)
            assert "@" not in text[place:end]
            comments.append(text[place + 1 : end].strip())
            place = end + 1
        else:
            head = re.compile(r"@([a-z]+)\{([A-Za-z0-9.-]+),\n").match(text, place)
            assert head, text[place : place + 60]
            fields, place = _fields(text, head.end())
            kind, key = head.groups()
            assert _REQUIRED[kind] <= set(fields), (key, fields)
            assert key not in found
            found[key] = Entry(kind, key, fields, comments)
            comments = []
    assert not comments
    return found


def _fields(text: str, place: int) -> tuple[dict[str, str], int]:
    """The fields from a place on, and the place after the entry."""
    fields: dict[str, str] = {}
    while text[place] != "}":
        name = re.compile(r"\s*([a-z]+) = \{").match(text, place)
        assert name, text[place : place + 60]
        start, depth = name.end(), 1
        place = start
        while depth:
            depth += {"{": 1, "}": -1}.get(text[place], 0)
            place += 1
        assert name[1] not in fields
        fields[name[1]] = text[start : place - 1]
        assert fields[name[1]].strip() == fields[name[1]] != ""
        place = re.compile(r",?\n").match(text, place).end()  # type: ignore[union-attr]
    assert text[place : place + 2] in ("}\n", "}")
    return fields, place + 1
