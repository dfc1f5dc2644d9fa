"""Queries run over a corpus, so that mentions can be conditioned on the part of speech [§ 2.4].

Logs alone do not say what a query for five genitives in a row finds; it must be run again [Acedański & Przepiórkowski
2010, § 2.4]. `matches` runs a query over a sentence: from each token the longest match that begins there, and for
each the tokens that satisfied a condition of the query on some way through it. `conditional_mentions` counts, for each
category, the parts of speech of the tokens that conditions mentioning it have found.

A query is a nondeterministic automaton over token conditions, and all ways through it are followed together: time grows
with sentence and query, not with the number of ways. A condition is evaluated once for each distinct token. Variables,
labels and assertions make ways differ by what they hold; more than `MAX_WAYS` at once is a `QueryError`, as are more
than `MAX_NODES` nodes once repetitions are written out (no more of them than the sentence has tokens). Regular
expressions are `query_mentions.Pattern`s, which do not backtrack; words are cut at `MAX_WORD` characters before they
are matched.

What plain tokens cannot tell is taken as true, and so is its negation: attributes that are neither word, lemma nor part
of the tag, functions, lists of words, heads of groups, `meta`, aligned corpora, and regions other than sentences. A
match stays in its sentence, whatever `within` says. The operators `=`, `~` ask for one value of a tag, `==`, `~~` for
all that it has; the different interpretations that Poliqarp lets them speak of are not there. `!=` is the negation of
`=`, so it holds of tokens without the category too. Queries with macros and `MU` queries cannot be run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from karat.tagsets import Tag, Tagset
from karat.tagsets._tagset import POS
from karat.weights import query_language as ql
from karat.weights.query_language import Attribute, Comparison, Condition, Query, QueryError, Text, Variable
from karat.weights.query_mentions import FEATURES, LEMMA, TAG, WORD, Mentions, PatternError, pattern_of

__all__ = [
    "MAX_NODES",
    "MAX_WAYS",
    "MAX_WORD",
    "CorpusToken",
    "Match",
    "QueryRun",
    "conditional_mentions",
    "conditional_shares",
]

MAX_NODES = 20_000
MAX_WAYS = 20_000
MAX_WORD = 200

CorpusToken = tuple[str, str, Tag | None]
"""A token: form, lemma, and its tag if it has one."""
_SENTENCE = ("s", "sent", "sentence")
# what variables and labels hold: values to agree in, or the place of a token
_Held = frozenset[tuple[str, frozenset[str] | int]]
_NOTHING: _Held = frozenset()


@dataclass(frozen=True, slots=True)
class Match:
    """Tokens `start` to `end` (exclusive); `found` are pairs of a token's place and the number of a condition."""

    start: int
    end: int
    found: frozenset[tuple[int, int]]


class _Graph:
    """The automaton: from each node, ways without a token (`empty`), guarded ones, and those with a token."""

    def __init__(self, query: Query, longest: int) -> None:
        self.query, self.longest = query, longest
        self.empty: list[list[int]] = []
        self.guards: list[list[tuple[str, int, int]]] = []
        self.reads: list[list[tuple[int, int]]] = []
        self.numbers = {token.place: number for number, token in enumerate(ql.tokens(query.pattern))}
        self.first = self.node()
        self.last = self.add(query.pattern, self.first)
        self._closures: dict[int, tuple[bool, list[tuple[str, int, int]], list[tuple[int, int]]]] = {}

    def node(self) -> int:
        if len(self.empty) >= MAX_NODES:
            raise QueryError(self.query.text, "too large to be run once its repetitions are written out", 0)
        self.empty.append([])
        self.guards.append([])
        self.reads.append([])
        return len(self.empty) - 1

    def add(self, part: ql.Part, start: int) -> int:
        """Adds a part from a node on; the node at which it ends."""
        end = self.node()
        match part:
            case ql.Token(place=place, assertion=assertion):
                if assertion:
                    self.guards[start].append(("look", self.numbers[place], end))
                else:
                    self.reads[start].append((self.numbers[place], end))
            case ql.Mark(text=text):
                name = text.strip("</>")
                if name in _SENTENCE:
                    self.guards[start].append(("end" if text.startswith("</") else "start", 0, end))
                else:
                    self.empty[start].append(end)
            case ql.Sequence(parts=parts):
                for one in parts:
                    start = self.add(one, start)
                self.empty[start].append(end)
            case ql.Alternation(parts=parts):
                for one in parts:
                    begin = self.node()
                    self.empty[start].append(begin)
                    self.empty[self.add(one, begin)].append(end)
            case ql.Repetition(part=inner, least=least, most=most):
                self.repeat(inner, least, most, start, end)
            case ql.Macro(name=name, place=place):
                raise QueryError(self.query.text, f"the macro {name!r} is not defined here", place)
            case ql.Meet(place=place):
                raise QueryError(self.query.text, "MU queries are not run", place)
        return end

    def repeat(self, part: ql.Part, least: int, most: int | None, start: int, end: int) -> None:
        """More copies than the sentence has tokens would read nothing, so they are left out."""
        least = min(least, self.longest)
        for _ in range(least):
            start = self.add(part, start)
        if most is None:
            again = self.node()
            self.empty[start].append(again)
            self.empty[self.add(part, again)].append(again)
            self.empty[again].append(end)
            return
        self.empty[start].append(end)
        for _ in range(min(most, self.longest) - least):
            start = self.add(part, start)
            self.empty[start].append(end)

    def closure(self, node: int) -> tuple[bool, list[tuple[str, int, int]], list[tuple[int, int]]]:
        """What can be done at a node without reading: whether it may end, its guards, and what it reads."""
        known = self._closures.get(node)
        if known is None:
            seen, todo = {node}, [node]
            while todo:
                for one in self.empty[todo.pop()]:
                    if one not in seen:
                        seen.add(one)
                        todo.append(one)
            guards = [guard for one in seen for guard in self.guards[one]]
            reads = [read for one in seen for read in self.reads[one]]
            known = self._closures[node] = (self.last in seen, guards, reads)
        return known


