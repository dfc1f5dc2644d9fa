"""A report as Markdown: the verdict, tables, notes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from karat.report.cells import numeric_columns
from karat.result import Best, Code, Report, Table


def report_markdown(report: Report) -> str:
    """The verdict, the tables, the first with the report's caption, and the notes."""
    parts = [_escaped(" ".join(report.verdict)) + "\n"] if report.verdict else []
    parts += [table_markdown(one, report.caption if not number else "") for number, one in enumerate(report.tables)]
    parts += [_escaped(note) + "\n" for note in report.notes]
    return "\n".join(parts)


def table_markdown(table: Table, caption: str = "") -> str:
    """A table under its title, or its caption; notes follow."""
    title = caption or (f"**{_escaped(table.title)}**" if table.title else "")
    lines = [_escaped(title) if caption else title, ""] if title else []
    rule = "|" + "|".join("---:" if right else "---" for right in numeric_columns(table)) + "|"
    lines += [_line(table.columns), rule, *map(_line, table.rows)]
    for note in filter(None, table.notes):
        lines += ["", _escaped(note)]
    return "\n".join(lines) + "\n"


def _line(row: Sequence[object]) -> str:
    return "| " + " | ".join(map(_cell, row)) + " |"


def _cell(cell: object) -> str:
    if isinstance(cell, Code) and cell:
        return _code(cell)
    text = _escaped(str(cell)).replace("\\", "\\\\").replace("|", "\\|").replace("*", "\\*")
    return f"**{text}**" if isinstance(cell, Best) else text


def _code(text: str) -> str:
    """A text as a code span of a table: fenced by more backquotes than it has, as only a pipe can be escaped in it."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text.replace('|', chr(92) + '|')}{space}{fence}"


def _escaped(text: str) -> str:
    """A text without HTML, which Markdown would pass on."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
