"""Parsers trained and run for the paper's experiment: what is planned, done in processes, and kept in files.

A run is a parser's trees for some sentences of the treebank. It is named after all that it depends on, so that a run
that is there is not done again, and one that was cut off leaves nothing behind.
"""

from __future__ import annotations

import gzip
import hashlib
import itertools
import json
import math
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from karat._arrays import Flags
from karat._ragged import offsets_of
from karat.corpus.constituency_trees import Trees
from karat.corpus.files import replace_file
from karat.corpus.readers.bracket_folders import read_bracket_folder
from karat.corpus.readers.brackets import brackets_from_source
from karat.corpus.source import source_from_bytes
from karat.experiments.grid import GridProgress, Watch
from karat.experiments.plan import Condition
from karat.experiments.schedulers import kill_processes
from karat.simulation.bracketing_styles import styled
from karat.systems.options import PcfgOptions, PerceptronOptions, settings_of
from karat.systems.pcfg.parser import ParseOptions, Pcfg
from karat.systems.training import trained_tagger
from karat.systems.words import LabelledWords, WordSequence

_VERSION = 1  # of what a run gives: one that changes it needs another number
ORIGINAL = "original"


@dataclass(frozen=True, slots=True, eq=False)
class ParserRun:
    """A parser that learns from some trees of a treebank, in a style, and parses others.

    `system`, `train` and `test` are what it is called. With `predicted_tags`, words have the tags of a perceptron that
    learnt from the same trees. `thresholds` are those below which brackets are left out, a list of parses for each.
    """

    system: str
    train: str
    test: str
    options: PcfgOptions
    training: Flags
    testing: Flags
    style: str = ORIGINAL
    predicted_tags: bool = False
    count: bool = False
    thresholds: tuple[float, ...] = (0.0,)

    @property
    def condition(self) -> Condition:
        """What progress shows of it."""
        return Condition(self.system, self.train, self.test, 0)

    def key(self, data: str) -> str:
        """The name of its result, from all that this depends on; `data` is the hash of the treebank."""
        parts = [_VERSION, data, settings_of(self.options), self.style, self.predicted_tags, self.count]
        parts += [self.thresholds, *(np.packbits(one).tobytes().hex() for one in (self.training, self.testing))]
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True, eq=False)
class ParserOutcome:
    """What a run gave: lines of trees for each threshold, logarithms of the numbers of parses, and CPU seconds."""

    lines: Mapping[float, Sequence[str]]
    log_n_parses: Sequence[float | None]
    train_seconds: float
    parse_seconds: float
    tag_accuracy: float | None

    def trees(self, threshold: float = 0.0) -> Trees:
        """The trees of a threshold."""
        text = "".join(f"{line}\n" for line in self.lines[threshold])
        return brackets_from_source(source_from_bytes(text.encode(), f"trees at {threshold:g}"))


@dataclass(slots=True)
class ParserRuns:
    """The folder of runs, and who does them."""

    data: str
    folder: str
    jobs: int
    watch: Watch | None
    sha256: str
    n_run: int = 0
    n_kept: int = 0
    _outcomes: dict[str, ParserOutcome] = field(default_factory=dict)

    def _path(self, run: ParserRun) -> str:
        return os.path.join(self.folder, f"{run.key(self.sha256)}.json.gz")

    def do(self, runs: Sequence[ParserRun]) -> None:
        """Do all runs that are not there yet."""
        os.makedirs(self.folder, exist_ok=True)
        left = [run for run in runs if _kept(self._path(run)) is None]
        done = [run.condition for run in runs if run not in left]
        self.n_kept += len(done)
        start = time.monotonic()
        for number, run in enumerate(self._finished(left), start=1):
            done.append(run.condition)
            self.n_run += 1
            if self.watch is not None:
                each = (time.monotonic() - start) / number
                self.watch(GridProgress(done, [one.condition for one in runs], each * (len(left) - number)))

    def _finished(self, runs: Sequence[ParserRun]) -> Iterator[ParserRun]:
        """Runs as they are done."""
        if self.jobs == 1 or len(runs) < 2:
            for run in runs:
                _do(self.data, run, self._path(run))
                yield run
            return
        from joblib.externals.loky import ProcessPoolExecutor, as_completed

        executor = ProcessPoolExecutor(max_workers=self.jobs)
        try:
            waiting = {executor.submit(_do, self.data, run, self._path(run)): run for run in runs}
            for future in as_completed(list(waiting)):
                future.result()
                yield waiting[future]
        except BaseException:
            kill_processes(executor)
            raise
        executor.shutdown(wait=True)

    def outcome(self, run: ParserRun) -> ParserOutcome:
        """What a run gave; it is done now if it was not before."""
        path = self._path(run)
        if path not in self._outcomes:
            found = _kept(path)
            if found is None:
                self.do([run])
                found = _kept(path)
            assert found is not None
            self._outcomes[path] = found
        return self._outcomes[path]


def _kept(path: str) -> ParserOutcome | None:
    """The outcome in a file; None if it is not there, or damaged."""
    try:
        data: Any = json.loads(gzip.decompress(Path(path).read_bytes()))
        lines = {float(name): list(of) for name, of in data["lines"].items()}
        numbers = [None if one is None else float(one) for one in data["log_n_parses"]]
        return ParserOutcome(lines, numbers, data["train_seconds"], data["parse_seconds"], data["tag_accuracy"])
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError):
        return None


@cache
def _treebank(data: str, style: str) -> Trees:
    """The treebank in a style; kept by each process."""
    trees = read_bracket_folder(data)
    return trees if style == ORIGINAL else styled(trees, style)


