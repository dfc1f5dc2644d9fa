"""The words of a training corpus: which are known, and which of them have several tags."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Ids
from karat.corpus._corpus import Corpus

__all__ = ["AMBIGUOUS", "UNAMBIGUOUS", "UNKNOWN", "Lexicon", "lexicon_from_corpus"]

UNKNOWN, UNAMBIGUOUS, AMBIGUOUS = range(3)


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """How many different tags each form has in a corpus; forms are compared as they are written."""

    n_tags: dict[str, int]

    def classes(self, corpus: Corpus) -> Ids:
        """For every word of a corpus whether its form is UNKNOWN, UNAMBIGUOUS (one tag) or AMBIGUOUS (several)."""
        form = corpus.column("form")
        of_form = [min(self.n_tags.get(text, 0), AMBIGUOUS) for text in form.vocabulary.strings]
        return np.array(of_form, dtype=np.int32).take(form.ids)


def lexicon_from_corpus(corpus: Corpus, column: str = "upos") -> Lexicon:
    """The lexicon of a corpus, with the tags of the given column."""
    form, tag = corpus.column("form"), corpus.column(column)
    pairs = np.unique(form.ids.astype(np.int64) * len(tag.vocabulary) + tag.ids)
    n_tags = np.bincount(pairs // len(tag.vocabulary), minlength=len(form.vocabulary))
    return Lexicon(dict(zip(form.vocabulary.strings, n_tags.tolist(), strict=True)))
