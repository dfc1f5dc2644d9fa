"""Poliqarp's queries taken apart, by its own grammar (the manual page poliqarp-query-syntax)."""

from __future__ import annotations

import re

from karat.weights.queries.parser import VARIABLE, QueryParser
from karat.weights.queries.query import (
    Attribute,
    AttributeTest,
    Condition,
    Has,
    Macro,
    Mark,
    Part,
    Phrase,
    Query,
    Text,
    Token,
    Value,
    Variable,
)


class PoliqarpParser(QueryParser):
    """A query of Poliqarp."""

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
        return Token(AttributeTest(Attribute("orth", place), "=", False, self.expression(""), place), place)

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
        if variable := self.match(VARIABLE):
            right = Variable(variable[1], variable.start())
        else:
            right = self.expression(f"after {operator[0]}")
        return AttributeTest(Attribute(name[0], place), operator[2], negated, right, place)

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
            raise self.fail(f"unknown flag {min(wrong)!r}; choose from i, I, x and X", flags.start() + 1)
        return Text(text, place, "".join(one for one in "ix" if one in flags[1]))
