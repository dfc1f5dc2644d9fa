"""How good systems are, and how sure we are of it."""

from karat.inference._results import MeasureScore, Scores, Skipped, SystemScores
from karat.inference._score import score
from karat.inference._treebanks import SystemOverTreebanks, TreebankScores, score_treebanks

__all__ = [
    "MeasureScore",
    "Scores",
    "Skipped",
    "SystemOverTreebanks",
    "SystemScores",
    "TreebankScores",
    "score",
    "score_treebanks",
]
