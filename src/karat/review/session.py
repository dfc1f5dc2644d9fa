"""A review: a worklist, the store of what is decided on it, its judges and their files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from karat.corpus.source import read_source
from karat.corpus.worklist import Worklist, WorklistRow, worklist_head
from karat.errors import UsageError
from karat.review.list_file import Cells, brought_up_to_date
from karat.review.questions import ReviewQuestion, question_of
from karat.review.reading import read_any_worklist
from karat.review.store import Judgement, ReviewStore

STORE_SUFFIX = ".karat-review"


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """A row of the list as a judge gets it: where it is, what is asked, and what the judge has said so far."""

    place: int
    row: WorklistRow
    question: ReviewQuestion
    judgement: Judgement


@dataclass(slots=True)
class Review:
    """A worklist that is judged; `judges` are those who judge it, one without a name if nobody was named.

    With several judges each has a file of their own, `check.NAME.tsv`, blind to the others; one alone writes into the
    list itself.
    """

    path: str
    worklist: Worklist
    store: ReviewStore
    judges: Sequence[str]
    conflicts: dict[str, dict[str, Cells]] = field(default_factory=dict)  # judge → row → what the file says

    @classmethod
    def opened(cls, path: str | os.PathLike[str], judges: Sequence[str] = ()) -> Review:
        """The review of a list; what its file says already is taken in."""
        named = _checked_names(judges)
        worklist = read_any_worklist(path)
        if not len(worklist.rows):
            raise UsageError(f"{os.fspath(path)} has no rows to judge")
        store = ReviewStore(f"{os.fspath(path)}{STORE_SUFFIX}", [row.id for row in worklist.rows])
        review = cls(os.fspath(path), worklist, store, named)
        for judge in named:
            review.bring_up_to_date(judge)
        return review

    def close(self) -> None:
        """Bring all files up to date and close the store."""
        try:
            for judge in self.judges:
                self.bring_up_to_date(judge)
        finally:
            self.store.close()

    def item(self, judge: str, place: int) -> ReviewItem:
        """The item at a place of the list, from 0."""
        row = self.worklist.rows[place]
        return ReviewItem(place, row, question_of(row), self.store.judgement(judge, row.id))

    def items(self, judge: str) -> Iterator[tuple[WorklistRow, Judgement]]:
        """Every row with what a judge has said of it."""
        said = self.store.judgements(judge)
        for row in self.worklist.rows:
            yield row, said.get(row.id) or Judgement(row.id, judge)

    def place_of(self, item: str) -> int:
        """The place of the row with this id; a `KeyError` if there is none."""
        return self._places[item]

    @property
    def _places(self) -> Mapping[str, int]:
        return {row.id: place for place, row in enumerate(self.worklist.rows)}

    def file_of(self, judge: str) -> str:
        """The file that a judge's verdicts go into."""
        if len(self.judges) == 1:
            return self.path
        stem, _, ending = self.path.rpartition(".")
        return f"{stem or self.path}.{judge}{'.' + ending if stem else ''}"

    def bring_up_to_date(self, judge: str) -> None:
        """Write what a judge has decided into their file; what was edited there meanwhile is taken in."""
        said = self.store.judgements(judge)
        decided = {item: _cells(one) for item, one in said.items()}
        found = brought_up_to_date(self.file_of(judge), decided, self._written(judge), source=self.path)
        for item, cells in found.taken_in.items():
            self.store.decide(
                judge, item, cells.verdict, label=cells.label, note=cells.note, request=f"file {found.sha256} {item}"
            )
        self.conflicts[judge] = dict(found.conflicts)
        self._keep_written(judge, {**decided, **found.taken_in})

    def _written(self, judge: str) -> dict[str, Cells]:
        import json

        text = self.store.fact(f"written {judge}")
        data: dict[str, list[str]] = json.loads(text) if text else {}
        return {item: Cells(*cells) for item, cells in data.items()}

    def _keep_written(self, judge: str, cells: Mapping[str, Cells]) -> None:
        import json

        data: dict[str, Any] = {item: [one.verdict, one.label, one.judge, one.note] for item, one in cells.items()}
        self.store.keep_fact(f"written {judge}", json.dumps(data, ensure_ascii=False))


def _checked_names(judges: Sequence[str]) -> list[str]:
    """The names of judges, which are parts of their files' names."""
    named = list(dict.fromkeys(judges)) or [""]
    for name in named:
        if name != name.strip() or not name.isprintable() or set(name) & set('/\\:*?"<>|') or name in (".", ".."):
            raise UsageError(f"{name!r} cannot be the name of a judge: it is part of a file's name")
    if len(named) > 1 and ("" in named or len({name.casefold() for name in named}) < len(named)):
        raise UsageError("several judges need names that differ in more than capitals")
    return named


def _cells(one: Judgement) -> Cells:
    """A judgement as the file has it; who was not sure leaves no verdict."""
    note = one.note or ("unsure" if one.unsure and not one.verdict else "")
    return Cells(one.verdict, one.label, one.judge if one.verdict or one.note else "", note)


def head_of(path: str | os.PathLike[str]) -> Sequence[str]:
    """What the list says to its judges, and the signature that names its files."""
    return worklist_head(read_source(Path(path)))
