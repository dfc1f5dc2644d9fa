"""What a word looks like, as numbers: features of forms, computed once a form and not once a word.

A *template* is a property of a form: itself, an ending, its shape. A word is looked at with the templates of `current`,
the words beside it with those of `beside`, those two words away with those of `far`. Every value of a template that
occurs in training has a row of weights; other values have none (-1).

Feature set `paper`: what Wisniewski & Yvon 2019, §2 name (the word, two before, two after, two labels before), and
affixes and shape for their "etc.". `full`: lower case, longer affixes, and for the words around also endings, shapes
and *classes*: which labels a form has in training, if it occurs twice or more. (The class of the word itself is no
feature: in training every form has one, in new text many have none.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from karat._arrays import Ids
from karat._numbering import numbered_pairs
from karat._ragged import offsets_of
from karat.systems.words import LabelledWords

ROLES = ("current", "before", "after", "two_before", "two_after")
_SEEN_TWICE = 2
_OFTEN_ENOUGH = 0.02  # the share of a form's places that a label must have to be in its class
_LONGEST_SHAPE = 20
_EDGE = ""  # what stands before and behind a sentence has empty values

Template = Callable[[str, str], str | None]  # of a form and the same in lower case; None if it has no such value


def _suffix(n: int) -> Template:
    return lambda _, lower: lower[-n:] if len(lower) >= n else None


def _prefix(n: int) -> Template:
    return lambda _, lower: lower[:n] if len(lower) >= n else None


def shape(form: str) -> str:
    """Which kinds of characters follow each other: X upper case, x lower case, d digits, o other letters.

    >>> shape("McDonald's"), shape("3rd-rate")
    ("XxXx'x", 'dx-x')
    """
    found = last = ""
    for mark in form[:_LONGEST_SHAPE]:
        kind = _kind(mark)
        if kind != last:
            found += kind
            last = kind
    return found


@cache
def _kind(mark: str) -> str:
    if mark.isupper():
        return "X"
    if mark.islower():
        return "x"
    if mark.isdigit():
        return "d"
    return "o" if mark.isalpha() else mark


_CLASS = "class"  # a template whose values are learnt: the labels that a form has
_TEMPLATES: Mapping[str, Template] = {
    "form": lambda form, _: form,
    "lower": lambda _, lower: lower,
    "shape": lambda form, _: shape(form),
    "length": lambda form, _: str(min(len(form), 9)),
    **{f"suffix {n}": _suffix(n) for n in range(1, 6)},
    **{f"prefix {n}": _prefix(n) for n in range(1, 5)},
}


@dataclass(frozen=True, slots=True)
class FeatureSet:
    """The templates of the word itself, of those beside it, and of those two away; the first of each names the form.

    With `pairs`, features of two forms, and of forms together with the labels before, are used too: the first template
    of each role then names the form, the second one of `current` an ending.
    """

    current: tuple[str, ...]
    beside: tuple[str, ...]
    far: tuple[str, ...]
    pairs: bool

    @property
    def of_role(self) -> tuple[tuple[str, ...], ...]:
        """The templates of each role."""
        return self.current, self.beside, self.beside, self.far, self.far


_AFFIXES = tuple(f"suffix {n}" for n in range(1, 6)) + tuple(f"prefix {n}" for n in range(1, 5))
FEATURE_SETS: Mapping[str, FeatureSet] = {
    "full": FeatureSet(
        ("lower", "suffix 3", "form", "suffix 1", "suffix 2", "suffix 4", "suffix 5", *_AFFIXES[5:], "shape", "length"),
        ("lower", "suffix 3", "shape", _CLASS),
        ("lower", _CLASS),
        pairs=True,
    ),
    "paper": FeatureSet(
        ("form", "suffix 1", "suffix 2", "suffix 3", "suffix 4", "prefix 1", "prefix 2", "prefix 3", "shape"),
        ("form",),
        ("form",),
        pairs=False,
    ),
}


def form_classes(text: LabelledWords) -> dict[str, str]:
    """The class of every form, in lower case, that occurs twice or more: the numbers of the labels it has there."""
    lower: dict[str, int] = {}
    of_form = np.array([lower.setdefault(form.lower(), len(lower)) for form in text.words.forms], dtype=np.int32)
    n_labels = len(text.labels)
    words, labels, pairs = numbered_pairs(of_form.take(text.words.ids), text.label_ids, len(lower), n_labels)
    counts = np.bincount(pairs, minlength=len(words))
    totals = np.bincount(words, weights=counts, minlength=len(lower))
    often = counts >= _OFTEN_ENOUGH * totals.take(words)
    offsets = offsets_of(np.bincount(words[often], minlength=len(lower)))
    kept = labels[often].tolist()
    return {
        form: ",".join(map(str, kept[offsets[number] : offsets[number + 1]]))
        for form, number in lower.items()
        if totals[number] >= _SEEN_TWICE
    }


@dataclass(frozen=True, slots=True, eq=False)
class FormTables:
    """The rows of each form's features in each role [forms + 1 × templates]; the last is the edge of sentences."""

    of_role: tuple[Ids, ...]

    def __len__(self) -> int:
        return len(self.of_role[0])

    def taken(self, forms: Ids, others: FormTables) -> FormTables:
        """The tables of forms by their number here; those with -1 are the `others`, in order, before the edge."""
        is_here = forms >= 0
        found = []
        for mine, more in zip(self.of_role, others.of_role, strict=True):
            table = np.empty((len(forms) + 1, mine.shape[1]), dtype=np.int32)
            table[:-1][is_here] = mine[forms[is_here]]
            table[:-1][~is_here] = more[:-1]
            table[-1] = mine[-1]
            found.append(table)
        return FormTables(tuple(found))


