"""How far a grid is, on a terminal: cells done and left, time left, and the matrix as it fills."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from karat.cli._output import shown_time, write_to

if TYPE_CHECKING:
    from karat.experiments.grid import GridProgress

_WIDEST_NAME = 20
_MOST_ROWS, _MOST_COLUMNS = 12, 8
_WIDTH = 6


@contextmanager
def watched_on_terminal() -> Iterator[Callable[[GridProgress], None] | None]:
    """What shows progress while a grid runs, and wipes it at the end; None where nobody looks at standard error."""
    stream = sys.stderr
    if stream is None or not stream.isatty():
        yield None
        return
    n_lines = [0]

    def show(progress: GridProgress) -> None:
        lines = progress_lines(progress)
        write_to(stream, _above(n_lines[0]) + "".join(f"{line}\x1b[K\n" for line in lines))
        n_lines[0] = len(lines)

    try:
        yield show
    finally:
        write_to(stream, _above(n_lines[0]) + "\x1b[J" if n_lines[0] else "")


def _above(n_lines: int) -> str:
    return f"\x1b[{n_lines}A\r" if n_lines else ""


def progress_lines(progress: GridProgress) -> list[str]:
    """A line with numbers, then a row for each train and a column for each test: how many of its cells are done."""
    left = progress.n_cells - progress.n_done
    time_left = "" if progress.seconds_left is None or not left else f", {shown_time(progress.seconds_left)} left"
    lines = [f"{progress.n_done:,} of {progress.n_cells:,} cells done, {left:,} to go{time_left}"]
    rows = list(dict.fromkeys(one.train for one in progress.all))[:_MOST_ROWS]
    columns = list(dict.fromkeys(one.test for one in progress.all))[:_MOST_COLUMNS]
    done = Counter((one.train, one.test) for one in progress.done)
    planned = Counter((one.train, one.test) for one in progress.all)
    lines.append(" " * (_WIDEST_NAME + 2) + " ".join(f"{_last_part(column):>{_WIDTH}}" for column in columns))
    for row in rows:
        marks = [_mark(done[row, column], planned[row, column]) for column in columns]
        lines.append(f"{row[-_WIDEST_NAME:]:>{_WIDEST_NAME}}  {' '.join(marks)}")
    return lines


def _mark(n_done: int, n: int) -> str:
    """How much of a square is done: a dot for nothing, a sign for all, else the number of cells."""
    if not n:
        return " " * _WIDTH
    return f"{'·' if not n_done else '■' if n_done == n else n_done:>{_WIDTH}}"


def _last_part(name: str) -> str:
    """What a treebank is called within its language, cut to the width of a column."""
    return name.rpartition("-")[2][:_WIDTH]
