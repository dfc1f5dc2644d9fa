"""The numbers that papers print, each with ours beside it: whether they agree, and if not, why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeVar, get_args

from karat.errors import KaratError
from karat.experiments.papers.reproduction import NotRun, Reproduction
from karat.result import Cell, Result, Table

SCHEMA = "karat/reproduce/2"

# What is known of a number before anything is computed, shipped with karat:
#   equal         ours must agree
#   misprint      ours follows from the paper's own numbers or definitions, the print does not; `why` shows it
#   unexplained   ours is of the paper's own files, and is not what is printed; nobody knows why
#   other data    ours is of other texts or systems, and need not agree; `why` says which
#   not runnable  what it is about is not to be had here; `why` says what is missing
#   given         the paper's own setting or input, which karat takes as it is
Status = Literal["equal", "misprint", "unexplained", "other data", "not runnable", "given"]
STATUSES: tuple[Status, ...] = ("equal", "misprint", "unexplained", "other data", "not runnable", "given")
# What ours is computed from: the paper's own numbers, data without training, or the paper's experiment
Needs = Literal["nothing", "data", "training"]
Relation = Literal["equal", "below", "above", "at most", "at least", "about"]
# What has come of a number in one run
State = Literal["agrees", "differs", "misprint", "unexplained", "other data", "not runnable", "given", "not computed"]

_NUMBER = re.compile(r"[-−+]?(?:\d[\d,]*)?(?:\.\d+)?(?=\D*$)")
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class PublishedNumber:
    """A number that a paper prints, and ours in the same unit.

    `where` is the paper's table, figure or section, `of` what the number is of, `printed` the number as printed (the
    last number in this text is its value: "91.35", "71.5 %", "more than 23,500", "1/3"; of a formula, a number in words
    or a claim it is that of `worked`: what the formula gives by hand for a case that `why` names, the number that words
    mean, or what a claim compares with). `relation` says how ours relates to it: where it is
    equal, ours must round to what is printed, or be within `tolerance` of it; where it is about the print, within
    `tolerance`.
    `command` is the karat command that gives ours; DIR stands for the folder with the data.
    """

    where: str
    of: str
    printed: str
    status: Status = "equal"
    ours: float | None = None
    why: str = ""
    command: str = ""
    needs: Needs = "nothing"
    relation: Relation = "equal"
    tolerance: float | None = None
    worked: str = ""

    @property
    def compared(self) -> str:
        """The text whose number ours stands beside."""
        return self.worked or self.printed

    @property
    def value(self) -> float | None:
        """The printed number as a number; None where it is none."""
        return printed_value(self.compared)

    @property
    def difference(self) -> float | None:
        """Ours − printed."""
        return None if self.ours is None or self.value is None else self.ours - self.value

    @property
    def agrees(self) -> bool | None:
        """Whether ours is what is printed, as `relation` says; None without ours."""
        if self.ours is None or self.value is None:
            return None
        ours, value = self.ours, self.value
        if self.relation in ("equal", "about"):
            allowed = _half_of_last_place(self.compared) if self.tolerance is None else self.tolerance
            return abs(ours - value) <= allowed + _ROUNDING
        return {
            "below": ours < value,
            "above": ours > value,
            "at most": ours <= value,
            "at least": ours >= value,
        }[self.relation]

    @property
    def state(self) -> State:
        """What has come of it."""
        if self.status in ("not runnable", "given"):
            return self.status
        if self.ours is None:
            return "not computed"
        if self.status == "equal":
            return "agrees" if self.agrees else "differs"
        return self.status

    def to_dict(self) -> dict[str, Any]:
        """The number as plain data."""
        names = "where of printed worked value ours difference agrees status state why needs relation command"
        return {name: getattr(self, name) for name in names.split()}


def printed_value(printed: str) -> float | None:
    """The number that a text ends in.

    >>> [printed_value(one) for one in ("91.35", "71.5 %", "more than 23,500", ".893", "1/3", "−0.5", "none")]
    [91.35, 71.5, 23500.0, 0.893, 0.3333333333333333, -0.5, None]
    """
    fraction = re.search(r"(\d+)/(\d+)\D*$", printed)
    if fraction:
        return int(fraction[1]) / int(fraction[2])
    found = _digits(printed)
    return float(found.replace(",", "").replace("−", "-")) if found else None


def _digits(printed: str) -> str:
    return next((one for one in _NUMBER.findall(printed) if re.search(r"\d", one)), "")


def _half_of_last_place(printed: str) -> float:
    """How far a number may be from a printed one that it rounds to.

    >>> [_half_of_last_place(one) for one in ("91.35", "5", "1/3")]
    [0.005, 0.5, 0.0]
    """
    if re.search(r"\d+/\d+\D*$", printed):
        return 0.0
    places = len(_digits(printed).partition(".")[2])
    return float(f"5e-{places + 1}")


_Found = TypeVar("_Found")


@dataclass(frozen=True, eq=False, repr=False)
class TagTree(Result):
    """A tree of tags, as parents and children: a figure of a paper."""

    edges: tuple[tuple[str, str], ...]

    def to_dict(self) -> dict[str, Any]:
        """The tree as plain data."""
        return {"schema": "karat/tag-tree/1", "edges": [list(one) for one in self.edges]}

    def records(self) -> Table:
        """One row for each edge."""
        return Table(["parent", "child"], self.edges)


@dataclass(frozen=True, slots=True, eq=False)
class PaperFigure:
    """A figure of a paper: the result that it is drawn from again."""

    name: str
    title: str
    result: Result

    def to_dict(self) -> dict[str, Any]:
        """The figure as plain data."""
        return {"name": self.name, "title": self.title, "result": self.result.to_dict()}


@dataclass(eq=False)
class PaperEvidence:
    """What ours can be computed from: a folder with data or none, the paper's experiment if it was run.

    Modules of papers note here what could not be had (`missing`), which files were read (`inputs`: role, name, SHA-256)
    and what the paper's figures are drawn from (`figures`).
    """

    data: str | None = None
    experiment: Reproduction | None = None
    missing: list[NotRun] = field(default_factory=list)
    inputs: list[tuple[str, str, str]] = field(default_factory=list)
    figures: list[PaperFigure] = field(default_factory=list)

    @cached_property
    def _of_experiment(self) -> Mapping[tuple[str, str], float | None]:
        numbers = self.experiment.numbers if self.experiment is not None else ()
        return {(one.part, one.of): one.value for one in numbers}

    def number(self, part: str, of: str, *, times: float = 1.0) -> float | None:
        """A number of the experiment, multiplied; None if it was not run or does not have it."""
        found = self._of_experiment.get((part, of))
        return None if found is None else found * times

    def found(self, what: str, compute: Callable[[str], _Found]) -> _Found | None:
        """What a function makes of the folder with data; None without one, or where it is refused, with the reason."""
        if self.data is None:
            return None
        try:
            return compute(self.data)
        except KaratError as error:
            self.missing.append(NotRun(what, str(error)))
            return None


@dataclass(frozen=True, eq=False, repr=False)
class PaperNumbers(Result):
    """All numbers that a paper prints, in its order, with ours; and its experiment, if it was run."""

    paper: str
    title: str
    rows: tuple[PublishedNumber, ...]
    missing: tuple[NotRun, ...] = ()
    figures: tuple[PaperFigure, ...] = ()
    experiment: Reproduction | None = None

    def counts(self) -> dict[State, int]:
        """How many numbers are in each state."""
        return state_counts(self.rows)

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain data, as they are in the schema karat/reproduce/2."""
        return {
            "paper": self.paper,
            "title": self.title,
            "counts": _counts_dict(self.counts()),
            "rows": [one.to_dict() for one in self.rows],
            "figures": [one.to_dict() for one in self.figures],
            "not_run": [{"what": one.what, "why": one.why} for one in self.missing],
            "experiment": self.experiment.to_dict() if self.experiment is not None else None,
        }

    def records(self) -> Table:
        """One row for each number."""
        return _records([self])


