"""The perceptron's loops over words, compiled: which rows of weights a word has, learning, tagging."""

from __future__ import annotations

from typing import Any

import numpy as np

from karat._arrays import Array, Floats, Ids, Indices
from karat._compiled import kernel, part_of_kernel, vector_part_of_kernel

N_PAIRS = 10  # rows that a word has from labels before, and from pairs
_MOST_ROWS = 64
WIDTH = 32  # weights that are summed at once: 64 bytes, a line of the cache
_LARGEST = 32_000  # of weights, which have 16 bits; in practice they stay below 100
_MIX = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


# What kernels are given is plain tuples: numba would look for classes of an older karat in what it has kept.

# How words come to their rows: the rows of forms in each role (`FormTables`), -1 for none; the first bucket, and the
# number of buckets less 1; whether pairs have some; the number of labels. Pairs are features of two forms, and of forms
# and labels: tables then have the form in their first column, that of the word itself an ending in the second.
Rows = tuple[tuple[Ids, ...], int, np.uint64, bool, int]
# Weights of row r are values[starts[r]:starts[r + 1]], for the labels that stand there beside them. In training, rows
# may have all labels: those of row r are then values[r * width:][:n_labels], the width a multiple of WIDTH.
RowWeights = tuple[Indices, Ids, Array]
# The labels that each form can have, as offsets and labels: none means all.
CandidateLabels = tuple[Indices, Ids]


@part_of_kernel
def _bucket(kind: int, a: int, b: int, mask: np.uint64) -> np.int64:
    """The bucket of two numbers of a kind: pairs have rows by their hash, and share them if hashes agree."""
    h = np.uint64(kind) * _MIX[0]
    h ^= h >> np.uint64(29)
    h += np.uint64(a)
    h *= _MIX[1]
    h ^= h >> np.uint64(32)
    h += np.uint64(b)
    h *= _MIX[2]
    h ^= h >> np.uint64(31)
    return np.int64(h & mask)


@part_of_kernel
def _rows(i: int, first: int, stop: int, forms: Ids, of: Rows, t1: int, t2: int, rows: Indices) -> int:
    """The rows of a word's features, given the labels before it; how many there are."""
    tables, base, mask, pairs, n_labels = of
    current, before, after, two_before, two_after = tables
    edge = current.shape[0] - 1
    w = forms[i]
    w_before = forms[i - 1] if i > first else edge
    w_after = forms[i + 1] if i + 1 < stop else edge
    w_two_before = forms[i - 2] if i - 1 > first else edge
    w_two_after = forms[i + 2] if i + 2 < stop else edge
    n = 0
    for k in range(current.shape[1]):
        if current[w, k] >= 0:
            rows[n] = current[w, k]
            n += 1
    for k in range(before.shape[1]):
        if before[w_before, k] >= 0:
            rows[n] = before[w_before, k]
            n += 1
        if after[w_after, k] >= 0:
            rows[n] = after[w_after, k]
            n += 1
    for k in range(two_before.shape[1]):
        if two_before[w_two_before, k] >= 0:
            rows[n] = two_before[w_two_before, k]
            n += 1
        if two_after[w_two_after, k] >= 0:
            rows[n] = two_after[w_two_after, k]
            n += 1
    rows[n] = base + _bucket(1, t1, 0, mask)
    rows[n + 1] = base + _bucket(2, t2, 0, mask)
    rows[n + 2] = base + _bucket(3, t1, t2, mask)
    n += 3
    if pairs:
        form, ending = current[w, 0] + 1, current[w, 1] + 1
        form_before, form_after = before[w_before, 0] + 1, after[w_after, 0] + 1
        rows[n] = base + _bucket(4, form_before, form, mask)
        rows[n + 1] = base + _bucket(5, form, form_after, mask)
        rows[n + 2] = base + _bucket(6, form_before, form_after, mask)
        rows[n + 3] = base + _bucket(7, t1, form, mask)
        rows[n + 4] = base + _bucket(8, t1, ending, mask)
        rows[n + 5] = base + _bucket(9, t1, form_after, mask)
        rows[n + 6] = base + _bucket(10, t1 * (n_labels + 1) + t2, form, mask)
        n += 7
    return n


