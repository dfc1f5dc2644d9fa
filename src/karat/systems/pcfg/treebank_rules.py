"""The rules of a treebank's trees, made binary from the right: how grammars are read off.

A phrase with more than two children becomes a chain of binary rules through states between brackets, `NP|<JJ-NN>`:
what is still to be made of an NP, by its next children (the horizontal order says how many of them are known). Labels
may carry those of the phrases above them, `NP^S` (the vertical order counts the label itself) [Johnson 1998; Klein &
Manning 2003].

Trees come in as arrays, and rules are counted as arrays: nothing is done node by node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Ids, Indices
from karat._numbering import numbered_pairs, numbered_values
from karat._ragged import offsets_of, stretches
from karat.corpus.constituency_trees import OUTER_LABELS, Trees, category_of
from karat.corpus.interning import Spans, interned
from karat.measures.brackets.preparation import nearest_kept

TOP = "TOP"  # the label of the bracket around a tree, whatever it is in the treebank


@dataclass(frozen=True, slots=True, eq=False)
class TreebankRules:
    """How often each rule is used in a treebank.

    Symbols are numbers: those of tags come first, then `n_tags` up to `n_closed` phrases, then states. `labels` are
    tags and categories, `label_of` says which one a tag or phrase has. Rules of one child are `unary` (parent, child),
    those of two `binary` (parent, left, right), each with its count. States of one family are those of the same phrase
    that differ in their first child only. `words` are tag and form of all words, the form by
    its number among the `forms`.
    """

    names: tuple[str, ...]
    labels: tuple[str, ...]
    label_of: Ids
    n_tags: int
    n_closed: int
    start: int
    unary: Indices
    unary_counts: Indices
    binary: Indices
    binary_counts: Indices
    families: Ids
    words: Indices
    forms: tuple[str, ...]
    n_trees: int
    outer: str


def rule_counts(trees: Trees, *, vertical: int = 1, horizontal: int = 2) -> TreebankRules:
    """The rules of all trees that have words; traces, and phrases that hold nothing else, are left out.

    Labels are cut at `-` and `=`. A phrase that is the only child of another of the same label is one with it.
    """
    nodes = _nodes(trees)
    phrases, phrase_names = _with_ancestors(nodes.labels, nodes.parents, nodes.names, vertical)
    n_tags, n_closed = len(nodes.tag_names), len(nodes.tag_names) + len(phrase_names)
    symbols = phrases.astype(np.intp) + n_tags
    children = _children(nodes, symbols)
    states, state_names, families = _states(children, phrases, phrase_names, nodes, horizontal)
    parents, lefts, rights = _binary_rows(children, symbols, states + n_closed)
    alone = np.flatnonzero(children.sizes.take(children.owner) == 1)
    n = n_closed + len(state_names)
    unary, unary_counts = _counted(n, symbols.take(children.owner[alone]), children.symbol[alone])
    binary, binary_counts = _counted(n, parents, lefts, rights)
    forms, form_ids = _texts(trees.forms[nodes.words])
    (start,) = np.unique(phrases[nodes.parents < 0]) + n_tags
    label_of = np.concatenate([np.arange(n_tags), n_tags + _first_of(phrases, nodes.labels, len(phrase_names))])
    return TreebankRules(
        names=(*nodes.tag_names, *phrase_names, *state_names),
        labels=(*nodes.tag_names, *nodes.names),
        label_of=label_of.astype(np.int32),
        n_tags=n_tags,
        n_closed=n_closed,
        start=int(start),
        unary=unary,
        unary_counts=unary_counts,
        binary=binary,
        binary_counts=binary_counts,
        families=families,
        words=np.stack([nodes.tags, form_ids], axis=1).astype(np.intp),
        forms=tuple(forms),
        n_trees=int((nodes.parents < 0).sum()),
        outer=nodes.outer,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Nodes:
    """The phrases of trees, with one around each tree, and the words that are left."""

    labels: Ids  # of phrases, among the names
    names: tuple[str, ...]
    parents: Indices  # -1: the one around the tree
    start: Indices
    words: Indices  # which words of the trees these are
    tags: Ids
    tag_names: tuple[str, ...]
    word_parents: Indices
    outer: str


def _nodes(trees: Trees) -> _Nodes:
    kept_words = ~trees.traces
    words = np.flatnonzero(kept_words)
    new_number = offsets_of(kept_words)
    start, stop = new_number.take(trees.start), new_number.take(trees.stop)
    texts, ids = _texts(trees.labels)
    known: dict[str, int] = {TOP: 0}
    is_outer_name = np.array([text in OUTER_LABELS for text in texts], dtype=np.bool_)
    is_outer: Flags = (trees.parents < 0) & (is_outer_name.take(ids) if len(ids) else np.zeros(0, dtype=np.bool_))
    kept = (stop > start) & ~is_outer
    is_used = np.zeros(len(texts), dtype=np.bool_)  # labels that only phrases without words have are no symbols
    is_used[ids[kept]] = True
    is_top = is_outer_name | ~is_used
    named = [TOP if top else category_of(text) for text, top in zip(texts, is_top.tolist(), strict=True)]
    labels = numbered_values(named, known)
    labels = labels.take(ids) if len(ids) else np.zeros(0, dtype=np.int32)
    above = nearest_kept(trees.parents, kept)
    same = kept & (above >= 0) & (start.take(above) == start) & (stop.take(above) == stop)
    same &= labels.take(above) == labels
    kept &= ~same
    above = nearest_kept(trees.parents, kept)
    has_words = np.diff(new_number.take(trees.word_offsets)) > 0
    tops = np.flatnonzero(has_words)  # one around each tree that has words; they come first
    top_of_tree = np.full(trees.n_trees, -1, dtype=np.intp)
    top_of_tree[tops] = np.arange(len(tops))
    chosen = np.flatnonzero(kept)
    number = np.cumsum(kept) - 1 + len(tops)
    of_tree = top_of_tree.take(trees.node_trees.take(chosen))
    parents = np.where(above[chosen] >= 0, number.take(np.maximum(above[chosen], 0)), of_tree)
    sizes = stop[chosen] - start[chosen]
    word_parents = top_of_tree.take(trees.word_trees.take(words))
    # phrases come in the order in which they open: the last one around a word is the one right above it
    np.maximum.at(word_parents, stretches(start[chosen], sizes), np.repeat(number[chosen], sizes))
    tag_texts, tag_ids = _texts(trees.tags[words])
    tag_names: dict[str, int] = {}
    tags = numbered_values(tag_texts, tag_names).take(tag_ids)
    outer = [texts[one] for one in ids[is_outer].tolist()] if is_outer.any() else []
    return _Nodes(
        labels=np.append(np.zeros(len(tops), dtype=np.int32), labels[chosen]).astype(np.int32),
        names=tuple(known),
        parents=np.append(np.full(len(tops), -1), parents),
        start=np.append(new_number.take(trees.word_offsets[:-1].take(tops)), start[chosen]),
        words=words,
        tags=tags,
        tag_names=tuple(tag_names),
        word_parents=word_parents,
        outer=max(set(outer), key=outer.count) if outer else "",
    )


def _texts(spans: Spans) -> tuple[list[str], Ids]:
    """The distinct strings, and the number of each span's."""
    ids, first = interned(spans)
    return spans[first].strings(), ids


