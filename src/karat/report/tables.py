"""One report, three ways to write it: text, Markdown, LaTeX; and records as CSV or TSV."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from karat.corpus.spreadsheet_tables import FORMULA
from karat.errors import visible
from karat.report.cells import is_number, shown_table
from karat.report.latex import report_latex
from karat.report.markdown import report_markdown
from karat.report.text import Style, report_text
from karat.result import Cell, Report, Table


def written(report: Report, format: str = "text", style: Style | None = None) -> str:
    """The report as text, Markdown or LaTeX, ending in a newline."""
    report = replace(
        report,
        verdict=[visible(one) for one in report.verdict],
        tables=[shown_table(table) for table in report.tables],
        notes=[visible(one) for one in report.notes],
        caption=visible(report.caption),
    )
    if format == "text":
        return report_text(report, style or Style())
    return report_markdown(report) if format == "markdown" else report_latex(report)


def separated(table: Table, format: str) -> str:
    """A table as CSV or TSV, without its title and notes."""
    if format == "tsv":  # no quoting: what would need it is written out instead
        rows = (["" if cell is None else visible(str(cell)) for cell in row] for row in (table.columns, *table.rows))
        return "".join("\t".join(row) + "\n" for row in rows)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows([[guarded(cell) for cell in row] for row in table.rows])
    return out.getvalue()


def guarded(cell: Cell) -> Cell:
    """A cell for spreadsheets; text that these would compute as a formula, as `-LRB-`, has an apostrophe before it."""
    if cell is None or not isinstance(cell, str):
        return "" if cell is None else cell
    text = visible(cell)
    return f"'{text}" if FORMULA.match(text) and not is_number(text) else text
