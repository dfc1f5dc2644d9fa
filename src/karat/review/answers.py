"""What the review's page asks and is answered, as plain data: progress, lists of items, one item, a decision."""

from __future__ import annotations

import math
import statistics
from collections import Counter, deque
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import chain, islice
from typing import Any

from karat.corpus.worklist import WorklistRow
from karat.errors import KaratError
from karat.review.criteria import shown_criterion
from karat.review.judgements import Decision, Judgement, RevisionError
from karat.review.label_checks import LabelError, refuse_label
from karat.review.questions import Choice, ReviewQuestion, question_of, verdicts_of
from karat.review.session import Review

KEYS = {
    "undo": "u",
    "skip": "s",
    "unsure": "?",
    "comment": "c",
    "search": "/",
    "next": "ArrowRight",
    "previous": "ArrowLeft",
}
_MOST_ITEMS = 1000  # of a list, in one answer
_LONGEST_TEXT = 10_000  # of a label or note, in characters
_LONGEST_ID = 200  # of a request
_LONGEST_STAY = 3600.0  # seconds at one item
_FOR_PACE = 30  # items

View = Callable[[Review, str, str], dict[str, Any]]
Estimate = Callable[[str], dict[str, Any] | None]


class RequestError(KaratError):
    """A request that cannot be done; `status` is HTTP's, `data` what is answered."""

    def __init__(self, status: int, error: str, **data: Any) -> None:
        super().__init__(error)
        self.status = status
        self.data = {"error": error, **data}


@dataclass(frozen=True, slots=True)
class _Sent:
    """What a judge sends of an item, checked; perhaps for all rows of its pattern."""

    request: str
    step: str | None
    decision: Decision
    is_for_pattern: bool
    seconds: float


