"""`karat score --ignore-suspicious`: errors in the gold's own contradictions set aside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from karat.cli._arguments import split_paths
from karat.cli._options import WHAT, combined, made_from, option, refuse, values_of
from karat.cli._output import announce_compiling, progress_line, show_inputs, show_result, write_file
from karat.inference.options import InferenceOptions

if TYPE_CHECKING:
    from karat.evaluation.results import Scores
    from karat.gold.errors_set_aside import ErrorsSetAside
    from karat.result import Report

errors_set_aside_options = combined(
    [
        option(
            "--ignore-suspicious",
            WHAT,
            "Also report error rates (of --column) that ignore errors in word sequences annotated differently in TRAIN "
            "and GOLD: sequences of 3 words or more (minsize), with no annotation in common (disjoint), or all.",
            choices=["minsize", "disjoint", "all"],
            is_repeatable=True,
        ),
        option(
            "--train",
            WHAT,
            "With --ignore-suspicious: training data of the systems (repeatable).",
            is_repeatable=True,
            metavar="TRAIN",
        ),
        option(
            "--svg",
            WHAT,
            "With --ignore-suspicious: plot the share of such sequences with an error, by length.",
            metavar="FILE",
        ),
    ]
)


def check_errors_set_aside(options: Mapping[str, Any], kind: str) -> None:
    """Stop if options do not go together, before anything is scored."""
    if not options["ignore_suspicious"]:
        refuse(("train", "svg"), "requires --ignore-suspicious")
        return
    if len(options["ignore_suspicious"]) > 1:
        raise click.UsageError("--ignore-suspicious is given twice; choose one of minsize, disjoint and all.")
    if not options["train"]:
        raise click.UsageError("--ignore-suspicious requires --train TRAIN, the systems' training data.")
    if kind != "columns":
        raise click.UsageError("--ignore-suspicious works with CoNLL-U and tagged text, one treebank at a time.")
    for name in ("tagset", "hierarchy", "map"):
        if options[name]:
            raise click.UsageError(f"--ignore-suspicious compares labels unchanged and cannot be used with --{name}.")
    if options["format"] in ("csv", "tsv"):
        raise click.UsageError(f"--ignore-suspicious cannot be written as {options['format']}; use --json.")


def show_with_errors_set_aside(
    scores: Scores, options: Mapping[str, Any], measures: list[str] | None, report: Callable[[Scores], Report]
) -> None:
    """Show the scores, signed with what was set aside; in JSON it is with each system, else in tables after theirs."""
    announce_compiling("gold/repeats/_suffix_intervals")
    from karat.report.draw.errors_set_aside import errors_set_aside_figure
    from karat.report.errors_set_aside import errors_set_aside_tables
    from karat.signature import shown_input

    aside = _errors_set_aside(scores, options, measures)
    show_inputs(options, [(aside.train.path, aside.train.format)], warnings=aside.warnings)
    if options["svg"]:
        write_file(options["svg"], errors_set_aside_figure(aside).svg)
    train = shown_input(aside.train.path, aside.train.source.sha256())
    signed = replace(scores, settings=(*scores.settings, ("ignore-suspicious", aside.heuristic), ("train", train)))

    def data() -> dict[str, Any]:
        found = signed.to_dict()
        for system, one in zip(found["systems"], aside.systems, strict=True):
            system["ignoring"] = aside.of_system(one)
        return found

    def with_tables() -> Report:
        of_scores = report(signed)
        return replace(of_scores, tables=[*of_scores.tables, *errors_set_aside_tables(aside, n_top=options["n_top"])])

    show_result(signed, options, with_tables, data=data)


def _errors_set_aside(scores: Scores, options: Mapping[str, Any], measures: list[str] | None) -> ErrorsSetAside:
    from karat.corpus import Corpus
    from karat.gold.errors_set_aside import errors_set_aside
    from karat.measures.catalogue import CONLL18, measures_named, word_measures

    assert isinstance(scores.gold, Corpus)
    wanted = measures or ["all"]
    chosen = measures_named(wanted, CONLL18) if options["like"] else word_measures(wanted)
    train = [split_paths(one) for one in options["train"]]
    return errors_set_aside(
        scores.gold,
        {one.name: one.source for one in scores.systems if one.source},
        [path for paths in train for path in ([paths] if isinstance(paths, str) else paths)],
        heuristic=options["ignore_suspicious"][0],
        # what was bad to be scored is bad here, too
        trees=any("head" in measure.needs for measure in chosen),
        intervals=not options["like"] or options["intervals"],
        inference=made_from(InferenceOptions, options),
        progress=progress_line("resampling"),
        **values_of(options, "column input skip_bad"),
    )
