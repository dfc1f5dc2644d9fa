"""`karat agree`: how well do annotators agree?"""

from __future__ import annotations

from typing import Any

import click

from karat.cli._arguments import named_inputs, read_once
from karat.cli._options import HIERARCHY, INPUT, OUTPUT, Verb, made_from, option, options_from, refuse, values_of
from karat.cli._output import progress_line, show_inputs, show_result
from karat.cli._shared_options import (
    column_option,
    detailed_output_options,
    inference_options,
    input_option,
    problem_options,
)
from karat.inference.options import InferenceOptions
from karat.measures.hierarchical.options import HierarchyOptions

__all__ = ["command"]

COLUMNS = ["upos", "xpos", "deprel", "feats", "lemma", "head", "heads", "las"]  # as karat.agreement.annotators has them


@click.command("agree", cls=Verb)
@click.argument("annotators", nargs=-1, metavar="ANNOTATOR ANNOTATOR…")
@options_from(HierarchyOptions, HIERARCHY, ["hierarchy", "layout"])
@option("--distinct", HIERARCHY, "Spread a tag evenly over its leaves, however many paths lead to each.", default=False)
@inference_options
@column_option(
    COLUMNS, "Measure agreement on this CoNLL-U column; heads (or head): unlabelled, las: labelled attachment."
)
@option("--probabilities", INPUT, "Read columns of tagged text as tag, probability, tag, …", default=False)
@input_option("key")
@problem_options
@option(
    "--top n_top",
    OUTPUT,
    "Show the N most frequent confusions and the N hardest items.",
    default=10,
    least=0,
    metavar="N",
)
@detailed_output_options
def command(annotators: tuple[str, ...], **options: Any) -> int:
    """How well do ANNOTATORs of the same text, or of the same instances, agree?

    Reports observed agreement, kappa (pooled and Cohen's) and Krippendorff's alpha with intervals, agreement by tag,
    frequent confusions, and the items on which annotators differ most. Annotators may give several tags, with
    probabilities, and tags from a hierarchy; annotations may be missing. Inputs are key files, tagged text or CoNLL-U.

    \b
    karat agree ada.conllu bix.conllu
    karat agree ada=a.conllu bix=b.conllu cyd=c.conllu --column las --json
    karat agree a.key b.key --hierarchy senses.txt
    """  # fmt: skip
    if len(annotators) < 2:
        raise click.UsageError("Give at least two annotators: karat agree ANNOTATOR ANNOTATOR…")
    named = named_inputs(annotators, "annotators", may_repeat=True)
    read_once(named.values())
    if options["hierarchy"] is None:
        refuse(("layout", "distinct"), "requires --hierarchy")
    from karat.agreement.agree import agree
    from karat.report.agreement import agreement_report

    found = agree(
        named,
        inference=made_from(InferenceOptions, options),
        progress=progress_line("resampling"),
        **values_of(options, "hierarchy layout distinct column input probabilities n_top"),
    )
    show_inputs(options, found.formats, found.problems, found.warnings)
    show_result(found, options, lambda: agreement_report(found, details=options["details"]))
    return 0
