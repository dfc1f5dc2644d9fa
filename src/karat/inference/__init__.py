"""How good systems are, how sure we are of it, and which differences between them are real."""

from karat.inference._compare import ADJUSTMENTS, COMPARED_BY_DEFAULT, compare
from karat.inference._compared import Compared, PairExample, PairResult, Ranked, Selection
from karat.inference._from_counts import compare_counts
from karat.inference._pair import STATISTICS
from karat.inference._results import MeasureScore, Scores, Skipped, SystemScores
from karat.inference._score import score
from karat.inference._treebanks import SystemOverTreebanks, TreebankScores, score_treebanks
from karat.inference.intervals import Interval
from karat.inference.options import InferenceOptions
from karat.inference.pairs import PairCounts

__all__ = [
    "ADJUSTMENTS",
    "COMPARED_BY_DEFAULT",
    "STATISTICS",
    "Compared",
    "InferenceOptions",
    "Interval",
    "MeasureScore",
    "PairCounts",
    "PairExample",
    "PairResult",
    "Ranked",
    "Scores",
    "Selection",
    "Skipped",
    "SystemOverTreebanks",
    "SystemScores",
    "TreebankScores",
    "compare",
    "compare_counts",
    "score",
    "score_treebanks",
]
