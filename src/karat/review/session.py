"""A review: a worklist, the store of what is decided on it, its judges and their files."""

from __future__ import annotations

import json
import os
import threading
import uuid
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from hashlib import blake2b, sha256

from karat.corpus.files import compressed, replace_file
from karat.corpus.source import Source, read_source
from karat.corpus.worklist import Worklist, WorklistRow, spoken, worklist_head
from karat.errors import KaratError, UsageError
from karat.review.judgements import Judgement
from karat.review.list_file import BLANK, Cells, Conflict, ListFile, Merged, cells_of, merged
from karat.review.list_names import file_of_judge
from karat.review.questions import ReviewQuestion, question_of
from karat.review.reading import any_worklist
from karat.review.store import ReviewStore

STORE_SUFFIX = ".karat-review"
_UNSURE = "unsure"


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
    list itself. Methods may be called from any thread.
    """

    path: str
    worklist: Worklist
    store: ReviewStore
    judges: Sequence[str]
    conflicts: dict[str, dict[str, Cells]] = field(default_factory=dict)  # judge → row → what the file says
    _places: dict[str, int] = field(default_factory=dict, repr=False)
    _files: dict[str, _JudgeFile] = field(default_factory=dict, repr=False)
    _mutex: threading.RLock = field(default_factory=threading.RLock, repr=False)

    @classmethod
    def opened(cls, path: str | os.PathLike[str], judges: Sequence[str] = ()) -> Review:
        """The review of a list; what its file says already is taken in."""
        named = _checked_names(judges)
        shown = os.fspath(path)
        if shown == "-":
            raise UsageError("a list that is reviewed must be a file: standard input cannot be kept up to date")
        source = read_source(path)
        worklist, kinds = any_worklist(source)
        if not len(worklist.rows):
            raise UsageError(f"{shown} has no rows to judge")
        places = {item: place for place, item in enumerate(worklist.column("id"))}
        spelled = _Spelling(worklist, places, kinds)
        store = ReviewStore(f"{shown}{STORE_SUFFIX}", _asked(worklist), spelled=spelled)
        try:
            review = cls(shown, worklist, store, named, _places=places)
            for judge in named:
                review._files[judge] = _JudgeFile(judge, review.file_of(judge), review, source.sha256())
                review.bring_up_to_date(judge)
        except BaseException:
            store.close()
            raise
        return review

    def close(self) -> None:
        """Bring all files up to date and close the store; one file that cannot be written does not keep the others."""
        first: KaratError | None = None
        with self._mutex:
            try:
                for judge in self.judges:
                    try:
                        self.bring_up_to_date(judge)
                    except KaratError as error:
                        first = first or error
            finally:
                self.store.close()
        if first is not None:
            raise first

    def __enter__(self) -> Review:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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

    def file_of(self, judge: str) -> str:
        """The file that a judge's verdicts go into."""
        return self.path if len(self.judges) == 1 else file_of_judge(self.path, judge)

    def bring_up_to_date(self, judge: str) -> None:
        """Write what a judge has decided into their file; what was edited there meanwhile is taken in.

        A `DataError` if the file is no list any more, a `UsageError` if it cannot be written; the store keeps what was
        decided.
        """
        with self._mutex:
            self.conflicts[judge] = self._files[judge].bring_up_to_date()


