"""Whether heads make trees: in range, one root, no cycle. No recursion, so that depth does not matter."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from karat._arrays import Ids, Indices
from karat._ragged import owners_of
from karat.corpus.source import Source
from karat.errors import Problem

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


def refused_heads(heads: Ids, new: Mapping[int, int]) -> dict[int, str]:
    """Those of a sentence's new heads that cannot be had if it is to stay a tree, each with the reason.

    `heads` are from 1, and 0 for the root; `new` has those of some words, by their places from 0. Where all of them
    together leave a tree, none is refused. Else they are made one after the other, in the order given, as long as there
    is one that leaves a tree.

    >>> refused_heads(np.array([0, 1, 2]), {0: 2, 1: 0})  # the two change places
    {}
    >>> refused_heads(np.array([0, 1, 1]), {1: 3, 2: 2})
    {2: 'there would be a cycle: 3 → 2 → 3'}
    """
    if not _fault(_with(heads, new)):
        return {}
    was_tree = not _fault(heads)
    pending, is_done = dict(new), False
    while not is_done:
        is_done, tried, pending = True, pending, {}
        for place, head in tried.items():
            changed = _with(heads, {place: head})
            if _fault(changed):
                pending[place] = head
            else:
                heads, is_done = changed, False
    reasons = {place: _fault(_with(heads, {place: head})) for place, head in pending.items()}
    also = "" if was_tree else ", and the sentence is not a tree as it is"
    return {place: f"{reason}{also}" for place, reason in reasons.items()}


def _with(heads: Ids, new: Mapping[int, int]) -> Ids:
    heads = heads.copy()
    for place, head in new.items():
        heads[place] = head
    return heads


def _fault(heads: Ids) -> str:
    """Why these heads of a sentence are no tree; "" if they are one."""
    if (heads < 0).any() or (heads > len(heads)).any():
        return "a head would be missing or out of range"
    n_roots = int((heads == 0).sum())
    if n_roots != 1:
        return f"the sentence would have {n_roots or 'no'} root{'s' * (n_roots > 1)}"
    caught = unrooted(np.where(heads == 0, len(heads), heads - 1).astype(np.intp))
    if not len(caught):
        return ""
    word = int(caught[0])
    for _ in range(len(heads)):  # from a word that leads to the cycle onto the cycle itself
        word = int(heads[word]) - 1
    return f"there would be a cycle: {cycle_shown(heads, 0, word)}"
