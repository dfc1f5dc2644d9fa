"""Which categories of a tagset a query mentions.

A comparison mentions the category that its attribute names (`case!=nom`: case; negations mention too), unless it says
nothing about it (`case=".*"`). A regular expression over whole tags (`[tag="subst:sg:.*"]`) names no category: it is
matched against the tagset. It mentions

- a category, if two tags that differ only in its value exist of which one fits and one does not; or if the place of
  its value takes all of its values, but nothing that is a value of other categories only (`.*:(sg|pl):.*`); or, where
  tags name their features (UD), if for some part of speech all tags that fit have the category, and others do not;
- the part of speech, if it decides for some tag that fits: with another part of speech written in its place, and all
  else kept, the text fits no more.

So `subst:sg:.*` mentions part of speech and number, `.*:acc:.*` case, and `.*` nothing. Tags are not listed for that,
there may be too many: the expression becomes an automaton, and all tags of a part of speech walk through it together,
place by place. The answer is the one that listing them would give (a test does list them). Tags with several values of
a category (`acc.gen`) are left aside.

Python's `re` is never given an expression of a query, for it can take exponential time. `Pattern` is an automaton whose
time is the length of the text times that of the expression; it knows what corpus queries use of regular expressions,
and refuses back references, look-around, expressions of more than `MAX_PATTERN` characters, of more than `MAX_NODES`
nodes once repetitions are written out, and, when tags are matched, of more than `MAX_STATES` states.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from karat.tagsets import Tagset
from karat.tagsets._tagset import POS
from karat.weights.query_language import (
    Attribute,
    Call,
    Comparison,
    Condition,
    Has,
    Query,
    QueryError,
    Text,
    Value,
    comparisons,
    tokens,
)

__all__ = [
    "CATEGORY_NAMES",
    "FEATURES",
    "LEMMA",
    "MAX_NODES",
    "MAX_PATTERN",
    "MAX_STATES",
    "TAG",
    "WORD",
    "Mentions",
    "Pattern",
    "PatternError",
    "mentions",
    "pattern_of",
]

MAX_PATTERN = 1_000
MAX_NODES = 4_000
MAX_STATES = 1_000
_MAX_GROUPS = 50

# What an attribute is about, where it is no category. They cannot be categories: no tagset's names have a <.
WORD, LEMMA, TAG, FEATURES = "<word>", "<lemma>", "<tag>", "<features>"

CATEGORY_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("orth", "word", "form", "token"), WORD),
    **dict.fromkeys(("base", "lemma", "lem", "lempos"), LEMMA),
    **dict.fromkeys(("tag", "msd", "xpos", "xpostag", "ctag", "morph", "fulltag"), TAG),
    **dict.fromkeys(("feats", "ufeats", "features", "feat"), FEATURES),
    **dict.fromkeys(("pos", "upos", "upostag", "cpos", "wc", "flex", "class"), POS),
    **dict.fromkeys(("num", "nmb", "nb"), "number"),
    **dict.fromkeys(("cas", "cs"), "case"),
    **dict.fromkeys(("gend", "gnd"), "gender"),
    **dict.fromkeys(("pers", "per"), "person"),
    **dict.fromkeys(("deg", "degr", "grade"), "degree"),
    **dict.fromkeys(("asp",), "aspect"),
    **dict.fromkeys(("negat", "neg", "negativity", "polarity"), "negation"),
    **dict.fromkeys(("acm", "accom", "accommodation"), "accommodability"),
    **dict.fromkeys(("acn", "accent"), "accentability"),
    **dict.fromkeys(("ppr", "postprep", "post-prep"), "post-prepositionality"),
    **dict.fromkeys(("agg", "agglt"), "agglutination"),
    **dict.fromkeys(("vcl", "vocal"), "vocalicity"),
    **dict.fromkeys(("dot", "fullstop"), "fullstoppedness"),
}
"""What attributes are usually called, beside the names of the categories themselves; `names` adds to them."""


# ---- regular expressions


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
            raise PatternError("too large once its repetitions are written out", 0)
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
                raise PatternError("a { that is no repetition", self.place)
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
            raise PatternError(f"more than {_MAX_GROUPS} groups in each other", begin)
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
                    raise PatternError(f"no class of characters {name!r}", self.place)
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


class Pattern:
    """A regular expression as an automaton; it fits a text as a whole. State 0 is the first, -1 is that of no return.

    >>> Pattern("sub.*").fits("subst"), Pattern("sub").fits("subst"), Pattern("UB", "ix").fits("subst")
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
def pattern_of(text: str, flags: str = "") -> Pattern:
    """The automaton of a regular expression, kept; a `PatternError` if it has none."""
    return Pattern(text, flags)