@part_of_kernel
def _score(rows: Indices, n: int, weights: RowWeights, scores: Array) -> None:
    """The score of each label: the sum of its weights in the rows."""
    starts, of_label, values = weights
    for label in range(len(scores)):
        scores[label] = 0
    for k in range(n):
        first, stop = starts[rows[k]], starts[rows[k] + 1]
        some, its = of_label[first:stop], values[first:stop]
        for place in range(stop - first):
            scores[np.uint32(some[place])] += its[place]


@vector_part_of_kernel
def _sum_columns(_: Any, values: Any, width: Any, column: Any, rows: Any, n: Any, sums: Any) -> Any:
    """Sum WIDTH columns of the rows, from a column on, into `sums[column:column + WIDTH]`: 16 bits into 32.

    As a vector, the sums stay in registers. A loop would become scalar code: for all LLVM knows, `sums` may overlap
    `values`.
    """
    from llvmlite import ir
    from numba.core import cgutils, types

    narrow, wide = ir.VectorType(ir.IntType(16), WIDTH), ir.VectorType(ir.IntType(32), WIDTH)

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        def pointer(argument: int, place: Any) -> Any:
            array = context.make_array(signature.args[argument])(context, builder, given[argument])
            return builder.gep(array.data, [place])

        total = cgutils.alloca_once_value(builder, ir.Constant(wide, [0] * WIDTH))  # type: ignore[no-untyped-call]
        with cgutils.for_range(builder, given[4]) as loop:
            row = builder.load(pointer(3, loop.index))
            place = pointer(0, builder.add(builder.mul(row, given[1]), given[2]))
            weights = builder.load(builder.bitcast(place, narrow.as_pointer()), align=2)
            builder.store(builder.add(builder.load(total), builder.sext(weights, wide)), total)
        place = builder.bitcast(pointer(5, given[2]), wide.as_pointer())
        builder.store(builder.load(total), place, align=4)
        return context.get_dummy_value()

    return types.void(values, width, column, rows, n, sums), code


