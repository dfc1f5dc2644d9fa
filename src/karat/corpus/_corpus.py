"""Annotated text as columns: one integer array a column, its vocabulary beside it, and the offsets of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import SupportsIndex, overload

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat._ragged import owners_of
from karat.corpus.interning import Spans, interned
from karat.corpus.readers.conllu_comments import sent_id_warnings
from karat.corpus.source import Source
from karat.errors import Problem, UsageError

_WITH_CHOICES = ("xces", "ccl", "plain", "krnnt", "dag")  # in which other interpretations can be chosen
_TOGETHER = ("form", "lemma", "upos", "xpos", "feats")


class Vocabulary(Sequence[str]):
    """The distinct values of a column in the order in which they first appear; read from the source when asked for."""

    def __init__(self, spans: Spans) -> None:
        self.spans = spans

    def __len__(self) -> int:
        return len(self.spans)

    @overload
    def __getitem__(self, number: SupportsIndex) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> list[str]: ...
    def __getitem__(self, number: SupportsIndex | slice) -> str | list[str]:
        return self.strings[number]

    @cached_property
    def strings(self) -> list[str]:
        return self.spans.strings()

    def find(self, text: str) -> int:
        """The number of a value, or -1 if it does not occur."""
        data = text.encode()
        candidates = np.flatnonzero(self.spans.lengths == len(data))
        for place, byte in enumerate(data):
            at_place = self.spans.source.buffer.take(self.spans.start.take(candidates) + place)
            candidates = candidates[at_place == byte]
        return int(candidates[0]) if len(candidates) else -1

    def __repr__(self) -> str:
        return f"Vocabulary({self.strings[:5]!r}{', …' if len(self) > 5 else ''}; {len(self)} values)"


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One value a word: `vocabulary[ids[i]]` is the value of word i."""

    ids: Ids
    vocabulary: Vocabulary

    def __len__(self) -> int:
        return len(self.ids)

    def strings(self) -> list[str]:
        """The value of every word as a list of Python strings."""
        return [self.vocabulary.strings[number] for number in self.ids.tolist()]

    @property
    def is_empty(self) -> bool:
        """Whether no word has a value: every field is `_`."""
        return not len(self.vocabulary) or (len(self.vocabulary) == 1 and self.vocabulary[0] == "_")


@dataclass(frozen=True, slots=True, eq=False)
class MultiwordTokens:
    """Surface tokens of several words: the i-th covers the words `start[i]` up to, not including, `stop[i]`."""

    start: Indices
    stop: Indices
    rows: Indices

    def __len__(self) -> int:
        return len(self.start)


@dataclass(frozen=True, slots=True, eq=False)
class EmptyNodes:
    """Nodes of the enhanced graph without a form, such as 8.1: number `minor` after `major` words of a sentence."""

    sentence: Indices
    major: Indices
    minor: Indices
    rows: Indices

    def __len__(self) -> int:
        return len(self.sentence)


