"""Uses of rules from NLTK feature grammars: sentences are parsed, and each production used tells what it refers to.

A *terminal symbol* of a production is a symbol of its right-hand side that this parse rewrites to words by a lexical
production (one with nothing but words on its right-hand side); a word that stands in a production itself is known by
its form and refers to no category. The features that the production writes on a terminal symbol are the categories that
it refers to, whether they have a value (`CASE=gen`) or a variable (`CASE=?c`). Names of features are those of
categories, in any case of letters, or aliases (`NUM`, `GEND`, `PERS`, …). In `AGR=[NUM=sg]` it is the inner features
that count; in `AGR=?a` those that the word has in AGR. Features that are no category are left out, and counted in
`unmapped`.

The symbol itself (`subst` in `subst[CASE=?c]`, NLTK's TYPE) is a reference to the part of speech, and so is a feature
that is mapped to `pos`. Two ways to refer to a word without it [Acedański & Przepiórkowski 2010, footnote 2]: a symbol
without a name, `PP -> prep[CASE=?c] [CASE=?c]`, stands for any word with such features (NLTK alone finds no parse with
it); and `word_symbols` names symbols that say nothing, as in `PP -> W[POS=prep, CASE=?c] W[CASE=?c]`. The word's part
of speech is read off the lexical production: its feature for `pos`, or else its symbol.

Sentences may be tagged. Then the grammar's own lexicon is not used, but one that is made from their tags, see
`nltk_grammar`.
"""

from __future__ import annotations

import inspect
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any, NamedTuple

from karat.corpus.source import PathLike, read_source
from karat.errors import UsageError
from karat.tagsets._tagset import POS, TagError
from karat.weights.nltk_grammar import (
    RULE_NUMBER,
    GrammarNames,
    NumberedRules,
    Production,
    grammar_names,
    is_symbol,
    nltk_module,
)
from karat.weights.rule_uses import RuleUse, RuleUses, Terminal, rule_uses


class Sentence(NamedTuple):
    """A sentence to parse: its name, its words and, if it is tagged, a tag for each."""

    id: str
    words: tuple[str, ...]
    tags: tuple[str, ...] = ()


class UnparsedSentence(NamedTuple):
    """A sentence without rules, and why."""

    sentence: str
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class GrammarUses:
    """The uses of rules, and what is not among them.

    `n_parses` has, for each sentence with a parse, how many it has in all, `uses` at most `max_parses` of them.
    `unmapped` has the features on terminal symbols that are no category, with how often they came in these parses.
    """

    uses: RuleUses
    n_parses: dict[str, int]
    left_out: tuple[UnparsedSentence, ...]
    unmapped: dict[str, int]
    max_parses: int

    @property
    def cut(self) -> tuple[str, ...]:
        """The sentences with more parses than were considered."""
        return tuple(name for name, n_parses in self.n_parses.items() if n_parses > self.max_parses)


def read_sentences(path: PathLike) -> list[Sentence]:
    """The sentences of a plain text, one a line, words with spaces between; they are named by their line's number.

    Empty lines, and those that begin with `#`, are left out.
    """
    source = read_source(path)
    lines = enumerate(source.text(0, source.size).split("\n"), start=1)
    found = [Sentence(str(number), tuple(line.split())) for number, line in lines if not line.startswith("#")]
    return [sentence for sentence in found if sentence.words]


# ---- parses


class _Node(NamedTuple):
    """A rule used in a parse, by its number, with what its right-hand side became; None stands for a word."""

    rule: int
    children: tuple[_Node | None, ...]


def _timed_chart(seconds: float | None) -> Any:
    """NLTK's chart, but filling it ends with a `TimeoutError` after some seconds."""
    base = nltk_module("parse.featurechart").FeatureChart

    def initialize(self: Any) -> None:
        base.initialize(self)
        self.ends = time.monotonic() + (float("inf") if seconds is None else seconds)

    def insert(self: Any, edge: Any, *children: Any) -> Any:
        if time.monotonic() > self.ends:
            raise TimeoutError
        return base.insert(self, edge, *children)

    return type("TimedChart", (base,), {"initialize": initialize, "insert": insert})