def _with_ancestors(labels: Ids, parents: Indices, names: Sequence[str], order: int) -> tuple[Ids, list[str]]:
    """Labels with those of the phrases above them, `order` labels in all, as numbers, and their names."""
    found, found_names = labels, list(names)
    for _ in range(order - 1):
        none = len(found_names)
        above = np.where(parents < 0, none, found.take(np.maximum(parents, 0)))
        own, others, found = numbered_pairs(labels, above, len(names), none + 1)
        found_names = [
            names[one] if other == none else f"{names[one]}^{found_names[other]}"
            for one, other in zip(own.tolist(), others.tolist(), strict=True)
        ]
    return found, found_names


@dataclass(frozen=True, slots=True, eq=False)
class _Children:
    """The children of all phrases, phrase by phrase and from left to right."""

    owner: Indices  # the phrase
    place: Indices  # from 0, in the phrase
    sizes: Indices  # how many children each phrase has
    symbol: Indices  # of the child
    label: Indices  # the child's tag or category without ancestors


def _children(nodes: _Nodes, phrases: Indices) -> _Children:
    below = np.flatnonzero(nodes.parents >= 0)
    owner = np.append(nodes.parents[below], nodes.word_parents)
    start = np.append(nodes.start[below], np.arange(len(nodes.words)))
    symbol = np.append(phrases[below], nodes.tags)
    label = np.append(nodes.labels[below] + len(nodes.tag_names), nodes.tags)
    order = np.lexsort((start, owner))
    sizes = np.bincount(owner, minlength=len(nodes.parents))
    place = stretches(0, sizes)
    return _Children(owner[order], place, sizes, symbol[order].astype(np.intp), label[order].astype(np.intp))


