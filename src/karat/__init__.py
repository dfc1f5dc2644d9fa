"""karat: an evaluation workbench for taggers and parsers.

The public names are loaded on first use, so that `import karat` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat._lazy import loaded_on_first_use

__version__ = "0.1.0"

if TYPE_CHECKING:
    from karat.agreement.annotator_agreement import Agreement, agree
    from karat.corpus import Corpus, read, read_conllu, write
    from karat.corpus.constituency_trees import Trees
    from karat.corpus.readers.brackets import read_brackets
    from karat.corpus.readers.key import Keys, read_key
    from karat.errors import DataError, KaratError, UsageError
    from karat.evaluation.compared import Compared
    from karat.evaluation.comparing import compare
    from karat.evaluation.from_counts import compare_counts
    from karat.evaluation.like_evalb import score_like_evalb
    from karat.evaluation.results import MeasureScore, Scores, SystemScores
    from karat.evaluation.score_brackets import score_brackets
    from karat.evaluation.scoring import score
    from karat.evaluation.treebanks import score_treebanks
    from karat.gold.corrections import Corrections, correct
    from karat.gold.divergence.divergence import Divergences, diverge
    from karat.gold.errors_set_aside import ErrorsSetAside, errors_set_aside
    from karat.gold.repeats.audit import Audit, RepeatOptions, repeats
    from karat.hierarchy import Hierarchy, read_hierarchy
    from karat.inference.options import InferenceOptions
    from karat.inference.pairs import PairCounts
    from karat.measures.brackets.tree_comparison import BracketOptions
    from karat.measures.hierarchical.options import HierarchyOptions
    from karat.measures.positional.options import TagOptions
    from karat.tagsets import Tagset, read_tagset
    from karat.weights import Weights, read_weights

_HOMES = {
    "Agreement": "karat.agreement.annotator_agreement",
    "agree": "karat.agreement.annotator_agreement",
    "BracketOptions": "karat.measures.brackets.tree_comparison",
    "Hierarchy": "karat.hierarchy",
    "HierarchyOptions": "karat.measures.hierarchical.options",
    "Keys": "karat.corpus.readers.key",
    "read_hierarchy": "karat.hierarchy",
    "read_key": "karat.corpus.readers.key",
    "TagOptions": "karat.measures.positional.options",
    "Tagset": "karat.tagsets",
    "Weights": "karat.weights",
    "read_tagset": "karat.tagsets",
    "read_weights": "karat.weights",
    "Trees": "karat.corpus.constituency_trees",
    "read_brackets": "karat.corpus.readers.brackets",
    "Corpus": "karat.corpus",
    "read": "karat.corpus",
    "read_conllu": "karat.corpus",
    "write": "karat.corpus",
    "DataError": "karat.errors",
    "KaratError": "karat.errors",
    "UsageError": "karat.errors",
    "Audit": "karat.gold.repeats.audit",
    "RepeatOptions": "karat.gold.repeats.audit",
    "repeats": "karat.gold.repeats.audit",
    "Corrections": "karat.gold.corrections",
    "correct": "karat.gold.corrections",
    "Divergences": "karat.gold.divergence.divergence",
    "diverge": "karat.gold.divergence.divergence",
    "ErrorsSetAside": "karat.gold.errors_set_aside",
    "errors_set_aside": "karat.gold.errors_set_aside",
    "Compared": "karat.evaluation.compared",
    "InferenceOptions": "karat.inference.options",
    "MeasureScore": "karat.evaluation.results",
    "PairCounts": "karat.inference.pairs",
    "Scores": "karat.evaluation.results",
    "SystemScores": "karat.evaluation.results",
    "compare": "karat.evaluation.comparing",
    "compare_counts": "karat.evaluation.from_counts",
    "score": "karat.evaluation.scoring",
    "score_brackets": "karat.evaluation.score_brackets",
    "score_like_evalb": "karat.evaluation.like_evalb",
    "score_treebanks": "karat.evaluation.treebanks",
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