# ---- the tags of a tagset, place by place


@dataclass(frozen=True, slots=True)
class _Place:
    """A place of a tag: its category, how its values are written there, and how else it can be filled.

    `others` are the values of other categories only, written as this one's would be; `empty` is what says that there
    is no value. `may_skip`: nothing need be written; `may_end`: the tag may end before this place.
    """

    category: str
    written: tuple[str, ...]
    others: tuple[str, ...]
    empty: tuple[str, ...] = ()
    may_skip: bool = False
    may_end: bool = False


@dataclass(frozen=True, slots=True)
class _Chain:
    """A place and those after it; None is the end of the tag. Equal chains are one object, so results are shared."""

    place: _Place
    rest: _Chain | None
    number: int = field(compare=False)


class _Tags:
    """All tags of a tagset as chains of places, one a part of speech."""

    def __init__(self, tagset: Tagset) -> None:
        self.tagset = tagset
        self._known: dict[tuple[_Place, int], _Chain] = {}
        self._written = {category: self._writings(category, "") for category in tagset.categories}
        self.pos = tuple(tagset.slots)
        self.chains = {pos: self._chain(self._places(pos)) for pos in self.pos}

    def _writings(self, category: str, pos: str) -> tuple[str, ...]:
        """All that can be written for one value."""
        tagset = self.tagset
        known = tagset.values_in(category, pos)
        mapped = [one for one, value in tagset.maps.get(category, {}).items() if value in known]
        several = [one for one, values in tagset.sets.get(category, {}).items() if all(v in known for v in values)]
        return tuple(dict.fromkeys((*known, *mapped, *several)))

    def _places(self, pos: str) -> list[_Place]:
        tagset = self.tagset
        if tagset.cut == "features":
            names = sorted(tagset.categories, key=str.lower)
            return [
                self._place(name, pos, f"{tagset.separator}{name}=", may_skip=True)
                for name in names
                if tagset.values_in(name, pos)
            ]
        if tagset.cut == "separated":
            return [
                self._place(slot.category, pos, tagset.separator, may_skip=slot.optional)
                for slot in tagset.slots[pos]
                if slot.category
            ]
        free = not tagset.length
        return [
            self._place(slot.category, pos, "", empty=(tagset.empty,), may_end=free)
            if slot.category
            else _Place("", (), (), (tagset.empty,), False, free)
            for slot in tagset.slots[pos]
        ]

    def _place(
        self,
        category: str,
        pos: str,
        before: str,
        *,
        empty: tuple[str, ...] = (),
        may_skip: bool = False,
        may_end: bool = False,
    ) -> _Place:
        own = self._writings(category, pos)
        everywhere = {*own, *self._written.get(category, ())}
        others = dict.fromkeys(
            one for name, all_of in self._written.items() if name != category for one in all_of if one not in everywhere
        )
        written = tuple(before + one for one in own)
        return _Place(category, written, tuple(before + one for one in others), empty, may_skip, may_end)

    def _chain(self, places: list[_Place]) -> _Chain | None:
        chain: _Chain | None = None
        for place in reversed(places):
            key = (place, -1 if chain is None else chain.number)
            if key not in self._known:
                self._known[key] = _Chain(place, chain, len(self._known))
            chain = self._known[key]
        return chain


