"""`karat diverge`: how different are corpora, in words and in annotation?"""

from __future__ import annotations

import os
from typing import Any

import click

from karat.cli._arguments import named_inputs, read_once
from karat.cli._options import HOW_SURE, OUTPUT, Verb, option, options_from, refuse, values_of
from karat.cli._output import announce_compiling, progress_line, show_inputs, show_result, write_file
from karat.cli._shared_options import detailed_output_options, input_option, verbose_option
from karat.inference.options import InferenceOptions

__all__ = ["command"]

COMPARED = "What is compared"


@click.command("diverge", cls=Verb)
@click.argument("corpora", nargs=-1, metavar="CORPUS…")
@option(
    "--features",
    COMPARED,
    "What the classifier sees; both: words with their labels.",
    default="all",
    choices=["words", "labels", "both", "all"],
)
@option(
    "--column",
    COMPARED,
    "The column that labels are taken from.",
    default="upos",
    choices=["upos", "xpos", "feats", "deprel", "lemma"],
)
@option(
    "--classifier",
    COMPARED,
    "logistic needs scikit-learn and takes longer.",
    default="naive-bayes",
    choices=["naive-bayes", "logistic"],
)
@option(
    "--preset",
    COMPARED,
    "What is halved: whole documents, or sentences, as in the paper, which measures topics too.",
    default="documents",
    choices=["documents", "paper"],
)
@option(
    "--splits n_splits",
    COMPARED,
    "How often corpora are split into halves, to learn from and to classify.",
    default=20,
    least=1,
)
@option(
    "--permutations n_permutations",
    HOW_SURE,
    "How often documents are permuted between corpora, for p; not with --preset paper.",
    default=199,
    least=0,
)
@option("--top n_top", OUTPUT, "How many of the most distinctive n-grams of each kind to show.", default=5, least=0)
@option("--svg", OUTPUT, "Draw the table as a heat map.", metavar="FILE")
@input_option()
@verbose_option
@options_from(InferenceOptions, HOW_SURE, ["level", "seed"])
@detailed_output_options
def command(corpora: tuple[str, ...], **options: Any) -> int:
    """How different are corpora, in words and in annotation?

    How well a classifier tells which CORPUS a sentence is from (Wisniewski & Yvon 2019): hardly, if they are alike. It
    learns from some documents and classifies others; where none are marked, sentences take their place. A
    CORPUS is a file, several files as one with commas between, or a treebank's folder; of folders, each training part
    (*-train.conllu) is set against each test part (*-test.conllu). It may be given a name: NAME=PATH.

    \b
    karat diverge a.conllu b.conllu
    karat diverge UD_English-EWT UD_English-GUM UD_English-PUD --svg figure.svg
    karat diverge old=a.conllu new=b.conllu --features labels --column xpos --json
    """  # fmt: skip
    if not corpora or (len(corpora) == 1 and not os.path.isdir(corpora[0].partition("=")[2] or corpora[0])):
        raise click.UsageError("Give two corpora or more, or a treebank's folder: karat diverge A B…")
    read_once(corpora)
    if len(set(corpora)) < len(corpora):
        raise click.UsageError("The same corpus is given twice.")
    if options["preset"] == "paper":
        refuse(["n_permutations"], "does not go with --preset paper")
    named = named_inputs(corpora, "corpora")
    from karat.gold.divergence.diverge import diverge
    from karat.report.divergence import divergence_report

    if options["preset"] != "paper":
        announce_compiling("gold/divergence/_compiled_halves")
    asked = "features column classifier preset n_splits n_permutations level seed n_top input"
    result = diverge(named, progress=progress_line("classifying"), **values_of(options, asked))
    show_inputs(options, result.formats, warnings=result.warnings)
    if options["svg"]:
        from karat.report.draw.heat_map import divergence_figure

        write_file(options["svg"], divergence_figure(result))
    show_result(result, options, lambda: divergence_report(result, details=options["details"]))
    return 0
