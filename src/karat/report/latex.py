"""A report as LaTeX that a paper can have: tables of booktabs with their captions; the verdict as a comment."""

from __future__ import annotations

import re
from collections.abc import Iterable

from karat.report.cells import numeric_columns
from karat.result import Best, Report, Table

_DAGGER = r"$^\dagger$"
_P = re.compile(r"\bp (?=\$<\$|\$\\ge\$|= )")
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
        "†": _DAGGER,
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
    heading = _line(map(_heading, table.columns, alignment))
    body = [r"\toprule", heading, r"\midrule", *(_line(map(_cell, row)) for row in table.rows), r"\bottomrule"]
    tabular = [rf"\begin{{tabular}}{{{alignment}}}", *body, r"\end{tabular}"]
    below = [rf"\caption{{{_P.sub('$p$ ', _escaped(caption))}}}"] if caption else []
    below += [rf"\label{{{_plain(label)}}}"] if label else []
    return "\n".join([r"\begin{table}", r"\centering", *tabular, *below, r"\end{table}"]) + "\n"


def _line(cells: Iterable[str]) -> str:
    return "  " + " & ".join(cells) + r" \\"


def _heading(name: str, alignment: str) -> str:
    """A heading; one of two long words in two lines, or a table of them is wider than a page."""
    words = _escaped(name).split()
    return (
        rf"\shortstack[{alignment}]{{{words[0]}\\{words[1]}}}"
        if len(words) == 2 and len(name) > 10
        else " ".join(words)
    )


def _cell(cell: object) -> str:
    """A cell; a mark takes no room, so that digits stay in line."""
    text = _escaped(str(cell))
    if text.endswith(_DAGGER):
        text = rf"{text.removesuffix(_DAGGER)}\rlap{{{_DAGGER}}}"
    return rf"\textbf{{{text}}}" if isinstance(cell, Best) else text


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _plain(label: str) -> str:
    """A label without what LaTeX would take for a command."""
    return "".join(mark for mark in label if mark not in "\\{}%#$&~^")
