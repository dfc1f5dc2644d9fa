"""Several judges' lists, merged: what they agree on, the rows on which they differ, and how often each is wrong.

Lists may come from several machines, of one judge or of several. A row's judge is who the row says, or whose list it
is. What all who judged a row say is taken over; where they differ, somebody has to decide.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from karat._arrays import Array
from karat.agreement.agree import coefficients_from_counts
from karat.agreement.agreement_results import Coefficient
from karat.agreement.annotations import annotation_from_entries
from karat.agreement.coefficients import agreement_counts
from karat.corpus.open_verdicts import estimated
from karat.corpus.source import PathLike
from karat.corpus.worklist import Worklist, WorklistRow
from karat.errors import DataError, Problem, UsageError
from karat.inference.intervals import interval_dict
from karat.inference.options import InferenceOptions
from karat.noise.complete_lists import head_of_merged
from karat.noise.intervals_from_verdicts import judge_errors_from
from karat.noise.judge_errors import BLANK, FEWEST_SHARED, Patterns, patterns
from karat.review.list_names import judge_of_one
from karat.review.questions import question_of
from karat.review.reading import read_any_worklist
from karat.review.session import Review

_N_DRAWS = 4_000
_TOKEN = "token"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a judge says of a row: the verdict, and the label that goes with it."""

    verdict: str
    label: str = ""

    def contradicts(self, other: Answer) -> bool:
        """Whether not both can be right; a label that is not written contradicts nothing."""
        return self.verdict != other.verdict or bool(self.label and other.label and self.label != other.label)


@dataclass(frozen=True, slots=True)
class DifferingRow:
    """A row on which judges differ, and what each of them says; one who says two things of it has both."""

    row: WorklistRow
    said: Mapping[str, Sequence[Answer]]
    notes: Mapping[str, str] = field(default_factory=dict)

    def in_words(self) -> list[dict[str, str]]:
        """What each judge says, of tokens the tag rather than its letter, and notes."""
        choices = question_of(self.row).choices if _is_token(self.row) else ()
        meanings = {choice.verdict: choice.words for choice in choices}
        return [
            {
                "judge": judge,
                "words": ", ".join(f"{meanings.get(one.verdict, one.verdict)} {one.label}".strip() for one in answers),
                "note": self.notes.get(judge, ""),
            }
            for judge, answers in self.said.items()
        ]


@dataclass(frozen=True, slots=True)
class JudgeErrorRate:
    """The share of rows in which a judge is wrong, with interval; `judge` is None for all alike."""

    judge: str | None
    value: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True, eq=False)
class Adjudicated:
    """Several judges' lists as one.

    `merged` has every row once, with the verdict that all who judged it agree on, and none where they differ.
    `n_shared` rows have two judges or more; `agreement` is about these, sentences resampled. `judge_errors` are
    estimated from them, none if they are too few.
    """

    judges: tuple[str, ...]
    merged: Worklist
    differing: tuple[DifferingRow, ...]
    n_judged: int
    n_shared: int
    agreement: Mapping[str, Coefficient]
    judge_errors: tuple[JudgeErrorRate, ...]
    level: float

    @property
    def worklist(self) -> Worklist:
        """The rows on which judges differ, to be decided; their notes say what each judge says."""
        rows = [replace(one.row, verdict="", label="", judge="", note=_said(one)) for one in self.differing]
        return replace(self.merged, rows=tuple(rows))

    def decided(self, rows: Iterable[WorklistRow]) -> Worklist:
        """All rows, with what was decided of those on which judges differ."""
        open_ = {one.row.id for one in self.differing}
        verdicts = {row.id: row for row in rows if row.verdict and row.id in open_}
        return replace(self.merged, rows=tuple(_with(row, verdicts.get(row.id)) for row in self.merged.rows))

    def to_dict(self) -> dict[str, Any]:
        """What a coordinator wants to know, as plain data."""
        return {
            "judges": list(self.judges),
            "rows": len(self.merged.rows),
            "judged": self.n_judged,
            "shared": self.n_shared,
            "differing": [one.row.id for one in self.differing],
            "agreement": {
                name: {"value": one.value, "why": one.why or None, **_ends(one)} for name, one in self.agreement.items()
            },
            "judge_errors": [
                {"judge": one.judge, "value": one.value, "lower": one.lower, "upper": one.upper}
                for one in self.judge_errors
            ],
            "level": self.level,
        }


