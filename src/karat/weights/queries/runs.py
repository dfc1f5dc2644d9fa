"""Queries run over sentences.

`QueryRun.matches` gives from each token of a sentence the longest match that begins there, and for each the tokens that
satisfied a condition of the query on some way through it.

A query is a nondeterministic automaton over token conditions (`query_graph`), and all ways through it are followed
together: time grows with sentence and query, not with the number of ways. A condition is evaluated once for each
distinct token. Variables, labels and assertions make ways differ by what they hold; more than `MAX_WAYS` at once is a
`QueryError`, as are more than `query_graph.MAX_NODES` nodes once repetitions are written out (no more of them than the
sentence has tokens). Regular expressions are `query_patterns.Pattern`s, which do not backtrack; words are cut at
`MAX_WORD` characters before they are matched.

What plain tokens cannot tell is taken as true, and so is its negation: attributes that are neither word, lemma nor part
of the tag, functions, lists of words, heads of groups, `meta`, aligned corpora, and regions other than sentences. A
match stays in its sentence, whatever `within` says. The operators `=`, `~` ask for one value of a tag, `==`, `~~` for
all that it has; the different interpretations that Poliqarp lets them speak of are not there. `!=` is the negation of
`=`, so it holds of tokens without the category too. Queries with macros and `MU` queries cannot be run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from karat.tagsets import Tag, Tagset
from karat.tagsets._tagset import POS
from karat.weights.queries import query as tree
from karat.weights.queries.graph import QueryGraph
from karat.weights.queries.mentions import FEATURES, LEMMA, TAG, WORD, Mentions
from karat.weights.queries.patterns import PatternError, pattern_of
from karat.weights.queries.query import Attribute, AttributeTest, Condition, Query, QueryError, Text, Variable

MAX_WAYS = 20_000
MAX_WORD = 200

CorpusToken = tuple[str, str, Tag | None]
"""A token: form, lemma, and its tag if it has one."""
# what variables and labels hold: values to agree in, or the place of a token
_Held = frozenset[tuple[str, frozenset[str] | int]]
_NOTHING: _Held = frozenset()


@dataclass(frozen=True, slots=True)
class Match:
    """Tokens `start` to `end` (exclusive); `found` are pairs of a token's place and the number of a condition."""

    start: int
    end: int
    found: frozenset[tuple[int, int]]


def _references(condition: Condition | None, language: str) -> set[str]:
    """The variables and labels that a condition depends on."""
    found: set[str] = set()
    for one in tree.comparisons(condition):
        sides = (one.left, one.right) if isinstance(one, AttributeTest) else (one.what,)
        for side in sides:
            if isinstance(side, Variable) and language == "poliqarp":
                found.add("$" + side.name)
            elif isinstance(side, Attribute) and side.label not in ("", "_"):
                found.add(side.label)
    return found


_Way = tuple[int, _Held]  # a node, and what variables and labels hold
_Found = tuple[tuple[int, int], ...]  # places and conditions that were met on the way


