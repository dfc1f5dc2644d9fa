"""Dictionaries from outside that say which tags a form can have: Morfeusz 2, a corpus, or a list of forms and tags."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

from karat._arrays import Array
from karat._ragged import offsets_of
from karat.corpus import corpus_from_source, read_source
from karat.errors import DataError, Problem
from karat.systems.model_file import Model
from karat.systems.words import LabelledWords, columns_of, labelled_words
from karat.tagsets.morfeusz import morfeusz_dictionary, morfeusz_tags

MORFEUSZ = "morfeusz"


class TagDictionary(ABC):
    """Which tags a form can have; none where the lexicon does not have the form."""

    @abstractmethod
    def tags_of(self, form: str) -> tuple[str, ...]:
        """The tags of a form, each once."""

    @abstractmethod
    def parts(self) -> Model:
        """What is kept of the lexicon in a model's file."""

    def every_tag(self, forms: Sequence[str]) -> Iterable[str]:
        """The tags that words like these can have."""
        return dict.fromkeys(tag for form in forms for tag in self.tags_of(form))


class MorfeuszDictionary(TagDictionary):
    """Morfeusz 2, asked for each form when it is met; the model's file has its dictionary's name only."""

    _memory: ClassVar[dict[str, tuple[str, ...]]] = {}  # of all models of the process: analyses take time
    _MOST_KEPT: ClassVar[int] = 1 << 20

    def __init__(self) -> None:
        self._analysed = morfeusz_tags(segmented=True)

    def tags_of(self, form: str) -> tuple[str, ...]:
        found = self._memory.get(form)
        if found is None:
            if len(self._memory) >= self._MOST_KEPT:
                self._memory.clear()
            found = self._memory[form] = tuple(dict.fromkeys(self._analysed(form)))
        return found

    def parts(self) -> Model:
        return Model("", {"lexicon kind": MORFEUSZ, "dictionary": morfeusz_dictionary()}, {}, {})


class ListedDictionary(TagDictionary):
    """Forms with their tags, from a corpus or a list; the model's file has them all."""

    def __init__(self, of_form: Mapping[str, tuple[str, ...]]) -> None:
        self.of_form = of_form

    def tags_of(self, form: str) -> tuple[str, ...]:
        return self.of_form.get(form, ())

    def every_tag(self, forms: Sequence[str]) -> Iterable[str]:
        """All tags of the list, whatever the forms."""
        return dict.fromkeys(tag for tags in self.of_form.values() for tag in tags)

    def parts(self) -> Model:
        offsets: Array = offsets_of([len(tags) for tags in self.of_form.values()])
        texts = {
            "lexicon forms": list(self.of_form),
            "lexicon tags": [tag for tags in self.of_form.values() for tag in tags],
        }
        return Model("", {"lexicon kind": "list"}, {"lexicon offsets": offsets.astype("int64")}, texts)


def read_lexicon(given: str, column: str) -> TagDictionary:
    """Morfeusz by its name, or the forms and tags of a corpus or list (form TAB tag).

    A `UsageError` if Morfeusz is not installed, a `DataError` for a file that cannot be read.
    """
    if given == MORFEUSZ:
        return MorfeuszDictionary()
    try:
        state = os.stat(given)
    except OSError:
        return _read_file(given, column, 0, 0)  # which says what is wrong with it
    return _read_file(given, column, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=4)
def _read_file(given: str, column: str, modified: int, size: int) -> TagDictionary:  # noqa: ARG001 a changed file is another
    """The forms and tags of a file; models of several folds read it once."""
    corpus = corpus_from_source(read_source(given), tag=columns_of(column)[0], trees=False)
    text = labelled_words(corpus, column)
    pairs = dict.fromkeys(zip(text.words.ids.tolist(), text.label_ids.tolist(), strict=True))
    found: dict[str, dict[str, None]] = {}
    for form, label in pairs:
        found.setdefault(text.words.forms[form], {})[text.labels[label]] = None
    if not found:
        raise DataError(Problem("K501", "the lexicon has no forms with tags", corpus.path))
    return ListedDictionary({form: tuple(tags) for form, tags in found.items()})


def lexicon_from_parts(model: Model) -> TagDictionary | None:
    """The lexicon that was kept in a model's file; None if it has none."""
    kind = model.header.get("lexicon kind")
    if kind is None:
        return None
    if kind == MORFEUSZ:
        return MorfeuszDictionary()
    if kind != "list":
        raise model.problem(f"a lexicon of an unknown kind, {kind!r}")
    forms, tags = model.lines("lexicon forms"), model.lines("lexicon tags")
    offsets = model.offsets("lexicon offsets", len(forms), len(tags)).tolist()
    return ListedDictionary({form: tuple(tags[offsets[n] : offsets[n + 1]]) for n, form in enumerate(forms)})


def labels_of_forms(lexicon: TagDictionary, forms: Sequence[str], labels: Sequence[str]) -> list[tuple[int, ...]]:
    """The numbers of the labels that a lexicon gives each form, in order; tags that are no labels are left out."""
    number = {label: place for place, label in enumerate(labels)}
    every = (lexicon.tags_of(form) for form in forms)
    return [tuple(sorted(number[tag] for tag in tags if tag in number)) for tags in every]


def with_lexicon_labels(text: LabelledWords, lexicon: str | None, column: str) -> LabelledWords:
    """The text with the tags of a list among its labels, behind its own, or those that Morfeusz gives its forms.

    So a tag that a corpus happens not to have can be given all the same. Done before folds are cut, all of their
    taggers have the same labels; what the text's own words are tagged as is not looked at.
    """
    if lexicon is None:
        return text
    known = read_lexicon(lexicon, column)
    labels = dict.fromkeys((*text.labels, *known.every_tag(text.words.forms)))
    return LabelledWords(text.words, text.label_ids, tuple(labels))