def _ends(one: Coefficient) -> dict[str, Any]:
    return {"interval": None if one.interval is None else interval_dict(one.interval)}


def _with(row: WorklistRow, decided: WorklistRow | None) -> WorklistRow:
    if decided is None:
        return row
    return replace(row, verdict=decided.verdict, label=decided.label, judge=decided.judge, note=decided.note)


def _said(one: DifferingRow) -> str:
    return "; ".join(f"{each['judge']}: {each['words']}" for each in one.in_words())


# ---- merging ---------------------------------------------------------------------------------------------------------


def adjudication(paths: Sequence[PathLike], *, inference: InferenceOptions | None = None) -> Adjudicated:
    """The lists in files, merged; a `DataError` if they ask different things under one id."""
    if len({os.path.realpath(path) for path in paths}) < 2:
        raise UsageError("adjudication needs the lists of several judges, or of several machines; give at least two")
    lists = [(judge_of_one(one), one) for one in map(read_any_worklist, paths)]
    kinds = dict.fromkeys(kind for _, one in lists for kind in one.column("kind"))
    if any(set(one.column("kind")) != set(kinds) for _, one in lists if len(one.rows)):
        raise UsageError(f"lists of different kinds cannot be adjudicated together: {', '.join(kinds)}")
    return merged_lists(lists, inference=inference)


def merged_lists(lists: Sequence[tuple[str, Worklist]], *, inference: InferenceOptions | None = None) -> Adjudicated:
    """Lists, each with the name of its judge, merged; several may be one judge's."""
    inference = inference or InferenceOptions()
    worklists = [worklist for _, worklist in lists]
    rows = _rows(worklists)
    said: dict[str, dict[str, list[Answer]]] = {item: {} for item in rows}
    notes: dict[str, dict[str, str]] = {}
    for name, worklist in lists:
        for row in worklist.rows:
            if row.verdict:
                answers = said[row.id].setdefault(row.judge or name, [])
                answers += [answer] if (answer := _answer(row)) not in answers else []
                notes.setdefault(row.id, {})[row.judge or name] = row.note
    judges = tuple(dict.fromkeys(judge for of_row in said.values() for judge in of_row))
    differing = tuple(DifferingRow(row, said[item], notes[item]) for item, row in rows.items() if _differ(said[item]))
    open_ = {one.row.id for one in differing}
    merged = [_agreed(row, {} if item in open_ else said[item]) for item, row in rows.items()]
    counted = {item: {who: each[0] for who, each in of.items() if len(each) == 1} for item, of in said.items()}
    shared = [rows[item] for item, of_row in counted.items() if len(of_row) > 1]
    codes = _codes(shared, [[counted[row.id].get(judge) for row in shared] for judge in judges])
    head = head_of_merged(worklists, len(rows))
    return Adjudicated(
        judges,
        Worklist(tuple(merged), head),
        differing,
        sum(bool(of_row) for of_row in said.values()),
        len(shared),
        _agreement(shared, codes, inference) if shared else {},
        _error_rates(codes, judges, inference) if len(shared) >= FEWEST_SHARED else (),
        inference.level,
    )


def _rows(lists: Sequence[Worklist]) -> dict[str, WorklistRow]:
    """Every row of all lists, by its id; a `DataError` for ids that are of different questions."""
    rows: dict[str, WorklistRow] = {}
    problems = []
    for worklist in lists:
        for row in worklist.rows:
            first = rows.setdefault(row.id, row)
            if (first.kind, first.text, first.shown) != (row.kind, row.text, row.shown):
                message = f"{row.id!r} asks something else here than in the lists before"
                hint = "adjudicate lists of one plan, or copies of one list"
                problems.append(Problem("K965", message, worklist.path, row.line, hint=hint))
    if problems:
        raise DataError(problems)
    return rows


def _answer(row: WorklistRow) -> Answer:
    """What a row's verdict says; a label that its choice proposes is meant where none is written."""
    proposed = (one.label for one in question_of(row).choices if one.verdict == row.verdict and not one.needs_label)
    return Answer(row.verdict, row.label.strip() or next(proposed, ""))


def _differ(said: Mapping[str, Sequence[Answer]]) -> bool:
    every = [answer for answers in said.values() for answer in answers]
    return any(one.contradicts(other) for n, one in enumerate(every) for other in every[:n])


