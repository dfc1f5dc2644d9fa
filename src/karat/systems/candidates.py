"""Which tags a form can have, by a lexicon: a corpus, or a list of forms and tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from karat._arrays import Array, Ids, Indices
from karat._ragged import offsets_of
from karat.corpus import corpus_from_source, read_source
from karat.corpus.source import PathLike
from karat.errors import DataError, Problem
from karat.systems.model_file import Model
from karat.systems.words import columns_of, labelled_words


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The numbers of the labels that forms can have; forms that are not here can have all."""

    of_form: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def of(self, forms: Sequence[str]) -> tuple[Indices, Ids]:
        """Offsets and labels of the candidates of each form, and of the edge of sentences; none means all."""
        if not self.of_form:
            return np.zeros(len(forms) + 2, dtype=np.int64), np.zeros(0, dtype=np.int32)
        every = [self.of_form.get(form, ()) for form in forms]
        labels = np.array([label for some in every for label in some], dtype=np.int32)
        return offsets_of([*map(len, every), 0]).astype(np.int64), labels

    def parts(self) -> Model:
        """What is kept in a file."""
        if not self.of_form:
            return Model("", {}, {}, {})
        arrays: dict[str, Array] = dict(
            zip(("candidate offsets", "candidates"), self.of(list(self.of_form)), strict=True)
        )
        return Model("", {}, arrays, {"candidate forms": list(self.of_form)})

    @classmethod
    def from_parts(cls, model: Model, n_labels: int) -> Candidates:
        """The candidates that were kept."""
        forms, labels = model.lines("candidate forms"), model.numbers("candidates", n_labels)
        offsets = model.offsets("candidate offsets", len(forms) + 1, len(labels)).tolist()
        several = labels.tolist()
        return cls({form: tuple(several[offsets[n] : offsets[n + 1]]) for n, form in enumerate(forms)})


NO_CANDIDATES = Candidates()


def read_candidates(path: PathLike, column: str, labels: Sequence[str]) -> Candidates:
    """The labels that forms have in a corpus or a list (form TAB tag); labels that are not learnt are left out."""
    columns = columns_of(column)
    corpus = corpus_from_source(read_source(path), tag=columns[0], trees=False)
    text = labelled_words(corpus, column)
    number = {label: place for place, label in enumerate(labels)}
    known = np.array([number.get(label, -1) for label in text.labels], dtype=np.int64)
    found: dict[str, dict[int, None]] = {}
    pairs = np.unique(text.words.ids.astype(np.int64) * len(labels) + known.take(text.label_ids))
    for form, label in zip((pairs // len(labels)).tolist(), (pairs % len(labels)).tolist(), strict=True):
        found.setdefault(text.words.forms[form], {})[label] = None
    if not found:
        raise DataError(Problem("K501", "no form has a tag that the training text has", corpus.path))
    return Candidates({form: tuple(some) for form, some in found.items()})
