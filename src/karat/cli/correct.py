"""`karat correct`: apply judged corrections to a corpus, byte for byte."""

from __future__ import annotations

import os
from typing import Any

import click

from karat.cli._arguments import read_once, split_paths
from karat.cli._options import HOW_SURE, OUTPUT, Verb, option, options_from, refuse, values_of
from karat.cli._output import show_inputs, show_result, write_file
from karat.cli._shared_options import COLUMNS, column_option, format_options, input_option
from karat.inference.options import InferenceOptions

CORRECTED = "What is corrected"


@click.command("correct", cls=Verb)
@click.argument("corpus", required=False)
@option(
    "--judgements",
    CORRECTED,
    "Judged worklist from karat repeats or suspects, or another one for its typos; give one per judge (repeatable): "
    "the majority decides.",
    is_repeatable=True,
    metavar="FILE",
)
@option(
    "-o --output", OUTPUT, "Write the corrected corpus here; to a folder if CORPUS is several files.", metavar="OUT"
)
@option(
    "--generalise",
    CORRECTED,
    "Extend each verdict to unjudged rows with the same word and labels; only shown unless --apply.",
    default=False,
)
@option("--apply", CORRECTED, "With --generalise: write these corrections too.", default=False)
@option(
    "--precision only_precision",
    CORRECTED,
    "Only report how precise the heuristics were; needs no CORPUS.",
    default=False,
)
@option(
    "--with with_columns",
    CORRECTED,
    "Where a word is corrected, change these columns too (upos, xpos, feats, lemma; commas between) if the places "
    "with the right label agree on them.",
    metavar="COLUMNS",
)
@option("--log", OUTPUT, "Also write all changes to this file, one per line.", metavar="FILE")
@input_option()
@column_option(COLUMNS, "Column that the tags of plain tagged text belong to, if the worklist does not name it.")
@options_from(InferenceOptions, HOW_SURE, ["level"])
@format_options
def command(corpus: str | None, **options: Any) -> int:
    """Apply judged corrections to a corpus and leave every other byte unchanged.

    karat repeats --worklist lists places where a corpus contradicts itself or another; people add their verdicts to the
    list. CORPUS is one of the corpora that the list was made from: a file, several files joined by commas, or a
    treebank's folder. Without -o nothing is written, and the changes are only listed. The report also says how many of
    the judged repeats are errors (Table 4 of Wisniewski & Yvon 2019).

    \b
    karat repeats a.conllu --worklist check.tsv
    karat correct a.conllu --judgements check.tsv -o corrected.conllu \\
        --log changes.txt
    karat correct a.conllu --judgements check.tsv --with xpos,feats \\
        -o corrected.conllu
    karat correct a.conllu --judgements check.tsv --generalise
    karat correct a.conllu --judgements check.tsv --generalise --apply \\
        -o corrected.conllu
    karat correct --precision --judgements check.tsv
    """  # fmt: skip
    _refuse_combinations(corpus, options)
    from karat.gold.corrected_files import write_corrected
    from karat.gold.corrections import correct
    from karat.report.corrections import corrections_report

    result = correct(
        None if corpus is None or options["only_precision"] else split_paths(corpus),
        list(options["judgements"]),
        with_columns=options["with_columns"] or (),
        **values_of(options, "generalise level input column"),
    )
    show_inputs(options, warnings=result.warnings)
    is_dry = options["output"] is None or (options["generalise"] and not options["apply"])
    if not is_dry:
        result = write_corrected(result, options["output"], log=options["log"])
    elif options["log"]:
        write_file(options["log"], result.log_text)
    show_result(result, options, lambda: corrections_report(result))
    return 0


def _refuse_combinations(corpus: str | None, options: dict[str, Any]) -> None:
    if not options["judgements"]:
        raise click.UsageError("Give the judged worklist: karat correct CORPUS --judgements FILE -o OUT")
    if options["apply"] and not options["generalise"]:
        raise click.UsageError("--apply requires --generalise; other corrections are written by -o alone.")
    if options["apply"] and options["output"] is None:
        raise click.UsageError("--apply requires -o OUT, the file to write.")
    if options["only_precision"]:
        refuse(
            ("output", "generalise", "log", "with_columns"), "cannot be used with --precision, which changes nothing"
        )
    elif corpus is None:
        raise click.UsageError("Give the corpus to correct, or --precision.")
    if options["log"]:
        others = [one for one in (*(corpus or "").split(","), *options["judgements"], options["output"]) if one]
        if os.path.realpath(options["log"]) in map(os.path.realpath, others):
            raise click.UsageError("--log would overwrite another file of this command.")
    read_once([corpus, *options["judgements"]])
