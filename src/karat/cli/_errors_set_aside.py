"""`karat score --ignore-suspicious`: errors in the gold's own contradictions set aside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from karat.cli._options import WHAT, combined, made_from, option, split_paths
from karat.cli._output import progress_line, say, say_later, tell_compiling, write_file
from karat.inference.options import InferenceOptions

if TYPE_CHECKING:
    from karat.evaluation.results import Scores
    from karat.gold.errors_set_aside import ErrorsSetAside
    from karat.result import Report

__all__ = ["Aside", "check_errors_set_aside", "errors_set_aside_options", "show_errors_set_aside"]

errors_set_aside_options = combined(
    [
        option(
            "--ignore-suspicious",
            group=WHAT,
            multiple=True,
            type=click.Choice(["minsize", "disjoint", "all"]),
            help="Also give error rates (of --column) without the errors in word sequences that TRAIN and GOLD "
            "annotate in different ways: those of 3 words or more, those with no annotation in common, or all.",
        ),
        option(
            "--train",
            group=WHAT,
            multiple=True,
            metavar="TRAIN",
            help="With --ignore-suspicious: what the systems were trained on (repeatable).",
        ),
        option(
            "--svg",
            group=WHAT,
            metavar="FILE",
            help="With --ignore-suspicious: draw the share of such sequences with an error, by length.",
        ),
    ]
)


def check_errors_set_aside(context: click.Context, kind: str) -> None:
    """Stop if options do not go together, before anything is scored."""
    options = context.params
    if not options["ignore_suspicious"]:
        for name in ("train", "svg"):
            if options[name]:
                raise click.UsageError(f"--{name} goes with --ignore-suspicious.")
        return
    if len(options["ignore_suspicious"]) > 1:
        raise click.UsageError("--ignore-suspicious is given twice; choose one of minsize, disjoint and all.")
    if not options["train"]:
        raise click.UsageError("--ignore-suspicious needs --train TRAIN: what the systems were trained on.")
    if kind != "columns":
        raise click.UsageError("--ignore-suspicious is for words in columns, one treebank at a time.")
    for name in ("tagset", "hierarchy", "map_"):
        if options[name]:
            flag = name.strip("_")
            raise click.UsageError(f"--ignore-suspicious compares labels as they are: it does not go with --{flag}.")
    if options["format_"] in ("csv", "tsv"):
        raise click.UsageError(f"--ignore-suspicious has no {options['format_']} form; use --json.")


@dataclass(frozen=True, slots=True, eq=False)
class Aside:
    """What was set aside, as the result shows it; nothing, if nothing was to be."""

    result: ErrorsSetAside | None = None
    n_top: int = 0

    def shown_with(self, report: Report) -> Report:
        """The report of the scores, with what was set aside after it."""
        if self.result is None:
            return report
        from karat.report.errors_set_aside import errors_set_aside_tables

        return replace(report, tables=[*report.tables, *errors_set_aside_tables(self.result, n_top=self.n_top)])

    def added_to(self, data: dict[str, Any]) -> dict[str, Any]:
        """The scores as plain data, with what was set aside of each system."""
        if self.result is not None:
            for system, one in zip(data["systems"], self.result.systems, strict=True):
                system["ignoring"] = self.result.of_system(one)
        return data


def show_errors_set_aside(
    scores: Scores, options: Mapping[str, Any], measures: list[str] | None
) -> tuple[Scores, Aside]:
    """The scores, signed with what was set aside, and that, where it was asked for."""
    if not options["ignore_suspicious"]:
        return scores, Aside()
    from karat.corpus import Corpus

    tell_compiling("gold/repeats/_suffix_intervals")
    from karat.gold.errors_set_aside import errors_set_aside
    from karat.measures.catalogue import CONLL18, EVERY_MEASURE, measures_named
    from karat.signature import shown_input

    assert isinstance(scores.gold, Corpus)
    catalogue = CONLL18 if options["like"] else EVERY_MEASURE
    result = errors_set_aside(
        scores.gold,
        {one.name: one.source for one in scores.systems if one.source},
        [path for one in options["train"] for path in _several(split_paths(one))],
        heuristic=options["ignore_suspicious"][0],
        column=options["column"],
        input=options["input_"],
        skip_bad=options["skip_bad"],
        # what was bad to be scored is bad here, too
        trees=any("head" in measure.needs for measure in measures_named(measures or catalogue, catalogue)),
        intervals=not options["like"] or options["intervals"],
        inference=made_from(InferenceOptions, options),
        progress=progress_line("resampling"),
    )
    if options["verbose"]:
        say(f"{result.train.path}: read as {result.train.format}")
    for warning in result.warnings:
        say_later(f"warning: {warning}")
    if options["svg"]:
        from karat.report.errors_set_aside import errors_set_aside_figure

        write_file(options["svg"], errors_set_aside_figure(result))
    train = shown_input(result.train.path, result.train.source.sha256())
    settings = (*scores.settings, ("ignore-suspicious", result.heuristic), ("train", train))
    return replace(scores, settings=settings), Aside(result, options["top"])


def _several(paths: str | list[str]) -> list[str]:
    return [paths] if isinstance(paths, str) else paths
