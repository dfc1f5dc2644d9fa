"""`karat correct`: apply judged corrections to a corpus, byte for byte."""

from __future__ import annotations

import os
from typing import Any

import click

from karat.cli._options import (
    HOW_SURE,
    INPUT,
    OUTPUT,
    Verb,
    format_options,
    input_option,
    option,
    options_from,
    split_paths,
)
from karat.cli._output import say_later, show_result, write_file
from karat.inference.options import InferenceOptions

__all__ = ["command"]

CORRECTED = "What is corrected"


@click.command("correct", cls=Verb)
@click.argument("corpus", required=False)
@option(
    "--judgements",
    group=CORRECTED,
    multiple=True,
    metavar="FILE",
    help="A worklist of karat repeats with verdicts; several (repeatable) are several judges: most votes count.",
)
@option(
    "-o", "--output", group=OUTPUT, metavar="OUT", help="The corrected corpus; a folder if CORPUS is several files."
)
@option(
    "--generalise",
    group=CORRECTED,
    is_flag=True,
    help="A judged word with two labels decides all rows with the same that nobody judged; only shown, unless --apply.",
)
@option("--apply", "apply_", group=CORRECTED, is_flag=True, help="With --generalise: write it.")
@option(
    "--precision",
    "only_precision",
    group=CORRECTED,
    is_flag=True,
    help="Only how precise heuristics were; needs no CORPUS.",
)
@option("--log", group=OUTPUT, metavar="FILE", help="Write what changes into this file too, a line each.")
@input_option()
@option(
    "--column",
    group=INPUT,
    type=click.Choice(["upos", "xpos", "feats", "lemma", "deprel", "misc"]),
    default="upos",
    show_default=True,
    help="What the tags of plain tagged text are. (Which column is corrected, the worklist says.)",
)
@options_from(InferenceOptions, HOW_SURE, ["level"])
@format_options
def command(corpus: str | None, **options: Any) -> int:
    """Apply judged corrections to a corpus, and nothing else, byte for byte.

    karat repeats --worklist writes down where a corpus, or two, contradict themselves; people write their verdicts
    into it. CORPUS is one of the corpora that the list was made from: a file, several with commas between, or a
    treebank's folder. Without -o nothing is written, and what would change is listed. It is also said how many of the
    judged repeats are errors (Table 4 of Wisniewski & Yvon 2019).

    \b
    karat repeats a.conllu --worklist check.tsv
    karat correct a.conllu --judgements check.tsv -o corrected.conllu --log changes.txt
    karat correct a.conllu --judgements check.tsv --generalise
    karat correct a.conllu --judgements check.tsv --generalise --apply -o corrected.conllu
    karat correct --precision --judgements check.tsv
    """  # fmt: skip
    _refuse_combinations(corpus, options)
    from karat.gold.corrections import correct, write_corrected
    from karat.report import corrections as report

    result = correct(
        None if corpus is None or options["only_precision"] else split_paths(corpus),
        list(options["judgements"]),
        generalise=options["generalise"],
        level=options["level"],
        input=options["input_"],
        column=options["column"],
    )
    for line in result.opposite:
        say_later(f"warning: {line}")
    for label in result.unknown_labels:
        say_later(f"warning: no word of the corpus has the label {label!r}: is it misspelt?")
    is_dry = options["output"] is None or (options["generalise"] and not options["apply_"])
    result = result if is_dry else write_corrected(result, options["output"])
    if options["log"]:
        write_file(options["log"], "".join(f"{change}\n" for change in result.changes))
    show_result(result, options["format_"], lambda: report.corrections_report(result))
    return 0


def _refuse_combinations(corpus: str | None, options: dict[str, Any]) -> None:
    if not options["judgements"]:
        raise click.UsageError("Give the judged worklist: karat correct CORPUS --judgements FILE -o OUT")
    if options["apply_"] and not options["generalise"]:
        raise click.UsageError("--apply goes with --generalise; other corrections are written by -o alone.")
    if options["apply_"] and options["output"] is None:
        raise click.UsageError("--apply needs -o OUT, the file to write.")
    if options["only_precision"]:
        for name, option in (("output", "-o"), ("generalise", "--generalise"), ("log", "--log")):
            if options[name]:
                raise click.UsageError(f"{option} does not go with --precision, which changes nothing.")
    elif corpus is None:
        raise click.UsageError("Give the corpus to correct, or --precision.")
    if options["log"]:
        others = [one for one in (*(corpus or "").split(","), *options["judgements"], options["output"]) if one]
        if os.path.realpath(options["log"]) in map(os.path.realpath, others):
            raise click.UsageError("--log would write over another file of this command.")
    if [corpus, *options["judgements"]].count("-") > 1:
        raise click.UsageError("Standard input (-) can be read once only.")
