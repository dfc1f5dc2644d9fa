"""One training and all its tests: run in any process, each cell kept the moment it is there."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from karat._arrays import Flags
from karat.corpus import Corpus, corpus_from_source, source_from_bytes
from karat.corpus.chosen_sentences import chosen_sentences
from karat.corpus.sentence_bytes import kept_sentences
from karat.entry_points import PLUGIN
from karat.errors import DataError, KaratError, UsageError
from karat.evaluation.score import score
from karat.experiments.external import CommandError
from karat.experiments.plan import CELL_SCHEMA, Condition, PlannedCell, Training
from karat.experiments.store import Store
from karat.experiments.systems import Cost, Output, TrainedSystem, TrainingText
from karat.experiments.treebanks import corpus_of
from karat.systems.folds import FoldBy, folds_of


@dataclass(frozen=True, slots=True)
class Failure:
    """A cell that could not be run, and why; `log` is what a command printed, None where there is none."""

    condition: Condition
    error: str
    log: str | None

    def to_dict(self) -> dict[str, Any]:
        """The failure as plain data."""
        return {**asdict(self.condition), "error": self.error, "log": self.log}


def run_training(training: Training, folder: str) -> list[Failure]:
    """Train a system, test it on all that is still missing, and keep each result; what failed comes back.

    What is there already, from an earlier run or from another one at work, is not run again.
    """
    store = Store(folder)
    missing = [cell for cell in training.cells if not store.has(cell.key)]
    if not missing:
        return []
    store.start(training.key)
    try:
        return _run(training, missing, store)
    finally:
        store.end(training.key)


def _run(training: Training, missing: list[PlannedCell], store: Store) -> list[Failure]:
    log = store.log(training.key)
    log.unlink(missing_ok=True)
    failures: list[Failure] = []
    try:
        text, held_out, n_duplicates = _texts(training)
        with training.system.trained(text, training.reading.column, training.seed, log) as trained:
            for cell in missing:
                try:
                    _run_cell(training, cell, trained, held_out, n_duplicates, store)
                except Exception as error:  # whatever it is, it concerns this cell alone
                    failures.append(_failed(cell, error, store, log))
    except Exception as error:  # whatever it is, it concerns this training alone
        failures = [_failed(cell, error, store, log) for cell in missing if not store.has(cell.key)]
    if not failures:
        log.unlink(missing_ok=True)
    return failures


def _texts(training: Training) -> tuple[TrainingText, Corpus | None, int | None]:
    """What is learnt from, with folds the one that is held out, and how many sentences were left out as duplicates."""
    reading, held_out, dev = training.reading, None, None
    corpus = corpus_of(training.train, reading)
    keep = np.ones(corpus.n_sentences, dtype=np.bool_)
    if training.folds is not None:
        is_out = folds_of(corpus, training.folds.n, training.folds.by, training.seed) == training.folds.fold
        keep, held_out = ~is_out, _some(corpus, is_out, reading.tag)
    elif training.dev:
        dev = corpus_of(training.dev, reading)
    if training.size is not None:
        keep = _first_words(corpus, training.size, training.seed)
    n_duplicates = None
    if training.without_duplicates:
        tests = [held_out] if held_out is not None else [corpus_of(cell.test, reading) for cell in training.cells]
        is_duplicate = keep & _sentences_of(corpus, tests)
        keep, n_duplicates = keep & ~is_duplicate, int(is_duplicate.sum())
    if not keep.any():
        raise UsageError(f"{corpus.path}: no sentence is left to learn from")
    return TrainingText(corpus if keep.all() else _some(corpus, keep, reading.tag), dev), held_out, n_duplicates


def fold_texts(
    corpus: Corpus, n_folds: int, by: FoldBy | None, seed: int, fold: int, tag: str
) -> tuple[Corpus, Corpus]:
    """What a fold was learnt from, duplicates among it, and the fold itself."""
    is_out = folds_of(corpus, n_folds, by, seed) == fold
    return _some(corpus, ~is_out, tag), _some(corpus, is_out, tag)


def _sentences_of(corpus: Corpus, tests: Sequence[Corpus]) -> Flags:
    """Which sentences of a corpus have the very words of a sentence of the tests."""
    tested = {one.words_of(sentence) for one in tests for sentence in range(one.n_sentences)}
    found = (corpus.words_of(sentence) in tested for sentence in range(corpus.n_sentences))
    return np.fromiter(found, dtype=np.bool_, count=corpus.n_sentences)


def _first_words(corpus: Corpus, size: int, seed: int) -> Flags:
    """Sentences drawn at random until there are so many words; a larger text holds a smaller one of the same seed."""
    if size > corpus.n_words:
        raise UsageError(f"{corpus.path} has {corpus.n_words:,} words, fewer than {size:,}")
    order = np.random.default_rng([seed, 29]).permutation(corpus.n_sentences)
    n_words = np.cumsum(np.diff(corpus.sentence_offsets)[order])
    n_taken = int(np.searchsorted(n_words, size)) + 1
    chosen = np.zeros(corpus.n_sentences, dtype=bool)
    chosen[order[:n_taken]] = True
    return chosen


def _some(corpus: Corpus, keep: Flags, tag: str) -> Corpus:
    """Some sentences of a corpus, as a corpus with bytes of its own; documents that are groups stay these groups."""
    parts = [kept_sentences(corpus, keep, part=part) for part in range(len(corpus.source.parts))]
    found = corpus_from_source(source_from_bytes(b"".join(parts), corpus.path), tag=tag, trees=False)
    if corpus.document_groups is None:
        return found
    chosen = chosen_sentences(corpus, np.flatnonzero(keep))
    return replace(found, document_groups=chosen.document_groups, document_names=chosen.document_names)


def _run_cell(
    training: Training,
    cell: PlannedCell,
    trained: TrainedSystem,
    held_out: Corpus | None,
    n_duplicates: int | None,
    store: Store,
) -> None:
    tag = training.reading.tag
    gold = corpus_of(cell.test, training.reading) if held_out is None else held_out
    output = trained.tagged(gold)
    system = corpus_from_source(source_from_bytes(output.data, "the system's output"), tag=tag, trees=False)
    if system.problems:
        raise DataError(system.problems)
    inference = training.inference
    found = score(gold, {cell.condition.system: system}, measures=training.measures, column=tag, inference=inference)
    (scored,) = found.systems
    measures = {name: one.to_dict() for name, one in scored.measures.items()}
    data = {
        "schema": CELL_SCHEMA,
        "key": cell.key,
        **asdict(cell.condition),
        "measures": measures,
        **_costs(trained.cost, output, gold.n_words),
        "words": gold.n_words,
        "train_words": training.size,
        "column": training.reading.column,
        **training.reading.to_dict(),
        "duplicates_left_out": n_duplicates,
        "cluster": found.cluster,
        "train_text": {"paths": list(training.train.paths), "sha256": training.train.sha256},
        "test_text": {"paths": list(cell.test.paths), "sha256": cell.test.sha256},
        "folds": asdict(training.folds) if training.folds else None,
        "identity": dict(training.system.identity),
        "plugins": sorted(
            {value for key, value in (*found.settings, *training.system.identity.items()) if key == PLUGIN}
        ),
    }
    store.keep(cell.key, data, output.data, {name: scored.counts[name] for name in measures})


def _costs(cost: Cost, output: Output, n_words: int) -> dict[str, Any]:
    peaks = [one for one in (cost.peak_bytes, output.peak_bytes) if one is not None]
    return {
        "train_seconds": cost.train_seconds,
        "tag_seconds": output.tag_seconds,
        "tokens_per_second": n_words / output.tag_seconds if output.tag_seconds else None,
        "peak_bytes": max(peaks, default=None),
        "model_bytes": cost.model_bytes,
    }


def _failed(cell: PlannedCell, error: Exception, store: Store, log: Path) -> Failure:
    """A failed cell, written down; the log has what a command printed, or where our own code broke."""
    if isinstance(error, OSError) and not isinstance(error, CommandError):
        message = f"{error.filename or store.folder}: {error.strerror or error}"
    elif isinstance(error, KaratError):
        message = str(error)
    else:
        message = f"{type(error).__name__}: {error}"
        _append(log, traceback.format_exc())
    failure = Failure(cell.condition, message, str(log) if log.exists() else None)
    store.fail(cell.key, failure.to_dict())
    return failure


def _append(log: Path, text: str) -> None:
    try:
        with open(log, "a", encoding="utf-8") as file:
            file.write(text)
    except OSError:
        return  # a full disk: the message is still reported
