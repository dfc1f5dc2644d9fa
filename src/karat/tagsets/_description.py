"""Reading the description of a tagset: TOML, as docs/tagsets.md says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast, get_args

from karat.corpus.shipped import shipped_names, shipped_or_file
from karat.corpus.source import PathLike
from karat.corpus.toml_text import toml_from_text
from karat.errors import DataError, Problem
from karat.tagsets._tagset import Cut, Slot, Tagset

_TEXTS = {
    "name", "about", "base", "cut", "separator", "value-separator", "wildcard", "empty", "category-form", "value-form",
}  # fmt: skip
_NUMBERS = {"width", "coarse-width", "length"}
_TABLES = {"pos", "pos-names", "slots", "values", "values-of", "sets", "maps"}
_KEYS: dict[str, type] = {
    **dict.fromkeys(_TEXTS, str), **dict.fromkeys(_NUMBERS, int), **dict.fromkeys(_TABLES, dict),
    "unknown": list, "open": bool,
}  # fmt: skip
_WORDS: dict[type, str] = {str: "text", int: "number", dict: "table", list: "list", bool: "truth value"}


def shipped() -> tuple[str, ...]:
    """The names of the tagsets that karat has."""
    return shipped_names("karat.tagsets")


def read_tagset(name: PathLike | Tagset) -> Tagset:
    """A shipped tagset by its name, or the one that a TOML file describes."""
    if isinstance(name, Tagset):
        return name
    text, path, _ = shipped_or_file(name, "karat.tagsets", "tagset")
    return tagset_from_text(text, path)


def tagset_from_text(text: str, path: str) -> Tagset:
    """The tagset that a text describes; a `DataError` if it describes none."""
    data = _data(text, path)
    cut = data.get("cut", "separated")
    if cut not in get_args(Cut):
        raise _wrong(path, f"cut is {cut!r}, not one of {', '.join(get_args(Cut))}")
    named = {name: _slots(slots, {}, path) for name, slots in data.get("slots", {}).items()}
    tagset = Tagset(
        name=data.get("name", path),
        about=data.get("about", ""),
        cut=cast("Cut", cut),
        slots={name: _slots(of, named, path) for name, of in data.get("pos", {}).items()},
        values={name: _values(of, path) for name, of in data.get("values", {}).items()},
        values_of={
            one: {name: _values(of, path) for name, of in table.items()}
            for one, table in _tables(data, "values-of", path).items()
        },
        pos_names={name: str(one) for name, one in data.get("pos-names", {}).items()},
        sets={
            name: {one: tuple(_values(of, path)) for one, of in table.items()}
            for name, table in _tables(data, "sets", path).items()
        },
        maps={name: {one: str(of) for one, of in table.items()} for name, table in _tables(data, "maps", path).items()},
        separator=data.get("separator", "|" if cut == "features" else ":"),
        value_separator=data.get("value-separator", "," if cut == "features" else ""),
        wildcard=data.get("wildcard", ""),
        empty=data.get("empty", "_" if cut == "features" else "-"),
        width=data.get("width", 1),
        coarse_width=data.get("coarse-width", 0),
        length=data.get("length", 0),
        unknown=frozenset(map(str, data.get("unknown", []))),
        open=data.get("open", False),
        category_form=data.get("category-form", ".+"),
        value_form=data.get("value-form", ".+"),
    )
    _check(tagset, path)
    return tagset


def _data(text: str, path: str) -> dict[str, Any]:
    """What a description says: its own keys, and the others from the description that it is based on."""
    try:
        data = toml_from_text(text)
    except ValueError as error:
        raise _wrong(path, f"not TOML: {error}") from None
    for key, value in data.items():
        if key not in _KEYS:
            raise _wrong(path, f"unknown key {key!r} in the description of a tagset")
        if type(value) is not _KEYS[key]:
            raise _wrong(path, f"{key} is {value!r}, no {_WORDS[_KEYS[key]]}")
    base = data.pop("base", None)
    if base is None:
        return data
    if base not in shipped():
        raise _wrong(path, f"unknown tagset {base!r} as base; choose from {', '.join(shipped())}")
    text, base_path, _ = shipped_or_file(base, "karat.tagsets", "tagset")
    return {**_data(text, base_path), **data}


def _check(tagset: Tagset, path: str) -> None:
    """Ends with an error where a description contradicts itself, or says what no tag could ever use."""
    if not tagset.slots:
        raise _wrong(path, "[pos] has no part of speech")
    if tagset.width < 1:
        raise _wrong(path, f"width is {tagset.width}; a part of speech has at least one character")
    if tagset.cut == "features" and not tagset.separator:
        raise _wrong(path, "features need a separator")
    for form in (tagset.category_form, tagset.value_form):
        try:
            re.compile(form)
        except re.error as error:
            raise _wrong(path, f"{form!r} is not a regular expression: {error}") from None
    for pos, slots in tagset.slots.items():
        if tagset.cut == "characters" and len(pos) != tagset.width:
            raise _wrong(path, f"the part of speech {pos!r} has {len(pos)} characters where width is {tagset.width}")
        categories = [slot.category for slot in slots if slot.category]
        for category in categories:
            if not tagset.values_in(category, pos):
                raise _wrong(path, f"the category {category!r} of {pos} has no values")
            if categories.count(category) > 1:
                raise _wrong(path, f"the category {category!r} occurs twice in {pos}")
    for category, sets in tagset.sets.items():
        for one, members in sets.items():
            _check_values(tagset, category, members, f"the set {one!r}", path)
    for category, maps in tagset.maps.items():
        for one, value in maps.items():
            if value not in tagset.sets.get(category, {}):
                _check_values(tagset, category, (value,), f"what {one!r} is mapped to", path)


def _check_values(tagset: Tagset, category: str, values: tuple[str, ...], what: str, path: str) -> None:
    known = tagset.values_in(category)
    for value in values:
        if value not in known:
            raise _wrong(path, f"{what} in {category}: {value!r} is not a value of {category}")


def _wrong(path: str, message: str) -> DataError:
    return DataError(Problem("K801", message, path, hint="docs/tagsets.md explains how to describe a tagset"))


def _tables(data: Mapping[str, Any], key: str, path: str) -> dict[str, dict[str, Any]]:
    tables: dict[str, dict[str, Any]] = data.get(key, {})
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise _wrong(path, f"{key}.{name} is {table!r}, no table")
    return tables


def _slots(given: Any, named: Mapping[str, tuple[Slot, ...]], path: str) -> tuple[Slot, ...]:
    if isinstance(given, str):
        if given not in named:
            raise _wrong(path, f"unknown slots {given!r} in [slots]")
        return named[given]
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise _wrong(path, f"{given!r} is not a list of categories")
    return tuple(Slot(one.removeprefix("?"), one.startswith("?")) for one in given)


def _values(given: Any, path: str) -> dict[str, str]:
    """Values with their names: a list has none, and of a text every character is a value."""
    if isinstance(given, (str, list)):
        return dict.fromkeys(map(str, given), "")
    if isinstance(given, dict):
        return {str(value): str(name) for value, name in given.items()}
    raise _wrong(path, f"{given!r} are not values")
