"""What `karat.correct` returns: what judgements change in a corpus, and how precise heuristics were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from karat.corpus import Corpus
from karat.corpus.analysed import tags_shown
from karat.corpus.new_choices import Edit
from karat.corpus.open_verdicts import TYPO
from karat.errors import shortened
from karat.gold.heuristic_precision import PRECISION_FIELDS, HeuristicPrecision
from karat.gold.judged_words import JudgedWord
from karat.gold.repeats.judged_repeats import JudgedRow
from karat.result import Result, Table

SCHEMA = "karat/correct/1"
LabelPairs = tuple[tuple[str, str], ...]  # wrong labels, and what is right instead
_FIELDS = ("path", "line", "sent_id", "token", "form", "column", "old", "new")


@dataclass(frozen=True, slots=True)
class Change:
    """A field that gets another value: the word's number in the corpus, where it is, and the row that says so.

    `came_with` is what was judged, where this field was not: it is changed along with that. Several tags of a word have
    tabs between them in `old` and `new`, and spaces where these are shown.
    """

    word: int
    path: str
    line: int
    sent_id: str
    token: int
    form: str
    column: str
    old: str
    new: str
    row: JudgedRow | JudgedWord
    is_general: bool
    came_with: str | None = None

    @property
    def shown(self) -> str:
        """The old and the new value."""
        return f"{tags_shown(self.old)} → {tags_shown(self.new)}"

    def __str__(self) -> str:
        more = ", generalised" * self.is_general + (f", with {self.came_with}" if self.came_with else "")
        reason = f"{self.row.path}:{self.row.line} {self.row.id}{more}"
        return f"{self.path}:{self.line} {self.form} {self.column} {self.shown} ({reason})"

    def to_dict(self) -> dict[str, Any]:
        """The change as plain data."""
        found: dict[str, Any] = {name: getattr(self, name) for name in _FIELDS}
        found |= {"old": tags_shown(self.old), "new": tags_shown(self.new)}
        row = self.row
        found |= {"judgement": row.path, "judgement_line": row.line, "row": row.id, "judge": row.judge}
        return found | {"generalised": self.is_general, "came_with": self.came_with}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A change that is not made, because it would break a tree or does not say where the head is; and why."""

    change: Change
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """The refusal as plain data."""
        found = self.change.to_dict()
        return {name: found[name] for name in (*_FIELDS, "judgement", "judgement_line", "row")} | {
            "reason": self.reason
        }


@dataclass(frozen=True, slots=True)
class UnseenPair:
    """A corrected word whose UPOS and XPOS, or FEATS, never occur together in words that are not corrected."""

    change: Change
    upos: str
    column: str
    value: str

    def __str__(self) -> str:
        place = f"{shortened(self.change.form)!r}, {self.change.path}:{self.change.line}"
        return f"UPOS={self.upos} with {self.column.upper()}={self.value} ({place})"

    def to_dict(self) -> dict[str, Any]:
        """The pair as plain data."""
        where = {name: getattr(self.change, name) for name in ("path", "line", "sent_id", "token", "form")}
        return where | {"upos": self.upos, "column": self.column, "value": self.value}


