"""What a corpus query is made of: a tree of token conditions, sequences, alternatives and repetitions.

`query_language.parse_query` makes it. Every node but those that only join others knows the character at which it
begins; `tokens` and `comparisons` walk through it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Language = Literal["poliqarp", "cqp"]


class QueryError(ValueError):
    """A query that cannot be read: what is wrong, and at which character, from 0."""

    def __init__(self, query: str, message: str, place: int) -> None:
        super().__init__(f"{message}, at character {place + 1}")
        self.query, self.message, self.place = query, message, place


# ---- conditions: what stands in brackets


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute's name, with the label of the token whose it is (`a.pos`) or none."""

    name: str
    place: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A regular expression with its flags: i (any case), d (no diacritics), x (a part is enough), l (no expression)."""

    text: str
    place: int
    flags: str = ""


@dataclass(frozen=True, slots=True)
class Variable:
    """`$name`: in Poliqarp a value to agree in, in CQP a list of words."""

    name: str
    place: int


@dataclass(frozen=True, slots=True)
class Number:
    """A number that something is compared with."""

    value: float
    place: int


@dataclass(frozen=True, slots=True)
class Call:
    """A function of CQP with what it is called with."""

    name: str
    arguments: tuple[Value, ...]
    place: int


Value = Attribute | Text | Variable | Number | Call


@dataclass(frozen=True, slots=True)
class AttributeTest:
    """An attribute, an operator (without its negation) and what it is compared with."""

    left: Attribute | Call
    operator: str
    negated: bool
    right: Value
    place: int


@dataclass(frozen=True, slots=True)
class Has:
    """A name or a function alone: CQP asks whether there is a value."""

    what: Attribute | Call
    place: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """Poliqarp's `head=[…]`, `synh=[…]`, `semh=[…]`: the heads of a syntactic group."""

    name: str
    negated: bool
    heads: tuple[Token, ...]
    place: int


@dataclass(frozen=True, slots=True)
class Not:
    """A negated condition."""

    part: Condition


@dataclass(frozen=True, slots=True)
class And:
    """Conditions that all must hold."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Conditions of which one must hold."""

    parts: tuple[Condition, ...]


Condition = AttributeTest | Has | Phrase | Not | And | Or

# ---- patterns: how tokens follow each other


@dataclass(frozen=True, slots=True)
class Token:
    """A token and its condition, None for any. An assertion (`[: … :]`) looks at a token without using it up."""

    condition: Condition | None
    place: int
    label: str = ""
    target: bool = False
    assertion: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands between tokens and uses none up: `^`, the start or end of a region."""

    text: str
    place: int


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro, which only its definition could resolve."""

    name: str
    place: int


@dataclass(frozen=True, slots=True)
class Sequence:
    """Parts one after the other."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """Parts of which one is there."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Repetition:
    """A part several times: at least, and at most (None: no limit)."""

    part: Part
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Meet:
    """CQP's `(meet A B -2 2)` and `(union A B)`."""

    kind: str
    parts: tuple[Part, Part]
    context: str
    place: int


Part = Token | Mark | Macro | Sequence | Alternation | Repetition | Meet


@dataclass(frozen=True, slots=True)
class Query:
    """A query: its pattern, and what is said about the whole match."""

    text: str
    language: Language
    pattern: Part
    constraint: Condition | None = None
    within: str = ""
    within_condition: Condition | None = None
    meta: Condition | None = None
    aligned: tuple[Query, ...] = ()
    macros: tuple[Macro, ...] = ()


def tokens(part: Part) -> Iterator[Token]:
    """All tokens of a pattern, in the order of the query."""
    match part:
        case Token():
            yield part
        case Sequence(parts=parts) | Alternation(parts=parts) | Meet(parts=parts):
            for one in parts:
                yield from tokens(one)
        case Repetition(part=inner):
            yield from tokens(inner)
        case _:
            pass


def comparisons(condition: Condition | None) -> Iterator[AttributeTest | Has]:
    """All comparisons of a condition, with those of the heads of groups."""
    match condition:
        case None:
            pass
        case AttributeTest() | Has():
            yield condition
        case Phrase(heads=heads):
            for head in heads:
                yield from comparisons(head.condition)
        case Not(part=part):
            yield from comparisons(part)
        case And(parts=parts) | Or(parts=parts):
            for one in parts:
                yield from comparisons(one)
