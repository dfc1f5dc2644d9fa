"""What a regular expression over whole tags (`[tag="subst:sg:.*"]`) mentions of a tagset's categories.

Tags are not listed for that, there may be too many: the expression becomes an automaton, and all tags of a part of
speech walk through it together, place by place. The answer is the one that listing them would give (a test does list
them); `query_mentions` says what it is. Tags with several values of a category (`acc.gen`) are left aside, and an
expression of more than `query_patterns.MAX_STATES` states is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from karat.tagsets import Tagset
from karat.tagsets._tagset import POS
from karat.weights.queries.patterns import MAX_STATES, PatternError, QueryPattern


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


class TagsByPlace:
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


class TagWalk:
    """A regular expression against all tags; `mentioned` is what it is about."""

    def __init__(self, pattern: QueryPattern, tags: TagsByPlace) -> None:
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
