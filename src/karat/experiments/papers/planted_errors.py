"""Errors planted in the tags of a real corpus, random or systematic, to see what taggers do where the gold is wrong.

Only words that have several tags in the corpus are changed, and only to another of these tags. Random errors strike
all such words alike. Systematic ones are contexts that are always wrong, in the same way: a form, its tag and the tag
before it. A tagger that has seen them in training can learn them [Padró & Màrquez 1998, §4].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat._numbering import numbered_pairs
from karat._ragged import Ragged, offsets_of
from karat.corpus import Corpus
from karat.corpus.whole_columns import bytes_with_columns
from karat.systems.words import labelled_words

Kind = Literal["random", "systematic"]
_MOST_OF_ONE = 0.1  # no context makes up more than this share of the errors, or their number would be a matter of luck


@dataclass(frozen=True, slots=True, eq=False)
class TaggedText:
    """The forms and tags of a corpus, numbered alike in all texts that are made together, and the tag before each word.

    Forms and tags that are new in a later text have higher numbers.
    """

    corpus: Corpus
    forms: Ids
    tags: Ids
    before: Ids


@dataclass(frozen=True, slots=True, eq=False)
class Planter:
    """Plants errors in a corpus and its like: which tags each form of the first text has, the names of tags."""

    column: str
    form_numbers: dict[str, int]
    tag_numbers: dict[str, int]
    tags_of_form: Ragged

    def text(self, corpus: Corpus) -> TaggedText:
        """A corpus in the planter's numbers."""
        found = labelled_words(corpus, self.column)
        forms = np.array([self.form_numbers.get(one, -1) for one in found.words.forms], dtype=np.int32)
        tags = np.array([self.tag_numbers.setdefault(one, len(self.tag_numbers)) for one in found.labels], np.int32)
        of_words = tags.take(found.label_ids)
        before = np.concatenate([[-1], of_words[:-1]]).astype(np.int32)
        before[corpus.sentence_offsets[:-1]] = -1
        return TaggedText(corpus, forms.take(found.words.ids), of_words, before)

    def is_ambiguous(self, text: TaggedText) -> Flags:
        """Which words have several tags in the first text, and one of these here."""
        sizes = np.append(self.tags_of_form.sizes, 0)  # of forms that are not known, none
        several = sizes[text.forms] >= 2
        keys = self.tags_of_form.owners * _MANY + self.tags_of_form.values
        return several & np.isin(text.forms.astype(np.int64) * _MANY + text.tags, keys)

    def other_tags(self, forms: Ids, tags: Ids, rng: np.random.Generator) -> Ids:
        """For each word another tag of its form, all alike."""
        starts, sizes = self.tags_of_form.offsets[forms], self.tags_of_form.sizes[forms]
        place = (rng.random(len(forms)) * (sizes - 1)).astype(np.intp)
        own = np.zeros(len(forms), dtype=np.intp)  # where the form's own tag stands
        for step in range(int(sizes.max(initial=0))):
            inside = step < sizes
            own[inside & (self.tags_of_form.values[np.where(inside, starts + step, 0)] == tags)] = step
        found: Ids = self.tags_of_form.values[starts + place + (place >= own)].astype(np.int32)
        return found

    def random(self, text: TaggedText, rate: float, rng: np.random.Generator) -> Ids:
        """Tags of which the share `rate` of the ambiguous ones is wrong, each word for itself."""
        places = np.flatnonzero(self.is_ambiguous(text) & (rng.random(len(text.tags)) < rate))
        return self._with_others(text, places, self.other_tags(text.forms[places], text.tags[places], rng))

    def systematic(self, texts: list[TaggedText], rate: float, rng: np.random.Generator) -> list[Ids]:
        """Tags of several texts with the same contexts always wrong: of all together, `rate` of the ambiguous words."""
        places = [np.flatnonzero(self.is_ambiguous(one)) for one in texts]
        keys = [_contexts(one, some) for one, some in zip(texts, places, strict=True)]
        contexts, counts = np.unique(np.concatenate(keys), return_counts=True)
        asked = rate * counts.sum()
        order = rng.permutation(len(contexts))
        order = order[counts[order] <= max(_MOST_OF_ONE * asked, 1)]
        chosen = np.sort(contexts[order[: int(np.searchsorted(np.cumsum(counts[order]), asked, side="right"))]])
        forms, tags = (chosen // _MANY // _MANY).astype(np.int32), (chosen // _MANY % _MANY).astype(np.int32)
        wrong = self.other_tags(forms, tags, rng)
        found = []
        for one, some, key in zip(texts, places, keys, strict=True):
            at = np.minimum(np.searchsorted(chosen, key), max(len(chosen) - 1, 0))
            is_wrong = chosen[at] == key if len(chosen) else np.zeros(len(key), dtype=np.bool_)
            found.append(self._with_others(one, some[is_wrong], wrong[at[is_wrong]]))
        return found

    @staticmethod
    def _with_others(text: TaggedText, places: Indices, tags: Ids) -> Ids:
        found = text.tags.copy()
        found[places] = tags
        return found

    def written(self, text: TaggedText, tags: Ids) -> bytes:
        """The corpus with these tags."""
        values = list(self.tag_numbers)
        return b"".join(bytes_with_columns(text.corpus, {self.column: (tags, values)}))


_MANY = 1 << 20  # more than there are tags


def _contexts(text: TaggedText, places: Indices) -> Indices:
    """The form, the tag and the tag before of some words, as one number."""
    form, tag, before = (one[places].astype(np.int64) for one in (text.forms, text.tags, text.before))
    return (form * _MANY + tag) * _MANY + before + 1


def planter(corpus: Corpus, column: str) -> Planter:
    """What plants errors in a corpus and others of its kind; the corpus says which tags forms can have."""
    found = labelled_words(corpus, column)
    forms, tags, _ = numbered_pairs(found.words.ids, found.label_ids, len(found.words.forms), len(found.labels))
    table = Ragged(offsets_of(np.bincount(forms, minlength=len(found.words.forms))), tags)
    return Planter(
        column,
        {form: number for number, form in enumerate(found.words.forms)},
        {tag: number for number, tag in enumerate(found.labels)},
        table,
    )


@dataclass(frozen=True, slots=True)
class Observed:
    """What a tagger did on ambiguous words of a gold with errors [Padró & Màrquez 1998, Table 1].

    `real` is x, its accuracy by the truth, `observed` K, that by the gold, `corpus_error` C. `where_right` is t, its
    accuracy where the gold is right, `where_wrong` u, that where it is wrong, `same_error` p, how often it makes the
    gold's error where both are wrong; None where there are no such words.
    """

    n_words: int
    corpus_error: float
    real: float
    observed: float
    where_right: float | None
    where_wrong: float | None
    same_error: float | None


def observed(truth: Ids, gold: Ids, system: Ids) -> Observed:
    """What a tagger did, by the truth and by the gold, of the same words.

    >>> truth, gold, system = (np.array(list(one)) for one in ("AAAABB", "AAABBB", "AABBAB"))
    >>> found = observed(truth, gold, system)
    >>> found.where_right, found.where_wrong, found.same_error
    (0.6, 0.0, 1.0)
    """
    right, is_error = system == truth, gold != truth
    both_wrong = is_error & ~right

    def share(of: Flags, among: Flags) -> float | None:
        return float(of[among].mean()) if among.any() else None

    return Observed(
        len(truth),
        float(is_error.mean()),
        float(right.mean()),
        float((system == gold).mean()),
        share(right, ~is_error),
        share(right, is_error),
        share(system == gold, both_wrong),
    )
