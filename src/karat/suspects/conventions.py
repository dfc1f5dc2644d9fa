"""Changes that were made everywhere, told apart from those that were made here and there.

A *convention* is the same change, from one label to another, at nearly all places where it could have been made: at all
words that had the old label, at those of a class (a part of speech, a relation), of a lemma or a form, or of a lemma in
one class. What no convention explains is *sporadic*: a fix of that one word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Array, Ids, Indices
from karat._numbering import numbered_pairs, numbered_values
from karat._ragged import offsets_of
from karat.corpus import Corpus
from karat.suspects.changed_labels import LabelledWords
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

    labels: LabelledWords
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


def told_apart(labels: LabelledWords, scopes: Sequence[Scope]) -> ColumnChanges:
    """The conventions among the changes by a column, looked for in one scope after the other; and what is left."""
    left = np.flatnonzero(labels.changed)
    (form,) = (scope for scope in scopes if scope.columns == ("form",))
    found: list[Convention] = []
    for scope in scopes:
        if len(left) < FEWEST_PLACES:
            break
        if labels.column in scope.columns:  # the old label says already what that is
            continue
        groups, number, n_places = _groups(labels, scope, left)
        could = _Could(labels, scope, groups)
        is_convention = n_places >= np.maximum(FEWEST_PLACES, LEAST_SHARE * could.n_places)
        if not scope.is_of_words:
            is_convention &= _n_forms(number, form.of_word[left], len(groups)) >= FEWEST_FORMS
        of_group, ends = left[np.argsort(number, kind="stable")], offsets_of(n_places)
        found += [
            _convention(labels, scope, groups[group], of_group[ends[group] : ends[group + 1]], could.places(group))
            for group in np.flatnonzero(is_convention).tolist()
        ]
        left = left[~is_convention[number]]
    return ColumnChanges(labels, tuple(found), left)


def _groups(labels: LabelledWords, scope: Scope, words: Indices) -> tuple[Array, Indices, Indices]:
    """The different (scope, old, new) of some words, the group of each word, and how many words each has."""
    rows = np.stack([scope.of_word[words], labels.old[words], labels.new[words]], axis=1)
    groups, number, n_words = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    return groups, number.reshape(-1), n_words


class _Could:
    """Where each group's change could have been made: at the words of the scope that had the old label."""

    def __init__(self, labels: LabelledWords, scope: Scope, groups: Array) -> None:
        n_values = len(labels.values)
        wanted, number = np.unique(groups[:, 0].astype(np.int64) * n_values + groups[:, 1], return_inverse=True)
        keys = scope.of_word.astype(np.int64) * n_values + labels.old
        at = np.minimum(np.searchsorted(wanted, keys), len(wanted) - 1)
        words = np.flatnonzero(wanted[at] == keys)
        self._words = words[np.argsort(at[words], kind="stable")]
        self._offsets = offsets_of(np.bincount(at[words], minlength=len(wanted)))
        self._of_group = number.reshape(-1)

    @property
    def n_places(self) -> Indices:
        """How many there are for each group."""
        return np.diff(self._offsets)[self._of_group]

    def places(self, group: int) -> Indices:
        """The words."""
        at = int(self._of_group[group])
        return self._words[self._offsets[at] : self._offsets[at + 1]]


def _n_forms(group: Indices, form: Ids, n_groups: int) -> Indices:
    """How many different forms the words of each group have."""
    pairs = np.unique(np.stack([group, form], axis=1), axis=0)
    return np.bincount(pairs[:, 0], minlength=n_groups)


def _convention(labels: LabelledWords, scope: Scope, group: Array, places: Indices, could: Indices) -> Convention:
    number, old, new = group.tolist()
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
