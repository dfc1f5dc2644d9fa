"""Reading a cascade of groups: TOML, as docs/attachment.md describes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from karat.corpus.shipped import shipped_names, shipped_or_file
from karat.corpus.source import PathLike
from karat.corpus.toml_text import toml_from_text
from karat.errors import DataError, Problem, UsageError
from karat.systems.groups.patterns import (
    CAPITAL,
    MANY,
    ElementAgreement,
    GroupCascade,
    GroupRule,
    PatternElement,
    UnitClass,
    WordCondition,
)
from karat.systems.groups.syntactic_objects import WORD
from karat.systems.groups.tagged_words import AGREEING, UD
from karat.tagsets import Tagset, read_tagset

_PACKAGE = "karat.systems.groups"
_TOP = {"about": str, "tagset": str, "lists": dict, "words": dict, "rule": list}
_OPTIONAL = ("about", "lists")
_LIST = "@"  # before the name of a list, where a value could stand
_RULE_TEXTS = ("name", "makes", "pattern", "head", "syntactic-head", "semantic-head", "not-after", "not-before")
_RULE_KEYS = (*_RULE_TEXTS, "agree")
_NEEDED = ("name", "makes", "pattern")
_PROPERTIES = ("pos", "lemma", "form", *AGREEING)
_NOT = "not-"
_CAPITAL = "capital-lemma"
_CONDITIONS = (*_PROPERTIES, *(_NOT + one for one in _PROPERTIES), _CAPITAL)
_TIMES = {"": (1, 1), "?": (0, 1), "*": (0, MANY), "+": (1, MANY)}
_NAME = re.compile(r"[^\W\d_][\w-]*")
_MOST_CLASSES = 64  # a unit has a bit for each
_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")
_HINT = "docs/attachment.md explains how groups are described"


def shipped_cascades() -> tuple[str, ...]:
    """The names of the cascades that karat has: those of the tagsets that they are for."""
    return shipped_names(_PACKAGE)


def read_cascade(name: PathLike | GroupCascade) -> GroupCascade:
    """A shipped cascade by its name, or the one that a TOML file describes; a `DataError` (K890) if it describes none.

    >>> read_cascade("nkjp").kinds
    ('adverbial', 'adjectival', 'numeral', 'nominal', 'prepositional', 'verbal')
    """
    if isinstance(name, GroupCascade):
        return name
    text, path, signed = shipped_or_file(name, _PACKAGE, "cascade of groups")
    return cascade_from_text(text, path, signed)


def cascade_from_text(text: str, path: str, signed: str = "") -> GroupCascade:
    """The cascade that a text describes; a `DataError` (K890), with the line, if it describes none."""
    file = _File(text, path)
    data = file.data()
    file.check_keys(data, tuple(_TOP), 1)
    for key, kind in _TOP.items():
        if key not in _OPTIONAL and key not in data:
            file.refuse(f"{'[[rule]]' if key == 'rule' else key} is missing", 1)
        if key in data and type(data[key]) is not kind:
            what = {str: "text", dict: "a table", list: "a list of [[rule]]"}[kind]
            file.refuse(f"{key} is not {what}", file.line_of(key))
    tagset = file.tagset(data["tagset"])
    lists = {name: file.listed(name, given) for name, given in data.get("lists", {}).items()}
    words = {name: file.unit_class(name, given, tagset, lists) for name, given in data["words"].items()}
    rules, classes = file.rules(data["rule"], words)
    return GroupCascade(path, data.get("about", ""), tagset.name, classes, rules, signed or path)


@dataclass(frozen=True, slots=True)
class _File:
    """A description's text, in which what is wrong has a line."""

    text: str
    path: str

    def refuse(self, message: str, line: int, column: int = 1) -> NoReturn:
        raise DataError(Problem("K890", message, self.path, line, column, hint=_HINT))

    def data(self) -> dict[str, Any]:
        try:
            return toml_from_text(self.text)
        except ValueError as error:
            place = _PLACE.search(str(error))
            line, column = (int(place[1]), int(place[2])) if place else (len(self.text.split("\n")), 1)
            self.refuse(f"not TOML: {_PLACE.sub('', str(error))}", line, column)

    # ---- lines

    def line_of(self, key: str, start: int = 1, stop: int | None = None) -> int:
        """The first line of a part of the file that gives a key, or a table of this name; else the part's first."""
        pattern = re.compile(rf"\s*(\[+\s*)?(words\s*\.\s*)?[\"']?{re.escape(key)}[\"']?\s*[=\].]")
        lines = self.text.split("\n")[start - 1 : stop]
        return next((start + n for n, line in enumerate(lines) if pattern.match(line)), start)

    def rule_lines(self, n_rules: int) -> list[tuple[int, int]]:
        """The first and the last line of each rule."""
        lines = self.text.split("\n")
        starts = [n for n, line in enumerate(lines, start=1) if re.match(r"\s*\[\[\s*[\"']?rule[\"']?\s*\]\]", line)]
        if len(starts) != n_rules:  # rules as `rule = [{…}, …]`
            return [(self.line_of("rule"), len(lines))] * n_rules
        return list(zip(starts, [one - 1 for one in starts[1:]] + [len(lines)], strict=True))

    def check_keys(self, data: Mapping[str, Any], known: Sequence[str], start: int, stop: int | None = None) -> None:
        for key in data:
            if key not in known:
                line = self.line_of(key, start, stop)
                self.refuse(f"unknown key {key!r}{did_you_mean(key, known)}; known keys: {', '.join(known)}", line)

    # ---- classes of words

    def tagset(self, name: str) -> Tagset:
        try:
            return read_tagset(name)
        except UsageError as error:
            self.refuse(f"tagset: {error}", self.line_of("tagset"))

    def listed(self, name: str, given: Any) -> tuple[str, ...]:
        """The values of a list: a text with spaces between them."""
        if not isinstance(given, str) or not given.split():
            self.refuse(f"the list {name} is not a text with values in it", self.line_of(name, self.line_of("lists")))
        return tuple(given.split())

    def unit_class(self, name: str, given: Any, tagset: Tagset, lists: Mapping[str, tuple[str, ...]]) -> UnitClass:
        line = self.line_of(name, self.line_of("words"))
        if not _NAME.fullmatch(name) or name == WORD:
            self.refuse(f"{name!r} cannot be a name in patterns: letters, digits, - and _ after a letter", line)
        if not isinstance(given, dict) or not given:
            self.refuse(f'{name} is not a table of properties, such as {{ pos = "…", lemma = "…" }}', line)
        known = ("group", *_CONDITIONS)
        for key in given:
            if key not in known:
                self.refuse(f"{name}: unknown key {key!r}{did_you_mean(key, known)}; known: {', '.join(known)}", line)
        if not isinstance(given.get(_CAPITAL, True), bool):
            self.refuse(f"{name}: {_CAPITAL} is neither true nor false", line)
        values = {
            key: self.with_lists(f"{name}: {key}", self.texts(f"{name}: {key}", of, line), lists, line)
            for key, of in given.items()
            if key != _CAPITAL
        }
        kinds = frozenset(values.pop("group", ()))
        conditions = [self.condition(name, key, of, tagset, line) for key, of in values.items()]
        if _CAPITAL in given:
            conditions.append(WordCondition(CAPITAL, frozenset({CAPITAL}), not given[_CAPITAL]))
        return UnitClass(name, tuple(conditions), kinds)

    def condition(self, name: str, key: str, values: Sequence[str], tagset: Tagset, line: int) -> WordCondition:
        of = key.removeprefix(_NOT)
        known: Iterable[str] = ()
        if of == "pos":
            known = tagset.slots
        elif of in AGREEING and tagset.name != UD:  # UD's are open: languages add to them
            known = tagset.values_in(of)
            if not known:
                self.refuse(f"{name}: the tagset {tagset.name} has no {of}", line)
        for value in values if known else ():
            if value not in known:
                what = "part of speech" if of == "pos" else of
                near = did_you_mean(value, tuple(known))
                self.refuse(f"{name}: unknown {what} {value!r} in the tagset {tagset.name}{near}", line)
        if of == "form":
            values = [one.lower() for one in values]
        return WordCondition(of, frozenset(values), key != of)

    def with_lists(
        self, what: str, values: Sequence[str], lists: Mapping[str, tuple[str, ...]], line: int
    ) -> list[str]:
        """Values, with those of a list in the place of `@list`."""
        found: list[str] = []
        for value in values:
            name = value.removeprefix(_LIST)
            if value.startswith(_LIST) and name and name not in lists:
                self.refuse(f"{what}: no list {name!r} in [lists]{did_you_mean(name, lists)}", line)
            found += lists[name] if value.startswith(_LIST) and name else [value]
        return found

    def texts(self, what: str, given: Any, line: int) -> list[str]:
        """One text, or a list of some."""
        several = given if isinstance(given, list) else [given]
        if not several or not all(isinstance(one, str) and one for one in several):
            self.refuse(f"{what} is neither text nor a list of texts", line)
        return several

    # ---- rules

    def rules(
        self, given: Sequence[Any], words: Mapping[str, UnitClass]
    ) -> tuple[tuple[GroupRule, ...], dict[str, UnitClass]]:
        """The rules, and the classes that their patterns may use: those of words, and each kind of groups."""
        classes, found, names = dict(words), list[GroupRule](), set[str]()
        if not given:
            self.refuse("[[rule]] is missing", 1)
        for table, (start, stop) in zip(given, self.rule_lines(len(given)), strict=True):
            rule = _RuleReader(self, start, stop, classes).rule(table)
            if rule.name in names:
                self.refuse(f"two rules have the name {rule.name!r}", self.line_of("name", start, stop))
            if rule.makes in words:
                line = self.line_of("makes", start, stop)
                self.refuse(f"{rule.makes!r} is a name in [words]: it cannot be a kind of groups, too", line)
            names.add(rule.name)
            found.append(rule)
            classes.setdefault(rule.makes, UnitClass(rule.makes, (), frozenset({rule.makes})))
        made = {rule.makes for rule in found}
        for one in words.values():
            if not one.kinds <= made:
                kind = min(one.kinds - made)
                line = self.line_of(one.name, self.line_of("words"))
                self.refuse(f"{one.name}: no rule makes groups of the kind {kind!r}{did_you_mean(kind, made)}", line)
        if len(classes) > _MOST_CLASSES:
            self.refuse(f"{len(classes)} names of words and groups; at most {_MOST_CLASSES} are possible", 1)
        return tuple(found), classes