def _states(
    children: _Children, phrases: Ids, phrase_names: Sequence[str], nodes: _Nodes, order: int
) -> tuple[Indices, list[str], Ids]:
    """The state behind each child that has at least two to its right, -1 behind others; the states' names.

    And for each state a number, the same for those of one phrase that differ in the first child only.
    """
    label_names = (*nodes.tag_names, *nodes.names)
    none = len(label_names)
    sizes = children.sizes.take(children.owner)
    behind = np.flatnonzero(children.place < sizes - 2)
    found = rest = phrases.take(children.owner[behind])
    names: list[tuple[str, tuple[str, ...]]] = [(name, ()) for name in phrase_names]
    n_rest = len(names)
    for ahead in range(1, min(order, int(children.sizes.max(initial=1))) + 1):
        there = children.place[behind] + ahead < sizes[behind]
        label = np.where(there, children.label.take(np.minimum(behind + ahead, len(sizes) - 1)), none)
        one, other, found = numbered_pairs(found, label, len(names), none + 1)
        names = [
            (names[a][0], names[a][1] if b == none else (*names[a][1], label_names[b]))
            for a, b in zip(one.tolist(), other.tolist(), strict=True)
        ]
        if ahead > 1:
            first, _, rest = numbered_pairs(rest, label, n_rest, none + 1)
            n_rest = len(first)
    if order == 0:
        used, numbers = np.unique(found, return_inverse=True)
        found = numbers.astype(np.int32)
        names = [names[one] for one in used.tolist()]
    states = np.full(len(children.owner), -1, dtype=np.intp)
    states[behind] = found
    shown = [f"{phrase}|<{'-'.join(ahead)}>" for phrase, ahead in names]
    return states, shown, _first_of(found, rest, len(names))


def _binary_rows(children: _Children, phrases: Indices, states: Indices) -> tuple[Indices, Indices, Indices]:
    """Parent, left and right of every binary rule that is used: one for each child but the last."""
    sizes = children.sizes.take(children.owner)
    rows = np.flatnonzero(children.place < sizes - 1)
    is_first = children.place[rows] == 0
    parents = np.where(is_first, phrases.take(children.owner[rows]), states.take(np.maximum(rows - 1, 0)))
    is_last = children.place[rows] == sizes[rows] - 2
    rights = np.where(is_last, children.symbol.take(np.minimum(rows + 1, len(states) - 1)), states[rows])
    return parents.astype(np.intp), children.symbol[rows], rights


def _counted(n: int, *columns: Indices) -> tuple[Indices, Indices]:
    """The distinct rows of symbols below n, and how often each is there."""
    keys = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        keys = keys * n + column
    distinct, counts = np.unique(keys, return_counts=True)
    rows = []
    for _ in columns:
        distinct, rest = np.divmod(distinct, n)
        rows.append(rest)
    return np.stack(rows[::-1], axis=1).astype(np.intp), counts


def _first_of(numbers: Ids, values: Ids, n: int) -> Ids:
    """For each number below n, the value that goes with it."""
    found = np.zeros(n, dtype=np.int32)
    found[numbers] = values
    return found
