"""The rules of a transformation-based tagger in a model's file: what is kept, and what is checked when it is read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from karat._arrays import Array
from karat.systems.model_file import Model
from karat.systems.transformation_presets import FEATURES
from karat.systems.transformations import LabelParts, Notation, Rules, TransformationGrammar, keys_of

_MOST_KINDS = 1 << 14  # templates × actions
_MOST_VALUES = (1 << 21) - 2
_BETWEEN = "\t"


def phase_parts(grammar: TransformationGrammar, rules: Rules, values: Sequence[Sequence[str]], number: int) -> Model:
    """What is kept of a phase, the number of which is in every name."""
    notation, tags = grammar.notation, grammar.tags
    arrays: dict[str, Array] = {
        f"rules {number}": rules.fields(len(notation.actions)).astype(np.int32),
        f"gains {number}": np.stack([rules.good, rules.bad], axis=1).astype(np.int32),
        f"categories {number}": tags.table.astype(np.int32),
    }
    texts = {
        f"actions {number}": list(notation.actions),
        f"templates {number}": list(notation.templates),
        f"features {number}": list(notation.features),
        f"feature values {number}": _lines(notation.features, values),
        f"category names {number}": list(tags.names),
        f"category values {number}": _lines(tags.names, tags.values),
    }
    return Model("", {}, arrays, texts)


def _lines(names: Sequence[str], values: Sequence[Sequence[str]]) -> list[str]:
    return [f"{name}{_BETWEEN}{value}" for name, some in zip(names, values, strict=True) for value in some]


def _values(model: Model, name: str, of: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The values of each of these, from lines with its name and one value."""
    found: dict[str, list[str]] = {one: [] for one in of}
    for line in model.lines(name):
        owner, _, value = line.partition(_BETWEEN)
        if owner not in found:
            raise model.problem(f"{name} are of something unknown")
        found[owner].append(value)
    return tuple(tuple(some) for some in found.values())


def tag_parts_from(model: Model, labels: tuple[str, ...], number: int) -> LabelParts:
    """The categories of labels that were kept."""
    names = tuple(model.lines(f"category names {number}"))
    values = _values(model, f"category values {number}", names)
    if len(values) < len(names):
        raise model.problem("categories are not different ones")
    table = model.numbers(f"categories {number}", 1 << 15, least=-1, n_dimensions=2)
    if not names:
        return LabelParts(labels)
    most = np.array([len(some) for some in values])
    if table.shape != (len(labels), len(names)) or (table >= most).any():
        raise model.problem("categories do not fit the labels")
    return LabelParts(labels, names, values, table.astype(np.int16))


def phase_from_parts(
    model: Model, tags: LabelParts, number: int
) -> tuple[TransformationGrammar, Rules, tuple[tuple[str, ...], ...]]:
    """A phase that was kept, all of its numbers checked."""
    features = tuple(model.lines(f"features {number}"))
    notation = Notation(tuple(model.lines(f"actions {number}")), tuple(model.lines(f"templates {number}")), features)
    values = _values(model, f"feature values {number}", features)
    grammar = TransformationGrammar(notation, tags)
    n_kinds = len(notation.actions) * len(notation.templates)
    try:
        sizes = {name: len(grammar.level_values(name)) for name in notation.levels}
    except (ValueError, IndexError):
        raise model.problem("rules are of an unknown form") from None
    if not 0 < n_kinds < _MOST_KINDS or any(one not in FEATURES for one in features) or len(values) < len(features):
        raise model.problem("rules are of an unknown form")
    sizes |= {name: min(len(some), _MOST_VALUES) for name, some in zip(features, values, strict=True)}
    fields = model.numbers(f"rules {number}", 1 << 24, least=-1, n_dimensions=2)
    gains = model.numbers(f"gains {number}", 1 << 31, n_dimensions=2)
    if fields.shape != (len(gains), 7) or gains.shape[1] != 2 or (fields >= _most(fields, notation, sizes)).any():
        raise model.problem("rules ask for values that there are not")
    rules = Rules(keys_of(fields, len(notation.actions)), gains[:, 0], gains[:, 1])
    return grammar, rules, values


def _most(fields: Array, notation: Notation, sizes: dict[str, int]) -> Array:
    """What each field of a rule must be below; -1, so that none is, where a rule is not like its template."""
    most = np.full(fields.shape, -1, dtype=np.int64)
    n_templates, n_actions = len(notation.templates), len(notation.actions)
    for row, (template, action, *values) in enumerate(fields.tolist()):
        if not (0 <= template < n_templates and 0 <= action < n_actions):
            continue
        conditions, what = notation.parsed_templates[template], notation.parsed_actions[action]
        n = len(conditions)
        if min(values[: 2 + n]) < 0 or max(values[2 + n :], default=-1) != -1:
            continue
        most[row] = [n_templates, n_actions, sizes[what.asks], 1 if what.source else sizes[what.gives], *[0] * 3]
        most[row, 4 : 4 + n] = [sizes[one.name] for one in conditions]
    return most
