"""`karat.grid`: every train × test pair, run, kept and put together; what is there already is not run again."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from karat.corpus import PathLike
from karat.corpus.documents_from_comments import NO_DOCUMENT, DocumentComment, document_comment, with_documents
from karat.entry_points import PLUGIN
from karat.errors import DataError, KaratError, UsageError
from karat.experiments.plan import Condition, GridPlan, Training
from karat.experiments.run import Failure
from karat.experiments.schedulers import run_here, run_in_processes, run_on_cluster
from karat.experiments.store import Store
from karat.experiments.systems import GridSystem, OwnTagger
from karat.experiments.treebanks import TextFiles, TextReading, Treebank, corpus_of, treebanks
from karat.inference.options import InferenceOptions
from karat.result import Cell, Result, Table
from karat.signature import signature
from karat.systems.folds import FoldBy
from karat.tagsets import read_tag_map, unmapped_warning

SCHEMA = "karat/grid/1"
DEFAULT_SYSTEM = "perceptron"
_LOOKS = 0.5  # seconds between two looks at what is finished
_CONDITION = ("system", "train", "test", "seed", "size", "fold")
_COST = ("train_seconds", "tag_seconds", "tokens_per_second", "peak_bytes", "model_bytes")


@dataclass(frozen=True, slots=True)
class GridProgress:
    """How far a grid is: the conditions of the cells that are done, and of all."""

    done: Sequence[Condition]
    all: Sequence[Condition]
    seconds_left: float | None

    @property
    def n_done(self) -> int:
        return len(self.done)

    @property
    def n_cells(self) -> int:
        return len(self.all)


Watch = Callable[[GridProgress], None]


@dataclass(frozen=True, slots=True, eq=False)
class GridCell:
    """A finished cell: its condition, its measures as `karat score --json` has them, its costs, and what it read."""

    condition: Condition
    key: str
    data: Mapping[str, Any] = field(repr=False)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> GridCell:
        return cls(Condition(**{name: data.get(name) for name in _CONDITION}), data["key"], data)  # type: ignore[arg-type]

    @property
    def is_in_domain(self) -> bool:
        return self.condition.train == self.condition.test

    @property
    def kind(self) -> tuple[Any, ...]:
        """What cells must have in common to be shown together: column, measures, folds, how texts were read."""
        folds = self.data.get("folds") or {}
        read = (json.dumps(self.data.get(name)) for name in ("documents", "map"))
        without = self.data.get("duplicates_left_out") is None
        return self.data.get("column"), *self.data["measures"], folds.get("n"), folds.get("by"), *read, without

    def signed(self) -> list[tuple[str, str]]:
        """How texts were read and what was measured, as signatures have it: the same for all cells of a kind."""
        data = self.data
        settings = [("measures", ",".join(data["measures"])), ("column", str(data.get("column")))]
        settings += [("by", data["folds"]["by"])] if data.get("folds") else []
        settings += [("without-duplicates", "yes")] if data.get("duplicates_left_out") is not None else []
        settings += [("map", data["map"]["signed"])] if data.get("map") else []
        return settings + (DocumentComment(**data["documents"]).signed() if data.get("documents") else [])

    def value(self, measure: str) -> float:
        """The value of a measure."""
        return float(self.data["measures"][measure]["value"])

    def to_dict(self) -> dict[str, Any]:
        """The cell as plain data."""
        return {name: self.data.get(name) for name in (*_CONDITION, "measures", *_COST, "words", "key")}


@dataclass(frozen=True, eq=False, repr=False)
class Grid(Result):
    """The finished cells of a grid, how many were run now and how many were kept from before, and what failed.

    `was_interrupted` where somebody stopped it: what is missing is run the next time.
    """

    folder: str
    cells: tuple[GridCell, ...]
    n_run: int = 0
    n_kept: int = 0
    failures: tuple[Failure, ...] = ()
    was_interrupted: bool = False
    n_planned: int = 0
    notes: tuple[str, ...] = ()

    @property
    def store(self) -> Store:
        return Store(os.path.abspath(self.folder))

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """The measures that all cells have."""
        names = [list(one.data["measures"]) for one in self.cells]
        return tuple(name for name in (names[0] if names else ()) if all(name in one for one in names))

    def named(self, what: str) -> list[Any]:
        """All systems, trains, tests, seeds, sizes or folds, in the order of the cells."""
        return list(dict.fromkeys(getattr(one.condition, what) for one in self.cells))

    @cached_property
    def signature(self) -> str:
        """What was run on which texts, how they were read, and what was measured."""
        texts: dict[str, tuple[str, str, str]] = {}
        for one in self.cells:
            for role, name in (("train", one.condition.train), ("test", one.condition.test)):
                texts.setdefault(f"{role} {name}", (role, name, str(one.data[f"{role}_text"]["sha256"])))
        settings = [
            ("system", "+".join(map(str, self.named("system")))),
            ("seeds", ",".join(map(str, self.named("seed")))),
        ]
        for what in ("size", "fold"):
            values = [str(one) for one in self.named(what) if one is not None]
            settings += [(f"{what}s", ",".join(values))] if values else []
        settings += self.cells[0].signed() if self.cells else []
        settings += [(PLUGIN, package) for one in self.cells for package in one.data.get("plugins", ())]
        return signature("grid", settings, texts.values())

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, in the schema karat/grid/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "folder": self.folder,
            "cells": [one.to_dict() for one in self.cells],
            "planned": self.n_planned,
            "run": self.n_run,
            "kept": self.n_kept,
            "failed": len(self.failures),
            "failures": [one.to_dict() for one in self.failures],
            "interrupted": self.was_interrupted,
            "notes": list(self.notes),
        }

    def records(self) -> Table:
        """One row for each cell and measure."""
        columns = [*_CONDITION, "measure", "value", "lower", "upper", *_COST, "words"]
        rows: list[list[Cell]] = []
        for one in self.cells:
            for name, found in one.data["measures"].items():
                ends = [found.get(end) for end in ("value", "lower", "upper")]
                conditions = [getattr(one.condition, of) for of in _CONDITION]
                rows.append([*conditions, name, *ends, *(one.data.get(of) for of in (*_COST, "words"))])
        return Table(columns, rows)


def grid(
    corpora: Sequence[PathLike | Treebank],
    folder: PathLike,
    *,
    tests: Sequence[PathLike | Treebank] = (),
    systems: Sequence[str | GridSystem] = (),
    seeds: int | Sequence[int] = 3,
    column: str = "upos",
    measures: Sequence[str] = (),
    sizes: Sequence[int] = (),
    folds: int | None = None,
    fold_by: FoldBy | None = None,
    without_duplicates: bool = False,
    document_from: str | None = None,
    document_pattern: str | None = None,
    map: PathLike | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    inference: InferenceOptions | None = None,
    watch: Watch | None = None,
) -> Grid:
    """Train every system on the train part of every corpus under every seed, and score each on every test part.

    `corpora` are treebanks' folders, whose parts are found by the names of UD's files; `tests` are further ones that
    are only tested on. A corpus without a train part is only tested on, too. `systems` are karat's taggers as
    `NAME[:option=value,…]`, or `ExternalTagger`s. `seeds` 3 means 0, 1 and 2. With `sizes` each is trained on so many
    words. With `folds`, each corpus is one text of all its parts, of which one fold is tested by a tagger that was
    trained on the others. With `without_duplicates`, training sentences whose words are those of a test sentence are
    left out, and counted in the cell. `document_from` names a comment of sentences that says which document each is
    from, with a `document_pattern` if it says more (`karat.score`); texts without this comment keep the documents that
    they mark. `map` maps the tags of all texts, by a map that karat has or a file (`karat.score`).

    Each result is kept in `folder` the moment it is there, under a name made of what it depends on: the texts, the
    options, karat's version. Started again, only what is missing is run. A cell that fails is reported with its log and
    does not stop the others. `jobs` processes run at once; with `scheduler`, the address of a Dask cluster, its workers
    do. The results do not depend on that. An interruption (Ctrl-C) ends the work; what is finished comes back.
    """
    plan = GridPlan(
        corpora=treebanks(corpora),
        tests=treebanks(tests),
        systems=_systems(systems),
        seeds=_numbers(seeds),
        reading=TextReading(
            column.lower(),
            document_comment(document_from, document_pattern),
            None if map is None else read_tag_map(os.fspath(map)),
        ),
        measures=tuple(measures),
        sizes=tuple(sizes),
        n_folds=folds,
        fold_by=fold_by,
        without_duplicates=without_duplicates,
        inference=inference or InferenceOptions(),
    )
    notes = _notes(plan)
    store = Store.made(folder)
    trainings = plan.trainings()
    planned = [cell.key for one in trainings for cell in one.cells]
    before = store.finished() & {*planned}
    in_order = _in_order(plan, trainings)
    try:
        store.plan(in_order)
    except OSError as error:
        raise UsageError(f"{os.fspath(folder)} cannot be written: {error.strerror or error}") from None
    left = [one for one in trainings if any(cell.key not in before for cell in one.cells)]
    failures: list[Failure] = []
    was_interrupted = False
    with _watched(trainings, store, watch):
        try:
            for found in _scheduled(left, store, jobs, scheduler):
                failures += found
        except KeyboardInterrupt:
            was_interrupted = True
    finished = store.finished() & {*planned}
    cells = tuple(GridCell.from_data(store.cell(key)) for key in in_order if key in finished)
    return Grid(
        os.fspath(folder),
        cells,
        len(finished - before),
        len(before),
        tuple(failures),
        was_interrupted,
        len(planned),
        (*notes, *_duplicates_note(cells)),
    )


def _systems(given: Sequence[str | GridSystem]) -> list[GridSystem]:
    """The systems, karat's own from their names; the default one if none is given."""
    return [OwnTagger.from_text(one) if isinstance(one, str) else one for one in given or (DEFAULT_SYSTEM,)]


