"""A gold with several tags: genders that Morfeusz does not tell apart either are all right.

In the paper's corpus some words have several gold tags, "which differ only in values of less important grammatical
categories" (§3.2). PDB has one for each word. Morfeusz writes what a form can be as interpretations that leave values
open, as in `praet:sg:m1.m2.m3:perf`; where the gold tag is one of those that such an interpretation stands for, the
others of it that differ in gender alone are gold too.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from itertools import product

import numpy as np

from karat._numbering import numbered_pairs, numbered_values
from karat.corpus import Column, Corpus, Vocabulary
from karat.corpus.interning import spans_of_strings
from karat.measures.positional.word_tags import BETWEEN
from karat.tagsets import Tagset, read_tagset
from karat.tagsets.morfeusz import morfeusz_tags

_BETWEEN_VALUES, _PARTED, _GENDER = ".", ":", "gender"


def with_other_genders(corpus: Corpus) -> Corpus:
    """The corpus, whose words may have further tags in XPOS; a `UsageError` if Morfeusz is not installed."""
    forms, tags = corpus.column("form"), corpus.column("xpos")
    left, right, pair_of_word = numbered_pairs(forms.ids, tags.ids, len(forms.vocabulary), len(tags.vocabulary))
    interpretations = cache(morfeusz_tags(segmented=True, expanded=False))
    tagset = read_tagset("nkjp")
    codes: dict[str, int] = {}
    texts = (
        BETWEEN.join(gold_tags(tags.vocabulary[tag], interpretations(forms.vocabulary[form]), tagset))
        for form, tag in zip(left.tolist(), right.tolist(), strict=True)
    )
    ids = numbered_values(texts, codes).take(pair_of_word).astype(np.int32)
    return replace(corpus, _columns={**corpus._columns, "xpos": Column(ids, Vocabulary(spans_of_strings(codes)))})


def gold_tags(gold: str, interpretations: list[str], tagset: Tagset) -> list[str]:
    """The gold tag, and those that one interpretation gives together with it and that differ in gender alone.

    >>> gold_tags("praet:sg:m1:perf", ["praet:sg:m1.m2.m3:perf", "subst:sg:nom:f"], read_tagset("nkjp"))
    ['praet:sg:m1:perf', 'praet:sg:m2:perf', 'praet:sg:m3:perf']
    """
    found = {gold: None}
    for one in interpretations:
        found |= dict.fromkeys(_together(gold, one, tagset))
    return list(found)


@lru_cache(maxsize=1 << 16)
def _together(gold: str, interpretation: str, tagset: Tagset) -> tuple[str, ...]:
    """The other tags that an interpretation stands for, if the gold tag is among them and they differ in gender."""
    every = expanded(interpretation)
    return tuple(tag for tag in every if _is_other_gender(gold, tag, tagset)) if gold in every else ()


def expanded(interpretation: str) -> list[str]:
    """The tags that an interpretation with open values stands for.

    >>> expanded("adj:sg:nom.voc:f:pos")
    ['adj:sg:nom:f:pos', 'adj:sg:voc:f:pos']
    """
    parts = [part.split(_BETWEEN_VALUES) for part in interpretation.split(_PARTED)]
    return [_PARTED.join(values) for values in product(*parts)]


def _is_other_gender(gold: str, other: str, tagset: Tagset) -> bool:
    """Whether two tags differ, and in gender alone."""
    (ours, theirs), _ = tagset.parsed([gold, other])
    if gold == other or ours is None or theirs is None or ours.pos != theirs.pos:
        return False
    names = dict.fromkeys((*ours.values, *theirs.values))
    return all(one == _GENDER or ours.values.get(one) == theirs.values.get(one) for one in names)