@dataclass(frozen=True, eq=False)
class Corpus:
    """Annotated text in columns.

    The *rows* are the lines that annotate something: words, multiword tokens, empty nodes. `edges` holds, for every
    row, the byte before its first field and the end of each field, so that field c of row r is the stretch of bytes
    `edges[c, r] + 1` … `edges[c + 1, r]` of `source`. `names` names the fields. All other arrays index words.

    Columns are made from the bytes when first asked for and then kept: `corpus.column("upos")`. In formats whose fields
    are no stretches of bytes (XML, or several lines a word), the reader gives the columns, and `edges` has one row.

    Documents are runs of sentences, at `document_offsets`, unless there are `document_groups`: these have the document
    of each sentence, which need not stand beside others of it (`karat.corpus.documents_from_comments`).
    """

    source: Source
    names: tuple[str, ...]
    edges: Ids
    word_rows: Indices
    sentence_offsets: Indices
    document_offsets: Indices
    document_names: tuple[str | None, ...]
    heads: Ids | None
    multiword: MultiwordTokens
    empty_nodes: EmptyNodes
    sent_ids: Spans
    format: str
    problems: tuple[Problem, ...] = ()
    oddities: tuple[Problem, ...] = ()
    document_groups: Indices | None = None
    _columns: dict[str, Column] = field(default_factory=dict, repr=False)

    @property
    def path(self) -> str:
        return self.source.path

    @property
    def n_words(self) -> int:
        return len(self.word_rows)

    @property
    def n_sentences(self) -> int:
        return len(self.sentence_offsets) - 1

    @property
    def n_documents(self) -> int:
        return len(self.document_offsets) - 1 if self.document_groups is None else len(self.document_names)

    @property
    def n_text_words(self) -> int:
        return self.n_words

    @property
    def has_fields_in_source(self) -> bool:
        """Whether each value of a word is a stretch of the source, which can be corrected there."""
        return len(self.edges) > 1

    @property
    def can_be_written(self) -> bool:
        """Whether the corpus can be written in the format in which it was read, with some values changed."""
        return self.has_fields_in_source or self.format in _WITH_CHOICES

    @property
    def n_tokens(self) -> int:
        """Surface tokens: words outside multiword tokens, and multiword tokens."""
        covered = int((self.multiword.stop - self.multiword.start).sum())
        return self.n_words - covered + len(self.multiword)

    @property
    def has_documents(self) -> bool:
        """Whether the text marks its documents, with `# newdoc` or with a comment that was asked for."""
        return bool(self.document_names)

    def __len__(self) -> int:
        return self.n_sentences

    def __repr__(self) -> str:
        return f"<Corpus {self.path}: {self.n_sentences:,} sentences, {self.n_words:,} words ({self.format})>"

    def spans(self, name: str, rows: Indices | None = None) -> Spans:
        """Where the bytes of a column's fields are, for all words or for the rows given."""
        if not self.has_fields_in_source:  # then words are rows
            column = self.column(name)
            return column.vocabulary.spans[column.ids if rows is None else column.ids.take(rows)]
        number = self.names.index(name)
        start, stop = self.edges[number], self.edges[number + 1]
        rows = self.word_rows if rows is None else rows
        if len(rows) < len(start):
            start, stop = start.take(rows), stop.take(rows)
        return Spans(self.source, start + np.int32(1), stop)

    def column(self, name: str) -> Column:
        """A column of the words: form, lemma, upos, xpos, feats, head, deprel, deps or misc."""
        column = self._columns.get(name)
        if column is None:
            if name not in self.names:
                raise UsageError(f"no column {name!r}; this corpus has {', '.join(self.names)}")
            column = self._columns[name] = self._made_column(name)
        return column

    def _made_column(self, name: str) -> Column:
        """A column made from the bytes.

        FORM to FEATS stand side by side and depend on each other so much that the five together have hardly more
        different values than FORM alone. They are interned as one, and each of them among the values of that one.
        """
        if name not in _TOGETHER or self.names[1:6] != _TOGETHER:
            spans = self.spans(name)
            ids, first = interned(spans)
            return Column(ids, Vocabulary(spans[first]))
        ids, first = self._form_to_feats
        distinct = self.spans(name, self.word_rows[first])
        ids_of_distinct, first_of_distinct = interned(distinct)
        return Column(ids_of_distinct.take(ids), Vocabulary(distinct[first_of_distinct]))

    @cached_property
    def _form_to_feats(self) -> tuple[Ids, Indices]:
        start, stop = self.spans(_TOGETHER[0]).start, self.spans(_TOGETHER[-1]).stop
        return interned(Spans(self.source, start, stop))

    def has(self, name: str) -> bool:
        """Whether the corpus has this column with at least one value that is not `_`."""
        if name == "head":
            return self.heads is not None
        return name in self.names and not self.column(name).is_empty

    @cached_property
    def words_sentence(self) -> Indices:
        """The sentence of every word."""
        return owners_of(np.diff(self.sentence_offsets))

    @cached_property
    def sentence_document(self) -> Indices:
        """The document of every sentence."""
        return owners_of(np.diff(self.document_offsets)) if self.document_groups is None else self.document_groups

    @cached_property
    def warnings(self) -> tuple[Problem, ...]:
        """What is odd but does no harm: what the reader found (`oddities`), missing and repeated sent_ids."""
        if self.format != "conllu":
            return self.oddities
        first_rows = self.word_rows.take(self.sentence_offsets[:-1], mode="clip")  # a bad sentence may have no words
        return (*self.oddities, *sent_id_warnings(self.sent_ids, self.edges[0].take(first_rows) + np.int32(1)))

    @cached_property
    def bad(self) -> Flags:
        """Sentences that have a problem; only where the corpus was read with `bad="keep"`."""
        bad = np.zeros(self.n_sentences, dtype=np.bool_)
        for problem in self.problems:
            if problem.sentence is not None:
                bad[problem.sentence] = True
        return bad

    def sent_id(self, sentence: int) -> str | None:
        """The `# sent_id` of a sentence, or the name it has in another format; None if it has none."""
        start, stop = int(self.sent_ids.start[sentence]), int(self.sent_ids.stop[sentence])
        return self.sent_ids.source.text(start, stop) if stop > start else None

    def sentence_text(self, sentence: int) -> str:
        """The surface tokens of a sentence, joined by spaces."""
        first, last = int(self.sentence_offsets[sentence]), int(self.sentence_offsets[sentence + 1])
        form = self.column("form")
        words = [form.vocabulary.strings[number] for number in form.ids[first:last].tolist()]
        begin, end = np.searchsorted(self.multiword.start, [first, last]).tolist()
        if begin < end:
            rows = self.multiword.rows[begin:end]
            surface = self.spans("form", rows).strings()
            for number in range(end - begin - 1, -1, -1):
                token = begin + number
                start, stop = int(self.multiword.start[token]) - first, int(self.multiword.stop[token]) - first
                words[start:stop] = [surface[number]]
        return " ".join(words)

    def words_of(self, sentence: int) -> tuple[str, ...]:
        """The forms of a sentence's words."""
        first, stop = self.sentence_offsets[sentence : sentence + 2].tolist()
        form = self.column("form")
        return tuple(form.vocabulary.strings[number] for number in form.ids[first:stop].tolist())

    def line_of(self, sentence: int) -> int:
        """The line, from 1, on which a sentence's first word stands in its file."""
        return self.line_of_word(int(self.sentence_offsets[sentence]))

    def line_of_word(self, word: int) -> int:
        """The line, from 1, on which a word stands in its file."""
        return self.place_of_word(word)[1]

    def place_of_word(self, word: int) -> tuple[str, int, int]:
        """Path, line and column, from 1, at which the row of a word begins in its file."""
        return self.source.place(int(self.edges[0, self.word_rows[word]]) + 1)


def corpus_of_words(source: Source, names: tuple[str, ...], edges: Ids, offsets: Indices, format_: str) -> Corpus:
    """The corpus whose rows are words and nothing else, in sentences of one document."""
    none = np.zeros(0, dtype=np.intp)
    n_sentences = len(offsets) - 1
    nowhere = np.zeros(n_sentences, dtype=np.int32)
    return Corpus(
        source=source,
        names=names,
        edges=edges,
        word_rows=np.arange(edges.shape[1]),
        sentence_offsets=offsets,
        document_offsets=np.array([0, n_sentences]),
        document_names=(),
        heads=None,
        multiword=MultiwordTokens(none, none, none),
        empty_nodes=EmptyNodes(none, none, none, none),
        sent_ids=Spans(source, nowhere, nowhere),
        format=format_,
    )
