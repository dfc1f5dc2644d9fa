"""Do intervals of the real accuracy hold when the gold is wrong? Coverage on text whose truth is known.

`python benchmarks/noise_coverage.py --output docs/noise-coverage.md` simulates 2,000 data sets for each kind of noise:
some 20,000 ambiguous words of `karat.simulate`, 3 % of whose gold tags are wrong, and two taggers. Coverage is the
share of the data sets whose interval holds the truth: the taggers' real accuracy on these words or, for the naive and
the Imbens–Manski interval, which speak of more text, the accuracy that they were made with. The naive difference takes
words for independent and the gold for right. People are simulated as always right; of two taggers they judge 200
words, of one 300.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the processes share the cores

import numpy as np

from karat._arrays import Floats, Ids, Indices
from karat.inference.adjudication import estimate_one, estimate_pair
from karat.inference.adjudication_sampling import AGREEMENTS_SHARE, sample_one, sample_pair
from karat.inference.noise import envelope
from karat.inference.noise_from_files import confidence_ends
from karat.inference.noise_priors import Priors, probability_better
from karat.inference.resampling import leave_one_out
from karat.simulate import Truth, noisy, simulated, system

N_TOKENS, CORPUS_ERROR, PAIR_BUDGET, ONE_BUDGET = 57_000, 0.03, 200, 300
T_A, T_B = 0.92, 0.935


@dataclass(frozen=True)
class Noise:
    """A kind of noise: u and p of the two taggers; u None is t."""

    name: str
    a: tuple[float | None, float]
    b: tuple[float | None, float]


KINDS = (
    Noise("independent", (None, 0.73), (None, 0.73)),
    Noise("learned", (0.45, 0.9), (0.45, 0.9)),
    Noise("differential", (0.45, 0.9), (None, 0.73)),
    Noise("u < 1/a", (0.2, 0.9), (0.2, 0.9)),
)
INTERVALS = ("naive", "paper", "Imbens–Manski", "check, C known", "check, C unknown")
DIFFERENCES = ("naive", "paper", "check")
RULES = ("no overlap", "overlap below 1/3", "P ≥ 0.95", "check excludes 0")


@dataclass(frozen=True)
class Run:
    """One data set: whether each interval holds the truth, its width, and what each rule says (1 right, -1 wrong)."""

    covers: tuple[bool, ...]
    widths: tuple[float, ...]
    verdicts: tuple[int, ...]


def run(kind: Noise, seed: int) -> Run:
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    text = simulated(N_TOKENS, rng)
    gold = noisy(text, CORPUS_ERROR, "random", rng, over="ambiguous")
    made = [
        system(text, gold, t=t, u=t if u is None else u, p=p, rng=rng, over="ambiguous")
        for t, (u, p) in ((T_A, kind.a), (T_B, kind.b))
    ]
    words = np.flatnonzero(text.ambiguous)
    truth, gold_tags, a, b = (side[words].astype(np.int32) for side in (text.tags, gold, *made))
    accuracies = [float((side == truth).mean()) for side in (a, b)]
    made_with = [
        (1 - CORPUS_ERROR) * t + CORPUS_ERROR * (t if u is None else u) for t, (u, _) in ((T_A, kind.a), (T_B, kind.b))
    ]
    of_one = _of_one(text, words, truth, gold_tags, a, rng)
    of_pair, probability = _of_pair(truth, gold_tags, a, b, rng)
    wanted = [made_with[0], accuracies[0], made_with[0], accuracies[0], accuracies[0]]
    real = accuracies[1] - accuracies[0]
    wanted += [made_with[1] - made_with[0], real, real]
    ends = [*of_one, *of_pair]
    covers = tuple(low <= value <= high for (low, high), value in zip(ends, wanted, strict=True))
    return Run(
        covers, tuple(high - low for low, high in ends), _verdicts(of_pair, of_one, a, b, gold_tags, probability)
    )


def _observed(tags: Ids, gold: Ids) -> float:
    return float((tags == gold).mean())


def _of_one(
    text: Truth, words: Indices, truth: Ids, gold: Ids, tags: Ids, rng: np.random.Generator
) -> list[tuple[float, float]]:
    """The intervals of one tagger's real accuracy."""
    n, k = len(words), _observed(tags, gold)
    reach = 1.96 * math.sqrt(k * (1 - k) / n)
    bounds = envelope(k, CORPUS_ERROR, text.ambiguity)
    sentences = text.token_sentences[words]
    n_sentences = int(sentences.max()) + 1
    counts: Floats = np.stack(
        [
            np.bincount(sentences, weights=weights, minlength=n_sentences).astype(np.float64)
            for weights in ((tags == gold).astype(float), np.ones(n), text.n_candidates[words].astype(float))
        ],
        axis=1,
    )
    counts = counts[counts[:, 1] > 0]
    without = leave_one_out(counts)
    sure = confidence_ends(
        bounds, envelope(without[:, 0] / without[:, 1], CORPUS_ERROR, without[:, 2] / without[:, 1]), 0.95
    )
    assert sure is not None
    known = sample_one(gold, tags, ONE_BUDGET, rng)
    both = sample_one(gold, tags, ONE_BUDGET, rng, agreements_share=AGREEMENTS_SHARE)
    real_error = float((gold != truth).mean())
    found = [
        estimate_one(gold, tags, known.tokens, _judged(truth, known.tokens, gold, tags), rng, corpus_error=real_error),
        estimate_one(gold, tags, both.tokens, _judged(truth, both.tokens, gold, tags), rng),
    ]
    ends = []
    for one in found:
        assert one.accuracy is not None
        assert one.accuracy.lower is not None
        assert one.accuracy.upper is not None
        ends.append((one.accuracy.lower, one.accuracy.upper))
    return [(k - reach, k + reach), (float(bounds.lower), float(bounds.upper)), (sure.lower, sure.upper), *ends]


