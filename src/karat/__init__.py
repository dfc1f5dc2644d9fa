"""karat: an evaluation workbench for taggers and parsers.

The public names are loaded on first use, so that `import karat` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from karat.agreement.adjudication import adjudicate as adjudicate, write_adjudicated as write_adjudicated
    from karat.agreement.adjudication_results import Adjudication as Adjudication
    from karat.agreement.agree import agree as agree
    from karat.agreement.agreed_sentences import (
        AgreedSentences as AgreedSentences,
        agreed_sentences as agreed_sentences,
        write_agreed as write_agreed,
    )
    from karat.agreement.agreement_results import Agreement as Agreement
    from karat.citations.cite import Citation as Citation, Citations as Citations, cite as cite
    from karat.corpus import Corpus as Corpus, read as read, read_conllu as read_conllu, write as write
    from karat.corpus.constituency_trees import Trees as Trees
    from karat.corpus.conversion.convert import Conversion as Conversion, convert as convert
    from karat.corpus.conversion.file_check import FileCheck as FileCheck, check_files as check_files
    from karat.corpus.readers.bracket_folders import read_brackets as read_brackets
    from karat.corpus.readers.key import Keys as Keys, read_key as read_key
    from karat.errors import DataError as DataError, KaratError as KaratError, UsageError as UsageError
    from karat.evaluation.compare import compare as compare
    from karat.evaluation.compare_treebanks import (
        ComparedTreebanks as ComparedTreebanks,
        compare_treebanks as compare_treebanks,
    )
    from karat.evaluation.comparison_results import Compared as Compared
    from karat.evaluation.from_counts import compare_counts as compare_counts
    from karat.evaluation.results import MeasureScore as MeasureScore, Scores as Scores, SystemScores as SystemScores
    from karat.evaluation.score import score as score
    from karat.evaluation.treebanks import TreebankScores as TreebankScores, score_treebanks as score_treebanks
    from karat.evaluation.trees import bracket_worklist as bracket_worklist
    from karat.experiments.analyses.catalogue import grid_table as grid_table
    from karat.experiments.analyses.table import GridTable as GridTable
    from karat.experiments.demo import run_demo as run_demo
    from karat.experiments.demo_results import DemoResult as DemoResult
    from karat.experiments.grid import Grid as Grid, grid as grid, read_grid as read_grid
    from karat.experiments.papers.catalogue import published_numbers as published_numbers, reproduce as reproduce
    from karat.experiments.papers.published.numbers import (
        PaperNumbers as PaperNumbers,
        PublishedNumbers as PublishedNumbers,
        TagTree as TagTree,
    )
    from karat.experiments.papers.reproduction import PaperTable as PaperTable, Reproduction as Reproduction
    from karat.experiments.systems import ExternalTagger as ExternalTagger
    from karat.gold.corrected_files import write_corrected as write_corrected
    from karat.gold.correction_results import Corrections as Corrections
    from karat.gold.corrections import correct as correct
    from karat.gold.divergence.diverge import diverge as diverge
    from karat.gold.divergence.divergence_results import Divergences as Divergences
    from karat.gold.errors_set_aside import ErrorsSetAside as ErrorsSetAside, errors_set_aside as errors_set_aside
    from karat.gold.repeats.audit import Audit as Audit
    from karat.gold.repeats.options import RepeatOptions as RepeatOptions
    from karat.gold.repeats.paper_table_inputs import RepeatTable as RepeatTable, repeat_table as repeat_table
    from karat.gold.repeats.search import repeats as repeats
    from karat.hierarchy import Hierarchy as Hierarchy, read_hierarchy as read_hierarchy
    from karat.inference.options import InferenceOptions as InferenceOptions
    from karat.inference.paired_units import PairCounts as PairCounts
    from karat.measures.brackets.options import BracketOptions as BracketOptions
    from karat.measures.brackets.twelve_measures import (
        ParserMeasures as ParserMeasures,
        ParserMeasureTable as ParserMeasureTable,
        parser_measure_table as parser_measure_table,
        parser_measures as parser_measures,
    )
    from karat.measures.catalogue import MeasureList as MeasureList, list_measures as list_measures
    from karat.measures.class_measures import (
        ClassMeasures as ClassMeasures,
        confusion_measures as confusion_measures,
    )
    from karat.measures.hierarchical.options import HierarchyOptions as HierarchyOptions
    from karat.measures.positional.options import TagOptions as TagOptions
    from karat.measures.positional.tag_check import TagCheck as TagCheck, check_tags as check_tags
    from karat.measures.positional.tag_pair import TagComparison as TagComparison, compare_tags as compare_tags
    from karat.noise.check_results import CheckEstimate as CheckEstimate, CheckPlan as CheckPlan
    from karat.noise.from_files import noise_bounds_from_files as noise_bounds_from_files
    from karat.noise.from_numbers import noise_bounds as noise_bounds
    from karat.noise.human_check import noise_estimate as noise_estimate, noise_plan as noise_plan
    from karat.noise.results import NoiseResult as NoiseResult
    from karat.report.page.write import WrittenReport as WrittenReport, write_report as write_report
    from karat.simulation.described import Simulation as Simulation
    from karat.simulation.folder import simulate as simulate
    from karat.suspects.leak_results import Leaks as Leaks, write_without_leaks as write_without_leaks
    from karat.suspects.leaks import leaks as leaks
    from karat.suspects.search import Suspects as Suspects, find_suspects as find_suspects
    from karat.suspects.version_results import VersionDiff as VersionDiff
    from karat.suspects.versions import diff as diff
    from karat.systems.attachment.counted_statistics import (
        CountedStatistics as CountedStatistics,
        attachment_statistics as attachment_statistics,
    )
    from karat.systems.attachment.evaluation import (
        EvaluatedAttachment as EvaluatedAttachment,
        evaluate_attachment as evaluate_attachment,
    )
    from karat.systems.attachment.statistics import CooccurrenceStatistics as CooccurrenceStatistics
    from karat.systems.attachment.statistics_file import load_attachment_statistics as load_attachment_statistics
    from karat.systems.attachment.trained import (
        AttachedText as AttachedText,
        AttachmentModel as AttachmentModel,
        TrainedAttachment as TrainedAttachment,
        attach as attach,
        load_attachment as load_attachment,
        train_attachment as train_attachment,
    )
    from karat.systems.groups.found_groups import FoundGroups as FoundGroups, find_groups as find_groups
    from karat.systems.options import (
        HmmOptions as HmmOptions,
        MostFrequentOptions as MostFrequentOptions,
        PerceptronOptions as PerceptronOptions,
    )
    from karat.systems.parser_training import (
        TrainedParser as TrainedParser,
        load_parser as load_parser,
        train_parser as train_parser,
    )
    from karat.systems.parsing import Parsed as Parsed, parse as parse
    from karat.systems.pcfg.parser import Pcfg as Pcfg
    from karat.systems.tagger import Tagger as Tagger
    from karat.systems.tagging import Tagged as Tagged, tag as tag, tag_folds as tag_folds
    from karat.systems.training import Trained as Trained, load_tagger as load_tagger, train as train
    from karat.tagsets import (
        TagMap as TagMap,
        TagParts as TagParts,
        Tagset as Tagset,
        read_tag_map as read_tag_map,
        read_tagset as read_tagset,
        tag_parts as tag_parts,
    )
    from karat.weights import Weights as Weights, read_weights as read_weights
    from karat.weights.from_ambiguity import ambiguity_weights as ambiguity_weights
    from karat.weights.from_queries import query_weights as query_weights
    from karat.weights.from_rules import rule_weights as rule_weights

_HOMES = {
    "agreement.adjudication": "adjudicate write_adjudicated",
    "agreement.adjudication_results": "Adjudication",
    "agreement.agree": "agree",
    "agreement.agreed_sentences": "AgreedSentences agreed_sentences write_agreed",
    "agreement.agreement_results": "Agreement",
    "citations.cite": "Citation Citations cite",
    "corpus": "Corpus read read_conllu write",
    "corpus.constituency_trees": "Trees",
    "corpus.conversion.convert": "Conversion convert",
    "corpus.conversion.file_check": "FileCheck check_files",
    "corpus.readers.bracket_folders": "read_brackets",
    "corpus.readers.key": "Keys read_key",
    "errors": "DataError KaratError UsageError",
    "evaluation.compare": "compare",
    "evaluation.compare_treebanks": "ComparedTreebanks compare_treebanks",
    "evaluation.comparison_results": "Compared",
    "evaluation.from_counts": "compare_counts",
    "evaluation.results": "MeasureScore Scores SystemScores",
    "evaluation.score": "score",
    "evaluation.treebanks": "TreebankScores score_treebanks",
    "evaluation.trees": "bracket_worklist",
    "experiments.analyses.catalogue": "grid_table",
    "experiments.analyses.table": "GridTable",
    "experiments.demo": "run_demo",
    "experiments.demo_results": "DemoResult",
    "experiments.grid": "Grid grid read_grid",
    "experiments.papers.catalogue": "published_numbers reproduce",
    "experiments.papers.published.numbers": "PaperNumbers PublishedNumbers TagTree",
    "experiments.papers.reproduction": "PaperTable Reproduction",
    "experiments.systems": "ExternalTagger",
    "gold.corrected_files": "write_corrected",
    "gold.correction_results": "Corrections",
    "gold.corrections": "correct",
    "gold.divergence.diverge": "diverge",
    "gold.divergence.divergence_results": "Divergences",
    "gold.errors_set_aside": "ErrorsSetAside errors_set_aside",
    "gold.repeats.audit": "Audit",
    "gold.repeats.options": "RepeatOptions",
    "gold.repeats.paper_table_inputs": "RepeatTable repeat_table",
    "gold.repeats.search": "repeats",
    "hierarchy": "Hierarchy read_hierarchy",
    "inference.options": "InferenceOptions",
    "inference.paired_units": "PairCounts",
    "measures.brackets.options": "BracketOptions",
    "measures.brackets.twelve_measures": "ParserMeasureTable ParserMeasures parser_measure_table parser_measures",
    "measures.catalogue": "MeasureList list_measures",
    "measures.class_measures": "ClassMeasures confusion_measures",
    "measures.hierarchical.options": "HierarchyOptions",
    "measures.positional.options": "TagOptions",
    "measures.positional.tag_check": "TagCheck check_tags",
    "measures.positional.tag_pair": "TagComparison compare_tags",
    "noise.check_results": "CheckEstimate CheckPlan",
    "noise.from_files": "noise_bounds_from_files",
    "noise.from_numbers": "noise_bounds",
    "noise.human_check": "noise_estimate noise_plan",
    "noise.results": "NoiseResult",
    "report.page.write": "WrittenReport write_report",
    "simulation.described": "Simulation",
    "simulation.folder": "simulate",
    "suspects.leak_results": "Leaks write_without_leaks",
    "suspects.leaks": "leaks",
    "suspects.search": "Suspects find_suspects",
    "suspects.version_results": "VersionDiff",
    "suspects.versions": "diff",
    "systems.attachment.counted_statistics": "CountedStatistics attachment_statistics",
    "systems.attachment.evaluation": "EvaluatedAttachment evaluate_attachment",
    "systems.attachment.statistics": "CooccurrenceStatistics",
    "systems.attachment.statistics_file": "load_attachment_statistics",
    "systems.attachment.trained": "AttachedText AttachmentModel TrainedAttachment attach load_attachment "
    "train_attachment",
    "systems.groups.found_groups": "FoundGroups find_groups",
    "systems.options": "HmmOptions MostFrequentOptions PerceptronOptions",
    "systems.parser_training": "TrainedParser load_parser train_parser",
    "systems.parsing": "Parsed parse",
    "systems.pcfg.parser": "Pcfg",
    "systems.tagger": "Tagger",
    "systems.tagging": "Tagged tag tag_folds",
    "systems.training": "Trained load_tagger train",
    "tagsets": "TagMap TagParts Tagset read_tag_map read_tagset tag_parts",
    "weights": "Weights read_weights",
    "weights.from_ambiguity": "ambiguity_weights",
    "weights.from_queries": "query_weights",
    "weights.from_rules": "rule_weights",
}
_HOME_OF = {name: f"karat.{home}" for home, names in _HOMES.items() for name in names.split()}

__all__ = ["__version__", *_HOME_OF]


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