@dataclass(frozen=True, slots=True)
class _RuleReader:
    """One rule of a file: its lines, and the classes that it may use."""

    file: _File
    start: int
    stop: int
    classes: Mapping[str, UnitClass]

    def refuse(self, key: str, message: str) -> NoReturn:
        self.file.refuse(message, self.file.line_of(key, self.start, self.stop))

    def rule(self, table: Any) -> GroupRule:
        if not isinstance(table, dict):
            self.refuse("rule", "a rule is not a table: begin each with [[rule]]")
        self.file.check_keys(table, _RULE_KEYS, self.start, self.stop)
        for key in _RULE_TEXTS:
            if key in table and (not isinstance(table[key], str) or not table[key].strip()):
                self.refuse(key, f"{key} is not a text")
        for key in _NEEDED:
            if key not in table:
                self.refuse("rule", f"a rule without {key}")
        if not _NAME.fullmatch(table["makes"]) or table["makes"] == WORD:
            self.refuse("makes", f"{table['makes']!r} cannot be a kind of groups: a name in one word was expected")
        written = table["pattern"].split()
        elements = tuple(self.element(one) for one in written)
        names = [one.rstrip("?*+") for one in written]
        return GroupRule(
            name=table["name"],
            makes=table["makes"],
            elements=elements,
            agreements=self.agreements(table.get("agree", []), names),
            syntactic=self.head("syntactic-head", table, names, elements),
            semantic=self.head("semantic-head", table, names, elements),
            not_after=self.alternatives("not-after", table.get("not-after", "")),
            not_before=self.alternatives("not-before", table.get("not-before", "")),
        )

    def element(self, written: str) -> PatternElement:
        """An element of a pattern: `a`, or `a|b` for one of the two; with ? optional, with * or + repeated."""
        name = written.rstrip("?*+")
        least, most = _TIMES.get(written[len(name) :], (0, 0))
        if not most:
            self.refuse("pattern", f"{written!r}: only one of ? * + can follow a name")
        return PatternElement(self.alternatives("pattern", name), least, most)

    def alternatives(self, key: str, written: str) -> tuple[str, ...]:
        """The names in `a|b|c`."""
        found = tuple(one.strip() for one in written.split("|")) if written else ()
        for one in found:
            if one not in self.classes:
                hint = did_you_mean(one, tuple(self.classes))
                self.refuse(key, f"{key}: {one!r} is neither in [words] nor a kind that a rule before makes{hint}")
        return found

    def place(self, key: str, name: str, names: Sequence[str]) -> int:
        """The place of an element, named as in the pattern, or by its number from 1 where two have the same name."""
        if name.isdecimal() and 1 <= int(name) <= len(names):
            return int(name) - 1
        if names.count(name) != 1:
            known = "is not in the pattern" if name not in names else "is there twice: write its place, from 1"
            self.refuse(key, f"{key}: {name!r} {known}")
        return names.index(name)

    def head(self, key: str, table: Mapping[str, Any], names: Sequence[str], elements: Sequence[PatternElement]) -> int:
        """The element with a head, which each group has exactly once."""
        used = key if key in table else "head"
        if used not in table or ("head" in table and key in table):
            self.refuse("rule", "a rule needs either head, or syntactic-head and semantic-head")
        place = self.place(used, table[used].strip(), names)
        if (elements[place].least, elements[place].most) != (1, 1):
            self.refuse(used, f"{used}: {names[place]!r} is optional or repeated; a group has one head")
        return place

    def agreements(self, given: Any, names: Sequence[str]) -> tuple[ElementAgreement, ...]:
        """Lines such as `adjective noun: case number gender`."""
        found = []
        for line in self.file.texts("agree", given, self.file.line_of("agree", self.start, self.stop)) if given else ():
            who, _, what = line.partition(":")
            places = tuple(self.place("agree", one, names) for one in who.split())
            if not what.split() or not places:
                self.refuse("agree", f"agree: {line!r} is not of the form 'adjective noun: case number gender'")
            for category in what.split():
                if category not in AGREEING:
                    self.refuse("agree", f"agree: {category!r} is not one of {', '.join(AGREEING)}")
                found.append(ElementAgreement(category, places))
        return tuple(found)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """What to add to a message about an unknown name: the nearest known one, if any is near."""
    import difflib

    close = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
