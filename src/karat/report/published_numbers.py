"""The numbers that papers print and ours, for people: how many agree, which do not any more, what was not computed."""

from __future__ import annotations

from collections.abc import Mapping

from karat.experiments.papers.published.numbers import STATES, PaperNumbers, PublishedNumber, PublishedNumbers, State
from karat.report.shown import counted, listed
from karat.result import Cell, Code, Report, Table

_WORDS: Mapping[State, tuple[str, str]] = {  # of one, of several
    "agrees": ("agrees", "agree"),
    "differs": ("should agree and does not", "should agree and do not"),
    "misprint": ("is a misprint", "are misprints"),
    "unexplained": ("is unexplained", "are unexplained"),
    "other data": ("is of other data", "are of other data"),
    "not runnable": ("is not runnable here", "are not runnable here"),
    "given": ("is given by the paper", "are given by the papers"),
    "not computed": ("was not computed", "were not computed"),
}
_MEANINGS: Mapping[State, str] = {
    "agrees": "ours rounds to what is printed, or relates to it as said in brackets",
    "differs": "ours should agree, and does not",
    "misprint": "ours follows from the paper's own numbers or definitions, the print does not",
    "unexplained": "ours is of the paper's own files, is not what is printed, and we do not know why",
    "other data": "ours is of other texts or systems, and need not agree",
    "not runnable": "what it is about is not to be had here",
    "given": "a setting, an input or a number of others that the paper names",
    "not computed": "needs data or training that this run did not have",
}


def published_numbers_report(result: PublishedNumbers, *, details: bool = False) -> Report:
    """How many numbers are in which state, paper by paper; with details, every number."""
    tables = [_differing(result), _by_paper(result)]
    if details:
        tables += [table for one in result.papers for table in _rows(one)]
    tables.append(_missing(result))
    return Report(_verdict(result), [one for one in tables if one.rows], _notes(result, details=details))


def _verdict(result: PublishedNumbers) -> list[str]:
    counts = result.counts()
    n = sum(counts.values())
    of = (
        f"{counted(len(result.papers), 'paper')} print"
        if len(result.papers) > 1
        else f"{result.papers[0].paper} prints"
    )
    said = [f"{counts[one]:,} {_WORDS[one][counts[one] != 1]}" for one in STATES if counts[one]]
    lines = [f"{counted(n, 'row')} of numbers that {of}: {listed(said)}."]
    if not counts["differs"] and counts["agrees"]:
        but = ", but for those that are unexplained" if counts["unexplained"] else ""
        lines.append(f"Every computed number that should agree does{but}.")
    return lines


def _by_paper(result: PublishedNumbers) -> Table:
    used = [one for one in STATES if result.counts()[one]]
    rows: list[list[Cell]] = []
    for one in result.papers:
        counts = one.counts()
        rows.append([one.paper, len(one.rows), *(counts[state] for state in used)])
    if len(rows) > 1:
        counts = result.counts()
        rows.append(["all", len(result.rows), *(counts[state] for state in used)])
    return Table(["paper", "rows", *used], rows)


def _differing(result: PublishedNumbers) -> Table:
    rows = [[paper, row.where, row.of, row.printed, _ours(row)] for paper, row in result.differing]
    return Table(["paper", "where", "number", "printed", "ours"], rows, "These should agree and do not", n_keys=2)


def _rows(paper: PaperNumbers) -> list[Table]:
    rows = [
        [row.where, row.of, row.printed, _ours(row), _difference(row), shown_state(row), row.why, Code(row.command)]
        for row in paper.rows
    ]
    columns = ["where", "number", "printed", "ours", "difference", "status", "why", "command"]
    optional = ["command", "why", "difference"]
    return [Table(columns, rows, paper.title, optional=optional, n_keys=2)] if rows else []


def shown_state(row: PublishedNumber) -> str:
    """What has come of a number, and how ours relates to it where that is not by rounding."""
    if row.state not in ("agrees", "differs") or (row.relation == "equal" and not row.tolerance):
        return row.state
    within = "" if not row.tolerance else f"within {row.tolerance:g}"
    return f"{row.state} ({within or row.relation})"


def _ours(row: PublishedNumber) -> str | None:
    return None if row.ours is None else shown_beside(row.ours, row.compared)


def _difference(row: PublishedNumber) -> str | None:
    if row.difference is None:
        return None
    shown = shown_beside(row.difference, row.compared)
    return shown if shown.startswith("−") or not shown.strip("0.") else f"+{shown}"


def shown_beside(value: float, printed: str) -> str:
    """A number with one place more than the print has, so that what is rounded away is seen.

    >>> [shown_beside(*one) for one in ((91.3512, "91.35"), (4060.0, "4063"), (-0.25, "1/4"), (-1e-17, "0.5"))]
    ['91.351', '4,060', '−0.250', '0.00']
    """
    places = 2 if "/" in printed else len(printed.partition(".")[2].rstrip(" %"))
    places = 0 if not places and value == round(value) else places + 1
    shown = f"{value:,.{places}f}"
    return (shown if shown.strip("-0.") else shown.removeprefix("-")).replace("-", "−")


def _missing(result: PublishedNumbers) -> Table:
    rows = [[one.paper, each.what, each.why] for one in result.papers for each in one.missing]
    return Table(["paper", "not run", "why"], rows, "What could not be run")


def _notes(result: PublishedNumbers, *, details: bool) -> list[str]:
    waiting = {row.needs for row in result.rows if row.state == "not computed"}
    notes = []
    if result.data is None and waiting:
        notes.append("--data DIR names a folder with the papers' treebanks, for the numbers that need data.")
    elif result.quick and "training" in waiting:
        notes.append("Without --quick, the papers' experiments are run as well.")
    if details:
        used = [one for one in STATES if result.counts()[one]]
        notes += [f"{one}: {_MEANINGS[one]}." for one in used]
        notes.append("In commands, DIR is the folder that --data names.")
    else:
        notes.append("--details shows every number with ours, --format csv adds why and the command for each.")
    return notes