def _do(data: str, run: ParserRun, path: str) -> None:
    """Do a run and keep what it gives."""
    train = _treebank(data, run.style).only(run.training)
    test = _treebank(data, ORIGINAL).only(run.testing)
    start = time.process_time()
    parser = Pcfg.trained(train, run.options)
    trained = time.process_time()
    words = _words(test)
    tags, accuracy = test.tags.strings(), None
    if run.predicted_tags:
        learnt = _words(train)
        tagger = trained_tagger(learnt, "xpos", PerceptronOptions(), 0)
        found = [tagger.labels[one] for one in tagger.tag(words.words).tolist()]
        accuracy = float(np.mean([one == other for one, other in zip(found, tags, strict=True)]))
        tags = found
    how = ParseOptions(count=run.count)
    forms = test.forms.strings()
    began = time.process_time()
    bounds = test.word_offsets.tolist()
    every = [parser.parses(forms[a:b], tags[a:b], how, run.thresholds) for a, b in itertools.pairwise(bounds)]
    numbers = [one[0].log_n_parses for one in every]
    result = {
        "lines": {str(of): [one[number].text for one in every] for number, of in enumerate(run.thresholds)},
        "log_n_parses": [None if one is None or not math.isfinite(one) else one for one in numbers],
        "train_seconds": trained - start,
        "parse_seconds": time.process_time() - began,
        "tag_accuracy": accuracy,
    }
    replace_file(path, gzip.compress(json.dumps(result).encode(), compresslevel=1, mtime=0))


def _words(trees: Trees) -> LabelledWords:
    """The words of trees with their tags, as taggers learn from them."""
    forms, tags = trees.forms.strings(), trees.tags.strings()
    known_forms: dict[str, int] = {}
    known_tags: dict[str, int] = {}
    ids = np.array([known_forms.setdefault(one, len(known_forms)) for one in forms], dtype=np.int32)
    labels = np.array([known_tags.setdefault(one, len(known_tags)) for one in tags], dtype=np.int32)
    offsets = offsets_of(np.diff(trees.word_offsets))
    return LabelledWords(WordSequence(list(known_forms), ids, offsets), labels, tuple(known_tags))


# ---- which sentences train, and which test ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class TreebankSplit:
    """Trees that test, trees that orders are chosen on, and all others but those of the tests' own documents."""

    seed: int
    test: Flags
    dev: Flags
    train: Flags

    @property
    def whole_train(self) -> Flags:
        """What trains where nothing is chosen: the dev part too."""
        return self.train | self.dev


def split_of(trees: Trees, seed: int, *, size: int, most_words: int) -> TreebankSplit:
    """A test and a dev part of so many sentences up to a length, in whole documents, from all genres alike.

    What is too much of the last documents drawn is neither in the test nor in training; nor are longer sentences of
    these documents.
    """
    rng = np.random.default_rng([seed, 1996])
    n_words = np.diff(trees.word_offsets)
    short = (n_words > 0) & (n_words <= most_words)
    genres = np.array([_genre(name) for name in trees.document_names])
    documents = _documents(trees)
    sizes = np.array([int(short[a:b].sum()) for a, b in documents])
    left = np.ones(len(sizes), dtype=np.bool_)
    parts = []
    for _ in range(2):
        drawn = _drawn(rng, genres, sizes, left, size)
        wanted = [one for document in drawn for one in range(*documents[document]) if short[one]]
        chosen = np.zeros(trees.n_trees, dtype=np.bool_)
        chosen[wanted[:size]] = True
        left[drawn] = False
        parts.append(chosen)
    train = np.repeat(left, np.diff(trees.document_offsets))
    return TreebankSplit(seed, parts[0], parts[1], train)


def _drawn(rng: np.random.Generator, genres: Any, sizes: Any, left: Flags, size: int) -> list[int]:
    """Documents with at least so many sentences together, each genre with its share as nearly as documents allow."""
    order = rng.permutation(len(sizes)).tolist()
    total = sizes.sum()
    found: list[int] = []
    for genre in sorted({*genres.tolist()}):
        share, got = size * sizes[genres == genre].sum() / total, 0
        for document in order:
            if left[document] and genres[document] == genre and got + sizes[document] / 2 < share:
                found.append(document)
                got += int(sizes[document])
    for document in order:  # what rounding leaves
        if int(sizes[found].sum()) >= size:
            break
        if left[document] and document not in found:
            found.append(document)
    found.sort(key=lambda one: order.index(one))
    return found


def _genre(name: str) -> str:
    """The genre in a file's name: `GUM_bio_byron.ptb` is of bio; one without is of its own."""
    parts = os.path.basename(name).split("_")
    return parts[1] if len(parts) > 2 else ""


def _documents(trees: Trees) -> list[tuple[int, int]]:
    offsets = trees.document_offsets.tolist()
    return list(itertools.pairwise(offsets))


def folds_by_document(trees: Trees, n_folds: int, seed: int) -> list[Flags]:
    """The trees of each fold: all documents are dealt out, those of a genre one after the other."""
    rng = np.random.default_rng([seed, 96])
    genres = [_genre(name) for name in trees.document_names]
    order = rng.permutation(len(genres))
    dealt = sorted(order.tolist(), key=lambda one: genres[one])
    fold = np.empty(len(genres), dtype=np.intp)
    fold[dealt] = np.arange(len(genres)) % n_folds
    of_trees = np.repeat(fold, np.diff(trees.document_offsets))
    return [of_trees == number for number in range(n_folds)]