def _numbers(seeds: int | Sequence[int]) -> list[int]:
    found = list(range(seeds)) if isinstance(seeds, int) else list(dict.fromkeys(seeds))
    if not found or min(found) < 0:
        raise UsageError("at least one seed is needed, and none may be negative")
    return found


def _scheduled(
    trainings: Sequence[Training], store: Store, jobs: int, scheduler: str | None
) -> Iterator[list[Failure]]:
    if scheduler is not None:
        return run_on_cluster(trainings, store, scheduler)
    if jobs > 1 and len(trainings) > 1:
        return run_in_processes(trainings, store, min(jobs, len(trainings)))
    return run_here(trainings, store)


def _in_order(plan: GridPlan, trainings: Sequence[Training]) -> list[str]:
    """The keys of cells by system, train, test, size, seed and fold, in the order that these were given in."""
    systems = {one.name: place for place, one in enumerate(plan.systems)}
    names = {one.name: place for place, one in enumerate((*plan.corpora, *plan.tests))}
    every = [cell for one in trainings for cell in one.cells]

    def place(of: Condition) -> tuple[int, ...]:
        return systems[of.system], names[of.train], names[of.test], of.size or 0, of.seed, of.fold or 0

    return [cell.key for cell in sorted(every, key=lambda cell: place(cell.condition))]


