"""An averaged perceptron for rich tags: it chooses among the tags a word can have, and learns about their parts.

A tag such as `subst:sg:gen:f` is seen as itself and as its *outputs*: its part of speech, its case, number and gender,
and some of these together. A feature of a word has a weight with each output, and a tag's score is the sum over its
outputs: what is learnt of genitives holds for all tags with a genitive. Features look at the word, at those around it,
at which tags these can have (their *class* in the lexicon), and at the two tags before, again whole and in parts.

Words are tagged from left to right, so that the tags behind a word are not known. A *guide*, a hidden Markov model of
bigrams, has tagged the text before: its tags of the word and of those behind it are features [stacked learning: Cohen
2005]. In training, candidates and the guide's tags come from models of the other parts of the text, so that unknown
words and the guide's errors are met as they will be. Weights are the mean of those after every word [Collins 2002],
in a table that is addressed by hashes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from karat._arrays import Array, Ids
from karat._ragged import Ragged, offsets_of
from karat.inference.resampling import Progress
from karat.systems.categories import TagCategories, tag_categories
from karat.systems.dictionaries import labels_of_forms, with_lexicon_labels
from karat.systems.hmm import Hmm
from karat.systems.lexical import LexicalModel
from karat.systems.model_file import Model
from karat.systems.options import HmmOptions, PerceptronOptions
from karat.systems.tagger import Tagger, Tagging
from karat.systems.word_features import shape
from karat.systems.words import LabelledWords, WordSequence

if TYPE_CHECKING:
    from karat.systems._compiled_category_perceptron import Lattice, Views

_N_BITS = 22
_MOST_BITS = 26
_N_BLOCKS = 8
_PARTS = (("pos",), ("case",), ("number",), ("gender",), ("pos", "case"), ("number", "case", "gender"))
_SEEN_PARTS = (("pos", "case"), ("number", "case", "gender"))  # of tags around, beside the whole tag
_CURRENT = (
    "form",
    "suffix 3",
    "class",
    "lower",
    "suffix 1",
    "suffix 2",
    "suffix 4",
    "prefix 3",
    "shape",
    "pos",
    "case",
)
_BESIDE = ("lower", "class", "suffix 3", "pos", "case", "number gender")
_FAR = ("lower", "class", "pos", "case")
_OF_CANDIDATES = {"class": (), "pos": ("pos",), "case": ("pos", "case"), "number gender": ("number", "gender")}


class CategoryPerceptron(Tagger):
    """A trained perceptron over the categories of tags."""

    system: ClassVar[str] = "perceptron"
    kept_as: ClassVar[str] = "perceptron over categories"

    def __init__(
        self,
        column: str,
        labels: tuple[str, ...],
        chosen: PerceptronOptions,
        guide: Hmm,
        categories: TagCategories,
        weights: Array,
    ) -> None:
        super().__init__(column, labels)
        self.chosen, self.guide, self.categories, self.weights = chosen, guide, categories, weights

    def options(self) -> Mapping[str, Any]:
        return {"epochs": self.chosen.epochs, "lexicon": self.chosen.lexicon, "tagset": self.chosen.tagset}

    @classmethod
    def trained(
        cls, text: LabelledWords, column: str, options: PerceptronOptions, seed: int, progress: Progress | None = None
    ) -> Self:
        from karat.systems import _compiled_category_perceptron as compiled

        assert options.tagset is not None
        text = with_lexicon_labels(text, options.lexicon, column)
        categories = tag_categories(text.labels, options.tagset)
        guide = Hmm.trained(text, column, HmmOptions(1, options.lexicon))
        views = _views(guide.lexical, categories, text.words.forms)
        lattice = _lattice(text.words, *_of_other_blocks(text, column, guide.chosen))
        weights, sums = np.zeros(1 << _N_BITS, dtype=np.int32), np.zeros(1 << _N_BITS, dtype=np.int64)
        rng, now = np.random.default_rng([seed, 29]), 1
        for number in range(options.epochs):
            order = rng.permutation(text.words.n_sentences)
            now = compiled.epoch(order, lattice, text.label_ids, views, weights, sums, now, _N_BITS)
            if progress is not None:
                progress((number + 1) / options.epochs)
        mean = (weights - sums / now).astype(np.float32)
        return cls(column, text.labels, options, guide, categories, mean)

    def tagging(self, words: WordSequence, *, with_probabilities: bool) -> Tagging:
        from karat.systems import _compiled_category_perceptron as compiled

        found = self.guide.lexical.of(words.forms).taken(words.ids.astype(np.intp))
        views = _views(self.guide.lexical, self.categories, words.forms)
        lattice = _lattice(words, found, self.guide.tag(words))
        tags, scores = np.zeros(len(words), dtype=np.int32), np.zeros(len(found.values))
        compiled.tagged(lattice, views, self.weights, len(self.weights).bit_length() - 1, tags, scores)
        every = np.full((len(words) if with_probabilities else 0, len(self.labels)), -np.inf)
        if with_probabilities:
            every[found.owners, found.values] = scores
        return Tagging(tags, every)

    # ---- its file ----------------------------------------------------------------------------------------------------

    def parts(self) -> Model:
        places = np.flatnonzero(self.weights)
        arrays: dict[str, Array] = {"places": places.astype(np.int32), "values": self.weights[places]}
        of = self.guide.parts()
        header = {**of.header, "options": dict(self.options()), "bits": len(self.weights).bit_length() - 1}
        return Model(self.kept_as, header, {**arrays, **of.arrays}, of.texts)

    @classmethod
    def from_parts(cls, model: Model, column: str, labels: tuple[str, ...]) -> Self:
        chosen, n_bits = model.value("options", dict), model.value("bits", int)
        epochs, lexicon, tagset = (chosen.get(name) for name in ("epochs", "lexicon", "tagset"))
        if not 0 < n_bits <= _MOST_BITS or not isinstance(tagset, str) or not isinstance(epochs, int):
            raise model.problem("unknown options")
        places, values = model.numbers("places", 1 << n_bits), model.array("values", "float32")
        if len(places) != len(values) or not np.isfinite(values).all():
            raise model.problem("values are no numbers")
        weights = np.zeros(1 << n_bits, dtype=np.float32)
        weights[places] = values
        options = PerceptronOptions(epochs=epochs, lexicon=lexicon, tagset=tagset)
        of_guide = replace(model, header={**model.header, "options": {"order": 1, "lexicon": lexicon}})
        guide = Hmm.from_parts(of_guide, column, labels)
        return cls(column, labels, options, guide, tag_categories(labels, tagset, model.path), weights)


def _of_other_blocks(text: LabelledWords, column: str, options: HmmOptions) -> tuple[Ragged, Ids]:
    """The candidates of words, the right label among them, and the guide's labels, by guides of the other blocks."""
    n, n_words = len(text.labels), len(text.words)
    n_blocks = max(min(_N_BLOCKS, text.words.n_sentences), 1)
    block = np.arange(text.words.n_sentences) * n_blocks // max(text.words.n_sentences, 1)
    labels = np.zeros(n_words, dtype=np.int32)
    keys = [np.arange(n_words) * n + text.label_ids]
    for number in range(n_blocks):
        others = text.chosen(np.flatnonzero(block != number)) if n_blocks > 1 else text
        words, places = text.words.chosen(np.flatnonzero(block == number))
        guide = Hmm.trained(others, column, options)
        labels[places] = guide.tag(words)
        found = guide.lexical.of(words.forms).taken(words.ids.astype(np.intp))
        keys.append(places[found.owners] * n + found.values)
    every = np.unique(np.concatenate(keys))
    return Ragged(offsets_of(np.bincount(every // n, minlength=n_words)), every % n), labels


def _lattice(words: WordSequence, candidates: Ragged, guide: Ids) -> Lattice:
    return (
        words.offsets.astype(np.int64),
        words.ids,
        candidates.offsets.astype(np.int64),
        candidates.values.astype(np.int32),
        guide,
    )


# ---- what words and labels look like ---------------------------------------------------------------------------------


def _hashed(kind: str, values: Sequence[str]) -> Array:
    """A number of 64 bits for each value of a kind, the same on every machine."""
    known = {
        value: hashlib.blake2b(f"{kind}\t{value}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
        for value in {*values}
    }
    return np.frombuffer(b"".join(known[value] for value in values), dtype="<u8").astype(np.uint64)


def _views(lexical: LexicalModel, categories: TagCategories, forms: Sequence[str]) -> Views:
    """The hashes of forms in each role and of labels around, and the outputs of labels."""
    of_forms = _of_forms(lexical, categories, forms)
    current, beside, far = (np.stack([of_forms[name] for name in names], axis=1) for names in (_CURRENT, _BESIDE, _FAR))
    return current, beside, far, _of_labels(categories, lexical.labels), _outputs(categories)


def _of_forms(lexical: LexicalModel, categories: TagCategories, forms: Sequence[str]) -> dict[str, Array]:
    """The hash of each property of each form, and of the edge of sentences."""
    lower = [form.lower() for form in forms]
    texts: dict[str, list[str]] = {"form": list(forms), "lower": lower, "shape": [shape(form) for form in forms]}
    texts |= {f"suffix {n}": [one[-n:] for one in lower] for n in range(1, 5)}
    texts["prefix 3"] = [one[:3] for one in lower]
    if lexical.lexicon is not None:
        every = labels_of_forms(lexical.lexicon, forms, lexical.labels)
    else:
        found = lexical.of(forms)
        every = [tuple(found.row(number).tolist()) for number in range(len(forms))]
    for name, parts in _OF_CANDIDATES.items():
        shown = {one: _shown_class(one, categories, parts) for one in dict.fromkeys(every)}
        texts[name] = [shown[one] for one in every]
    return {name: np.append(_hashed(name, values), _hashed(name, ["\n"])) for name, values in texts.items()}


def _shown_class(labels: tuple[int, ...], categories: TagCategories, parts: tuple[str, ...]) -> str:
    """The values of some categories that the labels have, or the labels themselves, as a text."""
    if not parts:
        return " ".join(map(str, labels))
    columns = [categories.column(part)[list(labels)].tolist() for part in parts]
    return " ".join(map(str, sorted({*zip(*columns, strict=True)})))


def _of_labels(categories: TagCategories, labels: Sequence[str]) -> Array:
    """The hashes of labels around a word, whole and in parts, and of the edge of sentences."""
    columns = [_hashed("tag", [*labels, "\n"])]
    for parts in _SEEN_PARTS:
        table = np.stack([categories.column(part) for part in parts], axis=1).tolist()
        columns.append(_hashed(" ".join(parts), [*(" ".join(map(str, one)) for one in table), "\n"]))
    return np.stack(columns, axis=1)


def _outputs(categories: TagCategories) -> Ids:
    """The numbers of each label's outputs: itself, then its parts, -1 for parts that it has not."""
    n = len(categories.table)
    columns, first = [np.arange(n)], n
    for parts in _PARTS:
        table = np.stack([categories.column(part) for part in parts], axis=1)
        _, number = np.unique(table, axis=0, return_inverse=True)
        number = number.reshape(-1) + first
        first = int(number.max(initial=first)) + 1
        columns.append(np.where((table >= 0).any(axis=1), number, -1))
    return np.stack(columns, axis=1).astype(np.int32)
