"""Morphologically analysed text: every word has interpretations (lemma and tag), of which one or more are chosen.

Analysers such as Morfeusz list what a word may be, taggers and annotators choose. Where even the words are not certain
(Polish `miałem` is one word or two), the text is a graph: a word is an edge between two nodes, and the chosen edges
are a path through it, the segmentation. The readers `xces`, `ccl`, `plain`, `krnnt` and `dag` read and
write such texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sized
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from karat._arrays import Bytes, Flags, Floats, Ids, Indices
from karat._numbering import numbered_values
from karat._ragged import offsets_of, owners_of, places_of_rows
from karat.corpus.interning import Spans, interned

SPACE_NAMES = ("none", "space", "spaces", "newline", "newlines")  # what may stand before a word; its code is the place
NO_SPACE, SPACE = 0, 1
NOT_IN_A_FIELD = re.compile(r"[\t\n\r\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True, eq=False)
class Interned:
    """A column of strings: `strings[ids[i]]` is the i-th."""

    ids: Ids
    strings: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, number: int) -> str:
        return self.strings[int(self.ids[number])]

    def values(self) -> list[str]:
        """All strings in order, one Python reference each."""
        return [self.strings[number] for number in self.ids.tolist()]

    def take(self, chosen: Indices) -> Interned:
        """The column of the chosen rows."""
        return Interned(self.ids.take(chosen), self.strings)


def tags_shown(value: str) -> str:
    r"""The tags of a word, which a column has with tabs between, as people read them: sorted, with spaces.

    >>> tags_shown("verb:fin\tnoun:sg")
    'noun:sg verb:fin'
    """
    return " ".join(sorted(value.split("\t"))) if "\t" in value else value


def interned_strings(values: Iterable[str]) -> Interned:
    """The column with these strings, the distinct ones numbered as they first appear."""
    number: dict[str, int] = {}
    return Interned(numbered_values(values, number), tuple(number))


def interned_from_spans(spans: Spans) -> Interned:
    """The column with the strings of stretches of a source."""
    ids, first = interned(spans)
    return Interned(ids, tuple(spans[first].strings()))


class Interpretation(NamedTuple):
    """One of the things that a word may be; `probability` is nan if none is given."""

    lemma: str
    tag: str
    is_chosen: bool
    probability: float


@dataclass(frozen=True, eq=False)
class AnalysedText:
    """Words with their interpretations, in columns.

    `form`, `space` (codes, see `SPACE_NAMES`; None where the format does not say) and `place` (the byte at which it
    begins in its source) are of the words. Word w has the interpretations `interpretation_offsets[w]` …
    `interpretation_offsets[w + 1]` of `lemma`, `tag`, `chosen` and `probability` (nan: none is given). Sentence s has
    the words from `sentence_offsets[s]` on, paragraph p the sentences from `paragraph_offsets[p]` on (None: there are
    no paragraphs); no sentence and no paragraph is empty. Names of sentences and
    paragraphs are "" where they have none.

    In a graph, `nodes[0]` and `nodes[1]` are the nodes at which words start and end, numbered in each paragraph for
    itself and in the order of the text; without `nodes`, one word follows the other. `extra` has columns of the
    interpretations that are only carried along, `left_out` names what else the file has and how often, and `layout`
    what a writer must know to lay out the file as it was.
    """

    form: Interned
    space: Bytes | None
    place: Ids
    interpretation_offsets: Indices
    lemma: Interned
    tag: Interned
    chosen: Flags
    probability: Floats
    sentence_offsets: Indices
    paragraph_offsets: Indices | None = None
    sentence_names: tuple[str, ...] = ()
    paragraph_names: tuple[str, ...] = ()
    nodes: Ids | None = None
    extra: tuple[tuple[str, Interned], ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()
    path: str = ""
    format: str = ""
    layout: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        n_words, n_interpretations = len(self.form), len(self.tag)
        of_words: list[Sized] = [self.place, *([] if self.space is None else [self.space])]
        of_words += [] if self.nodes is None else [*self.nodes]
        of_interpretations: list[Sized] = [
            self.lemma,
            self.chosen,
            self.probability,
            *(column for _, column in self.extra),
        ]
        if any(len(column) != n_words for column in of_words):
            raise ValueError(f"a column of words has not {n_words} values")
        if any(len(column) != n_interpretations for column in of_interpretations):
            raise ValueError(f"a column of interpretations has not {n_interpretations} values")
        if len(self.interpretation_offsets) != n_words + 1:
            raise ValueError("the offsets of interpretations do not fit the words")
        _check_offsets(self.interpretation_offsets, n_interpretations, least=0)
        _check_offsets(self.sentence_offsets, n_words, least=1)
        if self.paragraph_offsets is not None:
            _check_offsets(self.paragraph_offsets, self.n_sentences, least=1)
        for names, number in ((self.sentence_names, self.n_sentences), (self.paragraph_names, self.n_paragraphs)):
            if names and len(names) != number:
                raise ValueError(f"{len(names)} names for {number} sentences or paragraphs")

    @property
    def n_words(self) -> int:
        return len(self.form)

    @property
    def n_interpretations(self) -> int:
        return len(self.tag)

    @property
    def n_sentences(self) -> int:
        return len(self.sentence_offsets) - 1

    @property
    def n_paragraphs(self) -> int:
        return 0 if self.paragraph_offsets is None else len(self.paragraph_offsets) - 1

    def __len__(self) -> int:
        return self.n_sentences

    def __repr__(self) -> str:
        return f"<AnalysedText {self.path}: {self.n_sentences:,} sentences, {self.n_words:,} words ({self.format})>"

    @property
    def space_before(self) -> Flags | None:
        """Whether there is space of any kind before each word; None where the format does not say."""
        return None if self.space is None else self.space != NO_SPACE

    @cached_property
    def word_of_interpretation(self) -> Indices:
        """The word of every interpretation."""
        return owners_of(np.diff(self.interpretation_offsets))

    @cached_property
    def sentence_of_word(self) -> Indices:
        """The sentence of every word."""
        return owners_of(np.diff(self.sentence_offsets))

    @cached_property
    def paragraph_of_word(self) -> Indices:
        """The paragraph of every word; where there are none, the text is one."""
        if self.paragraph_offsets is None:
            return np.zeros(self.n_words, dtype=np.intp)
        return owners_of(np.diff(self.sentence_offsets.take(self.paragraph_offsets)))

    @cached_property
    def has_chosen(self) -> Flags:
        """Whether each word has a chosen interpretation."""
        return np.bincount(self.word_of_interpretation[self.chosen], minlength=self.n_words) > 0

    @cached_property
    def segmentation(self) -> Indices:
        """The words of the chosen segmentation in order: of a graph those with a chosen interpretation, else all."""
        if self.nodes is None:
            return np.arange(self.n_words)
        words = np.flatnonzero(self.has_chosen)
        return words[np.lexsort((self.nodes[0].take(words), self.paragraph_of_word.take(words)))]

    def interpretations(self, word: int) -> list[Interpretation]:
        """All interpretations of a word."""
        first, stop = self.interpretation_offsets[word : word + 2].tolist()
        return [
            Interpretation(self.lemma[i], self.tag[i], bool(self.chosen[i]), float(self.probability[i]))
            for i in range(first, stop)
        ]

    def chosen_tags(self, word: int) -> tuple[str, ...]:
        """The tags of a word's chosen interpretations, each once, in their order."""
        return tuple(dict.fromkeys(found.tag for found in self.interpretations(word) if found.is_chosen))

    def extra_column(self, name: str) -> Interned | None:
        """A column that is only carried along, or None if the text has none of this name."""
        return dict(self.extra).get(name)

    def same_as(self, other: AnalysedText) -> bool:
        """Whether both say the same of the same words; places, path, format and layout do not count."""
        mine, theirs = self._arrays(), other._arrays()
        same = len(mine) == len(theirs) and self._presence() == other._presence()
        same = same and all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True))
        same = same and np.array_equal(self.probability, other.probability, equal_nan=True)
        same = same and all(
            a == b
            for a, b in (
                (_names(self.sentence_names), _names(other.sentence_names)),
                (_names(self.paragraph_names), _names(other.paragraph_names)),
            )
        )
        mine_, theirs_ = (dict([*x.extra, ("", x.form), (" ", x.lemma), ("  ", x.tag)]) for x in (self, other))
        return same and all(mine_[name].values() == theirs_[name].values() for name in mine_)

    def _arrays(self) -> list[Ids | Indices | Flags | Bytes]:
        maybe = [self.space, self.nodes, self.paragraph_offsets]
        there = [array for array in maybe if array is not None]
        return [self.interpretation_offsets, self.chosen, self.sentence_offsets, *there]

    def _presence(self) -> tuple[object, ...]:
        names = sorted(name for name, _ in self.extra)
        return self.space is None, self.nodes is None, self.paragraph_offsets is None, names


