"""`karat score` on bracketed trees: what people check, and EVALB."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from karat.cli._options import TREES, combined, fields_of, made_from, option, options_from, refuse, values_of
from karat.cli._output import say, show_result, write_file, write_out
from karat.cli._worklists import carried_over, carry_option, read_worklists
from karat.inference.options import InferenceOptions
from karat.measures.brackets.options import BracketOptions

if TYPE_CHECKING:
    from karat.corpus.formats import Readable
    from karat.evaluation.results import Scores

_OF_WORKLISTS = ("include_exact", "sample", "same_style", "carry")
_NOT_OF_EVALB = (*fields_of(BracketOptions), "worklist", *_OF_WORKLISTS, "judgements", "parses", "evalb_steps")
_NOT_OF_EVALB += ("measures", "by", "fail_under")

_judgements_option = option(
    "--judgements", TREES, "Read human verdicts from this worklist, for the measures that need them.", metavar="FILE"
)
_evalb_option = option(
    "--prm", TREES, "Read EVALB's parameters from this file (default: those of COLLINS.prm).", metavar="FILE"
)
_bracket_options = options_from(BracketOptions, TREES)
comparison_options = combined([_bracket_options, _judgements_option, _evalb_option])
score_options = combined(
    [
        _bracket_options,
        option(
            "--worklist",
            TREES,
            "Write crossing and spurious brackets to this file for people to judge.",
            metavar="FILE",
        ),
        carry_option(TREES),
        option("--include-exact", TREES, "With --worklist: write exact matches too.", default=False),
        option(
            "--sample",
            TREES,
            "With --worklist: write a stratified sample of N brackets, with weights.",
            number=int,
            least=1,
            metavar="N",
        ),
        option(
            "--same-style",
            TREES,
            "With --worklist: assume that all systems aim at one style; a bracket they share is judged once.",
            default=False,
        ),
        _judgements_option,
        option(
            "--parses",
            TREES,
            "Read the number of parses of each sentence from this file, for the Parse Base.",
            metavar="FILE",
        ),
        option(
            "--evalb-steps",
            TREES,
            "Show how each step of preparation moves F1 from karat's value to EVALB's.",
            default=False,
        ),
        _evalb_option,
    ]
)


def check_evalb(options: Mapping[str, Any]) -> None:
    """Stop if options do not go together with EVALB, or with none of it."""
    if options["like"] == "evalb":
        refuse(_NOT_OF_EVALB, "cannot be used with --like evalb")
        if not options["intervals"]:
            refuse(fields_of(InferenceOptions), "requires --intervals when used with --like evalb")
    elif not options["evalb_steps"]:
        refuse(["prm"], "requires --like evalb or --evalb-steps")
    if not options["worklist"]:
        refuse(_OF_WORKLISTS, "requires --worklist")


def check_evalb_comparison(options: Mapping[str, Any]) -> None:
    """Stop if options of a comparison do not go together with EVALB, or with none of it."""
    if options["like"] == "evalb":
        refuse((*fields_of(BracketOptions), "judgements"), "cannot be used with --like evalb")
    else:
        refuse(["prm"], "requires --like evalb")


def write_bracket_worklist(gold: Readable, systems: Mapping[str, Any], options: Mapping[str, Any]) -> Readable:
    """Write the brackets that people are to judge, unless the file has verdicts already; the gold, to be read again."""
    from karat.corpus.source import read_source
    from karat.corpus.worklist import keep_verdicts, write_worklist
    from karat.evaluation.trees import bracket_worklist
    from karat.measures.brackets.human_check import VERDICTS, bracket_question

    if gold == "-":
        gold = read_source(gold)  # standard input cannot be read twice
    worklist = bracket_worklist(
        gold,
        systems,
        brackets=made_from(BracketOptions, options),
        **values_of(options, "include_exact sample same_style skip_bad seed"),
    )
    keep_verdicts(options["worklist"], VERDICTS)
    worklist = carried_over(worklist, read_worklists(options["carry"], VERDICTS), bracket_question)
    write_worklist(options["worklist"], worklist)
    say(f"{options['worklist']}: {len(worklist.rows):,} brackets to judge")
    return gold


def show_evalb(scores: Scores, options: Mapping[str, Any]) -> None:
    """EVALB's numbers, and beside them what it left out."""
    from karat.report import evalb as report

    details = [one.evalb for one in scores.systems if one.evalb]
    if options["per_sentence"]:
        if len(details) > 1:
            raise click.UsageError("--per-sentence with --like evalb works with one system at a time.")
        write_file(options["per_sentence"], report.evalb_text(details[0].result))
    if options["format"] == "text":  # EVALB's own form first
        for one in details:
            write_out(report.evalb_summary_text(one.result).lstrip("\n") + "\n")
    show_result(scores, options, lambda: report.evalb_report(scores), records=lambda: report.evalb_records(scores))
