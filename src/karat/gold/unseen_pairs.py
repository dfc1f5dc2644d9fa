"""Corrected words whose tags do not fit together: a UPOS with an XPOS, or FEATS, that no other word has it with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from karat.corpus import Corpus
from karat.gold.correction_results import Change, UnseenPair

_OTHERS = ("xpos", "feats")


def unseen_pairs(corpus: Corpus, changes: Sequence[Change]) -> tuple[UnseenPair, ...]:
    """The pairs of UPOS with XPOS, and with FEATS, of changed words that no word without a change of these has."""
    found: list[UnseenPair] = []
    others = [name for name in _OTHERS if corpus.has(name)] if corpus.has("upos") else []
    for other in others:
        of_pair = [change for change in changes if change.column in ("upos", other)]
        new = {(change.word, change.column): change.new for change in of_pair}
        upos, values = corpus.column("upos"), corpus.column(other)
        is_same = np.ones(corpus.n_words, dtype=np.bool_)
        is_same[[change.word for change in of_pair]] = False
        size = np.int64(len(values.vocabulary))
        seen = set(np.unique(upos.ids[is_same] * size + values.ids[is_same]).tolist())
        for word, change in {change.word: change for change in reversed(of_pair)}.items():
            tag = new.get((word, "upos"), upos.vocabulary[upos.ids[word]])
            value = new.get((word, other), values.vocabulary[values.ids[word]])
            numbers = upos.vocabulary.find(tag), values.vocabulary.find(value)
            if min(numbers) < 0 or numbers[0] * int(size) + numbers[1] not in seen:
                found.append(UnseenPair(change, tag, other, value))
    return tuple(sorted(found, key=lambda one: one.change.word))
