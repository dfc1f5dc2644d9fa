"""`karat grid`: every system trained on every corpus and tested on every other, kept cell by cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from karat.cli._arguments import split_commas
from karat.cli._grid_progress import watched_on_terminal
from karat.cli._options import HOW_SURE, OPTIONS, OUTPUT, Verb, given, made_from, option, options_from, refuse
from karat.cli._output import announce_compiling, say, show_result, write_file, write_out
from karat.cli._shared_options import (
    detailed_output_options,
    document_options,
    documents_from,
    map_option,
    page_options,
    problem_options,
)
from karat.errors import UsageError
from karat.experiments.analyses.catalogue import TABLES
from karat.inference.options import InferenceOptions
from karat.systems.options import kernels_of

if TYPE_CHECKING:
    from karat.experiments.grid import Grid

GRID, LATER = "What is run", "Looking at a grid again"
_INTERRUPTED = 130
_ONE_VALUE = "seeds column folds fold_by without_duplicates document_from document_pattern map jobs".split()
_OF_RUNS = "corpora output tests systems seeds column measures sizes folds fold_by jobs scheduler timeout".split()
_OF_RUNS += "without_duplicates document_from document_pattern map".split()


@click.command("grid", cls=Verb)
@click.argument("corpora", nargs=-1, metavar="CORPUS… | GRID.toml")
@option("--test tests", GRID, "Test on this corpus too; may be repeated.", is_repeatable=True, metavar="CORPUS")
@option(
    "--system systems",
    GRID,
    "System to train, as in hmm:order=1; may be repeated (default: perceptron). External commands: see GRID.toml.",
    is_repeatable=True,
    metavar="NAME[:OPTION=VALUE,…]",
)
@option("--seeds", GRID, "Number of random seeds: 3 means 0, 1 and 2.", default=3, least=1, metavar="N")
@option("--column", GRID, "Column to learn, or several, as in upos+feats.", default="upos", metavar="COLUMN")
@option(
    "--measure measures",
    GRID,
    "Measure; may be repeated (default: that of the column).",
    is_repeatable=True,
    metavar="NAME",
)
@option("--sizes", GRID, "Train on so many words instead, as in 1000,10000: learning curves.", metavar="N,N…")
@option("--folds", GRID, "Test each corpus on N folds of itself instead.", number=int, least=2, metavar="N")
@option("--fold-by", GRID, "With --folds: deal out sentences or documents.", choices=["sentence", "document"])
@option(
    "--without-duplicates",
    GRID,
    "Leave sentences out of training whose words are those of a test sentence.",
    default=False,
)
@map_option("Map the tags of all corpora before training and scoring", GRID)
@option("--timeout", GRID, "Seconds that an external command may take.", number=float, metavar="SECONDS")
@option("--jobs", OPTIONS, "Number of processes; results do not depend on it.", default=1, least=1, metavar="N")
@option("--scheduler", OPTIONS, "Use this Dask cluster (needs karat[cluster]).", metavar="tcp://HOST:PORT")
@option("--from folder", LATER, "Show the grid in this folder; run nothing.", metavar="DIR")
@option("--table", LATER, "Print this table of the grid; --table list lists them.", metavar="NAME")
@option("--svg", LATER, "Draw the table into this file.", metavar="FILE")
@option("-o --output", OUTPUT, "Folder for results; what is there is not run again.", metavar="DIR")
@options_from(InferenceOptions, HOW_SURE, ["cluster", "level"])
@document_options()
@problem_options
@page_options
@detailed_output_options
def command(corpora: tuple[str, ...], **options: Any) -> int:
    """Train every system on every CORPUS and score it on every test.

    A CORPUS is a treebank's folder, whose train, dev and test parts are found by the names of UD's files, or a file to
    test on. Each result is kept in the folder DIR the moment it is there; started again, the same command only runs
    what is missing. A cell that fails is reported with its log and does not stop the others (exit code 1).

    GRID.toml may name corpora, tests, systems, seeds, measures, sizes, folds, and systems with their own commands:

    \b
    corpora = ["UD_English-EWT", "UD_English-GUM"]
    [[systems]]
    name = "mine"
    command = ["python", "/home/me/tagger.py",
               "{train}", "{model}", "{input}", "{output}"]

    \b
    karat grid UD_English-EWT UD_English-GUM -o grid --jobs 2
    karat grid UD_English-EWT --test UD_English-PUD --system hmm \\
        --system perceptron:features=paper -o grid
    karat grid UD_English-EWT --sizes 1000,10000,100000 -o curve
    karat grid UD_English-GUM --folds 10 --fold-by document -o folds
    karat grid UD_Polish-PDB --folds 10 --document-from orig_file_sentence \\
        --without-duplicates --column xpos -o pdb
    karat grid --from grid --table matrix --svg matrix.svg
    """  # fmt: skip
    if options["folder"] is not None:
        refuse(_OF_RUNS, "cannot be used with --from")
        if options["table"] is None:
            refuse(("svg", "details", "cluster", "level"), "requires --table with --from")
        if corpora:
            raise click.UsageError("--from takes no corpora.")
        _show(options)
        return 0
    refuse(("table", "svg", "details"), "requires --from")
    if options["output"] is None:
        raise click.UsageError("Name a folder for the results: -o DIR.")
    return _run(corpora, options)


def _run(corpora: Sequence[str], options: Mapping[str, Any]) -> int:
    asked = _asked(corpora, options)
    announce_compiling(*(kernels_of(getattr(one, "system", "")) for one in asked["systems"]))
    from karat.experiments.grid import grid
    from karat.report.grid import grid_report

    with watched_on_terminal() as watch:
        result = grid(
            asked.pop("corpora"),
            options["output"],
            **asked,
            scheduler=options["scheduler"],
            inference=made_from(InferenceOptions, options),
            watch=watch,
        )
    for one in result.failures:
        _say_failure(one.to_dict())
    show_result(result, options, lambda: grid_report(result))
    if result.was_interrupted:
        left = result.n_planned - len(result.cells)
        say(f"interrupted: {left:,} cells are missing; run the same command again to go on")
        return _INTERRUPTED
    return 1 if result.failures else 0


def _asked(corpora: Sequence[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """What a file asks for, and what the command line asks for instead or as well."""
    from karat.experiments.config import read_config
    from karat.experiments.systems import ExternalTagger, OwnTagger

    asked: dict[str, Any] = {"corpora": [], "tests": [], "systems": []}
    for path in corpora:
        if path.endswith(".toml"):
            for name, value in read_config(path).values.items():
                asked[name] = [*asked[name], *value] if name in ("corpora", "tests", "systems") else value
        else:
            asked["corpora"].append(path)
    if not asked["corpora"]:
        raise click.UsageError("Name at least one corpus: karat grid CORPUS… -o DIR.")
    asked["tests"] += options["tests"]
    asked["systems"] += [OwnTagger.from_text(text) for text in options["systems"]]
    if not asked["systems"]:
        asked["systems"] = [OwnTagger.from_text("perceptron")]
    documents_from(options)  # says what does not go together
    for name in _ONE_VALUE:
        if name not in asked or given([name]):
            asked[name] = options[name]
    if options["measures"]:
        asked["measures"] = split_commas(options["measures"])
    if options["sizes"]:
        asked["sizes"] = _sizes(options["sizes"])
    if options["timeout"] is not None:
        if options["timeout"] <= 0:
            raise click.UsageError("--timeout is a number of seconds above 0.")
        kept = [isinstance(one, ExternalTagger) for one in asked["systems"]]
        asked["systems"] = [
            replace(one, timeout=options["timeout"]) if is_external else one
            for one, is_external in zip(asked["systems"], kept, strict=True)
        ]
    return asked


def _sizes(text: str) -> list[int]:
    found = split_commas([text])
    if not all(one.isdecimal() and int(one) for one in found):
        raise click.UsageError(f"--sizes {text}: write numbers of words, as in 1000,10000.")
    return sorted({int(one) for one in found})


def _say_failure(failure: Mapping[str, Any]) -> None:
    where = f"{failure['system']}, {failure['train']} → {failure['test']}, seed {failure['seed']}"
    log = f" (log: {failure['log']})" if failure["log"] else ""
    say(f"failed: {where}: {failure['error']}{log}")


def _show(options: Mapping[str, Any]) -> None:
    """A grid that was run before, or a table of it."""
    from karat.experiments.grid import read_grid
    from karat.report.grid import grid_report

    if options["table"] == "list":
        if options["format"] != "text":
            raise click.UsageError("--table list prints text only.")
        write_out("".join(f"{name:<12} {what}\n" for name, what in TABLES.items()))
        return
    if options["table"] not in (None, *TABLES):
        raise click.UsageError(f"No table {options['table']!r}; choose from {', '.join(TABLES)}.")
    result: Grid = read_grid(options["folder"])
    if options["table"] is None:
        show_result(result, options, lambda: grid_report(result))
    else:
        _show_table(result, options)


def _show_table(grid: Grid, options: Mapping[str, Any]) -> None:
    announce_compiling("gold/repeats/_suffix_intervals")
    from karat.experiments.analyses.catalogue import grid_table
    from karat.report.grid_tables import grid_table_report

    table = grid_table(grid, options["table"], inference=made_from(InferenceOptions, options))
    if options["svg"]:
        from karat.report.draw.grid_figures import grid_figure

        drawn = grid_figure(table)
        if drawn is None:
            raise UsageError(f"nothing to draw in the table {options['table']}")
        write_file(options["svg"], drawn.svg)
    show_result(table, options, lambda: grid_table_report(table, details=options["details"]))
