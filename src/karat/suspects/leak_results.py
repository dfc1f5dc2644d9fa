"""What `karat.leaks` returns."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from karat.corpus import Corpus, PathLike
from karat.corpus.sentence_bytes import kept_sentences
from karat.corpus.write import part_targets, write_parts
from karat.errors import DataError, Problem
from karat.evaluation.results import gold_dict
from karat.result import Cell, Result, Table, plain
from karat.signature import signature
from karat.suspects.leaked_sentences import KINDS, AnnotationDifference, Kind, LeakedSentences
from karat.suspects.near_duplicates import SHINGLE
from karat.suspects.scores_without import ScoresWithout

SCHEMA = "karat/leaks/1"
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Leak:
    """A test sentence that is in the training text; `sentence` and `train_sentence` are numbers from 1.

    `share` of its three-word sequences are in the training sentence; so many training sentences are like it:
    `train_count`. `same_annotation` is None where annotation was not compared, as of near ones.
    """

    sent_id: str | None
    sentence: int
    words: int
    kind: Kind
    share: float
    train_sent_id: str | None
    train_sentence: int
    train_count: int
    same_annotation: bool | None
    differences: tuple[AnnotationDifference, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Leaks(Result):
    """The sentences of a test text that are in the training text, and scores of systems with and without them.

    `near` and `min_words` are those asked for. `warnings` say what must not be overlooked.
    """

    leaked: LeakedSentences
    near: float
    min_words: int
    scores: ScoresWithout = field(default_factory=ScoresWithout)
    warnings: tuple[str, ...] = ()

    @property
    def train(self) -> Corpus:
        return self.leaked.texts[0]

    @property
    def test(self) -> Corpus:
        return self.leaked.texts[1]

    @property
    def formats(self) -> tuple[tuple[str, str], ...]:
        """Which file was read as what."""
        texts = [(one.path, one.format) for one in self.leaked.texts]
        return (*texts, *((one.path, one.format) for one in self.scores.systems))

    @cached_property
    def signature(self) -> str:
        """What was looked for, how and in which inputs."""
        settings = [("near", repr(self.near)), ("shingle", str(SHINGLE)), ("min-words", str(self.min_words))]
        sources = [("train", self.train.source), ("test", self.test.source)]
        sources += [("system", one.source) for one in self.scores.systems if one.source]
        inputs = [(role, one.path, one.sha256()) for role, one in sources]
        return signature("leaks", [*settings, *self.scores.settings], inputs)

    @property
    def n_leaked(self) -> int:
        """How many test sentences are leaks; short ones are none."""
        return int((~self.leaked.short).sum())

    def __len__(self) -> int:
        return self.n_leaked

    @cached_property
    def sentences(self) -> tuple[Leak, ...]:
        """The leaks, in the order of the test text."""
        return self._leaks(np.flatnonzero(~self.leaked.short).tolist())

    @cached_property
    def short(self) -> tuple[Leak, ...]:
        """The sentences that are in the training text but too short to be called leaks."""
        return self._leaks(np.flatnonzero(self.leaked.short).tolist())

    @cached_property
    def _differences(self) -> dict[int, list[AnnotationDifference]]:
        return self.leaked.differences()

    def _leaks(self, rows: list[int]) -> tuple[Leak, ...]:
        found = self.leaked
        words = np.diff(self.test.sentence_offsets)
        return tuple(
            Leak(
                self.test.sent_id(ours),
                ours + 1,
                int(words[ours]),
                KINDS[found.kind[row]],
                round(float(found.share[row]), _DIGITS),
                self.train.sent_id(theirs),
                theirs + 1,
                int(found.n_train[row]),
                found.same_annotation(row),
                tuple(self._differences.get(row, ())),
            )
            for row, ours, theirs in zip(rows, found.test[rows].tolist(), found.train[rows].tolist(), strict=True)
        )

    def differing_columns(self) -> dict[str, int]:
        """In how many leaks each column of the annotation differs somewhere."""
        several = (column for one in self.sentences for column in {each.column for each in one.differences})
        counts = Counter(several)
        return {column: counts[column] for column in self.leaked.columns}

    def to_dict(self) -> dict[str, Any]:
        """The leaks as plain data, in the schema karat/leaks/1."""
        found = self.leaked
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "train": gold_dict(self.train),
            "test": gold_dict(self.test),
            "near": self.near,
            "shingle": SHINGLE,
            "min_words": self.min_words,
            "leaked": self.n_leaked,
            "leaked_words": found.n_words(~found.short),
            "kinds": {kind: int(found.of_kind(kind).sum()) for kind in KINDS},
            "columns": list(found.columns),
            "annotated_differently": int((found.differs & ~found.short).sum()),
            "differing_columns": self.differing_columns(),
            "sentences": plain(self.sentences),
            "short": plain(self.short),
            **self.scores.to_dict(),
            "warnings": list(self.warnings),
        }

    def records(self) -> Table:
        """One row for each test sentence that is in the training text, also the short ones."""
        columns = "sent_id sentence words kind share train_sent_id train_sentence train_count".split()
        both = [(one, "no") for one in self.sentences] + [(one, "yes") for one in self.short]
        rows: list[list[Cell]] = []
        for one, is_short in both:
            same = None if one.same_annotation is None else "yes" if one.same_annotation else "no"
            rows.append([*(getattr(one, name) for name in columns), same, is_short])
        return Table([*columns, "same_annotation", "short"], rows)

    def view(self) -> Table:
        """The leaks, with the text of the test sentence."""
        rows: list[list[Cell]] = []
        for one in self.sentences:
            ours, theirs = (
                one.sent_id or f"sentence {one.sentence}",
                one.train_sent_id or f"sentence {one.train_sentence}",
            )
            rows.append([ours, one.kind, f"{100 * one.share:.0f} %", theirs, self.test.sentence_text(one.sentence - 1)])
        title = f"{self.n_leaked:,} of {self.test.n_sentences:,} test sentences are in {self.train.path}, or nearly so"
        return Table(["test", "kind", "share", "train", "text"], rows, title, self.warnings)


def write_without_leaks(leaks: Leaks, path: PathLike) -> tuple[str, ...]:
    """Write the test text without its leaks, byte for byte; several files into a folder, each under its name.

    The paths written. Inputs are kept; a `DataError` if no sentence is left.
    """
    text, kept = leaks.test, ~leaks.leaked.is_leaked
    if not kept.any():
        message = "every sentence is in the training text, or nearly so: none is left to write"
        raise DataError(Problem("K930", message, text.path, hint="give the text that the systems were trained on"))
    inputs = [part.path for one in leaks.leaked.texts for part in one.source.parts]
    inputs += [part.path for one in leaks.scores.systems if one.source for part in one.source.parts]
    targets = part_targets(text.source, path, inputs)
    write_parts(path, targets, [kept_sentences(text, kept, part=part) for part in range(len(targets))])
    return tuple(targets)