def _notes(plan: GridPlan) -> tuple[str, ...]:
    if plan.n_folds is not None:
        return _reading_notes(plan, [(one.name, one.whole()) for one in plan.corpora])
    found = [f"{one.name} has no train part: it is only tested on." for one in plan.corpora if one.train is None]
    untested = [one.name for one in (*plan.corpora, *plan.tests) if one.test is None]
    tests = [(one.name, one.test) for one in plan.all_tests if one.test is not None]
    read = _reading_notes(plan, [*((one.name, one.train) for one in plan.corpora if one.train is not None), *tests])
    return (*found, *(f"{name} has no test part: it is only trained on." for name in untested), *read)


def _duplicates_note(cells: Sequence[GridCell]) -> tuple[str, ...]:
    """How many training sentences were left out, where that was asked for."""
    counts = [int(one.data["duplicates_left_out"]) for one in cells if one.data.get("duplicates_left_out") is not None]
    if not counts:
        return ()
    mean = sum(counts) / len(counts)
    return (f"{mean:,.1f} training sentences per cell left out: their words are those of a test sentence.",)


def _reading_notes(plan: GridPlan, texts: Sequence[tuple[str, TextFiles]]) -> tuple[str, ...]:
    """What reading documents or mapping tags did not find in the texts; a `DataError` if no text has the comment."""
    reading, found, n_read, n_lacking = plan.reading, [], 0, 0
    for name, text in dict.fromkeys(texts) if reading.to_dict() else ():
        try:
            corpus = corpus_of(text, reading)
        except DataError:
            continue  # its cells say so
        n_read += 1
        if reading.documents is not None and corpus.document_groups is None:
            n_lacking += 1
            own = "it keeps the documents that it marks" if corpus.has_documents else "it has no documents"
            found.append(f"{name} has no comment {reading.documents.field}: {own}.")
        found += [f"{name}: {one.message}." for one in corpus.oddities if one.code == NO_DOCUMENT]
        if reading.map is not None:
            found += unmapped_warning(reading.map, {name: reading.map.left(corpus, [reading.tag])})
    if reading.documents is not None and 0 < n_read == n_lacking:
        with_documents(corpus_of(texts[0][1], TextReading(reading.column)), reading.documents)  # says what is wrong
    return tuple(dict.fromkeys(found))


