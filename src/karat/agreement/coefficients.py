"""How well annotators agree: observed agreement, kappa and Krippendorff's alpha over distributions of tags.

Every annotation is a distribution over the leaves of a tag set: a single tag has all the mass, several share it, a tag
with tags below it is spread over its leaves. With p and q the distributions of two annotators for an item,

- the observed agreement is the mean of Σₗ p(l)·q(l) [Melamed & Resnik 2000, eq. 4],
- kappa is (observed − chance) / (1 − chance) [eq. 3], where chance is Σₗ Pr(l)² with Pr(l) pooled over the annotators
  [eq. 5, as Siegel & Castellan 1988], or Σₗ Pr₁(l)·Pr₂(l) with each annotator's own [Cohen 1960],
- alpha is 1 − D(observed)/D(expected) with the distance 1 − Σₗ min(p(l), q(l)), which is 0 for equal distributions
  [Krippendorff 2004, ch. 11].

All of them follow from sums over items. Chance and expected distance are sums of squares or products: as min(a, b) is
the length of the thresholds t that both reach, Σᵢⱼ min(pᵢ(l), pⱼ(l)) over all pairs of annotations is
Σₖ (tₖ − tₖ₋₁)·Nₖ², where tₖ are the masses that occur on the leaf and Nₖ annotations have at least tₖ. So every
cluster of items has counts, a coefficient follows from summed counts, and resampling is one matrix product.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from karat._arrays import Flags, Floats, Indices
from karat.agreement.annotations import ROUNDING, AnnotatedPair, Annotation, Entries, annotated_pair, summed
from karat.inference.kappa import kappa
from karat.measures.agreement import AGREEMENT_MEASURES, AgreementMeasure
from karat.measures.measure import Bounds

_AT_ONCE = 2**20  # counts of a form that are kept apart
_FEWEST_KEPT, _MOST_KEPT = 64, 512  # features of a form, however many clusters there are
_LARGEST = 2**26  # counts of all forms


@dataclass(frozen=True, slots=True, eq=False)
class ItemAgreement:
    """Of every item the number of its annotations, and the mean agreement and distance of their pairs.

    An item with fewer than two annotations has no pairs: agreement and distance are 0 and mean nothing.
    """

    sizes: Indices
    agreement: Floats
    distance: Floats


def _item_agreement(annotations: Sequence[Annotation], pairs: Sequence[AnnotatedPair]) -> ItemAgreement:
    """How far annotators agree on every item: Σ p·q [eq. 4] and 1 − Σ min(p, q), each the mean over pairs."""
    sizes = np.array([one.has for one in annotations], dtype=np.intp).sum(axis=0)
    n_pairs = np.maximum(sizes * (sizes - 1) // 2, 1)
    agreement, distance = np.zeros(len(sizes)), np.zeros(len(sizes))
    for pair in pairs:
        agreement += pair.agreement
        distance += pair.distance
    return ItemAgreement(sizes, agreement / n_pairs, distance / n_pairs)


# ---- counts and coefficients -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Form:
    """Σₖ weightₖ·leftₖ·rightₖ of summed counts; what has no columns of its own is taken to first order.

    That part is column `rest` less `rest_total`: exact for the whole, and for a resample of n clusters but for O(1/n).
    """

    left: slice
    right: slice
    weights: Floats
    rest: int | None = None
    rest_total: float = 0.0

    def value(self, counts: Floats) -> Floats:
        found = counts[..., self.left] * counts[..., self.right] @ self.weights
        value: Floats = found if self.rest is None else found + counts[..., self.rest] - self.rest_total
        return value


@dataclass(frozen=True, slots=True, eq=False)
class AgreementCounts:
    """Agreement item by item, as counts for every cluster of items [clusters × fields], and their coefficients.

    Each coefficient takes summed counts [… × fields] and gives an array […], NaN where it is not defined. `is_exact`
    says whether chance is exact for resamples too, not only for the whole.
    """

    items: ItemAgreement
    counts: Floats
    pooled: _Form
    expected: _Form
    pairs: tuple[tuple[int, int, _Form], ...]

    @property
    def is_exact(self) -> bool:
        return all(form.rest is None for form in (self.pooled, self.expected, *(form for *_, form in self.pairs)))

    def observed(self, counts: Floats) -> Floats:
        """Pr(A): the mean over items of the mean over pairs of annotators of Σ p·q [eq. 4]."""
        return _ratio(counts[..., 0], counts[..., 1])

    def kappa_pooled(self, counts: Floats) -> Floats:
        """Kappa with chance Σ Pr(l)², Pr(l) pooled over all annotators [eq. 3, 5]; for several, Fleiss's."""
        return kappa(self.observed(counts), _ratio(self.pooled.value(counts), counts[..., 3] ** 2))

    def kappa_cohen(self, counts: Floats) -> Floats:
        """The mean over pairs of annotators of kappa with chance Σ Pr₁(l)·Pr₂(l) [Cohen 1960; Light 1971].

        Only pairs that have items in common count.
        """
        total, n_pairs = np.zeros(counts.shape[:-1]), np.zeros(counts.shape[:-1])
        for agreed, n, form in self.pairs:
            both = counts[..., n]
            of_pair = kappa(_ratio(counts[..., agreed], both), _ratio(form.value(counts), both**2))
            total += np.where(both > 0, of_pair, 0)
            n_pairs += both > 0
        return _ratio(total, n_pairs)

    def alpha(self, counts: Floats) -> Floats:
        """Krippendorff's alpha with distance 1 − Σ min(p, q).

        Observed: each unit's mean distance, weighted by the number of its annotations (which is what 1/(m−1) for each
        of its pairs comes to). Expected: the mean over all n(n−1) pairs of annotations, of units that have two or more.
        """
        n = counts[..., 3]
        expected = _ratio(n**2 - self.expected.value(counts), n * (n - 1))
        expected = np.where(expected > ROUNDING, expected, np.nan)
        return 1 - _ratio(counts[..., 2], n) / expected

    def measures(self) -> list[CountedMeasure]:
        """The coefficients as measures of these counts."""
        return [CountedMeasure(one, getattr(self, one.name)) for one in AGREEMENT_MEASURES]


