"""Changes that were made everywhere, told apart from those that were made here and there.

A *convention* is the same change, from one label to another, at nearly all places where it could have been made: at all
words that had the old label, at those of a class (a part of speech, a relation), of a lemma or a form, or of a lemma in
one class. What no convention explains is *sporadic*: a fix of that one word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Ids, Indices
from karat._numbering import numbered_pairs, numbered_values
from karat.corpus import Corpus
from karat.suspects.changed_labels import LabelPairs
from karat.suspects.word_pairs import WordPairs

FEWEST_PLACES = 5
LEAST_SHARE = 0.8
FEWEST_FORMS = 3  # of a class: else the change is one of words
_CLASSES = ("upos", "deprel")
_SCOPES: tuple[tuple[str, ...], ...] = ((), *((one,) for one in _CLASSES), ("lemma",), ("form",))
_SCOPES += tuple(("lemma", one) for one in _CLASSES)


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """The words, of all that both versions have, by what may bound a convention.

    `of_word` numbers what word i has in the `columns`; `values` has for each number what that is, one value a column.
    """

    columns: tuple[str, ...]
    of_word: Ids
    values: Sequence[tuple[str, ...]]

    @property
    def is_of_words(self) -> bool:
        """Whether it has a lemma or a form in it."""
        return bool({"lemma", "form"} & {*self.columns})


@dataclass(frozen=True, slots=True, eq=False)
class Convention:
    """One change made at nearly all places where it could have been made.

    `scope` says at which: what a word has in which columns of the old version; all words if it is empty. `places` are
    the words that changed, `unchanged` those that kept the old label, by their numbers among all that both versions
    have; `n_others` is how many got a third label.
    """

    column: str
    feature: str | None
    scope: Mapping[str, str]
    old: str | None
    new: str | None
    places: Indices
    unchanged: Indices
    n_others: int


@dataclass(frozen=True, slots=True, eq=False)
class ColumnChanges:
    """The changes by one column or feature: those of conventions, and the words with sporadic ones."""

    labels: LabelPairs
    conventions: tuple[Convention, ...]
    sporadic: Indices


def scopes_of(old: Corpus, words: WordPairs) -> list[Scope]:
    """What may bound a convention, the first to be tried first, as the old version has it; words in any case."""
    numbered: dict[str, tuple[Ids, list[str]]] = {}
    for name in (*_CLASSES, "lemma", "form"):
        if old.has(name):
            column, known = old.column(name), dict[str, int]()
            fold = str if name in _CLASSES else str.lower
            number = numbered_values(map(fold, column.vocabulary.strings), known)
            numbered[name] = number[column.ids[words.old]], list(known)
    return [
        _scope(columns, [numbered[name] for name in columns], len(words.old))
        for columns in _SCOPES
        if all(name in numbered for name in columns)
    ]


def _scope(columns: tuple[str, ...], numbered: Sequence[tuple[Ids, list[str]]], n_words: int) -> Scope:
    if not columns:
        return Scope(columns, np.zeros(n_words, dtype=np.int32), [()])
    (first, values), *others = numbered
    if not others:
        return Scope(columns, first, [(value,) for value in values])
    second, more = others[0]
    left, right, number = numbered_pairs(first, second, len(values), len(more))
    both = [(values[one], more[other]) for one, other in zip(left.tolist(), right.tolist(), strict=True)]
    return Scope(columns, number, both)


def told_apart(labels: LabelPairs, scopes: Sequence[Scope]) -> ColumnChanges:
    """The conventions among the changes by a column, looked for in one scope after the other; and what is left."""
    left = np.flatnonzero(labels.changed)
    (form,) = (scope for scope in scopes if scope.columns == ("form",))
    found: list[Convention] = []
    for scope in scopes:
        if labels.column in scope.columns:  # the old label says already what that is
            continue
        groups = _Groups(labels, scope, left)
        chosen = np.flatnonzero(groups.n_words >= FEWEST_PLACES)
        if not scope.is_of_words:
            chosen = chosen[_n_forms(groups, form)[chosen] >= FEWEST_FORMS]
        chosen = chosen[groups.n_words[chosen] >= LEAST_SHARE * groups.n_could(chosen)]
        found += [_convention(labels, scope, groups, group) for group in chosen.tolist()]
        left = left[~np.isin(groups.number, chosen)]
    return ColumnChanges(labels, tuple(found), left)


class _Groups:
    """Words whose label changed, by scope, old and new label: the `number` of each word's group, how many each has."""

    def __init__(self, labels: LabelPairs, scope: Scope, words: Indices) -> None:
        self.words, self._n_values = words, len(labels.values)
        self._all_keys = scope.of_word.astype(np.int64) * self._n_values + labels.old  # of a place: scope and old label
        keys = self._all_keys[words] * self._n_values + labels.new[words]
        self.keys, self.number, self.n_words = np.unique(keys, return_inverse=True, return_counts=True)

    def n_could(self, groups: Indices) -> Indices:
        """At how many places the change of each group could have been made: in its scope, with its old label."""
        wanted, at = np.unique(self.keys[groups] // self._n_values, return_inverse=True)
        if not len(wanted):
            return np.zeros(0, dtype=np.intp)
        beside = np.minimum(np.searchsorted(wanted, self._all_keys), len(wanted) - 1)
        return np.bincount(beside[wanted[beside] == self._all_keys], minlength=len(wanted))[at]

    def places(self, group: int) -> tuple[Indices, Indices]:
        """The words that changed so, and all at which the change could have been made."""
        could = np.flatnonzero(self._all_keys == self.keys[group] // self._n_values)
        return self.words[self.number == group], could

    def labels(self, group: int) -> tuple[int, int, int]:
        """The number in the scope, the old and the new label of a group."""
        place, new = divmod(int(self.keys[group]), self._n_values)
        return *divmod(place, self._n_values), new


def _n_forms(groups: _Groups, form: Scope) -> Indices:
    """How many different forms the words of each group have."""
    pairs = np.unique(groups.number * len(form.values) + form.of_word[groups.words])
    return np.bincount(pairs // len(form.values), minlength=len(groups.keys))


def _convention(labels: LabelPairs, scope: Scope, groups: _Groups, group: int) -> Convention:
    number, old, new = groups.labels(group)
    places, could = groups.places(group)
    unchanged = could[~labels.changed[could]]
    return Convention(
        labels.column,
        labels.feature,
        dict(zip(scope.columns, scope.values[number], strict=True)),
        labels.values[old],
        labels.values[new],
        places,
        unchanged,
        len(could) - len(places) - len(unchanged),
    )