# ---- what is seen while it runs --------------------------------------------------------------------------------------


class _watched:  # noqa: N801 a context manager is used like a function
    """Look, while the work goes on, at what is finished, whoever does it, and say so."""

    def __init__(self, trainings: Sequence[Training], store: Store, watch: Watch | None) -> None:
        self.conditions = {cell.key: cell.condition for one in trainings for cell in one.cells}
        self.store, self.watch = store, watch
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._look, daemon=True)
        self.began, self.first = time.monotonic(), len(self._done())

    def _done(self) -> list[Condition]:
        return [self.conditions[key] for key in self.store.finished() if key in self.conditions]

    def _look(self) -> None:
        assert self.watch is not None
        while True:
            is_over = self.over.wait(_LOOKS)
            done = self._done()
            new, left = len(done) - self.first, len(self.conditions) - len(done)
            spent = time.monotonic() - self.began
            self.watch(GridProgress(done, [*self.conditions.values()], spent * left / new if new else None))
            if is_over:
                return

    def __enter__(self) -> None:
        if self.watch is not None:
            self.thread.start()

    def __exit__(self, *_: object) -> None:
        self.over.set()
        if self.watch is not None:
            self.thread.join()


# ---- grids that were run before --------------------------------------------------------------------------------------


def read_grid(folder: PathLike) -> Grid:
    """The grid in a folder: the finished cells of the one that was run last, and of others of its kind before it.

    Of the same kind are grids of the same column, measures and folds; cells of others are left out, and counted in a
    note. Of cells about the same condition, the newest counts.
    """
    store = Store.opened(folder)
    every = {key: GridCell.from_data(store.cell(key)) for key in store.finished()}
    if not every:
        raise KaratError(f"{os.fspath(folder)} has no finished cell yet")
    in_order = {key: place for place, key in enumerate(store.planned())}
    newest_last = sorted(every, key=lambda key: (key in in_order, store.written_at(key)))
    kind = every[newest_last[-1]].kind
    chosen = {one.condition: one for one in map(every.__getitem__, newest_last) if one.kind == kind}

    def place(cell: GridCell) -> tuple[Any, ...]:
        of = cell.condition
        names = (of.system, of.train, of.test, of.size or 0, of.seed, of.fold or 0)
        return (in_order.get(cell.key, len(in_order)), *names)

    cells = tuple(sorted(chosen.values(), key=place))
    n_others = sum(one.kind != kind for one in every.values())
    note = f"{n_others:,} cells of grids with another column, other measures or other folds are not shown."
    return Grid(os.fspath(folder), cells, 0, len(cells), (), False, len(cells), (note,) if n_others else ())