@dataclass(frozen=True, slots=True)
class CountedMeasure:
    """A measure with its value from summed counts, as intervals are made of it."""

    measure: AgreementMeasure
    value: Callable[[Floats], Floats]

    @property
    def bounds(self) -> Bounds:
        return self.measure.bounds

    def sizes(self, counts: Floats) -> Floats:
        found: Floats = counts[..., 1]  # items
        return found


def _ratio(above: Floats, below: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio: Floats = np.where(below > 0, above / below, np.nan)
    return ratio


def agreement_counts(
    annotations: Sequence[Annotation],
    clusters: Indices | None = None,
    *,
    n_clusters: int = 1,
    leaf_sizes: Floats | None = None,
) -> AgreementCounts:
    """The counts of annotators who worked on the same items, for every cluster; `clusters` has that of each item.

    Items with fewer than two annotations count nowhere, as Krippendorff has it. A leaf may stand for `leaf_sizes` of
    them, on which nobody's mass differs: products are then shared by so many, minima are not changed.
    """
    pairs = [annotated_pair(a, b, leaf_sizes) for a, b in combinations(annotations, 2)]
    items = _item_agreement(annotations, pairs)
    n_items = len(items.sizes)
    of_item = np.zeros(n_items, dtype=np.intp) if clusters is None else clusters
    paired = items.sizes >= 2
    made = _Columns(of_item, n_clusters, _kept_features(n_clusters, len(pairs)), leaf_sizes)
    sizes = np.where(paired, items.sizes, 0).astype(np.float64)
    for amounts in (items.agreement * paired, paired, sizes * items.distance, sizes):
        made.add(summed(of_item, amounts, n_clusters))
    every = [one.entries(paired) for one in annotations]
    pooled_items, leaves, masses = (np.concatenate([entries[part] for entries in every]) for part in range(3))
    pooled = made.product((pooled_items, leaves, masses), None)
    expected = made.minima((pooled_items, leaves, masses))
    of_pairs = []
    for (a, b), pair in zip(combinations(annotations, 2), pairs, strict=True):
        if pair.both.any():  # those who never met have no agreement
            agreed = made.add(summed(of_item, pair.agreement, n_clusters))
            n = made.add(summed(of_item, pair.both, n_clusters))
            of_pairs.append((agreed, n, made.product(a.entries(pair.both), b.entries(pair.both))))
    return AgreementCounts(items, np.hstack(made.parts), pooled, expected, tuple(of_pairs))


def _kept_features(n_clusters: int, n_pairs: int) -> int:
    """How many features of a form get columns of their own."""
    most = min(max(_AT_ONCE // n_clusters, _FEWEST_KEPT), _MOST_KEPT) if n_clusters > 1 else 0
    return min(most, _LARGEST // (n_clusters * (2 + 2 * n_pairs)))


class _Columns:
    """Columns of counts being made, for every cluster."""

    def __init__(self, of_item: Indices, n_clusters: int, most: int, leaf_sizes: Floats | None) -> None:
        self.of_item, self.n_clusters, self.most, self.leaf_sizes = of_item, n_clusters, most, leaf_sizes
        self.parts: list[Floats] = []
        self.width = 0

    def add(self, columns: Floats) -> int:
        """Append a column, or several, and tell the place of the first."""
        place = self.width
        self.parts.append(columns.reshape(self.n_clusters, -1))
        self.width += self.parts[-1].shape[1]
        return place

    def product(self, one: Entries, other: Entries | None) -> _Form:
        """Σₗ oneₗ·otherₗ, each the sum of masses on the leaf; without another, the square."""
        n_leaves = max(int(entries[1].max(initial=-1)) for entries in (one, other) if entries is not None) + 1
        shares = np.ones(n_leaves) if self.leaf_sizes is None else 1 / self.leaf_sizes[:n_leaves]
        totals = [summed(side[1], side[2], n_leaves) for side in (one, other or one)]
        products = totals[0] * totals[1] * shares
        kept = _largest(products, np.ones(n_leaves, dtype=np.intp), self.most)
        left = self._of_leaves(one, kept)
        right = left if other is None else self._of_leaves(other, kept)
        rest = self._rest(one, kept, (shares * totals[1])[one[1]])
        rest += rest if other is None else self._rest(other, kept, (shares * totals[0])[other[1]])
        return self._form(left, right, shares[kept], rest, float(products[~kept].sum()))

    def minima(self, entries: Entries) -> _Form:
        """Σ min(a, b) over all pairs of annotations, leaf by leaf: Σₖ (tₖ − tₖ₋₁)·Nₖ² over the masses tₖ there are.

        To first order an annotation with mass tⱼ adds 2·Σₖ (tₖ − tₖ₋₁)·Nₖ, k ≤ j.
        """
        items, leaves, masses = entries
        n_leaves = int(leaves.max(initial=-1)) + 1
        found = _thresholds(leaves, masses)
        weighted = found.steps * found.reached
        kept = _largest(
            summed(found.leaves, weighted * found.reached, n_leaves),
            np.bincount(found.leaves, minlength=n_leaves),
            self.most,
        )
        chosen = kept[found.leaves]
        ones = np.ones(len(items))
        left = self._of_leaves((items, found.of_entry, ones), chosen, found.begins[chosen])
        starts = np.flatnonzero(found.begins)
        up_to = np.cumsum(weighted)
        up_to -= np.repeat((up_to - weighted)[starts], np.diff(np.append(starts, len(weighted))))
        rest = 2 * self._rest((items, leaves, ones), kept, up_to[found.of_entry])
        total = float((weighted * found.reached)[~chosen].sum())
        return self._form(left, left, found.steps[chosen], rest, total)

    def _of_leaves(self, entries: Entries, kept: Flags, begins: Flags | None = None) -> slice:
        """Columns with the sums on each kept leaf; with `begins`, from each feature to the last of its leaf."""
        items, leaves, masses = entries
        chosen = kept[leaves]
        number = np.cumsum(kept) - 1
        width = int(kept.sum())
        keys = self.of_item[items[chosen]] * width + number[leaves[chosen]]
        sums = summed(keys, masses[chosen], self.n_clusters * width)
        sums = sums.reshape(self.n_clusters, width)
        place = self.add(sums if begins is None else _suffix_sums(sums, begins))
        return slice(place, place + width)

    def _rest(self, entries: Entries, kept: Flags, factors: Floats) -> Floats:
        """What each cluster adds to the leaves that are not kept, to first order."""
        items, leaves, masses = entries
        left = ~kept[leaves]
        return summed(self.of_item[items[left]], (masses * factors)[left], self.n_clusters)

    def _form(self, left: slice, right: slice, weights: Floats, rest: Floats, total: float) -> _Form:
        if not rest.any():
            return _Form(left, right, weights)
        return _Form(left, right, weights, self.add(rest), total)


@dataclass(frozen=True, slots=True, eq=False)
class _Thresholds:
    """The masses that occur on each leaf, ascending, leaf by leaf (which `begins`); and which one every entry has.

    `steps` is how far a mass is from the one before it on its leaf, `reached` how many annotations have it or more.
    """

    leaves: Indices
    steps: Floats
    reached: Floats
    begins: Flags
    of_entry: Indices


def _thresholds(leaves: Indices, masses: Floats) -> _Thresholds:
    order = np.lexsort((masses, leaves))
    begins = np.diff(leaves[order], prepend=-1) > 0
    is_new = begins | (np.diff(masses[order], prepend=0) > 0)
    of_entry = np.empty(len(order), dtype=np.intp)
    of_entry[order] = np.cumsum(is_new) - 1
    distinct, begins = masses[order][is_new], begins[is_new]
    steps = distinct - np.where(begins, 0.0, np.append(0.0, distinct)[:-1])
    reached = _suffix_sums(summed(of_entry, np.ones(len(order)), len(distinct)), begins)
    return _Thresholds(leaves[order][is_new], steps, reached, begins, of_entry)


def _largest(contributions: Floats, sizes: Indices, most: int) -> Flags:
    """The leaves that contribute most, as long as their features together are not more than `most`."""
    order = np.argsort(-contributions, kind="stable")
    kept = np.zeros(len(order), dtype=np.bool_)
    kept[order[np.cumsum(sizes[order]) <= most]] = True
    return kept


def _suffix_sums(sums: Floats, begins: Flags) -> Floats:
    """Along the last axis, the sum from each place to the end of its group; groups are where they begin."""
    if begins.all():
        return sums
    run = np.cumsum(sums[..., ::-1], axis=-1)[..., ::-1]
    ends = np.append(np.flatnonzero(begins)[1:], len(begins))
    behind = np.concatenate([run, np.zeros((*run.shape[:-1], 1))], axis=-1)[..., ends]
    suffix: Floats = run - behind[..., np.cumsum(begins) - 1]
    return suffix
