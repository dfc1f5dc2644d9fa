"""Corrected heads: what a label of a dependency says, and which changes leave a sentence a tree.

A label such as `det+1` is the relation of a word and how many words further on its head stands; `outside` is a head
that is not in the repeat. People may write `root`, too: the word has no head. A sentence stays a tree if it has one
root, no cycle, and no head outside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from karat.corpus import Corpus
from karat.corpus.dependency_trees import refused_heads
from karat.gold.correction_results import Change, Refusal

ROOT = "root"
_LABEL = re.compile(r"(\S+?)([+-][1-9][0-9]{0,8})", re.ASCII)


def relation_and_distance(label: str) -> tuple[str, int] | None:
    """The relation that a label names, and the distance of the head; None for `outside`, or no such label.

    >>> relation_and_distance("nsubj:pass-2")
    ('nsubj:pass', -2)
    """
    found = _LABEL.fullmatch(label)
    return (found[1], int(found[2])) if found else None


def kept_trees(corpus: Corpus, changes: Sequence[Change]) -> list[Refusal]:
    """Those of the changes of heads that would break a tree, each with the reason (`refused_heads`)."""
    assert corpus.heads is not None
    of_sentence: dict[int, list[Change]] = {}
    for change in changes:
        of_sentence.setdefault(int(corpus.words_sentence[change.word]), []).append(change)
    refused: list[Refusal] = []
    for sentence, several in of_sentence.items():
        first, stop = corpus.sentence_offsets[sentence : sentence + 2].tolist()
        reasons = refused_heads(corpus.heads[first:stop], {one.token - 1: int(one.new) for one in several})
        refused += [Refusal(one, reasons[one.token - 1]) for one in several if one.token - 1 in reasons]
    return refused
