"""`karat parse`: sentences parsed by a trained parser."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import click

from karat._files_read import note_file
from karat.cli._arguments import read_once, split_paths
from karat.cli._options import OUTPUT, Verb, given, option, values_of
from karat.cli._output import (
    announce_compiling,
    check_target,
    progress_line,
    say_later,
    show_inputs,
    show_result,
    write_out,
)
from karat.cli._shared_options import format_options, input_option, problem_options
from karat.systems.options import kernels_of

BY = "What parses"
HOW = "How"


@click.command("parse", cls=Verb)
@click.argument("text")
@option("-m --model", BY, "The model, from karat train pcfg.", required=True, metavar="MODEL")
@option("--tagger", BY, "Use the tags of this tagger, from karat train, not those of TEXT.", metavar="MODEL")
@option(
    "--threshold",
    HOW,
    "Leave out brackets whose probability, over all parses, is below P.",
    default=0.0,
    metavar="P",
)
@option(
    "--beam",
    HOW,
    "Faster, but not exact: drop phrases whose log probability is more than X below the best around the same words.",
    number=float,
    metavar="X",
)
@option("--seconds", HOW, "Time limit per sentence; one that takes longer has no parse.", default=60.0, metavar="S")
@option("--jobs", HOW, "Parse N sentences at once.", default=1, least=1, metavar="N")
@option("-o --output", OUTPUT, "Write the trees here, one per line (default: standard output).", metavar="OUT")
@option(
    "--parses",
    OUTPUT,
    "Write the number of parses of each sentence to this file, for karat score --parses.",
    metavar="FILE",
)
@input_option("brackets", "text")
@problem_options
@format_options
def command(text: str, **options: Any) -> None:
    """Parse TEXT: trees, tagged text, CoNLL-U, or one sentence per line.

    The tags of trees, tagged text and CoNLL-U are used, unless --tagger is given; for words without a tag, or with a
    tag that the grammar does not know, the parser chooses one. A missing parse is written as (()).

    \b
    karat train pcfg train.ptb -o parser.karat
    karat parse -m parser.karat test.ptb -o parsed.ptb --parses parses.txt
    karat score test.ptb parsed.ptb --parses parses.txt
    karat parse -m parser.karat sentences.txt --tagger tagger.karat
    karat parse -m parser.karat test.ptb --threshold 0.5 -o sparse.ptb
    """  # fmt: skip
    read_once([text])
    inputs = split_paths(text)
    if options["output"] is None and given(["format", "json"]):
        raise click.UsageError(
            "--format, --json and --cite are for the result beside the trees: name a file for the trees with -o."
        )
    _check_targets(options, [inputs] if isinstance(inputs, str) else inputs)
    announce_compiling(kernels_of("pcfg"))
    from karat.report.parsers import parsed_report
    from karat.systems.parsing import parse

    result = parse(
        options["model"],
        inputs,
        count=options["parses"] is not None,
        progress=progress_line("parsing"),
        **values_of(options, "tagger threshold beam seconds jobs input"),
    )
    if options["output"] is not None:
        result = result.write(options["output"])
    if options["parses"] is not None:
        result = result.write_numbers_of_parses(options["parses"])
    show_inputs(options, result.formats)
    if options["output"] is None:
        said = parsed_report(result)
        for line in (*said.verdict[1:], *said.notes):
            say_later(line)
        write_out(result.trees.decode())
    else:
        show_result(result, options, lambda: parsed_report(result))


def _check_targets(options: Mapping[str, Any], inputs: Sequence[str]) -> None:
    """A usage error, before any work, for files that could not be written."""
    for path in filter(None, (*inputs, options["model"], options["tagger"])):
        note_file(path)
    trees, numbers = options["output"], options["parses"]
    folders = [os.path.realpath(one) for one in inputs if os.path.isdir(one)]
    for path in filter(None, (trees, numbers)):
        if any(os.path.realpath(path).startswith(f"{folder}{os.sep}") for folder in folders):
            raise click.UsageError(f"{path} would be a file of the folder that is parsed; choose another folder.")
    if trees is not None:
        check_target(trees, "the trees")
    if numbers is not None:
        check_target(numbers, "the numbers of parses")
        if trees is not None and os.path.realpath(trees) == os.path.realpath(numbers):
            raise click.UsageError("-o and --parses name the same file; choose two names.")
