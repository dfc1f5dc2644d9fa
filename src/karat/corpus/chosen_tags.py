"""An analysed text as a corpus: the words of its chosen segmentation, with the tags that are chosen."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from karat._arrays import Indices
from karat._numbering import numbered_keys
from karat.corpus._corpus import Column, Corpus, Vocabulary, corpus_of_words
from karat.corpus.analysed import NOT_IN_A_FIELD, AnalysedText, Interned, interned_strings
from karat.corpus.interning import spans_of_strings
from karat.corpus.source import Source
from karat.errors import DataError, Problem


def corpus_of_chosen_tags(
    text: AnalysedText,
    source: Source,
    format_: str,
    *,
    tag: str,
    with_probabilities: bool = True,
    with_lemmas: bool = False,
) -> Corpus:
    """The words of an analysed text that was read from `source`, with the columns `form` and `tag`.

    Several chosen tags of a word have tabs between them, as in TSV; a word without any has `_`. A tag that was given a
    probability is `tag:=0.7`, unless probabilities are to be left out; a tag of several chosen interpretations (with
    different lemmas) is there once, with the sum of their probabilities. `with_lemmas`, there is also a column `lemma`
    of the lemmas of what is chosen. Where nothing is chosen of a graph, or a form
    or a tag holds a tab or a line end, this is a `DataError` (K302).
    """
    words = text.segmentation
    if not len(words):
        hint = "mark the choice with disamb, or in a graph with a probability of 1 where all others are 0"
        raise DataError(Problem("K302", "no interpretation of any word is chosen", source.path, hint=hint))
    _refuse_unfit(text, source, words)
    # a word that the graph's file has in the sentence before that of its predecessor on the path stays with the latter
    sentence = np.maximum.accumulate(text.sentence_of_word.take(words))
    offsets = np.append(np.flatnonzero(np.diff(sentence, prepend=-1)), len(words))
    names = ("form", tag, "lemma") if with_lemmas and tag != "lemma" else ("form", tag)
    corpus = corpus_of_words(source, names, (text.place.take(words) - np.int32(1))[None], offsets, format_)
    if text.sentence_names:
        of_sentences = (text.sentence_names[number] for number in sentence.take(offsets[:-1]).tolist())
        corpus = replace(corpus, sent_ids=spans_of_strings(of_sentences))
    cells = _tag_cells(text, with_probabilities)
    corpus._columns["form"] = _column(text.form.take(words))
    corpus._columns[tag] = _column(interned_strings(cells[word] or "_" for word in words.tolist()))
    if "lemma" in names:
        lemmas = _tag_cells(replace(text, tag=text.lemma), with_probabilities=False)
        corpus._columns["lemma"] = _column(interned_strings(lemmas[word] or "_" for word in words.tolist()))
    return corpus


def _column(values: Interned) -> Column:
    """A column of a corpus, which has only the values that occur, in the order in which they first do."""
    used, numbers = numbered_keys(values.ids.astype(np.intp))
    return Column(numbers.astype(np.int32), Vocabulary(spans_of_strings(values.strings[one] for one in used.tolist())))


def _refuse_unfit(text: AnalysedText, source: Source, words: Indices) -> None:
    """Raise where a form or a chosen tag cannot be one value of a column, as XML lets it hold tabs and line ends."""
    tags = np.flatnonzero(text.chosen)
    problems: list[Problem] = []
    of_tags = text.word_of_interpretation.take(tags)
    for what, column, of_words in (("form", text.form.take(words), words), ("tag", text.tag.take(tags), of_tags)):
        unfit = [number for number, value in enumerate(column.strings) if NOT_IN_A_FIELD.search(value)]
        for row in np.flatnonzero(np.isin(column.ids, unfit)).tolist() if unfit else ():
            message = f"{column[row][:40]!r} cannot be the {what} of a word: it contains a tab or a line break"
            problems.append(source.problem("K302", message, int(text.place[of_words[row]])))
    if problems:
        raise DataError(problems)


def _tag_cells(text: AnalysedText, with_probabilities: bool) -> list[str]:
    """For every word its chosen tags with tabs between; "" if there are none."""
    chosen = np.flatnonzero(text.chosen)
    if not len(chosen):
        return [""] * text.n_words
    word, tag = text.word_of_interpretation.take(chosen), text.tag.ids.take(chosen).astype(np.int64)
    _, first, group = np.unique(word * len(text.tag.strings) + tag, return_index=True, return_inverse=True)
    probability = np.bincount(group, weights=text.probability.take(chosen))
    order = np.argsort(first)  # the tags of a word in the order of its interpretations
    bounds = np.searchsorted(word.take(first.take(order)), np.arange(text.n_words + 1)).tolist()
    shown = [
        text.tag.strings[number]
        if value != value or not with_probabilities
        else f"{text.tag.strings[number]}:={value:.12g}"
        for number, value in zip(tag.take(first.take(order)).tolist(), probability.take(order).tolist(), strict=True)
    ]
    return ["\t".join(shown[start:stop]) for start, stop in pairwise(bounds)]
