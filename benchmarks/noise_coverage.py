"""Do intervals of the real accuracy hold when the gold is wrong? Coverage on text whose truth is known.

`python benchmarks/noise_coverage.py --output docs/noise-coverage.md` simulates 2,000 data sets for each kind of noise:
some 20,000 ambiguous words of `karat.simulation`, 3 % of whose gold tags are wrong, and two taggers. Coverage is the
share of the data sets whose interval holds the truth: the taggers' real accuracy on these words or, for the naive and
the Imbens–Manski interval, which speak of more text, the accuracy that they were made with. The naive difference takes
words for independent and the gold for right. People are simulated as always right; of two taggers they judge 200
words, of one 300. The second tagger is really better by about a point; with differential noise the first has learned
the gold's errors and the second has not, so that the first is observed ahead.
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
from karat.inference.resampling import leave_one_out
from karat.noise import decision_rules as noise_rules
from karat.noise.bounds import envelope
from karat.noise.estimates_from_verdicts import estimate_one, estimate_pair
from karat.noise.from_files import confidence_ends
from karat.noise.from_numbers import noise_bounds
from karat.noise.token_sampling import AGREEMENTS_SHARE, sample_one, sample_pair
from karat.simulation.noise import noisy
from karat.simulation.systems import system
from karat.simulation.text import Truth, simulated

N_TOKENS, CORPUS_ERROR, PAIR_BUDGET, ONE_BUDGET = 57_000, 0.03, 200, 300


@dataclass(frozen=True)
class Tagger:
    """A tagger's accuracy where the gold is right and where it is wrong, and how often it makes the gold's error."""

    t: float
    u: float
    p: float

    @property
    def accuracy(self) -> float:
        return (1 - CORPUS_ERROR) * self.t + CORPUS_ERROR * self.u


@dataclass(frozen=True)
class Noise:
    """A kind of noise: two taggers, of which b is really the better."""

    name: str
    a: Tagger
    b: Tagger


KINDS = (
    Noise("independent", Tagger(0.95, 0.95, 0.73), Tagger(0.96, 0.96, 0.73)),
    Noise("learned", Tagger(0.95, 0.45, 0.9), Tagger(0.96, 0.45, 0.9)),
    Noise("differential", Tagger(0.95, 0.45, 0.9), Tagger(0.945, 0.945, 0.73)),  # a is observed ahead
    Noise("u < 1/a", Tagger(0.95, 0.2, 0.9), Tagger(0.96, 0.2, 0.9)),
)
INTERVALS = ("naive", "paper", "Imbens–Manski", "check, C known", "check, C unknown")
DIFFERENCES = ("naive", "paper", "check")
RULES = ("naive", *noise_rules.RULES)


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
    made = [system(text, gold, t=one.t, u=one.u, p=one.p, rng=rng, over="ambiguous") for one in (kind.a, kind.b)]
    words = np.flatnonzero(text.ambiguous)
    truth, gold_tags, a, b = (side[words].astype(np.int32) for side in (text.tags, gold, *made))
    accuracies = [float((side == truth).mean()) for side in (a, b)]
    of_one = _of_one(text, words, truth, gold_tags, a, rng)
    of_pair, verdicts = _of_pair(text, truth, gold_tags, a, b, rng)
    wanted = [kind.a.accuracy, accuracies[0], kind.a.accuracy, accuracies[0], accuracies[0]]
    real = accuracies[1] - accuracies[0]
    wanted += [kind.b.accuracy - kind.a.accuracy, real, real]
    ends = [*of_one, *of_pair]
    covers = tuple(low <= value <= high for (low, high), value in zip(ends, wanted, strict=True))
    order = int(np.sign(real))
    return Run(covers, tuple(high - low for low, high in ends), tuple(order * one for one in verdicts))


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
    text: Truth, truth: Ids, gold: Ids, a: Ids, b: Ids, rng: np.random.Generator
) -> tuple[list[tuple[float, float]], list[int]]:
    """The intervals of the real difference, and what each rule says."""
    differences = (b == gold).astype(float) - (a == gold)
    reach = 1.96 * float(differences.std()) / math.sqrt(len(gold))
    ahead = float(differences.mean())
    sample = sample_pair(gold, a, b, PAIR_BUDGET, rng)
    pair = estimate_pair(gold, a, b, sample.tokens, _judged(truth, sample.tokens, gold, a, b), rng)
    assert pair.difference.lower is not None
    assert pair.difference.upper is not None
    observed = {"a": _observed(a, gold), "b": _observed(b, gold)}
    result = noise_bounds(observed, CORPUS_ERROR, text.ambiguity)
    of_a, of_b = (one.envelope for one in result.systems)
    assert of_a is not None
    assert of_b is not None
    ends = [
        (ahead - reach, ahead + reach),
        (of_b.lower - of_a.upper, of_b.upper - of_a.lower),
        (pair.difference.lower, pair.difference.upper),
    ]
    said = [{"a": -1, "b": 1, None: 0}[better] for better in result.pairs[0].rules.values()]
    return ends, [_side(*ends[0]), *said, _side(*ends[2])]


def _side(low: float, high: float) -> int:
    """Which side of 0 an interval lies on."""
    return 1 if low > 0 else -1 if high < 0 else 0


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


def wrong_by_share(n_pairs: int = 2_000_000, seed: int = 1) -> list[tuple[float, float]]:
    """Of pairs of taggers whose intervals overlap by so large a share, how many are not ordered as observed.

    The pairs are as the paper's assumptions allow, with errors of each tagger's own: u uniform between 1/a and t, p
    between 1/(a − 1) and 1, t between 0.85 and 0.98 and up to 0.05 apart, C from 0.005 to 0.06, a from 2.1 to 4.
    """
    rng = np.random.default_rng(seed)
    c, a = rng.uniform(0.005, 0.06, n_pairs), rng.uniform(2.1, 4, n_pairs)
    t = rng.uniform(0.85, 0.98, n_pairs)
    observed, real, ends = [], [], []
    for accuracy in (t, np.minimum(t + rng.uniform(-0.05, 0.05, n_pairs), 0.995)):
        u, p = rng.uniform(1 / a, accuracy), rng.uniform(1 / (a - 1), 1)
        observed.append((1 - c) * accuracy + c * (1 - u) * p)
        real.append((1 - c) * accuracy + c * u)
        ends.append(envelope(observed[-1], c, a))
    shared = np.minimum(ends[0].upper, ends[1].upper) - np.maximum(ends[0].lower, ends[1].lower)
    share = shared / np.minimum(ends[0].upper - ends[0].lower, ends[1].upper - ends[1].lower)
    wrong = (observed[1] > observed[0]) != (real[1] > real[0])
    highest = np.arange(1, 21) / 20
    return [(float(high), float(wrong[(share > high - 0.05) & (share <= high)].mean())) for high in highest]


def calibration_table() -> list[str]:
    rows = [f"| {high - 0.05:.2f} – {high:.2f} | {100 * wrong:.1f} |" for high, wrong in wrong_by_share()]
    return [
        "",
        "## How much overlap is too much",
        "",
        "Pairs of taggers drawn at random as the paper's assumptions allow: by the share of the shorter interval over",
        "all p that both have in common, how many are in truth not ordered as they are observed, in %. The rule",
        f"`{noise_rules.OVERLAP}` decides below {noise_rules.MOST_SHARED:g}, where that is at most 5 %.",
        "",
        "| share | wrong |",
        "|---|---|",
        *rows,
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    lines = tables(list(simulate(arguments.runs, arguments.jobs)), arguments.runs) + calibration_table()
    text = "\n".join(lines) + "\n"
    print(text)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
