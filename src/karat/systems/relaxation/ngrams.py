"""Constraints between neighbouring labels: pairs (kind B) and triples (kind T).

A pair a b is as compatible as log2 P(b | a) / P(b), which is the mutual information log2 P(a, b) / (P(a) P(b)) of the
two; a triple a b c as log2 P(c | a, b) / P(c). P(b | a) and P(c | a, b) are interpolated as the hidden Markov model's
are (*deleted interpolation*, Brants 2000), so that those that training does not have get a strength, too. Each pair
supports both of its labels, and each triple all three: the edges of sentences are labels like others. Where pairs and
triples are used together, each counts half: they say much the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from karat._arrays import Array, Floats, Ids, Indices
from karat.systems.hmm import interpolation_weights
from karat.systems.model_file import Model
from karat.systems.relaxation.constraints import EDGE, LARGEST_STRENGTH, Constraint, ContextCondition
from karat.systems.relaxation.contexts import padded
from karat.systems.words import LabelledWords

if TYPE_CHECKING:
    from karat.systems.relaxation import _compiled_relaxation as compiled

_UNSEEN = 0.5  # how often a label counts that training does not have
_MOST_TRIPLES = 1 << 18  # of labels whose strengths stand in one table


@dataclass(frozen=True, slots=True, eq=False)
class PairStrengths:
    """The strength of each pair of labels [n × n], the last of which is the edge.

    `keys` are the pairs of the training text, as a·n + b, and `counts` how often it has them.
    """

    strengths: Floats
    keys: Array
    counts: Ids

    def constraints(self, labels: Sequence[str]) -> Iterator[Constraint]:
        """The pairs that training has, as what each says of either label."""
        n = len(self.strengths)
        for key, count in zip(self.keys.tolist(), self.counts.tolist(), strict=True):
            a, b = divmod(key, n)
            strength = float(self.strengths[a, b])
            yield from _in_every_position((a, b), strength, count, labels, "B")


@dataclass(frozen=True, slots=True, eq=False)
class TripleStrengths:
    """The strengths of triples that training has, by (a·n + b)·n + c, and of all others by b and c [n × n]."""

    keys: Array
    strengths: Floats
    counts: Ids
    others: Floats

    def strength(self, a: int, b: int, c: int) -> float:
        """The strength of one triple."""
        n = len(self.others)
        key = (a * n + b) * n + c
        place = int(np.searchsorted(self.keys, key))
        is_there = place < len(self.keys) and self.keys[place] == key
        return float(self.strengths[place] if is_there else self.others[b, c])

    def constraints(self, labels: Sequence[str]) -> Iterator[Constraint]:
        """The triples that training has, as what each says of each of its labels."""
        n = len(self.others)
        every = zip(self.keys.tolist(), self.strengths.tolist(), self.counts.tolist(), strict=True)
        for key, strength, count in every:
            yield from _in_every_position((key // n // n, key // n % n, key % n), strength, count, labels, "T")


def _in_every_position(
    numbers: Sequence[int], strength: float, count: int, labels: Sequence[str], kind: str
) -> Iterator[Constraint]:
    names = [labels[number] if number < len(labels) else EDGE for number in numbers]
    for place, head in enumerate(names):
        if head != EDGE:
            others = [ContextCondition(k - place, "tag", (names[k],)) for k in range(len(names)) if k != place]
            yield Constraint(strength, head, tuple(others), count, kind)


@dataclass(frozen=True, slots=True, eq=False)
class Ngrams:
    """PairStrengths, triples, both or neither of so many labels, the edge among them."""

    n: int
    pairs: PairStrengths | None
    triples: TripleStrengths | None

    def constraints(self, labels: Sequence[str]) -> Iterator[Constraint]:
        """All that training has."""
        for one in (self.pairs, self.triples):
            if one is not None:
                yield from one.constraints(labels)

    def strength(self, head: int, others: Sequence[tuple[int, int]]) -> float | None:
        """What is learnt of a label, given others at positions, in order; None if there is no such constraint."""
        places = [position for position, _ in others]
        if self.pairs is not None and places in ([-1], [1]):
            (other,) = (label for _, label in others)
            return float(self.pairs.strengths[(other, head) if places == [-1] else (head, other)])
        if self.triples is not None and places in ([-2, -1], [-1, 1], [1, 2]):
            (_, one), (_, two) = others
            if places == [-2, -1]:
                return self.triples.strength(one, two, head)
            return self.triples.strength(one, head, two) if places == [-1, 1] else self.triples.strength(head, one, two)
        return None

    def for_kernels(self) -> compiled.Ngrams:
        """The strengths as kernels have them."""
        from karat.systems._compiled_hmm import hash_table

        pairs = np.zeros((0, 0)) if self.pairs is None else self.pairs.strengths
        of = self.triples
        if of is None:
            keys, values, others = np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros((0, 0))
        else:
            keys, values, others = of.keys, of.strengths, of.others
        every = np.zeros(0)
        if of is not None and self.n**3 <= _MOST_TRIPLES:
            every = np.tile(others.reshape(-1), self.n)
            every[keys] = values
        n_bits = max(2 * len(keys), 2).bit_length()
        return (self.n, pairs, every, others, *hash_table(keys, values, n_bits), n_bits)

    # ---- its file ----------------------------------------------------------------------------------------------------

    def parts(self) -> Model:
        """What is kept in a file."""
        arrays: dict[str, Array] = {}
        if self.pairs is not None:
            arrays |= {"pairs": self.pairs.strengths, "pair keys": self.pairs.keys, "pair counts": self.pairs.counts}
        if self.triples is not None:
            arrays |= {
                "triples": self.triples.strengths,
                "triple keys": self.triples.keys,
                "triple counts": self.triples.counts,
                "other triples": self.triples.others,
            }
        return Model("", {}, arrays, {})

    @classmethod
    def from_parts(cls, model: Model, kinds: str, n_labels: int) -> Self:
        """The constraints of these kinds that were kept."""
        n = n_labels + 1
        pairs = PairStrengths(_table(model, "pairs", n), *_counts(model, "pair", n**2)) if "B" in kinds else None
        if "T" not in kinds:
            return cls(n, pairs, None)
        keys, counts = _counts(model, "triple", n**3)
        strengths = strengths_of(model, "triples")
        if len(strengths) != len(keys):
            raise model.problem("triples do not fit together")
        return cls(n, pairs, TripleStrengths(keys, strengths, counts, _table(model, "other triples", n)))


def strengths_of(model: Model, name: str, n_dimensions: int = 1) -> Floats:
    """Strengths that were kept."""
    found: Floats = model.array(name, "float64", n_dimensions)
    if not (np.abs(found) <= LARGEST_STRENGTH).all():
        raise model.problem(f"{name} are no strengths")
    return found


def _table(model: Model, name: str, n: int) -> Floats:
    found = strengths_of(model, name, 2)
    if found.shape != (n, n):
        raise model.problem(f"{name} are of another size")
    return found


def _counts(model: Model, name: str, most: int) -> tuple[Array, Ids]:
    keys = model.numbers(f"{name} keys", most, dtype="int64")
    counts = model.numbers(f"{name} counts", 1 << 31, least=1)
    if len(keys) != len(counts) or (np.diff(keys) <= 0).any():
        raise model.problem(f"{name} counts do not fit together")
    return keys, counts


# ---- learning --------------------------------------------------------------------------------------------------------


def ngrams_of(text: LabelledWords, kinds: str) -> Ngrams:
    """The pairs and triples of a text: those of B if it is among the kinds, those of T if it is."""
    n = len(text.labels) + 1
    labels = padded(text.words, text.label_ids, n - 1)
    behind = labels.places[text.words.offsets[1:][np.diff(text.words.offsets) > 0] - 1] + 1  # the edge is a third label
    thirds = np.sort(np.concatenate([labels.places, behind]))
    t1, t2, t3 = (labels.numbers[thirds - back].astype(np.intp) for back in (2, 1, 0))
    of = _NgramCounts(n, t1, t2, t3)
    factor = 0.5 if "B" in kinds and "T" in kinds else 1.0  # both say much the same: half of each
    return Ngrams(n, of.pairs(factor) if "B" in kinds else None, of.triples(factor) if "T" in kinds else None)


class _NgramCounts:
    """How often labels follow each other."""

    def __init__(self, n: int, t1: Indices, t2: Indices, t3: Indices) -> None:
        self.n = n
        self.unigram = np.bincount(t3, minlength=n).astype(np.float64)
        self.bigram = np.bincount(t2 * n + t3, minlength=n * n).astype(np.float64).reshape(n, n)
        self.contexts = np.bincount(t1 * n + t2, minlength=n * n).astype(np.float64)
        self.keys, self.trigram = np.unique((t1 * n + t2) * n + t3, return_counts=True)

    def interpolated(self, order: int) -> tuple[Floats, Floats, Floats]:
        """P(b | a) / P(b) but for triples [n × n], what the triples add to P(c), and P(c) of their last labels."""
        trigram = self.trigram.astype(np.float64)
        weights = interpolation_weights(self.keys, trigram, self.unigram, self.bigram, self.contexts, order)
        share = np.maximum(self.unigram, _UNSEEN) / max(self.unigram.sum(), 1.0)
        of_two = self.bigram / np.maximum(self.bigram.sum(axis=1, keepdims=True), 1)
        added = weights[2] * trigram / self.contexts[self.keys // self.n]
        return weights[0] + weights[1] * of_two / share, added, share[self.keys % self.n]

    def pairs(self, factor: float) -> PairStrengths:
        ratios, _, _ = self.interpolated(1)
        keys = np.flatnonzero(self.bigram)
        return PairStrengths(
            factor * np.log2(ratios), keys.astype(np.int64), self.bigram.reshape(-1)[keys].astype(np.int32)
        )

    def triples(self, factor: float) -> TripleStrengths:
        ratios, added, share = self.interpolated(2)
        strengths = factor * np.log2(ratios.reshape(-1)[self.keys % self.n**2] + added / share)
        return TripleStrengths(
            self.keys.astype(np.int64), strengths, self.trigram.astype(np.int32), factor * np.log2(ratios)
        )