def _chart(grammar: Any, tokens: Sequence[str], seconds: float | None) -> Any:
    parser = nltk_module("parse.featurechart").FeatureChartParser
    # NLTK 3.10 has a limit of its own, of 5 seconds; 3.9 has none
    base = nltk_module("parse.chart").ChartParser
    limit = {"max_time": seconds} if "max_time" in inspect.signature(base.__init__).parameters else {}
    return parser(grammar, chart_class=_timed_chart(seconds), **limit).chart_parse(list(tokens))


class _Forest:
    """The parses in a chart: how many there are, and the first of them.

    NLTK makes all trees before it gives the first. Here no part of the chart makes more than `max_parses` of its own,
    and these are the ones that would come first.
    """

    def __init__(self, chart: Any, grammar: Any, max_parses: int) -> None:
        self.chart, self.max_parses = chart, max_parses
        self.type = nltk_module("featstruct").TYPE
        self.made: dict[Any, tuple[int, list[_Node | None]]] = {}
        self.roots = [edge for edge in chart.select(start=0, end=chart.num_leaves()) if self._is_root(edge, grammar)]

    def _is_root(self, edge: Any, grammar: Any) -> bool:
        start = grammar.start()
        if not edge.is_complete() or not is_symbol(edge.lhs()) or edge.lhs()[self.type] != start[self.type]:
            return False
        return nltk_module("featstruct").unify(edge.lhs(), start, rename_vars=True) is not None

    def parses(self) -> tuple[int, list[_Node]]:
        """The number of all parses, and the first of them."""
        found = [self._of_edge(edge) for edge in self.roots]
        number = sum(n_trees for n_trees, _ in found)
        # features that stay open may make two edges of one, by the names of their variables: the same parse twice
        first = list(dict.fromkeys(node for _, nodes in found for node in nodes if node is not None))
        return (len(first) if number <= self.max_parses else number), first[: self.max_parses]

    def _of_edge(self, edge: Any) -> tuple[int, list[_Node | None]]:
        if not is_symbol(edge.lhs()):
            return 1, [None]
        if edge in self.made:
            return self.made[edge]
        self.made[edge] = 0, []  # a tree that holds itself is none, as in NLTK
        number, nodes = 0, list[_Node | None]()
        rule = int(edge.lhs()[RULE_NUMBER])
        for children in self.chart.child_pointer_lists(edge):
            of_children = [self._of_edge(child) for child in children]
            several = 1
            for n_trees, _ in of_children:
                several *= n_trees
            number += several
            combined = product(*(trees for _, trees in of_children))
            nodes += [_Node(rule, trees) for trees in islice(combined, self.max_parses - len(nodes))]
        self.made[edge] = number, nodes
        return number, nodes