class FeatureRows:
    """The row of every value of every template in every role."""

    def __init__(
        self, features: FeatureSet, classes: Mapping[str, str], values: Sequence[dict[str | None, int]]
    ) -> None:
        self.features, self.classes, self._values = features, classes, list(values)

    @property
    def n_rows(self) -> int:
        return sum(map(len, self._values))

    def values(self) -> list[list[str]]:
        """The values of each template of each role, in the order of their rows."""
        return [[value for value in one if value is not None] for one in self._values]

    def tables(self, forms: Iterable[str]) -> FormTables:
        """The rows of forms; of values that have none, -1."""
        return self._tables(self._of_forms(forms))

    def _tables(self, every: Mapping[str, Sequence[str | None]]) -> FormTables:
        """The rows of values, given for each template."""
        found, n = [], 0
        for templates in self.features.of_role:
            columns = []
            for name in templates:
                rows = self._values[n]
                columns.append([rows.get(value, -1) for value in every[name]])  # no value, None, has no row
                n += 1
            found.append(np.array(columns, dtype=np.int32).reshape(len(templates), -1).T.copy())
        return FormTables(tuple(found))

    def _of_forms(self, forms: Iterable[str]) -> dict[str, list[str | None]]:
        """The value of each template, of each form and of the edge."""
        both = [(form, form.lower()) for form in forms]
        names = dict.fromkeys(name for templates in self.features.of_role for name in templates)
        found: dict[str, list[str | None]] = {}
        for name in names:
            if name == _CLASS:
                found[name] = [self.classes.get(lower) for _, lower in both]
            else:
                template = _TEMPLATES[name]
                found[name] = [template(form, lower) for form, lower in both]
            found[name].append(_EDGE)
        return found


def feature_rows(features: FeatureSet, text: LabelledWords) -> tuple[FeatureRows, FormTables]:
    """The rows of all values that the forms of a text have, and the tables of these forms."""
    uses_classes = any(_CLASS in templates for templates in features.of_role)
    rows = FeatureRows(features, form_classes(text) if uses_classes else {}, ())
    of_forms = rows._of_forms(text.words.forms)
    n = 0
    for templates in features.of_role:
        for name in templates:
            known = dict.fromkeys(value for value in of_forms[name] if value is not None)
            rows._values.append({value: n + place for place, value in enumerate(known)})
            n += len(known)
    return rows, rows._tables(of_forms)
