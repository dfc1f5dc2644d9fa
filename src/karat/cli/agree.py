"""`karat agree`: how well do annotators agree?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from karat.cli._arguments import named_inputs, read_once
from karat.cli._options import HIERARCHY, INPUT, OUTPUT, Verb, made_from, option, options_from, refuse, values_of
from karat.cli._output import progress_line, refuse_input, say, show_inputs, show_result, write_file
from karat.cli._shared_options import (
    column_option,
    detailed_output_options,
    inference_options,
    input_option,
    page_options,
    problem_options,
)
from karat.cli._worklists import carried_over, carry_option
from karat.inference.options import InferenceOptions
from karat.measures.hierarchical.options import HierarchyOptions

if TYPE_CHECKING:
    from karat.agreement.agreement_results import Agreement

COLUMNS = ["upos", "xpos", "deprel", "feats", "lemma", "head", "heads", "las"]  # as karat.agreement.annotators has them
DIFFERING = "Disagreements"
_OF_HIERARCHIES = ("layout", "downward", "learn_from", "alpha")
_FILES = ("disagreements", "worklist", "adjudicated", "agreed")


@click.command("agree", cls=Verb)
@click.argument("annotators", nargs=-1, metavar="ANNOTATOR ANNOTATOR…")
@option("--disagreements", DIFFERING, "Write all disagreements to this file, as TSV.", metavar="FILE")
@option("--worklist", DIFFERING, "Write the disagreements as a worklist for an adjudicator.", metavar="FILE")
@carry_option(DIFFERING)
@option(
    "--judgements",
    DIFFERING,
    "Judged worklist; give one per adjudicator (repeatable): the majority decides.",
    is_repeatable=True,
    metavar="FILE",
)
@option(
    "--adjudicated",
    DIFFERING,
    "With --judgements: write the first ANNOTATOR's file with what was decided.",
    metavar="OUT",
)
@option(
    "--agreed",
    DIFFERING,
    "Write the first ANNOTATOR's sentences on which all agree (of sense keys: the instances).",
    metavar="OUT",
)
@option(
    "--hierarchy",
    HIERARCHY,
    "Spread tags over the leaves of this hierarchy (indented, dotted names, parent TAB child, or WordNet's folder); "
    "--details and --json have the agreement by level.",
    metavar="FILE",
)
@options_from(HierarchyOptions, HIERARCHY, _OF_HIERARCHIES)
@option("--distinct", HIERARCHY, "Short for --downward distinct.", default=False)
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
@page_options
@detailed_output_options
def command(annotators: tuple[str, ...], **options: Any) -> int:
    """How well do ANNOTATORs of the same text, or of the same instances, agree?

    Reports observed agreement, kappa (pooled and Cohen's) and Krippendorff's alpha with intervals, agreement by tag,
    frequent confusions, and the items on which annotators differ most. Annotators may give several tags, with
    probabilities, and tags from a hierarchy; annotations may be missing. Inputs are key files, tagged text or CoNLL-U.

    \b
    karat agree ada.conllu bix.conllu
    karat agree ada=a.conllu bix=b.conllu cyd=c.conllu --column las --json
    karat agree a.key b.key --hierarchy senses.txt --details
    karat agree ada=a.conllu bix=b.conllu --disagreements differ.tsv \\
        --agreed same.conllu
    karat agree ada=a.conllu bix=b.conllu --worklist decide.tsv
    karat agree ada=a.conllu bix=b.conllu --judgements decide.tsv \\
        --adjudicated gold.conllu
    """  # fmt: skip
    if len(annotators) < 2:
        raise click.UsageError("Give at least two annotators: karat agree ANNOTATOR ANNOTATOR…")
    named = named_inputs(annotators, "annotators", may_repeat=True)
    read_once(named.values())
    _refuse_combinations(named, options)
    from karat.agreement.agree import agree
    from karat.report.agreement import agreement_report

    found = agree(
        named,
        hierarchy=made_from(HierarchyOptions, options),
        inference=made_from(InferenceOptions, options),
        progress=progress_line("resampling"),
        **values_of(options, "distinct column input probabilities n_top"),
    )
    found, warnings = _with_files(found, options)
    show_inputs(options, found.formats, found.problems, [*found.warnings, *warnings])
    show_result(found, options, lambda: agreement_report(found, details=options["details"]))
    return 0


def _refuse_combinations(named: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    if options["hierarchy"] is None:
        refuse((*_OF_HIERARCHIES, "distinct"), "requires --hierarchy")
    if options["learn_from"] is None:
        refuse(["alpha"], "requires --learn-from")
    if not options["worklist"]:
        refuse(["carry"], "requires --worklist")
    if not options["judgements"]:
        refuse(["adjudicated"], "requires --judgements, the judged worklist")
    files = [options[name] for name in _FILES if options[name]]
    if "-" in files:
        raise click.UsageError("Files beside the result need names, not -: standard output is for the result.")
    if len(set(files)) < len(files):
        raise click.UsageError("Two results would be written to the same file.")
    if options["worklist"] or options["judgements"]:
        from karat.agreement.adjudication_worklist import adjudication_verdicts, list_verdicts
        from karat.corpus.worklist import keep_verdicts

        adjudication_verdicts(named)  # says which names cannot be verdicts
        if options["worklist"]:
            keep_verdicts(options["worklist"], list_verdicts(options["worklist"]))


def _with_files(found: Agreement, options: Mapping[str, Any]) -> tuple[Agreement, list[str]]:
    """The result with what was decided and what all agree on, once the files asked for are written; and warnings."""
    from karat.agreement.adjudication import adjudicate, write_adjudicated
    from karat.agreement.agreed_sentences import agreed_sentences, write_agreed

    warnings = []
    if options["judgements"]:
        decided = adjudicate(found, list(options["judgements"]))
        warnings = [f"no annotator used the label {one!r}: is it misspelt?" for one in decided.unknown_labels]
        if options["adjudicated"]:
            refuse_input(options["adjudicated"])
            decided = write_adjudicated(decided, options["adjudicated"])
        found = replace(found, adjudication=decided)
    if options["agreed"]:
        refuse_input(options["agreed"])
        found = replace(found, agreed=write_agreed(agreed_sentences(found.disagreements), options["agreed"]))
    if options["disagreements"]:
        from karat.report.agreement import disagreements_text

        write_file(options["disagreements"], disagreements_text(found))
        say(f"{options['disagreements']}: {len(found.disagreements):,} disagreements")
    if options["worklist"]:
        _write_worklist(found, options["worklist"], options["carry"])
    return found, warnings


def _write_worklist(found: Agreement, path: str, carry: Sequence[str]) -> None:
    from karat.agreement.adjudication_worklist import (
        adjudication_question,
        adjudication_worklist,
        read_adjudications,
    )
    from karat.corpus.worklist import write_worklist

    old = read_adjudications(carry)
    question = adjudication_question([found.names, *(names for names, _ in old)])
    worklist = carried_over(adjudication_worklist(found), [one for _, one in old], question)
    write_worklist(path, worklist)
    differing = found.disagreements
    n_others = differing.n_alone + len(differing) - len(worklist.rows)
    why = "tokenisation differs" if found.what == "word" else "only one annotator has them"
    rest = f"; {n_others:,} {found.what}s cannot be adjudicated ({why})" if n_others else ""
    say(f"{path}: {len(worklist.rows):,} rows to judge{rest}")
