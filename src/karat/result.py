"""What verbs return: plain data, tidy rows, and a view for notebooks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from karat.errors import UsageError

if TYPE_CHECKING:
    import pandas

Cell = str | int | float | None


class Best(str):
    """A cell that holds the best value of its kind: marked, and bold where bold can be had."""

    __slots__ = ()


class Code(str):
    """A cell that people copy as it is, such as a command: set as code where that can be had."""

    __slots__ = ()


_SURROGATE = "[\ud800-\udfff]"  # what a file name that is not UTF-8 becomes in Python
_MOST_ROWS = 50  # of a table in a notebook
_LONGEST_SHOWN = 120  # of a signature, in characters


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under named columns. Numbers, also written out as text, and None (shown as –) are set to the right.

    `optional` are the columns that a narrow terminal does without, the first to go first; `whole` those whose cells are
    never cut, because people copy them. The first `n_keys` columns say what a row is about: they are repeated where a
    table does not fit and is split.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    notes: Sequence[str] = ()
    optional: Sequence[str] = ()
    whole: Sequence[str] = ()
    n_keys: int = 1


@dataclass(frozen=True, slots=True)
class Report:
    """What a person reads: the verdict in a sentence or two, then tables, the one that matters first, and a few notes.

    `caption` is that of the first table in a paper, `label` what LaTeX calls it.
    """

    verdict: Sequence[str]
    tables: Sequence[Table]
    notes: Sequence[str] = ()
    caption: str = ""
    label: str = ""


class Result(ABC):
    """What a verb returns."""

    __slots__ = ()

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The result as plain data: what `--json` prints."""

    @abstractmethod
    def records(self) -> Table:
        """The result as tidy rows of plain numbers, one for each system and measure: what `--format csv` prints."""

    def to_dataframe(self) -> pandas.DataFrame:
        """The tidy rows as a data frame; a `UsageError` where pandas is not installed."""
        try:
            import pandas
        except ImportError:
            raise UsageError("to_dataframe needs pandas: pip install pandas") from None
        records = self.records()
        return pandas.DataFrame([list(row) for row in records.rows], columns=list(records.columns))

    def view(self) -> Table:
        """The table that a notebook shows: what matters most, in words and rounded numbers."""
        return self.records()

    def __repr__(self) -> str:
        signed = str(getattr(self, "signature", ""))
        shown = signed if len(signed) <= _LONGEST_SHOWN else f"{signed[: _LONGEST_SHOWN - 1]}…"
        return f"<{type(self).__name__}{': ' if signed else ''}{shown}>"

    def _repr_html_(self) -> str:
        return html_table(self.view(), getattr(self, "signature", ""))


def plain(value: Any) -> Any:
    """A value as plain data: by its own `to_dict`, a dataclass by its fields; in lists and dicts, all that is in it."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if is_dataclass(value):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {name: plain(one) for name, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def attributes(of: object, names: str) -> dict[str, Any]:
    """The attributes of these names, with spaces between, as plain data."""
    return {name: plain(getattr(of, name)) for name in names.split()}


def html_table(table: Table, signature: str = "") -> str:
    """A table as HTML, everything escaped; of long ones the first rows."""
    from html import escape

    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    rows = ["".join(f"<td>{escape(_shown(cell))}</td>" for cell in row) for row in table.rows[:_MOST_ROWS]]
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    notes = [*table.notes]
    if len(table.rows) > _MOST_ROWS:
        notes.append(f"{len(table.rows) - _MOST_ROWS:,} more rows")
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    below = "".join(f"<br><small>{escape(note)}</small>" for note in notes if note)
    signed = f"<br><small><code>{escape(signature)}</code></small>" if signature else ""
    return f"<table>{caption}<tr>{head}</tr>{body}</table>{below}{signed}"


def _shown(cell: Cell) -> str:
    if cell is None:
        return "–"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)


def json_text(data: Mapping[str, Any]) -> str:
    """JSON as it is printed: readable, without NaN."""
    import json

    return without_surrogates(json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False)) + "\n"


def without_surrogates(text: str) -> str:
    """JSON with half characters, of file names that are not UTF-8, written out, so that it can be encoded."""
    import re

    return re.sub(_SURROGATE, lambda match: f"\\u{ord(match[0]):04x}", text)
