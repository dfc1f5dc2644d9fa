"""How good systems are, how sure we are of it, and which differences between them are real.

The public names are loaded on first use: scoring does not load what compares.
"""

from typing import TYPE_CHECKING

from karat._lazy import loaded_on_first_use

if TYPE_CHECKING:
    from karat.inference._compare import ADJUSTMENTS, COMPARED_BY_DEFAULT, compare
    from karat.inference._compared import Compared, PairExample, PairResult, Ranked, Selection
    from karat.inference._from_counts import compare_counts
    from karat.inference._like_evalb import EvalbScores, SystemEvalb, score_like_evalb
    from karat.inference._pair import STATISTICS
    from karat.inference._results import (
        BoundedScore,
        BracketDetails,
        MeasureScore,
        Scores,
        Skipped,
        SystemScores,
    )
    from karat.inference._score import score
    from karat.inference._score_brackets import score_brackets
    from karat.inference._treebanks import SystemOverTreebanks, TreebankScores, score_treebanks
    from karat.inference.intervals import Interval
    from karat.inference.options import InferenceOptions
    from karat.inference.pairs import PairCounts

_HOMES = {
    "ADJUSTMENTS": "karat.inference._compare",
    "COMPARED_BY_DEFAULT": "karat.inference._compare",
    "STATISTICS": "karat.inference._pair",
    "BoundedScore": "karat.inference._results",
    "BracketDetails": "karat.inference._results",
    "Compared": "karat.inference._compared",
    "EvalbScores": "karat.inference._like_evalb",
    "InferenceOptions": "karat.inference.options",
    "Interval": "karat.inference.intervals",
    "MeasureScore": "karat.inference._results",
    "PairCounts": "karat.inference.pairs",
    "PairExample": "karat.inference._compared",
    "PairResult": "karat.inference._compared",
    "Ranked": "karat.inference._compared",
    "Scores": "karat.inference._results",
    "Selection": "karat.inference._compared",
    "Skipped": "karat.inference._results",
    "SystemEvalb": "karat.inference._like_evalb",
    "SystemOverTreebanks": "karat.inference._treebanks",
    "SystemScores": "karat.inference._results",
    "TreebankScores": "karat.inference._treebanks",
    "compare": "karat.inference._compare",
    "compare_counts": "karat.inference._from_counts",
    "score": "karat.inference._score",
    "score_brackets": "karat.inference._score_brackets",
    "score_like_evalb": "karat.inference._like_evalb",
    "score_treebanks": "karat.inference._treebanks",
}

__all__ = [
    "ADJUSTMENTS",
    "COMPARED_BY_DEFAULT",
    "STATISTICS",
    "BoundedScore",
    "BracketDetails",
    "Compared",
    "EvalbScores",
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
    "SystemEvalb",
    "SystemOverTreebanks",
    "SystemScores",
    "TreebankScores",
    "compare",
    "compare_counts",
    "score",
    "score_brackets",
    "score_like_evalb",
    "score_treebanks",
]

__getattr__, __dir__ = loaded_on_first_use(globals(), _HOMES)
