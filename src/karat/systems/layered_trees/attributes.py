"""What surrounds a word, for trees to ask: possible values of its neighbours, agreement, and forms.

After TaKIPI [Piasecki & Godlewski 2006; Piasecki 2007], with what is possible weighted by how likely it is: what is
believed of a word is a distribution over its candidates, first P(tag | form), then what the layers before made of it.

- Places: the words at −3 … +2, and the nearest verb, nominal, governor (a preposition) and numeral with a genitive.
  Categories say what is what: a verb has number without case, a nominal has both, a governor case without number.
- At each place the share of each part of speech, number, gender, case and the like, in nine levels.
- Agreement: how far a word shares its values with a word beside it, and which: number, case and gender (adjective and
  noun), case (preposition and nominal), number and gender with the nearest verb (subject and verb).
- Frequent forms and endings at near places, a capital, where in the sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from karat._arrays import Array, Bytes, Floats, Ids
from karat._ragged import Ragged
from karat.systems.categories import TagCategories
from karat.systems.model_file import Model
from karat.systems.words import LabelledWords, WordSequence

_STEPS = (-3, -2, -1, 0, 1, 2)
_FORMS_AT = ("-2", "-1", "0", "+1", "+2", "verb-left", "verb-right", "governor-left", "nominal-left")
_ENDINGS_AT = ("-1", "0", "+1")
# In what two words may agree, and where: adjective and noun, preposition and nominal, subject and verb.
_AGREEMENTS = (
    (("number", "case", "gender"), ("-3", "-2", "-1", "+1", "+2", "nominal-left", "nominal-right")),
    (("case",), ("-2", "-1", "+1", "governor-left")),
    (("number", "gender"), ("verb-left", "verb-right")),
    (("number",), ("verb-left", "verb-right")),
)
_SEEKS = (
    ("verb-left", "verb", -1),
    ("verb-right", "verb", 1),
    ("nominal-left", "nominal", -1),
    ("nominal-right", "nominal", 1),
    ("governor-left", "governor", -1),
    ("numeral-left", "numeral", -1),
)
_ROLES = ("verb", "nominal", "governor", "numeral")
_GOVERNS = ("accommodability", "rec")  # what numerals are that take a genitive: pięć map
_MOST_NAMES = 254  # forms or endings that are told apart; 0 is any other, 255 the edge of a sentence
_EDGE = 255
_MOST_VALUES = 64  # of a category that are looked at, the most frequent ones
_ENDINGS = (1, 2, 3)
_LEAST_OFTEN = 10  # words of a form or ending that is told apart


def shown_step(step: int) -> str:
    """A place so many words away, as it is named."""
    return f"{step:+d}" if step else "0"


@dataclass(frozen=True, slots=True, eq=False)
class SharedValues:
    """Categories in which words can agree with those at some places.

    `of_label` has for each label [labels × 1] the number of its values together, -1 if it lacks one; `values_of` has
    the values that these are [together × categories], numbered through.
    """

    categories: tuple[str, ...]
    places: Ids
    of_label: Array
    values_of: Array
    values: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Attributes:
    """Which attributes there are: the categories of labels, and the forms and endings that are told apart.

    `shown` has for each category the values whose shares are attributes.
    """

    categories: TagCategories
    shown: tuple[tuple[int, ...], ...]
    forms: tuple[str, ...]
    endings: tuple[tuple[str, ...], ...]

    # ---- what there is -----------------------------------------------------------------------------------------------

    @cached_property
    def _columns(self) -> tuple[Array, list[tuple[str, str]]]:
        """The columns of shares of each label [labels × categories], -1 for none; and which value each column is of."""
        table = np.full(self.categories.table.shape, -1, dtype=np.int32)
        names: list[tuple[str, str]] = []
        for k, shown in enumerate(self.shown):
            number = np.full(len(self.categories.values[k]) + 1, -1, dtype=np.int32)
            for value in shown:
                number[value] = len(names)
                names.append((self.categories.names[k], self.categories.values[k][value]))
            table[:, k] = number[self.categories.table[:, k]]  # -1 is the last, which stays -1
        return table, names

    @cached_property
    def _roles(self) -> Array:
        """Which labels are verbs, nominals or governors, and which numerals that govern [labels × 2], -1 for none."""
        has_number, has_case = (self.categories.column(name) >= 0 for name in ("number", "case"))
        found = np.full((len(has_number), 2), -1, dtype=np.int32)
        for role, labels in enumerate((has_number & ~has_case, has_number & has_case, has_case & ~has_number)):
            found[labels, 0] = role
        name, value = _GOVERNS
        known = dict(zip(self.categories.names, self.categories.values, strict=True)).get(name, ())
        if value in known:
            found[self.categories.column(name) == known.index(value), 1] = _ROLES.index("numeral")
        return found

    @cached_property
    def _seeks(self) -> list[tuple[str, int, int]]:
        """The places that are sought, with role and direction: of roles that some label has."""
        there = {*self._roles.reshape(-1).tolist()}
        return [(name, _ROLES.index(role), step) for name, role, step in _SEEKS if _ROLES.index(role) in there]

    @cached_property
    def places(self) -> list[str]:
        """The places around a word."""
        return [*map(shown_step, _STEPS), *(name for name, _, _ in self._seeks)]

    @cached_property
    def _agreements(self) -> list[SharedValues]:
        """In what words can agree, with whom; without those whose categories or places there are not."""
        found = [self._agreement(categories, self._where(places)) for categories, places in _AGREEMENTS]
        return [one for one in found if one.values and len(one.places)]

    def _agreement(self, categories: tuple[str, ...], places: Ids) -> SharedValues:
        table = np.stack([self.categories.column(name) for name in categories], axis=1).astype(np.int64)
        has_all = (table >= 0).all(axis=1)
        keys, numbers = np.unique(table[has_all], axis=0, return_inverse=True)
        of_label = np.full((len(table), 1), -1, dtype=np.int32)
        of_label[has_all, 0] = numbers.reshape(-1)
        names: dict[str, int] = {}
        values_of = np.zeros((len(keys), len(categories)), dtype=np.int32)
        for row, key in enumerate(keys.tolist()):
            for k, value in enumerate(key):
                name = self.categories.values[self.categories.names.index(categories[k])][value]
                values_of[row, k] = names.setdefault(name, len(names))
        return SharedValues(categories, places, of_label, values_of, tuple(names))

    def _where(self, wanted: Sequence[str]) -> Ids:
        return np.array([self.places.index(one) for one in wanted if one in self.places], dtype=np.int32)

    @cached_property
    def _asked(self) -> tuple[Ids, Ids]:
        """Places and columns whose shares are attributes: all beside the word, the part of speech only there."""
        _, names = self._columns
        pairs = [
            (place, column)
            for place in range(len(self.places))
            for column, (category, _) in enumerate(names)
            if place < len(_STEPS) or category != self.categories.names[0]
        ]
        found = np.array(pairs, dtype=np.int32).reshape(-1, 2)
        return np.ascontiguousarray(found[:, 0]), np.ascontiguousarray(found[:, 1])

    @cached_property
    def names(self) -> list[str]:
        """What each attribute is."""
        _, columns = self._columns
        found = [f"{columns[column][1]} at {self.places[place]}" for place, column in zip(*self._asked, strict=True)]
        for one in self._agreements:
            what = " ".join(one.categories)
            for beside in (self.places[place] for place in one.places.tolist()):
                found.append(f"{what} shared with {beside}")
                found += [f"{what} shared with {beside}, {value}" for value in one.values]
        found += [f"words to {name}" for name, _, _ in self._seeks]
        found += ["capital", "words before", "words behind"]
        found += [f"form at {self.places[place]}" for place in self._where(_FORMS_AT).tolist()]
        for length in _ENDINGS:
            found += [f"ending of {length} at {self.places[place]}" for place in self._where(_ENDINGS_AT).tolist()]
        return found

    @cached_property
    def is_nominal(self) -> Array:
        """Which attributes only name something."""
        return np.array([name.startswith(("form ", "ending ")) for name in self.names], dtype=np.bool_)

    @cached_property
    def sizes(self) -> Ids:
        """How many values each attribute can have."""
        from karat.systems.layered_trees._compiled_attributes import FAR, N_LEVELS

        counts = (name.startswith(("words ", "capital")) for name in self.names)
        several = zip(self.is_nominal.tolist(), counts, strict=True)
        return np.array([256 if nominal else FAR + 1 if count else N_LEVELS for nominal, count in several], np.int32)

    def value_name(self, attribute: int, value: int) -> str:
        """What a value of an attribute that names something is called."""
        if value == _EDGE:
            return "none"
        name = self.names[attribute]
        known = self.forms if name.startswith("form ") else self.endings[_ENDINGS.index(int(name.split()[2]))]
        return repr(known[value - 1]) if 0 < value <= len(known) else "other"

    # ---- of words ----------------------------------------------------------------------------------------------------

    def of(self, words: WordSequence, candidates: Ragged) -> Bytes:
        """The attributes of words [words × attributes], given what is believed of their candidates."""
        from karat.systems.layered_trees import _compiled_attributes as compiled

        n = len(words)
        roles = self._shares(candidates, self._roles, len(_ROLES))
        places = np.empty((n, len(self.places)), dtype=np.int32)
        distance = np.zeros((n, len(self._seeks)), dtype=np.uint8)
        seeks = np.array([(role, step) for _, role, step in self._seeks], dtype=np.int32).reshape(-1, 2)
        steps = np.array(_STEPS, dtype=np.int32)
        compiled.places_around(words.offsets, roles[:n], steps, seeks, places, distance)
        found = np.zeros((n, len(self.names)), dtype=np.uint8)
        table, columns = self._columns
        place, column = self._asked
        shares = self._shares(candidates, table, len(columns))
        compiled.write_shares(shares, places, place, column, 0, found)
        at = len(place)
        for one in self._agreements:
            joint = self._shares(candidates, one.of_label, len(one.values_of))
            compiled.write_agreement(joint, one.values_of, len(one.values), places, one.places, at, found)
            at += len(one.places) * (len(one.values) + 1)
        found[:, at : at + len(self._seeks)] = distance
        at += len(self._seeks)
        starts = np.repeat(words.offsets[:-1], np.diff(words.offsets))
        stops = np.repeat(words.offsets[1:], np.diff(words.offsets))
        is_capital = np.array([form[:1].isupper() + 2 * form.isupper() for form in words.forms], dtype=np.uint8)
        found[:, at] = is_capital[words.ids]
        found[:, at + 1] = np.minimum(np.arange(n) - starts, compiled.FAR)
        found[:, at + 2] = np.minimum(stops - 1 - np.arange(n), compiled.FAR)
        at += 3
        named = [(self.forms, 0, _FORMS_AT), *zip(self.endings, _ENDINGS, [_ENDINGS_AT] * len(_ENDINGS), strict=True)]
        for known, length, where in named:
            beside = self._where(where)
            number = {name: k for k, name in enumerate(known, start=1)}
            of_form = np.array([number.get(_cut(form, length), 0) for form in words.forms], dtype=np.int32)
            compiled.write_names(np.append(of_form[words.ids], np.int32(_EDGE)), places, beside, at, found)
            at += len(beside)
        return found

    def _shares(self, candidates: Ragged, columns: Array, n_columns: int) -> Array:
        """What is believed of each word by columns of its labels; behind the last word, nothing."""
        from karat.systems.layered_trees import _compiled_attributes as compiled

        assert candidates.weights is not None
        found = np.zeros((len(candidates) + 1, n_columns), dtype=np.float32)
        compiled.value_shares(candidates.offsets, candidates.values, candidates.weights, columns, found)
        return found

    # ---- its file ----------------------------------------------------------------------------------------------------

    def parts(self) -> Model:
        """What is kept in a file."""
        texts = {"frequent forms": self.forms}
        texts |= {f"endings of {length}": known for length, known in zip(_ENDINGS, self.endings, strict=True)}
        return Model("", {}, {}, texts)

    @classmethod
    def from_parts(cls, model: Model, categories: TagCategories, shares: Floats) -> Self:
        """The attributes that were kept; what can be derived is."""
        forms = tuple(model.lines("frequent forms"))
        endings = tuple(tuple(model.lines(f"endings of {length}")) for length in _ENDINGS)
        if any(len(one) > _MOST_NAMES for one in (forms, *endings)):
            raise model.problem("too many forms or endings")
        return cls(categories, _shown(categories, shares), forms, endings)


def attributes_of(text: LabelledWords, categories: TagCategories, shares: Floats) -> Attributes:
    """The attributes that are worth looking at in a text; `shares` are those of its labels."""
    counts = np.bincount(text.words.ids, minlength=len(text.words.forms)).tolist()

    def most_frequent(length: int) -> tuple[str, ...]:
        found: Counter[str] = Counter()
        for form, n in zip(text.words.forms, counts, strict=True):
            found[_cut(form, length)] += n
        ranked = sorted(found, key=lambda name: (-found[name], name))
        return tuple(name for name in ranked[:_MOST_NAMES] if found[name] >= _LEAST_OFTEN)

    return Attributes(
        categories, _shown(categories, shares), most_frequent(0), tuple(most_frequent(one) for one in _ENDINGS)
    )


def _cut(form: str, length: int) -> str:
    """The ending of a form, in lower case; with no length, all of it."""
    return form.lower()[-length:] if length else form.lower()


def _shown(categories: TagCategories, shares: Floats) -> tuple[tuple[int, ...], ...]:
    """The values of each category that are worth an attribute: the most frequent ones, in their order."""
    found = []
    for k, values in enumerate(categories.values):
        has_value = categories.table[:, k] >= 0
        n = np.bincount(categories.table[has_value, k], weights=shares[has_value], minlength=len(values))
        found.append(tuple(sorted(np.argsort(-n, kind="stable")[:_MOST_VALUES].tolist())))
    return tuple(found)
