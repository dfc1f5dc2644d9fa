"""What `karat.diff` returns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from karat._arrays import Indices
from karat.corpus import Corpus
from karat.errors import Problem
from karat.result import Cell, Result, Table, attributes, plain
from karat.signature import signature
from karat.suspects.conventions import ColumnChanges, Convention
from karat.suspects.rescored import Rescored
from karat.suspects.sentence_pairs import SentencePairs
from karat.suspects.version_rows import (
    LabelChange,
    RenamedDocument,
    SentencePairRow,
    SentenceRow,
    TokenChange,
    VersionPlaces,
    WordPlace,
    renamed_documents,
)
from karat.suspects.word_pairs import WordPairs

SCHEMA = "karat/diff/1"
_N_SHOWN = 20  # conventions in a notebook


@dataclass(frozen=True, eq=False, repr=False)
class VersionDiff(Result):
    """What changed between two versions of a corpus.

    `columns` were compared; `not_compared` are those that only one version has, with its name. `parts` are, for
    versions that are treebanks' folders, the parts that the sentences of each are in.
    """

    names: tuple[str, str]
    old: Corpus
    new: Corpus
    columns: tuple[str, ...]
    not_compared: tuple[tuple[str, str], ...]
    sentences: SentencePairs
    words: WordPairs
    by_column: tuple[ColumnChanges, ...]
    parts: tuple[Sequence[str], Sequence[str]] | None = None
    rescored: Rescored | None = None

    # ---- labels ------------------------------------------------------------------------------------------------------

    @cached_property
    def conventions(self) -> tuple[Convention, ...]:
        """The conventions, those with most places first; their numbers count from 1."""
        found = [one for column in self.by_column for one in column.conventions]
        return tuple(sorted(found, key=lambda one: -len(one.places)))

    @property
    def n_changed(self) -> int:
        """Labels that changed."""
        return sum(int(one.labels.changed.sum()) for one in self.by_column)

    @property
    def n_sporadic(self) -> int:
        """Labels that changed and that no convention explains."""
        return sum(len(one.sporadic) for one in self.by_column)

    def n_changed_in(self, column: str) -> int:
        """Labels that changed in a column, of FEATS all features together."""
        return sum(int(one.labels.changed.sum()) for one in self.by_column if one.labels.column == column)

    def sporadic(self, n: int | None = None) -> list[LabelChange]:
        """The first n of the changes that no convention explains, in the order of the new version, or all."""
        column = np.repeat(np.arange(len(self.by_column)), [len(one.sporadic) for one in self.by_column])
        rows = np.concatenate([one.sporadic for one in self.by_column]) if self.by_column else column
        order = np.lexsort((column, self.words.new[rows]))[:n]
        column, rows = column[order], rows[order]
        found: list[LabelChange | None] = [None] * len(order)
        for number, one in enumerate(self.by_column):
            places = np.flatnonzero(column == number)
            for place, change in zip(places.tolist(), self._changes(one, rows[places]), strict=True):
                found[place] = change
        return [one for one in found if one is not None]

    def explained(self) -> list[LabelChange]:
        """The changes that conventions explain, convention by convention."""
        by_labels = {(one.labels.column, one.labels.feature): one for one in self.by_column}
        return [
            change
            for number, one in enumerate(self.conventions, start=1)
            for change in self._changes(by_labels[one.column, one.feature], one.places, number)
        ]

    def example(self, convention: Convention) -> WordPlace:
        """The first place of a convention in the new version."""
        return self._new_places.words(self.words.new[convention.places].min(keepdims=True))[0]

    def exceptions(self, convention: Convention) -> list[WordPlace]:
        """The places that a convention could have changed and that kept the old label."""
        return self._new_places.words(np.sort(self.words.new[convention.unchanged]))

    def _changes(self, column: ColumnChanges, rows: Indices, convention: int | None = None) -> Iterator[LabelChange]:
        labels = column.labels
        our_words, their_words = self.words.old[rows], self.words.new[rows]
        if labels.column == "head":
            before: Sequence[str | None] = self._old_places.heads(our_words)
            after: Sequence[str | None] = self._new_places.heads(their_words)
        else:
            before, after = ([labels.values[one] for one in of[rows].tolist()] for of in (labels.old, labels.new))
        places = self._new_places.words(their_words), self._old_places.words(our_words)
        for place, was, old, new in zip(*places, before, after, strict=True):
            yield LabelChange(labels.column, labels.feature, place, was, old, new, convention)

    # ---- tokens, sentences, documents --------------------------------------------------------------------------------

    @cached_property
    def retokenised(self) -> list[TokenChange]:
        """Where the same characters are other words, in the order of the new version."""
        found = self.words.retokenised
        order = np.argsort(found.new_start, kind="stable")
        places = self._new_places.words(found.new_start[order]), self._old_places.words(found.old_start[order])
        changes = []
        for number, place, was in zip(order.tolist(), *places, strict=True):
            old = _forms(self.old, int(found.old_start[number]), int(found.old_stop[number]))
            new = _forms(self.new, int(found.new_start[number]), int(found.new_stop[number]))
            changes.append(TokenChange(found.kind(number), place, was, old, new))
        return changes

    @property
    def n_retokenised(self) -> int:
        """Sentences with other tokens but the same text."""
        return len(np.unique(self.words.retokenised.pair))

    @cached_property
    def removed(self) -> list[SentenceRow]:
        """Sentences that only the old version has."""
        gone = np.setdiff1d(np.arange(self.old.n_sentences), self.sentences.old)
        return [self._old_places.sentence(one) for one in gone.tolist()]

    @cached_property
    def added(self) -> list[SentenceRow]:
        """Sentences that only the new version has."""
        new = np.setdiff1d(np.arange(self.new.n_sentences), self.sentences.new)
        return [self._new_places.sentence(one) for one in new.tolist()]

    @cached_property
    def edited(self) -> list[SentencePairRow]:
        """Sentences with another text."""
        return self._pair_rows(np.flatnonzero(~self.sentences.same_text))

    @cached_property
    def moved(self) -> list[SentencePairRow]:
        """Sentences that are not where the others are: in another order, or in another part of the treebank."""
        moved = self.sentences.out_of_order()
        if self.parts is not None:
            was, is_now = (np.array(one, dtype=object) for one in self.parts)
            others = np.flatnonzero(was[self.sentences.old] != is_now[self.sentences.new])
            moved = np.union1d(moved, others)
        return self._pair_rows(moved)

    @cached_property
    def renamed(self) -> list[SentencePairRow]:
        """Sentences with another sent_id."""
        names = [corpus.sent_ids.strings() for corpus in (self.old, self.new)]
        pairs = zip(self.sentences.old.tolist(), self.sentences.new.tolist(), strict=True)
        differ = [number for number, (old, new) in enumerate(pairs) if names[0][old] != names[1][new]]
        return self._pair_rows(np.array(differ, dtype=np.intp))

    @cached_property
    def documents(self) -> list[RenamedDocument]:
        """Documents under another name."""
        return renamed_documents(self.old, self.new, self.sentences.old, self.sentences.new)

    def _pair_rows(self, pairs: Indices) -> list[SentencePairRow]:
        found = []
        for old, new in zip(self.sentences.old[pairs].tolist(), self.sentences.new[pairs].tolist(), strict=True):
            parts = None if self.parts is None else (self.parts[0][old], self.parts[1][new])
            between = parts if parts and parts[0] != parts[1] else None
            found.append(SentencePairRow(self._old_places.sentence(old), self._new_places.sentence(new), between))
        return found

    @property
    def is_different(self) -> bool:
        """Whether anything that was compared differs."""
        lists = (self.retokenised, self.removed, self.added, self.edited, self.moved, self.renamed, self.documents)
        return bool(self.n_changed or any(lists))

    # ---- as data -----------------------------------------------------------------------------------------------------

    @property
    def formats(self) -> tuple[tuple[str, str], ...]:
        others = self.rescored.formats if self.rescored else ()
        return (*((corpus.path, corpus.format) for corpus in (self.old, self.new)), *others)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is odd about the inputs."""
        return (*self.old.warnings, *self.new.warnings)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What must not be overlooked of scores."""
        return self.rescored.warnings if self.rescored else ()

    @cached_property
    def signature(self) -> str:
        """What was compared, and on which inputs."""
        inputs = [(role, one.path, one.source.sha256()) for role, one in (("old", self.old), ("new", self.new))]
        settings = [("columns", ",".join(self.columns))]
        if self.rescored:
            inputs += [("system", *one) for one in self.rescored.sources]
            settings.append(("level", repr(self.rescored.level)))
        return signature("diff", settings, inputs)

    @cached_property
    def _old_places(self) -> VersionPlaces:
        return VersionPlaces(self.old)

    @cached_property
    def _new_places(self) -> VersionPlaces:
        return VersionPlaces(self.new)

    def to_dict(self) -> dict[str, Any]:
        """The differences as plain data, in the schema karat/diff/1."""
        versions = zip(("old", "new"), self.names, (self.old, self.new), strict=True)
        sizes = {
            which: {"name": name, "sentences": corpus.n_sentences, "words": corpus.n_words}
            for which, name, corpus in versions
        }
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            **sizes,
            "different": self.is_different,
            "columns": list(self.columns),
            "not_compared": [{"column": column, "only_in": name} for column, name in self.not_compared],
            "words": len(self.words.old),
            "changed": {"labels": self.n_changed, **{one: self.n_changed_in(one) for one in self.columns}},
            "explained": self.n_changed - self.n_sporadic,
            "sporadic": self.n_sporadic,
            "retokenised_sentences": self.n_retokenised,
            "conventions": [self._convention_dict(one) for one in self.conventions],
            "changes": [one.to_dict() for one in self.sporadic()],
            "tokenisation": [one.to_dict() for one in self.retokenised],
            "sentences": {
                "paired": len(self.sentences),
                **attributes(self, "added removed"),
                "changed": [one.to_dict(with_text=True) for one in self.edited],
                "moved": [one.to_dict(with_text=False) for one in self.moved],
                "renamed": [one.to_dict(with_text=False) for one in self.renamed],
            },
            "documents": {"renamed": plain(self.documents)},
            "rescored": plain(self.rescored),
        }

    def _convention_dict(self, one: Convention) -> dict[str, Any]:
        return {
            **attributes(one, "column feature scope old new"),
            "count": len(one.places),
            "unchanged": len(one.unchanged),
            "others": one.n_others,
            "example": plain(self.example(one)),
            "exceptions": plain(self.exceptions(one)),
        }

    def records(self) -> Table:
        """One row for each change: of a label, of words, of a sentence or of a document."""
        columns = ["kind", "column", "convention", "sent_id", "sentence", "token", "form", "old", "new"]
        columns += ["old_sent_id", "old_token"]
        return Table(columns, [*self._label_records(), *self._other_records()])

    def _label_records(self) -> Iterator[list[Cell]]:
        for one in (*self.explained(), *self.sporadic()):
            at, was = one.place, one.old_place
            start: list[Cell] = ["label" if one.convention is None else "convention", one.column, one.convention]
            where: list[Cell] = [at.sent_id, at.sentence, at.token, at.form]
            yield [*start, *where, one.old, one.new, was.sent_id, was.token]

    def _other_records(self) -> Iterator[list[Cell]]:
        for one in self.retokenised:
            at, was = one.place, one.old_place
            forms = " ".join(one.old), " ".join(one.new)
            yield [one.kind, None, None, at.sent_id, at.sentence, at.token, None, *forms, was.sent_id, was.token]
        for gone in self.removed:
            yield ["removed", *[None] * 6, gone.text, None, gone.sent_id, None]
        for new in self.added:
            yield ["added", None, None, new.sent_id, new.sentence, None, None, None, new.text, None, None]
        for kind, rows in (("edited", self.edited), ("moved", self.moved), ("renamed", self.renamed)):
            for row in rows:
                texts = (row.old.text, row.new.text) if kind == "edited" else row.parts or (None, None)
                where: list[Cell] = [row.new.sent_id, row.new.sentence, None, None]
                yield [kind, None, None, *where, *texts, row.old.sent_id, None]
        for document in self.documents:
            yield ["document", *[None] * 6, document.old, document.new, None, None]

    def view(self) -> Table:
        """The conventions, those with most places first."""
        rows: list[list[Cell]] = [
            [one.column, shown_scope(one), one.old or "–", one.new or "–", len(one.places), len(one.unchanged)]
            for one in self.conventions[:_N_SHOWN]
        ]
        explained = self.n_changed - self.n_sporadic
        title = f"{len(self.conventions):,} conventions explain {explained:,} of {self.n_changed:,} changed labels"
        return Table(["column", "words", "old", "new", "places", "unchanged"], rows, title)


def shown_scope(convention: Convention) -> str:
    """Which words a convention is about: `to`, `to (ADP)`, `all ADP`, `all words`."""
    scope = dict(convention.scope)
    word = scope.pop("lemma", None) or scope.pop("form", None)
    if word is None:
        return f"all {next(iter(scope.values()), 'words')}"
    return f"{word} ({next(iter(scope.values()))})" if scope else word


def shown_change(old: str | None, new: str | None) -> str:
    """A change of a label: `NOUN → VERB`; of a feature `Case=Nom → Acc`, or `– → Case=Nom` where it was added.

    >>> shown_change("NOUN", "VERB"), shown_change("Case=Nom", "Case=Acc"), shown_change("Case=Nom", None)
    ('NOUN → VERB', 'Case=Nom → Acc', 'Case=Nom → –')
    """
    name, equals, value = (new or "").partition("=")
    if equals and value and (old or "").startswith(f"{name}="):
        return f"{old} → {value}"
    return f"{old or '–'} → {new or '–'}"


def _forms(corpus: Corpus, start: int, stop: int) -> tuple[str, ...]:
    form = corpus.column("form")
    return tuple(form.vocabulary.strings[one] for one in form.ids[start:stop].tolist())
