"""How likely each tag is, given the form alone: what every tagger starts from.

Without a lexicon, a known form has the tags it had in training, as often as there; a form that is unknown but for its
capital those of the form in lower case; other words those that their endings allow (`suffixes`).

With a lexicon (Morfeusz), a form has the tags of the lexicon and those of training. Forms with the same tags in the
lexicon are an *ambiguity class*, and the tags of a class have shares in training. These are what an unknown form gets;
for a known one they count as much as `_CLASS_WORDS` words of its own:

    P(t | w) = (c(w, t) + κ P(t | class of w)) / (c(w) + κ)

A class that is rare is mixed with the shares of its tags in the whole text in the same way. A form that the lexicon
does not have, a number or a capitalised one that is not known gets tags by its ending, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from karat._arrays import Array, Floats, Ids, Indices
from karat._numbering import numbered_pairs
from karat._ragged import Ragged, offsets_of, owners_of
from karat.systems.dictionaries import TagDictionary, labels_of_forms, lexicon_from_parts, read_lexicon
from karat.systems.model_file import Model
from karat.systems.suffixes import Suffixes, suffixes_of
from karat.systems.words import LabelledWords

_LEAST_CHANCE = 1e-3  # of an unknown word's likeliest label that another must have to be considered
_CLASS_WORDS = 1.0  # κ: how many words of a form its ambiguity class counts for
_TEXT_WORDS = 2.0  # how many words of a class the whole text counts for
UNSEEN = 0.5  # how often a label counts that training does not have
_NEW_NAME = 0.05  # how likely a capitalised form that is new is something else than the lexicon says
_NOT_A_NUMBER = 0.9  # how likely a number is tagged by what training has for numbers, not by the lexicon

Class = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LexicalModel:
    """P(label | form).

    `counts` are how often each known form has each label; `classes` how often forms with the same labels in the lexicon
    have each label, by these labels. `shares` are those of labels in the text, none of them 0.
    """

    labels: tuple[str, ...]
    forms: dict[str, int]
    counts: Ragged
    suffixes: Suffixes
    lexicon: TagDictionary | None
    classes: dict[Class, int]
    class_counts: Ragged

    @property
    def shares(self) -> Floats:
        """The share of each label in the text; labels that it does not have count half a word."""
        assert self.counts.weights is not None
        found: Floats = np.maximum(self.suffixes.shares, UNSEEN / self.counts.weights.sum())
        return found

    def of(self, forms: Sequence[str]) -> Ragged:
        """The labels of each form, in order, with P(label | form)."""
        rows = self._rows(forms)
        places, owners = _taken(self.counts, rows)
        assert self.counts.weights is not None
        found = [(owners, self.counts.values[places], self.counts.weights[places])]
        if self.lexicon is None:
            new = np.flatnonzero(rows < 0)
            found.append(self._by_suffix(forms, new, np.ones(len(new))))
        else:
            found += self._by_lexicon(forms, rows, self.lexicon)
        every, labels, weights = (np.concatenate(one) for one in zip(*found, strict=True))
        return _normalised(every, labels, weights, len(forms), len(self.labels))

    def restricted(self, forms: Sequence[str]) -> Ragged:
        """The labels of each form that the lexicon has, those of training among them; none for others, which means all.

        For taggers that need no probabilities, and for which an unknown form can have any label.
        """
        every = [()] * len(forms) if self.lexicon is None else labels_of_forms(self.lexicon, forms, self.labels)
        get, row = self.forms.get, self.counts.row
        both = [
            sorted({*labels, *(row(get(form, 0)).tolist() if form in self.forms else ())}) if labels else []
            for form, labels in zip(forms, every, strict=True)
        ]
        return Ragged(offsets_of([*map(len, both)]), np.array([label for one in both for label in one], dtype=np.intp))

    def _rows(self, forms: Sequence[str]) -> Indices:
        """The number of each form in training, -1 for unknown ones; if the lexicon lacks them, a capital is ignored."""
        get = self.forms.get
        rows = [get(form, -1) for form in forms]
        for place in [place for place, row in enumerate(rows) if row < 0 and forms[place][:1].isupper()]:
            if self.lexicon is None or not self.lexicon.tags_of(forms[place]):
                rows[place] = get(forms[place].lower(), -1)
        return np.array(rows, dtype=np.intp)

    def _by_lexicon(
        self, forms: Sequence[str], rows: Indices, lexicon: TagDictionary
    ) -> list[tuple[Indices, Indices, Floats]]:
        """What classes and endings add, as forms, labels and weights that are `_CLASS_WORDS` a form."""
        of_forms = labels_of_forms(lexicon, forms, self.labels)
        distinct = dict.fromkeys(of_forms)
        of_class = self._of_classes(list(distinct))
        assert of_class.weights is not None
        number = {one: place for place, one in enumerate(distinct)}
        by_ending = np.array([self._trust_in_ending(*one) for one in zip(forms, of_forms, rows.tolist(), strict=True)])
        in_lexicon = np.flatnonzero(by_ending < 1)
        places, owners = _taken(of_class, np.array([number[of_forms[one]] for one in in_lexicon.tolist()], np.intp))
        owners = in_lexicon[owners]
        weights = of_class.weights[places] * _CLASS_WORDS * (1 - by_ending[owners])
        some = np.flatnonzero(by_ending > 0)
        return [
            (owners, of_class.values[places], weights),
            self._by_suffix(forms, some, _CLASS_WORDS * by_ending[some]),
        ]

    def _trust_in_ending(self, form: str, labels: Class, row: int) -> float:
        """How much of a form's prior comes from its ending, not from its class: 1 if the lexicon does not have it."""
        if not labels:
            return 1.0
        if row >= 0:
            return 0.0
        if form[:1].isdigit():
            return _NOT_A_NUMBER
        return _NEW_NAME if form[:1].isupper() else 0.0

    def _of_classes(self, classes: Sequence[Class]) -> Ragged:
        """P(label | class) of classes, the shares of labels mixed in."""
        sizes = np.array([len(one) for one in classes], dtype=np.intp)
        labels = np.array([label for one in classes for label in one], dtype=np.intp)
        owners = owners_of(sizes)
        shares = self.shares[labels]
        totals = np.bincount(owners, weights=shares, minlength=len(classes))
        rows = np.array([self.classes.get(one, -1) for one in classes], dtype=np.intp)
        places, of = _taken(self.class_counts, rows)
        assert self.class_counts.weights is not None
        weights = np.concatenate([_TEXT_WORDS * shares / totals[owners], self.class_counts.weights[places]])
        every = np.concatenate([owners, of])
        return _normalised(
            every, np.concatenate([labels, self.class_counts.values[places]]), weights, len(classes), len(self.labels)
        )

    def _by_suffix(self, forms: Sequence[str], some: Indices, weights: Floats) -> tuple[Indices, Indices, Floats]:
        """The labels of some of the forms that are not much less likely by ending than the likeliest."""
        likely = self.suffixes.probabilities([forms[number] for number in some.tolist()])
        kept = likely >= _LEAST_CHANCE * likely.max(axis=1, keepdims=True, initial=0)
        kept &= self.suffixes.shares > 0
        rows, labels = np.nonzero(kept)
        likely = np.where(kept, likely, 0.0)
        likely *= (weights / likely.sum(axis=1))[:, None]
        return some[rows], labels, likely[rows, labels]

    # ---- its file ----------------------------------------------------------------------------------------------------

    def parts(self) -> Model:
        """What is kept in a file."""
        assert self.counts.weights is not None
        assert self.class_counts.weights is not None
        lexicon = self.lexicon.parts() if self.lexicon else Model("", {}, {}, {})
        suffixes = self.suffixes.parts()
        members = Ragged(offsets_of([len(one) for one in self.classes]), _flat(self.classes))
        arrays: dict[str, Array] = {
            "form offsets": self.counts.offsets.astype(np.int64),
            "form labels": self.counts.values.astype(np.int32),
            "form counts": self.counts.weights.astype(np.int32),
            "class offsets": members.offsets.astype(np.int64),
            "class labels": members.values.astype(np.int32),
            "class count offsets": self.class_counts.offsets.astype(np.int64),
            "class count labels": self.class_counts.values.astype(np.int32),
            "class counts": self.class_counts.weights.astype(np.int32),
        }
        texts = {"forms": list(self.forms), **suffixes.texts, **lexicon.texts}
        return Model("", lexicon.header, {**arrays, **suffixes.arrays, **lexicon.arrays}, texts)

    @classmethod
    def from_parts(cls, model: Model, labels: tuple[str, ...]) -> Self:
        """The lexical model that was kept."""
        forms = model.lines("forms")
        members = model.numbers("class labels", len(labels))
        n_classes = max(len(model.array("class offsets", "int64")) - 1, 0)
        offsets = model.offsets("class offsets", n_classes, len(members)).tolist()
        several = members.tolist()
        classes = {tuple(several[offsets[n] : offsets[n + 1]]): n for n in range(n_classes)}
        counts = _counts_from(model, "form", len(forms), len(labels))
        if (counts.sizes == 0).any() or len({*forms}) < len(forms) or len(classes) < n_classes:
            raise model.problem("forms do not fit together")
        return cls(
            labels,
            {form: number for number, form in enumerate(forms)},
            counts,
            Suffixes.from_parts(model, len(labels)),
            lexicon_from_parts(model),
            classes,
            _counts_from(model, "class", n_classes, len(labels)),
        )


