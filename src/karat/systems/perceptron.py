"""A history-based averaged perceptron, greedy, left to right [Collins 2002; Wisniewski & Yvon 2019, §2].

Every word is classified in turn, given the words around it and the two labels before it. A feature is a row of weights,
one a label; a label's score is the sum over the word's features. If the best label is wrong, its weights go down by 1
and those of the right one up. The weights kept are the mean of those after every word of training.

In training the labels before a word are those that the model itself gives (`history="predicted"`, as it will be in new
text), or the gold's. Pairs of forms and labels have their rows by a hash. With many labels (XPOS of Polish, UPOS and
FEATS together) a row only has the labels that its feature has in the gold, so that memory stays in bounds.

Scores are not probabilities; divided by a temperature they are the logarithms of good ones (`calibration`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from karat._arrays import Array, Ids, Indices
from karat._ragged import offsets_of
from karat.inference.resampling import Progress
from karat.systems.dictionaries import with_lexicon_labels
from karat.systems.lexical import LexicalModel, lexical_model
from karat.systems.model_file import Model
from karat.systems.options import PerceptronOptions
from karat.systems.tagger import Tagger, Tagging
from karat.systems.word_features import FEATURE_SETS, ROLES, FeatureRows, FormTables, feature_rows
from karat.systems.words import LabelledWords, WordSequence

if TYPE_CHECKING:
    from karat.systems._compiled_perceptron import CandidateLabels, Rows, RowWeights

_MOST_WEIGHTS = 1 << 25  # with more, a row only has the labels of its feature
_FEWEST_LABELS = 16  # with fewer, rows take as much memory as with so many
_FEWEST_BUCKETS, _MOST_BUCKETS = 16, 25  # as powers of 2
_KEYS_AT_ONCE = 1 << 24


class Perceptron(Tagger):
    """A trained perceptron."""

    system: ClassVar[str] = "perceptron"

    def __init__(
        self,
        column: str,
        labels: tuple[str, ...],
        chosen: PerceptronOptions,
        rows: FeatureRows,
        forms: Mapping[str, int],
        tables: FormTables,
        weights: RowWeights,
        n_bits: int,
        lexical: LexicalModel | None = None,
    ) -> None:
        super().__init__(column, labels)
        self.chosen, self.rows, self.forms, self.tables = chosen, rows, forms, tables
        self.weights, self.n_bits, self.lexical = weights, n_bits, lexical

    def options(self) -> Mapping[str, Any]:
        chosen = self.chosen
        return {
            "features": chosen.features,
            "epochs": chosen.epochs,
            "history": chosen.history,
            "lexicon": chosen.lexicon,
        }

    # ---- training ----------------------------------------------------------------------------------------------------

    @classmethod
    def trained(
        cls, text: LabelledWords, column: str, options: PerceptronOptions, seed: int, progress: Progress | None = None
    ) -> Self:
        from karat.systems import _compiled_perceptron as compiled

        features = FEATURE_SETS[options.features]
        text = with_lexicon_labels(text, options.lexicon, column)
        rows, tables = feature_rows(features, text)
        words, n_labels = text.words, len(text.labels)
        n_bits = _FEWEST_BUCKETS
        if features.pairs:  # as many as words, but not so many that rows could not have all labels any more
            most = (_most_rows(n_labels) - rows.n_rows).bit_length() - 1
            n_bits = max(min(len(words).bit_length(), most), _FEWEST_BUCKETS)
        n_rows = rows.n_rows + (1 << n_bits)
        lexical = None if options.lexicon is None else lexical_model(text, options.lexicon, column)
        of_forms = _candidates(lexical, words.forms)
        of_words = _rows_of(tables, rows, n_bits, n_labels)
        where = (words.offsets.astype(np.int64), words.ids, text.label_ids, of_words)
        weights, width = _untrained(*where, n_rows)
        sums, now = np.zeros(n_rows * n_labels if width else len(weights[1]), dtype=np.int64), 1
        rng = np.random.default_rng([seed, 19])
        for number in range(options.epochs):
            order = rng.permutation(words.n_sentences)
            now = compiled.epoch(order, *where, of_forms, weights, width, sums, now, options.history == "gold")
            if progress is not None:
                progress((number + 1) / options.epochs)
        mean = _mean_weights(weights, width, sums, now, n_labels)
        forms = {form: number for number, form in enumerate(words.forms)}
        return cls(column, text.labels, options, rows, forms, tables, mean, n_bits, lexical)

    # ---- tagging -----------------------------------------------------------------------------------------------------

    def tagging(self, words: WordSequence, *, with_probabilities: bool) -> Tagging:
        from karat.systems import _compiled_perceptron as compiled

        known = np.array([self.forms.get(form, -1) for form in words.forms], dtype=np.int32)
        new = [form for form, number in zip(words.forms, known.tolist(), strict=True) if number < 0]
        tables = self.tables.taken(known, self.rows.tables(new))
        tags = np.zeros(len(words), dtype=np.int32)
        n_labels = len(self.labels)
        scores = np.zeros((len(words) if with_probabilities else 0, n_labels))
        of_words = _rows_of(tables, self.rows, self.n_bits, n_labels)
        of_forms = _candidates(self.lexical, words.forms)
        compiled.tagged(words.offsets.astype(np.int64), words.ids, of_words, of_forms, self.weights, tags, scores)
        return Tagging(tags, scores)

    # ---- its file ----------------------------------------------------------------------------------------------------

    def parts(self) -> Model:
        arrays: dict[str, Array] = {
            f"table {role}": table for role, table in zip(ROLES, self.tables.of_role, strict=True)
        }
        arrays |= {**dict(zip(("starts", "of label", "values"), self.weights, strict=True))}
        texts = {f"values {number}": values for number, values in enumerate(self.rows.values())}
        classes = self.rows.classes
        texts |= {"forms": list(self.forms), "classified": list(classes), "classes": list(classes.values())}
        lexical = self.lexical.parts() if self.lexical else Model("", {}, {}, {})
        header = {"options": dict(self.options()), "bits": self.n_bits, **lexical.header}
        return Model(self.system, header, {**arrays, **lexical.arrays}, {**texts, **lexical.texts})

    @classmethod
    def from_parts(cls, model: Model, column: str, labels: tuple[str, ...]) -> Self:
        chosen = model.value("options", dict)
        n_bits = model.value("bits", int)
        if chosen.get("features") not in FEATURE_SETS or not 0 < n_bits <= _MOST_BUCKETS:
            raise model.problem("unknown features")
        features = FEATURE_SETS[chosen["features"]]
        n_templates = sum(map(len, features.of_role))
        values: list[dict[str | None, int]] = []
        n = 0
        for number in range(n_templates):
            lines = model.lines(f"values {number}")
            values.append({value: n + place for place, value in enumerate(lines)})
            n += len(lines)
        classified = model.lines("classified")
        classes = dict(zip(classified, model.lines("classes", len(classified)), strict=True))
        rows = FeatureRows(features, classes, values)
        forms = model.lines("forms")
        tables = []
        for role, templates in zip(ROLES, features.of_role, strict=True):
            table = model.numbers(f"table {role}", n, least=-1, n_dimensions=2)
            if table.shape != (len(forms) + 1, len(templates)):
                raise model.problem(f"table {role} is of another shape")
            tables.append(table)
        return cls(
            column,
            labels,
            PerceptronOptions(
                chosen["features"], chosen.get("epochs", 0), chosen.get("history", ""), chosen.get("lexicon")
            ),
            rows,
            {form: number for number, form in enumerate(forms)},
            FormTables(tuple(tables)),
            _weights_from(model, n + (1 << n_bits), len(labels)),
            n_bits,
            LexicalModel.from_parts(model, labels) if model.header.get("lexicon kind") else None,
        )


def _candidates(lexical: LexicalModel | None, forms: Sequence[str]) -> CandidateLabels:
    """The labels that each form can have, and the edge of sentences; none means all."""
    if lexical is None:
        return np.zeros(len(forms) + 2, dtype=np.int64), np.zeros(0, dtype=np.int32)
    found = lexical.restricted(forms)
    return offsets_of([*found.sizes, 0]).astype(np.int64), found.values.astype(np.int32)


def _rows_of(tables: FormTables, rows: FeatureRows, n_bits: int, n_labels: int) -> Rows:
    """How words with these tables come to their rows."""
    return (tables.of_role, rows.n_rows, np.uint64((1 << n_bits) - 1), rows.features.pairs, n_labels)


def _most_rows(n_labels: int) -> int:
    """How many rows can have all labels."""
    return _MOST_WEIGHTS // max(n_labels, _FEWEST_LABELS)


def _untrained(offsets: Indices, forms: Ids, labels: Ids, of_words: Rows, n_rows: int) -> tuple[RowWeights, int]:
    """Weights of 0, and the width of rows: 0 if they are too many for all to have all labels."""
    from karat.systems import _compiled_perceptron as compiled

    n_labels = of_words[4]
    if n_rows > _most_rows(n_labels):
        starts, of_label = _labels_of_rows(offsets, forms, labels, of_words, n_rows)
        return (starts, of_label, np.zeros(len(of_label), dtype=np.int16)), 0
    width = -(-n_labels // compiled.WIDTH) * compiled.WIDTH
    line = compiled.WIDTH * np.dtype(np.int16).itemsize
    room = np.zeros(n_rows * width * 2 + line, dtype=np.uint8)
    values = room[-room.ctypes.data % line :][: n_rows * width * 2].view(np.int16)  # no row in two lines of the cache
    return (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32), values), width


def _labels_of_rows(offsets: Indices, forms: Ids, labels: Ids, of_words: Rows, n_rows: int) -> tuple[Indices, Ids]:
    """Which labels each row has while it is trained: those of its feature in the gold."""
    from karat.systems import _compiled_perceptron as compiled

    n_labels = of_words[4]
    n_a_word = sum(table.shape[1] for table in of_words[0]) + compiled.N_PAIRS
    found = np.zeros(0, dtype=np.int64)
    first = 0
    while first < len(offsets) - 1:
        reach = int(offsets[first]) + _KEYS_AT_ONCE // n_a_word
        stop = max(int(np.searchsorted(offsets, reach, side="right")) - 1, first + 1)
        keys = np.empty(n_a_word * int(offsets[stop] - offsets[first]), dtype=np.int64)
        n = compiled.row_labels(first, stop, offsets, forms, labels, of_words, keys)
        found = np.union1d(found, keys[:n])
        first = stop
    rows, of_label = np.divmod(found, n_labels)
    return offsets_of(np.bincount(rows, minlength=n_rows)).astype(np.int64), of_label.astype(np.int32)


def _mean_weights(weights: RowWeights, width: int, sums: Array, n_words: int, n_labels: int) -> RowWeights:
    """The mean of the weights after every word; those that are not 0."""
    starts, of_label, trained = weights
    if width:
        trained = trained.reshape(-1, width)[:, :n_labels].ravel()
    kept = np.flatnonzero((sums != 0) | (trained != 0))  # what was never changed is 0
    mean = trained[kept] - sums[kept] / n_words
    kept, values = kept[mean != 0], mean[mean != 0].astype(np.float32)
    if not width:
        return np.searchsorted(kept, starts).astype(np.int64), of_label[kept], values
    rows, labels = np.divmod(kept, n_labels)
    n_of_rows = np.bincount(rows, minlength=len(trained) // n_labels)
    return (offsets_of(n_of_rows).astype(np.int64), labels.astype(np.int32), values)


def _weights_from(model: Model, n_rows: int, n_labels: int) -> RowWeights:
    """The weights that were kept."""
    values = model.array("values", "float32")
    if not np.isfinite(values).all():
        raise model.problem("values are no numbers")
    of_label = model.numbers("of label", n_labels)
    if len(of_label) != len(values):
        raise model.problem("values are of another number")
    return (model.offsets("starts", n_rows, len(values)), of_label, values)
