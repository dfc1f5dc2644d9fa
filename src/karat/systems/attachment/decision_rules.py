"""Handwritten rules: which objects may be connected, from the tags of their heads alone.

The paper has 14 "high-precision low-recall handwritten syntactic decision rules which define common grammatical
patterns like verb-subject agreement, genitive construction" [Slaski, Acedański & Przepiórkowski 2012, §2.4]; it does
not print them. Ours are in TOML, for NKJP's tags and for UD's; they look neither at words nor at places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat.corpus.shipped import shipped_or_file
from karat.corpus.source import PathLike
from karat.corpus.toml_text import toml_from_text
from karat.errors import NO_LINE, DataError, Problem, UsageError
from karat.systems.groups.cascade_file import did_you_mean
from karat.systems.groups.syntactic_objects import SyntacticObjects
from karat.systems.groups.tagged_words import AGREEING, UD
from karat.tagsets import Tagset, read_tagset

_PACKAGE = "karat.systems.attachment"
_CODE = "K891"
_KEYS = {"name": str, "parent": str, "child": str, "agree": list, "parent-head": str, "child-head": str}
_TOP = ("tagset", "classes", "rule")
_HEADS = ("syntactic", "semantic")
_HINT = "docs/attachment.md explains how rules are described"


@dataclass(frozen=True, slots=True)
class TagCondition:
    """What a head's tag must be: its part of speech, and values of case, number and gender; of which head."""

    pos: frozenset[str]
    values: Mapping[str, frozenset[str]]
    head: str

    def holds(self, objects: SyntacticObjects) -> Flags:
        """Of which objects it holds."""
        words, heads = objects.words, objects.syntactic if self.head == "syntactic" else objects.semantic
        found = _among(words.pos.names, self.pos).take(words.pos.ids.take(heads))
        for category, wanted in self.values.items():
            ids = words.agreeing[category].ids.take(heads)
            names = words.agreeing[category].names
            found &= (ids >= 0) & np.append(_among(names, wanted), [False]).take(ids)
        flags: Flags = found
        return flags


