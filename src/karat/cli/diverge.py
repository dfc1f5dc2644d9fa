"""`karat diverge`: how different are corpora, in words and in annotation?"""

from __future__ import annotations

import os
from typing import Any

import click

from karat.cli._corpora import named_corpora
from karat.cli._options import (
    HOW_SURE,
    OUTPUT,
    Verb,
    details_option,
    format_options,
    input_option,
    option,
    options_from,
    refuse,
    split_paths,
    verbose_option,
)
from karat.cli._output import progress_line, say_later, show_result, tell_compiling, write_file
from karat.inference.options import InferenceOptions

__all__ = ["command"]

COMPARED = "What is compared"


@click.command("diverge", cls=Verb)
@click.argument("corpora", nargs=-1, metavar="CORPUS…")
@option(
    "--features",
    group=COMPARED,
    type=click.Choice(["words", "labels", "both", "all"]),
    default="all",
    show_default=True,
    help="What sentences are told apart by; both: words with their labels.",
)
@option(
    "--column",
    group=COMPARED,
    type=click.Choice(["upos", "xpos", "feats", "deprel", "lemma"]),
    default="upos",
    show_default=True,
    help="What labels are.",
)
@option(
    "--classifier",
    group=COMPARED,
    type=click.Choice(["naive-bayes", "logistic"]),
    default="naive-bayes",
    show_default=True,
    help="logistic needs scikit-learn and takes longer.",
)
@option(
    "--preset",
    group=COMPARED,
    type=click.Choice(["documents", "paper"]),
    default="documents",
    show_default=True,
    help="What is halved: whole documents, or sentences, as in the paper, which measures topics too.",
)
@option(
    "--splits",
    group=COMPARED,
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="How often corpora are split into halves, to learn from and to classify.",
)
@option(
    "--permutations",
    group=HOW_SURE,
    type=click.IntRange(min=0),
    default=199,
    show_default=True,
    help="How often documents are permuted between corpora, for p; not with --preset paper.",
)
@option(
    "--top",
    group=OUTPUT,
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="How many n-grams to show that give a corpus away, of each kind.",
)
@option("--svg", group=OUTPUT, metavar="FILE", help="Draw the table as a heat map.")
@input_option()
@verbose_option
@options_from(InferenceOptions, HOW_SURE, ["level", "seed"])
@details_option
@format_options
@click.pass_context
def command(context: click.Context, /, corpora: tuple[str, ...], **options: Any) -> int:
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
    if corpora.count("-") > 1:
        raise click.UsageError("Standard input (-) can be read once only.")
    if len(set(corpora)) < len(corpora):
        raise click.UsageError("The same corpus is given twice.")
    if options["preset"] == "paper":
        refuse(context, ["permutations"], "does not go with --preset paper")
    named = named_corpora(corpora)
    from karat.gold.divergence.diverge import diverge
    from karat.report import divergence as report

    if options["preset"] != "paper":
        tell_compiling("gold/divergence/_compiled_halves")
    result = diverge(
        {name: split_paths(path) for name, path in named.items()},
        features=options["features"],
        column=options["column"],
        classifier=options["classifier"],
        preset=options["preset"],
        n_splits=options["splits"],
        n_permutations=options["permutations"],
        level=options["level"],
        seed=options["seed"],
        n_top=options["top"],
        input=options["input_"],
        progress=progress_line("telling corpora apart"),
    )
    for path, format_ in result.formats if options["verbose"] else ():
        say_later(f"{path}: read as {format_}")
    for warning in result.warnings:
        say_later(f"warning: {warning}")
    if options["svg"]:
        from karat.report.draw.heat_map import divergence_figure

        write_file(options["svg"], divergence_figure(result))
    show_result(
        result,
        options["format_"],
        lambda: report.divergence_report(result, details=options["details"]),
        details=options["details"],
    )
    return 0
