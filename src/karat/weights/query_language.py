"""Corpus queries taken apart: the query languages of Poliqarp and of CQP (IMS Corpus Workbench).

`parse_query` turns a query into a tree of token conditions, sequences, alternatives and repetitions; every node knows
the character at which it begins. It follows Poliqarp's own grammar (the manual page poliqarp-query-syntax) and CQP's
(the manual by Evert and others, and `parser.y`). What both share is in `_Parser`, what they do not in its two children.

- Poliqarp: `[pos=subst & case!=nom]`, a bare or quoted word, the operators `=`, `==`, `~`, `~~` and their negations,
  the flags `/i /I /x /X`, variables of agreement (`case=$1`), the mark of alignment `^`, the heads of groups
  (`head=[…]`, `synh`, `semh`), `within s`, `within […]`, `meta author=…`, and `@name` for a macro.
- CQP: `[pos="N.*" %cd]`, labels and targets (`a:[…]`, `@[…]`), `a.pos = b.pos`, functions, `contains` and `matches`,
  regions (`<np> … </np>`), assertions (`[: … :]`), `:: constraint`, `within s`, `cut 10`, aligned corpora (`:de […]`),
  `MU(meet …)`, `TAB …`, and `/name[…]` for a macro.

A macro cannot be resolved without its definition: it is named in `Query.macros` and stands for nothing. A query longer
than `MAX_QUERY` characters or nested deeper than `MAX_DEPTH` is refused, so that a log cannot exhaust the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

__all__ = [
    "MAX_DEPTH",
    "MAX_QUERY",
    "Alternation",
    "And",
    "Attribute",
    "Call",
    "Comparison",
    "Condition",
    "Has",
    "Language",
    "Macro",
    "Mark",
    "Meet",
    "Not",
    "Number",
    "Or",
    "Part",
    "Phrase",
    "Query",
    "QueryError",
    "Repetition",
    "Sequence",
    "Text",
    "Token",
    "Variable",
    "comparisons",
    "parse_query",
    "tokens",
]

Language = Literal["poliqarp", "cqp"]
MAX_QUERY = 10_000
MAX_DEPTH = 60
_MAX_COUNT = 10_000  # of a repetition


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
class Comparison:
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


Condition = Comparison | Has | Phrase | Not | And | Or

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


def comparisons(condition: Condition | None) -> Iterator[Comparison | Has]:
    """All comparisons of a condition, with those of the heads of groups."""
    match condition:
        case None:
            pass
        case Comparison() | Has():
            yield condition
        case Phrase(heads=heads):
            for head in heads:
                yield from comparisons(head.condition)
        case Not(part=part):
            yield from comparisons(part)
        case And(parts=parts) | Or(parts=parts):
            for one in parts:
                yield from comparisons(one)


def parse_query(text: str, language: Language = "poliqarp") -> Query:
    """A query taken apart; a `QueryError` with its place if it cannot be.

    >>> parse_query("[pos=subst & case!=nom]").pattern.condition.parts[1].negated
    True
    """
    if language not in get_args(Language):
        raise ValueError(f"no query language {language!r}; there are {', '.join(get_args(Language))}")
    if len(text) > MAX_QUERY:
        raise QueryError(text, f"more than {MAX_QUERY:,} characters", MAX_QUERY)
    parser: _Parser = _Poliqarp(text) if language == "poliqarp" else _Cqp(text)
    return parser.query()


# ---- what both languages share

_DIGITS = re.compile(r"\d{1,9}")
_STRING = re.compile(r'"((?:\\.|""|[^"\\])*)"|' + r"'((?:\\.|''|[^'\\])*)'", re.DOTALL)
_VARIABLE = re.compile(r"\$(\w+)")


class _Parser:
    """Recursive descent over the characters; `place` is the next one."""

    max_quantifiers: int

    def __init__(self, text: str) -> None:
        self.text, self.place, self.depth = text, 0, 0
        self.macros: list[Macro] = []

    # -- characters

    def fail(self, message: str, place: int | None = None) -> QueryError:
        return QueryError(self.text, message, self.place if place is None else place)

    def shown(self) -> str:
        """What is there, for a message."""
        return repr(self.text[self.place]) if self.place < len(self.text) else "the end of the query"

    def skip_space(self) -> None:
        while self.text[self.place : self.place + 1].isspace():
            self.place += 1

    def at(self, *literals: str) -> bool:
        self.skip_space()
        return self.text.startswith(literals, self.place)

    def take(self, literal: str) -> bool:
        if self.at(literal):
            self.place += len(literal)
            return True
        return False

    def take_word(self, word: str) -> bool:
        """A keyword, which must end where it ends."""
        self.skip_space()
        end = self.place + len(word)
        if not self.text.startswith(word, self.place) or (
            self.text[end : end + 1].isalnum() or self.text[end : end + 1] in ("_", "-")
        ):
            return False
        self.place = end
        return True

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self.skip_space()
        found = pattern.match(self.text, self.place)
        if found:
            self.place = found.end()
        return found

    def expect(self, literal: str, why: str) -> None:
        if not self.take(literal):
            raise self.fail(f"{literal!r} expected {why}, not {self.shown()}")

    def ended(self) -> bool:
        self.skip_space()
        return self.place >= len(self.text)

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.fail(f"nested deeper than {MAX_DEPTH}")

    def number(self) -> int:
        found = self.match(_DIGITS)
        if not found:
            raise self.fail(f"a number expected, not {self.shown()}")
        if int(found[0]) > _MAX_COUNT:
            raise self.fail(f"a number above {_MAX_COUNT:,}", found.start())
        return int(found[0])

    def string(self) -> tuple[str, int] | None:
        """The text of a quoted string and where its quote is; backslashes stay, for they belong to the expression."""
        if not self.at('"', "'"):
            return None
        place = self.place
        found = self.match(_STRING)
        if not found:
            raise self.fail("a string that is never closed")
        quote = found[0][0]
        return found[0][1:-1].replace(quote * 2, quote), place

    # -- patterns

    def pattern(self) -> Part:
        options = [self.sequence()]
        while self.take("|"):
            options.append(self.sequence())
        return options[0] if len(options) == 1 else Alternation(tuple(options))

    def sequence(self) -> Part:
        parts: list[Part] = []
        while (part := self.repeated()) is not None:
            parts.append(part)
        if not parts:
            raise self.fail(f"a token expected, not {self.shown()}")
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def repeated(self) -> Part | None:
        part = self.atom()
        n_quantifiers = 0
        while part is not None and self.at("*", "+", "?", "{"):
            n_quantifiers += 1
            if n_quantifiers > self.max_quantifiers:
                raise self.fail(f"{self.shown()} is a repetition too many")
            if self.take("*"):
                part = Repetition(part, 0, None)
            elif self.take("+"):
                part = Repetition(part, 1, None)
            elif self.take("?"):
                part = Repetition(part, 0, 1)
            else:
                part = self.counted(part)
        return part

    def counted(self, part: Part) -> Part:
        start = self.place
        self.expect("{", "")
        least = 0 if self.at(",") else self.number()
        most: int | None = least
        if self.take(","):
            most = None if self.at("}") else self.number()
        self.expect("}", "after the numbers of a repetition")
        if most is not None and most < least:
            raise self.fail(f"a repetition from {least} to {most}", start)
        return Repetition(part, least, most)

    def group(self) -> Part:
        self.deeper()
        self.expect("(", "")
        part = self.pattern()
        self.expect(")", "after a group")
        self.depth -= 1
        return part

    def macro(self, pattern: re.Pattern[str]) -> Macro | None:
        found = self.match(pattern)
        if not found:
            return None
        macro = Macro(found[1], found.start())
        self.macros.append(macro)
        closing = {"(": ")", "[": "]"}.get(found[0][-1])
        if closing:
            self.arguments_of_macro(closing)
        return macro

    def arguments_of_macro(self, closing: str) -> None:
        """Skips what a macro is called with: strings, words and commas."""
        while not self.take(closing):
            if self.string() is None and not self.match(re.compile(r"[^\s'\"\[\]()]+")):
                raise self.fail(f"{closing!r} expected after a macro, not {self.shown()}")

    # -- conditions

    def condition(self) -> Condition:
        options = [self.conjunction()]
        while self.take("|"):
            options.append(self.conjunction())
        return options[0] if len(options) == 1 else Or(tuple(options))

    def conjunction(self) -> Condition:
        parts = [self.negation()]
        while self.take("&"):
            parts.append(self.negation())
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def negation(self) -> Condition:
        self.deeper()
        part: Condition
        if self.take("!"):
            part = Not(self.negation())
        elif self.take("("):
            part = self.condition()
            self.expect(")", "after a condition")
        else:
            part = self.comparison()
        self.depth -= 1
        return part

    def query(self) -> Query:
        raise NotImplementedError

    def atom(self) -> Part | None:
        raise NotImplementedError

    def comparison(self) -> Condition:
        raise NotImplementedError


# ---- Poliqarp


class _Poliqarp(_Parser):
    max_quantifiers = 5  # the grammar allows any number, one on the other
    word = re.compile(r"[^\s/*?+{}\[\]()|\",:'\\!=~&^<>#$@;]+")
    flags = re.compile(r"/([A-Za-z]+)")
    operators = re.compile(r"(!?)(==?|~~?)")
    meta_operators = re.compile(r"(!?)(=|<=?|>=?)")
    macro_name = re.compile(r"@([\w-]+)\(?")

    def query(self) -> Query:
        if self.ended():
            raise self.fail("an empty query")
        pattern = self.pattern()
        within, within_condition, meta = "", None, None
        if self.take_word("within"):
            if self.at("["):
                token = self.segment()
                if token.condition is None:
                    raise self.fail("within needs a condition", token.place)
                within_condition = token.condition
            else:
                within = self.expression("after within").text
        if self.take_word("meta"):
            operators, self.operators = self.operators, self.meta_operators
            meta = self.condition()
            self.operators = operators
        if not self.ended():
            raise self.fail(f"{self.shown()} is too many")
        return Query(self.text, "poliqarp", pattern, None, within, within_condition, meta, (), tuple(self.macros))

    def at_keyword(self) -> bool:
        place = self.place
        found = self.take_word("within") or self.take_word("meta")
        self.place = place
        return found

    def atom(self) -> Part | None:
        if self.ended() or self.at_keyword():
            return None
        if self.at("("):
            return self.group()
        if self.at("["):
            return self.segment()
        if self.take("^"):
            return Mark("^", self.place - 1)
        if self.at("@"):
            return self.macro(self.macro_name)
        if not self.at('"', "'") and not self.word.match(self.text, self.place):
            return None
        place = self.place
        return Token(Comparison(Attribute("orth", place), "=", False, self.expression(""), place), place)

    def segment(self) -> Token:
        self.skip_space()
        place = self.place
        self.expect("[", "before a condition")
        if self.take("]"):
            return Token(None, place)
        condition = self.condition()
        self.expect("]", "after a condition")
        return Token(condition, place)

    def comparison(self) -> Condition:
        self.skip_space()
        place = self.place
        if found := self.match(re.compile(r"@([\w-]+)")):
            macro = Macro(found[1], place)
            self.macros.append(macro)
            return Has(Attribute("@" + found[1], place), place)
        name = self.match(self.word)
        if not name:
            raise self.fail(f"the name of an attribute expected, not {self.shown()}")
        operator = self.match(self.operators)
        if not operator:
            raise self.fail(f"an operator expected after {name[0]!r}, not {self.shown()}")
        negated = bool(operator[1])
        if name[0] in ("head", "synh", "semh") and self.at("["):
            self.deeper()
            heads = [self.segment()]
            if name[0] == "head" and self.at("["):
                heads.append(self.segment())
            self.depth -= 1
            return Phrase(name[0], negated, tuple(heads), place)
        right: Value
        if variable := self.match(_VARIABLE):
            right = Variable(variable[1], variable.start())
        else:
            right = self.expression(f"after {operator[0]}")
        return Comparison(Attribute(name[0], place), operator[2], negated, right, place)

    def expression(self, where: str) -> Text:
        """A regular expression, quoted or not, with its flags."""
        if quoted := self.string():
            text, place = quoted
        else:
            found = self.match(self.word)
            if not found:
                raise self.fail(f"a word or a string expected {where}, not {self.shown()}")
            text, place = found[0], found.start()
        flags = self.match(self.flags)
        if not flags:
            return Text(text, place)
        if wrong := set(flags[1]) - set("iIxX"):
            raise self.fail(f"no flag {min(wrong)!r}; there are i, I, x and X", flags.start() + 1)
        return Text(text, place, "".join(one for one in "ix" if one in flags[1]))


# ---- CQP

_ID = r"[A-Za-z_][A-Za-z0-9_-]*"


class _Cqp(_Parser):
    max_quantifiers = 1
    identifier = re.compile(rf"({_ID})(?:\.({_ID}))?")
    flags = re.compile(r"%([a-z]+)")
    label = re.compile(rf"({_ID}):(?!:)")
    region = re.compile(rf"</{_ID}>|<<?/?{_ID}")
    region_operator = re.compile(r"!?=|(?:not\s+)?(?:contains|matches)\b")
    operators = re.compile(r"!=|<=|>=|=|<|>|(?:not\s+)?(?:contains|matches)\b")
    macro_name = re.compile(rf"/({_ID})[(\[]")
    assigned = re.compile(rf"{_ID}\s*=(?!=)")
    real = re.compile(r"[+-]?\d+(?:\.\d+)?")

    def skip_space(self) -> None:
        super().skip_space()
        while self.text.startswith("#", self.place):
            end = self.text.find("\n", self.place)
            self.place = len(self.text) if end < 0 else end
            super().skip_space()

    def query(self) -> Query:
        self.match(self.assigned)
        self.match(re.compile(r"\(\?\s*(?:longest|shortest|standard|traditional)\s*\)"))
        if self.ended() or self.at(";"):
            raise self.fail("an empty query")
        found = self.search()
        aligned: list[Query] = []
        while not self.at("::") and self.match(re.compile(rf":\s*{_ID}")):
            self.take("!")
            aligned.append(self.search())
        if self.take_word("cut"):
            self.number()
        self.take("!")
        if self.take_word("sort") or self.take_word("expand"):
            self.match(re.compile(r"[^;]*"))
        self.take(";")
        if not self.ended():
            raise self.fail(f"{self.shown()} is too many")
        return Query(
            self.text, "cqp", found.pattern, found.constraint, found.within, None, None, tuple(aligned),
            tuple(self.macros),
        )  # fmt: skip

    def search(self) -> Query:
        """A pattern with its constraint and what it must lie within."""
        if self.take_word("MU"):
            pattern = self.meeting()
        elif self.take_word("TAB"):
            pattern = self.table()
        else:
            pattern = self.pattern()
        constraint = self.condition() if self.take("::") else None
        within = ""
        if self.take_word("within"):
            found = self.match(re.compile(rf"(?:(?:left|right)\s+)?(?:\d+\s*)?(?:{_ID})?"))
            within = found[0].strip() if found else ""
            if not within:
                raise self.fail(f"a region or a number expected after within, not {self.shown()}")
        return Query(self.text, "cqp", pattern, constraint, within)

    def at_keyword(self) -> bool:
        place = self.place
        found = any(self.take_word(word) for word in ("within", "cut", "sort", "expand"))
        self.place = place
        return found

    def atom(self) -> Part | None:
        if self.ended() or self.at_keyword():
            return None
        if self.at("("):
            return self.group()
        if self.at("<"):
            return self.tag()
        if self.at("/"):
            macro = self.macro(self.macro_name)
            if macro is None:
                raise self.fail("a macro is /name[…]")
            return macro
        return self.token()

    def tag(self) -> Mark:
        place = self.place
        found = self.match(self.region)
        if not found:
            raise self.fail("the name of a region expected after '<'")
        if not found[0].endswith(">"):
            operator = self.match(self.region_operator)
            quoted = self.string()
            if operator and quoted is None:
                raise self.fail(f"a string expected after {operator[0]}, not {self.shown()}")
            self.match(self.flags)
            self.expect(">", "after the name of a region")
            if found[0].startswith("<<"):
                self.expect(">", "after the name of a region")
        return Mark(self.text[place : self.place], place)

    def token(self) -> Token | None:
        self.skip_space()
        place = self.place
        target = bool(self.match(re.compile(r"@(?:\d:)?")))
        found = self.match(self.label)
        label = found[1] if found else ""
        self.skip_space()
        inner = self.place
        if self.take("[:"):
            condition = None if self.at(":]") else self.condition()
            self.expect(":]", "after an assertion")
            return Token(condition, place, label, target, True)
        if self.take("["):
            condition = None if self.at("]") else self.condition()
            self.expect("]", "after a condition")
            return Token(condition, place, label, target)
        right: Value
        if self.at('"', "'"):
            right = self.flagged()
        elif variable := self.match(_VARIABLE):
            right = Variable(variable[1], variable.start())
        elif target or label:
            raise self.fail(f"a token expected, not {self.shown()}")
        else:
            return None
        return Token(Comparison(Attribute("word", inner), "=", False, right, inner), place, label, target)

    def condition(self) -> Condition:
        """With `A -> B`, which is `!A | B` and binds least."""
        self.deeper()
        left = super().condition()
        if self.take("->"):
            left = Or((Not(left), self.condition()))
        self.depth -= 1
        return left

    def comparison(self) -> Condition:
        self.skip_space()
        place = self.place
        if self.at("/") and (macro := self.macro(self.macro_name)):
            return Has(Attribute("/" + macro.name, place), place)
        left = self.reference()
        if left is None:
            raise self.fail(f"an attribute expected, not {self.shown()}")
        found = self.match(self.operators)
        if not found:
            return Has(left, place)
        words = found[0].split()
        operator = "=" if found[0] == "!=" else words[-1]
        return Comparison(left, operator, found[0] == "!=" or words[0] == "not", self.value(found[0]), place)

    def reference(self) -> Attribute | Call | None:
        self.take("~")
        self.take("`")
        found = self.match(self.identifier)
        if not found:
            return None
        self.take("`")
        if found[2] is None and self.take("("):
            arguments = [self.value("(")]
            while self.take(","):
                arguments.append(self.value(","))
            self.expect(")", "after what a function is called with")
            return Call(found[1], tuple(arguments), found.start())
        if found[2] is None:
            return Attribute(found[1], found.start())
        return Attribute(found[2], found.start(), found[1])

    def value(self, after: str) -> Value:
        self.deeper()
        found: Value | None
        if self.at('"', "'"):
            found = self.flagged()
        elif variable := self.match(re.compile(r"RE\(\s*\$(\w+)\s*\)")) or self.match(_VARIABLE):
            self.match(self.flags)
            found = Variable(variable[1], variable.start())
        elif number := self.match(self.real):
            found = Number(float(number[0]), number.start())
        else:
            found = self.reference()
        if found is None:
            raise self.fail(f"a string expected after {after}, not {self.shown()}")
        self.depth -= 1
        return found

    def flagged(self) -> Text:
        quoted = self.string()
        assert quoted is not None
        flags = self.match(self.flags)
        if flags and (wrong := set(flags[1]) - set("cdl")):
            raise self.fail(f"no flag {min(wrong)!r}; there are c, d and l", flags.start() + 1)
        kept = "".join(one for letter, one in zip("cdl", "idl", strict=True) if flags and letter in flags[1])
        return Text(quoted[0], quoted[1], "l" if "l" in kept else kept)

    def meeting(self) -> Part:
        """What stands after MU."""
        if not self.take("("):
            token = self.token()
            if token is None:
                raise self.fail(f"a token expected, not {self.shown()}")
            return token
        self.deeper()
        place = self.place - 1
        kind = "meet" if self.take_word("meet") else "union" if self.take_word("union") else ""
        if not kind:
            raise self.fail(f"meet or union expected, not {self.shown()}")
        parts = (self.meeting(), self.meeting())
        context = self.match(re.compile(rf"[+-]?\d+\s+[+-]?\d+|{_ID}"))
        self.expect(")", f"after {kind}")
        self.depth -= 1
        return Meet(kind, parts, context[0] if context else "", place)

    def table(self) -> Part:
        """What stands after TAB: tokens with gaps between."""
        parts: list[Part] = []
        while True:
            gap = self.counted(Token(None, self.place)) if parts and self.at("{") else None
            token = None if self.at_keyword() else self.token()
            if token is None:
                break
            parts += [gap, token] if gap else [token]
        if not parts or gap:
            raise self.fail(f"a token expected, not {self.shown()}")
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))