class _Walk:
    """A regular expression against all tags; `mentioned` is what it is about."""

    def __init__(self, pattern: Pattern, tags: _Tags) -> None:
        self.pattern, self.tags = pattern, tags
        self._afters: dict[tuple[int, str], int] = {}
        self._differ: dict[tuple[int, int, int], bool] = {}
        self._fits: dict[tuple[int, int, str], bool] = {}
        self._visited: set[tuple[int, int]] = set()
        self.mentioned: set[str] = set()

    def whole_tags(self) -> set[str]:
        states = {pos: self._after(0, pos) for pos in self.tags.pos}
        different = set(states.values())
        for pos, chain in self.tags.chains.items():
            if any(self._differs(states[pos], other, chain) for other in different):
                self.mentioned.add(POS)
            self._visit(states[pos], chain)
            self._named_by_presence(states[pos], chain)
        return self.mentioned

    def features(self) -> set[str]:
        """As `whole_tags`, where the attribute holds the features alone (its expression has the first separator)."""
        for chain in dict.fromkeys(self.tags.chains.values()):
            self._visit(0, chain)
            self._named_by_presence(0, chain)
        return self.mentioned

    def _after(self, state: int, text: str) -> int:
        key = (state, text)
        found = self._afters.get(key)
        if found is None:
            found = self._afters[key] = self.pattern.after(state, text)
            if self.pattern.n_states > MAX_STATES:
                raise PatternError("too large to be matched against a tagset", 0)
        return found

    def _next(self, state: int, chain: _Chain) -> set[int]:
        """The states after a place."""
        place = chain.place
        found = {self._after(state, one) for one in (*place.written, *place.empty)}
        return found | {state} if place.may_skip else found

    def _differs(self, one: int, other: int, chain: _Chain | None) -> bool:
        """Whether some rest of a tag is accepted from the one state and not from the other."""
        if one == other or one < 0:
            return False
        if chain is None:
            return self.pattern.accepts(one) and not self.pattern.accepts(other)
        key = (one, other, chain.number)
        known = self._differ.get(key)
        if known is None:
            place = chain.place
            known = place.may_end and self.pattern.accepts(one) and not self.pattern.accepts(other)
            known = known or (place.may_skip and self._differs(one, other, chain.rest))
            known = known or any(
                self._differs(self._after(one, text), self._after(other, text), chain.rest)
                for text in (*place.written, *place.empty)
            )
            self._differ[key] = known
        return known

    def _some_fit(self, state: int, chain: _Chain | None, without: str = "") -> bool:
        """Whether a rest of a tag is accepted from a state; `without` a category, if it is named."""
        if chain is None:
            return self.pattern.accepts(state)
        key = (state, chain.number, without)
        known = self._fits.get(key)
        if known is None:
            place = chain.place
            following = {state} if place.category == without and without else self._next(state, chain)
            known = (place.may_end and self.pattern.accepts(state)) or any(
                self._some_fit(one, chain.rest, without) for one in following
            )
            self._fits[key] = known
        return known

    def _visit(self, state: int, chain: _Chain | None) -> None:
        """Looks at a place in every state in which tags come to it."""
        if chain is None or (state, chain.number) in self._visited:
            return
        self._visited.add((state, chain.number))
        place = chain.place
        if place.written and place.category not in self.mentioned and self._decides(state, chain):
            self.mentioned.add(place.category)
        for one in self._next(state, chain):
            self._visit(one, chain.rest)

    def _decides(self, state: int, chain: _Chain) -> bool:
        own = list(dict.fromkeys(self._after(state, text) for text in chain.place.written))
        if any(self._differs(a, b, chain.rest) for other in own[1:] for a, b in ((own[0], other), (other, own[0]))):
            return True
        if not chain.place.others or not self._some_fit(own[0], chain.rest):
            return False
        others = {self._after(state, text) for text in chain.place.others}
        return not any(self._some_fit(other, chain.rest) for other in others)

    def _named_by_presence(self, state: int, chain: _Chain | None) -> None:
        if self.tags.tagset.cut != "features" or not self._some_fit(state, chain):
            return
        below = chain
        while below is not None:
            category = below.place.category
            if category not in self.mentioned and not self._some_fit(state, chain, category):
                self.mentioned.add(category)
            below = below.rest


# ---- mentions


def _plain(name: str) -> str:
    return name.lower().replace("-", "").replace("_", "")


