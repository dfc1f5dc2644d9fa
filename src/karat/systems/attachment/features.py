"""The 14 features whose values' co-occurrence is counted [Slaski, Acedański & Przepiórkowski 2012, §2.1 and §2.2].

A feature says what is read of an object as the possible parent (`left`) and of the other one (`right`), and of which
head. Every ordered pair of different objects of a sentence is an observation; of the wordnet's features, every
hypernym (or pair of hypernyms) is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

Kind = Literal["lexical", "morphosyntactic", "wordnet"]
Head = Literal["syntactic", "semantic"]

CATEGORIES = ("case", "gender", "number")
PREPOSITIONS = ("prep", "ADP")  # in tags of NKJP and of UD


@dataclass(frozen=True, slots=True)
class Read:
    """What is read of one of an object's heads: `lemma`, `pos`, `case`, `gender`, `number`, or one of the following.

    `valence` is lemma and case of a preposition, part of speech and case of anything else: the case of a preposition is
    the one that it governs where tags have it (NKJP), none in UD. `agreement` looks at the head of the other object,
    too: for number, gender and case, whether both agree, differ, or one of them lacks it. `hypernyms` are all synsets
    of the word's senses and above them.
    """

    head: Head
    what: str


@dataclass(frozen=True, slots=True)
class Feature:
    """What is read of the possible parent, and of the object that may be attached to it."""

    name: str
    kind: Kind
    left: tuple[Read, ...]
    right: tuple[Read, ...]


def _agreeing(categories: tuple[str, ...]) -> Feature:
    read = tuple(Read("syntactic", one) for one in categories)
    return Feature("+".join(categories), "morphosyntactic", read, read)


_SEMANTIC_LEMMA = (Read("semantic", "lemma"),)
_HYPERNYMS = (Read("semantic", "hypernyms"),)
_COMBINATIONS = tuple(one for n in (1, 2, 3) for one in combinations(CATEGORIES, n))

FEATURES = (
    Feature("collocation", "lexical", _SEMANTIC_LEMMA, _SEMANTIC_LEMMA),
    Feature("valence", "morphosyntactic", _SEMANTIC_LEMMA, (Read("syntactic", "valence"),)),
    *(_agreeing(one) for one in _COMBINATIONS),
    Feature("pos-case", "morphosyntactic", (Read("syntactic", "pos"),), (Read("syntactic", "case"),)),
    Feature(
        "agreement",
        "morphosyntactic",
        (Read("syntactic", "pos"),),
        (Read("syntactic", "pos"), Read("syntactic", "agreement")),
    ),
    Feature("lemma-hypernym", "wordnet", _SEMANTIC_LEMMA, _HYPERNYMS),
    Feature("lemma-hypernym+case", "wordnet", _SEMANTIC_LEMMA, (*_HYPERNYMS, Read("syntactic", "case"))),
    Feature("hypernym-hypernym", "wordnet", _HYPERNYMS, _HYPERNYMS),
)


def features_of(*, wordnet: bool) -> tuple[Feature, ...]:
    """All 14 features, or the 11 that need no wordnet."""
    return tuple(one for one in FEATURES if wordnet or one.kind != "wordnet")
