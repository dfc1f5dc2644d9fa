"""What transformations are made of: levels of tags, conditions, templates and actions, and how people write them.

A *level* is a part of a tag: the whole of it (`t`), a category (`case`), or several (`pos.case`); `any` asks nothing. A
*condition* looks at a level, or at a feature of words such as the form (`w`), at one place or at any of several:
`t-1`, `case+1|+2`, `w0`. A *template* is up to three conditions: `t-1 & w+1`; with no condition it is written `always`.
An *action* asks for the value of a level and gives that of another, the rest being left alone: `t -> t`,
`pos -> number.case`, or copies it from another word: `pos -> number.gender.case of +1`. With `=>` the rest may change:
the word gets its likeliest tag with the given value. A rule is a template and an action with values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from karat._arrays import Array, Ids, Indices
from karat._ragged import stretches

REACH = 3  # of conditions, in words to each side
WHOLE, ANY, ALWAYS = "t", "any", "always"
_CONDITION = re.compile(r"([A-Za-z][A-Za-z.-]*?)((?:[+-][1-9]|0)(?:\|(?:[+-][1-9]|0))*)")
_ACTION = re.compile(r"([A-Za-z.-]+) (->|=>) ([A-Za-z.-]+)(?: of ([+-][1-9]))?")
_EDGE = "EDGE"


@dataclass(frozen=True, slots=True)
class TemplateCondition:
    """What a template looks at: a level or a feature, and the places, from the word itself on."""

    name: str
    places: tuple[int, ...]

    def shown(self, value: str) -> str:
        """The condition with a value: `t-1 = TO`, `one of case+1, case+2 = gen`."""
        several = ", ".join(f"{self.name}{_signed(place)}" for place in self.places)
        return f"{'one of ' if len(self.places) > 1 else ''}{several} = {value}"


@dataclass(frozen=True, slots=True)
class Action:
    """The level whose value a rule asks for, the one that it gives, and the place from which this is copied, or 0.

    A `free` action does not leave the rest of the tag alone: the word gets its first candidate with the given value.
    """

    asks: str
    gives: str
    source: int = 0
    free: bool = False


def _signed(place: int) -> str:
    return f"{place:+d}" if place else "0"


def template_from_text(text: str) -> tuple[TemplateCondition, ...]:
    """The conditions of a template; a `ValueError` if it is none.

    >>> template_from_text("t-1|-2 & w0")
    (TemplateCondition(name='t', places=(-1, -2)), TemplateCondition(name='w', places=(0,)))
    """
    if text == ALWAYS:
        return ()
    found = []
    for part in text.split(" & "):
        match = _CONDITION.fullmatch(part)
        if match is None:
            raise ValueError(f"no condition: {part!r}")
        places = tuple(int(one) for one in match[2].split("|"))
        if max(map(abs, places)) > REACH or len(set(places)) < len(places):
            raise ValueError(f"places out of reach: {part!r}")
        found.append(TemplateCondition(match[1], places))
    if len(found) > 3:
        raise ValueError(f"more than three conditions: {text!r}")
    return tuple(found)


def action_from_text(text: str) -> Action:
    """An action; a `ValueError` if it is none.

    >>> action_from_text("pos -> number.case of +1")
    Action(asks='pos', gives='number.case', source=1, free=False)
    """
    match = _ACTION.fullmatch(text)
    if match is None or (match[4] and abs(int(match[4])) > REACH):
        raise ValueError(f"no action: {text!r}")
    return Action(match[1], match[3], int(match[4] or 0), match[2] == "=>")


@dataclass(frozen=True, slots=True, eq=False)
class LabelParts:
    """The categories of labels: names, the names of values, and a table [labels × categories], -1 for none."""

    labels: tuple[str, ...]
    names: tuple[str, ...] = ()
    values: tuple[tuple[str, ...], ...] = ()
    table: Array = field(default_factory=lambda: np.zeros((0, 0), dtype=np.int16))

    def level(self, name: str) -> tuple[Ids, list[str]]:
        """The number of each label's value at a level, the edge's behind them, and how values are written.

        A label without any of the categories has -1; so has the edge, but at the levels of whole tags and parts of
        speech. A `ValueError` for levels that there are not.
        """
        n = len(self.labels)
        if name == WHOLE:
            return np.arange(n + 1, dtype=np.int32), [*self.labels, _EDGE]
        if name == ANY:
            return np.append(np.zeros(n, dtype=np.int32), np.int32(-1)), ["*"]
        numbers = [self.names.index(one) for one in name.split(".")]  # a ValueError for unknown ones
        rows = self.table[:, numbers]
        distinct, ids = np.unique(rows, axis=0, return_inverse=True)
        ids = np.where((rows >= 0).any(axis=1), ids.reshape(-1), -1)
        shown = [
            ":".join(self.values[c][v] if v >= 0 else "-" for c, v in zip(numbers, row, strict=True))
            for row in distinct.tolist()
        ]
        edge = len(shown) if name == "pos" else -1
        return np.append(ids, edge).astype(np.int32), [*shown, _EDGE]

    def rest(self, name: str) -> Ids:
        """A number for what labels have at all categories that a level does not have, and -1 for the edge.

        Together with the value at the level it says which label it is: of labels whose categories are all the same,
        each counts as a kind of its own.
        """
        if name == WHOLE:
            return self.level(ANY)[0]
        others = [number for number, one in enumerate(self.names) if one not in name.split(".")]
        rows = np.column_stack([self.table[:, others], _ranks_among_equals(self.table)])
        _, ids = np.unique(rows, axis=0, return_inverse=True)
        return np.append(ids.reshape(-1), -1).astype(np.int32)


def _ranks_among_equals(rows: Array) -> Indices:
    """For each row how many before it are the same."""
    _, ids = np.unique(rows, axis=0, return_inverse=True)
    ids = ids.reshape(-1)
    order = np.argsort(ids, kind="stable")
    sizes = np.bincount(ids)
    found = np.empty(len(ids), dtype=np.intp)
    found[order] = stretches(0, sizes)
    return found


def _labels_by_value(levels: Ids) -> Ids:
    """Where the labels with each value of a level begin, and the labels in this order [levels × 2 × …]."""
    found = np.zeros((len(levels), 2, levels.shape[1] + 2), dtype=np.int32)
    for level, values in enumerate(levels):
        some = np.flatnonzero(values >= 0)
        found[level, 0, 1:] = np.cumsum(np.bincount(values[some], minlength=levels.shape[1] + 1))
        found[level, 1, : len(some)] = some[np.argsort(values[some], kind="stable")]
    return found


@dataclass(frozen=True)
class Notation:
    """Which rules there can be: actions, templates, and the features of words that these look at."""

    actions: tuple[str, ...]
    templates: tuple[str, ...]
    features: tuple[str, ...]

    @cached_property
    def parsed_actions(self) -> tuple[Action, ...]:
        return tuple(map(action_from_text, self.actions))

    @cached_property
    def parsed_templates(self) -> tuple[tuple[TemplateCondition, ...], ...]:
        return tuple(map(template_from_text, self.templates))

    @cached_property
    def levels(self) -> tuple[str, ...]:
        """The levels that actions and templates name."""
        found = [name for one in self.parsed_actions for name in (one.asks, one.gives)]
        found += [one.name for several in self.parsed_templates for one in several if one.name not in self.features]
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, eq=False)
class TransformationGrammar:
    """A notation with the tags that it is about, as kernels have it (`arrays`), and back to what people read."""

    notation: Notation
    tags: LabelParts

    @cached_property
    def _levels(self) -> list[tuple[Ids, list[str]]]:
        return [self.tags.level(name) for name in self.notation.levels]

    @cached_property
    def arrays(self) -> tuple[Ids, Ids, Ids, Ids, Indices, Ids]:
        """Levels, actions, rests, conditions, the places that templates look at, and labels.

        The last are, for each level, where the labels with each value begin, and these labels.
        """
        notation = self.notation
        number = {name: place for place, name in enumerate(notation.levels)}
        levels = np.array([ids for ids, _ in self._levels], dtype=np.int32)
        several = notation.parsed_actions
        actions = np.array(
            [[number[one.asks], number[one.gives], one.source, one.free] for one in several], dtype=np.int32
        )
        rests = np.array([self.tags.rest(WHOLE if one.free else one.gives) for one in several], dtype=np.int32)
        conditions = np.zeros((len(notation.templates), 3, 3 + 2 * REACH + 1), dtype=np.int32)
        looks_at = np.zeros(len(notation.templates), dtype=np.int64)
        for t, template in enumerate(notation.parsed_templates):
            for c, one in enumerate(template):
                is_level = one.name not in notation.features
                column = number[one.name] if is_level else notation.features.index(one.name)
                conditions[t, c, :3] = 1 if is_level else 2, column, len(one.places)
                conditions[t, c, 3 : 3 + len(one.places)] = one.places
                if is_level:
                    looks_at[t] |= sum(1 << (place + REACH) for place in one.places)
        return levels, actions, rests, conditions, looks_at, _labels_by_value(levels)

    @cached_property
    def most_contexts(self) -> int:
        """How many contexts a word can have at most."""
        sizes = [[len(one.places) for one in template] for template in self.notation.parsed_templates]
        return sum(int(np.prod(some, dtype=np.int64)) for some in sizes) + 1

    def level_values(self, name: str) -> list[str]:
        """How the values of a level are written."""
        return self._levels[self.notation.levels.index(name)][1]


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """Rules in the order in which they are applied, as two numbers each, and how many words each corrected and spoilt.

    `fields` has them in parts: template, action, asked value, given value, and the values of conditions, -1 for none.
    """

    keys: Array
    good: Ids
    bad: Ids

    def __len__(self) -> int:
        return len(self.keys)

    def fields(self, n_actions: int) -> Array:
        first, second = self.keys[:, 0], self.keys[:, 1]
        which, mask = first >> 48, (1 << 24) - 1
        several = [which // n_actions, which % n_actions, (first >> 24) & mask, first & mask]
        several += [((second >> (21 * number)) & ((1 << 21) - 1)) - 1 for number in range(3)]
        return np.stack(several, axis=1)

    def until(self, threshold: int) -> Rules:
        """The rules before the first that gains less than a threshold: what is learnt with this threshold."""
        n = int(np.argmax(np.append(self.good - self.bad < threshold, True)))
        return Rules(self.keys[:n], self.good[:n], self.bad[:n])

    def with_fields(self, fields: Array, n_actions: int) -> Rules:
        """The same rules with other values."""
        return Rules(keys_of(fields, n_actions), self.good, self.bad)


def keys_of(fields: Array, n_actions: int) -> Array:
    """Rules as two numbers each, from their parts."""
    fields = fields.astype(np.int64)
    first = ((fields[:, 0] * n_actions + fields[:, 1]) << 48) | (fields[:, 2] << 24) | fields[:, 3]
    second = sum(((fields[:, 4 + number] + 1) << (21 * number)) for number in range(3))
    return np.stack([first, second], axis=1)


def shown_rules(rules: Rules, grammar: TransformationGrammar, words: Sequence[Sequence[str]]) -> list[str]:
    """Rules as lines that people read: `NN -> VB if t-1 = TO  # +98 −6`; `words` are the values of each feature."""
    notation = grammar.notation
    lines = []
    fields = rules.fields(len(notation.actions)).tolist()
    for (t, a, asked, given, *values), good, bad in zip(fields, rules.good.tolist(), rules.bad.tolist(), strict=True):
        action = notation.parsed_actions[a]
        conditions = []
        for one, value in zip(notation.parsed_templates[t], values, strict=False):
            is_feature = one.name in notation.features
            names = words[notation.features.index(one.name)] if is_feature else grammar.level_values(one.name)
            conditions.append(one.shown(names[value]))
        what = _shown_action(action, grammar, asked, given)
        lines.append(f"{what}{' if ' if conditions else ''}{' and '.join(conditions)}  # +{good} \N{MINUS SIGN}{bad}")
    return lines


def _shown_action(action: Action, grammar: TransformationGrammar, asked: int, given: int) -> str:
    before = grammar.level_values(action.asks)[asked]
    if action.source:
        return f"{before}: {action.gives} := {action.gives}{_signed(action.source)}"
    after = grammar.level_values(action.gives)[given]
    arrow = "=>" if action.free else "->"
    return f"{before} {arrow} {after}" if action.asks == action.gives else f"{before}: {action.gives} := {after}"
