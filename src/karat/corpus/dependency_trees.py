"""Whether heads make trees: in range, one root, no cycle. No recursion, so that depth does not matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from karat._arrays import Ids, Indices
from karat._ragged import owners_of
from karat.corpus.source import Source
from karat.errors import Problem

__all__ = ["MISSING", "cycle_shown", "refused_heads", "tree_problems", "unrooted"]

MISSING = -1  # the head of a word whose HEAD is `_`


def tree_problems(source: Source, heads: Ids, sentence_offsets: Indices, places: Ids) -> list[Problem]:
    """The sentences whose heads are no tree, the first reason each; `places` are the byte places of the HEAD fields.

    `heads` count from 1 within the sentence, 0 is the root.
    """
    lengths = np.diff(sentence_offsets)
    sentence = owners_of(lengths)
    is_root = heads == 0
    n_roots = np.bincount(sentence[is_root], minlength=len(lengths))
    missing = np.flatnonzero(heads == MISSING)
    outside = np.flatnonzero(heads > lengths.take(sentence))
    found: dict[int, Problem] = {}

    def add(word: int, code: str, message: str, hint: str = "") -> None:
        number = int(sentence[word])
        if number not in found:
            found[number] = source.problem(code, message, int(places[word]), hint=hint, sentence=number)

    for word in missing.tolist():
        add(word, "K212", "HEAD is missing", "give every word a head, or measure tags only (UPOS)")
    for word in outside.tolist():
        size = int(lengths[sentence[word]])
        add(word, "K208", f"HEAD {heads[word]} is out of range: the sentence has {size} word{'s' * (size != 1)}")
    for number in np.flatnonzero((n_roots == 0) & (lengths > 0)).tolist():
        add(int(sentence_offsets[number]), "K210", "the sentence has no root", "exactly one word must have HEAD 0")
    for number in np.flatnonzero(n_roots > 1).tolist():
        roots = np.flatnonzero(is_root[sentence_offsets[number] : sentence_offsets[number + 1]])
        message = f"the sentence has {len(roots)} roots; this is the second"
        add(int(sentence_offsets[number] + roots[1]), "K211", message, "only one word may have HEAD 0")
    for word in _on_cycles(heads, sentence_offsets, sentence, set(found)):
        add(
            word,
            "K209",
            f"this HEAD is part of a cycle: {cycle_shown(heads, int(sentence_offsets[sentence[word]]), word)}",
        )
    return [found[number] for number in sorted(found)]


def unrooted(parents: Indices) -> Indices:
    """The nodes from which following parents never leads outside; a parent of `len(parents)` is outside.

    Every step doubles the distance looked ahead, so that a chain of n nodes takes log2 n steps.
    """
    outside = len(parents)
    ahead = np.append(parents, outside)
    for _ in range(outside.bit_length() + 1):
        if ahead.min(initial=outside) == outside:
            break
        ahead = ahead.take(ahead)
    return np.flatnonzero(ahead[:-1] < outside)


def _on_cycles(heads: Ids, offsets: Indices, sentence: Indices, spoiled: set[int]) -> list[int]:
    """One word of a cycle for each sentence that has one."""
    parents = offsets.take(sentence) + heads - 1
    parents[heads <= 0] = len(heads)
    if spoiled:
        parents[np.isin(sentence, list(spoiled))] = len(heads)
    caught = unrooted(parents)
    words: dict[int, int] = {}
    for word in caught.tolist():
        number = int(sentence[word])
        if number not in words:
            seen = set()
            while word not in seen:  # a caught word leads to a cycle but need not be on it
                seen.add(word)
                word = int(parents[word])
            words[number] = word
    return list(words.values())


def cycle_shown(heads: Ids, offset: int, word: int) -> str:
    """The words of a cycle, numbered in their sentence, which begins at `offset`."""
    numbers = [word - offset + 1]
    while (following := int(heads[offset + numbers[-1] - 1])) != numbers[0]:
        numbers.append(following)
    shown = numbers if len(numbers) <= 8 else [*numbers[:7], "…"]
    return " → ".join(map(str, [*shown, numbers[0]]))


def refused_heads(heads: Sequence[int], new: Mapping[int, int]) -> dict[int, str]:
    """Those of a sentence's new heads that cannot be had if it is to stay a tree, each with the reason.

    `heads` are a tree's, from 1, and 0 for the root; `new` has those of some words, by their places from 0. All are
    tried together, since only together they may make a tree. What then breaks it is refused, and what is left tried
    again: the new heads on a cycle; the new roots where there are several; the root's new head where there is none.

    >>> refused_heads([0, 1, 2], {0: 2, 1: 0})  # the two change places
    {}
    >>> refused_heads([0, 1, 2], {1: 3, 2: 1, 0: 0})
    {}
    >>> refused_heads([0, 1, 1], {1: 3, 2: 2})
    {1: '2 → 3 → 2 is a cycle', 2: '2 → 3 → 2 is a cycle'}
    """
    left = {place: head for place, head in new.items() if head != heads[place]}
    refused: dict[int, str] = {}
    while broken := _broken([left.get(place, head) for place, head in enumerate(heads)], left, heads):
        refused |= broken
        left = {place: head for place, head in left.items() if place not in broken}
    return refused


def _broken(now: Sequence[int], changed: Mapping[int, int], before: Sequence[int]) -> dict[int, str]:
    """The changed heads that keep heads from being a tree."""
    roots = [place for place, head in enumerate(now) if head == 0]
    if len(roots) > 1:
        return {place: f"the sentence would have {len(roots)} roots" for place in roots if place in changed}
    if not roots:
        return {place: "the sentence would have no root" for place in changed if before[place] == 0}
    for place in sorted(changed):
        way = [place]
        while (following := now[way[-1]] - 1) >= 0 and following not in way:
            way.append(following)
        if following >= 0:
            cycle = way[way.index(following) :]
            shown = " → ".join(str(one + 1) for one in [*cycle, cycle[0]])
            return {one: f"{shown} is a cycle" for one in sorted(cycle) if one in changed}
    return {}
