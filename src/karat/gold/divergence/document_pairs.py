"""The documents of two corpora, which of them are of the same text, and their sentences as bags of n-grams."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from karat._arrays import Flags, Indices
from karat._numbering import numbered_keys
from karat._ragged import Ragged, offsets_of, owners_of

if TYPE_CHECKING:
    from karat.gold.divergence._compiled_halves import Bags, Groups

_FORMULA = 20  # a sentence of more documents than that ("Thanks.") does not make them copies of each other
_MANY = 60  # so many units have labellings enough, even if all but one are of the same corpus


@dataclass(frozen=True, slots=True, eq=False)
class DocumentPair:
    """The documents of two corpora, one behind the other: where each begins, in sentences, and whose it is.

    Documents of the same `unit` are of the same text, as two annotations of it are. Sentences of the same words have
    the same number in `texts`.
    """

    offsets: Indices
    is_first: Flags
    unit: Indices
    texts: Indices

    @property
    def n_units(self) -> int:
        """How many units there are."""
        return int(self.unit.max()) + 1

    @property
    def n_first_of_unit(self) -> Indices:
        """How many documents of each unit are of the first corpus."""
        return np.bincount(self.unit[self.is_first], minlength=self.n_units)

    @property
    def n_of_unit(self) -> Indices:
        """How many documents each unit has."""
        return np.bincount(self.unit, minlength=self.n_units)

    @property
    def is_pure(self) -> Flags:
        """Whether each unit has documents of one corpus only."""
        pure: Flags = (self.n_first_of_unit == 0) | (self.n_first_of_unit == self.n_of_unit)
        return pure

    @property
    def can_be_halved(self) -> bool:
        """Whether each corpus has documents for both halves."""
        n_first, n = self.n_first_of_unit, self.n_of_unit
        return bool(np.count_nonzero(n_first) > 1 and np.count_nonzero(n - n_first) > 1)

    def smallest_p(self) -> float:
        """The smallest p that a permutation of the documents can have.

        Where both corpora have as many, exchanging them all changes nothing: two labellings count as one.
        """
        is_pure, n_first, n = self.is_pure, self.n_first_of_unit, self.n_of_unit
        n_pure, n_pure_first = int(is_pure.sum()), int((is_pure & (n_first > 0)).sum())
        if self.n_units >= _MANY:
            return 0.0
        n_labellings = math.comb(n_pure, n_pure_first)
        for unit in np.flatnonzero(~is_pure).tolist():
            n_labellings *= math.comb(int(n[unit]), int(n_first[unit]))
        is_symmetric = 2 * n_pure_first == n_pure and bool((2 * n_first == n)[~is_pure].all())
        return min(1.0, (2 if is_symmetric else 1) / n_labellings)

    def groups(self) -> Groups:
        """The documents as compiled code takes them."""
        from karat.gold.divergence._compiled_halves import Groups

        order = np.argsort(self.unit, kind="stable")
        n_texts = int(self.texts.max()) + 1
        return Groups(self.offsets, offsets_of(self.n_of_unit), order, self.texts.astype(np.int32), n_texts)

    def bags(self, first: Ragged, second: Ragged) -> Bags:
        """The n-grams of the sentences of both corpora as compiled code takes them."""
        from karat.gold.divergence._compiled_halves import Bags

        sizes = np.concatenate([first.sizes, second.sizes])
        every = np.concatenate([first.values, second.values])
        sentence = owners_of(sizes)
        document = owners_of(np.diff(self.offsets)).take(sentence)
        # what comes later is written over: the first place and document of each n-gram, and the last document
        n_kinds = int(every.max()) + 1
        first_place = np.full(n_kinds, -1, dtype=np.intp)
        first_place[every[::-1]] = np.arange(len(every))[::-1]
        last_document = np.full(n_kinds, -1, dtype=np.intp)
        last_document[every] = document
        occurs = first_place >= 0
        is_shared = occurs & (document.take(first_place) != last_document)
        is_own = np.zeros(len(every), dtype=np.bool_)
        is_own[first_place[occurs & ~is_shared]] = True
        keeps = is_shared.take(every)
        shared = np.flatnonzero(is_shared)
        n_times = np.bincount(every, minlength=n_kinds).take(shared)
        shared = shared[np.argsort(-n_times, kind="stable")]  # what is frequent stays in the processor's cache
        number = np.zeros(n_kinds, dtype=np.int32)
        number[shared] = np.arange(len(shared), dtype=np.int32)
        kinds = number.take(every[keeps])
        most = int(n_times.max()) if len(n_times) else 0

        def of_sentence(flags: Flags) -> Indices:
            return np.bincount(sentence[flags], minlength=len(sizes))

        n_own = of_sentence(is_own).astype(np.int32)
        offsets = offsets_of(of_sentence(keeps))
        logarithms = np.log(np.arange(1, most + 2))
        return Bags(offsets, kinds, len(shared), sizes.astype(np.int32), n_own, logarithms)


def document_pair(
    first_texts: Indices, second_texts: Indices, first_offsets: Indices | None, second_offsets: Indices | None
) -> DocumentPair:
    """The documents of two corpora, given the texts of their sentences and where their documents begin.

    None for the latter puts sentences in the place of documents. Documents without sentences are left out.
    """
    _, texts = numbered_keys(np.concatenate([first_texts, second_texts]))
    if first_offsets is None or second_offsets is None:
        is_first = np.arange(len(texts)) < len(first_texts)
        return DocumentPair(np.arange(len(texts) + 1), is_first, texts, texts)
    sizes = np.concatenate([np.diff(first_offsets), np.diff(second_offsets)])
    is_first = (np.arange(len(sizes)) < len(first_offsets) - 1)[sizes > 0]
    sizes = sizes[sizes > 0]
    return DocumentPair(offsets_of(sizes), is_first, _copies(texts, sizes), texts)


def _copies(texts: Indices, sizes: Indices) -> Indices:
    """A number for each document, the same for those that share more than half of the texts of the larger."""
    n = len(sizes)
    text, document = np.divmod(np.unique(texts * n + owners_of(sizes)), n)
    n_texts = np.bincount(document, minlength=n).tolist()
    n_documents = np.bincount(text).take(text)
    keeps = (n_documents > 1) & (n_documents <= _FORMULA)
    text, document = text[keeps], document[keeps]
    shared: dict[tuple[int, int], int] = {}
    for group in np.split(document, np.flatnonzero(np.diff(text)) + 1):
        members = group.tolist()
        for place, one in enumerate(members):
            for other in members[place + 1 :]:
                shared[one, other] = shared.get((one, other), 0) + 1
    parent = list(range(n))

    def oldest(one: int) -> int:
        while parent[one] != one:
            one = parent[one]
        return one

    for (one, other), n_shared in shared.items():
        if 2 * n_shared > max(n_texts[one], n_texts[other]):
            ends = oldest(one), oldest(other)
            parent[max(ends)] = min(ends)
    _, unit = numbered_keys(np.array([oldest(one) for one in range(n)], dtype=np.intp))
    return unit
