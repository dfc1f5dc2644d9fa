"""Texts made to fit a format: what it cannot hold is taken away and counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from karat._arrays import Flags, Floats, Indices
from karat._ragged import offsets_of
from karat.corpus.analysed import NO_SPACE, SPACE, AnalysedText, Interned, interned_strings, segmented
from karat.corpus.conversion.losses import Losses
from karat.corpus.conversion.words_from_source import NO_TAG
from karat.errors import DataError, Problem

_EXTRAS = {  # what columns that are only carried along hold, in words
    "commonness": "commonness of interpretations",
    "qualifiers": "qualifiers of interpretations",
    "meta": "information on interpretations",
    "mark": "marks of segments and of manual choice",
    "start": "offsets of words in the text",
}
_ODD_PROBABILITIES = "probabilities of words that have 0, or none, for a tag"
_ROUNDING = 1e-9
_NOT_IN_COMMENTS = ("\n", "\r")
_NOT_IN_MISC = ",|"


@dataclass(frozen=True, slots=True)
class Holds:
    """What a format of words holds besides forms, sentences and a tag for each word.

    `analyses` are interpretations that are not chosen, `lemmas` is "all" (of each interpretation), "one" (for a word)
    or "none", `n_spaces` how many kinds of spaces are told apart: none, 2 (is there one?) or all 5.
    """

    analyses: bool
    several_tags: bool
    lemmas: str
    probabilities: bool
    n_spaces: int
    sentence_names: bool
    paragraphs: bool
    paragraph_names: bool


HOLDS = {
    "conllu": Holds(False, True, "one", False, 2, True, True, True),
    "tsv": Holds(False, True, "none", True, 0, False, False, False),
    "xces": Holds(True, True, "all", False, 5, True, True, True),
    "ccl": Holds(True, True, "all", False, 5, True, True, True),
    "plain": Holds(True, True, "all", True, 5, False, True, False),
    "krnnt": Holds(False, False, "one", False, 2, False, True, False),
    "dag": Holds(True, True, "all", True, 2, False, True, True),
}


def fitted(text: AnalysedText, to: str, losses: Losses) -> AnalysedText:
    """The text as far as a format holds it; the rest is counted as lost.

    A graph becomes the text of its chosen segmentation; without any, this is a `DataError` (K302).
    """
    holds = HOLDS[to]
    text = _without_graph(text, losses)
    text = _without_interpretations(text, _is_no_tag(text))
    if not holds.analyses:
        losses.add("interpretations that are not chosen", int((~text.chosen).sum()))
        text = _without_interpretations(text, ~text.chosen)
    if not holds.probabilities:
        losses.add("probabilities", int((~np.isnan(text.probability)).sum()))
        text = replace(text, probability=np.full(text.n_interpretations, np.nan))
    text = _with_fewer_tags(text, to, holds, losses)
    text = _with_whole_probabilities(text, losses) if to == "tsv" else text
    text = _with_fewer_spaces(text, to, holds, losses)
    text = _with_fewer_names(text, to, holds, losses)
    return _with_tags_for_all(text) if to == "dag" else text


def _without_graph(text: AnalysedText, losses: Losses) -> AnalysedText:
    if not len(text.segmentation):
        hint = "without a choice, a graph has no words that another format could hold"
        raise DataError(Problem("K302", "no interpretation of any word is chosen", text.path, hint=hint))
    losses.add("words outside the chosen segmentation", text.n_words - len(text.segmentation))
    for name, column in text.extra:
        if name in _EXTRAS:
            losses.add(_EXTRAS[name], sum(map(bool, column.values())))
    return segmented(text) if text.nodes is not None or text.extra else text


def _is_no_tag(text: AnalysedText) -> Flags:
    return np.array([tag == NO_TAG for tag in text.tag.strings], dtype=np.bool_).take(text.tag.ids)


def _without_interpretations(text: AnalysedText, is_out: Flags) -> AnalysedText:
    if not is_out.any():
        return text
    kept = np.flatnonzero(~is_out)
    return replace(
        text,
        interpretation_offsets=offsets_of(np.bincount(text.word_of_interpretation.take(kept), minlength=text.n_words)),
        lemma=text.lemma.take(kept),
        tag=text.tag.take(kept),
        chosen=text.chosen.take(kept),
        probability=text.probability.take(kept),
    )


def _with_fewer_tags(text: AnalysedText, to: str, holds: Holds, losses: Losses) -> AnalysedText:
    """One lemma for each word, or none, and each tag once; where there is no place for several, the first tag."""
    if holds.lemmas == "all":
        return text
    lemma, tag, word = text.lemma.values(), text.tag.values(), text.word_of_interpretation.tolist()
    first = text.interpretation_offsets[:-1].tolist()
    if holds.lemmas == "none":
        losses.add("lemmas", sum(map(bool, lemma)))
        lemma = [""] * len(lemma)
    else:
        of_word = [lemma[first[one]] for one in word]
        losses.add("further lemmas of words", sum(a != b for a, b in zip(lemma, of_word, strict=True)))
        lemma = of_word
    seen: dict[tuple[int, str], int] = {}
    owner = np.array([seen.setdefault((w, t), at) for at, (w, t) in enumerate(zip(word, tag, strict=True))], np.intp)
    is_out = owner != np.arange(len(owner))
    text = replace(text, lemma=interned_strings(lemma), probability=_summed(text.probability, owner, losses))
    is_further = ~is_out & (np.arange(len(owner)) != np.array([first[one] for one in word], dtype=np.intp))
    if not holds.several_tags:
        losses.add("further tags of words", int(is_further.sum()))
        is_out |= is_further
    elif to == "conllu":
        unfit = np.array([any(mark in one for mark in _NOT_IN_MISC) for one in text.tag.strings], dtype=np.bool_)
        is_unfit = is_further & unfit.take(text.tag.ids)
        losses.add("further tags of words (those with a comma or a bar)", int(is_unfit.sum()))
        is_out |= is_unfit
    return _without_interpretations(text, is_out)


def _summed(probability: Floats, owner: Indices, losses: Losses) -> Floats:
    """The probabilities of tags that stand for several interpretations, each at its first; none where they have none.

    Sums above 1 are none either.
    """
    sums = np.bincount(owner, weights=probability, minlength=len(probability))
    is_none = ~(sums <= 1 + _ROUNDING).take(owner)
    losses.add(_ODD_PROBABILITIES, int((is_none & ~np.isnan(probability)).sum()))
    return np.where(is_none, np.nan, np.minimum(sums, 1))


def _with_whole_probabilities(text: AnalysedText, losses: Losses) -> AnalysedText:
    """The text in which the tags of a word all have probabilities above 0 or all have none.

    TSV takes a tag of probability 0 for none, and has probabilities for all tags of a word or for none.
    """
    is_odd = np.bincount(text.word_of_interpretation[~(text.probability > 0)], minlength=text.n_words) > 0
    is_out = is_odd.take(text.word_of_interpretation) & ~np.isnan(text.probability)
    losses.add(_ODD_PROBABILITIES, int(is_out.sum()))
    return replace(text, probability=np.where(is_out, np.nan, text.probability))


def _with_fewer_spaces(text: AnalysedText, to: str, holds: Holds, losses: Losses) -> AnalysedText:
    if text.space is None or holds.n_spaces == 5:
        return text
    losses.add("spaces other than one", int((text.space > SPACE).sum()))
    space = np.minimum(text.space, SPACE)
    if not holds.n_spaces:
        losses.add("words without a space before them", int((space == NO_SPACE).sum()))
        return replace(text, space=None)
    if to == "conllu" and space[0] == NO_SPACE:
        losses.add("no space before the first word", 1)
        space[0] = SPACE
    return replace(text, space=space)


def _with_fewer_names(text: AnalysedText, to: str, holds: Holds, losses: Losses) -> AnalysedText:
    can_be: Callable[[str], bool] = _can_be_in_comment if to == "conllu" else bool
    sentences = [name if holds.sentence_names and can_be(name) else "" for name in text.sentence_names]
    paragraphs = [name if holds.paragraph_names and can_be(name) else "" for name in text.paragraph_names]
    losses.add("names of sentences", _n_changed(text.sentence_names, sentences))
    losses.add("names of paragraphs", _n_changed(text.paragraph_names, paragraphs))
    offsets = text.paragraph_offsets
    if offsets is not None and not holds.paragraphs:
        losses.add("paragraphs", text.n_paragraphs if text.n_paragraphs > 1 else 0)
        offsets, paragraphs = None, []
    return replace(
        text, sentence_names=tuple(sentences), paragraph_names=tuple(paragraphs), paragraph_offsets=offsets, left_out=()
    )


def _can_be_in_comment(name: str) -> bool:
    return name.strip(" \t") == name and not any(mark in name for mark in _NOT_IN_COMMENTS)


def _n_changed(before: tuple[str, ...], after: list[str]) -> int:
    return sum(a != b for a, b in zip(before, after, strict=True))


def _with_tags_for_all(text: AnalysedText) -> AnalysedText:
    """The text in which each word without a choice has the chosen tag `_`: in a graph it would not be on the path."""
    lacks = ~text.has_chosen if text.chosen.any() else np.diff(text.interpretation_offsets) == 0
    words = np.flatnonzero(lacks)
    if not len(words):
        return text
    places = text.interpretation_offsets[1:].take(words)
    added = np.full(len(words), bool(text.chosen.any()))
    return replace(
        text,
        interpretation_offsets=text.interpretation_offsets + offsets_of(lacks.astype(np.intp)),
        lemma=_with_values(text.lemma, places, NO_TAG),
        tag=_with_values(text.tag, places, NO_TAG),
        chosen=np.insert(text.chosen, places, added),
        probability=_with_nan(text.probability, places),
    )


def _with_values(column: Interned, places: Indices, value: str) -> Interned:
    ids = np.insert(column.ids, places, np.int32(len(column.strings)))
    return Interned(ids.astype(np.int32), (*column.strings, value))


def _with_nan(values: Floats, places: Indices) -> Floats:
    found: Floats = np.insert(values, places, np.nan)
    return found