class ReviewAnswers:
    """The answers of one review to its judges.

    `view` makes all that is shown of an item; `estimate` says how far a judge has judged the list for what it was made
    for. `only` are the ids of the rows that are asked about, if not all are; they are numbered among themselves.
    `is_blind` says that others judge too, whose verdicts a judge must not see.
    """

    def __init__(
        self,
        review: Review,
        *,
        view: View | None = None,
        estimate: Estimate | None = None,
        only: Container[str] | None = None,
        is_blind: bool = False,
    ) -> None:
        self.review = review
        self._view = view or plain_view
        self._estimate = estimate
        self._only = only
        self._is_blind = is_blind or len(review.judges) > 1
        self._pace: dict[str, deque[float]] = {judge: deque(maxlen=_FOR_PACE) for judge in review.judges}
        self.trouble: str | None = None  # why files could not be brought up to date

    # ---- reading -----------------------------------------------------------------------------------------------------

    def overview(self, judge: str) -> dict[str, Any]:
        """The list, how far the judge is, and how long the rest will take."""
        progress = self._progress(judge)
        pace = statistics.median(self._pace[judge]) if self._pace[judge] else None
        return {
            "list": self.review.path,
            "criterion": shown_criterion([line for line in self.review.worklist.head if not _is_signature(line)]),
            "judge": judge,
            "judges_blind": self._is_blind,
            "total": len(self._rows),
            "kinds": self._kinds,
            **progress,
            "seconds": self.review.store.seconds(judge),
            "pace": pace,
            "seconds_left": None if pace is None else pace * progress["left"],
            "conflicts": list(self.review.conflicts.get(judge, {})),
            "trouble": self.trouble,
            "has_estimate": self._estimate is not None,
            "estimate": self._estimate(judge) if self._estimate else None,
            "keys": KEYS,
        }

    def items(self, judge: str, query: Mapping[str, str]) -> dict[str, Any]:
        """The items that a filter and a search leave, those `from` a place among them, `n` at most."""
        start = _whole(query.get("from", "0"), "from")
        n = min(_whole(query.get("n", "200"), "n"), _MOST_ITEMS)
        said = self.review.store.judgements(judge)
        filter_, search = query.get("filter", "all"), query.get("search", "").strip().casefold()
        is_whole = filter_ == "all" and not search
        conflicts = self.review.conflicts.get(judge, {})
        places = range(len(self._rows)) if is_whole else [*self._found(filter_, search, said, conflicts)]
        rows = ((place, self._rows[place]) for place in places[start : start + n])
        listed = [listed_item(place, row, said.get(row.id) or Judgement(row.id, judge)) for place, row in rows]
        return {"total": len(places), "items": listed}

    def following(self, judge: str, query: Mapping[str, str]) -> dict[str, Any]:
        """The undecided items `after` a place, round the end of the list, `n` at most."""
        after = _whole(query.get("after", "0"), "after")
        n = min(_whole(query.get("n", "1"), "n"), _MOST_ITEMS)
        first = min(after + 1, len(self._rows))
        places = chain(range(first, len(self._rows)), range(first))
        said = ((place, self.review.store.judgement(judge, self._ids[place])) for place in places)
        undecided = islice(((place, one) for place, one in said if not one.is_decided), n)
        return {"items": [listed_item(place, self._rows[place], one) for place, one in undecided]}

    def item(self, judge: str, item: str) -> dict[str, Any]:
        """One item with all that is shown of it."""
        place = self._place(item)
        beside = {
            "place": place,
            "conflict": self._conflict(judge, item),
            "next": self._ids[place + 1] if place + 1 < len(self._ids) else None,
            "previous": self._ids[place - 1] if place else None,
        }
        return {**self._view(self.review, judge, item), **beside}

    def _conflict(self, judge: str, item: str) -> dict[str, str] | None:
        """What the list's file says against what was decided, if it does."""
        found = self.review.conflicts.get(judge, {}).get(item)
        return None if found is None else asdict(found)

    def progress_of(self, judge: str) -> dict[str, Any]:
        """How far a judge is, for whoever coordinates them."""
        seconds = self.review.store.seconds(judge)
        return {
            "judge": judge,
            "list": self.review.path,
            "total": len(self._rows),
            **self._progress(judge),
            "seconds": seconds,
        }

    # ---- changes -----------------------------------------------------------------------------------------------------

    def decide(self, judge: str, item: str, body: object) -> dict[str, Any]:
        """Keep a decision; the answer is made once it is on disk."""
        row = self._rows[self._place(item)]
        sent = _sent(item, body)
        _refuse_verdict(row, sent.decision)
        self._refuse_label(judge, row, sent)
        store = self.review.store
        kept = store.done(judge, sent.request)
        if not kept:
            alike = self._alike(judge, row, sent.decision) if sent.is_for_pattern else []
            try:
                kept = store.decide_all(judge, [sent.decision, *alike], request=sent.request, step=sent.step)
            except RevisionError as error:
                raise RequestError(409, str(error), now=asdict(error.now)) from None
            self._count_time(judge, sent.seconds)
        mine = next((one for one in kept if one.item == item), None)
        if mine is None:
            raise RequestError(422, f"the request {sent.request!r} was made before, for another item")
        return {**asdict(mine), "saved": True, "items": self._listed(kept)}

    def _refuse_label(self, judge: str, row: WorklistRow, sent: _Sent) -> None:
        said = sent.decision
        try:
            refuse_label(
                row.kind, said.verdict, said.label, lambda: self.item(judge, row.id), is_bulk=sent.is_for_pattern
            )
        except LabelError as error:
            raise RequestError(422, str(error)) from None

    def undo(self, judge: str, body: object) -> dict[str, Any]:
        """Take back the last step."""
        return {"items": self._listed(self.review.store.undo(judge, request=_name(_fields(body), "request")))}

    def add_time(self, judge: str, body: object) -> dict[str, Any]:
        """Count time at work that no decision counts."""
        return {"seconds": self.review.store.add_time(judge, _seconds(_fields(body)))}

    # ---- inside ------------------------------------------------------------------------------------------------------

    @cached_property
    def _rows(self) -> Sequence[WorklistRow]:
        every, only = self.review.worklist.rows, self._only
        return every if only is None else [row for row in every if row.id in only]

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {item: place for place, item in enumerate(self._ids)}

    @cached_property
    def _ids(self) -> Sequence[str]:
        return [row.id for row in self._rows]

    @cached_property
    def _kinds(self) -> dict[str, int]:
        return dict(Counter(row.kind for row in self._rows))

    @cached_property
    def _patterns(self) -> Sequence[str]:
        return [question_of(row).pattern for row in self._rows]

    @cached_property
    def _texts(self) -> Sequence[str]:
        """What is searched, row by row."""
        return ["\n".join((row.id, row.sent_id, row.text, row.shown)).casefold() for row in self._rows]

    def _place(self, item: str) -> int:
        try:
            return self._places[item]
        except KeyError:
            raise RequestError(404, f"the list has no item {item!r}") from None

    def _progress(self, judge: str) -> dict[str, int]:
        done, unsure = self._n_decided(judge)
        return {"done": done, "unsure": unsure, "left": len(self._ids) - done - unsure}

    def _n_decided(self, judge: str) -> tuple[int, int]:
        """How many rows have a verdict, and of how many the judge is unsure."""
        store = self.review.store
        if self._only is None:
            return store.n_decided(judge)
        said = [store.judgement(judge, item) for item in self._ids]
        return sum(bool(one.verdict) for one in said), sum(one.unsure and not one.verdict for one in said)

    def _found(
        self, filter_: str, search: str, said: Mapping[str, Judgement], conflicts: Container[str]
    ) -> Iterator[int]:
        is_wanted = self._filter(filter_, said, conflicts)
        for place in range(len(self._ids)):
            if is_wanted(place) and (not search or self._has(place, search, said)):
                yield place

    def _filter(self, name: str, said: Mapping[str, Judgement], conflicts: Container[str]) -> Callable[[int], bool]:
        ids = self._ids
        nothing = Judgement("", "")
        if name.startswith("pattern:"):
            pattern = name.removeprefix("pattern:")
            return lambda place: self._patterns[place] == pattern
        filters: dict[str, Callable[[int], bool]] = {
            "all": lambda _: True,
            "undecided": lambda place: not said.get(ids[place], nothing).is_decided,
            "unsure": lambda place: said.get(ids[place], nothing).unsure,
            "mine": lambda place: said.get(ids[place], nothing).is_decided,
            "noted": lambda place: bool(said.get(ids[place], nothing).note),
            "conflict": lambda place: ids[place] in conflicts,
        }
        if name not in filters:
            raise RequestError(422, f"no such filter: {name!r}; there are {', '.join(filters)} and pattern:TEXT")
        return filters[name]

    def _has(self, place: int, search: str, said: Mapping[str, Judgement]) -> bool:
        one = said.get(self._ids[place])
        return search in self._texts[place] or (one is not None and search in f"{one.label}\n{one.note}".casefold())

    def _alike(self, judge: str, row: WorklistRow, decision: Decision) -> list[Decision]:
        """The same decision for the undecided rows of the same pattern.

        The same choice may have another letter there, as tags are in random order: it is found by what it says.
        """
        question = question_of(row)
        chosen = _chosen(question, decision)
        said = self.review.store.judgements(judge)
        found = []
        for place, pattern in enumerate(self._patterns):
            other = self._ids[place]
            if pattern != question.pattern or other == row.id or (other in said and said[other].is_decided):
                continue
            if self._rows[place].kind != row.kind:
                continue
            choices = question_of(self._rows[place]).choices
            same = next((one for one in choices if one.words == chosen.words), None)
            if same is not None:
                label = same.label if decision.label == chosen.label else decision.label
                found.append(Decision(other, same.verdict, label, decision.note, decision.unsure))
        return found

    def _listed(self, judgements: Sequence[Judgement]) -> list[dict[str, Any]]:
        known = self._places.get  # a list that was made anew may lack rows that were judged
        found = [(place, one) for one in judgements if (place := known(one.item)) is not None]
        return [listed_item(place, self._rows[place], one) for place, one in found]

    def _count_time(self, judge: str, seconds: float) -> None:
        if seconds:
            self._pace[judge].append(seconds)
            self.review.store.add_time(judge, seconds)