@vector_part_of_kernel
def _fetch(_: Any, values: Any, place: Any) -> Any:
    """Have the processor bring a place into its cache while it does other work."""
    from llvmlite import ir
    from numba.core import types

    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, given[0]).data
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        builder.call(prefetch, [builder.bitcast(builder.gep(data, [given[1]]), byte), number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(values, place), code


@part_of_kernel
def _fetch_rows(rows: Indices, n: int, values: Array, width: int) -> None:
    """Have rows that have all labels in the cache soon: they are anywhere in memory."""
    if width:
        for k in range(n):
            _fetch(values, rows[k] * width)


@part_of_kernel
def _best(scores: Array, candidates: Ids, first: int, stop: int) -> int:
    """The label with the highest score; among the candidates of a form, if it has any."""
    if first == stop:
        highest = scores[0]
        for label in range(1, len(scores)):  # no branch in it: which labels are higher cannot be predicted
            highest = max(highest, scores[label])
        for label in range(len(scores)):
            if scores[label] == highest:
                return label
    best = int(candidates[first])
    for place in range(first + 1, stop):
        if scores[candidates[place]] > scores[best]:
            best = int(candidates[place])
    return best


@part_of_kernel
def _add(row: int, label: int, weights: RowWeights, sums: Array, step: int, now: int) -> None:
    """Add a step to the weight of a label in a row, if the row has it; and to `sums`, what the mean weight lacks."""
    starts, of_label, values = weights
    for place in range(starts[row], starts[row + 1]):
        if of_label[place] == label:
            _add_at(place, place, values, sums, step, now)
            return


@part_of_kernel
def _add_at(place: int, place_in_sums: int, values: Array, sums: Array, step: int, now: int) -> None:
    if -_LARGEST < values[place] < _LARGEST:
        values[place] += step
        sums[place_in_sums] += step * now


@part_of_kernel
def _learn(
    rows: Indices, n: int, gold: int, best: int, weights: RowWeights, width: int, sums: Array, n_labels: int, now: int
) -> None:
    """The rows' weights of the right label go up, those of the best one down."""
    for k in range(n):
        if width:
            first, first_sum = rows[k] * width, rows[k] * n_labels
            _add_at(first + gold, first_sum + gold, weights[2], sums, 1, now)
            _add_at(first + best, first_sum + best, weights[2], sums, -1, now)
        else:
            _add(rows[k], gold, weights, sums, 1, now)
            _add(rows[k], best, weights, sums, -1, now)


@kernel
def epoch(
    order: Indices,
    offsets: Indices,
    forms: Ids,
    labels: Ids,
    of: Rows,
    candidates: CandidateLabels,
    weights: RowWeights,
    width: int,
    sums: Array,
    now: int,
    by_gold: bool,
) -> int:
    """Learn from the sentences in this order; how many words have been seen now.

    `width` is that of rows that have all labels, 0 if they have labels of their own. The labels before a word are what
    the model itself says, or with `by_gold` the gold's. Waiting for memory would take most of the time: so the next
    word's rows are on their way while a word is scored.
    """
    n_labels = of[4]
    scores_in_row = np.zeros(max(width, n_labels), np.int32)
    scores = scores_in_row[:n_labels]
    rows_of_two = np.zeros((2, _MOST_ROWS), np.int64)  # of a word and the next
    n_next = 0
    for sentence in order:
        first, stop = offsets[sentence], offsets[sentence + 1]
        t1 = t2 = n_labels
        if first < stop:
            n_next = _rows(first, first, stop, forms, of, t1, t2, rows_of_two[first & 1])
        for i in range(first, stop):
            rows, n = rows_of_two[i & 1], n_next
            next_rows = rows_of_two[~i & 1]
            gold, form = labels[i], forms[i]
            if i + 1 < stop:  # as if this word were tagged right, which nearly all are
                n_next = _rows(i + 1, first, stop, forms, of, gold, t1, next_rows)
                _fetch_rows(next_rows, n_next, weights[2], width)
            if width:
                for column in range(0, width, WIDTH):
                    _sum_columns(weights[2], width, column, rows, n, scores_in_row)
            else:
                _score(rows, n, weights, scores)
            best = _best(scores, candidates[1], candidates[0][form], candidates[0][form + 1])
            t2, t1 = t1, gold
            if best != gold:
                _learn(rows, n, gold, best, weights, width, sums, n_labels, now)
                if not by_gold:
                    t1 = best
                    if i + 1 < stop:
                        n_next = _rows(i + 1, first, stop, forms, of, t1, t2, next_rows)
            now += 1
    return now


@kernel
def tagged(
    offsets: Indices,
    forms: Ids,
    of: Rows,
    candidates: CandidateLabels,
    weights: RowWeights,
    tags: Ids,
    scores_of_words: Floats,
) -> None:
    """Tag all sentences; with room for them, the labels' scores too, -inf for what is no candidate."""
    n_labels = of[4]
    scores = np.zeros(n_labels, np.float64)
    rows = np.zeros(_MOST_ROWS, np.int64)
    for sentence in range(len(offsets) - 1):
        first, stop = offsets[sentence], offsets[sentence + 1]
        t1 = t2 = n_labels
        for i in range(first, stop):
            n = _rows(i, first, stop, forms, of, t1, t2, rows)
            _score(rows, n, weights, scores)
            begin, end = candidates[0][forms[i]], candidates[0][forms[i] + 1]
            best = _best(scores, candidates[1], begin, end)
            tags[i] = best
            if len(scores_of_words):
                for label in range(n_labels):
                    scores_of_words[i, label] = scores[label] if begin == end else -np.inf
                for place in range(begin, end):
                    scores_of_words[i, candidates[1][place]] = scores[candidates[1][place]]
            t2 = t1
            t1 = best


@kernel
def row_labels(
    first_sentence: int, stop_sentence: int, offsets: Indices, forms: Ids, labels: Ids, of: Rows, keys: Indices
) -> int:
    """For each word's rows, row × n_labels + label, with the gold's labels before it; how many there are."""
    n_labels = of[4]
    rows = np.zeros(_MOST_ROWS, np.int64)
    n_keys = 0
    for sentence in range(first_sentence, stop_sentence):
        first, stop = offsets[sentence], offsets[sentence + 1]
        t1 = t2 = n_labels
        for i in range(first, stop):
            n = _rows(i, first, stop, forms, of, t1, t2, rows)
            for k in range(n):
                keys[n_keys] = rows[k] * n_labels + labels[i]
                n_keys += 1
            t2 = t1
            t1 = labels[i]
    return n_keys