class Mentions:
    """Counts which categories of a tagset queries mention; what is known of an expression is kept.

    `names` says what attributes of the corpus are about: a category, "pos", or `TAG`, `FEATURES`, `WORD`, `LEMMA`. It
    comes before `CATEGORY_NAMES`: in a CQP corpus whose `pos` holds whole tags, give `{"pos": TAG}`.
    """

    def __init__(self, tagset: Tagset, names: Mapping[str, str] | None = None) -> None:
        self.tagset = tagset
        self._tags = _Tags(tagset)
        own = {_plain(category): category for category in tagset.categories}
        usual = {_plain(name): own.get(_plain(about), about) for name, about in CATEGORY_NAMES.items()}
        known = {POS, TAG, FEATURES, WORD, LEMMA, *tagset.categories}
        given = {_plain(name): own.get(_plain(about), about) for name, about in (names or {}).items()}
        if unknown := sorted(set(given.values()) - known):
            raise ValueError(f"no category {unknown[0]!r} in the tagset {tagset.name}")
        self._names = {name: about for name, about in {**usual, **own, **given}.items() if about in known}
        self._of_value: dict[str, str] = {}
        for category in tagset.categories:
            for value in tagset.values_in(category):
                self._of_value[value] = "" if value in self._of_value else category
        self._of_value.update(dict.fromkeys(tagset.slots, POS))
        self._kept: dict[tuple[str, str, str, str], frozenset[str]] = {}

    def about(self, attribute: str) -> str:
        """What an attribute is about: a category, "pos", `TAG`, `FEATURES`, `WORD` or `LEMMA`; "" if none of these."""
        return self._names.get(_plain(attribute), "")

    def of_query(self, query: Query) -> Counter[str]:
        """How often a query mentions each category: a comparison counts once for each that it mentions."""
        found: Counter[str] = Counter()
        for token in tokens(query.pattern):
            found += self.of_condition(token.condition, query)
        found += self.of_condition(query.constraint, query)
        found += self.of_condition(query.within_condition, query)
        for other in query.aligned:
            found += self.of_query(other)
        return found

    def of_condition(self, condition: Condition | None, query: Query) -> Counter[str]:
        """As `of_query`, of one condition; the query is named in errors."""
        found: Counter[str] = Counter()
        for one in comparisons(condition):
            found.update(self._of_name(one) if isinstance(one, Has) else self._of_comparison(one, query))
        return found

    def _of_name(self, has: Has) -> frozenset[str]:
        """What a name alone mentions: the category that it is, or the one whose value it is."""
        if isinstance(has.what, Call):
            return self._of_value_of(has.what)
        about = self.about(has.what.name) or self._of_value.get(has.what.name, "")
        return frozenset((about,)) if about and not about.startswith("<") else frozenset()

    def _of_value_of(self, value: Value) -> frozenset[str]:
        """The categories that one side of a comparison names."""
        if isinstance(value, Call):
            return frozenset().union(*(self._of_value_of(one) for one in value.arguments))
        if not isinstance(value, Attribute):
            return frozenset()
        about = self.about(value.name)
        return frozenset((about,)) if about and not about.startswith("<") else frozenset()

    def _of_comparison(self, one: Comparison, query: Query) -> frozenset[str]:
        if isinstance(one.left, Call):
            return self._of_value_of(one.left) | self._of_value_of(one.right)
        about = self.about(one.left.name)
        if isinstance(one.right, Text):
            return self._of_text(about, one.operator, one.right, query)
        if about in (TAG, FEATURES):  # the same whole tag, or one of a list: all that it is made of
            return frozenset((*self.tagset.categories, *([POS] if about == TAG else [])))
        return self._of_value_of(one.left) | self._of_value_of(one.right)

    def _of_text(self, about: str, operator: str, right: Text, query: Query) -> frozenset[str]:
        if not about or about in (WORD, LEMMA):
            return frozenset()
        key = (about, operator, right.text, right.flags)
        found = self._kept.get(key)
        if found is None:
            try:
                found = self._kept[key] = self._expanded(about, operator, right)
            except PatternError as error:
                raise QueryError(query.text, error.message, right.place) from None
        return found

    def _expanded(self, about: str, operator: str, right: Text) -> frozenset[str]:
        if about not in (TAG, FEATURES):
            return frozenset() if self._says_nothing(about, right) else frozenset((about,))
        pattern = Pattern(right.text, right.flags)  # of its own: one that is kept has states of other texts too
        if operator in ("contains", "matches"):
            return frozenset(self._of_pieces(pattern, about))
        if about == TAG:
            return frozenset(_Walk(pattern, self._tags).whole_tags())
        return frozenset(_Walk(_after_separator(right, self.tagset.separator), self._tags).features())

    def _says_nothing(self, about: str, right: Text) -> bool:
        """Whether a category may have any value, or none."""
        try:
            pattern = pattern_of(right.text, right.flags)
        except PatternError:
            return False  # the category is named, whatever is asked of it
        if about == POS:
            return all(map(pattern.fits, self.tagset.slots))
        return pattern.fits("") and all(map(pattern.fits, self.tagset.values_in(about)))

    def _of_pieces(self, pattern: Pattern, about: str) -> set[str]:
        """Where an attribute is a set of features: those categories of which a piece fits, unless any piece does."""
        named = self.tagset.cut == "features"
        pieces = {
            category: [f"{category}={value}" if named else value for value in self.tagset.values_in(category)]
            for category in self.tagset.categories
        }
        if about == TAG:
            pieces[POS] = list(self.tagset.slots)
        fitting = {category for category, of in pieces.items() if any(map(pattern.fits, of))}
        return set() if all(pattern.fits(one) for of in pieces.values() for one in of) else fitting


def _after_separator(right: Text, separator: str) -> Pattern:
    """The expression of features, which begin a tag's part with a separator that their attribute does not have."""
    escaped = "".join("\\" + one if not one.isalnum() else one for one in separator)
    text = right.text
    if "l" in right.flags:
        return Pattern(separator + text, right.flags)
    loose = ".*" if "x" in right.flags else ""
    return Pattern(f"{escaped}{loose}(?:{text}){loose}", right.flags.replace("x", ""))


def mentions(query: Query, tagset: Tagset, names: Mapping[str, str] | None = None) -> Counter[str]:
    """How often a query mentions each category of a tagset, "pos" for the part of speech. For many: `Mentions`."""
    return Mentions(tagset, names).of_query(query)
