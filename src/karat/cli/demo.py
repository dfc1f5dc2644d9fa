"""`karat demo`: karat at work on a corpus whose truth is known."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from karat.cli._options import OPTIONS, OUTPUT, Verb, option
from karat.cli._output import announce_compiling, result_for_page, say, show_result
from karat.cli._shared_options import format_options

if TYPE_CHECKING:
    from karat.experiments.demo_results import DemoResult
    from karat.result import Report

_FOLDER = "karat-demo"
_ON_PAGE = ("compare.json", "score.json", "noise.json", "estimate.json", "suspects.json")


@click.command("demo", cls=Verb)
@option(
    "-o --output",
    OUTPUT,
    "Folder to write to: new, empty, or made by karat demo and not changed since.",
    default=_FOLDER,
    metavar="DIR",
)
@option("--open is_opened", OUTPUT, "Open the report in a browser.", default=False)
@option("--seed", OPTIONS, "Random seed; another seed makes another corpus.", default=0, least=0)
@format_options
def command(output: str, is_opened: bool, seed: int, **options: Any) -> None:
    """See all of karat at work, in less than a minute, on data that it makes itself.

    karat makes a corpus whose truth is known and a gold with planted errors, trains two taggers, scores and compares
    them, bounds what the errors hide, looks for the errors, has some words judged by the truth, and estimates how good
    the taggers really are. It then says whether that is right. Everything is in the folder, and demo.json has the
    commands that repeat each step.

    \b
    karat demo
    karat demo --seed 1 -o another-demo
    """  # fmt: skip
    from karat.cli.suspects import KERNELS as OF_SUSPECTS
    from karat.systems.options import kernels_of

    announce_compiling(OF_SUSPECTS, kernels_of("perceptron"), kernels_of("hmm"), duration="20 seconds")
    from karat.experiments.demo import run_demo
    from karat.report.demo import demo_report

    result = run_demo(output, seed=seed, progress=lambda what: say(f"{what} …"))
    page = str(Path(output) / "report.html")
    _write_report(Path(output), result, lambda: demo_report(result, page=page))
    show_result(result, options, lambda: demo_report(result, page=page))
    if is_opened:
        _open(Path(page))


def _write_report(folder: Path, result: DemoResult, report: Callable[[], Report]) -> None:
    """Write the page of all steps into the demo's folder."""
    from karat.experiments.demo_folder import DemoFolder
    from karat.report.page.html import page_html
    from karat.report.page.page import report_page

    steps = [(name, step.commands[-1]) for step in result.steps for name in step.results if name in _ON_PAGE]
    found = [result_for_page(result, report)]
    for name, command in sorted(steps, key=lambda one: _ON_PAGE.index(one[0])):
        found.append({"command": command, **json.loads((folder / name).read_text(encoding="utf-8"))})
    page = report_page(found, title="karat demo: two taggers on a gold with planted errors")
    DemoFolder(folder).write("report.html", page_html(page).encode())


def _open(page: Path) -> None:
    import webbrowser

    if not webbrowser.open(page.resolve().as_uri()):
        say(f"note: no browser found; open {page}")