def listed_item(place: int, row: WorklistRow, said: Judgement) -> dict[str, Any]:
    """An item as lists have it."""
    return {
        "id": row.id,
        "place": place,
        "kind": row.kind,
        "sent_id": row.sent_id,
        "text": row.text,
        "shown": row.shown,
        "pattern": question_of(row).pattern,
        "verdict": said.verdict,
        "in_words": _in_words(row, said),
        "label": said.label,
        "note": said.note,
        "unsure": said.unsure,
        "revision": said.revision,
    }


def _in_words(row: WorklistRow, said: Judgement) -> str:
    """A verdict as lists show it: of tags, which have letters, the tag."""
    meant = next((one.words for one in question_of(row).choices if one.verdict == said.verdict), said.verdict)
    return meant if row.kind == "token" else said.verdict


def plain_view(review: Review, judge: str, item: str) -> dict[str, Any]:
    """An item from the list alone, without its corpora."""
    found = review.item(judge, review.place_of(item))
    rows = review.worklist.rows
    return {
        **listed_item(found.place, found.row, found.judgement),
        "question": found.question.words,
        "choices": [asdict(choice) for choice in found.question.choices],
        "labels": [],
        "context": None,
        "drawing": None,
        "elsewhere": [],
        "evidence": found.row.score or None,
        "preview": None,
        "next": rows[found.place + 1].id if found.place + 1 < len(rows) else None,
        "previous": rows[found.place - 1].id if found.place else None,
    }


