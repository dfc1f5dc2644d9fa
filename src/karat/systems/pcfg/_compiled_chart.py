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

from karat._arrays import Floats, Ids
from karat._compiled import kernel
from karat.systems.pcfg._layouts import Cells, Chains, Entries, Lefts, Rights, Rules, Sums

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
    work: tuple[Floats, Ids, Ids, Floats, Ids, Ids, Ids],
    beam: tuple[Floats, float],
) -> int:
    """Fill the cells that end at a word with the best way to make each symbol; how many entries there are then."""
    pair_offsets, pair_right, rule_offsets, rule_parent, rule_score = rules
    chain_offsets, chain_parent, chain_score, chain_child = chains
    symbols, scores, froms, splits = entries
    first, last = cells
    left_score, left_first, left_last = lefts
    right_score, right_last, right_first = rights
    best, best_from, best_split, above, above_chain, touched, needed = work
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
            # what a chain that stays is made of stays, too
            for number in range(n_touched):
                symbol = touched[number]
                if above[symbol] + priors[symbol] >= least:
                    while above[symbol] > best[symbol]:
                        symbol = chain_child[above_chain[symbol]]
                        needed[symbol] = 1
        cell = begin * (n_words + 1) + end
        first[cell] = n_entries
        for number in range(n_touched):
            symbol = touched[number]
            value = max(best[symbol], above[symbol])
            if value + priors[symbol] < least and not needed[symbol]:
                best[symbol] = _NOTHING
                above[symbol] = _NOTHING
                continue
            needed[symbol] = 0
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


@kernel
def summed_column(
    end: int,
    n_words: int,
    tags: Ids,
    tag_values: Floats,
    tag_scale: float,
    rules: Rules,
    chains: Chains,
    n_closed: int,
    sums: Sums,
    n_entries: int,
    cells: Cells,
    scales: Floats,
    lefts: Lefts,
    rights: Rights,
    work: tuple[Floats, Floats, Floats, Ids],
) -> int:
    """Fill the cells that end at a word with sums over all ways to make each symbol; how many entries there are then.

    `scales` are the logarithms of what values of a cell are to be multiplied by; those of empty cells are −∞.
    """
    pair_offsets, pair_right, rule_offsets, rule_parent, rule_weight = rules
    chain_offsets, chain_parent, chain_weight, _ = chains
    symbols, made_values, whole_values, _ = sums
    first, last = cells
    left_value, left_first, left_last = lefts
    right_value, right_last, right_first = rights
    made, whole, factors, touched = work
    right_value[:, : end + 1] = 0.0
    right_last[:] = -1
    right_first[:] = n_words + 1
    for begin in range(end - 1, -1, -1):
        n_touched = 0
        scale = _NOTHING
        if begin == end - 1:
            scale = tag_scale
            for number in range(len(tags)):
                if tag_values[number] == 0.0:
                    continue
                if made[tags[number]] == 0.0:
                    touched[n_touched] = tags[number]
                    n_touched += 1
                made[tags[number]] += tag_values[number]
        for middle in range(begin + 1, end):
            both = scales[begin * (n_words + 1) + middle] + scales[middle * (n_words + 1) + end]
            factors[middle] = both
            scale = max(scale, both)
        for middle in range(begin + 1, end):
            factors[middle] = np.exp(factors[middle] - scale) if factors[middle] > _NOTHING else 0.0
        for left in range(n_closed):
            left_begin, left_end = left_first[begin, left], min(left_last[begin, left], end)
            if left_begin >= left_end:
                continue
            row = left_value[begin, left]
            for pair in range(pair_offsets[left], pair_offsets[left + 1]):
                right = pair_right[pair]
                start = max(left_begin, right_first[right])
                stop = min(left_end, right_last[right] + 1)
                total = 0.0
                column = right_value[right]
                for middle in range(start, stop):
                    total += row[middle] * column[middle] * factors[middle]
                if total == 0.0:
                    continue
                for rule in range(rule_offsets[pair], rule_offsets[pair + 1]):
                    parent, value = rule_parent[rule], total * rule_weight[rule]
                    if value == 0.0:  # it underflowed: what is touched must be above 0, else it would be twice
                        continue
                    if made[parent] == 0.0:
                        touched[n_touched] = parent
                        n_touched += 1
                    made[parent] += value
        n_made = n_touched
        for number in range(n_made):
            child = touched[number]
            whole[child] += made[child]
            if child < n_closed:
                for chain in range(chain_offsets[child], chain_offsets[child + 1]):
                    parent, value = chain_parent[chain], made[child] * chain_weight[chain]
                    if value == 0.0:
                        continue
                    if whole[parent] == 0.0 and made[parent] == 0.0:
                        touched[n_touched] = parent
                        n_touched += 1
                    whole[parent] += value
        largest = 0.0
        for number in range(n_touched):
            largest = max(largest, whole[touched[number]])
        cell = begin * (n_words + 1) + end
        first[cell] = n_entries
        scales[cell] = scale + np.log(largest) if largest > 0.0 else _NOTHING
        for number in range(n_touched):
            symbol = touched[number]
            value = whole[symbol] / largest
            symbols[n_entries] = symbol
            made_values[n_entries], whole_values[n_entries] = made[symbol] / largest, value
            n_entries += 1
            right_value[symbol, begin] = value
            right_first[symbol] = begin
            right_last[symbol] = max(right_last[symbol], begin)
            if symbol < n_closed:
                if left_first[begin, symbol] > end:
                    left_first[begin, symbol] = end
                else:
                    for between in range(left_last[begin, symbol], end):
                        left_value[begin, symbol, between] = 0.0
                left_value[begin, symbol, end] = value
                left_last[begin, symbol] = end + 1
            made[symbol] = 0.0
            whole[symbol] = 0.0
        last[cell] = n_entries
    return n_entries


