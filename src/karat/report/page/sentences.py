"""Sentences as a page shows them: the words, what systems have otherwise than the gold, and both drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from karat._arrays import Indices
from karat.corpus import Annotated, Corpus
from karat.measures.brackets.tree_counts import TreeComparison
from karat.measures.words.comparison import Comparison
from karat.measures.words.dependencies import without_subtype
from karat.report.draw.constituency import constituency_figure
from karat.report.draw.dependencies import DependencyWord, dependency_figure
from karat.report.draw.sentence_brackets import compared_brackets, sentence_brackets
from karat.report.draw.svg import Drawing
from karat.report.page.error_lists import anchor
from karat.report.page.evidence import PageEvidence, SystemEvidence

_COLUMNS = ("upos", "xpos", "feats", "lemma")
_LONGEST, _LONGEST_IN_TABLE = 200, 40  # characters of a word
_NONE = -1
_MARKUP = 25  # bytes around a text, about
_NO_WORD = "not aligned"
_WIDTH = 18  # words of a drawing


@dataclass(frozen=True, slots=True)
class Given:
    """What a system gives in a place, and whether it is what the gold has; None where it has no such word."""

    text: str
    is_right: bool | None


@dataclass(frozen=True, slots=True)
class ColumnDifference:
    """A column in which systems differ from the gold, with what each of them gives."""

    column: str
    gold: str
    systems: Sequence[Given]


@dataclass(frozen=True, slots=True)
class WordDifferences:
    """A word, by its number from 1, on which systems differ from the gold, and in what."""

    number: int
    form: str
    columns: Sequence[ColumnDifference]


@dataclass(frozen=True, slots=True)
class SentenceView:
    """A sentence: where it is in the page and in the gold, its words with those marked that systems have wrong."""

    id: str
    name: str
    document: str
    words: Sequence[tuple[str, bool]]
    differences: Sequence[WordDifferences]
    remarks: Sequence[str]
    drawings: Sequence[Drawing]

    @property
    def size(self) -> int:
        """How many bytes its drawings take."""
        return sum(len(one.svg.encode()) for one in self.drawings)

    @property
    def size_of_text(self) -> int:
        """About how many bytes it takes without drawings."""
        columns = [column for one in self.differences for column in one.columns]
        given = [one.text for column in columns for one in (*column.systems, Given(column.gold, None))]
        texts = [self.name, self.document, *self.remarks, *given, *(word for word, _ in self.words)]
        return sum(len(text.encode("utf-8", "replace")) + _MARKUP for text in texts)


class SentenceViews:
    """The sentences of one gold as a page shows them."""

    def __init__(self, evidence: PageEvidence, prefix: str = "") -> None:
        self.evidence = evidence
        self.prefix = prefix
        self._remarks: dict[int, dict[str, int]] = {}  # sentence → words about it → the number of the word it is about
        relation = str if "FullLAS" in evidence.measures else without_subtype  # as the measures compare them
        self._relation: Callable[[str], str] = relation
        self._sides = [_Side(one, relation) for one in evidence.systems if isinstance(one.pair, Comparison)]

    @cached_property
    def _names(self) -> list[str]:
        """What each sentence is called: by its sent_id if no other has it, else by its number."""
        gold = self.evidence.gold
        ids = [gold.sent_id(number) for number in range(gold.n_sentences)]
        seen: dict[str | None, int] = {}
        for one in ids:
            seen[one] = seen.get(one, 0) + 1
        return [one if one and seen[one] == 1 else f"sentence {number}" for number, one in enumerate(ids, 1)]

    def remark(self, sentence: int, word: int, words: str) -> None:
        """Say something of a word, by its number from 1, below a sentence; the word is marked."""
        self._remarks.setdefault(sentence, {}).setdefault(words, word)

    def id_of(self, sentence: int) -> str:
        """Where a sentence is in the page."""
        return f"{self.prefix}{anchor('s', self._names[sentence])}"

    def sentence(self, number: int, *, drawn: bool) -> SentenceView:
        """A sentence, by its number from 0, with or without drawings."""
        gold = self.evidence.gold
        words = [_cut(word) for word in gold.words_of(number)]
        differences = self._differences(number)
        remarks = self._remarks.get(number, {})
        marked = {*(one.number for one in differences), *remarks.values()}
        drawings = self._drawings(number) if drawn else []
        return SentenceView(
            self.id_of(number),
            self._names[number],
            _document(gold, number),
            [(word, place in marked) for place, word in enumerate(words, 1)],
            differences,
            list(remarks),
            drawings,
        )

    def _differences(self, number: int) -> list[WordDifferences]:
        gold = self.evidence.gold
        if not isinstance(gold, Corpus) or not self._sides:
            return []
        first, stop = gold.sentence_offsets[number : number + 2].tolist()
        found = []
        for word in range(first, stop):
            columns = list(self._differing(word))
            if columns:
                found.append(
                    WordDifferences(word - first + 1, _cut(_value(gold, "form", word), _LONGEST_IN_TABLE), columns)
                )
        return found

    def _differing(self, word: int) -> Iterator[ColumnDifference]:
        """The columns in which any system differs; of a word that a system does not have, that and no more."""
        has_word = [side.word(word) != _NONE for side in self._sides]
        if not all(has_word):
            given = [Given("" if has else _NO_WORD, has) for has in has_word]
            yield ColumnDifference("word", _cut(_value(self._sides[0].pair.gold, "form", word)), given)
        for name, (of_gold, *of_systems) in self._columns.items():
            ours = of_gold(word)
            theirs = [text(word) if has else None for text, has in zip(of_systems, has_word, strict=True)]
            if any(one is not None and one != ours for one in theirs):
                yield ColumnDifference(
                    name, ours, [Given(one or "", None if one is None else one == ours) for one in theirs]
                )

    @cached_property
    def _columns(self) -> dict[str, list[Callable[[int], str]]]:
        """By column what the gold and each system give for a gold word, of the columns that measures compare."""
        gold = self.evidence.gold
        assert isinstance(gold, Corpus)
        measures = self.evidence.systems[0].scores.measures
        needed = {name for one in self.evidence.measures for name in getattr(measures[one].measure, "needs", ())}
        every = [gold, *(side.corpus for side in self._sides)]
        columns: dict[str, list[Callable[[int], str]]] = {}
        for name in _COLUMNS:
            if name in needed and all(one.has(name) for one in every):
                columns[name.upper()] = [_reader(gold, name), *(side.reader(name) for side in self._sides)]
        if self._has_arcs:
            heads = self._sides[0].pair.gold_parents
            columns["head"] = [
                lambda word: _arc(gold, int(heads[word]), self._relation(_value(gold, "deprel", word))),
                *(side.arc for side in self._sides),
            ]
        return columns

    @cached_property
    def _has_arcs(self) -> bool:
        """Whether any of the measures compares heads."""
        if not self._sides:
            return False
        measures = self.evidence.systems[0].scores.measures
        return any("head" in getattr(measures[one].measure, "needs", ()) for one in self.evidence.measures)

    # ---- drawn -------------------------------------------------------------------------------------------------------

    def _drawings(self, number: int) -> list[Drawing]:
        """A drawing for each system that differs from the gold in heads, relations or brackets."""
        found = []
        for one in self.evidence.systems:
            if isinstance(one.pair, TreeComparison):
                found += _tree(one, one.pair, number, self._names[number])
        for side in self._sides if self._has_arcs else ():
            found += self._arcs(side, number)
        return found

    def _arcs(self, side: _Side, number: int) -> list[Drawing]:
        gold = self.evidence.gold
        assert isinstance(gold, Corpus)
        first, stop = gold.sentence_offsets[number : number + 2].tolist()
        tag = next((name for name in ("upos", "xpos") if gold.has(name) and side.corpus.has(name)), None)
        heads = side.pair.gold_parents
        ours = [
            _dependency_word(gold, word, int(heads[word]), first, tag, self._relation) for word in range(first, stop)
        ]
        theirs = [side.dependency_word(word, first, tag) for word in range(first, stop)]
        if all(a == b for a, b in zip(ours, theirs, strict=True)):
            return []
        return [dependency_figure(ours, theirs, system_name=side.name, sentence=self._names[number], width=_WIDTH)]


class _Side:
    """A system's words beside the gold's."""

    def __init__(self, system: SystemEvidence, relation: Callable[[str], str]) -> None:
        assert isinstance(system.pair, Comparison)
        self._relation = relation
        self.name = system.name
        self.pair = system.pair
        self.corpus = system.pair.system

    @cached_property
    def _of_gold(self) -> Indices:
        alignment = self.pair.alignment
        found = np.full(self.pair.gold.n_words, _NONE)
        found[alignment.gold_words] = alignment.system_words
        return found

    def word(self, gold_word: int) -> int:
        """The system's word that matches a gold word, or -1."""
        return int(self._of_gold[gold_word])

    def head(self, gold_word: int) -> int:
        """The gold word that matches the head which the system gives; -1 for the root, less if there is none."""
        at = self.word(gold_word)
        return -2 if at == _NONE else int(self.pair.system_parents[at])

    def dependency_word(self, gold_word: int, first: int, tag: str | None) -> DependencyWord | None:
        """The word that matches a gold word, for a drawing."""
        at = self.word(gold_word)
        if at == _NONE:
            return None
        return _dependency_word(self.corpus, at, self.head(gold_word), first, tag, self._relation)

    def reader(self, column: str) -> Callable[[int], str]:
        """What the system gives in a column for a gold word that it has."""
        of_system = _reader(self.corpus, column)
        return lambda word: of_system(self.word(word))

    def arc(self, gold_word: int) -> str:
        """Head and relation that the system gives for a gold word that it has."""
        relation = self._relation(_value(self.corpus, "deprel", self.word(gold_word)))
        return _arc(self.pair.gold, self.head(gold_word), relation)


