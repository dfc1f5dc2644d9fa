"""One table, five ways to write it: text, CSV, TSV, Markdown, LaTeX."""

from __future__ import annotations

import csv
import io
import re
import shutil
import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from karat.errors import visible
from karat.result import Cell, Table

__all__ = ["TABLE_FORMATS", "rendered"]

_NUMBER = re.compile(r"(< )?[+-]?\d[\d.,e+\-–… %±]*")
TABLE_FORMATS = ("text", "csv", "tsv", "markdown", "latex")
_LATEX_ESCAPES = str.maketrans(
    {
        **{mark: f"\\{mark}" for mark in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": "--",
        "…": r"\dots{}",
        "Δ": r"$\Delta$",
        "±": r"$\pm$",
        "→": r"$\to$",
        "≥": r"$\ge$",
        "≤": r"$\le$",
        "<": r"$<$",
        ">": r"$>$",
        "|": r"$|$",
    }
)


def rendered(table: Table, format: str = "text") -> str:
    """The table in one of TABLE_FORMATS, ending in a newline."""
    if format in ("csv", "tsv"):
        return _separated(table, "," if format == "csv" else "\t")
    table = replace(table, columns=[visible(name) for name in table.columns], title=visible(table.title))
    table = replace(table, notes=[visible(note) for note in table.notes])
    cells = [[_shown(cell) for cell in row] for row in table.rows]
    to_right = [_is_numeric([row[column] for row in table.rows]) for column in range(len(table.columns))]
    writer = {"text": _text, "markdown": _markdown, "latex": _latex}[format]
    return writer(table, cells, to_right)


def _shown(cell: Cell) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.2f}"
    return f"{cell:,}" if isinstance(cell, int) else visible(cell)


def _is_numeric(cells: Sequence[Cell]) -> bool:
    return all(cell is None or isinstance(cell, (int, float)) or _NUMBER.fullmatch(cell) for cell in cells)


def _separated(table: Table, delimiter: str) -> str:
    out = io.StringIO()
    if delimiter == "\t":  # no quoting: what would need it is written out instead
        for row in (table.columns, *table.rows):
            out.write("\t".join("" if cell is None else visible(str(cell)) for cell in row) + "\n")
        return out.getvalue()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(
        [
            ["" if cell is None else visible(cell) if isinstance(cell, str) else cell for cell in row]
            for row in table.rows
        ]
    )
    return out.getvalue()


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(mark) in "WF" for mark in text)
    return len(text) + wide - sum(unicodedata.combining(mark) != 0 for mark in text)


def _text(table: Table, cells: Sequence[Sequence[str]], to_right: Sequence[bool]) -> str:
    lines = [table.title, ""] if table.title else []
    every = [list(table.columns), *cells]
    widths = [max(_width(row[column]) for row in every) for column in range(len(table.columns))]
    for row in every:
        padded = []
        for cell, width, right in zip(row, widths, to_right, strict=True):
            space = " " * (width - _width(cell))
            padded.append(space + cell if right else cell + space)
        lines.append("  ".join(padded).rstrip())
    lines.insert(len(lines) - len(cells), "  ".join("─" * width for width in widths))
    if table.notes:
        lines.append("")
        width = min(max(shutil.get_terminal_size((120, 24)).columns, 60), 120)
        for note in table.notes:
            lines += textwrap.wrap(note, width, break_long_words=False, break_on_hyphens=False) or [""]
    return "\n".join(lines) + "\n"


def _markdown(table: Table, cells: Sequence[Sequence[str]], to_right: Sequence[bool]) -> str:
    def line(row: Sequence[str]) -> str:
        return "| " + " | ".join(_escaped(cell).replace("\\", "\\\\").replace("|", "\\|") for cell in row) + " |"

    lines = [f"**{_escaped(table.title)}**", ""] if table.title else []
    rule = "|" + "|".join("---:" if right else "---" for right in to_right) + "|"
    lines += [line(table.columns), rule, *map(line, cells)]
    for note in filter(None, table.notes):
        lines += ["", _escaped(note)]
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    """A text without HTML, which Markdown would pass on."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _latex(table: Table, cells: Sequence[Sequence[str]], to_right: Sequence[bool]) -> str:
    def line(row: Sequence[str]) -> str:
        return "  " + " & ".join(cell.translate(_LATEX_ESCAPES) for cell in row) + r" \\"

    comments = [f"% {text}" for text in (table.title, *table.notes) if text]
    alignment = "".join("r" if right else "l" for right in to_right)
    body = [r"\toprule", line(table.columns), r"\midrule", *map(line, cells), r"\bottomrule"]
    return "\n".join([*comments, rf"\begin{{tabular}}{{{alignment}}}", *body, r"\end{tabular}"]) + "\n"
