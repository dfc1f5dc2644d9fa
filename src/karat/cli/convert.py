"""`karat convert`: one format to another, several tags and probabilities kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from karat.cli._arguments import read_once
from karat.cli._options import OUTPUT, Verb, option, refuse, values_of
from karat.cli._output import show_inputs, show_result
from karat.cli._shared_options import INPUTS, column_option, format_options, input_option, problem_options

TARGETS = [*(name for name in INPUTS if name != "slash"), "brackets"]  # as karat.corpus.conversion has them


@click.command("convert", cls=Verb)
@click.argument("corpora", nargs=-1, required=True, metavar="IN…")
@option("-o --output", OUTPUT, "The file to write; .gz, .bz2 and .xz are compressed.", metavar="OUT")
@option("--to", OUTPUT, "Format to write.", choices=TARGETS)
@option(
    "--check", OUTPUT, "Write nothing: report all that is wrong with the files, and exit with 3 then.", default=False
)
@input_option("brackets")
@column_option(
    ["upos", "xpos", "feats", "deprel"],
    "The column of CoNLL-U that has, or gets, the tags of formats with one kind of tag.",
    default="xpos",
)
@problem_options
@format_options
def command(corpora: tuple[str, ...], **options: Any) -> None:
    """Write a corpus in another format, and list what that format cannot hold.

    Several tags per word, probabilities and lemmas are kept where the format has a place for them. A corpus that is in
    the format already is copied byte for byte. Trees become words; words do not become trees. With --check, any number
    of files is only read, strictly: lines, columns, numbers, dependency trees.

    \b
    karat convert gold.conllu -o gold.xml --to xces --column xpos
    karat convert concraft.dag -o concraft.conllu --to conllu
    karat convert tagged.xml -o tagged.tsv --to tsv
    karat convert --check en_ewt-ud-train.conllu en_ewt-ud-dev.conllu
    """  # fmt: skip
    if options["check"]:
        refuse(["output", "to", "column"], "cannot be used with --check, which writes nothing")
        _check(corpora, options)
        return
    if len(corpora) > 1:
        raise click.UsageError("One file is converted at a time; only --check takes several.")
    for name in ("output", "to"):
        if options[name] is None:
            raise click.UsageError("Say what to write: karat convert IN -o OUT --to FORMAT.")
    from karat.corpus.conversion.convert import convert
    from karat.report.conversion import conversion_report

    result = convert(corpora[0], options["output"], **values_of(options, "to column input"))
    show_inputs(options, [(result.source, result.source_format)])
    show_result(result, options, lambda: conversion_report(result))


def _check(corpora: Sequence[str], options: Mapping[str, Any]) -> None:
    from karat.corpus.conversion.file_check import check_files
    from karat.report.conversion import file_check_report

    read_once(corpora)
    result = check_files(corpora, input=options["input"])
    show_inputs(options, [(one.path, one.format) for one in result.files])
    show_result(result, options, lambda: file_check_report(result))
