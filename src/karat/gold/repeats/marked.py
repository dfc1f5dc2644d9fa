"""Words that annotators have marked as wrong in the text: what is odd about them is known."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from karat._arrays import Flags
from karat._ragged import offsets_of
from karat.corpus import Corpus
from karat.corpus.interning import Spans, interned
from karat.gold.repeats.running_text import RunningText

_SHORTEST = len("Typo=Yes")  # of all marks


def without_marked(text: RunningText) -> RunningText:
    """The text, broken at each word that is marked as wrong, as at the end of a sentence.

    Marked is a word with `Typo=Yes` in FEATS (or in MISC, where older treebanks have it), one with `CorrectForm` in
    MISC, and the parts of a word that was written as several: those with the relation `goeswith`, and their head. Of a
    multiword token, one marked word is enough. The words around it still take part in repeats: other places of a
    repeat lose nothing, since what is left of it on both sides is compared there, too.
    """
    marked = np.concatenate([marked_words(corpus) for corpus in text.corpora])
    return text.broken_at(marked) if marked.any() else text


def marked_words(corpus: Corpus) -> Flags:
    """Which words are marked as wrong in the text."""
    marked = np.zeros(corpus.n_words, dtype=np.bool_)
    tokens = corpus.multiword
    of_token = np.zeros(len(tokens), dtype=np.bool_)
    if "feats" in corpus.names:
        feats = corpus.column("feats")  # which is there once FORM is
        marked |= np.array([_is_typo(text) for text in feats.vocabulary.strings], dtype=np.bool_).take(feats.ids)
        of_token |= _with_mark(corpus.spans("feats", tokens.rows), _is_typo)
    if "misc" in corpus.names:
        marked |= _with_mark(corpus.spans("misc"), _is_corrected)
        of_token |= _with_mark(corpus.spans("misc", tokens.rows), _is_corrected)
    if "deprel" in corpus.names and corpus.heads is not None:
        parts = np.flatnonzero(_with_mark(corpus.spans("deprel"), _is_part))
        marked[parts] = True
        heads = corpus.heads[parts]  # bad sentences that were kept have heads out of range
        first, stop = (corpus.sentence_offsets[corpus.words_sentence[parts] + more] for more in (0, 1))
        marked[(first + heads - 1)[(heads > 0) & (first + heads <= stop)]] = True
    n_marked = offsets_of(marked)
    of_token |= n_marked[tokens.stop] > n_marked[tokens.start]
    for start, stop in zip(tokens.start[of_token].tolist(), tokens.stop[of_token].tolist(), strict=True):
        marked[start:stop] = True
    return marked


def _with_mark(spans: Spans, is_mark: Callable[[str], bool]) -> Flags:
    """Which fields have a mark; those that are too short, or `SpaceAfter=No`, are not looked at."""
    found = np.zeros(len(spans), dtype=np.bool_)
    long = np.flatnonzero((spans.lengths >= _SHORTEST) & (spans.lengths != len("SpaceAfter=No")))
    numbers, first = interned(spans[long])
    found[long] = np.array([is_mark(text) for text in spans[long[first]].strings()], dtype=np.bool_).take(numbers)
    return found


def _is_typo(value: str) -> bool:
    return "Typo=Yes" in value and "Typo=Yes" in value.split("|")


def _is_corrected(value: str) -> bool:
    return _is_typo(value) or (
        "CorrectForm=" in value and any(one.startswith("CorrectForm=") for one in value.split("|"))
    )


def _is_part(relation: str) -> bool:
    return relation.partition(":")[0] == "goeswith"