@dataclass(frozen=True, eq=False, repr=False)
class PublishedNumbers(Result):
    """The numbers that several papers print, with ours."""

    papers: tuple[PaperNumbers, ...]
    data: str | None
    quick: bool
    signature: str

    @property
    def rows(self) -> tuple[PublishedNumber, ...]:
        """The numbers of all papers."""
        return tuple(row for one in self.papers for row in one.rows)

    @property
    def differing(self) -> tuple[tuple[str, PublishedNumber], ...]:
        """The numbers that should agree and do not, with their paper."""
        return tuple((one.paper, row) for one in self.papers for row in one.rows if row.state == "differs")

    @property
    def n_failed(self) -> int:
        """The cells of experiments that failed."""
        return sum(one.experiment.n_failed for one in self.papers if one.experiment is not None)

    def counts(self) -> dict[State, int]:
        """How many numbers are in each state."""
        return state_counts(self.rows)

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain data, in the schema karat/reproduce/2."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "data": self.data,
            "quick": self.quick,
            "counts": _counts_dict(self.counts()),
            "papers": [one.to_dict() for one in self.papers],
        }

    def records(self) -> Table:
        """One row for each number of each paper."""
        return _records(self.papers)


STATES: tuple[State, ...] = get_args(State)


def state_counts(rows: Iterable[PublishedNumber]) -> dict[State, int]:
    """How many numbers are in each state; every state is there."""
    counted = Counter(one.state for one in rows)
    return {state: counted[state] for state in STATES}


def _counts_dict(counts: Mapping[State, int]) -> dict[str, int]:
    return {"rows": sum(counts.values())} | {state.replace(" ", "_"): n for state, n in counts.items()}


def _records(papers: Iterable[PaperNumbers]) -> Table:
    rows: list[list[Cell]] = []
    columns: list[str] = []
    for paper in papers:
        for row in paper.rows:
            data = row.to_dict()
            del data["agrees"]  # which `state` says, too
            columns = ["paper", *data]
            rows.append([paper.paper, *data.values()])
    return Table(columns or ["paper"], rows)


Published = Callable[[PaperEvidence], Iterator[PublishedNumber]]