def _is_signature(line: str) -> bool:
    """Whether a line of the head is for programs."""
    return "|" in line and line.startswith(("karat:", "rows:"))


# ---- what is sent ----------------------------------------------------------------------------------------------------


def _chosen(question: ReviewQuestion, decision: Decision) -> Choice:
    """The choice that was made: of those with the verdict, the one with the label, or one that any label goes with."""
    same = [one for one in question.choices if one.verdict == decision.verdict]
    if not same:
        raise RequestError(422, "a whole pattern needs a verdict")
    with_label = [one for one in same if one.label == decision.label and not one.needs_label]
    return next(iter([*with_label, *(one for one in same if one.needs_label), *same]))


def _refuse_verdict(row: WorklistRow, decision: Decision) -> None:
    choices = question_of(row).choices
    allowed = {one.verdict for one in choices} or {*verdicts_of([row.kind]).get(row.kind, ())}
    if decision.verdict and decision.verdict not in allowed:
        raise RequestError(422, f"{decision.verdict!r} is not a verdict of this row: {', '.join(sorted(allowed))}")


def _sent(item: str, body: object) -> _Sent:
    fields = _fields(body)
    revision = fields.get("revision")
    if not isinstance(revision, int) or isinstance(revision, bool) or revision < 0:
        raise RequestError(422, "revision must be the item's, a whole number")
    verdict, label, note = (_text(fields, name) for name in ("verdict", "label", "note"))
    return _Sent(
        _name(fields, "request"),
        None if fields.get("step") is None else _name(fields, "step"),
        Decision(item, verdict, label, note, _flag(fields, "unsure"), revision),
        _flag(fields, "pattern"),
        _seconds({"seconds": 0, **fields}),
    )


def _fields(body: object) -> Mapping[str, object]:
    if not isinstance(body, dict):
        raise RequestError(422, "send an object in JSON")
    return body


def _name(fields: Mapping[str, object], name: str) -> str:
    """What a change, or a step of several, is called."""
    value = fields.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_ID or not value.isprintable():
        raise RequestError(422, f"{name} must be a short text, another one for each change")
    return value


def _text(fields: Mapping[str, object], name: str) -> str:
    """A text as a cell of the list can have it."""
    value = fields.get(name, "")
    if not isinstance(value, str) or len(value) > _LONGEST_TEXT:
        raise RequestError(422, f"{name} must be a text of at most {_LONGEST_TEXT} characters")
    return " ".join(value.encode("utf-8", "replace").decode().split())


def _flag(fields: Mapping[str, object], name: str) -> bool:
    value = fields.get(name, False)
    if not isinstance(value, bool):
        raise RequestError(422, f"{name} must be true or false")
    return value


def _seconds(fields: Mapping[str, object]) -> float:
    value = fields.get("seconds")
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise RequestError(422, "seconds must be a number, 0 or more")
    return min(float(value), _LONGEST_STAY)


def _whole(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise RequestError(422, f"{name} must be a whole number")
    return int(text)
