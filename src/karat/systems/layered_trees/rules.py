"""Elimination rules: what a candidate cannot be, given what its neighbours can be.

A rule a line, in a file that people write and read; `#` begins a comment:

    remove post-prepositionality=praep unless -1: pos=prep
    remove case=loc & pos=subst|adj unless -6..-1: pos=prep & case=loc
    remove pos=impt if -1: only pos=prep
    remove pos=subst & case=voc if -1: "się"

What stands behind `remove` describes candidates: values of categories, `&` between categories, `|` between values. A
rule applies `if` or `unless` its contexts hold: all of them, with `and` between them, or any, with `or`. A context is a
place (−1 is the word before, −6..−1 any of the six before) and what some candidate of the word there is, or `only`: all
of them are, or a form in quotes. Rules are applied one after the other to all words at once. A rule that would remove
all candidates of a word leaves them all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import NoReturn

import numpy as np

from karat._arrays import Flags
from karat._ragged import Ragged, offsets_of
from karat.corpus import PathLike, read_source
from karat.errors import DataError, Problem
from karat.systems.categories import TagCategories
from karat.systems.words import WordSequence

CODE = "K908"
_FARTHEST = 50
Known = Callable[[str, str], bool]
_HINT = "write, say: remove case=loc unless -6..-1: pos=prep & case=loc"
_TOKEN = re.compile(r'\s*(?:(#.*)|("[^"]*")|(\.\.|[&|=:])|([+-]?[0-9]+)|(\w[\w-]*(?:\.[\w-]+)*))')


@dataclass(frozen=True, slots=True)
class Description:
    """What a candidate is: for each category one of some values; of a quoted form, no categories but the form."""

    values: tuple[tuple[str, tuple[str, ...]], ...]
    form: str | None = None

    def of_labels(self, categories: TagCategories) -> Flags:
        """Which labels meet it."""
        found = np.ones(len(categories.table), dtype=np.bool_)
        for name, wanted in self.values:
            known = categories.values[categories.names.index(name)]
            found &= np.isin(categories.column(name), [known.index(one) for one in wanted if one in known])
        return found


@dataclass(frozen=True, slots=True)
class RuleContext:
    """A condition on some or, with `only`, all candidates of one of the words from `first` to `last` places away."""

    first: int
    last: int
    only: bool
    condition: Description


@dataclass(frozen=True, slots=True)
class EliminationRule:
    """Candidates to remove `if` contexts hold, or unless they do: all, or `any_of` them."""

    text: str
    removed: Description
    unless: bool
    any_of: bool
    contexts: tuple[RuleContext, ...]

    def apply(self, words: WordSequence, candidates: Ragged, categories: TagCategories) -> Ragged:
        """Candidates without those that the rule removes."""
        assert candidates.weights is not None
        each = [_holds(context, words, candidates, categories) for context in self.contexts]
        holds: Flags = np.logical_or.reduce(each) if self.any_of else np.logical_and.reduce(each)
        removed = self.removed.of_labels(categories)[candidates.values]
        removed &= (holds != self.unless)[candidates.owners]
        starts = candidates.offsets[:-1]
        is_left = np.logical_or.reduceat(~removed, starts) if len(words) else np.zeros(0, np.bool_)
        kept = ~removed | ~is_left[candidates.owners]
        weights = candidates.weights[kept]
        sizes = np.add.reduceat(kept, starts) if len(words) else np.zeros(0, np.intp)
        found = Ragged(offsets_of(sizes), candidates.values[kept], weights)
        totals = np.bincount(found.owners, weights=weights, minlength=len(found))
        return Ragged(found.offsets, found.values, weights / totals[found.owners])


def _holds(context: RuleContext, words: WordSequence, candidates: Ragged, categories: TagCategories) -> Flags:
    """Whether a context holds for each word."""
    n = len(words)
    if not n:
        return np.zeros(0, dtype=np.bool_)
    if context.condition.form is not None:
        wanted = context.condition.form.lower()
        is_it = np.array([form.lower() == wanted for form in words.forms], dtype=np.bool_)[words.ids]
    else:
        meets = context.condition.of_labels(categories)[candidates.values]
        over = np.logical_and if context.only else np.logical_or
        is_it = over.reduceat(meets, candidates.offsets[:-1])
    sentence = np.repeat(np.arange(words.n_sentences), np.diff(words.offsets))
    found = np.zeros(n, dtype=np.bool_)
    for step in range(context.first, context.last + 1):
        if abs(step) < n:
            here, there = (slice(0, n - step), slice(step, n)) if step >= 0 else (slice(-step, n), slice(0, n + step))
            found[here] |= is_it[there] & (sentence[here] == sentence[there])
    return found


def applied(
    rules: Sequence[EliminationRule], words: WordSequence, candidates: Ragged, categories: TagCategories
) -> Ragged:
    """Candidates without those that any rule removes; rules come one after the other."""
    for rule in rules:
        candidates = rule.apply(words, candidates, categories)
    return candidates


# ---- reading ---------------------------------------------------------------------------------------------------------


def shipped_rules() -> tuple[str, ...]:
    """The names of the rule files that karat has."""
    there = files("karat.systems.layered_trees") / "rules_of"
    return tuple(sorted(one.name.removesuffix(".rules") for one in there.iterdir() if one.name.endswith(".rules")))


def read_rules(name: PathLike, categories: TagCategories, known: Known) -> list[EliminationRule]:
    """The rules in a file, or those that karat has by that name; see `rules_from_text`."""
    if str(name) in shipped_rules():
        text = (files("karat.systems.layered_trees") / "rules_of" / f"{name}.rules").read_text("utf-8")
        return rules_from_text(text, f"<{name}>", categories, known)
    source = read_source(name)
    return rules_from_text(source.text(0, source.size), source.path, categories, known)


def rules_from_text(
    text: str, path: str, categories: TagCategories, known: Known | None = None
) -> list[EliminationRule]:
    """The rules of a text; a `DataError` with line and column for what is none.

    `known` says whether a category can have a value, though no label may have it; without it, any value will do.
    """
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        reader = _Line(line, number, path, categories, known)
        if reader.tokens:
            found.append(reader.rule())
    return found


class _Line:
    """One line, read token by token."""

    def __init__(self, line: str, number: int, path: str, categories: TagCategories, known: Known | None) -> None:
        self.line, self.number, self.path, self.known = line.rstrip(), number, path, known
        self.names, self.at = categories.names, 0
        self.tokens: list[tuple[str, int]] = []
        place = 0
        while place < len(self.line):
            match = _TOKEN.match(self.line, place)
            if match is None:
                rest = self.line[place:]
                self.refuse("this cannot be read", place + len(rest) - len(rest.lstrip()))
            if match.lastindex != 1:
                assert match.lastindex is not None
                self.tokens.append((match[match.lastindex], match.start(match.lastindex)))
            place = match.end()

    def refuse(self, message: str, place: int) -> NoReturn:
        raise DataError(Problem(CODE, message, self.path, self.number, place + 1, hint=_HINT))

    def next(self, what: str) -> tuple[str, int]:
        """The next token; what was expected if there is none."""
        if self.at == len(self.tokens):
            self.refuse(f"the line ends where {what} was expected", len(self.line))
        self.at += 1
        return self.tokens[self.at - 1]

    def has(self, token: str) -> bool:
        """Whether the next token is this one, which is then taken."""
        is_it = self.at < len(self.tokens) and self.tokens[self.at][0] == token
        self.at += is_it
        return is_it

    def expect(self, *tokens: str) -> str:
        what = " or ".join(tokens)
        found, place = self.next(what)
        if found not in tokens:
            self.refuse(f"{what} was expected, not {found}", place)
        return found

    def rule(self) -> EliminationRule:
        self.expect("remove")
        removed = self.condition()
        unless = self.expect("if", "unless") == "unless"
        contexts = [self.context()]
        between = "or" if self.at < len(self.tokens) and self.tokens[self.at][0] == "or" else "and"
        while self.has(between):
            contexts.append(self.context())
        if self.at < len(self.tokens):
            self.refuse(f"{between} or the end of the line was expected", self.tokens[self.at][1])
        return EliminationRule(self.line.strip(), removed, unless, between == "or", tuple(contexts))

    def context(self) -> RuleContext:
        first = last = self.place()
        if self.has(".."):
            last = self.place()
            if last < first:
                self.refuse(f"{first}..{last}: the smaller number comes first", self.tokens[self.at - 1][1])
        self.expect(":")
        only = self.has("only")
        if not only and self.at < len(self.tokens) and self.tokens[self.at][0].startswith('"'):
            return RuleContext(first, last, False, Description((), self.next("a form")[0].strip('"')))
        return RuleContext(first, last, only, self.condition())

    def place(self) -> int:
        text, place = self.next("a place such as -1")
        if re.fullmatch("[+-]?[0-9]+", text) is None or abs(int(text[:6])) > _FARTHEST:
            self.refuse(f"a place from -{_FARTHEST} to {_FARTHEST} was expected, not {text}", place)
        return int(text)

    def condition(self) -> Description:
        found = [self.values()]
        while self.has("&"):
            found.append(self.values())
        return Description(tuple(found))

    def values(self) -> tuple[str, tuple[str, ...]]:
        name, place = self.next("a category")
        if name not in self.names:
            self.refuse(f"no category {name}; there are {', '.join(self.names)}", place)
        self.expect("=")
        values = [self.value(name)]
        while self.has("|"):
            values.append(self.value(name))
        return name, tuple(values)

    def value(self, name: str) -> str:
        value, place = self.next("a value")
        if self.known is not None and not self.known(name, value):
            self.refuse(f"{name} has no value {value}", place)
        return value
