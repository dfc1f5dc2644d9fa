"""What counts as right: each measure as counts a sentence and a value from their sum."""

from karat.measures.catalogue import CONLL18, EVERY_MEASURE, measures_named
from karat.measures.measure import (
    FIELDS,
    STATISTICS,
    AlignedMeasure,
    GoldUnits,
    Measure,
    Outcome,
    Ratio,
    Statistic,
    WordMeasure,
    aligned_accuracy,
    f1,
    precision,
    recall,
)
from karat.measures.words.comparison import Comparison

__all__ = [
    "CONLL18",
    "EVERY_MEASURE",
    "FIELDS",
    "STATISTICS",
    "AlignedMeasure",
    "Comparison",
    "GoldUnits",
    "Measure",
    "Outcome",
    "Ratio",
    "Statistic",
    "WordMeasure",
    "aligned_accuracy",
    "f1",
    "measures_named",
    "precision",
    "recall",
]
