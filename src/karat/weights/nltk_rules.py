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

Sentences may be tagged. Then the grammar's own lexicon is not used: each word becomes a lexical production made from
its tag, with the symbols and the features that the grammar has for them. A value that is a number is one in the grammar
too. Of several values (`acc.gen`) each makes a production. A category that the part of speech never has gets the value
`-`, so that it agrees with no value of others; one that it may have, and this tag has not, agrees with all.
"""

from __future__ import annotations

import inspect
import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import islice, product
from typing import Any, NamedTuple

from karat.corpus._source import PathLike, read_source
from karat.errors import DataError, Problem, UsageError
from karat.tagsets._tagset import POS, TagError, Tagset
from karat.weights.rules import RuleUse, RuleUses, Terminal, rule_uses

__all__ = [
    "ALIASES",
    "GrammarNames",
    "GrammarUses",
    "LeftOut",
    "Sentence",
    "grammar_from_text",
    "grammar_names",
    "read_grammar",
    "read_sentences",
    "rule_uses_from_grammar",
]

ALIASES = {
    "num": "number",
    "nb": "number",
    "gend": "gender",
    "gen": "gender",
    "gnd": "gender",
    "per": "person",
    "pers": "person",
    "asp": "aspect",
    "deg": "degree",
    "neg": "negation",
    "cat": POS,
    "ctag": POS,
    "upos": POS,
}
_USUAL = (POS, *"number case gender person aspect degree negation tense mood voice animacy definiteness".split())
_RULE = "*rule*"  # a feature of ours on left-hand sides, by which the tree tells which production was used
_ANY_WORD = "*word*"
_NO_VALUE = "-"
_BAD_LINE = re.compile(r"Unable to parse line (\d+): .*?\n(.*)", re.DOTALL)


class Sentence(NamedTuple):
    """A sentence to parse: its name, its words and, if it is tagged, a tag for each."""

    id: str
    words: tuple[str, ...]
    tags: tuple[str, ...] = ()


class LeftOut(NamedTuple):
    """A sentence without rules, and why."""

    sentence: str
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class GrammarNames:
    """How a grammar's names are those of a tagset; `grammar_names` makes it. Names of features are in small letters."""

    features: Mapping[str, tuple[str, ...]]
    parts_of_speech: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    word_symbols: frozenset[str] = frozenset()
    tagset: Tagset | None = None


@dataclass(frozen=True, slots=True, eq=False)
class GrammarUses:
    """The uses of rules, and what is not among them.

    `n_parses` has, for each sentence with a parse, how many it has in all, `uses` at most `max_parses` of them.
    `unmapped` has the features on terminal symbols that are no category, with how often they came in these parses.
    """

    uses: RuleUses
    n_parses: dict[str, int]
    left_out: tuple[LeftOut, ...]
    unmapped: dict[str, int]
    max_parses: int

    @property
    def cut(self) -> tuple[str, ...]:
        """The sentences with more parses than were considered."""
        return tuple(name for name, n_parses in self.n_parses.items() if n_parses > self.max_parses)


# ---- grammars, names and sentences


def _nltk(module: str) -> Any:
    try:
        return import_module(f"nltk.{module}")
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "nltk":
            raise
        raise UsageError("parsing with a grammar needs NLTK: pip install karat[rules]") from None


def read_grammar(path: PathLike) -> Any:
    """NLTK's `FeatureGrammar` in a file (.fcfg); one that cannot be read is a `DataError`, K823."""
    source = read_source(path)
    return grammar_from_text(source.text(0, source.size), source.path)


