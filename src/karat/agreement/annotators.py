"""What several annotators say of the same items: words of a text by their characters, or instances of a key file.

No annotator is the gold. A word is an item if any annotator has it, known by the characters that it covers; an
annotator who cuts the text otherwise there has no annotation of it. A sentence, or a document, ends where it does for
all.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat._numbering import numbered_pairs, numbered_values
from karat._ragged import offsets_of
from karat.align._alignment import Side, excerpt, place_of_character, same_tokens
from karat.align._differences import common_length
from karat.align._tokens import Surface
from karat.corpus import Corpus, Source, Spans, corpus_from_source, read_source, sniffed
from karat.corpus.answers import Answers, answers_from_column
from karat.corpus.interning import interned, same_strings
from karat.corpus.readers.key import Keys, key_from_source
from karat.corpus.source import PathLike
from karat.errors import DataError, Problem, UsageError
from karat.evaluation.gold_clusters import clusters_of
from karat.inference.clusters import Clusters

AGREED_COLUMNS = ("upos", "xpos", "deprel", "feats", "lemma", "heads", "las")
ATTACHMENTS = ("heads", "las")  # columns that need heads
_ONE_VALUE = ("feats", "lemma")  # `_` is a value of these, and they have one only


@dataclass(frozen=True, slots=True)
class ItemPlace:
    """Where an item is: the file of an annotator who has it, its line, its name there, and the words around it.

    `name` is the sent_id or the instance; `marked` is the place of the item in `words`, from 0.
    """

    path: str
    line: int
    name: str | None
    words: tuple[str, ...]
    marked: int


@dataclass(frozen=True, slots=True, eq=False)
class AnnotatedItems:
    """What all annotators wrote, their answers, and the item that each thing they answered is: `items[a][thing]`.

    `clusters` are of units, and `unit_of_item` says which an item is in.
    """

    read: Sequence[Corpus | Keys]
    answers: tuple[Answers, ...]
    items: tuple[Indices, ...]
    n_items: int
    clusters: Clusters
    unit_of_item: Indices

    @property
    def what(self) -> str:
        """What an item is."""
        return "word" if isinstance(self.read[0], Corpus) else "instance"

    def place(self, annotator: int, thing: int) -> ItemPlace:
        """Where a thing is that an annotator has answered."""
        one = self.read[annotator]
        if isinstance(one, Corpus):
            sentence, (path, line, _) = int(one.words_sentence[thing]), one.place_of_word(thing)
        else:
            sentence, (path, line, _) = thing, one.source.place(int(one.places[thing]))
        marked = thing - int(one.sentence_offsets[sentence])
        return ItemPlace(path, line, one.sent_id(sentence), one.words_of(sentence), marked)

    def place_of_item(self, item: int) -> ItemPlace:
        """Where an item is, in the file of the first annotator who has it."""
        for annotator, items in enumerate(self.items):
            found = np.flatnonzero(items == item)
            if len(found):
                return self.place(annotator, int(found[0]))
        raise KeyError(item)


def agreed_column(column: str) -> str:
    """The column that is meant: `head` is another word for `heads`; a `UsageError` for what annotators cannot agree on.

    >>> agreed_column("head")
    'heads'
    """
    found = "heads" if column == "head" else column
    if found not in AGREED_COLUMNS:
        raise UsageError(f"unknown column {column!r}; choose from {', '.join(AGREED_COLUMNS)}")
    return found


def annotated_items(
    annotators: Sequence[Any],
    *,
    column: str = "upos",
    input: str | None = None,
    cluster: str | PathLike | None = None,
    with_probabilities: bool = False,
) -> AnnotatedItems:
    """What annotators, given as files, sources, corpora or keys, say of the items that any of them has."""
    read = [_read(one, column, input) for one in annotators]
    corpora = [one for one in read if isinstance(one, Corpus)]
    if len(corpora) == len(read):
        return _of_text(corpora, column, cluster, with_probabilities)
    if corpora:
        raise UsageError("key files cannot be compared with text")
    return _of_keys(read, cluster)


def _read(annotator: Any, column: str, input: str | None) -> Any:
    if not isinstance(annotator, (Source, str, os.PathLike, list, tuple)):
        return annotator
    source = annotator if isinstance(annotator, Source) else read_source(annotator)
    format_ = sniffed(source) if input is None else input
    if format_ == "key":
        return key_from_source(source)
    return corpus_from_source(source, input=format_, tag=column, several_tags=True, trees=column in ATTACHMENTS)


# ---- text ------------------------------------------------------------------------------------------------------------


def _of_text(
    corpora: Sequence[Corpus], column: str, cluster: str | PathLike | None, with_probabilities: bool
) -> AnnotatedItems:
    for corpus in corpora:
        _need_column(corpus, column)
    text = _text_items(corpora)
    answers = tuple(
        _text_answers(corpus, items, column, with_probabilities)
        for corpus, items in zip(corpora, text.items, strict=True)
    )
    return AnnotatedItems(corpora, answers, text.items, len(text.start), *_text_clusters(corpora, text, cluster))


def _need_column(corpus: Corpus, column: str) -> None:
    for needed in {"heads": ("head",), "las": ("head", "deprel")}.get(column, (column,)):
        if not corpus.has(needed):
            raise DataError(Problem("K501", f"the column {needed.upper()} is missing", corpus.path))


@dataclass(frozen=True, slots=True, eq=False)
class _TextItems:
    """The item of every word of every annotator, where each item starts, and where sentences of each annotator do."""

    items: tuple[Indices, ...]
    start: Indices
    sentence_starts: tuple[Indices, ...]


def _text_items(corpora: Sequence[Corpus]) -> _TextItems:
    first = corpora[0]
    if all(same_tokens(first, other) for other in corpora[1:]):
        words = np.arange(first.n_words)
        return _TextItems((words,) * len(corpora), words, tuple(one.sentence_offsets[:-1] for one in corpora))
    sides = [Side.of(corpus) for corpus in corpora]
    for side in sides[1:]:
        if side.surface.text != sides[0].surface.text:
            raise DataError(_other_text(sides[0], side))
    inner: dict[tuple[int, int, str, int], int] = {}
    spans = [_word_spans(side.corpus, side.surface, inner) for side in sides]
    every = np.concatenate(spans, axis=1)
    order = np.lexsort(every[::-1])
    is_new = (np.diff(every[:, order], axis=1, prepend=-1) != 0).any(axis=0)
    number = np.empty(len(order), dtype=np.intp)
    number[order] = np.cumsum(is_new) - 1
    cuts = np.cumsum([one.shape[1] for one in spans])[:-1]
    starts = tuple(side.bounds[:-1] for side in sides)
    return _TextItems(tuple(np.split(number, cuts)), every[0, order][is_new], starts)


def _word_spans(corpus: Corpus, side: Surface, inner: dict[tuple[int, int, str, int], int]) -> Indices:
    """What each word is known by [3 × words]: the characters where it starts and stops, and 0.

    Words inside a multiword token have spans of their own if together they are written as it is; otherwise they are
    known by the token's span, their form and which of the same form they are: a number that `inner` gives to all three.
    """
    spans = np.zeros((3, corpus.n_words), dtype=np.intp)
    plain = ~side.is_multiword
    spans[0, side.first_word[plain]] = side.start[plain]
    spans[1, side.first_word[plain]] = side.stop[plain]
    form = corpus.column("form")
    for token in np.flatnonzero(side.is_multiword).tolist():
        start, stop = int(side.start[token]), int(side.stop[token])
        words = range(int(side.first_word[token]), int(side.stop_word[token]))
        forms = [form.vocabulary.strings[form.ids[word]] for word in words]
        if "".join(forms) == side.text[start:stop]:
            ends = start + np.cumsum([len(one) for one in forms])
            spans[0, words], spans[1, words] = np.append(start, ends[:-1]), ends
            continue
        forms = [text.lower() for text in forms]
        for place, (word, text) in enumerate(zip(words, forms, strict=True)):
            known = (start, stop, text, forms[:place].count(text))
            spans[:, word] = start, stop, inner.setdefault(known, len(inner) + 1)
    return spans


def _other_text(first: Side, other: Side) -> Problem:
    """The problem that two annotators have different text."""
    place = common_length(first.surface.text, other.surface.text)
    path, line, _ = place_of_character(first, place)
    here, there = (excerpt(side.surface.text, place) for side in (other, first))
    hint = "all annotators must have the same text; only spaces and tokenisation may differ"
    where = place_of_character(other, place)
    return Problem("K881", f"the text differs: {here} here, {there} at {path}:{line}", *where, hint)


def _text_clusters(
    corpora: Sequence[Corpus], text: _TextItems, choice: str | PathLike | None
) -> tuple[Clusters, Indices]:
    """The clusters of the sentences that all annotators have, and the sentence of every item."""
    sentences = _common(text.sentence_starts)
    of_item = _which(sentences, text.start)
    n = len(sentences)
    if all(corpus.has_documents for corpus in corpora):
        starts = [one[corpus.document_offsets[:-1]] for corpus, one in zip(corpora, text.sentence_starts, strict=True)]
        documents = _common(starts)
        if choice == "document" or (choice is None and len(documents) > 1):
            return Clusters("document", "document", _which(documents, sentences), len(documents)), of_item
    elif choice == "document":
        clusters_of(next(corpus for corpus in corpora if not corpus.has_documents), choice)  # says that there are none
    if choice in (None, "sentence"):
        return Clusters("sentence", "sentence", np.arange(n), n), of_item
    clusters = clusters_of(corpora[0], choice)
    if n < max(corpus.n_sentences for corpus in corpora):
        raise UsageError("annotators split the text into different sentences, so a file of groups cannot be used")
    return clusters, of_item


def _common(starts: Sequence[Indices]) -> Indices:
    """The places at which all annotators begin something; the first is one, whatever they say."""
    common = starts[0]
    for other in starts[1:]:
        common = np.intersect1d(common, other)
    return np.union1d(common, 0)


def _which(starts: Indices, places: Indices) -> Indices:
    """Which of the stretches that begin at `starts` each place is in."""
    return np.searchsorted(starts, places, side="right") - 1


def _text_answers(corpus: Corpus, items: Indices, column: str, with_probabilities: bool) -> Answers:
    if column in ATTACHMENTS:
        return _attachments(corpus, items, column)
    if column in _ONE_VALUE:
        found = corpus.column(column)
        return _one_each(found.vocabulary.strings, found.ids, np.ones(len(found.ids), dtype=np.bool_))
    return answers_from_column(corpus, column, with_probabilities=with_probabilities and corpus.format == "tsv")


def _one_each(names: Sequence[str], tags: Ids | Indices, has: Flags) -> Answers:
    """The answers of things that have one each, or none."""
    return Answers(tuple(names), offsets_of(has), tags[has].astype(np.int32), np.full(int(has.sum()), np.nan))


def _attachments(corpus: Corpus, items: Indices, column: str) -> Answers:
    """The heads of words as steps from the word, in items: +1 is the next, root none; of `las` with the relation."""
    assert corpus.heads is not None
    heads = corpus.heads.astype(np.intp)
    first = corpus.sentence_offsets[:-1][corpus.words_sentence]
    steps = np.where(heads > 0, items[np.clip(first + heads - 1, 0, corpus.n_words - 1)] - items, 0)
    distinct, place = np.unique(steps, return_inverse=True)
    names = ["root" if step == 0 else f"{step:+d}" for step in distinct.tolist()]
    place = place.reshape(-1)
    if column == "las":
        relation = corpus.column("deprel")
        step, label, both = numbered_pairs(place, relation.ids, len(names), len(relation.vocabulary))
        pairs = zip(step.tolist(), label.tolist(), strict=True)
        names = [f"{names[one]} {relation.vocabulary.strings[other]}" for one, other in pairs]
        return _one_each(names, both, heads >= 0)
    return _one_each(names, place, heads >= 0)


# ---- key files -------------------------------------------------------------------------------------------------------


def _of_keys(keys: Sequence[Keys], cluster: str | PathLike | None) -> AnnotatedItems:
    types: dict[str, int] = {}
    type_of = [numbered_values(one.types, types).astype(np.intp)[one.type_of] for one in keys]
    instances = _numbered([one.instances for one in keys])
    known = np.concatenate([number * len(types) + of for number, of in zip(instances, type_of, strict=True)])
    distinct, item = np.unique(known, return_inverse=True)
    items = np.split(item.reshape(-1), np.cumsum([len(one) for one in instances])[:-1])
    if cluster in (None, "type", "document"):
        unit_of_item = distinct % len(types)
        clusters = Clusters("type", "type", np.arange(len(types)), len(types))
    elif cluster in ("instance", "sentence"):
        unit_of_item = np.arange(len(distinct))
        clusters = Clusters("instance", "instance", unit_of_item, len(distinct))
    else:
        raise UsageError(f"unknown cluster {os.fspath(cluster or '')!r} for key files; choose type or instance")

    answers = tuple(one.answers for one in keys)
    return AnnotatedItems(keys, answers, tuple(items), len(distinct), clusters, unit_of_item)


def _numbered(several: Sequence[Spans]) -> list[Indices]:
    """Numbers for the spans of several sources, in the order of their texts, whoever comes first.

    Mostly all have the same in the same order, which then will do.
    """
    first = several[0]
    if all(len(one) == len(first) and same_strings(first, one).all() for one in several[1:]):
        number, _ = interned(first)
        return [number.astype(np.intp)] * len(several)
    texts = [spans.strings() for spans in several]
    numbers = {text: number for number, text in enumerate(sorted(set().union(*texts)))}
    return [np.fromiter((numbers[text] for text in one), dtype=np.intp, count=len(one)) for one in texts]
