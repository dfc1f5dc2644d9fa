"""What is to be run: every system trained on every train part under every seed, and each of these on every test."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from karat import __version__
from karat.errors import UsageError
from karat.experiments.systems import GridSystem, is_own
from karat.experiments.treebanks import TextFiles, TextReading, Treebank
from karat.inference.options import InferenceOptions
from karat.measures.catalogue import word_measures
from karat.systems.folds import FoldBy
from karat.systems.words import columns_of

CELL_SCHEMA = "karat/grid-cell/1"
MEASURES_OF = {"upos": "UPOS", "xpos": "XPOS", "feats": "UFeats", "lemma": "Lemmas", "deprel": "Deprels"}


@dataclass(frozen=True, slots=True)
class Folds:
    """A corpus dealt out to folds; `fold` is the one that is held out."""

    n: int
    by: FoldBy | None
    fold: int


@dataclass(frozen=True, slots=True)
class Condition:
    """What a cell is about, by name; `size` are training words, None for all, `fold` is the one held out, if any."""

    system: str
    train: str
    test: str
    seed: int
    size: int | None = None
    fold: int | None = None


@dataclass(frozen=True, slots=True)
class PlannedCell:
    """A condition, the text it is tested on, and the key of its result."""

    condition: Condition
    test: TextFiles
    key: str


@dataclass(frozen=True, slots=True)
class Training:
    """A system to be trained once, and all that it is tested on."""

    key: str
    system: GridSystem
    train: TextFiles
    dev: TextFiles | None
    reading: TextReading
    seed: int
    size: int | None
    folds: Folds | None
    without_duplicates: bool
    measures: tuple[str, ...]
    inference: InferenceOptions
    cells: tuple[PlannedCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GridPlan:
    """Treebanks to train on, treebanks to test on, systems, seeds; sizes of training text, or folds.

    With `without_duplicates`, sentences of the training text whose words are those of a test sentence are left out.
    """

    corpora: Sequence[Treebank]
    tests: Sequence[Treebank]
    systems: Sequence[GridSystem]
    seeds: Sequence[int]
    reading: TextReading = field(default_factory=TextReading)
    measures: tuple[str, ...] = ()
    sizes: Sequence[int] = ()
    n_folds: int | None = None
    fold_by: FoldBy | None = None
    without_duplicates: bool = False
    inference: InferenceOptions = field(default_factory=InferenceOptions)

    def __post_init__(self) -> None:
        if self.n_folds is not None and self.sizes:
            raise UsageError("sizes of training text and folds cannot be used together")
        names = [one.name for one in self.systems]
        if len({*names}) < len(names):
            raise UsageError("two systems have the same name")
        scored = word_measures(self.scored)  # unknown ones are refused before any work
        learnt = columns_of(self.reading.column)
        of_learnt = {MEASURES_OF.get(one) for one in learnt}
        of_others = [
            one.name
            for one in scored
            if one.name not in of_learnt and not (one.plugin is not None and {*one.needs} <= {*learnt, "form"})
        ]
        if of_others and any(is_own(one) for one in self.systems):
            written = self.reading.column.upper()
            raise UsageError(f"{of_others[0]} cannot be measured: karat's taggers write {written} alone")
        if self.n_folds is not None and self.n_folds < 2:
            raise UsageError(f"{self.n_folds} folds: at least 2 are needed")
        if self.fold_by is not None and self.n_folds is None:
            raise UsageError("dealing out documents or sentences needs folds")
        if self.n_folds is None and not self.all_tests:
            raise UsageError("nothing to test on: no corpus has a test part")
        if self.n_folds is None and not any(one.train for one in self.corpora):
            raise UsageError("no corpus has a train part: name treebanks' folders, or use folds")

    @property
    def scored(self) -> tuple[str, ...]:
        """The measures: those asked for, or those of the columns that are learnt."""
        if self.measures:
            return self.measures
        found = [MEASURES_OF.get(one) for one in columns_of(self.reading.column)]
        if None in found:
            raise UsageError(f"no measure is about the column {self.reading.column}; name measures")
        return tuple(one for one in found if one)

    @property
    def plugins(self) -> list[str]:
        """The packages that measures come from, and their versions."""
        return [one.plugin.signed for one in word_measures(self.scored) if one.plugin is not None]

    @property
    def all_tests(self) -> list[Treebank]:
        """All treebanks that have a test, each once."""
        return list({one.name: one for one in (*self.corpora, *self.tests) if one.test is not None}.values())

    def trainings(self) -> list[Training]:
        """All trainings, the largest first, so that none is left over at the end."""
        found = [*(self._across_folds() if self.n_folds is not None else self._across_treebanks())]
        return sorted(found, key=lambda one: -sum(map(_file_size, one.train.paths)) * (one.size is None))

    def _across_treebanks(self) -> Iterator[Training]:
        for system in self.systems:
            for bank in self.corpora:
                if bank.train is None:
                    continue
                tests = [(one.name, one.test) for one in self.all_tests if one.test is not None]
                for seed in self.seeds:
                    for size in self.sizes or (None,):
                        yield self._training(system, bank.name, bank.train, bank.dev, seed, size, None, tests)

    def _across_folds(self) -> Iterator[Training]:
        assert self.n_folds is not None
        wholes = [(bank, bank.whole()) for bank in self.corpora]
        for system in self.systems:
            for bank, whole in wholes:
                for seed in self.seeds:
                    for fold in range(self.n_folds):
                        folds = Folds(self.n_folds, self.fold_by, fold)
                        yield self._training(system, bank.name, whole, None, seed, None, folds, [(bank.name, whole)])

    def _training(
        self,
        system: GridSystem,
        name: str,
        train: TextFiles,
        dev: TextFiles | None,
        seed: int,
        size: int | None,
        folds: Folds | None,
        tests: Sequence[tuple[str, TextFiles]],
    ) -> Training:
        depends = {
            "schema": CELL_SCHEMA,
            "version": __version__,
            "system": system.identity,
            "column": self.reading.column,
            "train": train.sha256,
            "dev": dev.sha256 if dev else None,
            "seed": seed,
            "size": size,
            "folds": asdict(folds) if folds else None,
            **self.reading.to_dict(),
        }
        if self.without_duplicates:
            depends["without_duplicates"] = None if folds else [test.sha256 for _, test in tests]
        key = _key(depends)
        cells = []
        for test_name, test in tests:
            condition = Condition(system.name, name, test_name, seed, size, folds.fold if folds else None)
            scored = {"measures": self.scored, "inference": dict(self.inference.signed())}
            plugins = {"plugins": self.plugins} if self.plugins else {}
            named = {"test": test.sha256, "condition": asdict(condition), **scored, **plugins}
            cells.append(PlannedCell(condition, test, _key({"training": key, **named})))
        how = (self.reading, seed, size, folds, self.without_duplicates, self.scored, self.inference)
        return Training(key, system, train, dev, *how, tuple(cells))


def _key(depends: Mapping[str, Any]) -> str:
    """A name for a result, from all that it depends on."""
    return hashlib.sha256(json.dumps(depends, sort_keys=True).encode()).hexdigest()[:32]


def _file_size(path: str) -> int:
    return os.path.getsize(path) if os.path.exists(path) else 0
