"""Coverage of intervals over conditions that share corpora: the table of docs/grid-analyses.md.

`python benchmarks/crossed_coverage.py`. Every condition has two numbers, of which a part is the training corpus's, a
part the test corpus's and a part its own; they correlate in all parts alike. The truth is then known: Spearman's
correlation is 6/π · asin(ρ/2), and the share of conditions whose second number is above 0.5 is that of the normal
distribution.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat.inference.crossed import correlation_interval, share_of_pairs
from karat.inference.distributions import normal_cdf

Blocks = Sequence[tuple[int, int]]  # of each language the training corpora and the tests, those among these
DESIGNS: dict[str, Blocks] = {
    "4 × 5": [(4, 5)],
    "3 × 6": [(3, 6)],
    "4 × 5 and 3 × 6": [(4, 5), (3, 6)],
    "6 languages of 4 × 5": [(4, 5)] * 6,
}
CORRELATIONS = (0.0, 0.5, 0.7)
PARTS = ((0.4, 0.4, 0.2), (0.2, 0.6, 0.2), (0.1, 0.1, 0.8))  # of the variance: train, test, condition
_LEVEL, _LIMIT = 0.95, 0.5


@dataclass(frozen=True)
class Coverage:
    """How often intervals held the truth, and how wide those of the correlation were."""

    rho: float
    parts: tuple[float, float, float]
    correlation: float
    share: float
    width: float


def coverage(blocks: Blocks, n_trials: int, seed: int) -> list[Coverage]:
    """The coverage in each setting."""
    random = np.random.default_rng(seed)
    found = []
    for rho in CORRELATIONS:
        for parts in PARTS:
            true, above = 6 / math.pi * math.asin(rho / 2), 1 - normal_cdf(_LIMIT)
            hits, shares, widths = [], [], []
            for _ in range(n_trials):
                x, y, pairs = _drawn(random, blocks, rho, parts)
                if ends := correlation_interval(x, y, pairs, _LEVEL):
                    hits.append(ends[0] <= true <= ends[1])
                    widths.append(ends[1] - ends[0])
                if counted := share_of_pairs(y > _LIMIT, pairs, _LEVEL):
                    shares.append(counted[0][0] <= above <= counted[0][1])
            found.append(Coverage(rho, parts, float(np.mean(hits)), float(np.mean(shares)), float(np.mean(widths))))
    return found


def _drawn(
    random: np.random.Generator, blocks: Blocks, rho: float, parts: tuple[float, float, float]
) -> tuple[np.ndarray, np.ndarray, list[tuple[tuple[int, int], tuple[int, int]]]]:
    mix = np.linalg.cholesky(np.array([[1.0, rho], [rho, 1.0]])).T
    values, pairs = [], []
    for block, (n_trains, n_tests) in enumerate(blocks):
        train, test = (random.normal(size=(n_tests, 2)) @ mix * math.sqrt(part) for part in parts[:2])
        for a in range(n_trains):
            for b in range(n_tests):
                values.append(train[a] + test[b] + random.normal(size=2) @ mix * math.sqrt(parts[2]))
                pairs.append(((block, a), (block, b)))
    x, y = np.array(values).T
    return x, y, pairs


def main() -> None:
    """Print the table."""
    print("| corpora | ρ | train, test, condition | correlation covered % | width | share covered % |")
    print("|---|---:|---|---:|---:|---:|")
    for name, blocks in DESIGNS.items():
        for one in coverage(blocks, 500, 1):
            parts = ", ".join(f"{part:g}" for part in one.parts)
            covered = f"{100 * one.correlation:.1f} | {one.width:.2f} | {100 * one.share:.1f}"
            print(f"| {name} | {one.rho:g} | {parts} | {covered} |", flush=True)


if __name__ == "__main__":
    main()
