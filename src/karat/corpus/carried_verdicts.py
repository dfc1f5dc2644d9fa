"""Verdicts taken over into a worklist that was made anew, after the corpus was edited.

Ids and places change when a corpus does; what a judge was asked does not, if the words and the labels shown are the
same. So a row is found again by its question, and what a verdict means is translated: letters of tags, and sides A and
B, may be others in the new list.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from karat.corpus.worklist import Worklist, WorklistRow


@dataclass(frozen=True, slots=True)
class Question:
    """What a row asks, whatever its id and place; and what each verdict on it means."""

    asked: Hashable
    meanings: Mapping[str, Hashable]


@dataclass(frozen=True, slots=True)
class Carried:
    """A worklist with verdicts taken over: how many were, and the judged rows that fit no question of the new list."""

    worklist: Worklist
    n_carried: int
    left: tuple[tuple[str, WorklistRow], ...]  # the file and the row


def carried(new: Worklist, old: Sequence[Worklist], question: Callable[[WorklistRow], Question | None]) -> Carried:
    """The new list with the verdicts, labels, names and notes of old ones.

    `question` is None of a row that it cannot read. Of several rows that ask the same, as in sentences that the corpus
    has twice, the one in a sentence of the same name is meant; else there must be one only. No row is answered twice:
    of lists that judge the same row, the first counts, and what others say otherwise is left.
    """
    questions = [question(row) for row in new.rows]
    places: dict[Hashable, list[int]] = {}
    for number, one in enumerate(questions):
        if one is not None:
            places.setdefault(one.asked, []).append(number)
    rows, left, n_carried = list(new.rows), [], 0
    for path, row in _judged(old):
        asked = question(row)
        place = None if asked is None else _place(row, rows, places.get(asked.asked, ()))
        now = None if place is None else questions[place]
        verdict = None if asked is None or now is None else _translated(row.verdict, asked, now)
        if place is None or verdict is None:
            left.append((path, row))
            continue
        answered = replace(rows[place], verdict=verdict, label=row.label, judge=row.judge, note=row.note)
        if not _is_judged(rows[place]):
            rows[place] = answered
            n_carried += 1
        elif (rows[place].verdict, rows[place].label) != (verdict, row.label):
            left.append((path, row))
    return Carried(replace(new, rows=tuple(rows)), n_carried, tuple(left))


def _judged(worklists: Sequence[Worklist]) -> Iterator[tuple[str, WorklistRow]]:
    return ((one.path, row) for one in worklists for row in one.rows if _is_judged(row))


def _is_judged(row: WorklistRow) -> bool:
    return bool(row.verdict or row.label or row.judge or row.note)


def _place(row: WorklistRow, rows: Sequence[WorklistRow], places: Sequence[int]) -> int | None:
    """The one of the rows that ask the same that is meant; None if that is not clear."""
    same = [place for place in places if rows[place].sent_id == row.sent_id]
    if len(same) > 1:
        same = [place for place in same if (rows[place].start, rows[place].end) == (row.start, row.end)]
    chosen = same or places
    return chosen[0] if len(chosen) == 1 else None


def _translated(verdict: str, then: Question, now: Question) -> str | None:
    """The word for the same verdict in the new row; None if it has none."""
    if not verdict:
        return ""
    meaning = then.meanings.get(verdict)
    return next((word for word, other in now.meanings.items() if other == meaning), None) if meaning else None
