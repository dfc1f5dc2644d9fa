"""What the parsers of Poliqarp's and CQP's queries share: strings, repetitions, groups, macros, joined conditions."""

from __future__ import annotations

import re

from karat.weights.queries.query import (
    Alternation,
    And,
    Condition,
    Macro,
    Not,
    Or,
    Part,
    Query,
    QueryError,
    Repetition,
    Sequence,
)

MAX_DEPTH = 60
_MAX_COUNT = 10_000  # of a repetition
_DIGITS = re.compile(r"\d{1,9}")
_STRING = re.compile(r'"((?:\\.|""|[^"\\])*)"|' + r"'((?:\\.|''|[^'\\])*)'", re.DOTALL)
VARIABLE = re.compile(r"\$(\w+)")


class QueryParser:
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