def _references(condition: Condition | None, language: str) -> set[str]:
    """The variables and labels that a condition depends on."""
    found: set[str] = set()
    for one in ql.comparisons(condition):
        sides = (one.left, one.right) if isinstance(one, Comparison) else (one.what,)
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
    def _with(cls, query: Query, mentions: Mentions) -> QueryRun:
        run = cls.__new__(cls)
        run._start(query, mentions)
        return run

    def _start(self, query: Query, mentions: Mentions) -> None:
        self.query, self._about, self._tagset = query, mentions.about, mentions.tagset
        self.tokens = tuple(ql.tokens(query.pattern))
        self._depends = [bool(_references(token.condition, query.language)) for token in self.tokens]
        named = set().union(*(_references(one, query.language) for one in (*self._conditions(), query.constraint)))
        bare = {one.what.name for one in ql.comparisons(query.constraint)
                if isinstance(one, ql.Has) and isinstance(one.what, Attribute) and not one.what.label}  # fmt: skip
        self._labels = [token.label if token.label in named | bare else "" for token in self.tokens]
        self._truth: list[dict[tuple[str, str, str], bool]] = [{} for _ in self.tokens]
        self._graphs: dict[int, _Graph] = {}

    def _conditions(self) -> list[Condition | None]:
        return [token.condition for token in self.tokens]

    # ---- matching

    def matches(self, sentence: Sequence[CorpusToken]) -> Iterator[Match]:
        """The longest match from each token of a sentence from which there is one; empty matches are none."""
        size = 16
        while size <= len(sentence):
            size *= 4  # few sizes, so that few automata are made
        if size not in self._graphs:
            self._graphs[size] = _Graph(self.query, size)
        for start in range(len(sentence)):
            found = self._from(start, sentence, self._graphs[size])
            if found:
                yield found

    def _from(self, start: int, sentence: Sequence[CorpusToken], graph: _Graph) -> Match | None:
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
        self, way: _Way, place: int, sentence: Sequence[CorpusToken], graph: _Graph
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
            case ql.And(parts=parts):
                found = [held]
                for part in parts:
                    found = [after for one in found for after in self._solutions(part, place, sentence, one)]
                return list(dict.fromkeys(found))
            case ql.Or(parts=parts):
                return list(
                    dict.fromkeys(after for part in parts for after in self._solutions(part, place, sentence, held))
                )
            case Comparison(left=Attribute() as left, right=Variable(name=name), negated=False):
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
            case ql.Not(part=part):
                return _negated(self._true(part, place, sentence, held))
            case ql.And(parts=parts):
                found = {self._true(part, place, sentence, held) for part in parts}
                return False if False in found else None if None in found else True
            case ql.Or(parts=parts):
                found = {self._true(part, place, sentence, held) for part in parts}
                return True if True in found else None if None in found else False
            case ql.Has(what=Attribute() as what):
                return self._exists(what, place, sentence, held)
            case Comparison():
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

    def _compared(self, one: Comparison, place: int, sentence: Sequence[CorpusToken], held: _Held) -> bool | None:
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


