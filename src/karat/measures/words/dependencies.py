"""Heads and relations of matching words [CoNLL 2018 shared task], and with relation subtypes."""

from __future__ import annotations

import numpy as np

from karat._arrays import Flags, Indices
from karat.measures.measure import Outcome, WordMeasure
from karat.measures.words.comparison import ROOT, Comparison, at
from karat.measures.words.tags import Lemmas, universal_features

CONTENT_RELATIONS = frozenset(
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl "
    "amod conj fixed flat compound list parataxis orphan goeswith reparandum root dep".split()
)
FUNCTIONAL_RELATIONS = frozenset("aux cop mark det clf case cc".split())
_ARC = ("distance", "direction")  # which are the same wherever the head is


def without_subtype(relation: str) -> str:
    """The universal part of a relation.

    >>> without_subtype("nsubj:pass")
    'nsubj'
    """
    return relation.split(":", 1)[0]


def _is_content(relation: str) -> bool:
    return without_subtype(relation) in CONTENT_RELATIONS


def _is_functional(relation: str) -> bool:
    return without_subtype(relation) in FUNCTIONAL_RELATIONS


def _same_attachment(comparison: Comparison) -> Flags:
    return comparison.same_head & comparison.same("deprel", without_subtype)


def _of_content_words(comparison: Comparison, right: Flags) -> Outcome:
    """Only content words count: for recall by the gold's relations, for precision by the system's."""
    gold, system = comparison.flags("deprel", _is_content)
    return Outcome(right & at(gold, comparison.alignment.gold_words), gold, system)


class UAS(WordMeasure):
    name = "UAS"
    what = "heads"
    needs = ("head",)
    settles = _ARC

    def outcome(self, comparison: Comparison) -> Outcome:
        return Outcome(comparison.same_head)


class LAS(WordMeasure):
    name = "LAS"
    what = "heads and relations, subtypes ignored"
    needs = ("head", "deprel")
    settles = ("deprel", *_ARC)

    def outcome(self, comparison: Comparison) -> Outcome:
        return Outcome(_same_attachment(comparison))


def _is_no_punctuation(relation: str) -> bool:
    return without_subtype(relation) != "punct"


def _without_punctuation(comparison: Comparison, right: Flags) -> Outcome:
    """Only words that are no punctuation count, by the gold's relation; a system word without a match, by its own.

    So a system neither gains nor loses by what it calls punctuation, and both sides leave out the same words.
    """
    alignment = comparison.alignment
    gold, system = comparison.flags("deprel", _is_no_punctuation)
    of_pairs = at(gold, alignment.gold_words)
    system = system.copy()
    system[alignment.system_words] = of_pairs
    return Outcome(right & of_pairs, gold, system)


class UASWithoutPunctuation(WordMeasure):
    name = "UAS-nopunct"
    what = "UAS without what the gold attaches as punct"
    source = "after CoNLL-X"
    needs = ("head", "deprel")
    settles = _ARC

    def outcome(self, comparison: Comparison) -> Outcome:
        return _without_punctuation(comparison, comparison.same_head)


class LASWithoutPunctuation(WordMeasure):
    name = "LAS-nopunct"
    what = "LAS without what the gold attaches as punct"
    source = "after CoNLL-X"
    needs = ("head", "deprel")
    settles = ("deprel", *_ARC)

    def outcome(self, comparison: Comparison) -> Outcome:
        return _without_punctuation(comparison, _same_attachment(comparison))


class FullLAS(WordMeasure):
    name = "FullLAS"
    what = "heads and full relations, subtypes included"
    source = "karat"
    needs = ("head", "deprel")
    settles = ("deprel", "full-deprel", *_ARC)

    def outcome(self, comparison: Comparison) -> Outcome:
        return Outcome(comparison.same_head & comparison.same("deprel"))


class Deprels(WordMeasure):
    name = "Deprels"
    what = "full relations, heads ignored"
    source = "karat"
    needs = ("deprel",)
    settles = ("deprel", "full-deprel")

    def outcome(self, comparison: Comparison) -> Outcome:
        return Outcome(comparison.same("deprel"))


class CLAS(WordMeasure):
    name = "CLAS"
    what = "LAS of content words"
    needs = ("head", "deprel")
    settles = ("deprel", *_ARC)

    def outcome(self, comparison: Comparison) -> Outcome:
        return _of_content_words(comparison, _same_attachment(comparison))


class MLAS(WordMeasure):
    name = "MLAS"
    what = "CLAS with UPOS, UFeats and function words"
    needs = ("head", "deprel", "upos", "feats")
    settles = ("deprel", "upos", *_ARC)

    def outcome(self, comparison: Comparison) -> Outcome:
        right = _same_attachment(comparison) & comparison.same("upos")
        right &= comparison.same("feats", universal_features)
        return _of_content_words(comparison, right & _same_function_words(comparison, right))


def _same_function_words(comparison: Comparison, same: Flags) -> Flags:
    """For every pair of matching words whether their functional children are the same in number, order and annotation.

    Matches keep the order of words, so the children are the same exactly if as many of the gold's children as either
    side has match a child of the system's with the same annotation (`same`, heads included).
    """
    alignment = comparison.alignment
    is_gold_child, is_system_child = comparison.flags("deprel", _is_functional)
    gold_children = _children(is_gold_child, comparison.gold_parents, comparison.gold.n_words)
    # of the system's heads those without a matching gold word do not matter: no pair asks for their children
    system_children = _children(is_system_child, comparison.system_parents, comparison.gold.n_words)
    right_child = same & at(is_gold_child, alignment.gold_words)
    right_parents = at(comparison.gold_parents, alignment.gold_words)[right_child]
    right_children = np.bincount(right_parents[right_parents > ROOT], minlength=comparison.gold.n_words)
    complete = (right_children == gold_children) & (right_children == system_children)
    return at(complete, alignment.gold_words)


def _children(is_child: Flags, parents: Indices, n_words: int) -> Indices:
    chosen = parents[is_child]
    return np.bincount(chosen[chosen > ROOT], minlength=n_words)


class BLEX(WordMeasure):
    name = "BLEX"
    what = "CLAS with lemmas"
    needs = ("head", "deprel", "lemma")
    settles = ("deprel", *_ARC)

    def outcome(self, comparison: Comparison) -> Outcome:
        right = _same_attachment(comparison) & Lemmas().outcome(comparison).right
        return _of_content_words(comparison, right)
