"""Tests and intervals beside those of scipy and sacrebleu, on simulated counts; their growth; whole commands.

The peers are called in the fastest way found that does the same work: scipy's batches have the size, of those tried,
that took least, and its permutation test gets the sentences' differences, which it need only turn round. scipy's
bootstrap is called for one pair; all pairs cost the same, so that 45 take 45 times as long. sacrebleu resamples the
same counts with accuracy as its metric, which costs less than BLEU. It tests nine systems against a baseline in one
call; all 45 pairs take nine calls with nine, eight, … one. A pair costs the same in each, and a call a little more for
the baseline, so that five times the first call is no more than the nine. Two more calls of scipy's bootstrap show what
it can do for all pairs at once: with 45 rows of differences, and with a statistic that gets numbers of sentences and
looks them up in a table of all systems, which leaves only the drawing to scipy.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from _measuring import (
    EWT,
    KARAT,
    Task,
    cold,
    comparison_table,
    corrupted_copy,
    growth_table,
    measured,
    memory_table,
    warm,
)

if TYPE_CHECKING:
    from karat._arrays import Array, Floats

N_RESAMPLES = 10_000
N_SYSTEMS = 10
N_PAIRS = N_SYSTEMS * (N_SYSTEMS - 1) // 2


@cache  # so that only the first run, which does not count, makes them
def simulated_counts(n_sentences: int, n_systems: int) -> Floats:
    """Counts [sentences × systems × fields] of equally good systems that tokenise as the gold does.

    Sentences have 12.5 words on the average; 90 % of all words are right, more in some sentences than in others,
    whatever the system.
    """
    import numpy as np

    from karat.measures.measure import CORRECT, FIELDS

    rng = np.random.default_rng(2026)
    n_words = 1 + rng.poisson(11.5, n_sentences)
    ease = rng.beta(9, 1, n_sentences)
    counts = np.empty((n_sentences, n_systems, len(FIELDS)))
    counts[:] = n_words[:, None, None]
    counts[:, :, CORRECT] = rng.binomial(n_words[:, None], ease[:, None], (n_sentences, n_systems))
    return counts


def numbers_right(n_sentences: int, n_systems: int) -> tuple[Floats, Floats]:
    """What the peers need of the counts: words that are right [systems × sentences], and words [sentences]."""
    import numpy as np

    from karat.measures.measure import CORRECT, GOLD

    counts = simulated_counts(n_sentences, n_systems)
    return np.ascontiguousarray(counts[:, :, CORRECT].T), counts[:, 0, GOLD].copy()


# ---- the paired test -------------------------------------------------------------------------------------------------


def karat_exact_test(n_sentences: str) -> object:
    from karat.inference.permutation import exact_test, integer_differences
    from karat.measures.measure import f1

    counts = simulated_counts(int(n_sentences), 2)
    differences = integer_differences(counts[:, 0], counts[:, 1], f1)
    assert differences is not None
    return exact_test(differences)


def scipy_permutation_test(n_sentences: str) -> object:
    import numpy as np
    from scipy.stats import permutation_test

    right, _ = numbers_right(int(n_sentences), 2)
    return permutation_test(
        (right[1] - right[0],),
        np.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=N_RESAMPLES - 1,
        batch=1000,
        rng=np.random.default_rng(0),
    )


def karat_swaps(n_sentences: str) -> object:
    """Studentised randomisation, where the systems' words differ in number: one has some words more."""
    import numpy as np

    from karat.inference.options import InferenceOptions
    from karat.inference.permutation import randomisation_tests
    from karat.measures.measure import SYSTEM, f1

    counts = simulated_counts(int(n_sentences), 2)
    counts[:, 1, SYSTEM] += np.arange(len(counts)) % 3 == 0
    return randomisation_tests([(counts[:, 0], counts[:, 1])], f1, InferenceOptions(n_resamples=N_RESAMPLES))


# ---- the bootstrap of all pairs --------------------------------------------------------------------------------------


def karat_bootstrap(n_sentences: str) -> object:
    from karat.inference.intervals import difference_interval
    from karat.inference.options import InferenceOptions
    from karat.inference.resampling import bootstrap_sums
    from karat.measures.measure import f1

    def difference(counts: Floats) -> Floats:
        values = f1(counts)
        found: Floats = values[..., 1] - values[..., 0]
        return found

    counts = simulated_counts(int(n_sentences), N_SYSTEMS)
    (sums,) = bootstrap_sums([counts.reshape(len(counts), -1)], InferenceOptions(n_resamples=N_RESAMPLES))
    values = f1(sums.reshape(N_RESAMPLES, *counts.shape[1:]))
    options = InferenceOptions(n_resamples=N_RESAMPLES, method="percentile")
    sizes = f1.sizes(counts[:, 0])
    return [
        difference_interval(counts[:, [i, j]], difference, options, values[:, j] - values[:, i], sizes=sizes)
        for i, j in combinations(range(N_SYSTEMS), 2)
    ]


def ratio_of_sums(top: Array, bottom: Array, axis: int) -> Array:
    ratio: Array = top.sum(axis=axis) / bottom.sum(axis=axis)
    return ratio


def scipy_bootstrap(n_sentences: str) -> object:
    import numpy as np
    from scipy.stats import bootstrap

    right, n_words = numbers_right(int(n_sentences), N_SYSTEMS)
    return bootstrap(
        (right[1] - right[0], n_words),
        ratio_of_sums,
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=N_RESAMPLES,
        batch=250,
        rng=np.random.default_rng(0),
    )


