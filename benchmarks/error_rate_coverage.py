"""Does the estimated error rate of a gold hold what it promises, while verdicts change what is judged next?

    python benchmarks/error_rate_coverage.py [--output docs/error-rate-coverage.md]

Words have evidence against their labels as words of GUM have it: six numbers drawn from two kinds of words, suspicious
or not. Errors are drawn at a rate that is so many times as high among suspicious words. A judge who never errs judges
the likeliest suspects in rounds of 25; after each round the ranking is learnt anew from these verdicts. Then the random
sample is judged. Covered is how often the 95 % interval holds the true share of errors.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from karat.suspects.evidence import WEIGHTS
from karat.suspects.judged import JudgedWords, error_rate
from karat.suspects.learning import learnt_weights

N_WORDS, BATCH = 20_000, 25
SUSPICIOUS = 0.1  # of the words


@dataclass(frozen=True)
class Design:
    """An error rate, how many times as high it is among suspicious words, words of the sample, rounds of judging."""

    rate: float
    times: float
    n_sample: int = 300
    rounds: int = 4


DESIGNS = [
    Design(0.03, 10), Design(0.02, 10), Design(0.05, 10), Design(0.03, 1), Design(0.03, 50),
    Design(0.03, 10, rounds=20), Design(0.03, 10, rounds=0),
    Design(0.01, 10), Design(0.01, 10, 600), Design(0.1, 5, 100), Design(0.005, 10),
]  # fmt: skip


@dataclass(frozen=True)
class Covered:
    """How often intervals hold the truth, their mean width, and the mean error of the estimate."""

    coverage: float
    width: float
    bias: float


def covered(design: Design, seeds: Iterable[int]) -> Covered:
    found = np.array([one_judging(design, np.random.default_rng([seed, 53])) for seed in seeds])
    return Covered(*found.mean(axis=0).tolist())


def one_judging(design: Design, rng: np.random.Generator) -> tuple[bool, float, float]:
    suspicious = rng.random(N_WORDS) < SUSPICIOUS
    values = rng.exponential(np.where(suspicious, 1.0, 0.1)[:, None], (N_WORDS, len(WEIGHTS)))
    values[:, 0] -= np.where(suspicious, 0.0, 3.0)
    chance = np.where(suspicious, design.times, 1.0)
    is_error = rng.random(N_WORDS) < design.rate * chance / chance.mean()
    sample = rng.choice(N_WORDS, design.n_sample, replace=False)
    ranked, weights = np.zeros(0, dtype=np.intp), WEIGHTS
    for _ in range(design.rounds):
        scores = values @ weights
        scores[ranked] = -np.inf
        ranked = np.append(ranked, np.argpartition(-scores, BATCH)[:BATCH])
        weights = learnt_weights(values[ranked], is_error[ranked])
    judged = JudgedWords(ranked, is_error[ranked], sample, is_error[sample], len(sample))
    found, truth = error_rate(judged, N_WORDS, rng=rng), float(is_error.mean())
    assert found.value is not None
    assert found.lower is not None
    assert found.upper is not None
    return found.lower <= truth <= found.upper, found.upper - found.lower, found.value - truth


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judgings", type=int, default=1000)
    parser.add_argument("--output", type=Path, help="write the page to this file too")
    arguments = parser.parse_args()
    lines = [
        "# The error rate of a gold, estimated",
        "",
        "Made by `python benchmarks/error_rate_coverage.py --output docs/error-rate-coverage.md`, which says how;",
        f"{arguments.judgings:,} judgings of {N_WORDS:,} words for each row. Coverage in %, standard error 0.7.",
        "",
        "| errors | among suspicious words | sample | judged suspects | covered | width, points | bias, points |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for design in DESIGNS:
        found = covered(design, range(arguments.judgings))
        cells = [f"{100 * design.rate:g} %", f"{design.times:g} ×", str(design.n_sample), str(design.rounds * BATCH)]
        cells += [f"{100 * found.coverage:.1f}", f"{100 * found.width:.2f}", f"{100 * found.bias:+.3f}"]
        lines.append("| " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    lines += [
        "",
        "Where the sample holds some three errors or fewer, one more or less of them decides, and no interval covers",
        "95 % whatever their rate: with rates of 1 % and below, judge a larger sample.",
    ]
    if arguments.output:
        arguments.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
