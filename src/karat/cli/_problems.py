"""Printing what is wrong with an input."""

from __future__ import annotations

import click

from karat.errors import DataError, visible

__all__ = ["show_problems"]


def show_problems(error: DataError, *, most: int = 20) -> None:
    """Print the problems on stderr, at most so many (0: all), each hint once."""
    shown = error.problems[: most or None]
    hints: set[str] = set()
    for problem in shown:
        click.echo(str(problem), err=True)
        if problem.hint and problem.hint not in hints:
            hints.add(problem.hint)
            click.echo(f"  hint: {visible(problem.hint)}", err=True)
    left = len(error.problems) - len(shown)
    if left:
        click.echo(f"… and {left:,} more problem{'s' * (left > 1)} (--max-errors 0 shows all)", err=True)