def grammar_from_text(text: str, path: str = "<grammar>") -> Any:
    """NLTK's `FeatureGrammar` in a text; `path` is what an error names."""
    grammar = _nltk("grammar")
    try:
        return grammar.FeatureGrammar.fromstring(text)
    except ValueError as error:
        found = _BAD_LINE.match(str(error))
        line, reason = (int(found[1]), found[2].strip().splitlines()[-1]) if found else (1, str(error))
        caret = re.match(r"( *)\^ (.*)", found[2].splitlines()[-1]) if found else None
        # NLTK shows where, indented by four characters, below the line without the space around it
        column = len(caret[1]) - 3 if caret else 1
        message = f"this is no feature grammar: {caret[2] if caret else reason}"
        hint = "NLTK reads lines as NP[CASE=?c] -> adj[CASE=?c] subst[CASE=?c]"
        raise DataError(Problem("K823", message, path, line, max(column, 1), hint)) from None


def grammar_names(
    tagset: Tagset | None = None,
    *,
    features: Mapping[str, str | Sequence[str]] | None = None,
    parts_of_speech: Mapping[str, str | Sequence[str]] | None = None,
    word_symbols: Collection[str] = (),
) -> GrammarNames:
    """How the names in a grammar are to be taken.

    `features` maps names of features, in any case of letters, to categories: one, several (AGR), or none, to leave it
    out without a word. It goes before the tagset's own names (without a tagset: some usual ones), and these before
    `ALIASES`. `parts_of_speech` maps symbols to parts of speech; a symbol that it does not have is one of the tagset if
    only letters' case differs, and else stays what it is. `word_symbols` say nothing of the part of speech.
    """
    known = {name.lower(): name for name in ((POS, *tagset.categories) if tagset else _USUAL)}
    found: dict[str, tuple[str, ...]] = {alias: (known[name],) for alias, name in ALIASES.items() if name in known}
    found |= {lower: (name,) for lower, name in known.items()}
    found |= {name.lower(): _several(categories) for name, categories in (features or {}).items()}
    for name in features or {}:
        for category in found[name.lower()]:
            if tagset and not tagset.open and category.lower() not in known:
                raise UsageError(f"the feature {name} is mapped to {category!r}, which {tagset.name} does not have")
    symbols = {symbol: _several(several) for symbol, several in (parts_of_speech or {}).items()}
    for symbol, several in symbols.items():
        for pos in several:
            if tagset and not tagset.open and pos not in tagset.slots:
                raise UsageError(f"the symbol {symbol} is mapped to {pos!r}, which {tagset.name} does not have")
    return GrammarNames(found, symbols, frozenset(word_symbols), tagset)


def _several(names: str | Sequence[str]) -> tuple[str, ...]:
    return ((names,) if names else ()) if isinstance(names, str) else tuple(names)


def read_sentences(path: PathLike) -> list[Sentence]:
    """The sentences of a plain text, one a line, words with spaces between; they are named by their line's number.

    Empty lines, and those that begin with `#`, are left out.
    """
    source = read_source(path)
    lines = enumerate(source.text(0, source.size).split("\n"), start=1)
    found = [Sentence(str(number), tuple(line.split())) for number, line in lines if not line.startswith("#")]
    return [sentence for sentence in found if sentence.words]


# ---- productions


class _Rule(NamedTuple):
    """A production as the grammar has it; of a lexical one also the word's part of speech and features."""

    text: str
    right: tuple[Any, ...]
    lexical: bool
    pos: str = ""
    word: Any = None


def _is_symbol(item: Any) -> bool:
    return isinstance(item, dict)  # NLTK's symbols are feature structures, and these are dicts


def _is_lexical(production: Any) -> bool:
    return bool(production.rhs()) and not any(_is_symbol(item) for item in production.rhs())


