"""What a cascade of groups is made of: classes of words and groups, and rules with a pattern over them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

MANY = 1 << 30  # as often as an element with * or + may match
CAPITAL = "capital"  # what a lemma has that begins with a capital letter, as that of a name


@dataclass(frozen=True, slots=True)
class WordCondition:
    """A property of a word, and the values of which it must have one; with `excluded`, it must have none of them.

    A word without a value has none of them.
    """

    of: str
    values: frozenset[str]
    excluded: bool = False

    def holds(self, value: str | None) -> bool:
        """Whether a word with this value is one of those meant."""
        return (value in self.values) is not self.excluded


@dataclass(frozen=True, slots=True)
class UnitClass:
    """A class of units: words, or groups of these `kinds`; all conditions are on the word, or the syntactic head."""

    name: str
    conditions: tuple[WordCondition, ...] = ()
    kinds: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PatternElement:
    """A place in a pattern: the classes of which a unit must be in one, and how many such units there may be."""

    classes: tuple[str, ...]
    least: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True)
class ElementAgreement:
    """Elements whose units all have the same value in a category, but for those that have none."""

    category: str
    elements: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GroupRule:
    """A rule that makes groups of a kind: elements, agreement between them, and the elements with the two heads.

    No unit of the classes `not_after` may stand directly before the group, none of `not_before` directly after it.
    """

    name: str
    makes: str
    elements: tuple[PatternElement, ...]
    agreements: tuple[ElementAgreement, ...]
    syntactic: int
    semantic: int
    not_after: tuple[str, ...] = ()
    not_before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupCascade:
    """Rules in the order in which they apply, the classes that they use, and the tagset whose values these name."""

    name: str
    about: str
    tagset: str
    classes: Mapping[str, UnitClass]
    rules: tuple[GroupRule, ...]
    signed: str = ""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of groups, in the order in which rules first make them."""
        return tuple(dict.fromkeys(rule.makes for rule in self.rules))
