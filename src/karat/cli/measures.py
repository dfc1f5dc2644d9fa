"""`karat measures`: which measures there are; those of parsers, and those of classes, from counts alone."""

from __future__ import annotations

from typing import Any

import click

from karat.cli._arguments import named_paths, read_once
from karat.cli._options import OPTIONS, Verb, option
from karat.cli._output import say_later, show_result
from karat.cli._shared_options import format_options
from karat.result import Report


@click.command("measures", cls=Verb)
@click.argument("items", nargs=-1, metavar="[[NAME=]ITEMS.json…]")
@option(
    "--confusion",
    OPTIONS,
    "Compute precision, recall, F1 (per class, micro, macro, weighted), accuracy and kappa from a confusion "
    "matrix: TSV or CSV, system labels in the first row, gold labels in the first column.",
    metavar="FILE",
)
@format_options
def command(items: tuple[str, ...], confusion: str | None, **options: Any) -> None:
    """List all measures; or compute those of parsers (Hogenhout & Matsumoto 1996, Table 3) from counts of brackets, or
    those of classes from a confusion matrix.

    ITEMS.json (- for standard input) is an object of items: TTB, TPB (brackets of the treebank and of the parser), EM,
    CE, SP (exact matches, crossing errors, spurious brackets), each also as accepted and rejected by a person (EMA,
    EMR, CEA, CER, SPA, SPR), PINH, PNINH, TINH, TNINH (inherited or not). A measure whose items are missing is null.
    Several files are shown side by side.

    \b
    karat measures
    karat measures ada=a.json bix=b.json
    echo '{"TTB": 11400, "TPB": 8671, "EM": 6748}' | karat measures -
    karat measures --confusion matrix.tsv
    """  # fmt: skip
    if confusion is not None:
        if items:
            raise click.UsageError("Give ITEMS.json or --confusion, not both.")
        from karat.measures.class_measures import confusion_measures
        from karat.report.class_measures import class_measures_report

        measured = confusion_measures(confusion)
        show_result(measured, options, lambda: class_measures_report(measured))
        return
    if not items:
        from karat.measures.catalogue import list_measures

        every = list_measures()
        show_result(
            every, options, lambda: Report([], every.tables(), [f"Cannot be used: {one}." for one in every.unusable])
        )
        return
    from karat.measures.brackets.twelve_measures import parser_measure_table, parser_measures

    read_once(items)
    named = named_paths(items)
    found = parser_measures(*named.values()) if len(named) == 1 else parser_measure_table(named)
    for note in found.notes:
        say_later(f"note: {note}")
    show_result(found, options, lambda: Report([], [found.view()]))
