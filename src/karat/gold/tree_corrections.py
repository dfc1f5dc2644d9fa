"""Corrected heads: what a label of a dependency says, and which changes leave a sentence a tree.

A label such as `det+1` is the relation of a word and how many words further on its head stands; `outside` is a head
that is not in the repeat. A sentence stays a tree if it has one root, no cycle, and no head outside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from karat._arrays import Ids
from karat.corpus import Corpus
from karat.corpus.dependency_trees import cycle_shown, unrooted
from karat.gold.correction_results import Change, Refusal

__all__ = ["kept_trees", "relation_and_distance"]

_LABEL = re.compile(r"(\S+?)([+-][1-9][0-9]{0,8})", re.ASCII)


def relation_and_distance(label: str) -> tuple[str, int] | None:
    """The relation that a label names, and the distance of the head; None for `outside`, or no such label.

    >>> relation_and_distance("nsubj:pass-2")
    ('nsubj:pass', -2)
    """
    found = _LABEL.fullmatch(label)
    return (found[1], int(found[2])) if found else None


def kept_trees(corpus: Corpus, changes: Sequence[Change]) -> list[Refusal]:
    """Those of the changes of heads that would break a tree, each with the reason.

    Where all changes of a sentence together leave a tree, none is refused. Else they are made one after the other, in
    the order given, as long as there is one that leaves a tree.
    """
    assert corpus.heads is not None
    of_sentence: dict[int, list[Change]] = {}
    for change in changes:
        of_sentence.setdefault(int(corpus.words_sentence[change.word]), []).append(change)
    refused: list[Refusal] = []
    for sentence, several in of_sentence.items():
        first, stop = corpus.sentence_offsets[sentence : sentence + 2].tolist()
        heads = corpus.heads[first:stop]
        if not _fault(_with(heads, several)):
            continue
        was_tree = not _fault(heads)
        pending, is_done = several, False
        while not is_done:
            is_done, tried, pending = True, pending, []
            for change in tried:
                changed = _with(heads, [change])
                if _fault(changed):
                    pending.append(change)
                else:
                    heads, is_done = changed, False
        reasons = [_fault(_with(heads, [change])) for change in pending]
        refused += [
            Refusal(change, reason if was_tree else f"{reason}, and the sentence is not a tree as it is")
            for change, reason in zip(pending, reasons, strict=True)
        ]
    return refused


def _with(heads: Ids, changes: Sequence[Change]) -> Ids:
    heads = heads.copy()
    for change in changes:
        heads[change.token - 1] = int(change.new)
    return heads


def _fault(heads: Ids) -> str:
    """Why these heads of a sentence are no tree; "" if they are one."""
    if (heads < 0).any() or (heads > len(heads)).any():
        return "a head would be missing or out of range"
    n_roots = int((heads == 0).sum())
    if n_roots != 1:
        return f"the sentence would have {n_roots or 'no'} root{'s' * (n_roots > 1)}"
    caught = unrooted(np.where(heads == 0, len(heads), heads - 1).astype(np.intp))
    if not len(caught):
        return ""
    word = int(caught[0])
    for _ in range(len(heads)):  # from a word that leads to the cycle onto the cycle itself
        word = int(heads[word]) - 1
    return f"there would be a cycle: {cycle_shown(heads, 0, word)}"
