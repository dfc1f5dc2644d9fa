"""Making trees comparable before brackets are counted [Hogenhout & Matsumoto 1996, §4, steps 1–3].

Each step has its own switch: words that do not matter, such as punctuation, are dropped; brackets that become empty go
with them; doubled brackets, `[[old man]]`, become one; brackets around a single word go. An outermost bracket that only
holds the tree together (ROOT, TOP, S1, or without a label) is no bracket of the analysis.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat._compiled import pays
from karat._numbering import numbered_values
from karat.corpus.constituency_trees import OUTER_LABELS, Trees, category_of


@dataclass(frozen=True, slots=True)
class Preparation:
    """Which brackets count. With `labelled`, doubled brackets are those that also have the same label."""

    drop_empty: bool = True
    merge_doubled: bool = True
    drop_one_word: bool = True
    drop_outer: bool = True
    labelled: bool = False


@dataclass(frozen=True, eq=False)
class Brackets:
    """The brackets that count, in the order in which they open.

    `trees` is the tree of each, `start` and `stop` its words, numbered through all trees without those that were
    dropped; `word_offsets` are those of the trees. `labels` are numbers of `names`; `parents` the bracket that is next
    above, or -1; `nodes` the node of the trees that it was.
    """

    n_trees: int
    word_offsets: Indices
    trees: Indices
    start: Ids
    stop: Ids
    labels: Ids
    names: tuple[str, ...]
    parents: Ids
    nodes: Indices

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def spans_tree(self) -> Flags:
        """The brackets around all words of their tree: the sentence's own."""
        first, last = self.word_offsets.take(self.trees), self.word_offsets.take(self.trees + 1)
        spans: Flags = (self.start == first) & (self.stop == last)
        return spans

    def only(self, chosen: Flags) -> Brackets:
        """The chosen brackets, which are all or none of a tree."""
        number = np.cumsum(chosen, dtype=np.int32) - 1
        parents = self.parents[chosen]
        return replace(
            self,
            trees=self.trees[chosen],
            start=self.start[chosen],
            stop=self.stop[chosen],
            labels=self.labels[chosen],
            parents=np.where(parents < 0, -1, number.take(np.maximum(parents, 0))).astype(np.int32),
            nodes=self.nodes[chosen],
        )

    def over(self, word_offsets: Indices) -> Brackets:
        """The same brackets over words numbered as on another side, where trees may be missing here."""
        shift = (word_offsets[:-1] - self.word_offsets[:-1]).astype(np.int32).take(self.trees)
        return replace(self, word_offsets=word_offsets, start=self.start + shift, stop=self.stop + shift)

    def tally(self, chosen: Flags | None = None) -> Indices:
        """How many brackets each tree has; with `chosen`, of those."""
        return np.bincount(self.trees if chosen is None else self.trees[chosen], minlength=self.n_trees)


def prepared(
    trees: Trees, dropped: Flags | None = None, how: Preparation | None = None, *, cut_labels: bool = True
) -> Brackets:
    """The brackets of trees that count; `dropped` flags the words that do not matter.

    With `cut_labels`, what stands behind the first `-` or `=` of a label (functions, indices) is left out, unless the
    label begins with it.
    """
    how = how or Preparation()
    kept_words = np.ones(trees.n_words, dtype=np.bool_) if dropped is None else ~dropped
    labels, names = _labels(trees, cut=cut_labels)
    is_outer = np.array([name in OUTER_LABELS for name in names], dtype=np.bool_).take(labels) & (trees.parents < 0)
    return counted_brackets(trees, kept_words, labels, names, how, is_outer if how.drop_outer else None)


def counted_brackets(
    trees: Trees,
    kept_words: Flags,
    labels: Ids,
    names: tuple[str, ...],
    how: Preparation,
    left_out: Flags | None = None,
) -> Brackets:
    """The nodes of trees that count as brackets over the kept words, but for those that are `left_out`."""
    new_number = numbers_of_kept(kept_words)
    start, stop = new_number.take(trees.start), new_number.take(trees.stop)
    size = stop - start
    kept = size > (1 if how.drop_one_word else 0)
    if not how.drop_empty:
        kept |= size == 0
    if left_out is not None:
        kept &= ~left_out
    if how.merge_doubled:
        kept &= ~_doubled(trees.parents, kept, start, stop, labels if how.labelled else None)
    return chosen_brackets(trees, kept, kept_words, labels, names)


