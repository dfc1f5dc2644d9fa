"""`karat.compare_treebanks`: systems compared over several treebanks, as shared tasks are decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from karat._arrays import Floats
from karat.corpus import PathLike
from karat.errors import UsageError
from karat.evaluation.all_pairs import AllPairs
from karat.evaluation.comparison_results import Compared
from karat.evaluation.system_pair import System, Wanted
from karat.evaluation.task import Like
from karat.evaluation.treebank_averages import as_average, macro_counts, micro_counts
from karat.evaluation.treebanks import SystemOverTreebanks, TreebankScores, score_treebanks
from karat.inference.clusters import Clusters
from karat.inference.options import InferenceOptions
from karat.measures.measure import Measure
from karat.result import Cell, Result, Table, attributes
from karat.signature import signature

if TYPE_CHECKING:
    from karat.measures.positional.options import TagOptions
    from karat.tagsets import TagMap

SCHEMA = "karat/compare-treebanks/1"


@dataclass(frozen=True, eq=False, repr=False)
class ComparedTreebanks(Result):
    """Systems compared over the treebanks of a folder: by their macro and micro averages, and on each treebank."""

    scores: TreebankScores
    macro: Compared
    micro: Compared
    treebanks: Mapping[str, Compared]
    settings: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...] = ()

    @cached_property
    def signature(self) -> str:
        """What was compared, how and on which inputs; of a folder, the hash is that of its files' names and hashes."""
        return signature("compare", self.settings, self.scores.signed_inputs())

    def to_dict(self) -> dict[str, Any]:
        """As a comparison's: `pairs` and `ranking` by the macro average; the same in `micro` and of each treebank."""
        whole = self.macro.to_dict()
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "gold": self.scores.gold_dict(),
            **{name: whole[name] for name in ("level", "statistic", "adjust", "baseline", "effective_clusters")},
            "average": "macro",
            "pairs": whole["pairs"],
            "ranking": whole["ranking"],
            "micro": _part(self.micro),
            "treebanks": [{"treebank": name, **_part(one)} for name, one in self.treebanks.items()],
            "systems": [
                {
                    **attributes(one, "name path"),
                    "macro": {name: one.macro[name] for name in one.macro if name in self.macro.measures()},
                    **attributes(one, "absent unreadable"),
                }
                for one in self.scores.systems
            ],
            "warnings": list(self.warnings),
        }

    def records(self) -> Table:
        """One row for each treebank, and for both averages, and pair and measure."""
        rows: list[list[Cell]] = []
        columns: Sequence[str] = ()
        for name, one in self.parts():
            records = one.records()
            columns = ["treebank", *records.columns]
            rows += [[name, *row] for row in records.rows]
        return Table(columns, rows)

    def parts(self) -> Iterator[tuple[str, Compared]]:
        """The comparisons by each treebank, and by the averages."""
        yield from self.treebanks.items()
        yield "micro", self.micro
        yield "macro", self.macro

    def view(self) -> Table:
        """Every pair by its macro average."""
        return self.macro.view()


def _part(compared: Compared) -> dict[str, Any]:
    data = compared.to_dict()
    return {name: data[name] for name in ("pairs", "ranking")}


def compare_treebanks(
    gold_dir: PathLike,
    system_dirs: Sequence[PathLike] | Mapping[str, PathLike],
    *,
    measures: str | Iterable[str] | None = None,
    statistic: str | None = None,
    inference: InferenceOptions | None = None,
    adjust: str = "holm",
    baseline: str | None = None,
    margin: float | None = None,
    effect: float | None = None,
    power: float = 0.8,
    like: Like | None = None,
    column: str = "upos",
    map: PathLike | Mapping[str, str] | TagMap | None = None,
    input: str | None = None,
    skip_bad: bool = False,
    tags: TagOptions | None = None,
) -> ComparedTreebanks:
    """Every pair of system folders against the gold folder, by the mean over treebanks, by all together and on each.

    Files are paired by name. Treebanks are taken as given: intervals and tests are over the clusters within them, the
    test of an average is the cluster-robust t test. A file that is missing or broken is scored as 0, unless `skip_bad`
    keeps what is readable. All else is as in `karat.compare`.
    """
    options = inference or InferenceOptions()
    if options.method not in ("auto", "t"):
        raise UsageError(f"intervals over treebanks must be Student's t, not {options.method}")
    wanted = Wanted(options, statistic, margin, effect, power, adjust=adjust)
    scores = score_treebanks(
        gold_dir, system_dirs, measures=measures, like=like, column=column, map=map, input=input, skip_bad=skip_bad,
        tags=tags, intervals=False, inference=options, is_comparison=True,
    )  # fmt: skip
    if len(scores.systems) < 2:
        raise UsageError("only one system: a comparison needs at least two")
    of_first, *of_others = (one.micro for one in scores.systems)
    common = [one.measure for name, one in of_first.items() if all(name in of for of in of_others)]
    if not common:
        raise UsageError("no measure has its columns in all treebanks")
    chosen = [one if statistic is None else one.by(statistic) for one in common]
    every = _Treebanks(scores, wanted, baseline, chosen)
    settings = [*scores.settings, ("cluster", scores.pooled.signed), *options.signed(), ("adjust", adjust)]
    settings += [*wanted.signed(), *([("baseline", baseline)] if baseline else [])]
    return ComparedTreebanks(
        scores,
        every.by(macro_counts, "macro average"),
        every.by(micro_counts, "micro average"),
        {name: every.on(name) for name in scores.treebanks},
        tuple(settings),
        (*scores.pooled.warnings(), *scores.warnings),
    )


@dataclass(frozen=True, eq=False)
class _Treebanks:
    """All treebanks' counts, to be compared one by one and on average."""

    scores: TreebankScores
    wanted: Wanted
    baseline: str | None
    measures: Sequence[Measure]

    def by(self, average: Callable[[Sequence[Floats], Measure], Floats], statistic: str) -> Compared:
        """All systems by an average over treebanks."""
        pooled, clusters = self.scores.pooled, self.scores.clusters

        def averaged(system: SystemOverTreebanks, measure: Measure) -> Floats:
            treebanks = system.treebanks.items()
            return average([clusters[name].summed(one.counts[measure.name]) for name, one in treebanks], measure)

        systems = [
            System(one.name, [{measure.name: averaged(one, measure) for measure in self.measures}])
            for one in self.scores.systems
        ]
        by_cluster = replace(pooled, of_sentence=np.arange(pooled.n), words=pooled.sizes)
        return self._compared(systems, by_cluster, [as_average(one) for one in self.measures], statistic, by_t=True)

    def on(self, treebank: str) -> Compared:
        """All systems on one treebank, as `karat.compare` does."""
        systems = [System(one.name, [one.treebanks[treebank].counts]) for one in self.scores.systems]
        clusters = self.scores.clusters[treebank]
        return self._compared(systems, clusters, self.measures, self.wanted.statistic or "f1", by_t=False)

    def _compared(
        self, systems: Sequence[System], clusters: Clusters, measures: Sequence[Measure], statistic: str, *, by_t: bool
    ) -> Compared:
        pairs, ranking = AllPairs(systems, clusters, self.wanted, by_t=by_t).compared(measures)
        return Compared(
            gold=None,
            level=self.wanted.options.level,
            statistic=statistic,
            adjust=self.wanted.adjust,
            cluster=clusters.kind,
            pairs=tuple(pairs),
            ranking=tuple(ranking),
            settings=(),
            effective_clusters=clusters.effective,
            baseline=self.baseline,
        )
