"""Which words are alike to constraints: those that can have the same tags, unknown ones of a shape, frequent forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from karat._arrays import Array, Ids
from karat._ragged import Ragged, offsets_of
from karat.systems.lexical import LexicalModel
from karat.systems.model_file import Model
from karat.systems.relaxation.constraints import SHAPES

Class = tuple[int, ...] | str  # the labels that a word can have, or a shape


def shape_of(form: str) -> str:
    """The shape of an unknown word.

    >>> shape_of("Kraków"), shape_of("4th"), shape_of("oaken"), shape_of("?!")
    ('unknown:capital', 'unknown:digit', 'unknown:lower', 'unknown:other')
    """
    lower, capital, digit, other = SHAPES
    if any(map(str.isdigit, form)):
        return digit
    return capital if form[:1].isupper() else lower if form[:1].isalpha() else other


def are_guessed(lexical: LexicalModel, forms: Sequence[str]) -> list[bool]:
    """Whether each form gets tags by its ending: neither training nor the lexicon has it."""
    known, lexicon = lexical.forms, lexical.lexicon
    return [
        form not in known
        and not (form[:1].isupper() and form.lower() in known)
        and (lexicon is None or not lexicon.tags_of(form))
        for form in forms
    ]


def classes_of(lexical: LexicalModel, forms: Sequence[str], candidates: Ragged) -> list[Class]:
    """The class of each form: all labels that it can have, or the shape of one that is guessed."""
    values, offsets = candidates.values.tolist(), candidates.offsets.tolist()
    return [
        shape_of(form) if is_guessed else tuple(values[offsets[number] : offsets[number + 1]])
        for number, (form, is_guessed) in enumerate(zip(forms, are_guessed(lexical, forms), strict=True))
    ]


@dataclass(frozen=True, slots=True, eq=False)
class NamedWords:
    """The classes and forms, in lower case, that constraints name, with their numbers; trees' classes come first."""

    classes: dict[Class, int]
    forms: dict[str, int]

    def class_ids(self, lexical: LexicalModel, forms: Sequence[str], candidates: Ragged) -> Ids:
        """The number of each form's class, -1 for those that no constraint names."""
        return np.array([self.classes.get(one, -1) for one in classes_of(lexical, forms, candidates)], dtype=np.int32)

    def form_ids(self, forms: Sequence[str]) -> Ids:
        """The number of each form, -1 for those that no constraint names."""
        return np.array([self.forms.get(form.lower(), -1) for form in forms], dtype=np.int32)

    def parts(self) -> Model:
        """What is kept in a file."""
        members = [(-1 - SHAPES.index(one),) if isinstance(one, str) else one for one in self.classes]
        arrays: dict[str, Array] = {
            "word class offsets": offsets_of([*map(len, members)]).astype(np.int64),
            "word classes": np.array([label for one in members for label in one], dtype=np.int32),
        }
        return Model("", {}, arrays, {"frequent forms": list(self.forms)})

    @classmethod
    def from_parts(cls, model: Model, n_labels: int) -> Self:
        """The vocabulary that was kept."""
        members = model.numbers("word classes", n_labels, least=-len(SHAPES)).tolist()
        n = max(len(model.array("word class offsets", "int64")) - 1, 0)
        offsets = model.offsets("word class offsets", n, len(members)).tolist()
        classes: dict[Class, int] = {}
        for number in range(n):
            one = tuple(members[offsets[number] : offsets[number + 1]])
            is_shape = len(one) == 1 and one[0] < 0
            if not is_shape and (not one or min(one) < 0 or list(one) != sorted({*one})):
                raise model.problem("word classes are no classes")
            classes[SHAPES[-1 - one[0]] if is_shape else one] = number
        forms = {form: number for number, form in enumerate(model.lines("frequent forms"))}
        if len(classes) < n or len(forms) < len(model.lines("frequent forms")):
            raise model.problem("word classes or forms are there twice")
        return cls(classes, forms)
