"""Edges between objects as a dependency tree of words, in CoNLL-U.

A tree needs a head for every word, and edges between objects are only some of them. What else is written says so in its
relation: `dep` is an edge that was found, `root` the object with the most below it of those that have no parent,
`unattached` any other such object, which hangs from the root; `inside` is a word of a group, which hangs from the
group's semantic head, and `punct` punctuation.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from karat._arrays import Ids, Indices
from karat._ragged import owners_of
from karat.corpus import Corpus
from karat.corpus.whole_columns import bytes_with_columns
from karat.systems.groups.syntactic_objects import SyntacticObjects

RELATIONS = ("dep", "root", "unattached", "inside", "punct")
_DEP, _ROOT, _UNATTACHED, _INSIDE, _PUNCT = range(len(RELATIONS))


def words_attached(objects: SyntacticObjects, parents: Indices) -> tuple[Ids, Ids]:
    """The head of each word, from 1 within its sentence and 0 for the root, and its relation.

    `parents` are objects' numbers in the text, -1 for none. A sentence without objects hangs from its first word.
    """
    offsets = objects.words.sentence_offsets
    sentence = owners_of(np.diff(offsets))
    first = offsets[:-1].take(sentence)
    of_words = objects.of_words
    tops = _tops(objects, parents)  # the word of each sentence that is its root
    heads = tops.take(sentence)
    relations = np.full(len(objects.words), _PUNCT, dtype=np.int32)
    inside = np.flatnonzero(of_words >= 0)
    heads[inside] = objects.semantic.take(of_words[inside])
    relations[inside] = _INSIDE
    has_parent = parents >= 0
    of_objects = np.where(has_parent, objects.semantic.take(np.maximum(parents, 0)), tops.take(_sentences(objects)))
    heads[objects.semantic] = of_objects
    relations[objects.semantic] = np.where(has_parent, _DEP, _UNATTACHED)
    is_top = np.arange(len(heads)) == tops.take(sentence)
    relations[is_top] = _ROOT
    numbers = np.where(is_top, 0, heads - first + 1)
    return numbers.astype(np.int32), relations


def _sentences(objects: SyntacticObjects) -> Indices:
    return owners_of(np.diff(objects.offsets))


def _tops(objects: SyntacticObjects, parents: Indices) -> Indices:
    """The semantic head of each sentence's object that has the most below it; of several the first."""
    above = parents.copy()
    below = np.zeros(len(objects), dtype=np.intp)
    while (has_parent := above >= 0).any():  # one level higher each time; edges make no cycle
        np.add.at(below, above[has_parent], 1)
        above[has_parent] = parents.take(above[has_parent])
    free = np.flatnonzero(parents < 0)
    order = free[np.lexsort((free, -below[free], _sentences(objects)[free]))]
    sentences, first = np.unique(_sentences(objects)[order], return_index=True)
    tops = objects.words.sentence_offsets[:-1].copy()
    tops[sentences] = objects.semantic.take(order[first])
    return tops


def text_attached(corpus: Corpus, heads: Ids, relations: Ids) -> bytes:
    """The text in CoNLL-U with these heads and relations: its own lines, or new ones where it has another format."""
    numbers = [str(one) for one in range(int(heads.max(initial=0)) + 1)]
    if corpus.format == "conllu" and len(corpus.source.parts) == 1:
        none = np.zeros(len(heads), dtype=np.int32)
        columns = {"head": (heads, numbers), "deprel": (relations, RELATIONS), "deps": (none, ("_",))}
        return bytes_with_columns(corpus, columns)[0]
    columns_of_words = [
        corpus.column(name).strings() if corpus.has(name) else ["_"] * corpus.n_words
        for name in ("form", "lemma", "upos", "xpos", "feats")
    ]
    lines = []
    for first, stop in pairwise(corpus.sentence_offsets.tolist()):
        for word in range(first, stop):
            cells = "\t".join(column[word] for column in columns_of_words)
            lines.append(f"{word - first + 1}\t{cells}\t{heads[word]}\t{RELATIONS[relations[word]]}\t_\t_\n")
        lines.append("\n")
    return "".join(lines).encode()
