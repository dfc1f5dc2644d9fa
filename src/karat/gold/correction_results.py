"""What `karat.correct` returns: what judgements change in a corpus, and how precise heuristics were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from karat.corpus import Corpus
from karat.gold.heuristic_precision import PRECISION_FIELDS, HeuristicPrecision
from karat.gold.repeats.judged_repeats import JudgedRow
from karat.result import Result, Table

__all__ = ["Change", "Corrections", "GeneralPattern", "LabelPairs"]

SCHEMA = "karat/correct/1"
LabelPairs = tuple[tuple[str, str], ...]  # wrong labels, and what is right instead
_FIELDS = ("path", "line", "sent_id", "token", "form", "column", "old", "new")


@dataclass(frozen=True, slots=True)
class Change:
    """A field that gets another value: the word's number in the corpus, where it is, and the row that says so."""

    word: int
    path: str
    line: int
    sent_id: str
    token: int
    form: str
    column: str
    old: str
    new: str
    row: JudgedRow
    is_general: bool

    def __str__(self) -> str:
        general = ", generalised" if self.is_general else ""
        reason = f"{self.row.path}:{self.row.line} {self.row.id}{general}"
        return f"{self.path}:{self.line} {self.form} {self.column} {self.old} → {self.new} ({reason})"

    def to_dict(self) -> dict[str, Any]:
        """The change as plain data."""
        found: dict[str, Any] = {name: getattr(self, name) for name in _FIELDS}
        row = self.row
        found |= {"judgement": row.path, "judgement_line": row.line, "row": row.id, "judge": row.judge}
        return found | {"generalised": self.is_general}


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
    verdict, `n_ties` those on which judges differ so that none has the most votes, `n_mixed` those that a person must
    look at again: some places are wrong, others not. `precision` is empty for lists that were made in different ways.
    `unknown_labels` are right labels that no word of the corpus has, `opposite` rows that call right what another row
    with the same word and the same two labels calls wrong: both are applied, each to its own places. `written` are the
    files into which `write_corrected` wrote the corrected corpus.
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
    written: tuple[str, ...] = ()

    @property
    def new_values(self) -> dict[tuple[int, str], str]:
        """The new value of each field, as `karat.corpus.changed_bytes` takes them."""
        return {(one.word, one.column): one.new for one in self.changes}

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
            "unknown_labels": list(self.unknown_labels),
            "changes": [one.to_dict() for one in self.changes],
            "patterns": [one.to_dict() for one in self.patterns],
            "precision": [one.to_dict() for one in self.precision],
        }

    def records(self) -> Table:
        """One row for each changed field, or without a corpus for each heuristic."""
        if self.corpus is None:
            rows = [[getattr(one, name) for name in PRECISION_FIELDS] for one in self.precision]
            return Table(PRECISION_FIELDS, rows)
        names = [*_FIELDS, "judgement", "judgement_line", "row", "judge", "generalised"]
        changes = (one.to_dict() | {"generalised": int(one.is_general)} for one in self.changes)
        return Table(names, [list(one.values()) for one in changes])
