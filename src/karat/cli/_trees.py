"""`karat score` on bracketed trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from karat.cli._options import BRACKET_OPTIONS, HIERARCHY_OPTIONS, brackets_from, given
from karat.cli._output import print_result, say, write_file, write_out

if TYPE_CHECKING:
    from karat.corpus.formats import Kind, Readable
    from karat.evaluation.results import Scores

__all__ = ["CHECK_OPTIONS", "check_options", "refuse_other", "show_evalb", "write_bracket_worklist"]

CHECK_OPTIONS = ("worklist", "include_exact", "sample", "same_style", "judgements", "parses", "prm")
_OF_TEXT = ("tagset", "lexicon", "confusions", "top", "gold_dir", "system_dirs", "column")
_NAMES = {"brackets": "bracketed trees", "key": "sense keys"}
_NOT_OF_EVALB = ("measures", "by", "fail_under")
_OF_INTERVALS = ("cluster", "resamples", "level", "method", "seed", "jobs")


def check_options(command: Any) -> Any:
    """What people are to check, what they said, and what EVALB is to do."""
    options = [
        click.option(
            "--worklist",
            metavar="FILE",
            help="Trees: write the crossing and spurious brackets there, for people to judge.",
        ),
        click.option("--include-exact", is_flag=True, help="With --worklist: exact matches too."),
        click.option(
            "--sample",
            type=click.IntRange(min=1),
            metavar="N",
            help="With --worklist: a stratified sample of so many brackets, with weights.",
        ),
        click.option(
            "--same-style",
            is_flag=True,
            help="With --worklist: all systems aim at one style, so that a bracket of several is judged once.",
        ),
        click.option(
            "--judgements", metavar="FILE", help="Trees: such a list with verdicts, for the measures that need them."
        ),
        click.option(
            "--parses", metavar="FILE", help="Trees: the number of parses of each sentence, for the Parse Base."
        ),
        click.option("--prm", metavar="FILE", help="With --like evalb: its parameters (default: as COLLINS.prm)."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def refuse_other(context: click.Context, options: Mapping[str, Any], kind: Kind) -> None:
    """Stop if an option was given that would be ignored."""
    refused: list[tuple[Sequence[str], str]] = []
    if kind != "columns":
        refused.append((_OF_TEXT, f"is not for {_NAMES[kind]}"))
        if options["like"] == "conll18":
            evalb = "; evalb is" if kind == "brackets" else ""
            raise click.UsageError(f"--like conll18 is not for {_NAMES[kind]}{evalb}.")
    if kind == "brackets":
        refused.append((("hierarchy", *HIERARCHY_OPTIONS), "is not for bracketed trees"))
    else:
        refused.append(((*BRACKET_OPTIONS, *CHECK_OPTIONS), "is for bracketed trees only"))
        if options["like"] == "evalb":
            raise click.UsageError("--like evalb is for bracketed trees.")
    if options["like"] == "evalb":
        refused.append(((*BRACKET_OPTIONS, *CHECK_OPTIONS[:-1], *_NOT_OF_EVALB), "does not go with --like evalb"))
        if not options["intervals"]:
            refused.append((_OF_INTERVALS, "goes with --intervals, where --like evalb is"))
    else:
        refused.append((("prm",), "goes with --like evalb"))
    if not options["worklist"]:
        refused.append((("include_exact", "sample", "same_style"), "goes with --worklist"))
    for names, why in refused:
        for option in given(context, names):
            raise click.UsageError(f"{option} {why}.")


def write_bracket_worklist(gold: Readable, systems: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    """Write the brackets that people are to judge, unless the file has verdicts already."""
    from karat.corpus.worklist import keep_verdicts, write_worklist
    from karat.evaluation.trees import bracket_worklist
    from karat.measures.brackets.human_check import VERDICTS

    worklist = bracket_worklist(
        gold,
        systems,
        brackets=brackets_from(options),
        include_exact=options["include_exact"],
        sample=options["sample"],
        same_style=options["same_style"],
        skip_bad=options["skip_bad"],
        seed=options["seed"],
    )
    keep_verdicts(options["worklist"], VERDICTS)
    write_worklist(options["worklist"], worklist)
    say(f"{options['worklist']}: {len(worklist.rows):,} brackets to judge")


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
        lambda: report.evalb_tables(scores),
        scores.signature,
    )