def scipy_bootstrap_of_rows(n_sentences: str) -> object:
    import numpy as np
    from scipy.stats import bootstrap

    right, n_words = numbers_right(int(n_sentences), N_SYSTEMS)
    differences = np.stack([right[j] - right[i] for i, j in combinations(range(N_SYSTEMS), 2)])
    return bootstrap(
        (differences, n_words[None]),
        ratio_of_sums,
        axis=-1,
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=N_RESAMPLES,
        batch=2,
        rng=np.random.default_rng(0),
    )


def scipy_bootstrap_of_numbers(n_sentences: str) -> object:
    import numpy as np
    from scipy.stats import bootstrap

    right, n_words = numbers_right(int(n_sentences), N_SYSTEMS)
    table = np.column_stack([right.T, n_words])
    first, second = np.array(list(combinations(range(N_SYSTEMS), 2))).T

    def differences(drawn: Array, axis: int) -> Array:
        assert axis == -1
        sums = table[drawn].sum(axis=-2)
        found: Array = ((sums[..., second] - sums[..., first]) / sums[..., -1:]).T
        return found

    return bootstrap(
        (np.arange(len(table)),),
        differences,
        vectorized=True,
        method="percentile",
        n_resamples=N_RESAMPLES,
        batch=50,
        rng=np.random.default_rng(0),
    )


class AccuracyScore(NamedTuple):
    """What sacrebleu expects of a score."""

    score: float
    name: str = "accuracy"


class Signature:
    """What sacrebleu expects of a signature."""

    def update(self, key: str, value: object) -> None: ...


class Accuracy:
    """Accuracy as a metric of sacrebleu's: a system's "sentences" are its counts, words right and words."""

    def _extract_corpus_statistics(self, hypotheses: Floats, references: None) -> Floats:
        return hypotheses

    def _aggregate_and_compute(self, statistics: Floats) -> AccuracyScore:
        return self._compute_score_from_stats(statistics.sum(axis=0))

    def _compute_score_from_stats(self, sums: Floats) -> AccuracyScore:
        return AccuracyScore(sums[0] / sums[1])

    def get_signature(self) -> Signature:
        return Signature()


def sacrebleu_bootstrap(n_sentences: str) -> object:
    import numpy as np
    from sacrebleu.significance import PairedTest

    right, n_words = numbers_right(int(n_sentences), N_SYSTEMS)
    systems: Any = [(f"system {number}", np.column_stack([one, n_words])) for number, one in enumerate(right)]
    metrics: Any = {"accuracy": Accuracy()}
    return PairedTest(systems, metrics, None, test_type="bs", n_samples=N_RESAMPLES)()


TASKS = (
    karat_exact_test, karat_swaps, scipy_permutation_test,
    karat_bootstrap, scipy_bootstrap, scipy_bootstrap_of_rows, scipy_bootstrap_of_numbers, sacrebleu_bootstrap,
)  # fmt: skip


# ---- the comparisons -------------------------------------------------------------------------------------------------


def tables(folder: Path) -> list[str]:
    test = [
        warm("karat, exact", karat_exact_test, 200, 2000),
        warm("scipy, 9,999 resamples", scipy_permutation_test, 2, 2000, goal=500),
    ]
    bootstrap = [
        warm("karat", karat_bootstrap, 5, 2000),
        warm("scipy, 45 × 1 pair", scipy_bootstrap, 8, 2000, goal=50, times=N_PAIRS),
        warm("sacrebleu, 5 × 9 pairs", sacrebleu_bootstrap, 1, 2000, goal=50, times=N_PAIRS // (N_SYSTEMS - 1)),
        warm("scipy, one call, a row for each pair", scipy_bootstrap_of_rows, 1, 2000),
        warm("scipy, one call, numbers of sentences", scipy_bootstrap_of_numbers, 2, 2000),
    ]
    large = warm("karat", karat_bootstrap, 1, 100_000)
    tests = [warm(f"{n:,} sentences", karat_exact_test, 100, n) for n in (1000, 10_000, 100_000)]
    bootstraps = [warm(f"{n:,} sentences", karat_bootstrap, 4, n) for n in (500, 2000, 8000)]
    return [
        *comparison_table("Paired test, two systems, 2,000 sentences, warm", measured(test, 4)),
        *comparison_table(
            "Bootstrap, all 45 pairs of ten systems, 2,000 sentences, 10,000 resamples, warm", measured(bootstrap, 3)
        ),
        *memory_table(
            "Bootstrap, all 45 pairs of ten systems, 100,000 sentences, 10,000 resamples, warm",
            measured([large], 2)[0],
            1e9,
        ),
        *growth_table("Growth: exact paired test, warm", "input", measured(tests, 3)),
        *growth_table(SWAPS, "input", measured(swaps(), 3)),
        *growth_table("Growth: bootstrap of ten systems, warm", "input", measured(bootstraps, 3)),
        *whole_commands(folder),
    ]


SWAPS = "Growth: studentised randomisation of two systems, 10,000 swaps, warm"


def swaps() -> list[Task]:
    return [warm(f"{n:,} sentences", karat_swaps, 5, n) for n in (500, 2000, 8000)]


def whole_commands(folder: Path) -> list[str]:
    gold = EWT / "en_ewt-ud-test.conllu"
    ada, bix = (corrupted_copy(gold, folder, seed) for seed in (2026, 2027))
    tasks = [
        cold("`karat score --resamples 0`, one system", *KARAT, "score", gold, ada, "--resamples", "0"),
        cold("`karat score`, one system", *KARAT, "score", gold, ada),
        cold("`karat compare`, two systems", *KARAT, "compare", gold, ada, bix),
    ]
    return growth_table("Whole commands, EWT test, process start included", "command", measured(tasks, 8))
