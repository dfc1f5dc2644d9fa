"""`karat report`: one offline HTML file from results."""

from __future__ import annotations

import os
from typing import Any

import click

from karat.cli._options import OUTPUT, WHAT, Verb, option, refuse, values_of
from karat.cli._output import refuse_output, show_result, write_out
from karat.cli._results import read_results
from karat.cli._shared_options import format_options


@click.command("report", cls=Verb)
@click.argument("results", nargs=-1, required=True, metavar="RESULT.json…")
@option(
    "--baseline",
    WHAT,
    "Earlier result on the same gold to put beside these: what is newly right and newly wrong; may be repeated.",
    is_repeatable=True,
    metavar="OLD.json",
)
@option("--title", WHAT, "Title of the page.", metavar="TEXT")
@option("--sentences n_sentences", WHAT, "Embed up to N sentences.", default=250, least=0, metavar="N")
@option("-o --output", OUTPUT, "HTML file to write; required without --cite.", metavar="FILE")
@option("--figures", OUTPUT, "Write each drawing to this folder as SVG, for papers.", metavar="DIR")
@format_options
def command(results: tuple[str, ...], **options: Any) -> None:
    """One offline HTML page from results: the verdict, tables that sort, drawings, sentences behind the numbers.

    Results are files that --json wrote, of any verb. Sentences are read from the files that the results name, looked
    for from here and beside the result, if they are still the same; otherwise the page says what is missing.

    \b
    karat score gold.conllu ada.conllu bix.conllu --json > score.json
    karat compare gold.conllu ada.conllu bix.conllu --json > compare.json
    karat report score.json compare.json -o report.html
    karat report score.json --baseline last-week.json -o report.html
    karat report score.json compare.json --cite > methods.bib
    """  # fmt: skip
    if options["format"] == "bibtex":
        refuse(["output", "figures", "title", "n_sentences"], "cannot be used with --cite, which writes no page")
    elif options["output"] is None:
        raise click.UsageError("Name the page to write: -o FILE.")
    found, before = read_results(results), read_results(options["baseline"])
    if options["format"] == "bibtex":
        from karat.citations.cite import cite

        write_out(cite(*found, *before).bibtex)
        return
    every = (*results, *options["baseline"])
    from karat.report.page.write import write_report
    from karat.report.written_page import written_page_report

    refuse_output(options["output"])
    written = write_report(
        found,
        options["output"],
        folders=list(dict.fromkeys([".", *(os.path.dirname(path) or "." for path in every)])),
        baseline=before,
        title=options["title"] or "",
        **values_of(options, "figures n_sentences"),
    )
    show_result(written, options, lambda: written_page_report(written))
