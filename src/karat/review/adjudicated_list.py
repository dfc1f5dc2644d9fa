"""The list in which somebody decides what judges differ on: all rows, what judges agree on filled in.

It is made from the judges' lists, which are never written, and made anew whenever these have changed. What was decided
in it stays: only what the last merge filled in is replaced by what the next one says.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace

from karat.corpus.worklist import Worklist, WorklistRow, write_worklist
from karat.review.adjudicate import Adjudicated, adjudication
from karat.review.answers import View
from karat.review.list_file import BLANK, Cells
from karat.review.list_names import adjudicated_path
from karat.review.opening import refuse_twice
from karat.review.reading import read_any_worklist
from karat.review.session import Review, cells_from, judgement_from, normal

_FACT = "merged"  # what the last merge filled in


@dataclass(frozen=True, slots=True, eq=False)
class AdjudicationReview:
    """What judges differ on, and the review in which it is decided."""

    found: Adjudicated
    review: Review

    @property
    def open_ids(self) -> frozenset[str]:
        """The rows on which judges differ."""
        return frozenset(one.row.id for one in self.found.differing)

    def view(self, shown: View) -> View:
        """A view that also has what each judge says: whoever decides is not blind."""
        said = {one.row.id: one.in_words() for one in self.found.differing}
        return lambda review, judge, item: {**shown(review, judge, item), "said": said.get(item, [])}


def opened_adjudication(paths: Sequence[str], judge: str = "") -> AdjudicationReview:
    """The lists of several judges, merged into one beside the first (`check.adjudicated.tsv`), and its review.

    That list itself may be among those given, as `check.*.tsv` has it: it is not a judge's.
    """
    refuse_twice(paths)
    target = adjudicated_path(paths)
    lists = [path for path in paths if not _is_same(path, target)]
    if len(lists) < len(paths):
        target = adjudicated_path(lists or paths)
    found = adjudication(lists)
    _make(target, found.merged)
    review = Review.opened(target, [judge] if judge else [])
    try:
        _fill_in(review, found)
    except BaseException:
        review.close()
        raise
    return AdjudicationReview(found, review)


def _is_same(path: str, other: str) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)


def _make(path: str, merged: Worklist) -> None:
    """Write the list without verdicts if it is not there; one that is there gets rows that are new, and loses none."""
    old = read_any_worklist(path) if os.path.exists(path) else Worklist(())
    before = {row.id: row for row in old.rows}
    rows = [_kept(row, before.get(row.id)) for row in merged.rows]
    new = {row.id for row in rows}
    rows += [row for row in old.rows if row.id not in new]
    made = Worklist(tuple(rows), merged.head)
    if made != replace(old, rows=tuple(old.rows)):
        write_worklist(path, made)


def _kept(row: WorklistRow, old: WorklistRow | None) -> WorklistRow:
    """A row with the verdict that it has had so far, if it asked the same."""
    if old is None or (old.kind, old.text, old.shown) != (row.kind, row.text, row.shown):
        return replace(row, verdict="", label="", judge="", note="")
    return replace(row, verdict=old.verdict, label=old.label, judge=old.judge, note=old.note)


def _fill_in(review: Review, found: Adjudicated) -> None:
    """Fill in what judges agree on, where nobody has decided in this list."""
    (judge,) = review.judges
    try:
        before = {item: Cells(*cells) for item, cells in (review.store.fact_as_data(_FACT) or {}).items()}
    except (TypeError, AttributeError):
        raise review.store.damaged() from None
    wanted = {**before, **_wanted(found)}  # what no list given this time says anything of stays
    said = review.store.judgements(judge)
    changed = []
    for row in found.merged.rows:
        now = said.get(row.id)
        has = BLANK if now is None else cells_from(now)
        want = wanted.get(row.id, BLANK)
        if has != want and has in (BLANK, before.get(row.id, BLANK)):
            merged = judgement_from(judge, row.id, want)
            changed.append(replace(merged, revision=0 if now is None else now.revision))
    if changed:
        review.store.take_in(judge, changed, (), request=f"merge {uuid.uuid4()}", origin="merge")
    review.store.keep_fact(_FACT, json.dumps({item: astuple(cells) for item, cells in wanted.items()}))
    review.bring_up_to_date(judge)


def _wanted(found: Adjudicated) -> Mapping[str, Cells]:
    """What the merge says of rows: nothing where judges differ."""
    open_ = {one.row.id for one in found.differing}
    cells = {row.id: normal(Cells(row.verdict, row.label, row.judge, row.note)) for row in found.merged.rows}
    return {item: BLANK if item in open_ else one for item, one in cells.items() if one != BLANK or item in open_}
