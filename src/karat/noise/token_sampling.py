"""Which tokens people should judge to learn what a score is worth.

Padró & Màrquez 1998 (§6) ask how the parameters of a tagger could be estimated. A person who says of a few tokens
which tag is right estimates them all, if the tokens are a random sample from known strata. Where system and gold agree,
errors are rare; where they differ, the gold may be at fault in every third token: so these are strata of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from karat._arrays import Array, Flags, Floats, Indices
from karat.errors import UsageError

NONE_SHOWN = -1  # a judgement: none of the tags that were shown is right
NOT_JUDGED = -2  # a blank
NOT_REACHED = -3  # a row behind all that a judge has come to
ONE_STRATA = ("different", "same")  # system and gold
PAIR_STRATA = ("a_right", "b_right", "neither")  # by the gold, where the two systems differ

FEWEST_OF_STRATUM = 10  # judged in each stratum, as far as it and the budget reach: less says nothing of its variance
# Of 1/2, 2/3, 3/4, 4/5 and 9/10, that which makes the interval of the accuracy narrowest, averaged over four kinds of
# noise, where the corpus's error rate is not known. Errors are so rare where system and gold agree, and such tokens so
# many, that most of the budget must go there.
AGREEMENTS_SHARE = 0.75


@dataclass(frozen=True, slots=True, eq=False)
class TokenSample:
    """Tokens to judge, in the order of the text; each with its stratum and with how many tokens of it it stands for.

    `names` and `sizes` are those of the strata; the weights of a stratum from which tokens were drawn sum to its size.
    """

    tokens: Indices
    strata: Indices
    weights: Floats
    names: tuple[str, ...]
    sizes: Indices

    @property
    def n_sampled(self) -> Indices:
        """How many tokens of each stratum are to be judged."""
        return np.bincount(self.strata, minlength=len(self.names))


def strata_one(gold: Array, system: Array) -> Indices:
    """The stratum of every token, as a place in ONE_STRATA."""
    _refuse_misfits(gold, system)
    return np.where(system == gold, 1, 0)


def strata_pair(gold: Array, a: Array, b: Array) -> Indices:
    """The stratum of every token, as a place in PAIR_STRATA; −1 where the systems agree: no judgement parts them there.

    >>> strata_pair(np.array([1, 1, 1, 1]), np.array([1, 2, 2, 2]), np.array([2, 1, 3, 2])).tolist()
    [0, 1, 2, -1]
    """
    _refuse_misfits(gold, a, b)
    return np.where(a == b, -1, np.where(a == gold, 0, np.where(b == gold, 1, 2)))


def sample_one(
    gold: Array,
    system: Array,
    budget: int,
    rng: np.random.Generator,
    *,
    agreements_share: float = 0.0,
    numbers: Array | None = None,
) -> TokenSample:
    """A random sample of the tokens [n] where system and gold differ and, with a share above 0, of where they agree.

    Tags are codes from 0. Without agreements, the accuracy can be estimated only if the corpus's error rate is known;
    where it is not, AGREEMENTS_SHARE is the share to take. What one stratum cannot use goes to the other; a budget
    above the number of tokens takes them all. With random `numbers` of the tokens [n], those with the smallest are
    taken: if a token keeps its number, a corpus that was edited has mostly the same sample (permanent random numbers
    [Ohlsson 1995]).
    """
    if not 0 <= agreements_share <= 1:
        raise UsageError(f"agreements cannot have {agreements_share} of the budget: it is a share, from 0 to 1")
    shares = np.array([1 - agreements_share, agreements_share])
    return _drawn(strata_one(gold, system), ONE_STRATA, shares, budget, rng, numbers)


def sample_pair(
    gold: Array, a: Array, b: Array, budget: int, rng: np.random.Generator, *, numbers: Array | None = None
) -> TokenSample:
    """A random sample of the tokens [n] where two systems differ, by who of them is right by the gold.

    Each stratum gets its part in proportion to its size, and at least FEWEST_OF_STRATUM. Neyman's allocation would
    multiply the sizes by the standard deviations, which depend on what is asked: in the strata where the gold says that
    one is right they are small with random noise (0.2) and large with noise that one system has learned (0.9); among
    the others 0.7. All can be as large as 1, and against the worst case the proportional allocation is the best.
    """
    strata = strata_pair(gold, a, b)
    shares = np.bincount(strata + 1, minlength=4)[1:].astype(np.float64)
    return _drawn(strata, PAIR_STRATA, shares, budget, rng, numbers)


def pair_allocation(sizes: Indices, budget: int) -> Indices:
    """How many tokens of each stratum `sample_pair` takes."""
    return _allocated(sizes, sizes.astype(np.float64), budget)


def _refuse_misfits(gold: Array, *systems: Array) -> None:
    for tags in (gold, *systems):
        if tags.ndim != 1 or tags.shape != gold.shape or not len(tags):
            raise ValueError("gold and systems have one tag for each token, and at least one token")
        if tags.min() < 0:
            raise ValueError("tags are codes from 0")


def _drawn(
    strata: Indices,
    names: tuple[str, ...],
    shares: Floats,
    budget: int,
    rng: np.random.Generator,
    random_numbers: Array | None,
) -> TokenSample:
    if budget < 1:
        raise UsageError(f"a budget of {budget} tokens: there must be at least one to judge")
    sizes = np.bincount(strata + 1, minlength=len(names) + 1)[1:]
    numbers = _allocated(sizes, shares, budget)
    members = (np.flatnonzero(strata == place) for place in range(len(names)))

    def in_random_order(of: Indices) -> Indices:
        return rng.permutation(of) if random_numbers is None else of[np.argsort(random_numbers[of], kind="stable")]

    # the first of all in random order: a larger budget with the same seed takes these and more
    drawn = [in_random_order(of)[:n] for of, n in zip(members, numbers.tolist(), strict=True)]
    tokens = np.sort(np.concatenate(drawn))
    chosen = strata.take(tokens)
    return TokenSample(tokens, chosen, (sizes / np.maximum(numbers, 1)).take(chosen), names, sizes)


def _allocated(sizes: Indices, shares: Floats, budget: int) -> Indices:
    """How many of each stratum: λ times its share, between its floor and its size, λ such that the budget is used."""
    most = np.where(shares > 0, sizes, 0)
    budget = min(budget, int(most.sum()))
    if not budget:
        return np.zeros_like(sizes)
    fewest = np.minimum(most, min(FEWEST_OF_STRATUM, budget // int((most > 0).sum())))
    low, high = 0.0, float(most.max() / shares[shares > 0].min())
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if np.clip(middle * shares, fewest, most).sum() <= budget else (low, middle)
    exact = np.clip(low * shares, fewest, most)
    numbers = np.floor(exact + 1e-9).astype(np.intp)
    rest = np.where(numbers < most, exact - numbers, -1)
    numbers[np.argsort(-rest, kind="stable")[: budget - int(numbers.sum())]] += 1
    return numbers


# ---- the strata and their judgements ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StratumCheck:
    """A stratum: how many tokens it has, how many were to be judged, how many were, and how many were left blank.

    `n_tied` are those of which as many judges say one thing as another.
    """

    name: str
    size: int
    n_sampled: int
    n_judged: int
    n_blank: int
    n_tied: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class CheckedStrata:
    """The strata of a corpus, and what was sampled and judged of them.

    `clusters` is None, or has how many tokens of each stratum, last of none, each cluster has [clusters × strata + 1];
    `cluster_of_token` is the cluster of each sampled token. `n_missing` are planned tokens that are not among the
    sampled ones, since lists or rows are missing; None if none is.
    """

    names: tuple[str, ...]
    of_token: Indices
    sizes: Indices
    n_sampled: Indices
    n_judged: Indices
    n_blank: Indices
    n_tied: Indices
    level: float
    clusters: Indices | None
    cluster_of_token: Indices
    n_missing: int | None = None

    @property
    def n_undecided(self) -> Indices:
        """How many tokens of each stratum judges came to without deciding them."""
        return self.n_blank + self.n_tied

    @property
    def n_left(self) -> int:
        """How many tokens are still to be judged."""
        return int((self.n_sampled - self.n_judged - self.n_undecided).sum()) + (self.n_missing or 0)

    @property
    def is_finished(self) -> bool:
        """Whether every row that was to be judged was reached."""
        return self.n_missing is None and not self.n_left

    @property
    def strata(self) -> tuple[StratumCheck, ...]:
        columns = (self.sizes, self.n_sampled, self.n_judged, self.n_blank, self.n_tied)
        rows = zip(self.names, *(column.tolist() for column in columns), strict=True)
        return tuple(StratumCheck(*row) for row in rows)


def checked_strata(
    strata: Indices,
    names: tuple[str, ...],
    tokens: Indices,
    judgements: Array,
    level: float,
    clusters: Array | None,
    *,
    ties: Flags | None = None,
    n_missing: int | None = None,
) -> CheckedStrata:
    """The strata of all tokens [n] with what was sampled and judged; a stratum below 0 is none, and is not judged.

    `ties` are those of the sampled tokens without a judgement that judges could not agree on.
    """
    if not 0.5 <= level < 1:
        raise UsageError(f"level {level}: it must lie between 0.5 and 1, as in 0.95")
    if tokens.ndim != 1 or tokens.shape != judgements.shape or len(np.unique(tokens)) < len(tokens):
        raise ValueError("each sampled token must occur once and have one judgement")
    if len(tokens) and not 0 <= tokens.min() <= tokens.max() < len(strata):
        raise ValueError("a sampled token is not in the corpus")
    if (judgements < NOT_REACHED).any():
        raise ValueError("judgements are codes from 0, NONE_SHOWN, NOT_JUDGED or NOT_REACHED")
    of_token = strata.take(tokens)
    if (of_token < 0).any():
        raise ValueError("a sampled token has the same tag in both systems")
    n = len(names)
    sizes = np.bincount(strata + 1, minlength=n + 1)[1:]
    n_sampled = np.bincount(of_token, minlength=n)
    n_judged = np.bincount(of_token[judgements > NOT_JUDGED], minlength=n)
    is_tied = np.zeros(len(tokens), dtype=np.bool_) if ties is None else ties
    n_blank = np.bincount(of_token[(judgements == NOT_JUDGED) & ~is_tied], minlength=n)
    n_tied = np.bincount(of_token[is_tied], minlength=n)
    table, numbers = None, np.zeros(len(strata), dtype=np.intp)
    if clusters is not None:
        table, numbers = _cluster_table(strata, n, clusters)
    numbers = numbers.take(tokens)
    return CheckedStrata(names, of_token, sizes, n_sampled, n_judged, n_blank, n_tied, level, table, numbers, n_missing)


def _cluster_table(strata: Indices, n_strata: int, clusters: Array) -> tuple[Indices, Indices]:
    """How many tokens of each stratum each cluster has, last those of none; and the cluster of each token, from 0."""
    if clusters.shape != strata.shape:
        raise ValueError("give one cluster for each token")
    names, numbers = np.unique(clusters, return_inverse=True)
    if len(names) < 2:
        raise UsageError("a single cluster does not show how clusters differ")
    places = numbers * (n_strata + 1) + strata % (n_strata + 1)  # −1 comes last
    table = np.bincount(places, minlength=len(names) * (n_strata + 1))
    return table.reshape(len(names), n_strata + 1), numbers
