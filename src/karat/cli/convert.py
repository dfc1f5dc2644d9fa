"""`karat convert`: one format to another, several tags and probabilities kept."""

from __future__ import annotations

from typing import Any

import click

from karat.cli._options import OUTPUT, Verb, option, values_of
from karat.cli._output import show_inputs, show_result
from karat.cli._shared_options import INPUTS, column_option, format_options, input_option, verbose_option

TARGETS = [*(name for name in INPUTS if name != "slash"), "brackets"]  # as karat.corpus.conversion has them


@click.command("convert", cls=Verb)
@click.argument("corpus", metavar="IN")
@option("-o --output", OUTPUT, "The file to write; .gz, .bz2 and .xz are compressed.", required=True, metavar="OUT")
@option("--to", OUTPUT, "Format to write.", required=True, choices=TARGETS)
@input_option("brackets")
@column_option(
    ["upos", "xpos", "feats", "deprel"],
    "The column of CoNLL-U that has, or gets, the tags of formats with one kind of tag.",
    default="xpos",
)
@verbose_option
@format_options
def command(corpus: str, **options: Any) -> None:
    """Write a corpus in another format, and list what that format cannot hold.

    Several tags per word, probabilities and lemmas are kept where the format has a place for them. A corpus that is in
    the format already is copied byte for byte. Trees become words; words do not become trees.

    \b
    karat convert gold.conllu -o gold.xml --to xces --column xpos
    karat convert concraft.dag -o concraft.conllu --to conllu
    karat convert tagged.xml -o tagged.tsv --to tsv
    """  # fmt: skip
    from karat.corpus.conversion.convert import convert
    from karat.report.conversion import conversion_report

    result = convert(corpus, options["output"], **values_of(options, "to column input"))
    show_inputs(options, [(result.source, result.source_format)])
    show_result(result, options, lambda: conversion_report(result))
