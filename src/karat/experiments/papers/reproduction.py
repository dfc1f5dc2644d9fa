"""What a paper's experiments gave when they were run again: each printed number beside ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from karat.errors import KaratError, UsageError
from karat.experiments.run import Failure
from karat.result import Cell, Result, Table

if TYPE_CHECKING:
    from karat.experiments.grid import Watch
    from karat.inference.options import InferenceOptions

SCHEMA = "karat/paper-experiment/1"
Unit = Literal["share", "count", "correlation"]


@dataclass(frozen=True, slots=True)
class PaperNumber:
    """A number that a paper prints, and ours.

    `part` is the paper's table, figure or section. `same_data` says whether ours is of the very files that the print is
    about; where it is False, the print is of more data (as of all languages) and the two need not agree.
    """

    part: str
    of: str
    unit: Unit
    value: float | None
    lower: float | None
    upper: float | None
    paper: float
    same_data: bool

    @property
    def difference(self) -> float | None:
        return None if self.value is None else self.value - self.paper

    def to_dict(self) -> dict[str, Any]:
        """The number as plain data."""
        return {one.name: getattr(self, one.name) for one in fields(self)} | {"difference": self.difference}


@dataclass(frozen=True, eq=False, repr=False)
class PaperTable(Result):
    """A table of an experiment: what it says in sentences, and its rows.

    The title of a table without a name says all that it is about. In those of its columns that are `shares`, numbers
    are between 0 and 1 and shown in %, with so many `places` behind the point. `is_short` says that the table is shown
    without being asked for, `optional` are columns that a narrow terminal does without.
    """

    name: str
    title: str
    verdict: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    shares: tuple[str, ...] = ()
    is_short: bool = False
    places: int = 2
    optional: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The table as plain data, in the schema karat/paper-table/1."""
        return {
            "schema": "karat/paper-table/1",
            "table": self.name,
            "title": self.title,
            "verdict": list(self.verdict),
            "rows": [dict(zip(self.columns, row, strict=True)) for row in self.rows],
            "notes": list(self.notes),
        }

    def records(self) -> Table:
        """The rows, as they are."""
        return Table(self.columns, self.rows, self.title, self.notes)

    def shown(self) -> Table:
        """The rows for people, shares in %."""
        is_share = [name in self.shares for name in self.columns]
        rows = [
            [
                f"{100 * cell:.{self.places}f}".replace("-", "−") if of and isinstance(cell, float) else cell
                for of, cell in zip(is_share, row, strict=True)
            ]
            for row in self.rows
        ]
        return Table(self.columns, rows, self.title, self.notes, self.optional)


@dataclass(frozen=True, slots=True, eq=False)
class PaperPart:
    """A table, figure or section of a paper: its numbers, and the results that these are taken from.

    `name` is short and fit for a file's name.
    """

    name: str
    title: str
    numbers: tuple[PaperNumber, ...]
    results: tuple[tuple[str, Result], ...] = ()

    def compared(self) -> list[PaperNumber]:
        """The numbers on the same data."""
        return [one for one in self.numbers if one.same_data and one.value is not None]


@dataclass(frozen=True, slots=True)
class NotRun:
    """What of a paper could not be run, and why."""

    what: str
    why: str


@dataclass(frozen=True, eq=False, repr=False)
class Reproduction(Result):
    """A paper's experiments, run again on what data was there.

    `n_run`, `n_kept` and `n_failed` are the cells of its grids. What could not be run is in `not_run`. `verdict` says
    what came out, where that is more than how near numbers are; `printed_over` what data the paper has that ours lack.
    """

    paper: str
    title: str
    folder: str
    parts: tuple[PaperPart, ...]
    not_run: tuple[NotRun, ...]
    n_run: int
    n_kept: int
    n_failed: int
    signature: str
    level: float = 0.95
    verdict: tuple[str, ...] = ()
    printed_over: str = "more treebanks or languages"

    @cached_property
    def numbers(self) -> tuple[PaperNumber, ...]:
        """All numbers that the paper prints and that could be computed, in the order of the paper."""
        return tuple(one for part in self.parts for one in part.numbers)

    def to_dict(self) -> dict[str, Any]:
        """The reproduction as plain data, in the schema karat/paper-experiment/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "paper": self.paper,
            "title": self.title,
            "folder": self.folder,
            "level": self.level,
            "run": self.n_run,
            "kept": self.n_kept,
            "failed": self.n_failed,
            "parts": [
                {
                    "name": one.name,
                    "title": one.title,
                    "numbers": [number.to_dict() for number in one.numbers],
                    "tables": [table.to_dict() for _, table in one.results if isinstance(table, PaperTable)],
                }
                for one in self.parts
            ],
            "verdict": list(self.verdict),
            "not_run": [{"what": one.what, "why": one.why} for one in self.not_run],
        }

    def records(self) -> Table:
        """One row for each printed number."""
        columns = [*(one.name for one in fields(PaperNumber)), "difference"]
        rows: list[Sequence[Cell]] = [[one.to_dict()[name] for name in columns] for one in self.numbers]
        return Table(columns, rows)


@dataclass(frozen=True, slots=True)
class ExperimentRun:
    """How an experiment is run: with which seeds, by how many processes or which cluster, and who watches."""

    seeds: tuple[int, ...]
    jobs: int
    scheduler: str | None
    inference: InferenceOptions
    watch: Watch | None

    @property
    def of_grid(self) -> dict[str, Any]:
        """What `karat.grid` is to know of it."""
        return {name: getattr(self, name) for name in ("jobs", "scheduler", "inference", "watch")}

    def check_is_local(self, paper: str) -> None:
        """A `UsageError` if a cluster is to run what only runs on this machine."""
        if self.scheduler is not None:
            raise UsageError(f"{paper} runs on this machine only: use `jobs`")


_Work = TypeVar("_Work")


def made_parts(
    makers: Mapping[str, Callable[[_Work], Iterator[PaperPart]]], work: _Work
) -> tuple[list[PaperPart], list[NotRun]]:
    """All parts of a paper, made one after the other; those that the data does not allow, with the reason."""
    parts: list[PaperPart] = []
    refused: list[NotRun] = []
    for name, make in makers.items():
        try:
            parts += make(work)
        except KaratError as error:
            refused.append(NotRun(name, str(error)))
    return parts, refused


def failed_cells(failures: Iterable[Failure]) -> list[NotRun]:
    """The cells of grids that failed, by what went wrong."""
    systems: dict[str, list[str]] = {}
    for one in failures:
        systems.setdefault(one.error, []).append(one.condition.system)
    return [
        NotRun(f"{len(names)} run{'s' * (len(names) != 1)}: {', '.join(dict.fromkeys(names))}", error)
        for error, names in systems.items()
    ]
