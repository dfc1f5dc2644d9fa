"""A kind of data is a task: how it is read, put beside the gold, counted and split. All kinds take one road."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from karat.corpus import Annotated, Bad, Corpus, PathLike, Source
from karat.corpus.constituency_trees import Trees
from karat.corpus.documents_from_comments import DocumentComment
from karat.corpus.formats import Readable
from karat.corpus.readers.key import Keys
from karat.errors import DataError, Problem, UsageError
from karat.evaluation.results import SystemScores
from karat.measures.measure import Measure

if TYPE_CHECKING:
    from karat.hierarchy import Hierarchy
    from karat.measures.brackets.options import BracketOptions
    from karat.measures.hierarchical.options import HierarchyOptions
    from karat.measures.positional.options import TagOptions
    from karat.tagsets import TagMap

Like = Literal["conll18", "evalb"]
Systems = Readable | Mapping[str, Readable] | Sequence[Readable]


def several(names: str | Iterable[str]) -> tuple[str, ...]:
    """One name or several, also with commas between, as several."""
    given = names.split(",") if isinstance(names, str) else names
    return tuple(name.strip() for name in given)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked of the data, whatever kind it is: the parameters that `score` and `compare` share.

    `is_comparison` says that systems are to be compared, by the `statistic` where one is named: then units are kept,
    and fewer measures are taken where none are named.
    """

    measures: str | Iterable[str] | None = None
    like: Like | None = None
    by: str | Iterable[str] = ()
    confusions: str | Iterable[str] = ()
    n_top: int = 10
    lexicon: Readable | None = None
    column: str = "upos"
    map: PathLike | Mapping[str, str] | TagMap | None = None
    input: str | None = None
    skip_bad: bool = False
    tags: TagOptions | None = None
    hierarchy: HierarchyOptions | Hierarchy | PathLike | None = None
    brackets: BracketOptions | None = None
    judgements: PathLike | None = None
    prm: PathLike | None = None
    evalb_steps: bool = False
    is_comparison: bool = False
    statistic: str | None = None
    documents: DocumentComment | None = None

    @property
    def measure_names(self) -> tuple[str, ...]:
        """The measures named, none if it is left to us."""
        names = several(self.measures or ())
        if self.measures is not None and not names:
            raise UsageError("no measure was named")
        return () if self.is_all else names

    @property
    def is_all(self) -> bool:
        """Whether all measures are asked for: those that can be had are taken."""
        return [name.strip().lower() for name in several(self.measures or ())] == ["all"]

    @property
    def bad(self) -> Bad:
        return "keep" if self.skip_bad else "raise"

    def splits(self, known: Collection[str], of: str = "") -> tuple[str, ...]:
        """The splits asked for, if they are among the known ones."""
        splits = several(self.by)
        for split in splits:
            if split not in known:
                raise UsageError(f"no split{of} by {split!r}; choose from {', '.join(known)}")
        return splits


_Read = TypeVar("_Read", bound=Annotated)
_Paired = TypeVar("_Paired")
_Made = TypeVar("_Made")


class Task(ABC, Generic[_Read, _Paired]):
    """How one kind of data is scored, as it was asked for; checked once for all systems."""

    measures: Sequence[Measure]
    asked: Asked

    @abstractmethod
    def read_gold(self, readable: Readable) -> _Read:
        """The gold."""

    def read_system(self, readable: Readable, gold: _Read | None) -> _Read | None:
        """A system's output, to be scored against the gold; if that cannot be read, it may still have problems."""
        return self.read_gold(readable)

    @abstractmethod
    def paired(self, gold: _Read, system: _Read) -> _Paired:
        """The two side by side."""

    @abstractmethod
    def scores(self, pair: _Paired, name: str) -> SystemScores:
        """The counts of every measure, whole and split, and what else is reported of the system; no intervals."""

    @abstractmethod
    def settings(self, systems: Sequence[SystemScores]) -> list[tuple[str, str]]:
        """The settings that a signature names."""

    def warnings(self, systems: Sequence[SystemScores]) -> list[str]:
        """What must not be overlooked of the systems."""
        every = dict.fromkeys((one.name, note) for one in systems for note in one.notes)
        return [note if len(systems) == 1 else f"{name}: {note}" for name, note in every]

    def finish(self) -> None:
        """Raise what can be known to be wrong only once all systems were scored."""


AnyTask = Task[Any, Any]


def evaluated(
    task: Task[_Read, _Paired], gold: Readable, systems: Sequence[tuple[str, Readable]]
) -> tuple[_Read, list[SystemScores]]:
    """The gold and the scores of each system, without intervals; a `DataError` with the problems of all inputs."""
    found = each_system(task, gold, systems, task.scores)
    task.finish()
    return found


def each_system(
    task: Task[_Read, _Paired],
    gold: Readable,
    systems: Sequence[tuple[str, Readable]],
    make: Callable[[_Paired, str], _Made],
) -> tuple[_Read, list[_Made]]:
    """The gold, and what is made of each system beside it; one system's data is held at a time."""
    problems: list[Problem] = []
    ours: _Read | None = None
    try:
        ours = task.read_gold(gold)
    except DataError as error:
        problems += error.problems
    found = []
    for name, one in systems:
        try:
            theirs = task.read_system(one, ours)
            if ours is not None and theirs is not None:
                found.append(make(task.paired(ours, theirs), name))
        except DataError as error:  # the others may have problems too
            problems += error.problems
    if problems or ours is None:
        raise DataError(dict.fromkeys(problems))
    return ours, found


def named_systems(systems: Systems) -> dict[str, Readable]:
    """The systems by name: the names given, or those of their files."""
    if isinstance(systems, Mapping):
        named = dict(systems)
    elif systems is None:
        named = {}
    elif isinstance(systems, (Corpus, Trees, Keys, Source, str, os.PathLike)):
        named = {_default_name(systems): systems}
    else:
        named = {}
        for one in systems:
            name = _default_name(one)
            named[name if name not in named else f"{name} ({len(named) + 1})"] = one
    if not named:
        raise UsageError("no system was given")
    return named


def _default_name(system: Readable) -> str:
    path = system.path if isinstance(system, (Corpus, Trees, Keys, Source)) else system
    return os.path.basename(path) if isinstance(path, (str, os.PathLike)) else "system"
