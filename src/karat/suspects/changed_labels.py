"""What words that both versions have are annotated with in each: a column, or one feature, at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Array, Flags, Ids, Indices
from karat._numbering import numbered_values
from karat.corpus import Corpus
from karat.measures.words.features import parsed_features
from karat.suspects.word_pairs import WordPairs

COLUMNS = ("upos", "xpos", "feats", "lemma", "head", "deprel")
_ROOT, _LEFT, _RIGHT, _UNKNOWN = range(4)
_SIDES = ("root", "left", "right", "_")


@dataclass(frozen=True, slots=True, eq=False)
class LabelPairs:
    """The labels of all words that both versions have, by one column, or by one `feature` of FEATS.

    `values[old[i]]` is the old label of word i, None where it has no such feature. A head's label is the part of speech
    of the head, and on which side it is.
    """

    column: str
    feature: str | None
    values: Sequence[str | None]
    old: Ids
    new: Ids
    changed: Flags


def labelled_words(old: Corpus, new: Corpus, words: WordPairs, columns: Sequence[str]) -> Iterator[LabelPairs]:
    """The labels by each of these columns; of features only those that some word gained, lost or has changed."""
    for column in columns:
        if column == "head":
            yield _heads(old, new, words)
        elif column == "feats":
            yield from _features(old, new, words)
        else:
            known: dict[str, int] = {}
            ours, theirs = (
                numbered_values(corpus.column(column).vocabulary.strings, known)[corpus.column(column).ids[at]]
                for corpus, at in ((old, words.old), (new, words.new))
            )
            yield LabelPairs(column, None, list(known), ours, theirs, ours != theirs)


def _features(old: Corpus, new: Corpus, words: WordPairs) -> Iterator[LabelPairs]:
    ids = old.column("feats").ids[words.old], new.column("feats").ids[words.new]
    parsed = [[parsed_features(text) for text in one.column("feats").vocabulary.strings] for one in (old, new)]
    for name in _changed_features(parsed, ids):
        known: dict[str | None, int] = {None: 0}
        ours, theirs = (
            numbered_values((None if (value := one.get(name)) is None else f"{name}={value}" for one in of), known)[at]
            for of, at in zip(parsed, ids, strict=True)
        )
        yield LabelPairs("feats", name, list(known), ours, theirs, ours != theirs)


def _changed_features(parsed: Sequence[Sequence[dict[str, str]]], ids: tuple[Array, Array]) -> list[str]:
    """The names of the features in which some word differs, in alphabetical order."""
    pairs = np.unique(ids[0].astype(np.int64) * len(parsed[1]) + ids[1]).tolist()
    names: set[str] = set()
    for pair in pairs:
        ours, theirs = parsed[0][pair // len(parsed[1])], parsed[1][pair % len(parsed[1])]
        if ours != theirs:
            names |= {name for name in {*ours, *theirs} if ours.get(name) != theirs.get(name)}
    return sorted(names)


# ---- heads -----------------------------------------------------------------------------------------------------------


def _heads(old: Corpus, new: Corpus, words: WordPairs) -> LabelPairs:
    known: dict[str, int] = {}
    our_heads, their_heads = head_words(old), head_words(new)
    ours = _head_labels(old, our_heads, known)[words.old]
    theirs = _head_labels(new, their_heads, known)[words.new]
    changed = _units(our_heads[words.old], words.old_unit) != _units(their_heads[words.new], words.new_unit)
    return LabelPairs("head", None, list(known), ours, theirs, changed)


def _units(heads: Indices, unit: Indices) -> Indices:
    """The units of heads; ROOT and NO_HEAD are what they are."""
    units: Indices = np.where(heads >= 0, unit[np.maximum(heads, 0)], heads)
    return units


ROOT, NO_HEAD = -10, -11  # in place of the word that is the head


def head_words(corpus: Corpus) -> Indices:
    """The word that is the head of each word, or ROOT; NO_HEAD where there is none in the sentence."""
    assert corpus.heads is not None
    sentence = corpus.words_sentence
    first, stop = corpus.sentence_offsets[sentence], corpus.sentence_offsets[sentence + 1]
    at = first + corpus.heads - 1
    heads: Indices = np.where(corpus.heads == 0, ROOT, np.where((corpus.heads < 0) | (at >= stop), NO_HEAD, at))
    return heads


def _head_labels(corpus: Corpus, heads: Indices, known: dict[str, int]) -> Ids:
    """A number for the part of speech of each word's head and its side."""
    place = np.arange(corpus.n_words)
    side = np.select([heads == ROOT, heads == NO_HEAD, heads < place], [_ROOT, _UNKNOWN, _LEFT], _RIGHT)
    if not corpus.has("upos"):
        return numbered_values(_SIDES, known).take(side)
    upos = corpus.column("upos")
    names = [
        f"{tag} {_SIDES[side]}" if side in (_LEFT, _RIGHT) else _SIDES[side]
        for tag in upos.vocabulary.strings
        for side in range(len(_SIDES))
    ]
    of_head = upos.ids[np.maximum(heads, 0)].astype(np.intp)
    labels: Ids = numbered_values(names, known).take(of_head * len(_SIDES) + side)
    return labels
