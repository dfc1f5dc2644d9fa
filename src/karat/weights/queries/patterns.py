"""Regular expressions of corpus queries as automata.

Python's `re` is never given an expression of a query, for it can take exponential time. `QueryPattern` is an automaton
whose time is the length of the text times that of the expression; it knows what corpus queries use of regular
expressions, and refuses back references, look-around, expressions of more than `MAX_PATTERN` characters and of more
than `MAX_NODES` nodes once repetitions are written out. Its states are made when they are met, and it keeps about
`MAX_STATES` of them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

MAX_PATTERN = 1_000
MAX_NODES = 4_000
MAX_STATES = 1_000
_MAX_GROUPS = 50


class PatternError(ValueError):
    """A regular expression that is wrong, or that karat does not match."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.message, self.place = message, place


_POSIX: Mapping[str, Callable[[str], bool]] = {
    "alpha": str.isalpha,
    "digit": str.isdigit,
    "alnum": str.isalnum,
    "upper": str.isupper,
    "lower": str.islower,
    "space": str.isspace,
    "punct": lambda one: unicodedata.category(one).startswith("P"),
}
_ESCAPES: Mapping[str, Callable[[str], bool]] = {
    "d": str.isdigit,
    "s": str.isspace,
    "w": lambda one: one.isalnum() or one == "_",
    "D": lambda one: not one.isdigit(),
    "S": lambda one: not one.isspace(),
    "W": lambda one: not (one.isalnum() or one == "_"),
}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True, slots=True)
class _Characters:
    """A set of characters."""

    ranges: tuple[tuple[str, str], ...] = ()
    tests: tuple[Callable[[str], bool], ...] = ()
    negated: bool = False
    any_case: bool = False

    def has(self, one: str) -> bool:
        variants = {one, one.lower(), one.upper()} if self.any_case else (one,)
        found = any(low <= each <= high for each in variants for low, high in self.ranges) or any(
            test(each) for each in variants for test in self.tests
        )
        return found != self.negated


_ANY = _Characters(negated=True)


