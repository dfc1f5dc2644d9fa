"""`karat agree`: how well do annotators agree?"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import click

from karat.cli._options import (
    INPUTS,
    format_options,
    given,
    inference_from,
    inference_options,
    max_errors_option,
    named_paths,
    split_paths,
    verbose_option,
)
from karat.cli._output import progress_line, show_result
from karat.cli._problems import show_problems, tell_inputs
from karat.errors import DataError

__all__ = ["command"]

COLUMNS = ["upos", "xpos", "deprel", "feats", "lemma", "heads", "las"]  # as karat.agreement.annotators has them
LAYOUTS = ["indented", "dotted", "pairs", "wordnet"]  # as karat.hierarchy has them


def _resampling(command: Any) -> Any:
    return inference_options(command, ("resamples", "level", "method", "seed", "jobs"))


@click.command("agree")
@click.argument("annotators", nargs=-1, metavar="ANNOTATOR ANNOTATOR…")
@click.option(
    "--column",
    type=click.Choice(COLUMNS),
    default="upos",
    show_default=True,
    help="What of CoNLL-U they agree on; heads is unlabelled, las labelled attachment.",
)
@click.option("--hierarchy", metavar="FILE", help="Tags above and below each other: spread tags over their leaves.")
@click.option("--layout", type=click.Choice(LAYOUTS), help="Of the hierarchy's file (default: by content).")
@click.option("--distinct", is_flag=True, help="Spread a tag evenly over its leaves, however many ways lead to each.")
@click.option("--probabilities", is_flag=True, help="Columns of tagged text are tag, probability, tag, …")
@click.option(
    "--top",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    metavar="N",
    help="How many confusions and hardest items to show.",
)
@click.option(
    "--cluster",
    metavar="sentence|document|type|instance|FILE",
    help="What is resampled whole; FILE has a group for each sentence, a line each (default: of key files word types, "
    "of text documents if 20 or more are marked by all, else sentences).",
)
@_resampling
@click.option(
    "--input",
    "input_",
    type=click.Choice(list(dict.fromkeys([*INPUTS, "key"]))),
    help="Format of all inputs (default: by content; -v tells).",
)
@max_errors_option
@verbose_option
@format_options
@click.pass_context
def command(context: click.Context, /, annotators: tuple[str, ...], **options: Any) -> int:
    """How well do ANNOTATORs of the same text, or of the same instances, agree?

    Observed agreement, kappa (pooled and Cohen's) and Krippendorff's alpha with intervals, tag by tag, what annotators
    confuse, and the items on which they are farthest apart. Annotators may give several tags, with probabilities, and
    tags from a hierarchy; annotations may be missing. Inputs are key files, tagged text or CoNLL-U.

    \b
    karat agree ada.conllu bix.conllu
    karat agree ada=a.conllu bix=b.conllu cyd=c.conllu --column las --json
    karat agree a.key b.key --hierarchy senses.txt
    """  # fmt: skip
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads of our own share the work (--jobs)
    if len(annotators) < 2:
        raise click.UsageError("Give at least two annotators: karat agree ANNOTATOR ANNOTATOR…")
    named = {name: split_paths(path) for name, path in _named(annotators).items()}
    if list(named.values()).count("-") > 1:
        raise click.UsageError("Standard input (-) can be read once only.")
    if options["hierarchy"] is None:
        for option in given(context, ("layout", "distinct")):
            raise click.UsageError(f"{option} goes with --hierarchy.")
    from karat.agreement.annotator_agreement import agree

    try:
        found = agree(
            named,
            hierarchy=options["hierarchy"],
            layout=options["layout"],
            distinct=options["distinct"],
            column=options["column"],
            input=options["input_"],
            probabilities=options["probabilities"],
            inference=inference_from(options),
            n_top=options["top"],
            progress=progress_line("resampling"),
        )
    except DataError as error:
        show_problems(error.problems, most=options["max_errors"])
        return error.exit_code
    tell_inputs(
        found.formats, found.problems, found.warnings, (), verbose=options["verbose"], most=options["max_errors"]
    )
    from karat.report import agreement as report

    show_result(found, options["format_"], lambda: report.agreement_tables(found))
    return 0


def _named(arguments: Sequence[str]) -> dict[str, str]:
    """Annotators by name; one that is given again is another annotator, who says the same."""
    named = named_paths(list(dict.fromkeys(arguments)))
    names = dict(zip(dict.fromkeys(arguments), named, strict=True))
    for place, argument in enumerate(arguments):
        times = arguments[: place + 1].count(argument)
        if times > 1:
            named[f"{names[argument]} ({times})"] = named[names[argument]]
    return named