def _reader(corpus: Corpus, column: str) -> Callable[[int], str]:
    return lambda word: _cut(_value(corpus, column, word))


def _arc(gold: Corpus, head: int, relation: str) -> str:
    """A head and a relation in words: `nsubj of ate (3)`."""
    if head == -1:
        return f"{relation} (root)" if relation != "root" else relation
    if head < 0:
        return f"{relation} of a word that is not aligned"
    number = head - int(gold.sentence_offsets[gold.words_sentence[head]]) + 1
    return f"{relation} of {_cut(_value(gold, 'form', head), 40)} ({number})"


def _dependency_word(
    corpus: Corpus, at: int, head: int, first: int, tag: str | None, relation: Callable[[str], str]
) -> DependencyWord:
    """A word for a drawing; `head` is a gold word, -1 for the root, or less for none, `first` the sentence's first."""
    place = 0 if head == -1 else None if head < 0 else head - first + 1
    form = _cut(_value(corpus, "form", at))
    given = relation(_value(corpus, "deprel", at))
    return DependencyWord(form, _value(corpus, tag, at) if tag else "", place, given)


def _value(corpus: Corpus, column: str, word: int) -> str:
    values = corpus.column(column)
    return values.vocabulary.strings[int(values.ids[word])]


def _cut(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _document(gold: Annotated, number: int) -> str:
    """The name of a sentence's document, if there are several."""
    names = gold.document_names
    return (names[int(gold.sentence_document[number])] or "") if len(names) > 1 else ""


def _tree(system: SystemEvidence, pair: TreeComparison, number: int, name: str) -> list[Drawing]:
    """The brackets of gold and system, where they differ."""
    brackets = sentence_brackets(pair, number)
    gold, given = compared_brackets(brackets)
    if all(one.kind == "both" and one.other_label is None for one in (*gold, *given)):
        return []
    return [constituency_figure(brackets, system_name=system.name, name=name, width=_WIDTH)]
