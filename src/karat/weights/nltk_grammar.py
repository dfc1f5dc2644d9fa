"""NLTK's feature grammars: how their names are those of a tagset, and the lexicon that tagged sentences bring.

Names of features are those of categories, in any case of letters, or aliases (`NUM`, `GEND`, `PERS`, …). The word's
part of speech is read off the lexical production (one with nothing but words on its right-hand side): its feature for
`pos`, or else its symbol.

Where sentences are tagged, the grammar's own lexicon is not used: each word becomes a lexical production made from its
tag, with the symbols and the features that the grammar has for them. A value that is a number is one in the grammar
too. Of several values (`acc.gen`) each makes a production. A category that the part of speech never has gets the value
`-`, so that it agrees with no value of others; one that it may have, and this tag has not, agrees with all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import product
from typing import Any, NamedTuple

from karat.corpus.source import PathLike, read_source
from karat.errors import NO_LINE, DataError, Problem, UsageError
from karat.tagsets._tagset import POS, Tagset

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
RULE_NUMBER = "*rule*"  # a feature of ours on left-hand sides, by which the tree tells which production was used
_ANY_WORD = "*word*"
_NO_VALUE = "-"
_BAD_LINE = re.compile(r"Unable to parse line (\d+): .*?\n(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True, eq=False)
class GrammarNames:
    """How a grammar's names are those of a tagset; `grammar_names` makes it. Names of features are in small letters."""

    features: Mapping[str, tuple[str, ...]]
    parts_of_speech: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    word_symbols: frozenset[str] = frozenset()
    tagset: Tagset | None = None


# ---- grammars and names


def nltk_module(module: str) -> Any:
    """A module of NLTK, which is not imported before; a `UsageError` if it is not installed."""
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
    try:
        grammar = nltk_module("grammar").FeatureGrammar.fromstring(text)
    except ValueError as error:
        found = _BAD_LINE.match(str(error))
        line, reason = (int(found[1]), found[2].strip().splitlines()[-1]) if found else (1, str(error))
        caret = re.match(r"( *)\^ (.*)", found[2].splitlines()[-1]) if found else None
        # NLTK shows where, indented by four characters, below the line without the space around it
        column = len(caret[1]) - 3 if caret else 1
        message = f"not a feature grammar: {caret[2] if caret else reason}"
        hint = "write rules for NLTK like NP[CASE=?c] -> adj[CASE=?c] subst[CASE=?c]"
        raise DataError(Problem("K823", message, path, line, max(column, 1), hint)) from None
    type_ = nltk_module("featstruct").TYPE
    if nameless := next((each for each in grammar.productions() if type_ not in each.lhs()), None):
        hint = "write the name before the features, as in NP[CASE=?c]"
        raise DataError(Problem("K823", f"a rule whose left side has no name: {nameless}", path, NO_LINE, hint=hint))
    return grammar


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


# ---- productions


class Production(NamedTuple):
    """A production as the grammar has it; of a lexical one also the word's part of speech and features."""

    text: str
    right: tuple[Any, ...]
    lexical: bool
    pos: str = ""
    word: Any = None


def is_symbol(item: Any) -> bool:
    """Whether an item of a production is a symbol, not a word."""
    return isinstance(item, dict)  # NLTK's symbols are feature structures, and these are dicts


def _is_lexical(production: Any) -> bool:
    return bool(production.rhs()) and not any(is_symbol(item) for item in production.rhs())


class NumberedRules:
    """A grammar made ready: productions that carry their number, with the rules that these are the numbers of."""

    def __init__(self, grammar: Any, names: GrammarNames) -> None:
        self.names = names
        self.type = nltk_module("featstruct").TYPE
        self.grammar_module = nltk_module("grammar")
        self.start = grammar.start()
        productions = grammar.productions()
        self.has_nameless = any(
            is_symbol(item) and self.type not in item for each in productions for item in each.rhs()
        )
        self.lexical = [each for each in productions if _is_lexical(each)]
        self.others = [each for each in productions if not _is_lexical(each)]
        self.symbols = self._word_symbols()
        self.paths = sorted({path for each in productions for path in self._paths(each)})

    def _word_symbols(self) -> list[str]:
        """The symbols that may be words: those of lexical productions, and those that no production rewrites."""
        left = {each.lhs()[self.type] for each in self.others} - {each.lhs()[self.type] for each in self.lexical}
        right = [item.get(self.type) for each in self.others for item in each.rhs() if is_symbol(item)]
        own = [each.lhs()[self.type] for each in self.lexical]
        return [symbol for symbol in dict.fromkeys([*own, *right]) if symbol is not None and symbol not in left]

    def _paths(self, production: Any) -> Iterator[tuple[tuple[str, ...], str]]:
        """The features of a production's symbols that are one category: how to get there, and the category."""
        for symbol in (production.lhs(), *filter(is_symbol, production.rhs())):
            yield from _category_paths(symbol, self.names.features)

    def with_lexicon(self) -> tuple[Any, list[Production]]:
        """The grammar with its own lexicon, and its rules by their numbers."""
        entries = [(each.lhs(), each.rhs(), str(each), self._pos(each.lhs())) for each in self.lexical]
        return self._made(entries)

    def with_tags(
        self, tokens: Sequence[str], words: Sequence[str], tags: Sequence[Any]
    ) -> tuple[Any, list[Production]]:
        """The grammar with a lexicon made from a sentence's tags, and its rules by their numbers."""
        entries: dict[str, tuple[Any, tuple[str, ...], str, str]] = {}
        for token, word, tag in zip(tokens, words, tags, strict=True):
            for left in self._from_tag(tag):
                text = f"{left!r} -> {word!r}"
                entries.setdefault(f"{text} {token}", (left, (token,), text, tag.pos))
        return self._made(list(entries.values()))

    def _made(self, entries: Sequence[tuple[Any, Sequence[str], str, str]]) -> tuple[Any, list[Production]]:
        rules = [Production(str(each), each.rhs(), lexical=False) for each in self.others]
        made = [
            self._numbered(each.lhs(), [self._named(item) for item in each.rhs()], number)
            for number, each in enumerate(self.others)
        ]
        for left, right, text, pos in entries:
            made.append(self._numbered(left, right, len(rules)))
            if self.has_nameless:
                made.append(self._numbered({**left, self.type: _ANY_WORD}, right, len(rules)))
            rules.append(Production(text, tuple(right), lexical=True, pos=pos, word=left))
        return self.grammar_module.FeatureGrammar(self.start, made), rules

    def _numbered(self, left: Mapping[Any, Any], right: Sequence[Any], number: int) -> Any:
        symbol = self.grammar_module.FeatStructNonterminal({**left, RULE_NUMBER: number})
        return self.grammar_module.Production(symbol, right)

    def _named(self, item: Any) -> Any:
        if not is_symbol(item) or self.type in item:
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
        inner = nltk_module("featstruct").FeatDict
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
