"""How text is cut into words: characters as a running text, boundaries and multiword splits as its labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat._numbering import numbered_values
from karat._ragged import offsets_of, stretches
from karat.corpus import Corpus
from karat.corpus.interning import interned
from karat.gold.repeats.labels import Labels
from karat.gold.repeats.running_text import RunningText, joint_codes, text_from_units

GOES_ON, BEGINS = "", "|"  # what is before a character: nothing, or the boundary of a surface token
SPLITS = 2  # the codes of labels from this on are the words of a multiword token that ends there


@dataclass(frozen=True, slots=True, eq=False)
class _Surface:
    """The surface tokens of corpora: form, first word, sentence, if a space follows, and the split into words or -1."""

    forms: Ids
    strings: list[str]
    words: Indices
    sentences: Indices
    space_follows: Flags
    splits: Ids
    split_names: list[str]


def characters(corpora: Sequence[Corpus]) -> tuple[RunningText, Labels]:
    """The characters of corpora as a text, and how they are cut as its labels.

    A text is its surface tokens with a space between two, unless the first says SpaceAfter=No; a character is of its
    token's first word, a space of the word before it. Of two characters side by side the label tells if a token
    begins between them. A multiword token is labelled at its last character with the words that it stands for, which
    counts where all of the token is in the span. So what a span begins or ends amid is no contradiction.
    """
    surface = _surface(corpora)
    letters = [np.frombuffer(form.encode("utf-32-le", "replace"), dtype=np.uint32) for form in surface.strings]
    form_lengths = np.array([len(form) for form in letters], dtype=np.intp)
    form_starts = offsets_of(form_lengths)
    lengths = form_lengths.take(surface.forms)
    n_units = lengths + surface.space_follows
    at = stretches(0, n_units)
    is_space = at == np.repeat(lengths, n_units)
    all_letters = np.append(np.concatenate(letters) if letters else np.zeros(0, dtype=np.uint32), np.uint32(ord(" ")))
    chosen = np.where(is_space, len(all_letters) - 1, np.repeat(form_starts.take(surface.forms), n_units) + at)
    used, of_letter = np.unique(all_letters, return_inverse=True)
    n_sentences = sum(corpus.n_sentences for corpus in corpora)
    per_sentence = np.bincount(surface.sentences, weights=n_units, minlength=n_sentences).astype(np.intp)
    vocabulary = [chr(letter) for letter in used.tolist()]
    codes = of_letter.take(chosen).astype(np.int32)
    text = text_from_units(corpora, codes, vocabulary, per_sentence, np.repeat(surface.words, n_units))
    return text, _labels(text, surface, lengths, offsets_of(n_units), at, is_space)


def _labels(
    text: RunningText, surface: _Surface, lengths: Indices, first: Indices, at: Indices, is_space: Flags
) -> Labels:
    """Each character's label is about it and the one before it; a split is about all characters of its token."""
    codes = ((at == 0) | is_space).astype(np.int32)
    reach = np.full(len(codes), -1, dtype=np.int32)
    splits = np.flatnonzero(surface.splits >= 0)
    last = first[splits] + lengths[splits] - 1
    codes[last] = SPLITS + surface.splits[splits]
    reach[last] = 1 - lengths[splits]
    inside = text.codes >= 0
    spread = np.full((2, len(text.codes)), -1, dtype=np.int32)
    spread[:, inside] = codes, reach
    names = [GOES_ON, BEGINS, *surface.split_names]
    return Labels("tokenisation", spread[0], names, spread[1], shows_distance=False)


def is_boundary(labels: Labels) -> Flags:
    """Before which characters a token begins, or a sentence ends; a split of a token of one character says so, too."""
    codes = labels.codes
    found: Flags = (codes == 1) | (codes < 0) | ((codes >= SPLITS) & (labels.reach == 0))
    return found


def _surface(corpora: Sequence[Corpus]) -> _Surface:
    word_forms, strings = joint_codes(corpora, "form")
    numbers = {text: number for number, text in enumerate(strings)}
    parts: list[tuple[Ids, Indices, Indices, Flags]] = []
    starts, stops = [], []
    n_words = n_sentences = 0
    for corpus in corpora:
        tokens = corpus.multiword
        ids, example = interned(corpus.spans("form", tokens.rows))
        token_strings = corpus.spans("form", tokens.rows[example]).strings()
        token_forms = numbered_values(token_strings, numbers)
        forms = word_forms[n_words : n_words + corpus.n_words].copy()
        spaces = _space_follows(corpus, corpus.word_rows)
        is_first = np.ones(corpus.n_words, dtype=np.bool_)
        covered = np.zeros(corpus.n_words + 1, dtype=np.intp)
        np.add.at(covered, tokens.start + 1, 1)
        np.subtract.at(covered, tokens.stop, 1)
        is_first[np.cumsum(covered)[:-1] > 0] = False
        if len(tokens):
            forms[tokens.start] = token_forms.take(ids)
            spaces[tokens.start] = _space_follows(corpus, tokens.rows)
        first = np.flatnonzero(is_first)
        sentences = corpus.words_sentence.take(first)
        is_last = np.append(np.diff(sentences) > 0, True) if len(first) else np.zeros(0, dtype=np.bool_)
        parts.append((forms[first], n_words + first, n_sentences + sentences, spaces[first] & ~is_last))
        starts.append(n_words + tokens.start)
        stops.append(n_words + tokens.stop)
        n_words += corpus.n_words
        n_sentences += corpus.n_sentences
    forms, words, sentences, spaces = (np.concatenate(several) for several in zip(*parts, strict=True))
    start, stop = np.concatenate(starts), np.concatenate(stops)
    splits = np.full(len(words), -1, dtype=np.int32)
    splits[np.searchsorted(words, start)], names = _splits(word_forms, strings, start, stop)
    return _Surface(forms, list(numbers), words, sentences, spaces, splits, names)


def _space_follows(corpus: Corpus, rows: Indices) -> Flags:
    """Whether a space follows each row's token."""
    if "misc" not in corpus.names:
        return np.ones(len(rows), dtype=np.bool_)
    spans = corpus.spans("misc", rows)
    ids, first = interned(spans)
    has_space = ["SpaceAfter=No" not in text.split("|") for text in spans[first].strings()]
    return np.array(has_space, dtype=np.bool_).take(ids)


def _splits(forms: Ids, strings: list[str], start: Indices, stop: Indices) -> tuple[Ids, list[str]]:
    """A number for the words that each multiword token stands for, equal where they are, and what they are."""
    numbers = np.full(len(start), -1, dtype=np.int32)
    names: list[str] = []
    lengths = stop - start
    for length in np.unique(lengths).tolist():
        chosen = np.flatnonzero(lengths == length)
        rows, inverse = np.unique(forms[start[chosen, None] + np.arange(length)], axis=0, return_inverse=True)
        numbers[chosen] = len(names) + inverse.ravel()
        names += [" ".join(strings[form] for form in row) for row in rows.tolist()]
    return numbers, names