class _JudgeFile:
    """The file of one judge, and how far it has what the store has."""

    def __init__(self, judge: str, path: str, review: Review, digest: str) -> None:
        self.judge, self.path, self.made_from, self.store = judge, path, review.path, review.store
        self._items, self._list, self._digest = review._places, review.worklist, digest  # the list's hash when opened
        self._fact = f"file {os.path.basename(path)} of {judge}"
        self._read: tuple[str, ListFile] | None = None  # the hash of what was parsed last, and that

    def bring_up_to_date(self) -> dict[str, Cells]:
        """Write, take in, and return what contradicts."""
        event, said = self.store.snapshot(self.judge)
        before = self._state()
        is_new = not os.path.exists(self.path) and self.path != self.made_from
        stamp = None if is_new else _stamp(self.path)
        source = read_source(self.made_from if is_new else self.path)
        digest = source.sha256()
        is_edited = is_new or digest != before.sha256
        since = {
            item: [(number, cells_from(one)) for number, one in states]
            for item, states in self.store.states_since(self.judge, before.event, until=event).items()
        }
        if not is_edited and not since:
            return {item: one.cells for item, one in before.conflicts.items()}
        if is_edited:
            worklist = self._worklist(source, digest)
            text = ListFile(source, worklist)
            there = {item: normal(cells) for item, cells in cells_of(worklist).items() if item in self._items}
            decided = self.store.decided_here(self.judge)
            found = self._made(there, said, text) if is_new else _merged(there, said, since, before, text, decided)
        else:
            text = self._parsed(source, digest)
            found = _unedited(said, since, before, text)
        event, conflicts, is_whole = self._keep(found, said, event, before)
        self._read = None  # until what is changed below is in the file
        for item, cells in found.to_write.items():
            text.change(item, cells)
        if found.to_write or is_new:
            digest = self._write(text, stamp)
        self._read = digest, text
        self._keep_state(_FileState(event, digest if is_whole else "", conflicts), before)
        return dict(found.conflicts)

    def _parsed(self, source: Source, digest: str) -> ListFile:
        if self._read is not None and self._read[0] == digest:
            return self._read[1]
        return ListFile(source, self._worklist(source, digest))

    def _worklist(self, source: Source, digest: str) -> Worklist:
        return self._list if digest == self._digest else any_worklist(source)[0]

    def _made(self, there: Mapping[str, Cells], said: Mapping[str, Judgement], text: ListFile) -> Merged:
        """A file that is made from the list: what others have judged there is not shown to this judge."""
        mine = {item: cells for item, cells in there.items() if cells.judge == self.judge}
        ours = {item: cells for item, one in said.items() if (cells := cells_from(one)) != BLANK}
        wanted = {**mine, **ours}
        to_write = {item: wanted.get(item, BLANK) for item in there.keys() | wanted.keys() if item in text}
        taken_in = {item: cells for item, cells in mine.items() if item in self._items and item not in ours}
        return Merged(to_write, taken_in, {})

    def _keep(
        self, found: Merged, said: Mapping[str, Judgement], event: int, before: _FileState
    ) -> tuple[int, dict[str, Conflict], bool]:
        """Take in what the file says, and note conflicts that are new.

        The event that the file is up to comes back, the conflicts, and whether all of it could be taken in.
        """
        old = {item: one for item, one in before.conflicts.items() if found.conflicts.get(item) == one.cells}
        new = {item: cells for item, cells in found.conflicts.items() if item not in old}
        if not (found.taken_in or new):
            return event, old, True

        def judgements(cells: Mapping[str, Cells]) -> Iterator[Judgement]:
            for item, one in cells.items():
                now = said.get(item)
                yield replace(judgement_from(self.judge, item, one), revision=now.revision if now else 0)

        number, is_whole = self.store.take_in(
            self.judge, judgements(found.taken_in), judgements(new), request=f"file {uuid.uuid4()}"
        )
        if number == event + len(found.taken_in) + len(new):  # nobody has decided anything meanwhile
            event = number
        return event, old | {item: Conflict(cells, number) for item, cells in new.items()}, is_whole

    def _write(self, text: ListFile, stamp: tuple[int, ...] | None) -> str:
        data = text.data()
        if stamp is not None and _stamp(self.path) != stamp:
            raise UsageError(f"{self.path} is being written by another program; karat tries again later")
        try:
            replace_file(os.path.realpath(self.path), compressed(data, self.path))
        except OSError as error:
            raise UsageError(f"{self.path} cannot be written: {error.strerror or error}") from None
        return sha256(data).hexdigest()

    def _state(self) -> _FileState:
        data = self.store.fact_as_data(self._fact)
        if data is None:
            return _FileState(0, "", {})
        try:
            conflicts = {item: Conflict(Cells(*cells), event) for item, (cells, event) in data["conflicts"].items()}
            return _FileState(int(data["event"]), str(data["sha256"]), conflicts)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise self.store.damaged() from None

    def _keep_state(self, state: _FileState, before: _FileState) -> None:
        if state == before:
            return
        conflicts = {item: [astuple(one.cells), one.event] for item, one in state.conflicts.items()}
        data = {"event": state.event, "sha256": state.sha256, "conflicts": conflicts}
        self.store.keep_fact(self._fact, json.dumps(data, ensure_ascii=False))


@dataclass(frozen=True, slots=True)
class _FileState:
    """The last event that a file has, its hash then, and the conflicts in it."""

    event: int
    sha256: str
    conflicts: Mapping[str, Conflict]


