"""Hindle & Rooth's choice (1993): whether a prepositional group belongs to the verb or to the noun before it."""

from __future__ import annotations

import numpy as np

from karat._arrays import Flags, Floats, Indices
from karat.systems.attachment.pair_data import AttachmentPairs
from karat.systems.groups.syntactic_objects import SyntacticObjects

VERBS = ("VERB", "fin", "praet", "bedzie", "impt", "imps", "inf", "pcon", "pant", "winien", "pred")
NOUNS = ("NOUN", "PROPN", "subst", "depr", "ger", "ppron12", "ppron3", "siebie", "PRON")
_PREPOSITIONAL = "prepositional"


def verb_or_noun(objects: SyntacticObjects, pairs: AttachmentPairs) -> Indices:
    """The choices of a text [choices × 3]: the pair with the verb, the pair with the noun, and 1 if the noun is right.

    There is one for each prepositional group before which its sentence has a verb and a noun one of which it is
    attached to. Candidates are the nearest ones before the group; the noun is the semantic head of its group.
    """
    names = objects.words.pos.names
    pos = objects.words.pos.ids.take(objects.semantic)
    is_verb, is_noun = (np.array([one in of for one in names], dtype=np.bool_).take(pos) for of in (VERBS, NOUNS))
    kinds = np.array([one == _PREPOSITIONAL for one in objects.names], dtype=np.bool_)
    first = objects.offsets[:-1].take(pairs.sentence)
    parent, child = first + pairs.parent, first + pairs.child
    asked = kinds.take(objects.kinds.take(child)) & (pairs.parent < pairs.child)
    nearest = np.full((2, len(objects)), -1)
    for place, flags in enumerate((is_verb, is_noun)):
        rows = np.flatnonzero(asked & flags.take(parent))
        nearest[place, child[rows]] = rows  # pairs stand parent by parent: the last one is the nearest
    both = nearest[:, (nearest >= 0).all(axis=0)]
    right = pairs.is_edge.take(both)
    kept = right.any(axis=0)
    return np.column_stack([both[0, kept], both[1, kept], right[1, kept]]).astype(np.intp)


def accuracy_of(choices: Indices, values: Floats) -> float:
    """How often the right one has the larger value; where both are equal, half."""
    verb, noun = values.take(choices[:, 0]), values.take(choices[:, 1])
    is_noun: Flags = choices[:, 2] == 1
    right = np.where(is_noun, noun > verb, verb > noun) + 0.5 * (noun == verb)
    return float(right.mean())
