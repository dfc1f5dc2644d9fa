"""The scores of one system's trees: measures, items, splits, and what people's verdicts leave open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from karat._arrays import Floats
from karat.evaluation.clusters import clusters_of
from karat.evaluation.results import BoundedScore, BracketDetails, MeasureScore, Skipped, SystemScores
from karat.inference.intervals import measure_interval
from karat.measures.brackets.bracket_measures import BracketMeasure
from karat.measures.brackets.human_check import Judged
from karat.measures.brackets.parser_measures import COUNTED_ITEMS, JUDGED_ITEMS
from karat.measures.brackets.punctuation import punctuation_named
from karat.measures.brackets.tree_comparison import TreeComparison
from karat.measures.splits import SentenceGroups, document_groups, length_groups

if TYPE_CHECKING:
    from karat.evaluation.score_brackets import BracketPlan

__all__ = ["TreeScoring"]


class TreeScoring:
    """One system beside the gold, as planned; `judged` is what people said of its brackets."""

    def __init__(self, plan: BracketPlan, comparison: TreeComparison, judged: Judged | None) -> None:
        self.plan, self.judged = plan, judged
        self.open = frozenset[str]() if judged is None else judged.open
        settled = (
            {}
            if judged is None
            else {item: counts for item, counts in judged.corners[0].items() if item not in self.open}
        )
        self.comparison = replace(comparison, judged=settled)
        self.kept = ~comparison.pair.gold.bad
        values = self.comparison.values.items()
        self.values = {name: counts[self.kept] for name, counts in values if name not in self.open}

    def scores(self, name: str, surplus: tuple[str, ...]) -> SystemScores:
        """All that is said of the system, without intervals but for what is left open."""
        known = {one: one.counts(self.values) for one in self.plan.measures if one.ingredients <= set(self.values)}
        ways = {one: self._ways(one) for one in self.plan.measures if one.ingredients & self.open}
        known |= {one: found[0] for one, found in ways.items() if len(found) == 1 or not one.is_defined(found[0])}
        defined = [one for one in self.plan.measures if one in known and one.is_defined(known[one])]
        counts = {one.name: known[one] for one in defined}
        gold, system = self.comparison.pair.gold, self.comparison.pair.system
        problems = self.comparison.pair.problems
        return SystemScores(
            name,
            system.path,
            {one.name: _score(one, known[one]) for one in defined},
            counts,
            {split: self._by(split, defined, counts) for split in self.plan.by},
            {},
            Skipped(
                int((~self.kept).sum()),
                int(system.bad.sum()) + len({problem.sentence for problem in problems}),
                (*gold.problems, *system.problems, *problems),
            ),
            self._missing(known, ways),
            system.source,
            system.format,
            (),
            {one.name: one.units(self.comparison) for one in defined if one.units} if self.plan.keeps_units else {},
            self._details(
                {one: counts for one, counts in ways.items() if one not in known},
                {one: known[one] for one in defined},
                undefined=tuple(one.name for one in known if one not in defined),
                surplus=surplus,
            ),
        )

    def _missing(
        self, known: dict[BracketMeasure, Floats], ways: dict[BracketMeasure, list[Floats]]
    ) -> dict[str, tuple[tuple[str, str], ...]]:
        """The measures that want verdicts, and for which items."""
        found = {}
        for one in self.plan.measures:
            lacking = one.ingredients - set(self.values)
            if one not in known and one not in ways and lacking <= set(JUDGED_ITEMS):
                found[one.name] = tuple(("judgements", item) for item in JUDGED_ITEMS if item in lacking)
        return found

    def _details(
        self,
        ways: dict[BracketMeasure, list[Floats]],
        counts: dict[BracketMeasure, Floats],
        *,
        undefined: tuple[str, ...],
        surplus: tuple[str, ...],
    ) -> BracketDetails:
        options, pair = self.plan.options, self.comparison.pair
        short = self.comparison.n_words[self.kept] <= options.cutoff
        by_label = self.comparison.labelled.items_by_label(self.kept) if "label" in self.plan.by else {}
        return BracketDetails(
            items={item: float(self.values[item].sum()) for item in _ITEMS if item in self.values},
            open_items={item: self._item_bounds(item) for item in _ITEMS if item in self.open},
            bounded=self._bounded(ways),
            crossings=self._crossings(),
            n_missing=int((self.kept & pair.system.missing & ~pair.system.bad).sum()),
            cutoff=options.cutoff,
            n_up_to_cutoff=int(short.sum()),
            up_to_cutoff=_scores({one: found[short] for one, found in counts.items()}),
            items_by_label={label: items for label, items in by_label.items() if options.is_wanted(label)},
            values=self.values,
            surplus=surplus,
            undefined=undefined,
            is_estimate=self.judged is not None and self.judged.is_sample,
            n_punctuation=(n_dropped := int((pair.gold_dropped & ~pair.gold_traces).sum())),
            n_unmarked=0 if n_dropped else int(punctuation_named("unicode").of(pair.gold).sum()),
        )

    def _crossings(self) -> dict[str, int]:
        """How many parsed sentences have 0, 1, 2 and more crossing brackets."""
        n = self.comparison.items["CE"][self.kept & self.comparison.pair.comparable].astype(np.intp)
        tally = np.bincount(np.minimum(n, 3), minlength=4).tolist()
        return dict(zip(("0", "1", "2", "more"), tally, strict=True))

    # ---- splits

    def _by(
        self, split: str, measures: Sequence[BracketMeasure], counts: dict[str, Floats]
    ) -> dict[str, dict[str, MeasureScore]]:
        """Group → measure → score."""
        if split == "label":
            return self._by_label(measures)
        groups = self._sentence_groups(split)
        rows = groups.rows[self.kept]
        return {
            name: _scores({one: counts[one.name][rows == number] for one in measures})
            for number, name in enumerate(groups.names)
            if (rows == number).any()
        }

    def _sentence_groups(self, split: str) -> SentenceGroups:
        if split == "document":
            return document_groups(self.comparison.pair.gold)
        return length_groups(self.comparison.n_words.astype(np.intp))

    def _by_label(self, measures: Sequence[BracketMeasure]) -> dict[str, dict[str, MeasureScore]]:
        """A bracket of a label is right if the other side has it with this label; verdicts are not of labels."""
        found = {}
        for label, items in self.comparison.labelled.items_by_label(self.kept).items():
            if not self.plan.options.is_wanted(label):
                continue
            values = {item: np.array(float(n)) for item, n in items.items()}
            names = {"labelled gold": "TTB", "labelled system": "TPB", "labelled correct": "EM"}
            if self.judged is None:
                names["EMA"] = "EM"
            values |= {name: values[item] for name, item in names.items()}
            found[label] = {
                one.name: MeasureScore.from_counts(one, counts)
                for one in measures
                if one.ingredients <= set(values) and one.is_defined(counts := one.counts(values))
            }
        return found

    # ---- what verdicts leave open

    def _ways(self, measure: BracketMeasure) -> list[Floats]:
        """The counts of a measure for all ways to decide what is open; one if they are the same."""
        assert self.judged is not None
        found = []
        for corner in self.judged.corners:
            values = self.values | {item: corner[item][self.kept] for item in self.open}
            found.append(measure.counts(values))
        return found[:1] if all(np.array_equal(found[0], counts) for counts in found) else found

    def _item_bounds(self, item: str) -> tuple[float, float]:
        assert self.judged is not None
        sums = [float(corner[item][self.kept].sum()) for corner in self.judged.corners]
        return min(sums), max(sums)

    def _bounded(self, ways: dict[BracketMeasure, list[Floats]]) -> dict[str, BoundedScore]:
        """The least and the most of the measures that are left open."""
        gold, options = self.comparison.pair.gold, self.plan.inference
        clusters = clusters_of(gold, options.cluster) if self.plan.intervals and ways else None
        found = {}
        for measure, counts in ways.items():
            ordered = sorted(counts, key=lambda one: float(measure.value(one.sum(axis=0))))
            ends = (ordered[0], ordered[-1])
            least, most = (float(measure.value(one.sum(axis=0))) for one in ends)
            sure = (
                None if clusters is None else measure_interval(measure, clusters.summed(one), options) for one in ends
            )
            found[measure.name] = BoundedScore(measure.name, least, most, *sure)
        return found


_ITEMS = (*COUNTED_ITEMS, *JUDGED_ITEMS)


def _scores(counts: dict[BracketMeasure, Floats]) -> dict[str, MeasureScore]:
    """The scores of the measures that have something to divide by."""
    return {one.name: _score(one, found) for one, found in counts.items() if one.is_defined(found)}


def _score(measure: BracketMeasure, counts: Floats) -> MeasureScore:
    return MeasureScore.from_counts(measure, counts.sum(axis=0))
