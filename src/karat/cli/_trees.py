"""`karat score` on bracketed trees: what people check, and EVALB."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from karat.cli._options import BRACKETS, TREES, combined, made_from, option, refuse
from karat.cli._output import print_result, say, write_file, write_out
from karat.inference.options import InferenceOptions
from karat.measures.brackets.options import BracketOptions
from karat.options import options_of

if TYPE_CHECKING:
    from karat.corpus.formats import Readable
    from karat.evaluation.results import Scores

__all__ = ["check_evalb", "check_evalb_comparison", "check_options", "evalb_option", "judgements_option", "show_evalb"]
__all__ += ["write_bracket_worklist"]

_OF_WORKLISTS = ("include_exact", "sample", "same_style")
_NOT_OF_EVALB = (*BRACKETS, "worklist", *_OF_WORKLISTS, "judgements", "parses", "evalb_steps")
_NOT_OF_EVALB += ("measures", "by", "fail_under")
_OF_INTERVALS = tuple(one.name for one in options_of(InferenceOptions))

judgements_option = option(
    "--judgements",
    group=TREES,
    metavar="FILE",
    help="Take people's verdicts from this worklist, for the measures that need them.",
)
evalb_option = option(
    "--prm",
    group=TREES,
    metavar="FILE",
    help="Take EVALB's parameters from this file (default: as COLLINS.prm).",
)
check_options = combined(
    [
        option(
            "--worklist",
            group=TREES,
            metavar="FILE",
            help="Write the crossing and spurious brackets to this file, for people to judge.",
        ),
        option("--include-exact", group=TREES, is_flag=True, help="With --worklist: write exact matches too."),
        option(
            "--sample",
            group=TREES,
            type=click.IntRange(min=1),
            metavar="N",
            help="With --worklist: write a stratified sample of N brackets, with weights.",
        ),
        option(
            "--same-style",
            group=TREES,
            is_flag=True,
            help="With --worklist: all systems aim at one style, so that a bracket of several is judged once.",
        ),
        judgements_option,
        option(
            "--parses",
            group=TREES,
            metavar="FILE",
            help="Take the number of parses of each sentence from this file, for the Parse Base.",
        ),
        option(
            "--evalb-steps",
            group=TREES,
            is_flag=True,
            help="Show which step of preparation moves F1 by how much, from karat's number to EVALB's.",
        ),
        evalb_option,
    ]
)


def check_evalb(context: click.Context) -> None:
    """Stop if options do not go together with EVALB, or with none of it."""
    options = context.params
    if options["like"] == "evalb":
        refuse(context, _NOT_OF_EVALB, "does not go with --like evalb")
        if not options["intervals"]:
            refuse(context, _OF_INTERVALS, "goes with --intervals, where --like evalb is")
    elif not options["evalb_steps"]:
        refuse(context, ["prm"], "goes with --like evalb or --evalb-steps")
    if not options["worklist"]:
        refuse(context, _OF_WORKLISTS, "goes with --worklist")


def check_evalb_comparison(context: click.Context) -> None:
    """Stop if options of a comparison do not go together with EVALB, or with none of it."""
    if context.params["like"] == "evalb":
        refuse(context, (*BRACKETS, "judgements"), "does not go with --like evalb")
    else:
        refuse(context, ["prm"], "goes with --like evalb")


def write_bracket_worklist(gold: Readable, systems: Mapping[str, Any], options: Mapping[str, Any]) -> Readable:
    """Write the brackets that people are to judge, unless the file has verdicts already; the gold, to be read again."""
    from karat.corpus.source import read_source
    from karat.corpus.worklist import keep_verdicts, write_worklist
    from karat.evaluation.trees import bracket_worklist
    from karat.measures.brackets.human_check import VERDICTS

    if gold == "-":
        gold = read_source(gold)  # standard input cannot be read twice
    worklist = bracket_worklist(
        gold,
        systems,
        brackets=made_from(BracketOptions, options),
        include_exact=options["include_exact"],
        sample=options["sample"],
        same_style=options["same_style"],
        skip_bad=options["skip_bad"],
        seed=options["seed"],
    )
    keep_verdicts(options["worklist"], VERDICTS)
    write_worklist(options["worklist"], worklist)
    say(f"{options['worklist']}: {len(worklist.rows):,} brackets to judge")
    return gold


def show_evalb(scores: Scores, options: Mapping[str, Any]) -> None:
    """EVALB's numbers, and beside them what it left out."""
    from karat.report import evalb as report

    details = [one.evalb for one in scores.systems if one.evalb]
    if options["per_sentence"]:
        if len(details) > 1:
            raise click.UsageError("--per-sentence with --like evalb is for one system at a time.")
        write_file(options["per_sentence"], report.evalb_text(details[0].result))
    if options["format_"] == "text":  # EVALB's own form first
        for one in details:
            write_out(report.evalb_summary_text(one.result).lstrip("\n") + "\n")
    print_result(
        options["format_"],
        scores.to_dict,
        lambda: report.evalb_records(scores),
        lambda: report.evalb_report(scores),
        scores.signature,
    )
