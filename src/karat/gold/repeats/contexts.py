"""The contexts of labels: between which labels one stands, and in which relation to a head with which label."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from karat._arrays import Floats, Ids, Indices
from karat.gold.repeats.labels import Labels, heads_of_all
from karat.gold.repeats.running_text import BOUNDARY, RunningText, joint_codes

_NOTHING = BOUNDARY  # beside the first and the last word, and above the root


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """Two things that are known of every place of a text, as numbers from -1 up to `sizes`."""

    first: Ids
    second: Ids
    sizes: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class ContextCounts:
    """Of some places with a label: how often their context has this label, and with any label, in the whole text.

    `contexts` are numbers, equal where places have the same context.
    """

    contexts: Indices
    with_label: Floats
    with_other: Floats
    with_any: Floats


def contexts(text: RunningText, labels: Labels) -> Iterator[Context]:
    """The labels on both sides of every place; and, where the corpora have trees that are not what is compared, its
    relation with the label of its head.
    """
    n = len(labels.names)
    padded = np.concatenate([[_NOTHING], labels.codes, [_NOTHING]]).astype(np.int32)
    yield Context(padded[:-2], padded[2:], (n, n))
    is_compared = not {"deprel", "head"}.isdisjoint(labels.of.split("+"))
    if text.corpora and not is_compared and all(one.has("deprel") and one.has("head") for one in text.corpora):
        relations, names = joint_codes(text.corpora, "deprel")
        yield Context(text.spread(relations), _labels_of_heads(text, labels), (len(names), n))


def _labels_of_heads(text: RunningText, labels: Labels) -> Ids:
    """For every place the label of its head; -1 for the root, and where the head was left out of the text."""
    places = np.flatnonzero(labels.codes >= 0)
    heads = heads_of_all(text.corpora)
    of_word = np.full(len(heads) + 1, _NOTHING, dtype=np.int32)  # the last is for what has no head
    of_word[text.words_at(places)] = labels.codes[places]
    return text.spread(of_word[heads])


def counted(context: Context, labels: Labels, places: Ids, others: Ids) -> ContextCounts:
    """How often the contexts of places have the labels that the places have, others, and any."""
    from karat.gold.repeats._label_expectation import in_contexts

    codes, n_second, n = labels.codes, context.sizes[1] + 1, len(labels.names) + 1
    kind = (context.first[places] + np.int64(1)) * n_second + context.second[places] + 1
    keys = np.concatenate([kind * n + 1 + codes[places], kind * n + 1 + others, kind * n])
    wanted, number = np.unique(keys, return_inverse=True)
    n_slots = 1 << (2 * len(wanted)).bit_length()
    counts = in_contexts(context.first, context.second, codes, n_second, n, wanted, n_slots)
    with_label, with_other, with_any = counts[number].astype(np.float64).reshape(3, -1)
    return ContextCounts(kind, with_label, with_other, with_any)