def _merged(
    there: Mapping[str, Cells],
    said: Mapping[str, Judgement],
    since: Mapping[str, Sequence[tuple[int, Cells]]],
    before: _FileState,
    text: ListFile,
    decided: Container[str],
) -> Merged:
    """What a file that was edited and the store come to, for the rows that both have."""
    ours = {item: cells_from(one) for item, one in said.items() if item in text}
    conflicts = {item: one for item, one in before.conflicts.items() if item in text}
    return merged(there, ours, since, conflicts, decided)


def _unedited(
    said: Mapping[str, Judgement],
    since: Mapping[str, Sequence[tuple[int, Cells]]],
    before: _FileState,
    text: ListFile,
) -> Merged:
    """What is to be written into a file that nobody has edited: only rows that were decided on since."""
    here = [item for item in since if item in text]
    conflicts = {item: one for item, one in before.conflicts.items() if item in said and item in text}
    there = {item: since[item][0][1] for item in here} | {item: one.cells for item, one in conflicts.items()}
    ours = {item: cells_from(said[item]) for item in {*here, *conflicts}}
    return merged(there, ours, since, conflicts, ours)  # nobody has written into it: there is nothing to take in


def _stamp(path: str) -> tuple[int, ...]:
    """What tells whether a file was written since; one that is not there has none."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return ()
    return found.st_mtime_ns, found.st_size, found.st_ino


def _asked(worklist: Worklist) -> dict[str, str]:
    """What each row asks, in a few characters; spaces, which spreadsheets change, do not count."""
    names = ("id", "kind", "sent_id", "start", "end", "text", "shown")
    return {
        item: blake2b(
            "\t".join((kind, sent_id, f"{start} {end}", *map(_spaced, texts))).encode(), digest_size=8
        ).hexdigest()
        for item, kind, sent_id, start, end, *texts in zip(*map(worklist.column, names), strict=True)
    }


def _spaced(text: str) -> str:
    return " ".join(text.split())


class _Spelling:
    """Verdicts as the kinds of rows spell them."""

    def __init__(self, worklist: Worklist, places: Mapping[str, int], kinds: Mapping[str, Sequence[str]]) -> None:
        self._kinds, self._places = worklist.column("kind"), places
        self._known = {kind: {spoken(verdict): verdict for verdict in verdicts} for kind, verdicts in kinds.items()}

    def __call__(self, item: str, verdict: str) -> str:
        kind = self._kinds[self._places[item]]
        allowed = self._known.get(kind, {})
        if spoken(verdict) not in allowed:
            shown = ", ".join(allowed.values())
            raise UsageError(f"{verdict[:60]!r} is not a verdict for the kind {kind}, which allows: {shown}")
        return allowed[spoken(verdict)]


def _checked_names(judges: Sequence[str]) -> list[str]:
    """The names of judges, which are parts of their files' names."""
    named = list(dict.fromkeys(judges)) or [""]
    for name in named:
        if name != name.strip() or not name.isprintable() or set(name) & set('/\\:*?"<>|') or name in (".", ".."):
            raise UsageError(f"{name!r} cannot be the name of a judge: it is part of a file's name")
    if len(named) > 1 and ("" in named or len({name.casefold() for name in named}) < len(named)):
        raise UsageError("several judges need names that differ in more than capitals")
    return named


def cells_from(one: Judgement) -> Cells:
    """A judgement as the file has it; that somebody was not sure is noted."""
    if not one.says_something:
        return BLANK
    note = one.note if not one.unsure else f"{_UNSURE}: {one.note}" if one.note else _UNSURE
    return Cells(one.verdict, one.label, one.author, note)


def judgement_from(judge: str, item: str, cells: Cells) -> Judgement:
    """What a file's row says, as a judgement."""
    unsure, _, note = cells.note.partition(":")
    is_unsure = unsure.strip().casefold() == _UNSURE
    note = note.strip() if is_unsure else cells.note.strip()
    return Judgement(item, judge, cells.verdict, cells.label, note, is_unsure, author=cells.judge)


def normal(cells: Cells) -> Cells:
    """What a file's row says, as karat would write it."""
    return cells_from(judgement_from("", "", cells))


def head_of(path: str | os.PathLike[str]) -> Sequence[str]:
    """What the list says to its judges, and the signature that names its files."""
    return worklist_head(read_source(path))
