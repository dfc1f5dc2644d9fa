"""Printing what is wrong with an input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from karat.cli._output import say, say_later
from karat.errors import Problem, visible

__all__ = ["MOST_PROBLEMS", "show_problems", "tell_inputs"]

MOST_PROBLEMS = 20


def tell_inputs(
    formats: Iterable[tuple[str, str]],
    oddities: Iterable[Problem],
    warnings: Iterable[str],
    skipped: Iterable[Problem],
    options: Mapping[str, Any],
) -> None:
    """Say, with -v, as what inputs were read; after the result what is odd, what to beware of and what was skipped."""
    for path, format_ in formats if options["verbose"] else ():
        say(f"{path}: read as {format_}")
    for line in (*dict.fromkeys(map(str, oddities)), *warnings):
        say_later(f"warning: {line}")
    for line in _lines(skipped, options["max_errors"], "skipped: "):
        say_later(line)


def show_problems(problems: Iterable[Problem], *, most: int = MOST_PROBLEMS) -> None:
    """Print problems on stderr, at most so many (0: all), each hint once."""
    for line in _lines(problems, most):
        say(line)


def _lines(problems: Iterable[Problem], most: int, what: str = "") -> Iterator[str]:
    """Problems as lines, at most so many (0: all); `what` goes before each, or each hint follows once."""
    every = list(dict.fromkeys(problems))
    shown = every[: most or None]
    hints: set[str] = set()
    for problem in shown:
        yield f"{what}{problem}"
        if problem.hint and problem.hint not in hints and not what:
            hints.add(problem.hint)
            yield f"  hint: {visible(problem.hint)}"
    left = len(every) - len(shown)
    if left:
        yield f"… and {left:,} more problem{'s' * (left > 1)} (--max-errors 0 shows all)"
