"""`karat leaks`: which test sentences are in the training text?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from karat.cli._arguments import named_inputs, read_once, split_commas, split_paths
from karat.cli._options import OUTPUT, Verb, fields_of, made_from, option, refuse, values_of
from karat.cli._output import progress_line, say, show_inputs, show_result
from karat.cli._shared_options import (
    COLUMNS,
    column_option,
    detailed_output_options,
    inference_options,
    input_option,
    measure_option,
    problem_options,
)
from karat.inference.options import InferenceOptions

LEAK = "What is a leak"


@click.command("leaks", cls=Verb)
@click.argument("train", metavar="TRAIN")
@click.argument("test", metavar="TEST")
@click.argument("systems", nargs=-1, metavar="[SYSTEM…]")
@option(
    "--near",
    LEAK,
    "A sentence is nearly in TRAIN if one training sentence has at least this share of its three-word sequences.",
    default=0.8,
    metavar="SHARE",
)
@option(
    "--min-words",
    LEAK,
    "Shorter sentences, as in Thanks !, are no leaks; they are listed apart.",
    default=5,
    least=1,
    metavar="N",
)
@measure_option
@inference_options
@input_option()
@column_option(COLUMNS, "Column that the tags of plain tagged text belong to.")
@problem_options
@option("--check", OUTPUT, "Exit with 1 if there are leaks.", default=False)
@option("-o --output", OUTPUT, "Write TEST without its leaks to this file; nothing else changes.", metavar="FILE")
@detailed_output_options
def command(train: str, test: str, systems: tuple[str, ...], **options: Any) -> int:
    """Which sentences of TEST are in TRAIN, and what do they do to the scores of each SYSTEM?

    Finds sentences with the same words, with the same words but for case, and nearly the same ones, and says if they
    are annotated in the same way. Each SYSTEM is scored with all sentences, without the leaks, and on the leaks alone.
    TRAIN and TEST are files, several files joined by commas, or treebanks' folders, of which TRAIN is the training part
    and TEST the test part. NAME=PATH names a system.

    \b
    karat leaks train.conllu test.conllu
    karat leaks UD_English-EWT UD_English-EWT ada=a.conllu bix=b.conllu
    karat leaks train.conllu test.conllu --near 0.6 --details
    karat leaks train.conllu test.conllu -o clean.conllu
    karat leaks train.conllu test.conllu --check
    """  # fmt: skip
    read_once([train, test, *systems])
    if not systems:
        refuse(("measures", *fields_of(InferenceOptions)), "requires a system")
    if options["output"] == "-":
        raise click.UsageError("-o needs a file name, not -: standard output is for the result.")
    names = split_commas(options["measures"])
    if options["measures"] and not names:
        raise click.UsageError("--measure needs a name.")
    return _leaks(train, test, systems, names, options)


def _leaks(train: str, test: str, systems: Sequence[str], measures: list[str], options: Mapping[str, Any]) -> int:
    from karat.report.leaks import leaks_report
    from karat.suspects.leak_results import write_without_leaks
    from karat.suspects.leaks import leaks

    found = leaks(
        split_paths(train),
        split_paths(test),
        named_inputs(systems) if systems else None,
        measures=measures or None,
        inference=made_from(InferenceOptions, options),
        progress=progress_line("resampling"),
        **values_of(options, "near min_words column input"),
    )
    show_inputs(options, found.formats, warnings=found.warnings)
    if options["output"]:
        written = write_without_leaks(found, options["output"])
        left = found.test.n_sentences - found.n_leaked
        say(f"{', '.join(written)}: {left:,} of {found.test.n_sentences:,} sentences")
    details = options["details"]
    show_result(found, options, lambda: leaks_report(found, measures_named=bool(measures), details=details))
    return 1 if options["check"] and found.n_leaked else 0
