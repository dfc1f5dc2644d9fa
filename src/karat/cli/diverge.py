"""`karat diverge`: how different are corpora, in words and in annotation?"""

from __future__ import annotations

import os
from typing import Any

import click

from karat.cli._arguments import named_inputs, read_once
from karat.cli._options import HOW_SURE, OUTPUT, Verb, option, options_from, refuse, values_of
from karat.cli._output import announce_compiling, progress_line, show_inputs, show_result, write_file
from karat.cli._shared_options import detailed_output_options, input_option, page_options, verbose_option
from karat.inference.options import InferenceOptions

COMPARED = "What is compared"


@click.command("diverge", cls=Verb)
@click.argument("corpora", nargs=-1, metavar="CORPUS…")
@option(
    "--features",
    COMPARED,
    "Features of the classifier; both: words with their labels.",
    default="all",
    choices=["words", "labels", "both", "all"],
)
@option(
    "--column",
    COMPARED,
    "Column of the labels.",
    default="upos",
    choices=["upos", "xpos", "feats", "deprel", "lemma"],
)
@option(
    "--classifier",
    COMPARED,
    "Classifier to use; logistic needs scikit-learn and takes longer.",
    default="naive-bayes",
    choices=["naive-bayes", "logistic"],
)
@option(
    "--preset",
    COMPARED,
    "Split by document, or, as in the paper, by sentence, which also measures topics.",
    default="documents",
    choices=["documents", "paper"],
)
@option(
    "--splits n_splits",
    COMPARED,
    "Number of random splits into a training half and a test half.",
    default=20,
    least=1,
)
@option(
    "--permutations n_permutations",
    HOW_SURE,
    "Number of permutations of documents between corpora, for p; not with --preset paper.",
    default=199,
    least=0,
)
@option("--top n_top", OUTPUT, "Show the N most distinctive n-grams of each kind.", default=5, least=0)
@option("--svg", OUTPUT, "Draw the table as a heat map.", metavar="FILE")
@input_option()
@verbose_option
@options_from(InferenceOptions, HOW_SURE, ["level", "seed"])
@page_options
@detailed_output_options
def command(corpora: tuple[str, ...], **options: Any) -> None:
    """How different are corpora, in words and in annotation?

    Measures how well a classifier recognises which CORPUS a sentence is from (Wisniewski & Yvon 2019): no better than
    chance if the corpora are alike. It is trained on some documents and tested on others (on sentences, if no documents
    are marked). A CORPUS is a file, several files joined by commas, or a treebank's folder; with folders, each training
    part (*-train.conllu) is compared with each test part (*-test.conllu). NAME=PATH names a corpus.

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
        refuse(["n_permutations"], "cannot be used with --preset paper")
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

        write_file(options["svg"], divergence_figure(result).svg)
    show_result(result, options, lambda: divergence_report(result, details=options["details"]))