class _Compiler:
    """A regular expression made into a graph of nodes: `empty` are the ways without a character, `read` those with."""

    def __init__(self, text: str, *, any_case: bool, literal: bool) -> None:
        self.text, self.place, self.any_case, self.groups = text, 0, any_case, 0
        self.empty: list[list[int]] = []
        self.read: list[tuple[_Characters, int] | None] = []
        self.first = self.node()
        if literal:
            self.last = self.first
            for one in text:
                self.last = self.character(_Characters(((one, one),)), self.last)
            return
        self.last = self.options(self.first)
        if self.place < len(text):
            raise PatternError("a ) without (", self.place)

    def node(self) -> int:
        if len(self.empty) >= MAX_NODES:
            raise PatternError("too large once its repetitions are expanded", 0)
        self.empty.append([])
        self.read.append(None)
        return len(self.empty) - 1

    def character(self, which: _Characters, start: int) -> int:
        before, after = self.node(), self.node()
        self.empty[start].append(before)
        self.read[before] = (which, after)
        return after

    def options(self, start: int) -> int:
        end = self.node()
        while True:
            inner = self.node()
            self.empty[start].append(inner)
            self.empty[self.pieces(inner)].append(end)
            if not self.text.startswith("|", self.place):
                return end
            self.place += 1

    def pieces(self, start: int) -> int:
        while self.place < len(self.text) and self.text[self.place] not in "|)":
            begin, any_case = self.place, self.any_case
            end = self.piece(start_of := self.wrapped(start))
            least, most = self.quantifier()
            if (least, most) == (1, 1):
                start = end
                continue
            after = self.place
            start = self.repeated(begin, any_case, start_of, end, least, most)
            self.place = after
        return start

    def wrapped(self, start: int) -> int:
        """A node of its own to begin at, so that what is repeated can be entered again."""
        fresh = self.node()
        self.empty[start].append(fresh)
        return fresh

    def repeated(self, begin: int, any_case: bool, start: int, end: int, least: int, most: int | None) -> int:
        """Copies of the piece that was just read from `start` to `end`, as many as are needed."""
        done = self.node()
        if least == 0:
            self.empty[start].append(done)
        if most == 0:
            return done
        n_copies = max(least, 1) if most is None else most
        for n_read in range(1, n_copies + 1):
            if n_read >= least:
                self.empty[end].append(done)
            if n_read == n_copies:
                break
            start = self.wrapped(end)
            self.place, self.any_case = begin, any_case
            end = self.piece(start)
        if most is None:
            self.empty[end].append(start)
        return done

    def quantifier(self) -> tuple[int, int | None]:
        one = self.text[self.place : self.place + 1]
        found: tuple[int, int | None] = (1, 1)
        if one and one in "*+?":
            self.place += 1
            found = {"*": (0, None), "+": (1, None), "?": (0, 1)}[one]
        elif one == "{":
            close = self.text.find("}", self.place)
            least, comma, most = self.text[self.place + 1 : max(close, 0)].partition(",")
            numbers = [number for number in (least, most) if number]
            if close < 0 or not numbers or not all(number.isdecimal() and len(number) < 5 for number in numbers):
                raise PatternError("a { that is not a repetition", self.place)
            low = int(least or 0)
            found = (low, low) if not comma else (low, int(most) if most else None)
            if found[1] is not None and found[1] < low:
                raise PatternError(f"a repetition from {low} to {found[1]}", self.place)
            self.place = close + 1
        else:
            return found
        following = self.text[self.place : self.place + 1]
        if following == "?":
            self.place += 1  # "as few as possible" changes nothing where the whole text must fit
        elif following and following in "*+{":
            raise PatternError("a repetition of a repetition", self.place)
        return found

    def piece(self, start: int) -> int:
        one = self.text[self.place]
        self.place += 1
        if one == "(":
            return self.group(start)
        if one == "[":
            return self.character(self.bracket(), start)
        if one == "\\":
            return self.character(self.escape(), start)
        if one == ".":
            return self.character(_ANY, start)
        if one in "^$":
            return self.wrapped(start)  # the whole text must fit anyway
        if one in "*+?":
            raise PatternError(f"nothing that {one} could repeat", self.place - 1)
        return self.character(_Characters(((one, one),), any_case=self.any_case), start)

    def group(self, start: int) -> int:
        begin = self.place - 1
        self.groups += 1
        if self.groups > _MAX_GROUPS:
            raise PatternError(f"more than {_MAX_GROUPS} nested groups", begin)
        any_case = self.any_case
        if self.text.startswith("?", self.place):
            head = self.text[self.place : self.place + 3]
            if head.startswith("?:"):
                self.place += 2
            elif head in ("?i)", "?i:"):
                self.place += 3
                self.any_case = True
                if head == "?i)":
                    self.groups -= 1
                    return self.wrapped(start)
            else:
                raise PatternError(f"({head}… is not supported", begin)
        end = self.options(start)
        if not self.text.startswith(")", self.place):
            raise PatternError("a ( that is never closed", begin)
        self.place += 1
        self.any_case = any_case
        self.groups -= 1
        return end

    def escape(self) -> _Characters:
        one = self.text[self.place : self.place + 1]
        if not one:
            raise PatternError("a backslash at the end", self.place - 1)
        self.place += 1
        if one in _ESCAPES:
            return _Characters(tests=(_ESCAPES[one],))
        if one in "pP":
            return _Characters(tests=(self.property(),), negated=one == "P")
        one = _CONTROLS.get(one, one)
        if one.isalnum() and one.isascii():
            raise PatternError(f"\\{one} is not supported", self.place - 2)
        return _Characters(((one, one),), any_case=self.any_case)

    def property(self) -> Callable[[str], bool]:
        name = self.text[self.place : self.place + 1]
        if name == "{":
            name = self.text[self.place + 1 : max(self.text.find("}", self.place), 0)]
            self.place += 2
        self.place += len(name)
        if not name.isalpha() or len(name) > 2:
            raise PatternError("\\p needs a class of characters", self.place - 1)
        return lambda one: unicodedata.category(one).startswith(name)

    def bracket(self) -> _Characters:
        begin = self.place - 1
        negated = self.text.startswith("^", self.place)
        self.place += negated
        ranges: list[tuple[str, str]] = []
        tests: list[Callable[[str], bool]] = []
        first = True
        while first or not self.text.startswith("]", self.place):
            if self.place >= len(self.text):
                raise PatternError("a [ that is never closed", begin)
            first = False
            if self.text.startswith("[:", self.place):
                close = self.text.find(":]", self.place)
                name = self.text[self.place + 2 : max(close, 0)]
                if name not in _POSIX:
                    raise PatternError(f"unknown class of characters {name!r}", self.place)
                tests.append(_POSIX[name])
                self.place = close + 2
                continue
            low = self.member(tests)
            if low is None:
                continue
            high = low
            if self.text.startswith("-", self.place) and self.text[self.place + 1 : self.place + 2] not in ("]", ""):
                self.place += 1
                high = self.member(tests) or ""
                if high < low:
                    raise PatternError("a range of characters that has no end, or ends before it begins", begin)
            ranges.append((low, high))
        self.place += 1
        return _Characters(tuple(ranges), tuple(tests), negated, self.any_case)

    def member(self, tests: list[Callable[[str], bool]]) -> str | None:
        """A character of a set; None if it was a class, which is then among the tests."""
        one = self.text[self.place]
        self.place += 1
        if one != "\\":
            return one
        found = self.escape()
        if found.ranges:
            return found.ranges[0][0]
        tests += [lambda each: found.has(each)]
        return None