class _Rules:
    """A grammar made ready: productions that carry their number, with the rules that these are the numbers of."""

    def __init__(self, grammar: Any, names: GrammarNames) -> None:
        self.names = names
        self.type = _nltk("featstruct").TYPE
        self.grammar_module = _nltk("grammar")
        self.start = grammar.start()
        productions = grammar.productions()
        self.has_nameless = any(
            _is_symbol(item) and self.type not in item for each in productions for item in each.rhs()
        )
        self.lexical = [each for each in productions if _is_lexical(each)]
        self.others = [each for each in productions if not _is_lexical(each)]
        self.symbols = self._word_symbols()
        self.paths = sorted({path for each in productions for path in self._paths(each)})

    def _word_symbols(self) -> list[str]:
        """The symbols that may be words: those of lexical productions, and those that no production rewrites."""
        left = {each.lhs()[self.type] for each in self.others} - {each.lhs()[self.type] for each in self.lexical}
        right = [item.get(self.type) for each in self.others for item in each.rhs() if _is_symbol(item)]
        own = [each.lhs()[self.type] for each in self.lexical]
        return [symbol for symbol in dict.fromkeys([*own, *right]) if symbol is not None and symbol not in left]

    def _paths(self, production: Any) -> Iterator[tuple[tuple[str, ...], str]]:
        """The features of a production's symbols that are one category: how to get there, and the category."""
        for symbol in (production.lhs(), *filter(_is_symbol, production.rhs())):
            yield from _category_paths(symbol, self.names.features)

    def with_lexicon(self) -> tuple[Any, list[_Rule]]:
        """The grammar with its own lexicon, and its rules by their numbers."""
        entries = [(each.lhs(), each.rhs(), str(each), self._pos(each.lhs())) for each in self.lexical]
        return self._made(entries)

    def with_tags(self, tokens: Sequence[str], sentence: Sentence, tags: Sequence[Any]) -> tuple[Any, list[_Rule]]:
        """The grammar with a lexicon made from a sentence's tags, and its rules by their numbers."""
        entries: dict[str, tuple[Any, tuple[str, ...], str, str]] = {}
        for token, word, tag in zip(tokens, sentence.words, tags, strict=True):
            for left in self._from_tag(tag):
                text = f"{left!r} -> {word!r}"
                entries.setdefault(f"{text} {token}", (left, (token,), text, tag.pos))
        return self._made(list(entries.values()))

    def _made(self, entries: Sequence[tuple[Any, Sequence[str], str, str]]) -> tuple[Any, list[_Rule]]:
        rules = [_Rule(str(each), each.rhs(), lexical=False) for each in self.others]
        made = [
            self._numbered(each.lhs(), [self._named(item) for item in each.rhs()], number)
            for number, each in enumerate(self.others)
        ]
        for left, right, text, pos in entries:
            made.append(self._numbered(left, right, len(rules)))
            if self.has_nameless:
                made.append(self._numbered({**left, self.type: _ANY_WORD}, right, len(rules)))
            rules.append(_Rule(text, tuple(right), lexical=True, pos=pos, word=left))
        return self.grammar_module.FeatureGrammar(self.start, made), rules

    def _numbered(self, left: Mapping[Any, Any], right: Sequence[Any], number: int) -> Any:
        symbol = self.grammar_module.FeatStructNonterminal({**left, _RULE: number})
        return self.grammar_module.Production(symbol, right)

    def _named(self, item: Any) -> Any:
        if not _is_symbol(item) or self.type in item:
            return item
        return self.grammar_module.FeatStructNonterminal({**item, self.type: _ANY_WORD})

    def _pos(self, symbol: Any) -> str:
        """The part of speech of a word with this symbol."""
        for name, value in symbol.items():
            if self.names.features.get(str(name).lower()) == (POS,) and isinstance(value, str):
                return value
        return self._pos_of_name(str(symbol[self.type]))

    def _pos_of_name(self, name: str) -> str:
        several = self.names.parts_of_speech.get(name, ())
        if several:
            return several[0] if len(several) == 1 else name
        known = self.names.tagset.slots if self.names.tagset else ()
        return next((pos for pos in known if pos.lower() == name.lower()), name)

    def _from_tag(self, tag: Any) -> Iterator[Any]:
        """The left-hand sides that a tag makes: for each symbol of its part of speech, with each of its values."""
        symbols = [symbol for symbol in self.symbols if self._covers(symbol, tag.pos)]
        if not symbols and self.has_nameless:
            symbols = [tag.pos]
        choices = [self._values(category, tag) for _, category in self.paths]
        for symbol in symbols:
            for values in product(*choices):
                left: dict[Any, Any] = {self.type: symbol}
                for (path, _), value in zip(self.paths, values, strict=True):
                    if value is not None:
                        _put(left, path, value)
                yield self._structure(left, self.grammar_module.FeatStructNonterminal)

    def _covers(self, symbol: str, pos: str) -> bool:
        if symbol in self.names.word_symbols:
            return True
        return pos in (self.names.parts_of_speech.get(symbol) or (self._pos_of_name(symbol),))

    def _values(self, category: str, tag: Any) -> list[str | int | None]:
        """What a category may be with a tag; None leaves it open."""
        if category == POS:
            return [tag.pos]
        tagset = self.names.tagset
        assert tagset is not None  # who has tags has a tagset
        several = tag.values.get(category)
        if several is None:
            never = tagset.cut != "features" and all(slot.category != category for slot in tagset.slots[tag.pos])
            return [_NO_VALUE if never else None]
        if len(several) > 1 and len(several) == len(tagset.values_in(category, tag.pos)):
            return [None]
        return [int(value) if value.isdecimal() else value for value in several]

    def _structure(self, tree: dict[Any, Any], kind: Callable[[Any], Any]) -> Any:
        inner = _nltk("featstruct").FeatDict
        return kind({name: self._structure(v, inner) if isinstance(v, dict) else v for name, v in tree.items()})


