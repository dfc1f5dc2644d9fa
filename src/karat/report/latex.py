"""A report as LaTeX that a paper can have: tables of booktabs with their captions; the verdict as a comment."""

from __future__ import annotations

from collections.abc import Sequence

from karat.report.cells import numeric_columns
from karat.result import Best, Report, Table

_ESCAPES = str.maketrans(
    {
        **{mark: f"\\{mark}" for mark in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": "--",
        "−": "$-$",
        "…": r"\dots{}",
        "Δ": r"$\Delta$",
        "±": r"$\pm$",
        "→": r"$\to$",
        "≥": r"$\ge$",
        "≤": r"$\le$",
        "×": r"$\times$",
        "†": r"$^\dagger$",
        "‡": r"$^\ddagger$",
        "<": r"$<$",
        ">": r"$>$",
        "|": r"$|$",
        "\N{NO-BREAK SPACE}": "~",
    }
)


def report_latex(report: Report) -> str:
    """The tables, the first with the report's caption; verdict and notes as comments."""
    parts = ["".join(f"% {line}\n" for line in report.verdict)] if report.verdict else []
    for number, one in enumerate(report.tables):
        caption, label = (report.caption, report.label) if not number else ("", "")
        parts.append(table_latex(one, caption, label))
    parts += ["".join(f"% {note}\n" for note in report.notes)] if report.notes else []
    return "\n".join(parts)


def table_latex(table: Table, caption: str = "", label: str = "") -> str:
    r"""A floating table; it needs \usepackage{booktabs}."""
    caption = caption or " ".join(_sentence(text) for text in (table.title, *table.notes) if text)
    alignment = "".join("r" if right else "l" for right in numeric_columns(table))
    head = [r"\begin{table}", r"\centering"]
    head += [rf"\caption{{{_escaped(caption)}}}"] if caption else []
    head += [rf"\label{{{_plain(label)}}}"] if label else []
    body = [r"\toprule", _line(table.columns), r"\midrule", *map(_line, table.rows), r"\bottomrule"]
    tabular = [rf"\begin{{tabular}}{{{alignment}}}", *body, r"\end{tabular}"]
    return "\n".join([*head, *tabular, r"\end{table}"]) + "\n"


def _line(row: Sequence[object]) -> str:
    return "  " + " & ".join(map(_cell, row)) + r" \\"


def _cell(cell: object) -> str:
    text = _escaped(str(cell))
    return rf"\textbf{{{text}}}" if isinstance(cell, Best) else text


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _plain(label: str) -> str:
    """A label without what LaTeX would take for a command."""
    return "".join(mark for mark in label if mark not in "\\{}%#$&~^")