@dataclass(frozen=True, slots=True)
class GeneralPattern:
    """A word with two labels that was judged, and what follows for rows with the same that nobody judged.

    `right` has each wrong label with the right one; it is empty if verdicts differ, so that nothing is changed. Then
    come the number of rows with a verdict, of those without, and of the fields that change in the latter.
    """

    word: str
    labels: tuple[str, str]
    right: LabelPairs
    n_judged: int
    n_others: int
    n_changes: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The pattern as plain data."""
        return {
            "word": self.word,
            "labels": list(self.labels),
            "right": [{"wrong": wrong, "right": right} for wrong, right in self.right],
            "judged": self.n_judged,
            "others": self.n_others,
            "changes": self.n_changes,
        }


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Corrections(Result):
    """What judgements change in a corpus (None where they were only counted), and how precise heuristics were.

    `is_general` says whether patterns were generalised. `n_rows` are the rows of all lists, `n_judged` those with a
    verdict, `n_unclear` of them those that the guideline does not decide, `n_ties` those on which judges differ so that
    none has the most votes, `n_mixed` those that a person must look at again: some places are wrong, others not, and
    nobody has said which. `precision` is empty for lists that were made in different ways.
    `unknown_labels` are right labels that no word of the corpus has, `opposite` rows that call right what another row
    with the same word and the same two labels calls wrong: both are applied, each to its own places. `refused` are
    changes of heads that are not made. `with_columns` were to change along with what was judged; `n_left` is for each
    of them how many words kept theirs, because the other side has several values or none. `unseen_pairs` are those of
    UPOS, XPOS and FEATS that do not occur elsewhere. `is_word_by_word` says that the lists were of suspects or of
    typos, to which `with_columns` does not apply. `verdicts` are those that count in these lists. `edits` are the
    changes in the bytes of the corpus, `written` the files into which `write_corrected` wrote it.
    """

    corpus: Corpus | None
    is_general: bool
    changes: tuple[Change, ...]
    patterns: tuple[GeneralPattern, ...]
    precision: tuple[HeuristicPrecision, ...]
    n_rows: int
    n_judged: int
    n_ties: int
    n_mixed: int
    unknown_labels: tuple[str, ...]
    opposite: tuple[str, ...]
    judgements: tuple[str, ...]
    signature: str
    refused: tuple[Refusal, ...] = ()
    with_columns: tuple[str, ...] = ()
    n_left: Mapping[str, int] = field(default_factory=dict)
    unseen_pairs: tuple[UnseenPair, ...] = ()
    edits: tuple[Edit, ...] = ()
    written: tuple[str, ...] = ()
    n_unclear: int = 0
    is_word_by_word: bool = False
    verdicts: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What somebody should look at: opposite verdicts, misspelt labels, values that do not fit together, DEPS."""
        found = [*self.opposite]
        found += [f"no word of the corpus has the label {label!r}: is it misspelt?" for label in self.unknown_labels]
        if n := len({one.change.word for one in self.unseen_pairs}):
            words = f"{n:,} corrected words have" if n > 1 else "1 corrected word has"
            others = sorted({one.column if one.change.column == "upos" else "upos" for one in self.unseen_pairs})
            by_hand = self.with_columns or self.is_word_by_word
            advice = "correct them by hand" if by_hand else f'try `with_columns="{",".join(others)}"`'
            found.append(f"{words} tags that no other word has together, such as {self.unseen_pairs[0]}: {advice}")
        if self.verdicts == (TYPO,) and self.n_judged > self.n_unclear + len({one.word for one in self.changes}):
            found.append(
                "of lists of this kind only typos are applied; the verb that made them reads the other verdicts"
            )
        if self.corpus is not None and any(one.column == "head" for one in self.changes) and self.corpus.has("deps"):
            found.append("heads are corrected in HEAD and DEPREL only; the enhanced graph in DEPS stays as it is")
        return tuple(found)

    @property
    def log_text(self) -> str:
        """All changes, one per line."""
        return "".join(f"{change}\n" for change in self.changes)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, in the schema karat/correct/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "written": list(self.written),
            "rows": self.n_rows,
            "judged": self.n_judged,
            "ties": self.n_ties,
            "mixed": self.n_mixed,
            "unclear": self.n_unclear,
            "unknown_labels": list(self.unknown_labels),
            "changes": [one.to_dict() for one in self.changes],
            "patterns": [one.to_dict() for one in self.patterns],
            "precision": [one.to_dict() for one in self.precision],
            "refused": [one.to_dict() for one in self.refused],
            "with": {name: {"left": self.n_left.get(name, 0)} for name in self.with_columns},
            "unseen_pairs": [one.to_dict() for one in self.unseen_pairs],
        }

    def records(self) -> Table:
        """One row for each changed field, or without a corpus for each heuristic."""
        if self.corpus is None:
            rows = [[getattr(one, name) for name in PRECISION_FIELDS] for one in self.precision]
            return Table(PRECISION_FIELDS, rows)
        names = [*_FIELDS, "judgement", "judgement_line", "row", "judge", "generalised", "came_with"]
        changes = (one.to_dict() | {"generalised": int(one.is_general)} for one in self.changes)
        return Table(names, [list(one.values()) for one in changes])
