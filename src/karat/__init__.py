"""karat: an evaluation workbench for taggers and parsers.

The public names are loaded on first use, so that `import karat` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat._lazy import loaded_on_first_use

__version__ = "0.1.0"

if TYPE_CHECKING:
    from karat.corpus import Corpus, read, read_conllu, write
    from karat.corpus.brackets import read_brackets
    from karat.corpus.key import Keys, read_key
    from karat.corpus.phrase_trees import Trees
    from karat.errors import DataError, KaratError, UsageError
    from karat.gold.audit import Audit, RepeatOptions, repeats
    from karat.gold.corrections import Corrections, correct
    from karat.gold.divergence import Divergences, diverge
    from karat.gold.ignoring import ErrorsSetAside, errors_set_aside
    from karat.inference import (
        Compared,
        InferenceOptions,
        MeasureScore,
        PairCounts,
        Scores,
        SystemScores,
        compare,
        compare_counts,
        score,
        score_brackets,
        score_like_evalb,
        score_treebanks,
    )
    from karat.inference.agreement import Agreement, agree
    from karat.measures.hierarchy_options import HierarchyOptions
    from karat.measures.tag_options import TagOptions
    from karat.measures.tree_comparison import BracketOptions
    from karat.tagsets import Tagset, read_tagset
    from karat.tagsets.hierarchy import Hierarchy, read_hierarchy
    from karat.weights import Weights, read_weights

_HOMES = {
    "Agreement": "karat.inference.agreement",
    "agree": "karat.inference.agreement",
    "BracketOptions": "karat.measures.tree_comparison",
    "Hierarchy": "karat.tagsets.hierarchy",
    "HierarchyOptions": "karat.measures.hierarchy_options",
    "Keys": "karat.corpus.key",
    "read_hierarchy": "karat.tagsets.hierarchy",
    "read_key": "karat.corpus.key",
    "TagOptions": "karat.measures.tag_options",
    "Tagset": "karat.tagsets",
    "Weights": "karat.weights",
    "read_tagset": "karat.tagsets",
    "read_weights": "karat.weights",
    "Trees": "karat.corpus.phrase_trees",
    "read_brackets": "karat.corpus.brackets",
    "Corpus": "karat.corpus",
    "read": "karat.corpus",
    "read_conllu": "karat.corpus",
    "write": "karat.corpus",
    "DataError": "karat.errors",
    "KaratError": "karat.errors",
    "UsageError": "karat.errors",
    "Audit": "karat.gold.audit",
    "RepeatOptions": "karat.gold.audit",
    "repeats": "karat.gold.audit",
    "Corrections": "karat.gold.corrections",
    "correct": "karat.gold.corrections",
    "Divergences": "karat.gold.divergence",
    "diverge": "karat.gold.divergence",
    "ErrorsSetAside": "karat.gold.ignoring",
    "errors_set_aside": "karat.gold.ignoring",
    "Compared": "karat.inference",
    "InferenceOptions": "karat.inference",
    "MeasureScore": "karat.inference",
    "PairCounts": "karat.inference",
    "Scores": "karat.inference",
    "SystemScores": "karat.inference",
    "compare": "karat.inference",
    "compare_counts": "karat.inference",
    "score": "karat.inference",
    "score_brackets": "karat.inference",
    "score_like_evalb": "karat.inference",
    "score_treebanks": "karat.inference",
}

__all__ = [
    "Agreement",
    "Audit",
    "BracketOptions",
    "Compared",
    "Corpus",
    "Corrections",
    "DataError",
    "Divergences",
    "ErrorsSetAside",
    "Hierarchy",
    "HierarchyOptions",
    "InferenceOptions",
    "KaratError",
    "Keys",
    "MeasureScore",
    "PairCounts",
    "RepeatOptions",
    "Scores",
    "SystemScores",
    "TagOptions",
    "Tagset",
    "Trees",
    "UsageError",
    "Weights",
    "__version__",
    "agree",
    "compare",
    "compare_counts",
    "correct",
    "diverge",
    "errors_set_aside",
    "read",
    "read_brackets",
    "read_conllu",
    "read_hierarchy",
    "read_key",
    "read_tagset",
    "read_weights",
    "repeats",
    "score",
    "score_brackets",
    "score_like_evalb",
    "score_treebanks",
    "write",
]

__getattr__, __dir__ = loaded_on_first_use(globals(), _HOMES)
