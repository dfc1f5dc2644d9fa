"""A report as text for a terminal: the verdict, tables that fit its width, notes."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from karat.report.cells import numeric_columns
from karat.report.columns import chosen
from karat.report.wrapping import wrapped_lines
from karat.result import Best, Report, Table

_GAP = 2
_SHORTEST_NAME = 12  # to which names and headings are cut
_SHORTEST_TEXT = 16  # to which other cells are cut
_WIDEST_PROSE = 100
_BEST = "*"


@dataclass(frozen=True, slots=True)
class Style:
    """How wide text is, and whether the terminal can show bold and colours."""

    width: int = 80
    is_bold: bool = False
    details: bool = False  # columns that do not fit follow in a table of their own

    def bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self.is_bold and text else text

    def best(self, text: str) -> str:
        """A best value: bold and magenta, readable on black and on white, beside its mark, which needs neither."""
        return f"\x1b[1;35m{text}\x1b[0m" if self.is_bold and text else text


def report_text(report: Report, style: Style) -> str:
    """The verdict, the tables and the notes, with blank lines between."""
    parts = []
    if report.verdict:
        parts.append("".join(_wrapped(one, style, bold=True) for one in report.verdict))
    parts += [table_text(one, style) for one in report.tables]
    if report.notes:
        parts.append("".join(_wrapped(one, style) for one in report.notes))
    return "\n".join(parts)


def table_text(table: Table, style: Style) -> str:
    """A table that fits: without columns that are optional, in several parts, or with names cut short."""
    lines = [*_wrapped(table.title, style, bold=True).splitlines(), ""] if table.title else []
    fitting, dropped = _without_optional(table, style.width)
    parts = _parts(fitting, style.width)
    if dropped and style.details:
        parts += _parts(dropped, style.width)
    for number, part in enumerate(parts):
        lines += ["", *_lines(part, style)] if number else _lines(part, style)
    if table.notes:
        lines += ["", *"".join(_wrapped(note, style) for note in table.notes).splitlines()]
    return "\n".join(lines) + "\n"


def _wrapped(text: str, style: Style, *, bold: bool = False) -> str:
    width = min(style.width, _WIDEST_PROSE)
    lines = wrapped_lines(text, width)
    return "".join((style.bold(line) if bold else line) + "\n" for line in lines)


# ---- fitting ---------------------------------------------------------------------------------------------------------


def _without_optional(table: Table, width: int) -> tuple[Table, Table | None]:
    """The table without as many of its optional columns as it takes to fit; and those, beside the keys."""
    left_out: list[str] = []
    found = table
    for name in table.optional:
        if _needed(found) <= width:
            break
        left_out.append(name)
        found = chosen(table, [place for place, one in enumerate(table.columns) if one not in left_out])
    if not left_out:
        return found, None
    keys = range(table.n_keys)
    return found, chosen(table, [*keys, *(place for place, one in enumerate(table.columns) if one in left_out)])


def _needed(table: Table, shortest: bool = False) -> int:
    return _total(_shortest(table) if shortest else _widths(table))


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _parts(table: Table, width: int) -> list[Table]:
    """The table with texts cut as far as need be, or in parts, each with the keys."""
    keys = list(range(table.n_keys))
    if _needed(table, shortest=True) <= width or len(table.columns) <= len(keys) + 1:
        return [_cut(table, width)]
    places, found = keys, []
    for place in range(len(keys), len(table.columns)):
        if len(places) > len(keys) and _needed(chosen(table, [*places, place]), shortest=True) > width:
            found.append(places)
            places = keys
        places = [*places, place]
    return [_cut(chosen(table, one), width) for one in (*found, places)]


def _widths(table: Table) -> list[int]:
    cells, marks = _cell_widths(table), _marks(table)
    headings = map(_heading_width, table.columns)
    return [max(both) + mark for *both, mark in zip(cells, headings, marks, strict=True)]


def _cell_widths(table: Table) -> list[int]:
    """How wide the cells of each column are, without its heading."""
    return [max((_width(str(row[place])) for row in table.rows), default=0) for place in range(len(table.columns))]


def _heading_width(heading: str) -> int:
    return max(map(_width, heading.split("\n")))


def _marks(table: Table) -> list[bool]:
    """The columns in which a mark stands after the best."""
    return [any(isinstance(row[place], Best) for row in table.rows) for place in range(len(table.columns))]


def _shortest(table: Table) -> list[int]:
    """How wide the columns are at least: numbers are never cut, names and other texts are."""
    found = []
    numeric, cells = numeric_columns(table), _cell_widths(table)
    for place, (name, width) in enumerate(zip(table.columns, _widths(table), strict=True)):
        if name.replace("\n", " ") in table.whole:
            found.append(width)
        elif numeric[place]:
            found.append(min(width, max(cells[place] + 1, min(_heading_width(_broken(name)), _SHORTEST_NAME))))
        else:
            found.append(min(width, _SHORTEST_TEXT if place else _SHORTEST_NAME))
    return found


def _cut(table: Table, width: int) -> Table:
    """The table with its widest headings in two lines, then its widest texts cut, until it fits or nothing is left."""
    table = _with_headings_broken(table, width)
    widths, least, marks = _widths(table), _shortest(table), _marks(table)
    while (excess := _total(widths) - width) > 0:
        place = max(range(len(widths)), key=lambda one: (widths[one] - least[one], one))
        if widths[place] <= least[place]:
            break
        widths[place] = max(least[place], widths[place] - excess)
    most = [width - mark for width, mark in zip(widths, marks, strict=True)]
    columns = [
        "\n".join(_shortened(line, width, in_the_middle=True) for line in name.split("\n"))
        for name, width in zip(table.columns, most, strict=True)
    ]
    rows = [
        [
            cell if isinstance(cell, Best) else _shortened(str(cell), most[place], in_the_middle=place == 0)
            for place, cell in enumerate(row)
        ]
        for row in table.rows
    ]
    return replace(table, columns=columns, rows=rows)


def _with_headings_broken(table: Table, width: int) -> Table:
    """The table with headings in two lines, those first that gain most by it, until it fits."""
    while _needed(table) > width:
        before = _widths(table)
        columns = [*table.columns]
        broken = [
            replace(table, columns=[*columns[:place], _broken(name), *columns[place + 1 :]])
            for place, name in enumerate(columns)
        ]
        gains = [before[place] - _widths(one)[place] for place, one in enumerate(broken)]
        if not any(gains):
            break
        table = broken[gains.index(max(gains))]
    return table


def _broken(heading: str) -> str:
    """A heading in two lines as alike as can be, if it has a blank."""
    words = heading.split(" ")
    ways = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
    ways = [both for both in ways if all(map(str.strip, both))]
    return min(map("\n".join, ways), key=_heading_width) if ways and "\n" not in heading else heading


def _shortened(text: str, most: int, *, in_the_middle: bool) -> str:
    """A text of at most so many columns; a name keeps its end, which tells it from others."""
    if _width(text) <= most:
        return text
    if in_the_middle:
        head = (most - 1) // 2
        return f"{_of_width(text, head)}…{_of_width(text[::-1], most - 1 - head)[::-1]}"
    return f"{_of_width(text, most - 1)}…"


def _of_width(text: str, most: int) -> str:
    text = text[: 4 * most]  # with three combining marks on every letter; a text may be very long
    while _width(text) > most:
        text = text[:-1]
    return text


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(mark) in "WF" for mark in text)
    return len(text) + wide - sum(unicodedata.combining(mark) != 0 for mark in text)


# ---- lines -----------------------------------------------------------------------------------------------------------


def _lines(table: Table, style: Style) -> list[str]:
    """The heading, a rule and the rows; numbers to the right, the best of them with a mark."""
    numeric, marked, widths = numeric_columns(table), _marks(table), _widths(table)

    def line(row: Sequence[object]) -> str:
        padded = []
        for place, cell in enumerate(row):
            is_best = isinstance(cell, Best)
            text = f"{cell}{_BEST if is_best else ' ' * (marked[place] and numeric[place])}"
            space = " " * (widths[place] - _width(text))
            text = style.best(text) if is_best else text
            padded.append(space + text if numeric[place] else text + space)
        return (" " * _GAP).join(padded).rstrip()

    rule = (" " * _GAP).join("─" * width for width in widths)
    return [*map(line, _heading_lines(table.columns)), rule, *map(line, table.rows)]


def _heading_lines(headings: Sequence[str]) -> list[list[str]]:
    """The lines of headings; those of one line stand in the last."""
    broken = [heading.split("\n") for heading in headings]
    high = max(map(len, broken))
    return [[([""] * (high - len(one)) + one)[number] for one in broken] for number in range(high)]
