"""Which n-grams give a corpus away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from karat._arrays import Floats, Indices
from karat.gold.divergence.ngrams import NgramSpace


@dataclass(frozen=True, slots=True)
class TellingNgram:
    """An n-gram that is commoner in one corpus than in all others together.

    `weight` is the log-likelihood ratio G² [Dunning 1993]: how much likelier the text is if this corpus has a rate of
    its own for the n-gram. `count` is how often the corpus has it, `elsewhere` how often all others do.
    """

    features: str
    corpus: str
    ngram: str
    weight: float
    count: int
    elsewhere: int


def telling_ngrams(space: NgramSpace, owners: Sequence[str], features: str, top: int) -> list[TellingNgram]:
    """The n-grams that give each corpus away among all others, the strongest first.

    `owners` names the corpus that each text of the space is of.
    """
    counts = {name: np.zeros(space.n_kinds) for name in owners}
    for place, name in enumerate(owners):
        counts[name] += space.counts(place)
    total = np.sum(list(counts.values()), axis=0)
    found: list[TellingNgram] = []
    for name, here in counts.items() if len(counts) > 1 else ():
        elsewhere = total - here
        weight = _likelihood_ratio(here, elsewhere)
        order = _largest(weight, top)
        make = partial(TellingNgram, features, name)
        found += [
            make(space.text(kind), float(weight[kind]), int(here[kind]), int(elsewhere[kind]))
            for kind in order.tolist()
            if weight[kind] > 0
        ]
    return found


def _largest(values: Floats, n: int) -> Indices:
    """The places of the n largest values, the largest first, of equal ones the earlier."""
    if n < len(values):
        least = np.partition(values, len(values) - n)[len(values) - n] if n else np.inf
        places = np.flatnonzero(values >= least)
    else:
        places = np.arange(len(values))
    return places[np.argsort(-values[places], kind="stable")][:n]


def _likelihood_ratio(here: Floats, elsewhere: Floats) -> Floats:
    """G² of each kind's count here and elsewhere, 0 for those that are rarer here [Dunning 1993]."""
    n_here, n_elsewhere = here.sum(), elsewhere.sum()
    both, n_both = here + elsewhere, n_here + n_elsewhere

    def part(count: Floats, n: Floats) -> Floats:
        """count · log(rate in n / rate in both), where 0 · log 0 is 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(count > 0, count * np.log(count / n), 0)

    found = part(here, n_here) + part(elsewhere, n_elsewhere) - part(both, n_both)
    found += part(n_here - here, n_here) + part(n_elsewhere - elsewhere, n_elsewhere) - part(n_both - both, n_both)
    return np.where(here * n_elsewhere > elsewhere * n_here, 2 * found, 0.0)
