"""How EVALB puts back quotes that one side deletes (QUOTE_LABEL), where that makes the numbers of words differ."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat._ragged import offsets_of, owners_of
from karat.corpus.constituency_trees import Trees


@dataclass(frozen=True, slots=True)
class Quotes:
    """The words `'`, `"` and `/` of one side that have a tag of QUOTE_LABEL.

    `words` are their numbers, `kept` says which have a tag that is not deleted, `places` are how many words are kept
    before them in their tree, `offsets` where each tree's begin. `times` says of every word how often it counts,
    `n_words` of every tree how many words are kept.
    """

    words: Indices
    kept: Flags
    places: Indices
    offsets: Indices
    times: Indices
    n_words: Indices

    @classmethod
    def among(cls, trees: Trees, kept: Flags, has_tag: Flags) -> Quotes:
        is_quote = np.isin(trees.source.buffer.take(trees.forms.start), np.frombuffer(b"'\"/", dtype=np.uint8))
        words = np.flatnonzero(has_tag & (trees.forms.lengths == 1) & is_quote)
        before = offsets_of(kept)
        first = before.take(trees.word_offsets)
        places = before.take(words) - first.take(trees.word_trees.take(words))
        offsets = np.searchsorted(words, trees.word_offsets)
        return cls(words, kept.take(words), places, offsets, kept.astype(np.intp), np.diff(first))

    def put_back(self, number: int, tree: int) -> None:
        """Count a quote once more: it and all behind it have a word more before them."""
        self.times[self.words[number]] += 1
        self.places[number : self.offsets[tree + 1]] += 1


def put_back(ours: Quotes, theirs: Quotes) -> None:
    """Put back what one side deletes where the other keeps a quote at the same place, if numbers of words differ.

    A gold quote that was put back has the place of the next word, so that a further test quote at once behind the first
    has it put back a second time: so EVALB does it. Trees without words in the test are skipped before.
    """
    differ = (ours.n_words != theirs.n_words) & (theirs.n_words > 0)
    for tree in np.flatnonzero(differ & (np.diff(ours.offsets) > 0) & (np.diff(theirs.offsets) > 0)).tolist():
        for their in range(theirs.offsets[tree], theirs.offsets[tree + 1]):
            place = theirs.places[their]
            for our in range(ours.offsets[tree], ours.offsets[tree + 1]):
                if ours.places[our] != place or ours.kept[our] == theirs.kept[their]:
                    continue
                if theirs.kept[their]:
                    ours.put_back(our, tree)
                else:
                    theirs.put_back(their, tree)


def repeated(trees: Trees, tags: Ids, times: Indices) -> tuple[Trees, Ids, Flags]:
    """Trees whose words stand there so many times, their tags' numbers, and that all of them are kept."""
    words = owners_of(times)
    before = np.append(0, np.cumsum(times, dtype=np.int32))
    repeated = replace(
        trees,
        forms=trees.forms[words],
        tags=trees.tags[words],
        start=before.take(trees.start),
        stop=before.take(trees.stop),
        word_offsets=before.take(trees.word_offsets).astype(np.intp),
    )
    return repeated, tags.take(words), np.ones(len(words), dtype=np.bool_)
