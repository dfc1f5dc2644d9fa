"""Which transformations are tried: actions, templates and features of words, for plain tags and for rich ones.

Each level of tags comes in the eleven contexts of Brill 1995: the word before, behind, two before, two behind; one of
two or three before or behind; and pairs. Rules of rich tags ask for and give parts of tags [after Acedański &
Gołuchowski 2009]; that they may also copy these from a neighbour, so that a single rule says that adjectives agree with
nouns, is our own, and so is a change of the part of speech to whatever tag is likeliest then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from karat._arrays import Ids
from karat.systems.transformations import Notation
from karat.systems.words import WordSequence

_AGREEMENT = ("number", "gender", "case")  # what adjectives share with their nouns
_MOST_VALUES = (1 << 21) - 2  # of a feature that fit into a rule


def _ending(length: int) -> Callable[[str], str | None]:
    return lambda form: form.lower()[-length:] if len(form) > length + 1 else None


def _first_letter(form: str) -> str:
    return "capital" if form[:1].isupper() else "small" if form[:1].islower() else "other"


FEATURES: Mapping[str, Callable[[str], str | None]] = {
    "w": str.lower,
    "form": str,
    "ending": _ending(3),
    "ending-two": _ending(2),
    "first": _first_letter,
}


def _contexts(level: str) -> tuple[str, ...]:
    return (
        f"{level}-1",
        f"{level}+1",
        f"{level}-2",
        f"{level}+2",
        f"{level}-1|-2",
        f"{level}+1|+2",
        f"{level}-1|-2|-3",
        f"{level}+1|+2|+3",
        f"{level}-1 & {level}+1",
        f"{level}-2 & {level}-1",
        f"{level}+1 & {level}+2",
    )


_LEXICAL = ("w0", "w-1", "w+1", "w0 & t-1", "w0 & t+1")
_MORE_LEXICAL = (  # better for English, not for Polish with its many forms
    *("w-2", "w+2", "w-1|-2", "w+1|+2", "w-1 & w0", "w0 & w+1", "w-1 & t-1", "w+1 & t+1"),
    *("ending0", "ending-two0", "ending0 & t-1", "ending0 & t+1"),
    *("first0", "first0 & t-1", "first0 & t+1"),
)
PLAIN = Notation(("t -> t",), (*_contexts("t"), *_LEXICAL, *_MORE_LEXICAL), ("w", "ending", "ending-two", "first"))


def rich_notation(categories: Sequence[str]) -> Notation:
    """The transformations of tags with these categories; their names may be in capitals or not (`case`, `Case`)."""
    known = {name.lower(): name for name in categories}
    shared = ".".join(known[name] for name in _AGREEMENT if name in known)
    actions, templates = ["t -> t", "pos => pos"], [*_contexts("t"), *_contexts("pos"), *_LEXICAL]
    if shared:
        actions += [f"pos -> {shared}", f"pos -> {shared} of +1", f"pos -> {shared} of -1"]
    if "case" in known:
        case = known["case"]
        actions += [f"pos.{case} -> {case}", f"pos -> {case} of +1", f"pos -> {case} of -1"]
        templates += _contexts(case)
    return Notation(tuple(actions), tuple(templates), ("w",))


def feature_values(words: WordSequence, names: Sequence[str], fewest: int) -> list[list[str]]:
    """The values of features that at least so many words have, in the order in which they come first."""
    n_of_form = np.bincount(words.ids, minlength=len(words.forms)).tolist()
    found = []
    for name in names:
        n_of_value: dict[str, int] = {}
        for form, n in zip(words.forms, n_of_form, strict=True):
            value = FEATURES[name](form)
            if value is not None:
                n_of_value[value] = n_of_value.get(value, 0) + n
        found.append([value for value, n in n_of_value.items() if n >= fewest][:_MOST_VALUES])
    return found


def feature_columns(words: WordSequence, names: Sequence[str], values: Sequence[Sequence[str]]) -> Ids:
    """The number of each word's value of each feature, -1 for values that do not count [features × words]."""
    found = np.full((len(names), len(words)), -1, dtype=np.int32)
    for row, (name, several) in enumerate(zip(names, values, strict=True)):
        number = {value: place for place, value in enumerate(several)}
        of_form = [number.get(value, -1) if (value := FEATURES[name](form)) else -1 for form in words.forms]
        found[row] = np.array(of_form, dtype=np.int32).take(words.ids)
    return found
