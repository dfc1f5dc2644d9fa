"""`karat review`: the local page on which people judge a worklist."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from karat.cli._arguments import named_paths
from karat.cli._options import OPTIONS, Verb, option, values_of
from karat.cli._output import refuse_output, say, write_out

if TYPE_CHECKING:
    from karat.review.access import Access
    from karat.review.adjudicated_list import AdjudicationReview
    from karat.review.session import Review

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
@option(
    "--adjudicate",
    JUDGES,
    "Merge the judges' lists and decide the rows on which they differ; --judge names who decides.",
    default=False,
)
@option(
    "--show-estimate",
    JUDGES,
    "Show the estimate to several judges too, who are then no longer blind to it.",
    default=False,
)
@option("--gold", FILES, "Gold corpus that the list is about, if it does not name it itself.", metavar="FILE")
@option(
    "--system systems",
    FILES,
    "System that is judged, as in lists of karat score; NAME=PATH names it as in the list (repeatable).",
    is_repeatable=True,
    metavar="FILE",
)
@option("--export", FILES, "Write the full history as JSON lines when the review ends.", metavar="FILE")
@option("--port", OPTIONS, "Port to listen on; 0 takes one that is free.", default=0, type=click.IntRange(0, 65535))
@option("--no-browser", OPTIONS, "Only print the address.", default=False)
def command(worklists: tuple[str, ...], **options: Any) -> None:
    """Judge a worklist on a local page, one key per item; verdicts are on disk before the page says so.

    WORKLIST is a list that karat score, noise plan, repeats, suspects, agree or diff wrote. The page is served to this
    machine only; its address is printed on standard output. Verdicts are kept in WORKLIST.karat-review and written
    into the list after each pause and at the end. Ctrl-C ends the review; the same command takes it up again.

    Several lists are judged at once, each by the judge that its head names, as karat noise plan --judge writes them.
    Beside the list, the page shows what the verdicts say so far, and when it is enough. With --adjudicate, what judges
    agree on is filled in and the rest decided, in a list of its own beside the first (check.adjudicated.tsv).

    \b
    karat noise plan gold.conllu ada.conllu bix.conllu -o check.tsv
    karat review check.tsv
    karat review check.tsv --judge ina --judge jan
    karat review check.ina.tsv check.jan.tsv --adjudicate
    """  # fmt: skip
    from karat.review.server import refuse_without_server

    refuse_without_server()
    if options["adjudicate"]:
        _adjudicate(worklists, options)
        return
    from karat.review.opening import opened_reviews

    reviews = opened_reviews(worklists, options["judges"])
    with _closed_at_the_end(reviews, options["export"]):
        _serve(reviews, options)


def _adjudicate(worklists: Sequence[str], options: Mapping[str, Any]) -> None:
    """Merge lists, and have decided what judges differ on."""
    from karat.review.adjudicated_list import opened_adjudication

    judges = options["judges"]
    if len(judges) > 1:
        raise click.UsageError("Give one --judge with --adjudicate: whoever decides.")
    adjudication = opened_adjudication(worklists, judges[0] if judges else "")
    review, found = adjudication.review, adjudication.found
    with _closed_at_the_end([review], options["export"]):
        n_open, n_shared = len(found.differing), found.n_shared
        of = f" of the {n_shared:,} rows that several judges have judged" if n_shared else ""
        if not n_open:
            said = f"judges do not differ on any{of}" if of else "no row is judged in more than one list"
            say(f"{said}; {review.path} has all {len(found.merged.rows):,} rows")
            return
        say(f"judges differ on {n_open:,}{of or ' rows'}; decisions go to {review.path}")
        _serve([review], options, adjudication)


def _close(review: Review) -> None:
    """Close a review, and say where its verdicts are, also if the list's file cannot have them."""
    from karat.errors import KaratError

    try:
        review.close()
    except KaratError:
        say(
            f"no verdict is lost: {review.store.path} has them all, and the next karat review writes them into the list"
        )
        raise
    say(f"verdicts are in {', '.join(map(review.file_of, review.judges))}")


@contextmanager
def _closed_at_the_end(reviews: Sequence[Review], export: str | None) -> Iterator[None]:
    """Bring files up to date at the end, whatever happens, and write the history."""
    from karat.review.audit import refuse_audit, write_audit

    with ExitStack() as stack:
        for review in reviews:
            stack.callback(_close, review)
        if export is not None:
            refuse_output(export)
            refuse_audit(export, *reviews)
        yield
        if export is not None:
            try:
                for review in reviews:
                    for judge in review.judges:
                        review.bring_up_to_date(judge)  # what was edited in files is part of the history
            finally:
                write_audit(export, *reviews)


def _serve(
    reviews: Sequence[Review], options: Mapping[str, Any], adjudication: AdjudicationReview | None = None
) -> None:
    """Serve the reviews until they are ended."""
    from karat.review.served import review_server

    server = review_server(
        reviews,
        systems=named_paths(options["systems"]),
        adjudication=adjudication,
        **values_of(options, "gold show_estimate port"),
    )
    access = server.access
    is_one_person = not any(guest.is_coordinator for guest in access.guests)  # others have browsers of their own
    with _opener(access) as open_browser:

        def is_ready() -> None:
            write_out("".join(f"{access.url(guest)}\n" for guest in access.guests))
            if len(access.guests) > 1:
                _say_whose(access, reviews)
            say("Ctrl-C ends the review; all verdicts are kept")
            if is_one_person and not options["no_browser"]:
                open_browser()

        server.run(is_ready)


def _say_whose(access: Access, reviews: Sequence[Review]) -> None:
    """Say which address is for whom."""
    say("each address above is for one person:")
    for guest in access.guests:
        what = "sees how far judges are and how they agree"
        if not guest.is_coordinator:
            what = f"judges {reviews[guest.review].file_of(guest.judge)}"
        say(f"  for={guest.name}: {what}")


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
