"""Where systems differ: the pairs by each group of a split, tested as the whole is.

Each group is a comparison of its own, over the clusters that have units of it. p is adjusted (Holm) over the groups of
a split in which the two systems differ at all, for each pair and measure: where they do the same, no test could say
anything, whatever the truth, so that these groups cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from karat._arrays import Floats, Indices
from karat.evaluation.all_pairs import AllPairs
from karat.evaluation.comparison_results import GroupDifference
from karat.evaluation.plain_words import verdict
from karat.evaluation.results import SystemScores
from karat.evaluation.system_pair import System, Wanted
from karat.inference.clusters import Clusters
from karat.inference.options import InferenceOptions
from karat.inference.ranks import holm
from karat.inference.resampling import Progress
from karat.measures.measure import GOLD, Measure
from karat.measures.splits import RowCounts, measures_shown

__all__ = ["group_differences"]

_UNIONS = {"lexicon": ("known",)}  # the groups of a split that are made up of others of it


def group_differences(
    systems: Sequence[System],
    clusters: Clusters,
    options: InferenceOptions,
    *,
    adjust: str = "holm",
    statistic: str | None = None,
    measures_named: bool = False,
    progress: Progress | None = None,
) -> dict[str, tuple[GroupDifference, ...]]:
    """Split → the differences by every group, by measure and pair, those first that matter.

    A split is compared by the measures that `karat score` shows of it, or by all where they were named.
    """
    wanted = Wanted(options, statistic)
    groups = [_Group(split, name, measure, systems) for split, name, measure in _every(systems, measures_named)]
    found: list[GroupDifference] = []
    for number, group in enumerate(groups):
        found += group.differences(clusters, wanted)
        if progress is not None:
            progress((number + 1) / len(groups))
    families: dict[tuple[str, ...], list[GroupDifference]] = {}
    for one in _adjusted(_with_shares(found), adjust):
        families.setdefault(_family(one), []).append(one)
    ordered = [sorted(several, key=_what_matters(options.level)) for several in families.values()]
    splits = dict.fromkeys(one.split for one in found)
    return {split: tuple(one for some in ordered for one in some if one.split == split) for split in splits}


def _every(systems: Sequence[System], measures_named: bool) -> list[tuple[str, str, str]]:
    """Every split, group and measure that a run has."""
    runs = [run for system in systems for run in system.runs]
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
    systems: Sequence[System]

    def differences(self, clusters: Clusters, wanted: Wanted) -> list[GroupDifference]:
        """Every pair of systems; nothing where no system has anything to measure."""
        every = [[self._counts(run) for run in system.runs] for system in self.systems]
        known = [one for runs in every for one in runs if one is not None]
        if not known:
            return []
        rows = np.unique(np.concatenate([one.rows for one in known]))
        measure = known[0].measure if wanted.statistic is None else known[0].measure.by(wanted.statistic)
        systems = [
            System(
                system.name, [self._only(run, one, rows, known[0]) for run, one in zip(system.runs, of, strict=True)]
            )
            for system, of in zip(self.systems, every, strict=True)
        ]
        pairs, _ = AllPairs(systems, clusters.only(rows), wanted, "none").compared([measure])
        n_gold = round(float(known[0].counts[:, GOLD].sum())) if measure.has_parts else None
        sizes = {system.name: _size(measure, system) for system in systems}
        return [
            GroupDifference(self.split, self.name, n_gold, (sizes[pair.a] + sizes[pair.b]) / 2, pair) for pair in pairs
        ]

    def _counts(self, run: SystemScores) -> RowCounts | None:
        return run.groups[self.split].get(self.name, {}).get(self.measure)

    def _only(self, run: SystemScores, found: RowCounts | None, rows: Indices, like: RowCounts) -> SystemScores:
        """The run with the counts of the group in these rows, and of nothing else."""
        counts: Floats = np.zeros((len(rows), like.counts.shape[1]))
        if found is not None:
            counts[np.searchsorted(rows, found.rows)] = found.counts
        return replace(run, counts={self.measure: counts}, units={}, groups={})


def _size(measure: Measure, system: System) -> float:
    """How much of a value rests on a group, on the average of a system's runs."""
    sums = [run.counts[measure.name].sum(axis=0) for run in system.runs]
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
    families: dict[tuple[str, ...], list[int]] = {}
    for number, one in enumerate(found):
        if one.pair.n_differing != 0:
            families.setdefault(_family(one)[: 1 if adjust == "holm-all" else None], []).append(number)
    adjusted = list(found)
    for numbers in families.values():
        for number, p in zip(numbers, holm([found[number].pair.p for number in numbers]), strict=True):
            pair = replace(found[number].pair, p_adjusted=p, n_compared=len(numbers))
            adjusted[number] = replace(found[number], pair=pair)
    return adjusted


def _what_matters(level: float) -> Callable[[GroupDifference], tuple[object, ...]]:
    """The order of groups: first those with a difference, by what they contribute to the whole; then by size."""

    def key(one: GroupDifference) -> tuple[object, ...]:
        is_different = verdict(one.pair, level) == "different"
        return not is_different, -abs(one.contribution) if is_different else 0.0, -one.share, one.group

    return key
