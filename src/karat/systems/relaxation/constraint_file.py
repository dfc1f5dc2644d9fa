"""Constraints read from a file that people write, with the line and column of whatever is wrong."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NoReturn

from karat.corpus.source import PathLike, read_source
from karat.errors import DataError, Problem, shortened
from karat.systems.relaxation.constraints import (
    EDGE,
    FARTHEST,
    LARGEST_STRENGTH,
    SHAPES,
    Constraint,
    ContextCondition,
    quoted_tag,
)

_TOKEN = re.compile(
    r"""\s*(?:(?P<arrow><-(?=\s|\[|$)) | (?P<comment>\#.*) | (?P<sign>[\[\]{}|^])
    | "(?P<form>(?:[^"\\]|\\.)+)" | <(?P<tag>(?:[^>\\]|\\.)+)>
    | (?P<bare>[^\s\[\]{}|^"<\#][^\s\[\]{}|]*) | (?P<bad>\S))""",
    re.VERBOSE,
)
_ESCAPED = re.compile(r"\\(.)")
_HINT = 'a constraint is written as in: 1.5 NN <- [-1 DT|PRP$] [+1 ^"of"]'


@dataclass(frozen=True, slots=True)
class _ConstraintToken:
    kind: str
    text: str
    column: int


class _ConstraintError(Exception):
    """What is wrong with a line, and where."""

    def __init__(self, code: str, message: str, column: int, hint: str = _HINT) -> None:
        super().__init__(message)
        self.code, self.column, self.hint = code, column, hint


def read_constraints(path: PathLike, labels: Collection[str], learnt: Iterable[str] = ()) -> list[Constraint]:
    """The constraints in a file; a `DataError` with all lines that are none, or that have tags that there are not.

    Lines that are as `learnt`, which a file that was shown has by the hundred thousand, are passed over unread.
    """
    source = read_source(path)
    known = {line.partition("  # ")[0] for line in learnt}
    lines = source.text(0, source.size).split("\n")
    new = ("" if line.partition("  # ")[0] in known else line for line in lines)
    return constraints_from_lines(new, labels, source.path)


def constraints_from_lines(lines: Iterable[str], labels: Collection[str], path: str) -> list[Constraint]:
    """The constraints of lines; empty ones and those that begin with # are passed over."""
    found, problems = [], []
    for number, line in enumerate(lines, start=1):
        try:
            several = _ConstraintLine(line, labels).constraints()
        except _ConstraintError as error:
            problems.append(Problem(error.code, str(error), path, number, error.column, hint=error.hint))
            continue
        found += several
    if problems:
        raise DataError(problems)
    return found


class _ConstraintLine:
    """A line that is read from left to right."""

    def __init__(self, line: str, labels: Collection[str]) -> None:
        every = (_token(found) for found in _TOKEN.finditer(line.removeprefix("\ufeff")))
        self.tokens = [one for one in every if one.kind != "comment"]
        self.end = _ConstraintToken("end", "the end of the line", len(line.rstrip()) + 1)
        self.place, self.labels = 0, labels

    def constraints(self) -> list[Constraint]:
        """One for each head."""
        if not self.tokens:
            return []
        strength, first = self._strength(), self._peek()
        heads = self._alternatives("tag")
        if EDGE in heads:
            self._expected("a tag", first)
        self._take("arrow", "<-")
        conditions = [self._condition()]
        while self._peek().kind != "end":
            conditions.append(self._condition())
        return [Constraint(strength, head, tuple(conditions)) for head in heads]

    def _condition(self) -> ContextCondition:
        self._take("sign", "[")
        position = self._position()
        is_negated = self._peek().text == "^" and self._peek().kind == "sign"
        self.place += is_negated
        first = self._peek()
        if first.kind == "bare" and first.text in SHAPES:
            self.place += 1
            found = ContextCondition(position, "shape", (first.text,), is_negated)
        elif first.kind == "sign" and first.text == "{":
            self.place += 1
            tags = self._alternatives("tag")
            if EDGE in tags:
                self._expected("tags of a word in braces", first)
            self._take("sign", "}")
            found = ContextCondition(position, "class", tuple(sorted({*tags})), is_negated)
        elif first.kind == "form":
            found = ContextCondition(position, "form", tuple(map(str.lower, self._alternatives("form"))), is_negated)
        elif position == 0:
            self._expected("at position 0, a word in quotes, tags in braces or a kind of unknown word", first)
        else:
            found = ContextCondition(position, "tag", tuple(self._alternatives("tag")), is_negated)
        self._take("sign", "]")
        return found

    def _alternatives(self, kind: str) -> list[str]:
        """Tags or forms with | between."""
        found = [self._tag(self._next()) if kind == "tag" else self._take("form", "a word in quotes").text]
        while self._peek().text == "|" and self._peek().kind == "sign":
            self.place += 1
            found.append(self._tag(self._next()) if kind == "tag" else self._take("form", "a word in quotes").text)
        return found

    def _strength(self) -> float:
        token = self._next()
        try:
            strength = float(token.text.replace("\u2212", "-"))
        except ValueError:
            self._expected("a number, the strength", token)
        if token.kind != "bare" or not abs(strength) <= LARGEST_STRENGTH:
            self._expected(f"a strength from -{LARGEST_STRENGTH:g} to {LARGEST_STRENGTH:g}", token)
        return strength

    def _position(self) -> int:
        token = self._next()
        text = token.text.replace("\u2212", "-")
        if token.kind != "bare" or not re.fullmatch(r"[+-]?[0-9]{1,3}", text) or abs(int(text)) > FARTHEST:
            self._expected(f"a position from -{FARTHEST} to +{FARTHEST}", token)
        return int(text)

    def _tag(self, token: _ConstraintToken) -> str:
        if token.kind not in ("bare", "tag"):
            self._expected("a tag", token)
        if token.kind == "bare" and token.text == "EDGE":
            return EDGE
        if token.text not in self.labels:
            near = get_close_matches(token.text, self.labels, 3, 0.5)
            hint = (
                f"did you mean {' or '.join(map(quoted_tag, near))}?" if near else "tags are those of the training text"
            )
            raise _ConstraintError(
                "K907", f"{shortened(token.text)} is no tag of the training text", token.column, hint
            )
        return token.text

    # ---- tokens ------------------------------------------------------------------------------------------------------

    def _peek(self) -> _ConstraintToken:
        return self.tokens[self.place] if self.place < len(self.tokens) else self.end

    def _next(self) -> _ConstraintToken:
        token = self._peek()
        self.place += 1
        return token

    def _take(self, kind: str, what: str) -> _ConstraintToken:
        token = self._next()
        if token.kind != kind or (kind == "sign" and token.text != what):
            self._expected(what, token)
        return token

    def _expected(self, what: str, token: _ConstraintToken) -> NoReturn:
        if token.kind == "bad" and token.text in '"<':
            raise _ConstraintError("K906", f"the {token.text} is not closed", token.column)
        found = token.text if token.kind == "end" else f"{shortened(token.text)!r}"
        raise _ConstraintError("K906", f"{what} was expected, not {found}", token.column)


def _token(found: re.Match[str]) -> _ConstraintToken:
    kind = found.lastgroup
    assert kind is not None
    text = found[kind]
    is_quoted = kind in ("form", "tag")
    return _ConstraintToken(kind, _ESCAPED.sub(r"\1", text) if is_quoted else text, found.start(kind) + 1 - is_quoted)
