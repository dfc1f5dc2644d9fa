"""CQP's queries taken apart, by its own grammar (the manual by Evert and others, and `parser.y`)."""

from __future__ import annotations

import re

from karat.weights.queries.parser import VARIABLE, QueryParser
from karat.weights.queries.query import (
    Attribute,
    AttributeTest,
    Call,
    Condition,
    Has,
    Mark,
    Meet,
    Not,
    Number,
    Or,
    Part,
    Query,
    Sequence,
    Text,
    Token,
    Value,
    Variable,
)

_ID = r"[A-Za-z_][A-Za-z0-9_-]*"


class CqpParser(QueryParser):
    """A query of CQP."""

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
        elif variable := self.match(VARIABLE):
            right = Variable(variable[1], variable.start())
        elif target or label:
            raise self.fail(f"a token expected, not {self.shown()}")
        else:
            return None
        return Token(AttributeTest(Attribute("word", inner), "=", False, right, inner), place, label, target)

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
        return AttributeTest(left, operator, found[0] == "!=" or words[0] == "not", self.value(found[0]), place)

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
            self.expect(")", "after the arguments of a function")
            return Call(found[1], tuple(arguments), found.start())
        if found[2] is None:
            return Attribute(found[1], found.start())
        return Attribute(found[2], found.start(), found[1])

    def value(self, after: str) -> Value:
        self.deeper()
        found: Value | None
        if self.at('"', "'"):
            found = self.flagged()
        elif variable := self.match(re.compile(r"RE\(\s*\$(\w+)\s*\)")) or self.match(VARIABLE):
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
            raise self.fail(f"unknown flag {min(wrong)!r}; choose from c, d and l", flags.start() + 1)
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
