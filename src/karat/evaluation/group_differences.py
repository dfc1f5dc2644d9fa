"""Where systems differ: the pairs by each group of a split, tested as the whole is.

Each group is a comparison of its own, over the clusters that have units of it. p is adjusted (Holm) over the groups of
a split in which the two systems differ at all, for each pair and measure: where they do the same, no test could say
anything, whatever the truth, so that these groups cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from karat._arrays import Floats
from karat.evaluation.all_pairs import AllPairs, adjusted
from karat.evaluation.comparison_results import GroupDifference
from karat.evaluation.plain_words import verdict
from karat.evaluation.results import SystemScores
from karat.evaluation.system_pair import System, Wanted
from karat.inference.clusters import Clusters
from karat.inference.resampling import Progress
from karat.measures.measure import GOLD, Measure
from karat.measures.splits import RowCounts, measures_shown

_UNIONS = {"lexicon": ("known",)}  # the groups of a split that are made up of others of it


def group_differences(
    systems: Mapping[str, Sequence[SystemScores]],
    clusters: Clusters,
    wanted: Wanted,
    *,
    measures_named: bool = False,
    progress: Progress | None = None,
) -> dict[str, tuple[GroupDifference, ...]]:
    """Split → the differences of systems, given as their runs by name, by every group, those first that matter.

    A split is compared by the measures that `karat score` shows of it, or by all where they were named.
    """
    groups = [_Group(*one, systems) for one in _every(systems, measures_named)]
    found: list[GroupDifference] = []
    for number, group in enumerate(groups):
        found += group.differences(clusters, Wanted(wanted.options, wanted.statistic, adjust="none"))
        if progress is not None:
            progress((number + 1) / len(groups))
    families: dict[tuple[str, ...], list[GroupDifference]] = {}
    for one in _adjusted(_with_shares(found), wanted.adjust):
        families.setdefault(_family(one), []).append(one)
    ordered = [sorted(several, key=_what_matters(wanted.options.level)) for several in families.values()]
    splits = dict.fromkeys(one.split for one in found)
    return {split: tuple(one for some in ordered for one in some if one.split == split) for split in splits}


def _every(systems: Mapping[str, Sequence[SystemScores]], measures_named: bool) -> list[tuple[str, str, str]]:
    """Every split, group and measure that a run has."""
    runs = [run for runs in systems.values() for run in runs]
    found = []
    for split in dict.fromkeys(split for run in runs for split in run.groups):
        names = dict.fromkeys(name for run in runs for name in run.groups[split])
        available = list(dict.fromkeys(one for run in runs for group in run.groups[split].values() for one in group))
        shown = available if measures_named else measures_shown(split, available)
        found += [(split, name, measure) for measure in shown for name in names]
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """One group of a split by one measure."""

    split: str
    name: str
    measure: str
    systems: Mapping[str, Sequence[SystemScores]]

    def differences(self, clusters: Clusters, wanted: Wanted) -> list[GroupDifference]:
        """Every pair of systems; nothing where no system has anything to measure."""
        every = {name: [self._counts(run) for run in runs] for name, runs in self.systems.items()}
        known = [one for runs in every.values() for one in runs if one is not None]
        if not known:
            return []
        rows = np.unique(np.concatenate([one.rows for one in known]))
        measure = known[0].measure if wanted.statistic is None else known[0].measure.by(wanted.statistic)

        def in_rows(found: RowCounts | None) -> Mapping[str, Floats]:
            counts: Floats = np.zeros((len(rows), known[0].counts.shape[1]))
            if found is not None:
                counts[np.searchsorted(rows, found.rows)] = found.counts
            return {self.measure: counts}

        systems = [System(name, [in_rows(one) for one in runs]) for name, runs in every.items()]
        pairs, _ = AllPairs(systems, clusters.only(rows), wanted).compared([measure])
        n_gold = round(float(known[0].counts[:, GOLD].sum())) if measure.has_parts else None
        sizes = {system.name: _size(measure, system) for system in systems}
        return [
            GroupDifference(self.split, self.name, n_gold, (sizes[pair.a] + sizes[pair.b]) / 2, pair) for pair in pairs
        ]

    def _counts(self, run: SystemScores) -> RowCounts | None:
        return run.groups[self.split].get(self.name, {}).get(self.measure)


def _size(measure: Measure, system: System) -> float:
    """How much of a value rests on a group, on the average of a system's runs."""
    sums = [run[measure.name].sum(axis=0) for run in system.runs]
    return float(np.mean(measure.sizes(np.array(sums))))


def _family(one: GroupDifference) -> tuple[str, ...]:
    """What groups belong together by: the split, the measure and the pair."""
    return one.split, one.pair.measure or "", one.pair.a, one.pair.b


def _with_shares(found: Sequence[GroupDifference]) -> list[GroupDifference]:
    """The differences with their group's share of all groups, in place of its size."""
    totals: dict[tuple[str, ...], float] = {}
    for one in found:
        if one.group not in _UNIONS.get(one.split, ()):
            totals[_family(one)] = totals.get(_family(one), 0.0) + one.share
    return [replace(one, share=one.share / total if (total := totals.get(_family(one), 0.0)) else 0.0) for one in found]


def _adjusted(found: Sequence[GroupDifference], adjust: str) -> list[GroupDifference]:
    """The differences with p adjusted over the groups of each split, pair and measure, or with holm-all of each split.

    Only groups in which the systems differ count; the others have a p of 1 in any case.
    """
    if adjust == "none":
        return list(found)
    n_common = 1 if adjust == "holm-all" else None
    families = [None if one.pair.n_differing == 0 else _family(one)[:n_common] for one in found]
    pairs = adjusted([one.pair for one in found], families)
    return [replace(one, pair=pair) for one, pair in zip(found, pairs, strict=True)]


def _what_matters(level: float) -> Callable[[GroupDifference], tuple[object, ...]]:
    """The order of groups: first those with a difference, by what they contribute to the whole; then by size."""

    def key(one: GroupDifference) -> tuple[object, ...]:
        is_different = verdict(one.pair, level) == "different"
        return not is_different, -abs(one.contribution) if is_different else 0.0, -one.share, one.group

    return key