def _judged(truth: Ids, tokens: Indices, *shown: Ids) -> Ids:
    """What a judge says who is always right: the tag, or -1 if it is not among those shown."""
    right = truth[tokens]
    is_shown = np.any([side[tokens] == right for side in shown], axis=0)
    return np.where(is_shown, right, -1).astype(np.int32)


def _of_pair(
    truth: Ids, gold: Ids, a: Ids, b: Ids, rng: np.random.Generator
) -> tuple[list[tuple[float, float]], float]:
    """The intervals of the real difference, and the probability that b is better under the default beliefs."""
    ahead = (b == gold).astype(float) - (a == gold)
    reach = 1.96 * float(ahead.std()) / math.sqrt(len(ahead))
    observed = float(ahead.mean())
    mean = _MEAN_AMBIGUITY
    k_a, k_b = _observed(a, gold), _observed(b, gold)
    of_a, of_b = envelope(k_a, CORPUS_ERROR, mean), envelope(k_b, CORPUS_ERROR, mean)
    sample = sample_pair(gold, a, b, PAIR_BUDGET, rng)
    pair = estimate_pair(gold, a, b, sample.tokens, _judged(truth, sample.tokens, gold, a, b), rng)
    assert pair.difference.lower is not None
    assert pair.difference.upper is not None
    believed = probability_better((k_a, CORPUS_ERROR, mean), (k_b, CORPUS_ERROR, mean), Priors({}), n_draws=20_000)
    ends = [
        (observed - reach, observed + reach),
        (float(of_b.lower - of_a.upper), float(of_b.upper - of_a.lower)),
        (pair.difference.lower, pair.difference.upper),
    ]
    return ends, 0.5 if believed is None else believed.independent


_MEAN_AMBIGUITY = simulated(200_000, 0).ambiguity  # of the language: a data set's own differs in the third digit


def _verdicts(
    of_pair: Sequence[tuple[float, float]],
    of_one: Sequence[tuple[float, float]],
    a: Ids,
    b: Ids,
    gold: Ids,
    probability: float,
) -> tuple[int, ...]:
    """What each rule says: 1 if it calls B better, which it is, -1 if A, 0 if it leaves that open."""
    low, high = of_pair[1]
    width = of_one[1][1] - of_one[1][0]
    ahead = _observed(b, gold) - _observed(a, gold)
    shared = max(0.0, width - abs(ahead)) / width
    sign = int(np.sign(ahead))
    return (
        1 if low > 0 else -1 if high < 0 else 0,
        sign if shared < 1 / 3 else 0,
        1 if probability >= 0.95 else -1 if probability <= 0.05 else 0,
        1 if of_pair[2][0] > 0 else -1 if of_pair[2][1] < 0 else 0,
    )


def runs(kind: Noise, seeds: Sequence[int]) -> list[Run]:
    return [run(kind, seed) for seed in seeds]


def simulate(n_runs: int, jobs: int) -> Iterator[tuple[Noise, list[Run]]]:
    with ProcessPoolExecutor(jobs) as pool:
        for kind in KINDS:
            parts = [range(first, n_runs, jobs) for first in range(jobs)]
            yield kind, [one for part in pool.map(runs, [kind] * jobs, parts) for one in part]


def tables(results: Sequence[tuple[Noise, list[Run]]], n_runs: int) -> list[str]:
    lines = [
        "# Coverage when the gold is wrong",
        "",
        f"Made by `python benchmarks/noise_coverage.py --output docs/noise-coverage.md`, {n_runs:,} data sets for each",
        "kind of noise; the head of that file says how. In %: the share of data sets whose 95 % interval holds the",
        "truth, and in brackets the mean width in points.",
        "",
    ]
    names = [*(f"x: {name}" for name in INTERVALS), *(f"Δ: {name}" for name in DIFFERENCES)]
    lines += ["| interval | " + " | ".join(kind.name for kind, _ in results) + " |", "|---|" + "---|" * len(results)]
    for place, name in enumerate(names):
        cells = []
        for _, found in results:
            covered = 100 * float(np.mean([one.covers[place] for one in found]))
            width = 100 * float(np.mean([one.widths[place] for one in found]))
            cells.append(f"{covered:.1f} ({width:.2f})")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    lines += ["", "x: the first tagger's real accuracy; Δ: that of the second less that of the first.", ""]
    lines += [
        "## Rules to decide",
        "",
        "In %: data sets in which a rule calls the better tagger better, and the worse.",
        "",
    ]
    lines += ["| rule | " + " | ".join(kind.name for kind, _ in results) + " |", "|---|" + "---|" * len(results)]
    for place, name in enumerate(RULES):
        cells = []
        for _, found in results:
            said = np.array([one.verdicts[place] for one in found])
            cells.append(f"{100 * float((said > 0).mean()):.1f}, wrong {100 * float((said < 0).mean()):.1f}")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    text = "\n".join(tables(list(simulate(arguments.runs, arguments.jobs)), arguments.runs)) + "\n"
    print(text)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