def _without_diacritics(text: str) -> str:
    return "".join(one for one in unicodedata.normalize("NFD", text) if not unicodedata.combining(one))


class QueryPattern:
    """A regular expression as an automaton; it fits a text as a whole. State 0 is the first, -1 is that of no return.

    >>> QueryPattern("sub.*").fits("subst"), QueryPattern("sub").fits("subst"), QueryPattern("UB", "ix").fits("subst")
    (True, False, True)
    """

    def __init__(self, text: str, flags: str = "") -> None:
        if len(text) > MAX_PATTERN:
            raise PatternError(f"a regular expression of more than {MAX_PATTERN:,} characters", MAX_PATTERN)
        self._fold = "d" in flags
        if self._fold:
            text = _without_diacritics(text)
        compiler = _Compiler(text, any_case="i" in flags, literal="l" in flags)
        self._empty, self._read = compiler.empty, compiler.read
        self._first, self._last = compiler.first, compiler.last
        if "x" in flags:
            self._first, self._last = self._loose(text)
        self._forget()

    def _forget(self) -> None:
        self._numbers: dict[frozenset[int], int] = {}
        self._sets: list[frozenset[int]] = []
        self._accepts: list[bool] = []
        self._steps: list[dict[str, int]] = []
        self._state(self._closed({self._first}))

    def _loose(self, text: str) -> tuple[int, int]:
        """With anything before and after, where no anchor forbids it."""
        first, last = len(self._empty), len(self._empty) + 1
        self._empty += [[self._first], []]
        self._read += [None, None]
        self._empty[self._last].append(last)
        if not text.startswith("^"):
            self._read[first] = (_ANY, first)
        if not text.endswith("$") or text.endswith("\\$"):
            self._read[last] = (_ANY, last)
        return first, last

    def _closed(self, nodes: Iterable[int]) -> frozenset[int]:
        found = set(nodes)
        todo = list(found)
        while todo:
            for one in self._empty[todo.pop()]:
                if one not in found:
                    found.add(one)
                    todo.append(one)
        return frozenset(node for node in found if self._read[node] is not None or node == self._last)

    def _state(self, nodes: frozenset[int]) -> int:
        if not nodes:
            return -1
        number = self._numbers.get(nodes)
        if number is None:
            number = self._numbers[nodes] = len(self._sets)
            self._sets.append(nodes)
            self._accepts.append(self._last in nodes)
            self._steps.append({})
        return number

    @property
    def n_states(self) -> int:
        return len(self._sets)

    def after(self, state: int, text: str) -> int:
        """The state once a text has been read."""
        if self._fold:
            text = _without_diacritics(text)
        for one in text:
            if state < 0:
                return state
            known = self._steps[state].get(one)
            if known is None:
                reads = (self._read[node] for node in self._sets[state])
                known = self._state(self._closed(read[1] for read in reads if read is not None and read[0].has(one)))
                self._steps[state][one] = known
            state = known
        return state

    def accepts(self, state: int) -> bool:
        return state >= 0 and self._accepts[state]

    def fits(self, text: str) -> bool:
        """Whether the whole text fits."""
        if self.n_states > MAX_STATES:
            self._forget()  # states are made when they are met; a large corpus must not gather them without end
        return self.accepts(self.after(0, text))


@lru_cache(maxsize=4096)
def pattern_of(text: str, flags: str = "") -> QueryPattern:
    """The automaton of a regular expression, kept; a `PatternError` if it has none."""
    return QueryPattern(text, flags)