def _category_paths(symbol: Any, features: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], str]]:
    for name, value in symbol.items():
        if not isinstance(name, str):  # NLTK's own: the symbol's name, and what is missing in it
            continue
        several = features.get(name.lower())
        if several is not None and len(several) == 1:
            yield (name,), several[0]
        elif several is None and isinstance(value, dict):
            for path, category in _category_paths(value, features):
                yield (name, *path), category


def _put(tree: dict[Any, Any], path: tuple[str, ...], value: str | int) -> None:
    for name in path[:-1]:
        tree = tree.setdefault(name, {})
    tree[path[-1]] = value


# ---- parses


class _Node(NamedTuple):
    """A rule used in a parse, by its number, with what its right-hand side became; None stands for a word."""

    rule: int
    children: tuple[_Node | None, ...]


def _timed_chart(seconds: float | None) -> Any:
    """NLTK's chart, but filling it ends with a `TimeoutError` after some seconds."""
    base = _nltk("parse.featurechart").FeatureChart

    def initialize(self: Any) -> None:
        base.initialize(self)
        self.ends = time.monotonic() + (float("inf") if seconds is None else seconds)

    def insert(self: Any, edge: Any, *children: Any) -> Any:
        if time.monotonic() > self.ends:
            raise TimeoutError
        return base.insert(self, edge, *children)

    return type("TimedChart", (base,), {"initialize": initialize, "insert": insert})


def _chart(grammar: Any, tokens: Sequence[str], seconds: float | None) -> Any:
    parser = _nltk("parse.featurechart").FeatureChartParser
    # NLTK 3.10 has a limit of its own, of 5 seconds; 3.9 has none
    base = _nltk("parse.chart").ChartParser
    limit = {"max_time": seconds} if "max_time" in inspect.signature(base.__init__).parameters else {}
    return parser(grammar, chart_class=_timed_chart(seconds), **limit).chart_parse(list(tokens))


