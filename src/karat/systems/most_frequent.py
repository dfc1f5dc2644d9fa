"""The baseline: every form gets the label it has most often in training, unknown ones that of unknown words.

What unknown words have is what forms that occur once have, or with `suffixes` what their endings say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from karat._arrays import Array, Floats
from karat._numbering import numbered_pairs
from karat._ragged import Ragged, offsets_of, places_of_rows
from karat.inference.resampling import Progress
from karat.systems.model_file import Model
from karat.systems.options import MostFrequentOptions
from karat.systems.suffixes import Suffixes, suffixes_of
from karat.systems.tagger import Tagger, Tagging
from karat.systems.words import LabelledWords, WordSequence


class MostFrequent(Tagger):
    """How often each form has each label, and the shares of labels among unknown words."""

    system: ClassVar[str] = "most-frequent"

    def __init__(
        self,
        column: str,
        labels: tuple[str, ...],
        chosen: MostFrequentOptions,
        forms: dict[str, int],
        counts: Ragged,
        of_unknown: Floats,
        suffixes: Suffixes | None,
    ) -> None:
        super().__init__(column, labels)
        self.chosen, self.forms, self.counts = chosen, forms, counts
        self.of_unknown, self.suffixes = of_unknown, suffixes

    def options(self) -> Mapping[str, Any]:
        return {"suffixes": self.chosen.suffixes}

    @classmethod
    def trained(
        cls,
        text: LabelledWords,
        column: str,
        options: MostFrequentOptions,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> Self:
        words, n_labels = text.words, len(text.labels)
        forms, labels, pairs = numbered_pairs(words.ids, text.label_ids, len(words.forms), n_labels)
        counts = np.bincount(pairs, minlength=len(forms)).astype(np.float64)
        is_single = np.bincount(words.ids, minlength=len(words.forms))[words.ids] == 1
        of_unknown = np.bincount(text.label_ids[is_single], minlength=n_labels).astype(np.float64)
        if not of_unknown.any():
            of_unknown = np.bincount(text.label_ids, minlength=n_labels).astype(np.float64)
        return cls(
            column,
            text.labels,
            options,
            {form: number for number, form in enumerate(words.forms)},
            Ragged(offsets_of(np.bincount(forms, minlength=len(words.forms))), labels, counts),
            of_unknown / of_unknown.sum(),
            suffixes_of(text) if options.suffixes else None,
        )

    def tagging(self, words: WordSequence, *, with_probabilities: bool) -> Tagging:
        scores = self._log_shares(words)
        tags = scores.argmax(axis=1).astype(np.int32) if len(words.forms) else np.zeros(0, dtype=np.int32)
        every = scores.take(words.ids, axis=0) if with_probabilities else scores[:0]
        return Tagging(tags.take(words.ids), every)

    def _log_shares(self, words: WordSequence) -> Floats:
        """The logarithm of each label's share, of each form; -inf for labels that a known form never has."""
        assert self.counts.weights is not None
        known = np.array([self.forms.get(form, -1) for form in words.forms], dtype=np.intp)
        is_known = known >= 0
        places, sizes = places_of_rows(self.counts.offsets, known[is_known])
        shares = np.zeros((len(known), len(self.labels)))
        rows = np.repeat(np.flatnonzero(is_known), sizes)
        shares[rows, self.counts.values.take(places)] = self.counts.weights.take(places)
        new = np.flatnonzero(~is_known)
        if self.suffixes is None:
            shares[new] = self.of_unknown
        else:
            shares[new] = self.suffixes.probabilities([words.forms[number] for number in new.tolist()])
        with np.errstate(divide="ignore"):
            found: Floats = np.log(shares / shares.sum(axis=1, keepdims=True))
        return found

    def parts(self) -> Model:
        assert self.counts.weights is not None
        arrays: dict[str, Array] = {
            "offsets": self.counts.offsets.astype(np.int64),
            "labels of forms": self.counts.values.astype(np.int32),
            "counts": self.counts.weights.astype(np.int32),
            "of unknown": self.of_unknown,
        }
        others = self.suffixes.parts() if self.suffixes else Model("", {}, {}, {})
        texts = {"forms": list(self.forms), **others.texts}
        return Model(self.system, {"options": dict(self.options())}, {**arrays, **others.arrays}, texts)

    @classmethod
    def from_parts(cls, model: Model, column: str, labels: tuple[str, ...]) -> Self:
        chosen = MostFrequentOptions(bool(model.value("options", dict).get("suffixes")))
        forms, of_forms = model.lines("forms"), model.numbers("labels of forms", len(labels))
        offsets, counts = model.offsets("offsets", len(forms), len(of_forms)), model.numbers("counts", 1 << 31, least=1)
        of_unknown = model.array("of unknown", "float64")
        is_wrong = len(counts) != len(of_forms) or len(of_unknown) != len(labels) or (np.diff(offsets) == 0).any()
        if is_wrong or not np.isfinite(of_unknown).all() or (of_unknown < 0).any() or not of_unknown.any():
            raise model.problem("counts do not fit together")
        return cls(
            column,
            labels,
            chosen,
            {form: number for number, form in enumerate(forms)},
            Ragged(offsets.astype(np.intp), of_forms.astype(np.intp), counts.astype(np.float64)),
            of_unknown,
            Suffixes.from_parts(model, len(labels)) if chosen.suffixes else None,
        )
