"""`karat reproduce`: every number that papers print beside ours, and their experiments, run again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from karat.cli._grid_progress import watched_on_terminal
from karat.cli._options import HOW_SURE, OUTPUT, Verb, made_from, option, options_from
from karat.cli._output import announce_compiling, is_for_paper, say, show_result, write_file
from karat.cli._shared_options import detailed_output_options, page_options
from karat.errors import UsageError
from karat.experiments.papers.catalogue import PAPERS
from karat.inference.options import InferenceOptions
from karat.systems.options import SYSTEMS, kernels_of

if TYPE_CHECKING:
    from karat.experiments.papers.published.numbers import PublishedNumbers
    from karat.result import Report

EXPERIMENT = "The experiments"
_KERNELS: Mapping[str, tuple[str | None, ...]] = {
    "acedanski-2010": tuple(map(kernels_of, SYSTEMS)),
    "hogenhout-1996": ("systems/pcfg/_compiled_chart", "systems/_compiled_perceptron"),
    "padro-1998": ("systems/_compiled_hmm", "systems/relaxation/_compiled_relaxation"),
    "slaski-2012": (
        *("systems/groups/_compiled_groups", "systems/attachment/_compiled_counting"),
        *("systems/attachment/_compiled_hypernym_pairs", "systems/_compiled_perceptron"),
    ),
    "wisniewski-2019": ("systems/_compiled_perceptron", "gold/repeats/_suffix_intervals"),
}


@click.command("reproduce", cls=Verb)
@click.argument("papers", nargs=-1, type=click.Choice(list(PAPERS)), metavar="[PAPER]...")
@option("--data", EXPERIMENT, "Folder with the papers' treebanks, or one above it.", metavar="DIR")
@option("--quick", EXPERIMENT, "Train nothing: only what the papers' numbers and treebanks give.", default=False)
@option(
    "--seeds",
    EXPERIMENT,
    "Number of runs of each system (default: 3; padro-1998: of plantings of errors; hogenhout-1996: of test parts, 5; "
    "slaski-2012: of drawn sentences, 1; acedanski-2010: always 1).",
    number=int,
    least=1,
    metavar="N",
)
@option("--jobs", EXPERIMENT, "Number of processes; results do not depend on it.", default=1, least=1)
@option("--scheduler", EXPERIMENT, "Use this Dask cluster (needs karat[cluster]).", metavar="tcp://HOST:PORT")
@option(
    "-o --output",
    OUTPUT,
    "Folder for numbers.md, numbers.json, numbers.html, and the experiments: their results, report.md and drawings "
    "(default: karat-reproduce; of one paper karat-reproduce/PAPER).",
    metavar="DIR",
)
@options_from(InferenceOptions, HOW_SURE, ["level"])
@page_options
@detailed_output_options
def command(papers: tuple[str, ...], **options: Any) -> int:
    """Show every number that papers print beside ours, and run their experiments again.

    Each number has a status: equal (ours must be what is printed), misprint, unexplained (ours, of the same files, is
    another), other data (ours is of other texts or systems), not runnable, given (a setting of the paper's, or a number
    of others); --format csv and json say why, and which command gives ours. Without --data, what follows from the
    papers' own numbers is computed. With it, and without --quick, their experiments are run on what of their data is in
    DIR, and what is missing is listed. Results are kept in the output folder: the same command, started again, only
    runs what is missing. Exit code 1: a number that should agree does not, or a run failed.

    \b
    padro-1998       taggers compared on a noisy gold: EWT and GUM of UD 2.3
    hogenhout-1996   two parsers, and what their test is worth: a folder of GUM's
                     constituency trees
    melamed-2000     scores and kappa for tags in a hierarchy: needs no data
    acedanski-2010   measures of rich tags: taggers of Polish, UD_Polish-PDB (dev
                     and test), PUD and LFG
    slaski-2012      attachment from co-occurrence: UD_Polish-PDB (dev and test),
                     PUD, LFG, plwordnet; English of UD 2.3
    wisniewski-2019  PoS taggers across corpora: UD 2.3, English and French

    \b
    karat reproduce
    karat reproduce --quick --data treebanks --details
    karat reproduce wisniewski-2019 --data ud-treebanks-v2.3 --jobs 2
    karat reproduce acedanski-2010 slaski-2012 --data ud-treebanks-v2.18 \\
        --jobs 2 -o polish --format markdown
    """  # fmt: skip
    names = [*dict.fromkeys(papers)] or [*PAPERS]
    trains = options["data"] is not None and not options["quick"]
    _refuse_unused(options, trains=trains)
    if trains:
        announce_compiling(*(kernel for name in names for kernel in _KERNELS.get(name, ())))
    from karat.experiments.papers.catalogue import published_numbers

    folder = options["output"] or os.path.join("karat-reproduce", *(names if len(names) == 1 else []))
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise UsageError(f"{folder} is a file; name a folder for the results")
    with watched_on_terminal() as watch:
        result = published_numbers(
            names,
            options["data"],
            folder,
            quick=options["quick"],
            seeds=options["seeds"],
            jobs=options["jobs"],
            scheduler=options["scheduler"],
            inference=made_from(InferenceOptions, options),
            watch=watch,
        )
    details = options["details"] or is_for_paper(options)
    show_result(result, options, lambda: _report(result, details=details))
    if options["output"] or any(one.experiment is not None for one in result.papers):
        _write_folder(result, folder)
    return 1 if result.differing or result.n_failed else 0


def _refuse_unused(options: Mapping[str, Any], *, trains: bool) -> None:
    """Stop at options of experiments where none is run."""
    unused = [f"--{name}" for name in ("seeds", "scheduler") if options[name] is not None]
    if unused and not trains:
        raise UsageError(f"{' and '.join(unused)}: no experiment is run without --data DIR, or with --quick")


def _report(result: PublishedNumbers, *, details: bool) -> Report:
    """The numbers, and what the experiments say beside them."""
    from karat.report.published_numbers import published_numbers_report
    from karat.report.reproduction import reproduction_report
    from karat.result import Report

    shown = published_numbers_report(result, details=details)
    verdict, tables = [*shown.verdict], [*shown.tables]
    for one in result.papers:
        if one.experiment is not None:
            of = reproduction_report(one.experiment, details=details)
            verdict += of.verdict
            tables += of.tables
    return Report(verdict, tables, shown.notes)


def _write_folder(result: PublishedNumbers, folder: str) -> None:
    """All numbers as Markdown, JSON and a page; beside them what each experiment has."""
    from karat.cli._output import result_for_page
    from karat.report.page.write import write_report
    from karat.report.published_numbers import published_numbers_report
    from karat.report.reproduction import reproduction_figures, reproduction_report
    from karat.report.tables import written
    from karat.result import json_text

    for one in result.papers:
        if one.experiment is not None:
            for name, drawn in reproduction_figures(one.experiment).items():
                write_file(os.path.join(one.experiment.folder, name), drawn)
            whole = written(reproduction_report(one.experiment, details=True), "markdown")
            text = f"# {one.experiment.title}\n\n{whole}\n    {one.experiment.signature}\n"
            write_file(os.path.join(one.experiment.folder, "report.md"), text)
    every = written(published_numbers_report(result, details=True), "markdown")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be made: {error.strerror}") from None
    write_file(os.path.join(folder, "numbers.md"), f"# The papers' numbers\n\n{every}\n    {result.signature}\n")
    write_file(os.path.join(folder, "numbers.json"), json_text(result.to_dict()))
    page = result_for_page(result, lambda: published_numbers_report(result))
    write_report(page, os.path.join(folder, "numbers.html"), title="karat: the numbers of six papers")
    shows = os.path.join(folder, "numbers.html")
    say(f"{shows} shows every number and the papers' figures; numbers.md and numbers.json are beside it")