def _agreed(row: WorklistRow, said: Mapping[str, Sequence[Answer]]) -> WorklistRow:
    """A row with what all say of it."""
    every = [answer for answers in said.values() for answer in answers]
    if not every:
        return replace(row, verdict="", label="", judge="")
    label = next((one.label for one in every if one.label), "")
    return replace(row, verdict=every[0].verdict, label=label, judge=", ".join(said))


def judges_of_reviews(reviews: Sequence[Review], *, inference: InferenceOptions | None = None) -> Adjudicated:
    """What the judges of a review, or of several of one plan, say so far, merged: for whoever coordinates them.

    Rows that nobody has judged are left out.
    """
    lists = [(judge, _as_judged(review, judge)) for review in reviews for judge in review.judges]
    return merged_lists(lists, inference=inference)


def _as_judged(review: Review, judge: str) -> Worklist:
    rows = [
        replace(
            review.worklist.rows[review.place_of(item)],
            verdict=said.verdict,
            label=said.label,
            judge=judge,
            note=said.note,
        )
        for item, said in review.store.judgements(judge).items()
        if said.verdict
    ]
    return replace(review.worklist, rows=tuple(rows))


# ---- how far judges agree, and err -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Codes:
    """Rows by what they offer: the stratum of each, how many answers its rows offer; what judges gave, as numbers.

    `answers` are the places among what a row offers [judges × rows], `meanings` numbers of what that means in any row,
    such as a tag; BLANK where a judge has not judged.
    """

    strata: Array
    n_answers: list[int]
    answers: Array
    meanings: Array


def _is_token(row: WorklistRow) -> bool:
    return row.kind == _TOKEN


def _codes(rows: Sequence[WorklistRow], judges: Sequence[Sequence[Answer | None]]) -> _Codes:
    strata: dict[tuple[str, int], int] = {}
    names: dict[str, int] = {}
    of_row = []
    answers, meanings = (np.full((len(judges), len(rows)), BLANK, dtype=np.intp) for _ in range(2))
    for place, row in enumerate(rows):
        choices = {choice.verdict: choice.words for choice in question_of(row).choices if estimated(choice.verdict)}
        given = [verdict for said in judges if (answer := said[place]) and (verdict := estimated(answer.verdict))]
        offered = list(dict.fromkeys([*choices, *given]))
        of_row.append(strata.setdefault((row.kind, len(offered)), len(strata)))
        for judge, said in enumerate(judges):
            answer = said[place]
            if answer is not None and estimated(answer.verdict):
                meaning = choices.get(answer.verdict, answer.verdict) if _is_token(row) else answer.verdict
                answers[judge, place] = offered.index(answer.verdict)
                meanings[judge, place] = names.setdefault(meaning, len(names))
    return _Codes(np.array(of_row, dtype=np.intp), [n for _, n in strata], answers, meanings)


def _agreement(rows: Sequence[WorklistRow], codes: _Codes, inference: InferenceOptions) -> dict[str, Coefficient]:
    sentences: dict[tuple[str, str], int] = {}
    clusters = np.array([sentences.setdefault((row.corpus, row.sent_id), len(sentences)) for row in rows])
    n_leaves = int(codes.meanings.max()) + 1
    annotations = []
    for of_judge in codes.meanings:
        items = np.flatnonzero(of_judge != BLANK)
        annotations.append(
            annotation_from_entries(items, of_judge[items], np.ones(len(items)), n_items=len(rows), n_leaves=n_leaves)
        )
    counts = agreement_counts(annotations, clusters, n_clusters=len(sentences))
    return coefficients_from_counts(counts, inference)


def _error_rates(codes: _Codes, judges: Sequence[str], inference: InferenceOptions) -> tuple[JudgeErrorRate, ...]:
    found: Patterns = patterns(codes.strata, codes.answers, codes.n_answers)
    offered = np.arange(max(codes.n_answers)) < np.array(codes.n_answers)[:, None]
    prior = np.where(offered, 0.5, 0.0)
    rng = np.random.default_rng([inference.seed, 61])
    rates = judge_errors_from(found, prior, inference.level, _N_DRAWS, rng)
    return tuple(
        JudgeErrorRate(None if one.judge is None else judges[one.judge], one.value, one.lower, one.upper)
        for one in rates
    )
