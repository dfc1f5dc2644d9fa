"""What suspicious repeats hold of each condition's errors, found once for all runs and all tables.

[Wisniewski & Yvon 2019, §5 and §6]; definitions are those of `karat.gold.errors_set_aside`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from karat._arrays import Floats
from karat.corpus import corpus_from_source, read_source
from karat.experiments.analyses.conditions import Runs
from karat.experiments.treebanks import TextFiles, TextReading, corpus_of
from karat.gold.errors_set_aside import HEURISTICS, Heuristic, SystemErrors, errors_set_aside

_KEPT = 4096  # conditions that a process remembers: a few hundred numbers each


@dataclass(frozen=True, slots=True, eq=False)
class SetAside:
    """What one filter keeps between a training and a test text, and what a system's runs do there.

    `repeats` are the suspicious repeats of each of the `lengths`, `with_error` those that hold an error [runs ×
    lengths]; `full` and `ignoring` are the error rates of each run.
    """

    lengths: tuple[int, ...]
    repeats: Floats
    with_error: Floats
    full: Floats
    ignoring: Floats

    @property
    def n_repeats(self) -> int:
        return int(self.repeats.sum())

    @property
    def n_with_error(self) -> float:
        """Repeats with an error, on the mean of runs."""
        return float(self.with_error.sum(axis=1).mean())

    @property
    def mean_full(self) -> float:
        return float(self.full.mean())

    @property
    def mean_ignoring(self) -> float:
        return float(self.ignoring.mean())


def set_aside(runs: Runs) -> Mapping[Heuristic, SetAside]:
    """What each of the three filters keeps of a condition."""
    outputs = tuple(runs.store.output(cell.key) for seed in runs.seeds for cell in runs.of_seed(seed))
    return _set_aside(runs.text("train"), runs.text("test"), runs.reading, outputs)


@lru_cache(maxsize=_KEPT)
def _set_aside(
    train: TextFiles, test: TextFiles, reading: TextReading, outputs: tuple[str, ...]
) -> Mapping[Heuristic, SetAside]:
    """By the texts, known by their hashes, and by what systems wrote, in files named after what they depend on."""
    learnt, gold, column = corpus_of(train, reading), corpus_of(test, reading), reading.tag
    systems = {str(n): corpus_from_source(read_source(path), tag=column, trees=False) for n, path in enumerate(outputs)}
    found: dict[Heuristic, SetAside] = {}
    for heuristic in HEURISTICS:
        every = errors_set_aside(gold, systems, learnt, heuristic=heuristic, column=column, intervals=False).systems
        found[heuristic] = _of_runs(every)
    return found


def _of_runs(systems: tuple[SystemErrors, ...]) -> SetAside:
    by_length = systems[0].by_length
    return SetAside(
        tuple(one.length for one in by_length),
        np.array([one.repeats for one in by_length], dtype=np.float64),
        np.array([[one.with_error for one in system.by_length] for system in systems], dtype=np.float64),
        np.array([system.full.value for system in systems]),
        np.array([system.ignoring.value for system in systems]),
    )