@kernel
def outside_column(
    end: int,
    n_words: int,
    start: int,
    rules: Rules,
    chains: Chains,
    n_closed: int,
    sums: Sums,
    cells: Cells,
    scales: Floats,
    lefts: Lefts,
    left_outside: Floats,
    rights: Rights,
    right_outside: Floats,
    work: tuple[Floats, Floats, Floats],
) -> None:
    """What is outside each entry of the cells that end at a word, scaled so that its product with `whole` is a share.

    That product is how many nodes of this symbol a parse has around these words on average. Columns go from the last to
    the first: what is outside a left child has come from columns behind it, into `left_outside` [as `lefts`].
    """
    pair_offsets, pair_right, rule_offsets, rule_parent, rule_weight = rules
    chain_offsets, chain_parent, chain_weight, _ = chains
    symbols, _, whole_values, outside_values = sums
    first, last = cells
    left_value, left_first, left_last = lefts
    right_value, right_last, right_first = rights
    above, below, factors = work
    right_value[:, : end + 1] = 0.0
    right_outside[:, : end + 1] = 0.0
    right_last[:] = -1
    right_first[:] = n_words + 1
    for begin in range(end):
        cell = begin * (n_words + 1) + end
        for entry in range(first[cell], last[cell]):
            symbol = symbols[entry]
            right_value[symbol, begin] = whole_values[entry]
            right_first[symbol] = min(right_first[symbol], begin)
            right_last[symbol] = max(right_last[symbol], begin)
    for begin in range(end):
        cell = begin * (n_words + 1) + end
        for entry in range(first[cell], last[cell]):
            symbol = symbols[entry]
            outside = right_outside[symbol, begin]
            if symbol < n_closed:
                outside += left_outside[begin, symbol, end]
            if begin == 0 and end == n_words and symbol == start:
                outside += 1.0 / whole_values[entry]
            above[symbol] = outside
        for entry in range(first[cell], last[cell]):
            symbol = symbols[entry]
            outside = above[symbol]
            if symbol < n_closed:
                for chain in range(chain_offsets[symbol], chain_offsets[symbol + 1]):
                    outside += above[chain_parent[chain]] * chain_weight[chain]
            below[symbol] = outside
            outside_values[entry] = outside
        for middle in range(begin + 1, end):
            both = scales[begin * (n_words + 1) + middle] + scales[middle * (n_words + 1) + end]
            factors[middle] = np.exp(both - scales[cell]) if both > _NOTHING else 0.0
        for left in range(n_closed):
            left_begin, left_end = left_first[begin, left], min(left_last[begin, left], end)
            if left_begin >= left_end:
                continue
            for pair in range(pair_offsets[left], pair_offsets[left + 1]):
                right = pair_right[pair]
                middle_begin = max(max(left_begin, right_first[right]), begin + 1)
                middle_end = min(left_end, right_last[right] + 1)
                if middle_begin >= middle_end:
                    continue
                outside = 0.0
                for rule in range(rule_offsets[pair], rule_offsets[pair + 1]):
                    outside += below[rule_parent[rule]] * rule_weight[rule]
                if outside == 0.0:
                    continue
                for middle in range(middle_begin, middle_end):
                    here = outside * factors[middle]
                    left_outside[begin, left, middle] += here * right_value[right, middle]
                    right_outside[right, middle] += here * left_value[begin, left, middle]
        for entry in range(first[cell], last[cell]):
            above[symbols[entry]] = 0.0
            below[symbols[entry]] = 0.0