def chosen_brackets(trees: Trees, kept: Flags, kept_words: Flags, labels: Ids, names: tuple[str, ...]) -> Brackets:
    """The kept nodes of trees as brackets over the kept words."""
    new_number = numbers_of_kept(kept_words)
    start, stop, labels, parents, bracket_trees, nodes = _chosen(trees, kept, new_number, labels)
    return Brackets(
        n_trees=trees.n_trees,
        word_offsets=new_number.take(trees.word_offsets).astype(np.intp),
        trees=bracket_trees,
        start=start,
        stop=stop,
        labels=labels,
        names=names,
        parents=parents,
        nodes=nodes,
    )


def numbers_of_kept(kept_words: Flags) -> Ids:
    """How many words are kept before each, and of all."""
    if pays():
        from karat.measures.brackets import _compiled as compiled

        return compiled.numbers_of_kept(kept_words)
    numbers = np.zeros(len(kept_words) + 1, dtype=np.int32)
    np.cumsum(kept_words, out=numbers[1:])
    return numbers


def _chosen(trees: Trees, kept: Flags, new_number: Ids, labels: Ids) -> tuple[Ids, Ids, Ids, Ids, Indices, Indices]:
    """Start, stop, label and parent of the kept nodes over renumbered words, their trees, and which nodes they are."""
    if pays():
        from karat.measures.brackets import _compiled as compiled

        return compiled.chosen(kept, new_number, trees.start, trees.stop, labels, trees.parents, trees.node_offsets)
    nodes = np.flatnonzero(kept)
    start, stop = new_number.take(trees.start.take(nodes)), new_number.take(trees.stop.take(nodes))
    above = nearest_kept(trees.parents, kept).take(nodes)
    numbers = np.cumsum(kept, dtype=np.int32) - np.int32(1)
    parents = np.where(above < 0, np.int32(-1), numbers.take(np.maximum(above, 0)))
    return start, stop, labels.take(nodes), parents, trees.node_trees.take(nodes), nodes


def _labels(trees: Trees, *, cut: bool) -> tuple[Ids, tuple[str, ...]]:
    """The label of each node as a number, and the labels."""
    from karat.corpus.interning import interned

    ids, first = interned(trees.labels)
    seen: dict[str, int] = {}
    texts = trees.labels[first].strings()
    return numbered_values(map(category_of, texts) if cut else texts, seen).take(ids), tuple(seen)


def nearest_kept(parents: Ids, kept: Flags) -> Ids:
    """For each node the nearest node above it that is kept, or -1."""
    if pays():
        from karat.measures.brackets import _compiled as compiled

        return compiled.nearest_kept(parents, kept)
    numbers = np.arange(len(parents) + 1, dtype=np.int32)
    numbers[-1] = -1  # the place of -1: above the outermost
    return _end_of_chain(np.append(np.where(kept, numbers[:-1], parents), np.int32(-1)))[parents]


def _end_of_chain(steps: Ids) -> Ids:
    """Where one ends up from each place by steps that at last stay where they are, each time twice as many at once."""
    while True:
        further = steps[steps]
        if np.array_equal(further, steps):
            return steps
        steps = further


def _doubled(parents: Ids, kept: Flags, start: Ids, stop: Ids, labels: Ids | None) -> Flags:
    """Kept nodes around the same words as a kept node above them (and, with labels, of the same label)."""
    above = nearest_kept(parents, kept)
    same_words: Flags = (above >= 0) & kept & (start.take(above) == start) & (stop.take(above) == stop)
    if labels is None or not same_words.any():
        return same_words
    # nodes around the same words are one chain; of each label the outermost, which comes first, stays
    chain = _end_of_chain(np.where(same_words, above, np.arange(len(parents), dtype=np.int32)))
    nodes = np.flatnonzero(kept & (stop > start))
    keys = chain[nodes].astype(np.int64) * (int(labels.max(initial=0)) + 1) + labels[nodes]
    _, first = np.unique(keys, return_index=True)
    found = np.zeros(len(parents), dtype=np.bool_)
    found[nodes] = True
    found[nodes[first]] = False
    return found | _empty_doubled(above, same_words & (stop == start), labels)


def _empty_doubled(above: Ids, same_words: Flags, labels: Ids) -> Flags:
    """The same of empty nodes, which may stand side by side: one looks up from each while the words are the same."""
    found = np.zeros(len(above), dtype=np.bool_)
    nodes = np.flatnonzero(same_words)
    at = above[nodes]
    while len(nodes):
        found[nodes] |= labels[at] == labels[nodes]
        goes_on = same_words[at]
        nodes, at = nodes[goes_on], above[at[goes_on]]
    return found
