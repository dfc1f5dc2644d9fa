"""`karat demo`: karat at work on a corpus whose truth is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from karat.cli._options import OPTIONS, OUTPUT, Verb, option
from karat.cli._output import announce_compiling, say, show_result
from karat.cli._shared_options import format_options

_FOLDER = "karat-demo"


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
    from karat.cli.train import KERNELS as OF_TAGGERS

    announce_compiling(OF_SUSPECTS, *OF_TAGGERS.values(), duration="20 seconds")
    from karat.experiments.demo import run_demo
    from karat.report.demo import demo_report

    result = run_demo(output, seed=seed, progress=lambda what: say(f"{what} …"))
    page = _write_report(Path(output))
    show_result(result, options, lambda: demo_report(result, page=None if page is None else str(page)))
    if is_opened:
        _open(page)


def _write_report(folder: Path) -> Path | None:
    """The page in the demo's folder, None if there is none: karat does not write one yet.

    The one place that waits for the page: `DemoFolder(folder).write("report.html", …)` records what it writes, so that
    the next demo knows the file for its own.
    """
    page = folder / "report.html"
    return page if page.exists() else None


def _open(page: Path | None) -> None:
    if page is None:
        say("note: there is no page to open")
        return
    import webbrowser

    if not webbrowser.open(page.resolve().as_uri()):
        say(f"note: no browser found; open {page}")
