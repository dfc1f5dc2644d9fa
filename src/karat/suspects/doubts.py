"""A tagger's doubts: how likely it finds each word's label, on text that it has not seen, and what it would say.

Several taggers, trained with different seeds, are asked, and their probabilities averaged: what one of them is sure of
by chance, others are not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Floats, Ids, Indices
from karat._numbering import keys_below
from karat._ragged import owners_of
from karat.corpus import Corpus, PathLike, corpus_from_source, read_source
from karat.corpus.answers import answers_from_column, normalised
from karat.errors import DataError, Problem
from karat.inference.resampling import Progress
from karat.suspects.lemma_rules import lemma_from_rule, lemma_rule
from karat.systems.folds import FoldBy, folds_of
from karat.systems.options import Options
from karat.systems.tagging import out_of_fold
from karat.systems.words import LabelledWords, labelled_words, words_of

_MOST_UNKNOWN = 0.5  # of the tags of a file


@dataclass(frozen=True, slots=True, eq=False)
class Doubts:
    """How probable each word's label is, the likeliest other label (empty where there is none), and its probability."""

    probability: Floats
    other: list[str]
    other_probability: Floats


def doubts_of_taggers(
    corpus: Corpus,
    column: str,
    options: Options,
    *,
    folds: int,
    fold_by: FoldBy | None,
    n_taggers: int,
    seed: int,
    jobs: int,
    progress: Progress | None,
) -> Doubts:
    """What taggers say of text that they have not seen: each is trained on all folds but the one that it tags."""
    text = _text_to_learn(corpus, column)
    likely = []
    for number in range(n_taggers):
        fold = folds_of(corpus, folds, fold_by, seed + number)
        part = None if progress is None else _part_of(progress, number, n_taggers)
        found = out_of_fold(text, fold, column, options, seed=seed + number, jobs=jobs, progress=part)
        assert found.likely is not None
        likely.append(found.likely)
    words = np.concatenate([owners_of(one.sizes) for one in likely])
    labels = np.concatenate([one.values for one in likely])
    weights = np.concatenate([one.weights for one in likely if one.weights is not None]) / n_taggers
    return _in_words(_doubts(words, labels, weights, text.label_ids, len(text.labels)), text, corpus, column)


def _part_of(progress: Progress, number: int, n: int) -> Progress:
    return lambda share: progress((number + share) / n)


def _text_to_learn(corpus: Corpus, column: str) -> LabelledWords:
    """Words and labels; lemmas as the rules that make them of forms, of which there are few enough to learn."""
    if column != "lemma":
        return labelled_words(corpus, column)
    plain = labelled_words(corpus, column)
    words = words_of(corpus)
    n = max(len(plain.labels), 1)
    pairs, number = keys_below(len(words.forms) * n, words.ids.astype(np.int64) * n + plain.label_ids)
    rules = [lemma_rule(words.forms[pair // n], plain.labels[pair % n]) for pair in pairs.tolist()]
    names = list(dict.fromkeys(rules))
    place = {name: at for at, name in enumerate(names)}
    ids = np.array([place[rule] for rule in rules], dtype=np.int32).take(number)
    return LabelledWords(words, ids, tuple(names))


@dataclass(frozen=True, slots=True, eq=False)
class _Numbers:
    probability: Floats
    other: Indices
    other_probability: Floats


def _doubts(words: Indices, labels: Indices, weights: Floats, right: Ids, n_labels: int) -> _Numbers:
    """The probabilities of right labels and of the likeliest others, from those of all, some there several times."""
    n = len(right)
    keys, number = keys_below(n * n_labels, words.astype(np.int64) * n_labels + labels)
    summed = np.bincount(number, weights, minlength=len(keys))
    words, labels = np.divmod(keys, n_labels)
    is_right = labels == right[words]
    probability = np.zeros(n)
    probability[words[is_right]] = summed[is_right]
    rest = np.flatnonzero(~is_right)
    rest = rest[np.lexsort((-summed[rest], words[rest]))]
    first = rest[np.diff(words[rest], prepend=-1) > 0]
    other, other_probability = np.full(n, -1, dtype=np.intp), np.zeros(n)
    other[words[first]], other_probability[words[first]] = labels[first], summed[first]
    return _Numbers(probability, other, other_probability)


def _in_words(found: _Numbers, text: LabelledWords, corpus: Corpus, column: str) -> Doubts:
    names = [*text.labels, ""]
    other = [names[number] for number in found.other.tolist()]
    if column == "lemma":
        form = corpus.column("form")
        forms = [form.vocabulary.strings[number] for number in form.ids.tolist()]
        other = [lemma_from_rule(one, rule) if rule else "" for one, rule in zip(forms, other, strict=True)]
    return Doubts(found.probability, other, found.other_probability)


def doubts_from_file(path: PathLike, corpus: Corpus, column: str) -> Doubts:
    """What any tagger says, in a file as `karat tag --probabilities` writes it: form, and tags each with probability.

    Its words must be those of the corpus. The tagger must not have seen them, or it has no doubts.
    """
    given = corpus_from_source(read_source(path), tag=column, trees=False, several_tags=True)
    _refuse_other_words(given, corpus)
    answers = answers_from_column(given, column, with_probabilities=True)
    weights, _ = normalised(answers)
    text = labelled_words(corpus, column)
    place = {name: at for at, name in enumerate(text.labels)}
    names = list(text.labels)
    for name in answers.names:
        if name not in place:
            place[name] = len(names)
            names.append(name)
    labels = np.array([place[name] for name in answers.names], dtype=np.intp).take(answers.tags)
    if len(labels) and (labels >= len(text.labels)).mean() > _MOST_UNKNOWN:
        message = f"most of its tags are no {column.upper()} of {corpus.path}"
        raise DataError(Problem("K950", message, given.path, hint="name the column that the tagger learnt"))
    found = _doubts(owners_of(answers.sizes), labels, weights, text.label_ids, len(names))
    shown = [*names, ""]
    return Doubts(found.probability, [shown[number] for number in found.other.tolist()], found.other_probability)


def _refuse_other_words(given: Corpus, corpus: Corpus) -> None:
    hint = "tag the corpus itself, out of fold: karat tag writes such a file"
    if given.n_words != corpus.n_words:
        message = f"{given.n_words:,} words, while {corpus.path} has {corpus.n_words:,}"
        raise DataError(Problem("K950", message, given.path, hint=hint))
    ours, theirs = corpus.column("form"), given.column("form")
    known = {form: number for number, form in enumerate(ours.vocabulary.strings)}
    same = np.array([known.get(form, -1) for form in theirs.vocabulary.strings], dtype=np.int64).take(theirs.ids)
    differing = np.flatnonzero(same != ours.ids)
    if len(differing):
        word = int(differing[0])
        _, line, at = given.place_of_word(word)
        message = (
            f"{theirs.vocabulary[theirs.ids[word]]!r}, while {corpus.path} has {ours.vocabulary[ours.ids[word]]!r}"
        )
        raise DataError(Problem("K950", message, given.path, line, at, hint=hint))