def lexical_model(text: LabelledWords, lexicon: str | None, column: str) -> LexicalModel:
    """P(label | form) of a text, with a lexicon: `morfeusz`, or the name of a corpus or list."""
    words, n_labels = text.words, len(text.labels)
    forms, labels, pairs = numbered_pairs(words.ids, text.label_ids, len(words.forms), n_labels)
    n_words = np.bincount(pairs, minlength=len(forms)).astype(np.float64)
    counts = Ragged(offsets_of(np.bincount(forms, minlength=len(words.forms))), labels, n_words)
    known = None if lexicon is None else read_lexicon(lexicon, column)
    classes: dict[Class, int] = {}
    of_classes = Ragged(np.zeros(1, np.intp), np.zeros(0, np.intp), np.zeros(0))
    if known is not None:
        every = labels_of_forms(known, words.forms, text.labels)
        of_form = np.array([classes.setdefault(one, len(classes)) if one else -1 for one in every], dtype=np.intp)
        some = np.flatnonzero(of_form[forms] >= 0)
        one, label, numbers = numbered_pairs(of_form[forms[some]], labels[some], max(len(classes), 1), n_labels)
        times = np.bincount(numbers, weights=n_words[some], minlength=len(one))
        of_classes = Ragged(offsets_of(np.bincount(one, minlength=len(classes))), label, times.astype(np.float64))
    return LexicalModel(
        text.labels,
        {form: number for number, form in enumerate(words.forms)},
        counts,
        suffixes_of(text),
        known,
        classes,
        of_classes,
    )


