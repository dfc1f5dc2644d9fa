"""The measures of bracketing: the twelve of Hogenhout & Matsumoto 1996 (Table 3), PARSEVAL's and a few more.

Each is a ratio of sums of counts (`tree_counts` names them), so that intervals and tests hold for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from karat._arrays import Floats
from karat.measures.brackets.tree_counts import TreeComparison
from karat.measures.brackets.twelve_measures import COUNTED_ITEMS, JUDGED_ITEMS, PARSER_MEASURES, ParserMeasure
from karat.measures.measure import (
    CORRECT,
    FIELDS,
    GOLD,
    SYSTEM,
    Bounds,
    GoldUnits,
    Measure,
    Ratio,
    f1,
    precision,
    recall,
)

Units = Callable[[TreeComparison], GoldUnits]
Names = Sequence[str]

_LABELLED = ("labelled gold", "labelled system", "labelled correct")
_PARSEVAL, _EVALB = "Black et al. 1991 (PARSEVAL)", "Sekine & Collins (EVALB)"
_generation = Ratio("generation", (SYSTEM,), (GOLD,))


class BracketMeasure(Measure):
    """A measure of bracketing, from the counts called `gold`, `system` and `correct`, each a sum of several.

    Without `system` it is a plain ratio, of `correct` over `gold`.
    """

    family = "brackets"
    has_aligned = False
    shown_parts = ()

    def __init__(
        self,
        name: str,
        what: str,
        *,
        gold: Names,
        correct: Names,
        system: Names = (),
        value: Ratio = recall,
        units: Units | None = None,
        bounds: Bounds = "share",
        unit: str = "%",
        lower_is_better: bool = False,
        is_neutral: bool = False,
        source: str = "Hogenhout & Matsumoto 1996",
    ) -> None:
        self.name, self.what, self.value, self.units = name, what, value, units
        self.has_parts = bool(system)
        self.bounds, self.unit, self.source = bounds, unit, source
        self.lower_is_better, self.is_neutral = lower_is_better, is_neutral
        self._fields = {GOLD: gold, SYSTEM: system or gold, CORRECT: correct}

    @property
    def ingredients(self) -> set[str]:
        """The counts that it is made of."""
        return {name for names in self._fields.values() for name in names}

    @property
    def is_of_structures(self) -> bool:
        """Whether it can be had of brackets of some labels alone: not of words, whole sentences or unlabelled ones."""
        return self.ingredients <= {*COUNTED_ITEMS, *JUDGED_ITEMS, *_LABELLED, "sentences", "parsed"}

    def is_defined(self, counts: Floats) -> bool:
        """Whether counts [… × FIELDS] have something to divide by."""
        assert isinstance(self.value, Ratio)
        return bool(self.value.bottom(counts).any())

    def counts(self, values: Mapping[str, Floats]) -> Floats:
        """The counts [… × FIELDS] from those by name […]."""
        columns = [sum(values[name] for name in self._fields[number]) for number in (GOLD, SYSTEM, CORRECT)]
        counts: Floats = np.stack([*columns, np.zeros_like(columns[0])], axis=-1).astype(np.float64)
        assert counts.shape[-1] == len(FIELDS)
        return counts


def _main(comparison: TreeComparison) -> GoldUnits:
    return comparison.bracket_units(comparison.main)


def _labelled(comparison: TreeComparison) -> GoldUnits:
    return comparison.bracket_units(comparison.labelled)


def _unlabelled(comparison: TreeComparison) -> GoldUnits:
    return comparison.bracket_units(comparison.unlabelled)


def _no_crossing(comparison: TreeComparison) -> GoldUnits:
    return comparison.sentence_units(comparison.crosses_at_most(0))


def _of_paper(measure: ParserMeasure) -> BracketMeasure:
    """A measure of Table 3; those that are neither recall nor precision tell of a style, or of the test itself."""
    if measure.name.startswith(("Recall", "Precision")):
        return BracketMeasure(
            measure.name,
            measure.calculation,
            gold=("TTB",),
            system=("TPB",),
            correct=measure.numerator,
            value=recall if measure.name.startswith("Recall") else precision,
            units=_main if measure.name.endswith("hard") else None,
            bounds="positive" if measure.name == "Recall-soft" else "share",
        )
    if measure.name == "Generation Rate":
        return BracketMeasure(
            measure.name,
            measure.calculation,
            gold=("TTB",),
            system=("TPB",),
            correct=("EM",),
            value=_generation,
            bounds="positive",
            is_neutral=True,
        )
    return BracketMeasure(
        measure.name, measure.calculation, gold=measure.denominator, correct=measure.numerator, is_neutral=True
    )


def _parseval() -> list[BracketMeasure]:
    found = []
    for kind, units in (("labelled", _labelled), ("unlabelled", _unlabelled)):
        gold, system, correct = ((f"{kind} {part}",) for part in ("gold", "system", "correct"))
        for name, value in (("Precision", precision), ("Recall", recall), ("F1", f1)):
            full, what = f"{kind.capitalize()} {name}", f"{kind} brackets"
            found.append(
                BracketMeasure(
                    full, what, gold=gold, system=system, correct=correct, value=value, units=units, source=_PARSEVAL
                )
            )
    every = ("sentences",)
    found += [
        BracketMeasure("Complete Match", "whole trees, with labels", gold=every,
                       correct=("complete",), units=lambda one: one.sentence_units(one.complete), source=_EVALB),
        BracketMeasure("Average Crossing", "crossings per parsed tree", gold=("parsed",), correct=("CE",),
                       bounds="positive", unit="brackets per parsed sentence", lower_is_better=True, source=_PARSEVAL),
        BracketMeasure("No Crossing", "sentences without crossing", gold=every, correct=("no crossing",),
                       units=_no_crossing, source=_EVALB),
        BracketMeasure("Two or Fewer Crossing", "sentences with at most two", gold=every,
                       correct=("two or fewer crossing",),
                       units=lambda one: one.sentence_units(one.crosses_at_most(2)), source=_EVALB),
        BracketMeasure("Tagging Accuracy", "tags of words that count", gold=("words",), system=("system words",),
                       correct=("right tags",), units=TreeComparison.word_units, source=_EVALB),
    ]  # fmt: skip
    return found


_BESIDE = (
    BracketMeasure("Crossing Rate", "CE/TPB", gold=("TPB",), correct=("CE",), lower_is_better=True),
    BracketMeasure("Bracketing Accuracy", "(EM+SP)/TPB", gold=("TPB",), correct=("EM", "SP")),
    BracketMeasure("Sentence Accuracy", "sentences without crossing", gold=("sentences",),
                   correct=("no crossing",), units=_no_crossing),
)  # fmt: skip

BRACKET_MEASURES: Mapping[str, BracketMeasure] = {
    one.name: one for one in (*_parseval(), *map(_of_paper, PARSER_MEASURES), *_BESIDE)
}
_QUOTED = ("Labelled Precision", "Labelled Recall", "Complete Match", "Average Crossing")
COMPARED_BRACKETS = ("Labelled F1", "Recall-hard", "Precision-hard", "Crossing Rate", *_QUOTED)
COMPARED_WITH_VERDICTS = (
    "Labelled F1", "Recall-hard", "Recall-soft", "Precision-hard", "Precision-soft", "Crossing Rate", *_QUOTED,
)  # fmt: skip