class _Forest:
    """The parses in a chart: how many there are, and the first of them.

    NLTK makes all trees before it gives the first. Here no part of the chart makes more than `max_parses` of its own,
    and these are the ones that would come first.
    """

    def __init__(self, chart: Any, grammar: Any, max_parses: int) -> None:
        self.chart, self.max_parses = chart, max_parses
        self.type = _nltk("featstruct").TYPE
        self.made: dict[Any, tuple[int, list[_Node | None]]] = {}
        self.roots = [edge for edge in chart.select(start=0, end=chart.num_leaves()) if self._is_root(edge, grammar)]

    def _is_root(self, edge: Any, grammar: Any) -> bool:
        start = grammar.start()
        if not edge.is_complete() or not _is_symbol(edge.lhs()) or edge.lhs()[self.type] != start[self.type]:
            return False
        return _nltk("featstruct").unify(edge.lhs(), start, rename_vars=True) is not None

    def parses(self) -> tuple[int, list[_Node]]:
        """The number of all parses, and the first of them."""
        found = [self._of_edge(edge) for edge in self.roots]
        number = sum(n_trees for n_trees, _ in found)
        # features that stay open may make two edges of one, by the names of their variables: the same parse twice
        first = list(dict.fromkeys(node for _, nodes in found for node in nodes if node is not None))
        return (len(first) if number <= self.max_parses else number), first[: self.max_parses]

    def _of_edge(self, edge: Any) -> tuple[int, list[_Node | None]]:
        if not _is_symbol(edge.lhs()):
            return 1, [None]
        if edge in self.made:
            return self.made[edge]
        self.made[edge] = 0, []  # a tree that holds itself is none, as in NLTK
        number, nodes = 0, list[_Node | None]()
        rule = int(edge.lhs()[_RULE])
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
        self.type = _nltk("featstruct").TYPE
        self.unmapped: Counter[str] = Counter()
        self.variable = _nltk("sem.logic").Variable

    def terminals(self, node: _Node, rules: Sequence[_Rule]) -> tuple[Terminal, ...]:
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
        raise UsageError("max_parses is 1 or more, and seconds are more than 0")
    parser = _Parser(grammar, names or grammar_names(), max_parses, seconds)
    uses = rule_uses(parser.uses(sentences))
    return GrammarUses(uses, parser.n_parses, tuple(parser.left_out), dict(parser.references.unmapped), max_parses)


class _LeaveOutError(Exception):
    """Why a sentence has no rules."""


class _Parser:
    def __init__(self, grammar: Any, names: GrammarNames, max_parses: int, seconds: float | None) -> None:
        self.names, self.max_parses, self.seconds = names, max_parses, seconds
        self.rules = _Rules(grammar, names)
        self.references = _References(names)
        self.own: tuple[Any, list[_Rule]] | None = None
        self.n_parses: dict[str, int] = {}
        self.left_out: list[LeftOut] = []

    def uses(self, sentences: Iterable[Sentence]) -> Iterator[RuleUse]:
        seen: set[str] = set()
        for sentence in sentences:
            if sentence.id in seen:
                raise UsageError(f"two sentences are named {sentence.id!r}")
            seen.add(sentence.id)
            try:
                yield from self._of_sentence(sentence)
            except _LeaveOutError as reason:
                self.left_out.append(LeftOut(sentence.id, str(reason)))

    def _of_sentence(self, sentence: Sentence) -> list[RuleUse]:
        if not sentence.words:
            raise _LeaveOutError("it has no words")
        tokens, grammar, rules = self._prepared(sentence)
        known = {item for each in grammar.productions() for item in each.rhs() if not _is_symbol(item)}
        if unknown := [word for token, word in zip(tokens, sentence.words, strict=True) if token not in known]:
            raise _LeaveOutError(f"not in the grammar: {', '.join(dict.fromkeys(unknown))}")
        try:
            n_parses, first = _Forest(_chart(grammar, tokens, self.seconds), grammar, self.max_parses).parses()
        except TimeoutError:
            raise _LeaveOutError(f"more than {self.seconds:g} seconds") from None
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

    def _prepared(self, sentence: Sentence) -> tuple[Sequence[str], Any, list[_Rule]]:
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
        return tokens, *self.rules.with_tags(tokens, sentence, tags)