def _names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names, or none at all if all are empty."""
    return names if any(names) else ()


def _check_offsets(offsets: Indices, n: int, *, least: int) -> None:
    if not len(offsets) or offsets[0] != 0 or offsets[-1] != n or (np.diff(offsets) < least).any():
        raise ValueError(f"offsets run from 0 to {n} in steps of at least {least}")


# --- what can be made of a text ---


def segmented(text: AnalysedText, *, probabilities: bool = True) -> AnalysedText:
    """The text of the chosen segmentation: no graph any more, and no columns that were only carried along.

    Sentences and paragraphs of which nothing was chosen are left out. Without `probabilities`, all of them are nan.
    """
    words = text.segmentation
    interpretations, sizes = places_of_rows(text.interpretation_offsets, words)
    # a word that the graph's file has in the sentence before that of its predecessor on the path stays with the latter
    sentence_of = np.maximum.accumulate(text.sentence_of_word.take(words))
    sentences, sentence_first = np.unique(sentence_of, return_index=True)
    paragraph_offsets, paragraph_names = None, ()
    if text.paragraph_offsets is not None:
        paragraph_of = np.searchsorted(text.paragraph_offsets, sentences, side="right") - 1
        paragraphs, paragraph_first = np.unique(paragraph_of, return_index=True)
        paragraph_offsets = np.append(paragraph_first, len(sentences))
        paragraph_names = tuple(text.paragraph_names[p] for p in paragraphs.tolist() if text.paragraph_names)
    probability = text.probability.take(interpretations)
    return replace(
        text,
        form=text.form.take(words),
        space=None if text.space is None else text.space.take(words),
        place=text.place.take(words),
        interpretation_offsets=offsets_of(sizes),
        lemma=text.lemma.take(interpretations),
        tag=text.tag.take(interpretations),
        chosen=text.chosen.take(interpretations),
        probability=probability if probabilities else np.full_like(probability, np.nan),
        sentence_offsets=np.append(sentence_first, len(words)),
        paragraph_offsets=paragraph_offsets,
        sentence_names=tuple(text.sentence_names[s] for s in sentences.tolist() if text.sentence_names),
        paragraph_names=paragraph_names,
        nodes=None,
        extra=(),
        layout="",
    )
