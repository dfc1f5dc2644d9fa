"""What `karat.adjudicate` returns: what judgements change in the first annotator's file, and what is still open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from karat.agreement.differing_items import DifferingItem
from karat.corpus import Corpus
from karat.corpus.readers.key import Keys
from karat.corpus.worklist import WorklistRow
from karat.result import Result, Table

_FIELDS = ("path", "line", "sentence", "word_number", "word", "column", "old", "new")


@dataclass(frozen=True, slots=True)
class AdjudicatedField:
    """A field of the first annotator's file that gets another value, and the row that says so.

    `thing` is the word, or instance, by its number in the file, from 0; `old` is None where there was nothing.
    """

    thing: int
    item: DifferingItem
    column: str
    old: str | None
    new: str
    judgement: str
    row: WorklistRow

    def to_dict(self) -> dict[str, Any]:
        """The change as plain data."""
        place = self.item.place
        values = (place.path, place.line, self.item.sentence, self.item.number, place.words[place.marked])
        found = dict(zip(_FIELDS, (*values, self.column, self.old, self.new), strict=True))
        row = self.row
        return found | {"judgement": self.judgement, "judgement_line": row.line, "row": row.id, "judge": row.judge}


@dataclass(frozen=True, slots=True)
class RefusedVerdict:
    """A verdict that would keep a sentence's heads from being a tree, and how."""

    item: DifferingItem
    judgement: str
    row: WorklistRow
    why: str

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data."""
        found = {"judgement": self.judgement, "judgement_line": self.row.line, "row": self.row.id}
        return found | {"sentence": self.item.sentence, "word_number": self.item.number, "why": self.why}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Adjudication(Result):
    """What an adjudicator's verdicts on disagreements change in the first annotator's file.

    Of `n_differing` disagreements `n_decided` have a verdict that counts; those on which several adjudicators are
    divided (`n_ties`) and those without a verdict are `undecided` and stay as the first annotator has them. `refused`
    are verdicts that would break a tree; `n_not_adjudicable` disagreements, and `n_alone` words, have no counterpart in
    the tokenisation of the first annotator, or of the others. `unknown_labels` are labels that nobody used before.
    `inputs` are the annotators' files, `written` those into which `write_adjudicated` wrote the corpus.
    """

    text: Corpus | Keys
    names: Sequence[str]
    changes: tuple[AdjudicatedField, ...]
    n_differing: int
    n_decided: int
    n_ties: int
    undecided: tuple[DifferingItem, ...]
    refused: tuple[RefusedVerdict, ...]
    n_not_adjudicable: int
    n_alone: int
    unknown_labels: tuple[str, ...]
    judgements: tuple[str, ...]
    inputs: tuple[str, ...]
    written: tuple[str, ...] = ()

    @property
    def n_changed(self) -> int:
        """How many words, or instances, are changed."""
        return len({one.thing for one in self.changes})

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "judgements": list(self.judgements),
            "written": list(self.written),
            "differing": self.n_differing,
            "decided": self.n_decided,
            "changed": self.n_changed,
            "ties": self.n_ties,
            "not_adjudicable": self.n_not_adjudicable,
            "alone": self.n_alone,
            "unknown_labels": list(self.unknown_labels),
            "changes": [one.to_dict() for one in self.changes],
            "refused": [one.to_dict() for one in self.refused],
            "undecided": [one.to_dict(self.names) for one in self.undecided],
        }

    def records(self) -> Table:
        """One row for each changed field."""
        names = [*_FIELDS, "judgement", "judgement_line", "row", "judge"]
        return Table(names, [list(one.to_dict().values()) for one in self.changes])
