"""`check_measure`: what a measure must hold to, tried on random systems."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from karat._arrays import Array, Floats
from karat.align import align
from karat.corpus import Corpus
from karat.errors import DataError
from karat.measures.measure import CORRECT, GOLD, AlignedMeasure, Places, WordMeasure
from karat.measures.plugin_measures import PluginMeasure, plugin_measure
from karat.measures.words.comparison import Comparison
from karat.plugin.example_text import COLUMNS, corpus_of, example_sentences, random_system
from karat.plugin.unregistered import reasons, unregistered

_N_SYSTEMS = 20
_N_GROUPS = 3
_CLOSE = 1e-9


def check_measure(measure: AlignedMeasure | type[AlignedMeasure], *, perfect: float | None = None) -> list[str]:
    """What is wrong with a measure; empty if nothing was found.

    On short sentences and random systems: counts have the right shape, are finite and at least 0, and values within
    their bounds; the counts of a sentence do not depend on other sentences; the same comparison gives the same counts;
    no column matters that `needs` does not name; units and groups add up to the counts; what is right has the labels
    that `settles` names; the gold against itself is `perfect`, by default 1, or 0 where lower is better.
    """
    try:
        checked = plugin_measure(unregistered("measure", str(getattr(measure, "name", "")), measure))
        return list(dict.fromkeys(_faults(checked, perfect)))
    except DataError as error:
        return reasons(error)


def _faults(measure: PluginMeasure, perfect: float | None) -> Iterator[str]:
    sentences = example_sentences()
    gold = corpus_of(sentences)
    if perfect is None and measure.is_share and not measure.is_neutral:
        perfect = 0.0 if measure.lower_is_better else 1.0
    counts = measure.counts(_pair(gold, gold))
    value = float(measure.value(counts.sum(axis=0)))
    if perfect is not None and not abs(value - perfect) <= _CLOSE:
        yield f"the gold against itself has the value {value:.6g}, not {perfect:.6g}"
    rng = np.random.default_rng(0)
    for _ in range(_N_SYSTEMS):
        system = random_system(sentences, rng)
        pair = _pair(gold, corpus_of(system))
        counts = measure.counts(pair)
        if not _same(counts, measure.counts(_pair(gold, corpus_of(system)))):
            yield "the same comparison gives different counts"
        cut = int(rng.integers(1, len(sentences)))
        parts = [_pair(corpus_of(sentences[at]), corpus_of(system[at])) for at in (slice(cut), slice(cut, None))]
        if not _same(counts, np.concatenate([measure.counts(one) for one in parts])):
            yield "the counts of a sentence depend on other sentences"
        without = [name for name in COLUMNS if name not in measure.needs]
        if not _same(counts, measure.counts(_pair(corpus_of(sentences, without), corpus_of(system, without)))):
            yield "counts depend on a column that 'needs' does not name"
        yield from _unit_faults(measure, pair, counts)
        yield from _group_faults(measure, pair, counts, rng)
        yield from _settled_faults(measure, pair)


def _pair(gold: Corpus, system: Corpus) -> Comparison:
    return Comparison(align(gold, system))


def _same(one: Array, other: Array) -> bool:
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=0, atol=_CLOSE))


def _unit_faults(measure: PluginMeasure, pair: Comparison, counts: Floats) -> Iterator[str]:
    units = measure.gold_units(pair)
    if units is None or not measure.has_parts:
        return
    n = np.bincount(units.rows, minlength=pair.n_rows)
    n_right = np.bincount(units.rows[units.right], minlength=pair.n_rows)
    if not (_same(n, counts[:, GOLD]) and _same(n_right, counts[:, CORRECT])):
        yield "the units in 'gold_units' do not add up to the counts"


def _group_faults(measure: PluginMeasure, pair: Comparison, counts: Floats, rng: np.random.Generator) -> Iterator[str]:
    gold = rng.integers(_N_GROUPS, size=pair.gold.n_words)
    system = rng.integers(_N_GROUPS, size=pair.system.n_words)
    of_pairs = gold[pair.alignment.gold_words]
    system[pair.alignment.system_words] = of_pairs
    found = measure.grouped(pair, Places(gold, system, of_pairs, _N_GROUPS))
    if found is not None and not _same(found.sum(axis=0), counts.sum(axis=0)):
        yield "the counts of groups ('grouped') do not add up to the total"


def _settled_faults(measure: PluginMeasure, pair: Comparison) -> Iterator[str]:
    if not isinstance(measure, WordMeasure):
        return
    right = measure.outcome(pair).right
    columns = (name for name in measure.settles if name in COLUMNS)
    for name in columns:
        if (right & ~pair.same(name)).any():
            yield f"'settles' names {name}, but some words with a different {name} count as right"
