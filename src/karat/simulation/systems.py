"""Systems that are as good as asked where the gold is right and where it is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from karat._arrays import Array, Floats, Indices
from karat.errors import UsageError
from karat.simulation.candidates import other_tags
from karat.simulation.noise import Over
from karat.simulation.text import Truth

By = Literal["sentence", "document"]


@dataclass(frozen=True, slots=True)
class Realised:
    """What came of a gold and a system whose truth is known, over all tokens or the ambiguous ones.

    The numbers of tokens are the cells of Table 1 of Padró & Màrquez 1998: the gold right, and the system right or
    wrong; the gold wrong, and the system right, wrong in the same way, or wrong in another.
    """

    both_right: int
    only_gold_right: int
    only_system_right: int
    same_error: int
    different_errors: int

    @property
    def n_tokens(self) -> int:
        of_right = self.both_right + self.only_gold_right
        return of_right + self.only_system_right + self.same_error + self.different_errors

    @property
    def true_accuracy(self) -> float | None:
        """x, eq. 1; None without tokens."""
        return _share(self.both_right + self.only_system_right, self.n_tokens)

    @property
    def observed_accuracy(self) -> float | None:
        """K, eq. 2; None without tokens."""
        return _share(self.both_right + self.same_error, self.n_tokens)

    @property
    def corpus_error(self) -> float | None:
        """C; None without tokens."""
        return _share(self.n_tokens - self.both_right - self.only_gold_right, self.n_tokens)

    @property
    def t(self) -> float | None:
        """The system's accuracy where the gold is right; None where it never is."""
        return _share(self.both_right, self.both_right + self.only_gold_right)

    @property
    def u(self) -> float | None:
        """The system's accuracy where the gold is wrong; None where it never is."""
        return _share(self.only_system_right, self.only_system_right + self.same_error + self.different_errors)

    @property
    def p(self) -> float | None:
        """The share of the gold's own errors where both are wrong; None where they never are."""
        return _share(self.same_error, self.same_error + self.different_errors)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def realised(truth: Truth, gold: Array, tags: Array, *, over: Over = "all") -> Realised:
    """The cells of Table 1 [Padró & Màrquez 1998] for a system's tags."""
    counted = truth.ambiguous if over == "ambiguous" else np.ones(truth.n_tokens, dtype=np.bool_)
    gold_right, right, agree = gold == truth.tags, tags == truth.tags, gold == tags
    return Realised(
        int(np.count_nonzero(counted & gold_right & right)),
        int(np.count_nonzero(counted & gold_right & ~right)),
        int(np.count_nonzero(counted & ~gold_right & right)),
        int(np.count_nonzero(counted & ~gold_right & ~right & agree)),
        int(np.count_nonzero(counted & ~gold_right & ~right & ~agree)),
    )


def system(
    truth: Truth,
    gold: Array,
    *,
    t: float,
    u: float,
    p: float,
    rng: np.random.Generator | int,
    clustering: float = 0.0,
    by: By = "sentence",
    over: Over = "all",
) -> Array:
    """Tags of a system as Table 1 of Padró & Màrquez 1998 describes it; each is one that its word can have.

    t is its accuracy where the gold is right, u where the gold is wrong, p the probability that it makes the gold's own
    error where both are wrong. Only ambiguous words are tagged wrongly: with `over="all"` t holds for all tokens, with
    `"ambiguous"` for ambiguous ones (u and p hold for both, as the gold errs on ambiguous words alone).

    A word of two tags leaves no other error than the gold's. So different errors fall on words of three tags and more,
    and p has a lower limit, `lowest_p`; below it, p is that limit, and u holds.

    `clustering` is the intraclass correlation of errors within sentences or documents: rates of error then differ
    between clusters as a beta distribution has it, and the variance of an accuracy grows by the design effect,
    1 + (m − 1)·clustering for clusters of m tokens (those that can be wrong).
    """
    for name, value, most in (("t", t, 1), ("u", u, 1), ("p", p, 1), ("clustering", clustering, 0.999)):
        if not 0 <= value <= most:
            raise UsageError(f"{name} is {value:g}; it must be between 0 and {most:g}")
    rng = np.random.default_rng(rng)
    ambiguous = np.flatnonzero(truth.ambiguous)
    gold_right = gold[ambiguous] == truth.tags[ambiguous]
    three = truth.language.n_candidates[truth.words[ambiguous]] > 2
    strata = np.where(gold_right, 0, np.where(three, 2, 1))
    wrong_rates, different = _rates(truth, gold, strata, t, u, p, over)
    rates = wrong_rates[strata]
    if clustering > 0:
        clusters = (truth.token_sentences if by == "sentence" else truth.token_documents)[ambiguous]
        rates = _clustered(wrong_rates, clustering, int(clusters[-1]) + 1 if len(clusters) else 0, rng)[
            strata, clusters
        ]
    wrong = rng.random(len(ambiguous)) < rates
    differs = wrong & (strata == 2) & (rng.random(len(ambiguous)) < different)
    tags = truth.tags.copy()
    same = ambiguous[wrong & ~gold_right & ~differs]
    tags[same] = gold[same]
    alone, apart = ambiguous[wrong & gold_right], ambiguous[differs]
    tags[alone] = other_tags(truth.language, truth.words[alone], truth.tags[alone], rng)
    tags[apart] = other_tags(truth.language, truth.words[apart], truth.tags[apart], rng, also_not=gold[apart])
    return tags


def lowest_p(truth: Truth, gold: Array, *, u: float) -> float:
    """The lowest p that a system with this u can have, given how many of the gold's errors are on words of two tags."""
    wrong = gold != truth.tags
    if u == 1 or not wrong.any():
        return 0.0
    of_three = float((truth.n_candidates[wrong] > 2).mean())
    return max(0.0, 1 - of_three / (1 - u))


def _rates(
    truth: Truth, gold: Array, strata: Indices, t: float, u: float, p: float, over: Over
) -> tuple[Floats, float]:
    """The rate of error in each stratum (gold right; gold wrong on words of two tags, and of more), and the share of
    those in the last that are not the gold's."""
    n_right, n_two, n_three = np.bincount(strata, minlength=3).tolist()
    of_all = int(np.count_nonzero(gold == truth.tags)) if over == "all" else n_right
    if over == "all" and 1 - t > truth.language.ambiguous_share:
        raise UsageError(f"t is {t:g}: only {truth.language.ambiguous_share:.3f} of all tokens can be wrong")
    alone = min(1.0, (1 - t) * of_all / n_right) if n_right else 0.0  # a tiny text may have too few
    if not n_three:
        return np.array([alone, 1 - u, 1 - u]), 0.0
    n_errors = (1 - u) * (n_two + n_three)
    n_different = min((1 - p) * n_errors, n_three)
    # errors are as likely on words of two tags as on others, unless the different ones need more of the others
    of_three = max((1 - u) * n_three, n_different)
    of_two = n_errors - of_three
    wrong = np.array([alone, of_two / n_two if n_two else 0.0, of_three / n_three])
    return wrong, n_different / of_three if of_three else 0.0


def _clustered(rates: Floats, correlation: float, n_clusters: int, rng: np.random.Generator) -> Floats:
    """Rates [strata × clusters] around the given ones: beta distributions with this intraclass correlation."""
    drawn = np.repeat(rates[:, None], n_clusters, axis=1)
    between = (rates > 0) & (rates < 1)
    size = (1 - correlation) / correlation
    means = rates[between, None]
    drawn[between] = rng.beta(means * size, (1 - means) * size, size=(len(means), n_clusters))
    return drawn