def _among(names: Sequence[str], wanted: frozenset[str]) -> Flags:
    return np.array([one in wanted for one in names], dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class DecisionRule:
    """A pattern of two objects: what the parent is, what the child, and in what both must agree."""

    name: str
    parent: TagCondition
    child: TagCondition
    agree: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DecisionRules:
    """The rules of a tagset; a pair is accepted if any of them accepts it."""

    name: str
    signed: str
    text: str
    tagset: str
    rules: tuple[DecisionRule, ...]

    def accepted(self, objects: SyntacticObjects, parents: Indices | Ids, children: Indices | Ids) -> Flags:
        """Which pairs, given as numbers of objects, each rule accepts [rules × pairs]."""
        found = np.zeros((len(self.rules), len(parents)), dtype=np.bool_)
        for number, rule in enumerate(self.rules):
            found[number] = rule.parent.holds(objects).take(parents) & rule.child.holds(objects).take(children)
            for category in rule.agree:
                above, below = (
                    _values(objects, category, one.head).take(of)
                    for one, of in ((rule.parent, parents), (rule.child, children))
                )
                found[number] &= (above == below) & (above >= 0)
        return found


def _values(objects: SyntacticObjects, category: str, head: str) -> Ids:
    heads = objects.syntactic if head == "syntactic" else objects.semantic
    found: Ids = objects.words.agreeing[category].ids.take(heads)
    return found


# ---- reading them ----------------------------------------------------------------------------------------------------


def read_decision_rules(name: PathLike) -> DecisionRules:
    """Shipped rules by their tagset's name, or those of a TOML file; a `DataError` for what is no rule."""
    text, path, signed = shipped_or_file(name, _PACKAGE, "set of rules")
    return decision_rules_from_text(text, path, signed)


def decision_rules_from_text(text: str, path: str, signed: str) -> DecisionRules:
    """The rules that a text describes."""
    try:
        data = toml_from_text(text)
    except ValueError as error:
        raise DataError(Problem(_CODE, f"no TOML: {error}", path, NO_LINE, hint=_HINT)) from None
    for key in data:
        if key not in _TOP:
            raise _wrong(path, f"unknown key {key!r}; known keys: {', '.join(_TOP)}")
    if not isinstance(data.get("tagset"), str):
        raise _wrong(path, 'tagset is missing: tagset = "nkjp", say')
    tagset = read_tagset(data["tagset"])
    classes = data.get("classes", {})
    if not isinstance(classes, dict) or not all(_is_list_of_texts(one) for one in classes.values()):
        raise _wrong(path, "[classes] has lists of parts of speech")
    rules = data.get("rule", [])
    if not isinstance(rules, list) or not rules or not all(isinstance(one, dict) for one in rules):
        raise _wrong(path, "there is no [[rule]]")
    found = tuple(_rule(one, classes, path) for one in rules)
    for rule in found:
        for side in (rule.parent, rule.child):
            _check_values(side, tagset, rule.name, path)
    return DecisionRules(path, signed, text, tagset.name, found)


def _check_values(condition: TagCondition, tagset: Tagset, rule: str, path: str) -> None:
    """A `DataError` for parts of speech and values that the tagset does not have; UD's values are open."""
    for pos in sorted(condition.pos):
        if pos not in tagset.slots:
            what = f"{rule}: {pos!r} is neither in [classes] nor a part of speech of {tagset.name}"
            raise _wrong(path, f"{what}{did_you_mean(pos, tagset.slots)}")
    for category, values in condition.values.items():
        known = tagset.values_in(category)
        for value in sorted(values) if tagset.name != UD else ():
            if value not in known:
                what = f"{rule}: {category} has no value {value!r} in {tagset.name}"
                raise _wrong(path, f"{what}{did_you_mean(value, known)}")


def _wrong(path: str, message: str) -> DataError:
    return DataError(Problem(_CODE, message, path, NO_LINE, hint=_HINT))


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _rule(data: Mapping[str, Any], classes: Mapping[str, Sequence[str]], path: str) -> DecisionRule:
    shown = data.get("name", "a rule without a name")
    for key, value in data.items():
        if key not in _KEYS:
            raise _wrong(path, f"{shown}: no rule has {key!r}; there are {', '.join(_KEYS)}")
        if not isinstance(value, _KEYS[key]):
            raise _wrong(path, f"{shown}: {key} is of another kind")
    if missing := [key for key in ("name", "parent", "child") if key not in data]:
        raise _wrong(path, f"{shown}: {' and '.join(missing)} missing")
    agree = data.get("agree", [])
    if not set(agree) <= set(AGREEING):
        raise _wrong(path, f"{shown}: agree can have {', '.join(AGREEING)}")
    parent = _condition(data["parent"], data.get("parent-head", "semantic"), classes, path, shown)
    child = _condition(data["child"], data.get("child-head", "syntactic"), classes, path, shown)
    return DecisionRule(shown, parent, child, tuple(agree))


def _condition(text: str, head: str, classes: Mapping[str, Sequence[str]], path: str, rule: str) -> TagCondition:
    """A condition as written: `noun|ppron3 case=nom|voc`."""
    if head not in _HEADS:
        raise _wrong(path, f"{rule}: a head is {' or '.join(_HEADS)}, not {head!r}")
    first, *rest = text.split() or [""]
    pos = [one for name in first.split("|") for one in classes.get(name, [name])]
    values = {}
    for cell in rest:
        category, equals, wanted = cell.partition("=")
        if not equals or category not in AGREEING:
            raise _wrong(path, f"{rule}: {cell!r} is no condition such as case=nom, number=sg or gender=f")
        values[category] = frozenset(wanted.split("|"))
    return TagCondition(frozenset(pos), values, head)


def refuse_rules_of_another_tagset(rules: DecisionRules, tagset: str) -> None:
    """A `UsageError` if rules are in other tags than the text."""
    if rules.tagset != tagset:
        raise UsageError(f"the rules are in tags of {rules.tagset}, the text has those of {tagset}: give other `rules`")
