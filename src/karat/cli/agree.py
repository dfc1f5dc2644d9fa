"""`karat agree`: how well do annotators agree?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from karat.cli._options import (
    HIERARCHY,
    INPUT,
    OUTPUT,
    Verb,
    column_option,
    details_option,
    format_options,
    inference_options,
    input_option,
    made_from,
    max_errors_option,
    named_paths,
    option,
    options_from,
    read_once,
    refuse,
    split_paths,
    verbose_option,
)
from karat.cli._output import progress_line, show_result
from karat.cli._problems import tell_inputs
from karat.inference.options import InferenceOptions
from karat.measures.hierarchical.options import HierarchyOptions

__all__ = ["command"]

COLUMNS = ["upos", "xpos", "deprel", "feats", "lemma", "head", "heads", "las"]  # as karat.agreement.annotators has them


@click.command("agree", cls=Verb)
@click.argument("annotators", nargs=-1, metavar="ANNOTATOR ANNOTATOR…")
@options_from(HierarchyOptions, HIERARCHY, ["hierarchy", "layout"])
@option(
    "--distinct",
    group=HIERARCHY,
    is_flag=True,
    help="Spread a tag evenly over its leaves, however many ways lead to each.",
)
@inference_options
@column_option(
    COLUMNS, "Which column of CoNLL-U they agree on; heads (or head) is unlabelled, las labelled attachment."
)
@option("--probabilities", group=INPUT, is_flag=True, help="Columns of tagged text are tag, probability, tag, …")
@input_option("key")
@max_errors_option
@verbose_option
@option(
    "--top",
    group=OUTPUT,
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    metavar="N",
    help="Show N confusions and N of the hardest items.",
)
@details_option
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
    if len(annotators) < 2:
        raise click.UsageError("Give at least two annotators: karat agree ANNOTATOR ANNOTATOR…")
    named = {name: split_paths(path) for name, path in _named(annotators).items()}
    read_once(named.values())
    if options["hierarchy"] is None:
        refuse(context, ("layout", "distinct"), "goes with --hierarchy")
    from karat.agreement.agree import agree

    found = agree(
        named,
        hierarchy=options["hierarchy"],
        layout=options["layout"],
        distinct=options["distinct"],
        column=options["column"],
        input=options["input_"],
        probabilities=options["probabilities"],
        inference=made_from(InferenceOptions, options),
        n_top=options["top"],
        progress=progress_line("resampling"),
    )
    tell_inputs(found.formats, found.problems, found.warnings, (), options)
    from karat.report import agreement as report

    show_result(
        found,
        options["format_"],
        lambda: report.agreement_report(found, details=options["details"]),
        details=options["details"],
    )
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
