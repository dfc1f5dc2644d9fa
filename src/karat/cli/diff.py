"""`karat diff`: what changed between two versions of a corpus?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from karat.cli._arguments import named_inputs, read_once, split_commas, split_paths
from karat.cli._options import HOW_SURE, OUTPUT, Verb, made_from, option, options_from, refuse, values_of
from karat.cli._output import progress_line, say, show_inputs, show_result
from karat.cli._shared_options import detailed_output_options, input_option, problem_options
from karat.cli._worklists import carried_over, carry_option, read_worklists
from karat.inference.options import InferenceOptions

if TYPE_CHECKING:
    from karat.suspects.version_results import VersionDiff

COMPARED, KEPT = "What is compared", "What to do with it"


@click.command("diff", cls=Verb)
@click.argument("versions", nargs=-1, metavar="OLD NEW")
@option(
    "--column columns",
    COMPARED,
    "Compare only this column: upos, xpos, feats, lemma, head or deprel (default: all that both have; repeatable).",
    is_repeatable=True,
    metavar="NAME",
)
@option(
    "--rescore",
    COMPARED,
    "Score these systems on both versions, and show which verdicts between them change; NAME=PATH names a system "
    "(repeatable).",
    is_repeatable=True,
    metavar="SYSTEM…",
)
@option("--worklist", KEPT, "Write what changed as a worklist for people to check.", metavar="FILE")
@carry_option(KEPT)
@option("--check", KEPT, "Exit with 1 if there are differences.", default=False)
@options_from(InferenceOptions, HOW_SURE, ["level"])
@input_option()
@problem_options
@option("--top", OUTPUT, "Show N rows in tables; 0 shows all. Other formats always have all.", default=20, least=0)
@detailed_output_options
def command(versions: tuple[str, ...], **options: Any) -> int:
    """What changed from the OLD to the NEW version of a corpus?

    Conventions, that is the same change at nearly all places, are one row each; sporadic fixes are listed one by one
    (--details). Sentences that were added, removed or edited, and words that were split or joined, are kept apart. A
    version is a file, several files joined by commas, or a treebank's folder.

    \b
    karat diff old.conllu new.conllu
    karat diff UD_English-GUM-2.3 UD_English-GUM --column upos --details
    karat diff old.conllu new.conllu --rescore ada=a.conllu bix=b.conllu
    karat diff old.conllu new.conllu --worklist check.tsv
    karat diff released.conllu new.conllu --check --json
    """  # fmt: skip
    if len(versions) < 2:
        raise click.UsageError("Give two versions of a corpus: karat diff OLD NEW")
    _refuse_combinations(versions, options)
    systems = [*options["rescore"], *versions[2:]]
    read_once([*versions[:2], *systems])
    named = named_inputs(systems) if systems else None
    from karat.report.diff import diff_report
    from karat.suspects.versions import diff

    found = diff(
        split_paths(versions[0]),
        split_paths(versions[1]),
        columns=[one.lower() for one in split_commas(options["columns"])] or None,
        rescore=named,
        inference=made_from(InferenceOptions, options),
        progress=progress_line("resampling"),
        **values_of(options, "input"),
    )
    show_inputs(options, found.formats, found.problems, found.warnings)
    if options["worklist"]:
        _write_worklist(options["worklist"], found, options["carry"])
    show_result(found, options, lambda: diff_report(found, **values_of(options, "top details")))
    return 1 if options["check"] and found.is_different else 0


def _refuse_combinations(versions: Sequence[str], options: dict[str, Any]) -> None:
    if not options["rescore"]:
        refuse(["level"], "requires --rescore")
        if len(versions) > 2:
            raise click.UsageError("Give two versions of a corpus; outputs of systems go behind --rescore.")
    if not options["worklist"]:
        refuse(["carry"], "requires --worklist")
        return
    if options["worklist"] == "-":
        raise click.UsageError("--worklist needs a file name, not -: standard output is for the result.")
    from karat.corpus.worklist import keep_verdicts
    from karat.gold.judged_words import CHANGE_VERDICTS

    keep_verdicts(options["worklist"], CHANGE_VERDICTS)


def _write_worklist(path: str, found: VersionDiff, carry: Sequence[str]) -> None:
    from karat.corpus.worklist import write_worklist
    from karat.gold.judged_words import CHANGE_VERDICTS
    from karat.suspects.change_worklist import change_question, change_worklist

    made = carried_over(change_worklist(found), read_worklists(carry, CHANGE_VERDICTS), change_question)
    write_worklist(path, made)
    say(f"{path}: {len(made.rows):,} rows to judge")
