"""Tables read back from what the command line prints, in any format, and the numbers in their cells."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

__all__ = ["Printed", "factor", "is_p", "numbers", "printed_tables", "shows", "with_first"]

NOT_IN_PERCENT = {"cross_entropy", "brier", "Average Crossing"}

_LATEX = {r"\dots{}": "…", r"$\Delta$": "Δ", r"$\pm$": "±", r"$\to$": "→", r"$\ge$": "≥", r"$\le$": "≤", "--": "–"}
_LATEX |= {"$<$": "<", "$>$": ">", "$|$": "|", r"\_": "_", r"\%": "%", r"\&": "&", r"\#": "#", r"\{": "{", r"\}": "}"}
_LATEX |= {r"\textbackslash{}": "\\", "$-$": "−", r"$^\dagger$": "†", r"\$": "$"}


@dataclass(frozen=True)
class Printed:
    """A table as it was printed."""

    columns: list[str]
    rows: list[list[str]]

    def named(self, name: str) -> dict[str, str]:
        """The row with this name in front, by column; of columns with the same name the first."""
        (row,) = [row for row in self.rows if row[0] == name]
        return dict(reversed(list(zip(self.columns, row, strict=True))))


def printed_tables(out: str, format_: str) -> list[Printed]:
    """All tables of an output, in order."""
    return list({"text": _of_text, "markdown": _of_markdown, "latex": _of_latex}[format_](out.splitlines()))


def _of_text(lines: list[str]) -> Iterator[Printed]:
    for number, line in enumerate(lines):
        if line and set(line) <= {"─", " "}:
            spans = [match.span() for match in re.finditer("─+", line)]
            rows = [lines[number - 1], *takewhile(bool, lines[number + 1 :])]
            cells = [[row[start:stop].strip() for start, stop in spans] for row in rows]
            yield Printed(cells[0], cells[1:])


def _of_markdown(lines: list[str]) -> Iterator[Printed]:
    for number, line in enumerate(lines):
        if line.startswith("|---"):
            rows = [lines[number - 1], *takewhile(bool, lines[number + 1 :])]
            cells = [html.unescape(row[2:-2]).replace("\\|", "|").replace("\\\\", "\\").split(" | ") for row in rows]
            cells = [[re.sub(r"^\*\*(.*)\*\*$", r"\1", cell).replace("\\*", "*") for cell in row] for row in cells]
            yield Printed([cell.strip() for cell in cells[0]], cells[1:])


def _of_latex(lines: list[str]) -> Iterator[Printed]:
    for number, line in enumerate(lines):
        if line == r"\midrule":
            rows = [lines[number - 1], *takewhile(lambda row: row != r"\bottomrule", lines[number + 1 :])]
            cells = [[_plain(cell) for cell in row.removesuffix(r" \\").split(" & ")] for row in rows]
            yield Printed(cells[0], cells[1:])


def _plain(cell: str) -> str:
    cell = re.sub(r"^\s*\\textbf\{(.*)\}\s*$", r"\1", cell)
    cell = re.sub(r"\\shortstack\[.\]\{(.*)\\\\(.*)\}", r"\1 \2", cell)  # a heading in two lines
    cell = re.sub(r"\\rlap\{(.*)\}", r"\1", cell)  # a mark that takes no room
    for written, meant in _LATEX.items():
        cell = cell.replace(written, meant)
    return cell.strip()


def with_first(tables: list[Printed], *names: str) -> list[Printed]:
    """The tables whose first columns have these names."""
    return [table for table in tables if table.columns[: len(names)] == list(names)]


def factor(measure: str | None) -> float:
    return 1 if measure in NOT_IN_PERCENT else 100


def numbers(cell: str) -> list[float]:
    """All numbers of a cell: `95.1–97.2`, `-0.1 … +2.0` and `87.5 ±1.2` have two, `1,052` one, `–` none."""
    found = re.findall(r"[+-]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?", cell.replace("−", "-"))
    return [float(one.replace(",", "")) for one in found]


def shows(cell: str, *values: float | None, factor: float = 1, places: int = 2) -> bool:
    """Whether a cell has these numbers, times the factor, rounded to so many places; nothing for what is not known."""
    known = [factor * value for value in values if value is not None]
    found = numbers(cell)
    return len(found) == len(known) and all(
        abs(one - value) <= 0.5 * 10**-places + 1e-9 for one, value in zip(found, known, strict=True)
    )


def is_p(cell: str, p: float) -> bool:
    """Whether a cell has this p, to two digits or as a bound."""
    (found,) = numbers(cell)
    return p <= found if cell.startswith("<") else abs(found - p) <= 0.05 * p + 1e-15
