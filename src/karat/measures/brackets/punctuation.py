"""Which words of trees do not matter: punctuation and traces [Hogenhout & Matsumoto 1996, §4, step 1]."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags
from karat.corpus.constituency_trees import Trees
from karat.corpus.interning import Spans, interned
from karat.corpus.source import PathLike, read_source
from karat.errors import DataError, Problem, UsageError
from karat.signature import shown_input

PENN_PUNCTUATION = frozenset({",", ":", ".", "``", "''"})  # the tags that EVALB's own parameters delete


@dataclass(frozen=True, slots=True)
class Punctuation:
    """What is dropped: words with one of these tags, or words of nothing but Unicode punctuation.

    `signed` is how a signature names it.
    """

    signed: str
    tags: frozenset[str] = frozenset()
    by_unicode: bool = False

    def of(self, trees: Trees) -> Flags:
        """The words that are punctuation."""
        if self.by_unicode:
            return _those(trees.forms, _is_unicode_punctuation)
        return _those(trees.tags, self.tags.__contains__)


def punctuation_named(choice: PathLike) -> Punctuation:
    """`penn` (by tag), `unicode` (words of characters of category P), `none`, or a file of tags, one a line."""
    if choice == "penn":
        return Punctuation("penn", PENN_PUNCTUATION)
    if choice == "unicode":
        return Punctuation("unicode", by_unicode=True)
    if choice == "none":
        return Punctuation("none")
    path = os.fspath(choice)
    if not os.path.exists(path):
        raise UsageError(f"punctuation {path!r}: write penn, unicode, none, or a file with one tag per line")
    source = read_source(path)
    tags = source.text(0, source.size).split()
    if not tags:
        raise DataError(Problem("K104", "the file has no tags", path))
    return Punctuation(shown_input(path, source.sha256()), frozenset(tags))


def _those(spans: Spans, wanted: Callable[[str], bool]) -> Flags:
    """The spans whose text is wanted; each distinct text is looked at once."""
    ids, first = interned(spans)
    found = np.array([wanted(text) for text in spans[first].strings()], dtype=np.bool_)
    flags: Flags = found.take(ids)
    return flags


def _is_unicode_punctuation(word: str) -> bool:
    return word in _AS_WRITTEN or all(unicodedata.category(character).startswith("P") for character in word)


_AS_WRITTEN = frozenset({"-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-", "`", "``"})  # punctuation in treebanks
