"""`karat review`: the local page on which people judge a worklist."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from karat.cli._arguments import named_paths
from karat.cli._options import OPTIONS, Verb, option
from karat.cli._output import say, write_out

if TYPE_CHECKING:
    from karat.review.access import Access

JUDGES, FILES = "Judges", "Files"


@click.command("review", cls=Verb)
@click.argument("worklists", nargs=-1, required=True, metavar="WORKLIST…")
@option(
    "--judge judges",
    JUDGES,
    "Name of a judge; with several (repeatable), each has an address and a file of their own, blind to the others.",
    is_repeatable=True,
    metavar="NAME",
)
@option("--gold", FILES, "Gold corpus that the list is about, if it does not name it itself.", metavar="FILE")
@option(
    "--system systems",
    FILES,
    "System that is judged, as in lists of karat score; NAME=PATH names it as in the list (repeatable).",
    is_repeatable=True,
    metavar="FILE",
)
@option("--port", OPTIONS, "Port to listen on; 0 takes one that is free.", default=0, type=click.IntRange(0, 65535))
@option("--no-browser", OPTIONS, "Only print the address.", default=False)
def command(worklists: tuple[str, ...], **options: Any) -> None:
    """Judge a worklist on a local page, one key per item; verdicts are on disk before the page says so.

    WORKLIST is a list that karat score, noise plan, repeats, suspects, agree or diff wrote. The page is served to this
    machine only; its address is printed on standard output. Verdicts are kept in WORKLIST.karat-review and written
    into the list after each pause and at the end. Ctrl-C ends the review; the same command takes it up again.

    \b
    karat noise plan gold.conllu ada.conllu bix.conllu -o check.tsv
    karat review check.tsv
    karat review check.tsv --judge ada --judge bix
    """  # fmt: skip
    if len(worklists) > 1:
        raise click.UsageError("Give one worklist.")
    from karat.review.item_view import ItemViews
    from karat.review.server import ReviewServer, refuse_without_server
    from karat.review.session import Review

    refuse_without_server()
    review = Review.opened(worklists[0], options["judges"])
    try:
        views = ItemViews.of(review.worklist, gold=options["gold"], systems=named_paths(options["systems"]))
        server = ReviewServer(review, view=views.answer, port=options["port"])
        is_browser_wanted = not options["no_browser"] and len(review.judges) == 1  # others have browsers of their own
        with _opener(server.access) as open_browser:

            def is_ready() -> None:
                write_out("".join(f"{server.access.url(guest)}\n" for guest in server.access.guests))
                say("Ctrl-C ends the review; all verdicts are kept")
                if is_browser_wanted:
                    open_browser()

            server.run(is_ready)
    finally:
        review.close()


@contextmanager
def _opener(access: Access) -> Iterator[Callable[[], None]]:
    """What opens the page in a browser, through a file that only its owner can read.

    The arguments of a program are visible to everybody on the machine, so the token must not be among them.
    """
    made: list[str] = []

    def open_browser() -> None:
        descriptor, path = tempfile.mkstemp(prefix="karat-review-", suffix=".html")  # of mode 0600
        made.append(path)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(_redirecting_page(access.url(access.guests[0])))
        threading.Thread(target=_open, args=(path,), daemon=True).start()  # a terminal's browser does not return

    try:
        yield open_browser
    finally:
        for path in made:
            with suppress(OSError):
                os.unlink(path)


def _redirecting_page(url: str) -> str:
    shown = escape(url)
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
        f'<meta http-equiv="refresh" content="0; url={shown}"><title>karat review</title>'
        f'<p><a href="{shown}">karat review</a></p>\n'
    )


def _open(path: str) -> None:
    import webbrowser

    if not webbrowser.open(Path(path).resolve().as_uri()):
        say("note: no browser found; open the address above")