def jackknifed(text: LabelledWords, lexicon: str | None, column: str, n_blocks: int = 10) -> Ragged:
    """P(label | form) of every word of a text, by a model of the other blocks of its sentences.

    To a model of the whole text its own words look less ambiguous than new ones; leaving out one word at a time is no
    cure, for then what is left out can be told from what is there.
    """
    n_blocks = max(min(n_blocks, text.words.n_sentences), 1)
    block = np.arange(text.words.n_sentences) * n_blocks // max(text.words.n_sentences, 1)
    found: list[Ragged] = []
    for number in range(n_blocks):
        others = text.chosen(np.flatnonzero(block != number)) if n_blocks > 1 else text
        words, _ = text.words.chosen(np.flatnonzero(block == number))
        found.append(lexical_model(others, lexicon, column).of(words.forms).taken(words.ids.astype(np.intp)))
    weights = [one.weights for one in found if one.weights is not None]
    sizes = np.concatenate([one.sizes for one in found])
    return Ragged(offsets_of(sizes), np.concatenate([one.values for one in found]), np.concatenate(weights))


def likeliest(candidates: Ragged) -> Ids:
    """The likeliest candidate of each word; of equal ones the label that comes first."""
    assert candidates.weights is not None
    order = np.lexsort((candidates.values, -candidates.weights, candidates.owners))
    found: Ids = candidates.values[order[candidates.offsets[:-1]]].astype(np.int32)
    return found


# ---- rows of labels and weights --------------------------------------------------------------------------------------


def _taken(of: Ragged, rows: Indices) -> tuple[Indices, Indices]:
    """The places of the values of some rows, none of -1, and for each the place of its row among these."""
    is_there = np.flatnonzero(rows >= 0)
    starts, stops = of.offsets[rows[is_there]], of.offsets[rows[is_there] + 1]
    sizes = stops - starts
    owners = np.repeat(is_there, sizes)
    return np.repeat(starts - offsets_of(sizes)[:-1], sizes) + np.arange(len(owners)), owners


def _normalised(owners: Indices, labels: Indices, weights: Floats, n_rows: int, n_labels: int) -> Ragged:
    """Rows of the labels, in order, with weights that were summed over equal labels and sum to 1."""
    keys, numbers = np.unique(owners * n_labels + labels, return_inverse=True)
    summed = np.bincount(numbers, weights=weights, minlength=len(keys))
    rows = keys // n_labels
    totals = np.bincount(rows, weights=summed, minlength=n_rows)
    return Ragged(offsets_of(np.bincount(rows, minlength=n_rows)), keys % n_labels, summed / totals[rows])


def _flat(classes: dict[Class, int]) -> Indices:
    return np.array([label for one in classes for label in one], dtype=np.intp)


def _counts_from(model: Model, of: str, n_rows: int, n_labels: int) -> Ragged:
    """Counts of labels in rows that were kept."""
    name = of if of == "form" else "class count"
    labels: Ids = model.numbers(f"{name} labels", n_labels)
    counts = model.numbers("form counts" if of == "form" else "class counts", 1 << 31, least=1)
    offsets = model.offsets(f"{name} offsets", n_rows, len(labels))
    if len(counts) != len(labels):
        raise model.problem("counts do not fit together")
    return Ragged(offsets.astype(np.intp), labels.astype(np.intp), counts.astype(np.float64))
