"""What a judge says of an item of a list, what changes it, and how it is written as text in the store."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal

from karat.errors import KaratError


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of an item; `revision` counts the changes, 0 while nothing was said.

    `author` is who decided: the judge, or whoever the list's file names where it was judged elsewhere.
    """

    item: str
    judge: str
    verdict: str = ""
    label: str = ""
    note: str = ""
    unsure: bool = False
    revision: int = 0
    at: float = 0.0
    author: str = ""

    @property
    def is_decided(self) -> bool:
        return bool(self.verdict) or self.unsure

    @property
    def says_something(self) -> bool:
        return self.is_decided or bool(self.label or self.note)


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to be kept of an item. `revision` is that of what the judge saw, None to overwrite whatever is there."""

    item: str
    verdict: str
    label: str = ""
    note: str = ""
    unsure: bool = False
    revision: int | None = None


Origin = Literal["judge", "file", "merge", "conflict"]


@dataclass(frozen=True, slots=True)
class Event:
    """A change: who made it, when, in which step (a bulk decision is one), and what was there before and after.

    `origin` is "judge" for what a judge did here, "file" for what was read in the list's file, "merge" for what judges
    agree on in lists that are merged, and "conflict" for what the file says against the judge, which changes nothing.
    `undoes` is the number of the event that it takes back.
    """

    number: int
    judge: str
    request: str
    step: str
    origin: Origin
    before: Judgement
    after: Judgement
    at: float
    undoes: int | None


class RevisionError(KaratError):
    """Another window has changed the item meanwhile; `now` is what it has."""

    def __init__(self, now: Judgement) -> None:
        super().__init__(f"{now.item} was changed in another window")
        self.now = now


FIELDS = tuple(Judgement.__dataclass_fields__)
VALUES = attrgetter(*FIELDS)
_as_json = json.JSONEncoder(ensure_ascii=False).encode


def judgement_text(judgement: Judgement) -> str:
    """A judgement as an event keeps it."""
    return _as_json(dict(zip(FIELDS, VALUES(judgement), strict=True)))  # asdict takes ten times as long


def is_as_kept(one: Judgement) -> bool:
    """Whether values are of the types that they were kept with."""
    texts = (one.item, one.judge, one.verdict, one.label, one.note, one.author)
    numbers = isinstance(one.at, (int, float)) and math.isfinite(one.at) and type(one.revision) is int
    return all(isinstance(text, str) for text in texts) and type(one.unsure) is bool and numbers
