"""Sums of counts over random resamples of the clusters: one chunked matrix product for all measures of all systems.

The bootstrap draws as many clusters as there are, with replacement; a shuffle draws each cluster or not, with equal
chances. Either way a resample is a weight for every cluster, and weights [resamples × clusters] @ counts [clusters ×
columns] has all the sums. The weights are made a stretch at a time, each from a seed of its own, so that neither memory
nor the result depends on how many there are or on who works on which.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from karat._arrays import Array, Floats, Indices
from karat.inference.options import InferenceOptions

if TYPE_CHECKING:
    from numpy.random import Generator

Progress = Callable[[float], None]  # called with the share of the work that is done
_Item = TypeVar("_Item")
_Made = TypeVar("_Made")
_Weights = Callable[["Generator", int, int, Array], None]

_STRETCH = 2**21  # weights made at once
_IN_CACHE = 2**14  # weights counted at once
_EXACT_IN_FLOAT32 = 2**24


def bootstrap_sums(
    blocks: Sequence[Floats], options: InferenceOptions, progress: Progress | None = None
) -> list[Floats]:
    """For each block of counts [clusters × columns] its sums over bootstrap resamples [resamples × columns].

    Columns of one block are resampled together. What comes back does not depend on the order of the clusters.
    """
    return _sums(blocks, _bootstrap_weights, [options.seed, 1], options, progress)


def shuffle_sums(blocks: Sequence[Floats], options: InferenceOptions) -> list[Floats]:
    """For each block [clusters × columns] its sums over random halves of the clusters [resamples × columns]."""
    return _sums(blocks, _coin_weights, [options.seed, 2], options)


def canonical_order(rows: Floats) -> Indices:
    """The order of rows sorted by content, so that what is drawn for a cluster does not depend on where it stands."""
    return np.lexsort(rows.T[::-1]) if rows.shape[1] else np.arange(len(rows))


def leave_one_out(counts: Floats) -> Floats:
    """The summed counts without each cluster in turn [clusters × …]."""
    without: Floats = counts.sum(axis=0) - counts
    return without


def standard_error(without: Floats) -> float:
    """The delete-one jackknife's standard error from the values without each cluster in turn.

    √((G−1)/G · Σ(θ₍ᵢ₎ − θ̄)²), which is the cluster-robust one, corrected for few clusters. The sums are exact, so that
    the order of the clusters changes nothing.
    """
    n = len(without)
    spread = without - math.fsum(without) / n
    return math.sqrt((n - 1) / n * math.fsum(spread * spread))


def _sums(
    blocks: Sequence[Floats],
    draw: _Weights,
    entropy: list[int],
    options: InferenceOptions,
    progress: Progress | None = None,
) -> list[Floats]:
    if not blocks:
        return []
    from numpy.random import default_rng  # loaded here: scoring without intervals does without

    columns, places = _distinct_columns([block[canonical_order(block)] for block in blocks])
    n_clusters, n_resamples = len(columns), options.n_resamples
    is_exact = (
        bool((columns == np.rint(columns)).all()) and np.abs(columns).max(initial=0) * n_clusters < _EXACT_IN_FLOAT32
    )
    factor = columns.astype(np.float32 if is_exact else np.float64)
    sums = np.empty((n_resamples, columns.shape[1]), dtype=factor.dtype)
    size = max(1, min(512, _STRETCH // max(n_clusters, 1)))
    starts = range(0, n_resamples, size)

    def work(start: int) -> None:
        n = min(size, n_resamples - start)
        weights = np.empty((n, n_clusters), dtype=factor.dtype)
        draw(default_rng([*entropy, start // size]), n, n_clusters, weights)
        sums[start : start + n] = weights @ factor

    for done, _ in enumerate(each(work, starts, options.jobs), start=1):
        if progress:
            progress(done / len(starts))
    return [sums[:, place].astype(np.float64) for place in places]


def each(work: Callable[[_Item], _Made], items: Sequence[_Item], jobs: int) -> Iterator[_Made]:
    """What the work makes of each item, in threads if there are several jobs."""
    if jobs <= 1:
        yield from map(work, items)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(work, items)


def _distinct_columns(blocks: Sequence[Floats]) -> tuple[Floats, list[Indices]]:
    """The different columns of all blocks, and where each block's are: the gold's counts are every system's."""
    seen: dict[bytes, int] = {}
    kept: list[Floats] = []
    places = []
    for block in blocks:
        place = []
        for column in np.ascontiguousarray(block.T):
            key = column.tobytes()
            if key not in seen:
                seen[key] = len(kept)
                kept.append(column)
            place.append(seen[key])
        places.append(np.array(place, dtype=np.intp))
    return (np.column_stack(kept) if kept else np.empty((len(blocks[0]), 0))), places


def _bootstrap_weights(rng: Generator, n: int, n_clusters: int, weights: Array) -> None:
    """How often each cluster is drawn."""
    small = np.uint16 if n_clusters <= 2**16 else np.uint32
    draws = rng.integers(0, n_clusters, size=(n, n_clusters), dtype=small)
    at_once = max(1, _IN_CACHE // n_clusters)
    if at_once == 1:  # a quarter quicker with very many clusters
        for row, some in enumerate(draws):
            weights[row] = np.bincount(some, minlength=n_clusters)
        return
    offsets = np.arange(at_once)[:, None] * n_clusters
    for start in range(0, n, at_once):
        some = draws[start : start + at_once]
        counted = np.bincount((some + offsets[: len(some)]).ravel(), minlength=some.size)
        weights[start : start + at_once] = counted.reshape(some.shape)


def _coin_weights(rng: Generator, n: int, n_clusters: int, weights: Array) -> None:
    """Whether each cluster is drawn."""
    data = np.frombuffer(rng.bytes(n * -(-n_clusters // 8)), dtype=np.uint8).reshape(n, -1)
    weights[:] = np.unpackbits(data, axis=1, count=n_clusters)