def _used(node: _Node) -> Iterator[_Node]:
    """A tree's rules, each before those below it, from left to right."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += [child for child in reversed(one.children) if child is not None]


# ---- what rules refer to


class _References:
    """What the rules of a grammar refer to in their terminal symbols; features that are no category are counted."""

    def __init__(self, names: GrammarNames) -> None:
        self.names = names
        self.type = nltk_module("featstruct").TYPE
        self.unmapped: Counter[str] = Counter()
        self.variable = nltk_module("sem.logic").Variable

    def terminals(self, node: _Node, rules: Sequence[Production]) -> tuple[Terminal, ...]:
        found = []
        for symbol, child in zip(rules[node.rule].right, node.children, strict=True):
            if child is not None and rules[child.rule].lexical:
                word = rules[child.rule]
                found.append(Terminal(word.pos, tuple(dict.fromkeys(self._categories(symbol, word.word)))))
        return tuple(found)

    def _categories(self, symbol: Any, word: Any) -> Iterator[str]:
        name = symbol.get(self.type)
        if name is not None and name not in self.names.word_symbols:
            yield POS
        yield from self._of_features(symbol, word)

    def _of_features(self, structure: Any, word: Any) -> Iterator[str]:
        for name in sorted(name for name in structure if isinstance(name, str)):
            several = self.names.features.get(name.lower())
            value, own = structure[name], word.get(name) if isinstance(word, dict) else None
            if several is not None:
                yield from several
            elif isinstance(value, dict):
                yield from self._of_features(value, own)
            elif isinstance(value, self.variable) and isinstance(own, dict):
                yield from self._of_features(own, own)
            else:
                self.unmapped[name] += 1


# ---- all together


def rule_uses_from_grammar(
    grammar: Any,
    sentences: Iterable[Sentence],
    *,
    names: GrammarNames | None = None,
    max_parses: int = 100,
    seconds: float | None = 10.0,
) -> GrammarUses:
    """The rules of NLTK's `FeatureGrammar` that are used in parses of the sentences.

    Each sentence is parsed with `FeatureChartParser`. Of more than `max_parses` parses the first ones are taken, in
    NLTK's order, which says nothing of how good they are; `cut` names the sentences that this concerns. A sentence that
    takes more than `seconds` to parse (None: as long as it takes), that has no parse, a word that the grammar does not
    know or a tag that is none of the tagset's is left out and named in `left_out`. Feature grammars have no
    probabilities: `best` is NLTK's first parse then, and `em` the better choice.

    Lexical productions are uses without terminals. They change no count, but EM learns from them as well.
    """
    if max_parses < 1 or (seconds is not None and not seconds > 0):
        raise UsageError("max_parses must be at least 1, and seconds above 0")
    parser = _Parser(grammar, names or grammar_names(), max_parses, seconds)
    uses = rule_uses(parser.uses(sentences))
    return GrammarUses(uses, parser.n_parses, tuple(parser.left_out), dict(parser.references.unmapped), max_parses)


class _LeaveOutError(Exception):
    """Why a sentence has no rules."""


class _Parser:
    def __init__(self, grammar: Any, names: GrammarNames, max_parses: int, seconds: float | None) -> None:
        self.names, self.max_parses, self.seconds = names, max_parses, seconds
        self.rules = NumberedRules(grammar, names)
        self.references = _References(names)
        self.own: tuple[Any, list[Production]] | None = None
        self.n_parses: dict[str, int] = {}
        self.left_out: list[UnparsedSentence] = []

    def uses(self, sentences: Iterable[Sentence]) -> Iterator[RuleUse]:
        seen: set[str] = set()
        for sentence in sentences:
            if sentence.id in seen:
                raise UsageError(f"two sentences are named {sentence.id!r}")
            seen.add(sentence.id)
            try:
                yield from self._of_sentence(sentence)
            except _LeaveOutError as reason:
                self.left_out.append(UnparsedSentence(sentence.id, str(reason)))

    def _of_sentence(self, sentence: Sentence) -> list[RuleUse]:
        if not sentence.words:
            raise _LeaveOutError("it has no words")
        tokens, grammar, rules = self._prepared(sentence)
        known = {item for each in grammar.productions() for item in each.rhs() if not is_symbol(item)}
        if unknown := [word for token, word in zip(tokens, sentence.words, strict=True) if token not in known]:
            raise _LeaveOutError(f"not in the grammar: {', '.join(dict.fromkeys(unknown))}")
        try:
            n_parses, first = _Forest(_chart(grammar, tokens, self.seconds), grammar, self.max_parses).parses()
        except TimeoutError:
            raise _LeaveOutError(f"took longer than {self.seconds:g} s") from None
        except RecursionError:
            raise _LeaveOutError("its trees are too deep") from None
        if not first:
            raise _LeaveOutError("no parse")
        self.n_parses[sentence.id] = n_parses
        return [
            RuleUse(sentence.id, rules[node.rule].text, self.references.terminals(node, rules), str(number))
            for number, tree in enumerate(first, start=1)
            for node in _used(tree)
        ]

    def _prepared(self, sentence: Sentence) -> tuple[Sequence[str], Any, list[Production]]:
        """What the parser is to see of the words, the grammar that knows them, and its rules."""
        if not sentence.tags:
            if self.own is None:
                self.own = self.rules.with_lexicon()
            return sentence.words, *self.own
        tagset = self.names.tagset
        if tagset is None:
            raise UsageError("sentences with tags need a tagset: grammar_names(tagset)")
        if len(sentence.tags) != len(sentence.words):
            raise UsageError(f"the sentence {sentence.id} has {len(sentence.words)} words, {len(sentence.tags)} tags")
        try:
            tags = [tagset.parse(tag) for tag in sentence.tags]
        except TagError as error:
            raise _LeaveOutError(str(error)) from None
        of_word: dict[str, set[str]] = {}
        for word, tag in zip(sentence.words, sentence.tags, strict=True):
            of_word.setdefault(word, set()).add(tag)
        # a form with two tags in one sentence must be two words to the parser
        pairs = zip(sentence.words, sentence.tags, strict=True)
        tokens = [word if len(of_word[word]) == 1 else f"{word}\t{tag}" for word, tag in pairs]
        return tokens, *self.rules.with_tags(tokens, sentence.words, tags)
