"""The words of a training corpus: which are known, and which of them have several tags."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Ids
from karat._numbering import numbered_pairs
from karat.corpus._corpus import Corpus
from karat.corpus.formats import corpus_from_source, sniffed
from karat.corpus.source import PathLike, Source, read_source
from karat.errors import DataError, Problem

UNKNOWN, UNAMBIGUOUS, AMBIGUOUS = range(3)


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """How many different tags each form has in a corpus; forms are compared as they are written."""

    n_tags: dict[str, int]

    def classes(self, corpus: Corpus) -> Ids:
        """For every word of a corpus whether its form is UNKNOWN, UNAMBIGUOUS (one tag) or AMBIGUOUS (several)."""
        return np.minimum(self.ambiguities(corpus), AMBIGUOUS)

    def ambiguities(self, corpus: Corpus) -> Ids:
        """For every word of a corpus how many tags its form has; 0 if it is unknown."""
        form = corpus.column("form")
        of_form = np.array([self.n_tags.get(text, 0) for text in form.vocabulary.strings], dtype=np.int32)
        found: Ids = of_form.take(form.ids)
        return found


def lexicon_from_corpus(corpus: Corpus, column: str = "upos") -> Lexicon:
    """The lexicon of a corpus, with the tags of the given column."""
    form, tag = corpus.column("form"), corpus.column(column)
    forms, _, _ = numbered_pairs(form.ids, tag.ids, len(form.vocabulary), len(tag.vocabulary))
    n_tags = np.bincount(forms, minlength=len(form.vocabulary))
    return Lexicon(dict(zip(form.vocabulary.strings, n_tags.tolist(), strict=True)))


def read_lexicon(paths: PathLike | Sequence[PathLike], *, column: str = "upos", input: str | None = None) -> Lexicon:
    """The lexicon in a corpus, or in a file of words and their tags: `form TAB tag tag`, or with `|` or `,` between."""
    return lexicon_from_source(read_source(paths), column=column, input=input)


def lexicon_from_source(source: Source, *, column: str = "upos", input: str | None = None) -> Lexicon:
    """The lexicon in what was read."""
    if (input or sniffed(source)) == "tsv" and (found := _words_with_tags(source)) is not None:
        return found
    corpus = corpus_from_source(source, input=input, tag=column, trees=False)
    if not corpus.has(column):
        hint = "give a corpus with tags, or a file of words and their tags"
        raise DataError(Problem("K501", f"a lexicon needs {column.upper()}", source.path, hint=hint))
    return lexicon_from_corpus(corpus, column)


def _words_with_tags(source: Source) -> Lexicon | None:
    """The lexicon in lines of a form and its tags; None if no line has several, so that it may be a tagged text."""
    tags: dict[str, set[str]] = {}
    has_several = False
    for line in source.text(0, source.size).splitlines():
        form, tab, rest = line.partition("\t")
        if tab and form:
            several = _BETWEEN_TAGS.split(rest.strip())
            has_several |= len(several) > 1
            tags.setdefault(form, set()).update(several)
    return Lexicon({form: len(several) for form, several in tags.items()}) if has_several else None


_BETWEEN_TAGS = re.compile(r"[\s|,]+")
