"""A whole experiment with known truth: text, noisy gold, a noisy training corpus and three systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from karat._arrays import Array
from karat.simulation.noise import Kind, Over, noisy, systematic_errors
from karat.simulation.systems import By, system
from karat.simulation.taggers import bigram_tags, most_frequent_tags
from karat.simulation.text import Truth, simulated


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is to be simulated; `t`, `u`, `p`, `clustering` and `by` are those of `system`."""

    n_tokens: int
    noise: float
    kind: Kind = "random"
    over: Over = "all"
    n_documents: int | None = None
    t: float = 0.97
    u: float = 0.6
    p: float = 0.75
    clustering: float = 0.0
    by: By = "sentence"
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class KnownTruth:
    """Text with its true tags, the gold's, a training corpus with its noisy tags, and systems' tags of the text."""

    settings: Settings
    truth: Truth
    gold: Array
    training: Truth
    training_tags: Array
    systems: Mapping[str, Array]


def known_truth(settings: Settings) -> KnownTruth:
    """What the settings ask for; the same for the same settings.

    `tup` is a system with the given t, u and p; `mft` (most frequent tag) and `bigram` are trained on another text of
    the same size, whose tags have the same kind of noise: if it is systematic, the same errors.
    """
    seeds = [np.random.default_rng(one) for one in np.random.SeedSequence(settings.seed).spawn(6)]
    over = settings.over
    errors = systematic_errors(settings.noise, seeds[0], over=over) if settings.kind == "systematic" else None
    truth = simulated(settings.n_tokens, seeds[1], n_documents=settings.n_documents)
    gold = noisy(truth, settings.noise, settings.kind, seeds[2], over=over, errors=errors)
    training = simulated(settings.n_tokens, seeds[3])
    training_tags = noisy(training, settings.noise, settings.kind, seeds[4], over=over, errors=errors)
    systems = {
        "tup": system(
            truth,
            gold,
            t=settings.t,
            u=settings.u,
            p=settings.p,
            clustering=settings.clustering,
            by=settings.by,
            over=over,
            rng=seeds[5],
        ),
        "mft": most_frequent_tags(training, training_tags, truth),
        "bigram": bigram_tags(training, training_tags, truth),
    }
    return KnownTruth(settings, truth, gold, training, training_tags, systems)
