"""The chart's loops, compiled: the best parse (CKY), and sums over all parses (inside and outside).

A chart is filled column by column: a column has the cells that end at one word, from the shortest to the longest. What
can be a left child stands in a table by where it begins [beginnings × tags and phrases × ends], what can be a right
child in one of the column [symbols × beginnings]: for a rule, all places to split a cell are then side by side, and the
first and the last at which the children are there at all bound the work [Klein & Manning 2003, §7]. States between
brackets are never left children, so that they need no table of their own.

The best parse is in logarithms. Sums are of numbers that are scaled cell by cell, the logarithm of the scale beside
them, so that nothing underflows or overflows.
"""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Floats, Ids, Indices
from karat._compiled import kernel

# What kernels are given is plain tuples: numba would look for classes of an older karat in what it has kept.

# Binary rules by their left child: of left child l the pairs `pair_offsets[l]` up to `pair_offsets[l + 1]`; of pair p
# the right child, and the rules `rule_offsets[p]` up to `rule_offsets[p + 1]`: parents, and weights.
Rules = tuple[Indices, Ids, Indices, Ids, Floats]
# Chains of unary rules by their lowest child: of child c those `offsets[c]` up to `offsets[c + 1]`: highest parents,
# weights; and the child again.
Chains = tuple[Indices, Ids, Floats, Ids]
# Entries of all cells: symbol, value, and where it came from: the pair of children and the place where they meet; a
# chain as −2 − chain and its child; −1 for a word's tag. Cell b·(n + 1) + e has the entries `first` up to `last`.
Entries = tuple[Ids, Floats, Ids, Ids]
Cells = tuple[Indices, Indices]
# Values of left children [beginnings × closed symbols × ends], the first end and the one behind the last of each.
Lefts = tuple[Array, Ids, Ids]
# Values of right children [symbols × beginnings], the last beginning and the first of each.
Rights = tuple[Floats, Ids, Ids]

_NOTHING = -np.inf


@kernel
def best_column(
    end: int,
    n_words: int,
    tags: Ids,
    tag_scores: Floats,
    rules: Rules,
    chains: Chains,
    n_closed: int,
    entries: Entries,
    n_entries: int,
    cells: Cells,
    lefts: Lefts,
    rights: Rights,
    work: tuple[Floats, Ids, Ids, Floats, Ids, Ids],
    beam: tuple[Floats, float],
) -> int:
    """Fill the cells that end at a word with the best way to make each symbol; how many entries there are then."""
    pair_offsets, pair_right, rule_offsets, rule_parent, rule_score = rules
    chain_offsets, chain_parent, chain_score, chain_child = chains
    symbols, scores, froms, splits = entries
    first, last = cells
    left_score, left_first, left_last = lefts
    right_score, right_last, right_first = rights
    best, best_from, best_split, above, above_chain, touched = work
    priors, width = beam
    right_score[:, : end + 1] = _NOTHING
    right_last[:] = -1
    right_first[:] = n_words + 1
    for begin in range(end - 1, -1, -1):
        n_touched = 0
        if begin == end - 1:
            for number in range(len(tags)):
                tag = tags[number]
                if best[tag] == _NOTHING:
                    touched[n_touched] = tag
                    n_touched += 1
                best[tag] = max(best[tag], tag_scores[number])
                best_from[tag] = -1
        for left in range(n_closed):
            left_begin, left_end = left_first[begin, left], min(left_last[begin, left], end)
            if left_begin >= left_end:
                continue
            row = left_score[begin, left]
            for pair in range(pair_offsets[left], pair_offsets[left + 1]):
                right = pair_right[pair]
                start = max(left_begin, right_first[right])
                stop = min(left_end, right_last[right] + 1)
                if start >= stop:
                    continue
                score, split = _NOTHING, -1
                column = right_score[right]
                for middle in range(start, stop):
                    value = row[middle] + column[middle]
                    if value > score:
                        score, split = value, middle
                if split < 0:
                    continue
                for rule in range(rule_offsets[pair], rule_offsets[pair + 1]):
                    parent = rule_parent[rule]
                    value = score + rule_score[rule]
                    if value > best[parent]:
                        if best[parent] == _NOTHING:
                            touched[n_touched] = parent
                            n_touched += 1
                        best[parent] = value
                        best_from[parent] = pair
                        best_split[parent] = split
        # chains of unary rules: each is the best one between its ends, so that one step does it
        n_made = n_touched
        for number in range(n_made):
            child = touched[number]
            if child >= n_closed:
                continue
            for chain in range(chain_offsets[child], chain_offsets[child + 1]):
                parent = chain_parent[chain]
                value = best[child] + chain_score[chain]
                if value > above[parent]:
                    if above[parent] == _NOTHING and best[parent] == _NOTHING:
                        touched[n_touched] = parent
                        n_touched += 1
                    above[parent] = value
                    above_chain[parent] = chain
        least = _NOTHING
        if width < np.inf and end - begin < n_words:
            for number in range(n_touched):
                symbol = touched[number]
                least = max(least, max(best[symbol], above[symbol]) + priors[symbol] - width)
        cell = begin * (n_words + 1) + end
        first[cell] = n_entries
        for number in range(n_touched):
            symbol = touched[number]
            value = max(best[symbol], above[symbol])
            if value + priors[symbol] < least:
                best[symbol] = _NOTHING
                above[symbol] = _NOTHING
                continue
            symbols[n_entries], scores[n_entries] = symbol, value
            if above[symbol] > best[symbol]:
                chain = above_chain[symbol]
                froms[n_entries], splits[n_entries] = -2 - chain, chain_child[chain]
            else:
                froms[n_entries], splits[n_entries] = best_from[symbol], best_split[symbol]
            n_entries += 1
            right_score[symbol, begin] = value
            right_first[symbol] = begin
            right_last[symbol] = max(right_last[symbol], begin)
            if symbol < n_closed:
                if left_first[begin, symbol] > end:
                    left_first[begin, symbol] = end
                else:
                    for between in range(left_last[begin, symbol], end):
                        left_score[begin, symbol, between] = _NOTHING
                left_score[begin, symbol, end] = value
                left_last[begin, symbol] = end + 1
            best[symbol] = _NOTHING
            above[symbol] = _NOTHING
        last[cell] = n_entries
    return n_entries
