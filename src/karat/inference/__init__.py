"""How good systems are, and how sure we are of it."""

from karat.inference._results import MeasureScore, Scores, Skipped, SystemScores
from karat.inference._score import score
from karat.inference._treebanks import SystemOverTreebanks, TreebankScores, score_treebanks
from karat.inference.intervals import Interval
from karat.inference.options import InferenceOptions

__all__ = [
    "InferenceOptions",
    "Interval",
    "MeasureScore",
    "Scores",
    "Skipped",
    "SystemOverTreebanks",
    "SystemScores",
    "TreebankScores",
    "score",
    "score_treebanks",
]