class QueryRun:
    """A query ready to be run; it keeps what each condition says of each distinct token."""

    def __init__(self, query: Query, tagset: Tagset, names: Mapping[str, str] | None = None) -> None:
        self._start(query, Mentions(tagset, names))

    @classmethod
    def with_mentions(cls, query: Query, mentions: Mentions) -> QueryRun:
        run = cls.__new__(cls)
        run._start(query, mentions)
        return run

    def _start(self, query: Query, mentions: Mentions) -> None:
        self.query, self._about, self._tagset = query, mentions.about, mentions.tagset
        self.tokens = tuple(tree.tokens(query.pattern))
        self._depends = [bool(_references(token.condition, query.language)) for token in self.tokens]
        named = set().union(*(_references(one, query.language) for one in (*self._conditions(), query.constraint)))
        bare = {one.what.name for one in tree.comparisons(query.constraint)
                if isinstance(one, tree.Has) and isinstance(one.what, Attribute) and not one.what.label}  # fmt: skip
        self._labels = [token.label if token.label in named | bare else "" for token in self.tokens]
        self._truth: list[dict[tuple[str, str, str], bool]] = [{} for _ in self.tokens]
        self._graphs: dict[int, QueryGraph] = {}

    def _conditions(self) -> list[Condition | None]:
        return [token.condition for token in self.tokens]

    # ---- matching

    def matches(self, sentence: Sequence[CorpusToken]) -> Iterator[Match]:
        """The longest match from each token of a sentence from which there is one; empty matches are none."""
        size = 16
        while size <= len(sentence):
            size *= 4  # few sizes, so that few automata are made
        if size not in self._graphs:
            self._graphs[size] = QueryGraph(self.query, size)
        for start in range(len(sentence)):
            found = self._from(start, sentence, self._graphs[size])
            if found:
                yield found

    def _from(self, start: int, sentence: Sequence[CorpusToken], graph: QueryGraph) -> Match | None:
        """Follows all ways together, a token at a time, and then the best ones back."""
        layers: list[dict[_Way, list[tuple[_Way, _Found]]]] = [{(graph.first, _NOTHING): []}]
        best: tuple[int, list[tuple[_Way, _Found]]] | None = None
        place = start
        while True:
            following: dict[_Way, list[tuple[_Way, _Found]]] = {}
            ends: list[tuple[_Way, _Found]] = []
            for way in layers[-1]:
                for may_end, held, met, reads in self._ready(way, place, sentence, graph):
                    if may_end and place > start and self._allowed(held, start, place, sentence):
                        ends.append((way, met))
                    for number, target in reads if place < len(sentence) else ():
                        for after in self._read(number, place, sentence, held):
                            following.setdefault((target, after), []).append((way, (*met, (place, number))))
            if ends:
                best = (place, ends)
            if len(following) > MAX_WAYS:
                raise QueryError(self.query.text, "too many ways through its variables and labels", 0)
            if not following:
                break
            layers.append(following)
            place += 1
        return None if best is None else Match(start, best[0], _followed_back(layers, best[0] - start, best[1]))

    def _ready(
        self, way: _Way, place: int, sentence: Sequence[CorpusToken], graph: QueryGraph
    ) -> Iterator[tuple[bool, _Held, _Found, list[tuple[int, int]]]]:
        """What a way can do before the next token, with the guards that it passes."""
        todo: list[tuple[int, _Held, frozenset[tuple[int, int]]]] = [(*way, frozenset())]
        seen = set(todo)
        while todo:
            node, held, met = todo.pop()
            may_end, guards, reads = graph.closure(node)
            yield may_end, held, tuple(met), reads
            for kind, number, target in guards:
                now = met
                if kind == "look":
                    after = self._look(number, place, sentence, held)
                    now = met | {(place, number)} if place < len(sentence) else met
                else:
                    after = [held] if place == (0 if kind == "start" else len(sentence)) else []
                fresh = {(target, one, now) for one in after} - seen
                seen |= fresh
                todo += fresh
            if len(seen) > MAX_WAYS:
                raise QueryError(self.query.text, "too many ways through its assertions", 0)

    def _look(self, number: int, place: int, sentence: Sequence[CorpusToken], held: _Held) -> list[_Held]:
        if place < len(sentence):
            return self._read(number, place, sentence, held)
        return [held] if self.tokens[number].condition is None else []

    def _read(self, number: int, place: int, sentence: Sequence[CorpusToken], held: _Held) -> list[_Held]:
        """What is held after a token that satisfies a condition; nothing if it does not."""
        condition = self.tokens[number].condition
        if condition is None:
            after = [held]
        elif self._depends[number]:
            after = self._solutions(condition, place, sentence, held)
        else:
            form, lemma, tag = sentence[place]
            key = (form, lemma, "" if tag is None else tag.text)
            known = self._truth[number].get(key)
            if known is None:
                known = self._truth[number][key] = self._true(condition, place, sentence, held) is not False
            after = [held] if known else []
        label = self._labels[number]
        if label:
            after = [frozenset({*(one for one in each if one[0] != label), (label, place)}) for each in after]
        return after

    def _allowed(self, held: _Held, start: int, end: int, sentence: Sequence[CorpusToken]) -> bool:
        if self.query.constraint is None:
            return True
        names = held | {("match", start), ("matchend", end - 1)}
        return self._true(self.query.constraint, -1, sentence, names) is not False

    # ---- conditions: True, False, or None if plain tokens cannot tell

    def _solutions(self, condition: Condition, place: int, sentence: Sequence[CorpusToken], held: _Held) -> list[_Held]:
        """What variables can hold so that a condition is true."""
        match condition:
            case tree.And(parts=parts):
                found = [held]
                for part in parts:
                    found = [after for one in found for after in self._solutions(part, place, sentence, one)]
                return list(dict.fromkeys(found))
            case tree.Or(parts=parts):
                return list(
                    dict.fromkeys(after for part in parts for after in self._solutions(part, place, sentence, held))
                )
            case AttributeTest(left=Attribute() as left, right=Variable(name=name), negated=False):
                return self._agreeing(left, "$" + name, place, sentence, held)
        return [held] if self._true(condition, place, sentence, held) is not False else []

    def _agreeing(
        self, left: Attribute, name: str, place: int, sentence: Sequence[CorpusToken], held: _Held
    ) -> list[_Held]:
        values = self._values(left, place, sentence, held)
        if values is None or self.query.language != "poliqarp":
            return [held]
        before = dict(held).get(name)
        common = frozenset(values) & before if isinstance(before, frozenset) else frozenset(values)
        return [frozenset({*(one for one in held if one[0] != name), (name, common)})] if common else []

    def _true(self, condition: Condition, place: int, sentence: Sequence[CorpusToken], held: _Held) -> bool | None:
        match condition:
            case tree.Not(part=part):
                return _negated(self._true(part, place, sentence, held))
            case tree.And(parts=parts):
                found = {self._true(part, place, sentence, held) for part in parts}
                return False if False in found else None if None in found else True
            case tree.Or(parts=parts):
                found = {self._true(part, place, sentence, held) for part in parts}
                return True if True in found else None if None in found else False
            case tree.Has(what=Attribute() as what):
                return self._exists(what, place, sentence, held)
            case AttributeTest():
                found_here = self._compared(condition, place, sentence, held)
                return _negated(found_here) if condition.negated else found_here
        return None

    def _exists(self, what: Attribute, place: int, sentence: Sequence[CorpusToken], held: _Held) -> bool | None:
        if not what.label and (what.name in dict(held) or what.name in self._labels):
            return what.name in dict(held)
        values = self._values(what, place, sentence, held)
        if values is not None:
            return bool(values)
        if what.label or place < 0 or what.name[0] in "@/":
            return None
        tag = sentence[place][2]
        return tag is not None and (tag.pos == what.name or any(what.name in of for of in tag.values.values()))

    def _compared(self, one: AttributeTest, place: int, sentence: Sequence[CorpusToken], held: _Held) -> bool | None:
        if not isinstance(one.left, Attribute):
            return None
        values = self._values(one.left, place, sentence, held, pieces=one.operator in ("contains", "matches"))
        if values is None or one.operator in ("<", ">", "<=", ">="):
            return None
        match one.right:
            case Text() as right:
                try:
                    pattern = pattern_of(right.text, right.flags)
                except PatternError as error:
                    raise QueryError(self.query.text, error.message, right.place) from None
                fitting = [pattern.fits(value) for value in values]
                return bool(fitting) and all(fitting) if one.operator in ("==", "~~", "matches") else any(fitting)
            case Attribute() as other:
                others = self._values(other, place, sentence, held)
                return None if others is None else bool(set(values) & set(others))
            case Variable(name=name) if self.query.language == "poliqarp":
                before = dict(held).get("$" + name)
                return bool(set(values) & before) if isinstance(before, frozenset) else None
        return None

    def _values(
        self,
        attribute: Attribute,
        place: int,
        sentence: Sequence[CorpusToken],
        held: _Held,
        *,
        pieces: bool = False,
    ) -> tuple[str, ...] | None:
        """The values of an attribute; none where there is no token, None where plain tokens do not have it."""
        about = self._about(attribute.name)
        if attribute.label and attribute.label != "_":
            where = dict(held).get(attribute.label)
            if not isinstance(where, int):
                return ()
            place = where
        if not about or place < 0:
            return None
        if place >= len(sentence):
            return ()
        form, lemma, tag = sentence[place]
        if about in (WORD, LEMMA):
            return ((form if about == WORD else lemma)[:MAX_WORD],)
        if tag is None:
            return ()
        if about == POS:
            return (tag.pos,)
        if about in (TAG, FEATURES):
            return self._of_tag(tag, about, pieces)
        return tuple(tag.values.get(about, ()))

    def _of_tag(self, tag: Tag, about: str, pieces: bool) -> tuple[str, ...]:
        if pieces:
            named = self._tagset.cut == "features"
            of = tuple(f"{name}={one}" if named else one for name, values in tag.values.items() for one in values)
            return (tag.pos, *of) if about == TAG else of
        if about == TAG:
            return (tag.text[:MAX_WORD],)
        return (tag.text[len(tag.pos) + len(self._tagset.separator) :][:MAX_WORD] or self._tagset.empty,)


def _negated(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def _followed_back(
    layers: list[dict[_Way, list[tuple[_Way, _Found]]]], n_read: int, ends: list[tuple[_Way, _Found]]
) -> frozenset[tuple[int, int]]:
    """All that was met on the ways that come to the ends."""
    found: set[tuple[int, int]] = {pair for _, met in ends for pair in met}
    current = {way for way, _ in ends}
    for layer in layers[n_read:0:-1]:
        before: set[_Way] = set()
        for way in current:
            for earlier, met in layer[way]:
                found.update(met)
                before.add(earlier)
        current = before
    return frozenset(found)
