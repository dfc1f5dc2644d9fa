"""`karat attach evaluate`: classifiers of attachment tried on a treebank in folds."""

from __future__ import annotations

from typing import Any

import click

from karat.cli._arguments import read_once, split_paths
from karat.cli._attach_groups import groups_option, tagset_option
from karat.cli._attach_stats import KERNELS
from karat.cli._options import OPTIONS, Verb, made_from, option, values_of
from karat.cli._output import announce_compiling, progress_line, show_inputs, show_result
from karat.cli._shared_options import (
    detailed_output_options,
    document_options,
    inference_options,
    input_option,
    map_option,
    verbose_option,
)
from karat.inference.options import InferenceOptions

WHICH = "Which sentences"
statistics_option = option(
    "--stats", OPTIONS, "The statistics, from karat attach stats.", required=True, metavar="STATS"
)
rules_option = option(
    "--rules",
    OPTIONS,
    "Handwritten rules over the tags of heads: nkjp, ud, or a .toml file (default: those for the tagset).",
    metavar="nkjp|ud|FILE.toml",
)
max_words_option = option(
    "--max-words", WHICH, "Leave out sentences of more than N words.", number=int, least=1, metavar="N"
)


@click.command("evaluate", cls=Verb)
@click.argument("treebank")
@statistics_option
@option(
    "--classifiers",
    OPTIONS,
    "Which ones, with commas: balanced-forest, forest, subsampled-forest, decision-tree, svm, clustering, "
    "gradient-boosting, or all.",
    default="balanced-forest",
    metavar="NAME,…",
)
@rules_option
@tagset_option
@groups_option
@map_option("Map the tags of XPOS before", OPTIONS)
@option("--folds", WHICH, "Number of folds.", default=10, least=2, metavar="N")
@option(
    "--by",
    WHICH,
    "What stays together in a fold, besides copies of a sentence.",
    default="sentence",
    choices=["sentence", "document"],
)
@max_words_option
@option("--sentences", WHICH, "Draw N of the sentences (--seed).", number=int, least=1, metavar="N")
@document_options()
@inference_options
@input_option()
@verbose_option
@detailed_output_options
def evaluate(treebank: str, **options: Any) -> None:
    """How well are groups attached to each other, from co-occurrence and a small treebank?

    Every sentence of TREEBANK is decided by a classifier that has not seen it, and is left out of the statistics with
    all its copies. The baseline attaches each object to the nearest one that a handwritten rule accepts.

    \b
    karat attach stats tagged.conllu treebank.conllu -o text.stats
    karat attach evaluate treebank.conllu --stats text.stats
    karat attach evaluate treebank.conllu --stats text.stats --max-words 14 \\
        --sentences 963
    karat attach evaluate treebank.conllu --stats text.stats --classifiers all \\
        --by document --details
    """  # fmt: skip
    read_once([treebank, options["stats"]])
    announce_compiling(*KERNELS)
    from karat.report.attachment_evaluation import evaluation_report
    from karat.systems.attachment.evaluation import evaluate_attachment

    result = evaluate_attachment(
        split_paths(treebank),
        options["stats"],
        inference=made_from(InferenceOptions, options),
        progress=progress_line("evaluating"),
        **values_of(
            options,
            "classifiers rules tagset groups map folds by max_words sentences document_from document_pattern input",
        ),
    )
    show_inputs(options, result.formats, warnings=result.warnings)
    show_result(result, options, lambda: evaluation_report(result, details=options["details"]))
