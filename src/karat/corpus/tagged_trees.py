"""The words of bracketed trees with their tags, for whoever wants no phrases."""

from __future__ import annotations

import numpy as np

from karat._ragged import offsets_of
from karat.corpus._corpus import Corpus
from karat.corpus.analysed import AnalysedText, interned_strings
from karat.corpus.chosen_tags import corpus_of_chosen_tags
from karat.corpus.constituency_trees import Trees


def words_of_trees(trees: Trees) -> AnalysedText:
    """The words of trees, each with one chosen interpretation, its tag; traces and sentences without words are gone."""
    words = np.flatnonzero(~trees.traces)
    n_words = np.bincount(trees.word_trees.take(words), minlength=trees.n_trees)
    forms, tags = trees.forms[words], trees.tags[words]
    return AnalysedText(
        form=interned_strings(forms.strings()),
        space=None,
        place=forms.start,
        interpretation_offsets=np.arange(len(words) + 1),
        lemma=interned_strings([""] * len(words)),
        tag=interned_strings(tags.strings()),
        chosen=np.ones(len(words), dtype=np.bool_),
        probability=np.full(len(words), np.nan),
        sentence_offsets=offsets_of(n_words[n_words > 0]),
        path=trees.path,
        format="brackets",
    )


def corpus_of_trees(trees: Trees, *, tag: str) -> Corpus:
    """The words of trees as a corpus with the columns `form` and `tag`."""
    return corpus_of_chosen_tags(words_of_trees(trees), trees.source, "brackets", tag=tag)
