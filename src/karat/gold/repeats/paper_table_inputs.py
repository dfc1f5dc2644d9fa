"""The paper's tables of repeats from files and treebanks' folders: which part of which is read for which table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal

from karat.corpus import Corpus, PathLike
from karat.errors import DataError, Problem, UsageError
from karat.gold.repeats.paper_tables import (
    TABLE_8_COUNTS,
    TableRow,
    table_4,
    table_5,
    table_6,
    table_8,
)
from karat.gold.treebank_folders import Readable, named, read_all, treebank_parts, treebank_whole
from karat.result import Result, Table
from karat.signature import signature

SCHEMA = "karat/repeats-table/1"
TABLES = (4, 5, 6, 8)


@dataclass(frozen=True, slots=True, repr=False)
class RepeatTable(Result):
    """A table of Wisniewski & Yvon 2019, by the readings that reproduce it or, if `is_literal`, by its text."""

    table: int
    rows: tuple[TableRow, ...]
    is_literal: bool
    formats: tuple[tuple[str, str], ...]
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """The table as plain data, in the schema karat/repeats-table/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "table": self.table,
            "preset": "literal" if self.is_literal else "paper",
            "rows": [row.to_dict() for row in self.rows],
        }

    def records(self) -> Table:
        """One row for each of the table, the paper's numbers behind."""
        rows = []
        for row in self.to_dict()["rows"]:
            paper = row.pop("paper")
            row |= {f"paper_{key}": value for key, value in paper.items()} if isinstance(paper, dict) else {}
            rows.append(row | ({"paper": paper} if self.table == 6 else {}))
        columns = list(dict.fromkeys(name for row in rows for name in row))
        return Table(columns, [[row.get(name) for name in columns] for row in rows])


def repeat_table(
    table: int,
    corpora: Mapping[str, Readable] | Sequence[PathLike],
    *,
    between: bool = False,
    column: str = "upos",
    preset: Literal["paper", "literal"] = "paper",
    input: str | None = None,
    progress: Callable[[float], None] | None = None,
) -> RepeatTable:
    """One of the paper's tables for other corpora, or the same.

    Table 5 takes each corpus whole, of folders train, dev and test part together. Tables 6 and 8 take the train parts
    of folders with the test parts of all; Table 4, or `between`, the first corpus as train set and the other ones as
    test sets, of folders these parts. Table 8 adds up all pairs. With the preset `paper`, repeats are read in the ways
    that give the paper's numbers, with `literal` as its text defines them.
    """
    by_name = named(corpora)
    if table not in TABLES:
        raise UsageError(f"no table {table}; choose from {', '.join(map(str, TABLES))}")
    if preset not in ("paper", "literal"):
        raise UsageError(f"unknown preset {preset!r}; choose paper or literal")
    if table == 5 and between:
        raise UsageError("table 5 is about single corpora, not about repeats between them")
    wanted = {(name, "whole"): treebank_whole(one) for name, one in by_name.items()} if table == 5 else None
    wanted = _parts(by_name, between or table == 4) if wanted is None else wanted
    if table == 4 and len(by_name) != 2:
        raise UsageError("table 4 needs two corpora: a train set and a test set")
    found = dict(zip(wanted, read_all(list(wanted.values()), input=input, tag=column), strict=True))
    _refuse_no_labels(list(found.values()), column)
    trains = [(name, corpus) for (name, part), corpus in found.items() if part == "train"]
    tests = [(name, corpus) for (name, part), corpus in found.items() if part == "test"]
    if table != 5 and not (trains and tests):
        raise UsageError(
            "a train set and a test set are needed: give folders that have both, or two corpora with `between=True`"
        )
    literal = preset == "literal"
    rows = _rows(table, found, trains, tests, column, literal, progress)
    inputs = [
        ("corpus" if part == "whole" else part, one.path, one.source.sha256()) for (_, part), one in found.items()
    ]
    settings = [("table", str(table)), ("of", column), ("preset", preset)]
    formats = tuple((corpus.path, corpus.format) for corpus in found.values())
    return RepeatTable(table, tuple(rows), literal, formats, signature("repeats", settings, inputs))


def _parts(by_name: Mapping[str, Readable], is_pair: bool) -> dict[tuple[str, str], Readable]:
    """The train and test parts of folders; of a pair, the train set of the first and the test sets of the others."""
    wanted: dict[tuple[str, str], Readable] = {}
    for number, (name, one) in enumerate(by_name.items()):
        role = "test" if number else "train"
        parts = treebank_parts(one, (role,) if is_pair else ("train", "test"))
        if "file" in parts and not is_pair:
            read_all([one])  # a file that is not there, or is broken, is reported as such
            raise UsageError(f"{name} is a file, not a treebank's folder: for two files, use `between=True`")
        wanted |= {(name, role if part == "file" else part): files for part, files in parts.items()}
    return wanted


def _refuse_no_labels(corpora: Sequence[Corpus], column: str) -> None:
    hint = "give the column to compare"
    problems = [
        Problem("K501", f"{column.upper()} is needed, and the file does not have it", corpus.path, hint=hint)
        for corpus in corpora
        if not corpus.has(column)
    ]
    if problems:
        raise DataError(problems)


def _rows(
    table: int,
    found: Mapping[tuple[str, str], Corpus],
    trains: Sequence[tuple[str, Corpus]],
    tests: Sequence[tuple[str, Corpus]],
    column: str,
    literal: bool,
    progress: Callable[[float], None] | None,
) -> Sequence[TableRow]:
    """The rows, made one after the other, with word of how far it is."""
    if table == 4:
        return table_4(trains[0][1], tests[0][1], of=column, literal=literal)
    if table == 8:
        summed = table_8([], of=column, literal=literal)
        for n_done, (one, other) in enumerate(product(trains, tests), start=1):
            more = table_8([(one[1], other[1])], of=column, literal=literal)
            summed = tuple(
                replace(row, **{name: getattr(row, name) + getattr(its, name) for name in TABLE_8_COUNTS})
                for row, its in zip(summed, more, strict=True)
            )
            _tell(progress, n_done, len(trains) * len(tests))
        return summed
    rows: list[TableRow] = []
    if table == 5:
        for (name, _), corpus in found.items():
            rows += table_5([corpus], [name], of=column, literal=literal)
            _tell(progress, len(rows), len(found))
        return rows
    for train, test in product(trains, tests):
        rows += table_6([train], [test], of=column, literal=literal)
        _tell(progress, len(rows), len(trains) * len(tests))
    return rows


def _tell(progress: Callable[[float], None] | None, n_done: int, n: int) -> None:
    if progress:
        progress(n_done / n)