# ---- mentions by part of speech


def _by_condition(query: Query, mentions: Mentions) -> list[Counter[str]]:
    """What each token condition mentions; what a constraint says of a label is said of the token that has it."""
    every = list(ql.tokens(query.pattern))
    found = [mentions.of_condition(token.condition, query) for token in every]
    for one in ql.comparisons(query.constraint):
        sides = (one.left, one.right) if isinstance(one, Comparison) else (one.what,)
        for side in sides:
            if isinstance(side, Attribute) and side.label:
                alone = Comparison(Attribute(side.name, side.place), "=", False, Variable("", 0), side.place)
                for token, counts in zip(every, found, strict=True):
                    if token.label == side.label:
                        counts.update(mentions.of_condition(alone, query))
    return found


def _found_by_query(
    queries: Iterable[Query],
    sentences: Sequence[Sequence[CorpusToken]],
    tagset: Tagset,
    names: Mapping[str, str] | None,
    skipped: list[QueryError] | None,
) -> Iterator[tuple[int, Counter[str], list[tuple[str, Counter[str], int]]]]:
    """For each distinct query: how often it was asked, what it mentions, and by condition the parts of speech found."""
    mentions = Mentions(tagset, names)
    times: Counter[tuple[str, str]] = Counter()
    distinct: dict[tuple[str, str], Query] = {}
    for query in queries:
        times[query.language, query.text] += 1
        distinct[query.language, query.text] = query
    for key, query in distinct.items():
        try:
            mentioned = _by_condition(query, mentions)
            if not any(mentioned):
                continue
            run = QueryRun._with(query, mentions)
            parts: list[Counter[str]] = [Counter() for _ in mentioned]
            for sentence in sentences:
                pairs = {pair for match in run.matches(sentence) for pair in match.found}
                for place, number in pairs:
                    tag = sentence[place][2]
                    if tag is not None:
                        parts[number][tag.pos] += 1
        except QueryError as error:
            if skipped is None:
                raise
            skipped.append(error)
            continue
        total = sum(mentioned, Counter())
        yield (
            times[key],
            total,
            [
                (pos, counts, n_found)
                for counts, of in zip(mentioned, parts, strict=True)
                if counts
                for pos, n_found in of.items()
            ],
        )


def conditional_mentions(
    queries: Iterable[Query],
    sentences: Sequence[Sequence[CorpusToken]],
    tagset: Tagset,
    *,
    names: Mapping[str, str] | None = None,
    skipped: list[QueryError] | None = None,
) -> dict[str, Counter[str]]:
    """For each part of speech, how many tokens of it conditions that mention a category have found in a corpus.

    A token that several matches of a query share counts once for a condition of it; a query that was asked twice counts
    twice. A query that cannot be run is an error, or is put into `skipped` if that is given.
    """
    result: dict[str, Counter[str]] = {}
    for times, _, found in _found_by_query(queries, sentences, tagset, names, skipped):
        for pos, counts, n_found in found:
            of_pos = result.setdefault(pos, Counter())
            for category, n_mentions in counts.items():
                of_pos[category] += times * n_found * n_mentions
    return result


def conditional_shares(
    queries: Iterable[Query],
    sentences: Sequence[Sequence[CorpusToken]],
    tagset: Tagset,
    *,
    names: Mapping[str, str] | None = None,
    skipped: list[QueryError] | None = None,
) -> dict[str, dict[str, float]]:
    """As `conditional_mentions`, but a query is worth what it mentions, however much it finds.

    Its mentions of a category are shared among the parts of speech in proportion to the tokens found. So the sum over
    parts of speech is the count of `count_mentions` by mention, but for queries that find nothing.
    """
    result: dict[str, dict[str, float]] = {}
    for times, total, found in _found_by_query(queries, sentences, tagset, names, skipped):
        weight: Counter[str] = Counter()
        for _, counts, n_found in found:
            for category, n_mentions in counts.items():
                weight[category] += n_found * n_mentions
        for pos, counts, n_found in found:
            of_pos = result.setdefault(pos, {})
            for category, n_mentions in counts.items():
                share = times * total[category] * n_found * n_mentions / weight[category]
                of_pos[category] = of_pos.get(category, 0.0) + share
    return result
