"""Trees of phrases, as arrays; `brackets` reads them. (Whether heads make trees is in `dependency_trees`.)"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat._ragged import offsets_of, owners_of
from karat.corpus.interning import Spans, interned
from karat.corpus.source import Source
from karat.errors import Problem

TRACE = "-NONE-"  # the tag of empty elements
OUTER_LABELS = frozenset({"", "ROOT", "TOP", "S1"})  # of a bracket that only holds a tree together


def category_of(label: str) -> str:
    """A label without functions and indices.

    >>> category_of("NP-SBJ-1"), category_of("VP=2"), category_of("-NONE-")
    ('NP', 'VP', '-NONE-')
    """
    return label.split("-")[0].split("=")[0] or label


@dataclass(frozen=True, eq=False)
class Trees:
    """Trees as arrays.

    Words are the leaves with their part of speech: `tags` and `forms`. Nodes are all other brackets, in the order in
    which they open, so that a node comes after its parent: `start` and `stop` are the first word below it and the one
    after its last, `parents` the number of the node above it or -1, `labels` what stands behind the bracket. Words and
    nodes are numbered through all trees; tree i has the words `word_offsets[i]` up to `word_offsets[i + 1]` and the
    nodes `node_offsets[i]` up to `node_offsets[i + 1]`. A missing parse is a tree without words. Each file is a
    document; `names` are those of the files in a folder, without the folder's; `surplus` are its files that no gold
    file goes with.
    """

    source: Source
    forms: Spans
    tags: Spans
    labels: Spans
    start: Ids
    stop: Ids
    parents: Ids
    word_offsets: Indices
    node_offsets: Indices
    tree_places: Indices
    document_offsets: Indices
    problems: tuple[Problem, ...] = ()
    oddities: tuple[Problem, ...] = ()
    names: tuple[str, ...] = ()
    surplus: tuple[str, ...] = ()

    format = "brackets"
    has_documents = True

    @property
    def path(self) -> str:
        return self.source.path

    @property
    def n_trees(self) -> int:
        return len(self.word_offsets) - 1

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What is odd but does no harm, as the reader found it."""
        return self.oddities

    @property
    def n_sentences(self) -> int:
        return self.n_trees

    @property
    def sentence_offsets(self) -> Indices:
        return self.word_offsets

    @property
    def n_text_words(self) -> int:
        """The words without traces, which are not in the text."""
        return int((~self.traces).sum())

    @property
    def n_tokens(self) -> int:
        return self.n_text_words

    @property
    def n_documents(self) -> int:
        return len(self.document_offsets) - 1

    @property
    def n_words(self) -> int:
        return len(self.forms)

    @property
    def n_nodes(self) -> int:
        return len(self.labels)

    @property
    def document_names(self) -> tuple[str, ...]:
        return self.names or tuple(part.path for part in self.source.parts)

    @cached_property
    def traces(self) -> Flags:
        """The words that are no words: empty elements, tagged -NONE-."""
        traces = np.zeros(self.n_words, dtype=np.bool_)
        as_long = np.flatnonzero(self.tags.lengths == len(TRACE))
        ids, first = interned(self.tags[as_long])
        is_trace = np.array([tag == TRACE for tag in self.tags[as_long[first]].strings()], dtype=np.bool_)
        traces[as_long] = is_trace.take(ids) if len(ids) else False
        return traces

    @cached_property
    def sentence_document(self) -> Indices:
        """The document of every tree."""
        return owners_of(np.diff(self.document_offsets))

    @cached_property
    def missing(self) -> Flags:
        """The trees that are missing parses, bad ones included."""
        missing: Flags = np.diff(self.word_offsets) == 0
        return missing

    @cached_property
    def bad(self) -> Flags:
        """The trees that have a problem; only where they were read with `bad="keep"`."""
        bad = np.zeros(self.n_trees, dtype=np.bool_)
        for problem in self.problems:
            if problem.sentence is not None:
                bad[problem.sentence] = True
        return bad

    @cached_property
    def node_trees(self) -> Indices:
        """The tree of every node."""
        return owners_of(np.diff(self.node_offsets))

    @cached_property
    def word_trees(self) -> Indices:
        """The tree of every word."""
        return owners_of(np.diff(self.word_offsets))

    def between(self, first: int, stop: int) -> Trees:
        """The trees from one up to another, as if there were no others."""
        first_word, last_word = self.word_offsets[[first, stop]].tolist()
        first_node, last_node = self.node_offsets[[first, stop]].tolist()
        words, nodes = slice(first_word, last_word), slice(first_node, last_node)
        parents = self.parents[nodes] - np.int32(first_node)
        return Trees(
            source=self.source,
            forms=self.forms[words],
            tags=self.tags[words],
            labels=self.labels[nodes],
            start=self.start[nodes] - np.int32(first_word),
            stop=self.stop[nodes] - np.int32(first_word),
            parents=np.maximum(parents, -1),
            word_offsets=self.word_offsets[first : stop + 1] - first_word,
            node_offsets=self.node_offsets[first : stop + 1] - first_node,
            tree_places=self.tree_places[first:stop],
            document_offsets=np.clip(self.document_offsets, first, stop) - first,
            names=self.names,
        )

    def only(self, chosen: Flags) -> Trees:
        """The chosen trees, as if there were no others."""
        words, nodes = (np.repeat(chosen, np.diff(offsets)) for offsets in (self.word_offsets, self.node_offsets))
        words_before, nodes_before = (
            np.append(np.int32(0), np.cumsum(kept, dtype=np.int32)) for kept in (words, nodes)
        )
        parents = self.parents[nodes]
        return Trees(
            source=self.source,
            forms=self.forms[words],
            tags=self.tags[words],
            labels=self.labels[nodes],
            start=words_before.take(self.start[nodes]),
            stop=words_before.take(self.stop[nodes]),
            parents=np.where(parents < 0, np.int32(-1), nodes_before.take(parents)),
            word_offsets=offsets_of(np.diff(self.word_offsets)[chosen]),
            node_offsets=offsets_of(np.diff(self.node_offsets)[chosen]),
            tree_places=self.tree_places[chosen],
            document_offsets=np.append(0, np.cumsum(chosen)).take(self.document_offsets),
            names=self.names,
        )

    def tally_words(self, chosen: Flags) -> Indices:
        """How many of the chosen words each tree has."""
        before = np.append(0, np.cumsum(chosen, dtype=np.int32))
        return np.diff(before.take(self.word_offsets)).astype(np.intp)

    def line_of(self, sentence: int) -> int:
        """The line, from 1, on which a tree begins in its file."""
        return self.source.place(int(self.tree_places[sentence]))[1]

    def sent_id(self, sentence: int) -> str:
        """The number of a tree, from 1, in its file; behind the file's name where there are several."""
        document = int(np.searchsorted(self.document_offsets, sentence, side="right")) - 1
        number = sentence - int(self.document_offsets[document]) + 1
        return str(number) if self.n_documents == 1 else f"{self.document_names[document]}:{number}"

    def words_of(self, sentence: int) -> tuple[str, ...]:
        """The forms of a tree's words."""
        first, stop = self.word_offsets[sentence : sentence + 2].tolist()
        return tuple(self.forms[np.arange(first, stop)].strings())

    def __len__(self) -> int:
        return self.n_trees

    def __repr__(self) -> str:
        return f"<Trees {self.path}: {self.n_trees:,} trees, {self.n_words:,} words, {self.n_nodes:,} brackets>"
