"""What is run for the experiment: classifiers in folds, done in processes, and kept in files.

A run is named after all that it depends on, so that one that is there is not done again; one that was cut off leaves
nothing behind. Beside what classifiers decide, the pairs themselves are kept, without their signals.
"""

from __future__ import annotations

import hashlib
import io
import os
import time
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from karat._arrays import Array, Flags, Floats, Indices
from karat.corpus.files import replace_file
from karat.errors import KaratError
from karat.experiments.grid import GridProgress, Watch
from karat.experiments.papers.slaski_2012_choices import verb_or_noun
from karat.experiments.papers.slaski_2012_signals import EVERY, columns_of, signal_use
from karat.experiments.papers.slaski_2012_texts import PaperData, Setting, SettingPairs, pairs_of_setting
from karat.experiments.plan import Condition
from karat.experiments.schedulers import kill_processes
from karat.systems.attachment.classifiers import BALANCED_FOREST
from karat.systems.attachment.cross_validation import Decided, cross_validated, sentence_folds
from karat.systems.attachment.decisions import nearest_by_rules
from karat.systems.attachment.pair_data import AttachmentPairs

_VERSION = 1  # of what a run gives: one that changes it needs another number
PAIRS, DECISIONS, SIGNALS = "pairs with measures", "decisions", "signals"
_MEASURES = slice(2, 14)  # of the lexical collocation and of valence, the first features
_OF_PAIRS = ("sentence", "parent", "child", "n_objects", "is_edge", "by_rules", "in_wordnet", "child_in_wordnet")


@dataclass(frozen=True, slots=True)
class AttachmentRun:
    """Something that is computed from the pairs of a setting: the pairs, a classifier's decisions, or signals' use.

    A classifier is tried in `n_folds`, `by` sentence or document; it learns from `n_train` sentences of each fold, or
    from all of them, and sees some `signals`. With `is_shuffled`, edges are shuffled within each sentence.
    """

    setting: Setting
    what: str = DECISIONS
    classifier: str = BALANCED_FOREST
    n_folds: int = 10
    by: str = "sentence"
    n_train: int | None = None
    signals: str = EVERY
    is_shuffled: bool = False

    @property
    def condition(self) -> Condition:
        """What progress shows of it."""
        about = self.what if self.what != DECISIONS else self.classifier
        return Condition(f"{about} {self.signals}", self.setting.language, self.setting.sentences, self.setting.seed)

    def key(self, sha256: str) -> str:
        """The name of its result, from all that this depends on."""
        return hashlib.sha256(repr((_VERSION, sha256, self)).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True, eq=False)
class KeptPairs:
    """The pairs of a setting without signals; `measures` are those of lexical collocation and valence [pairs × 12].

    `rule_uses` are, of each rule, pairs accepted, edges among them, nearest neighbours, and edges among these.
    `word_edges` are pairs whose semantic heads are those of a gold edge, `n_gold_edges` how many of those a sentence
    has. `choices` are those of `verb_or_noun`.
    """

    pairs: AttachmentPairs
    measures: Floats
    rules: tuple[str, ...]
    rule_uses: Indices
    word_edges: Flags
    n_gold_edges: Indices
    choices: Indices
    n_words: int
    n_counted_words: int
    n_copies: int


@dataclass(frozen=True, slots=True, eq=False)
class KeptDecisions:
    """What a classifier decided, in which folds, about which edges, and what that took."""

    decided: Decided
    is_edge: Flags
    folds: Indices
    seconds: float


@dataclass(slots=True)
class AttachmentRuns:
    """The folder of runs, and who does them; `data` is that of each language."""

    data: Mapping[str, PaperData]
    folder: str
    jobs: int
    watch: Watch | None
    n_run: int = 0
    n_kept: int = 0
    failures: dict[AttachmentRun, str] = field(default_factory=dict)
    _hashes: dict[str, str] = field(default_factory=dict)

    def path(self, run: AttachmentRun) -> str:
        """The file of a run."""
        language = run.setting.language
        if language not in self._hashes:
            self._hashes[language] = self.data[language].sha256()
        return os.path.join(self.folder, f"{run.key(self._hashes[language])}.npz")

    def do(self, runs: Sequence[AttachmentRun]) -> None:
        """Do all runs that are not there yet."""
        os.makedirs(self.folder, exist_ok=True)
        every = list(dict.fromkeys(runs))
        left = [run for run in every if _kept(self.path(run)) is None]
        done = [run.condition for run in every if run not in left]
        self.n_kept += len(done)
        start = time.monotonic()
        for number, (run, error) in enumerate(self._finished(left), start=1):
            done.append(run.condition)
            if error is not None:
                self.failures[run] = error
            self.n_run += 1
            if self.watch is not None:
                each = (time.monotonic() - start) / number
                self.watch(GridProgress(done, [one.condition for one in every], each * (len(left) - number)))

    def _finished(self, runs: Sequence[AttachmentRun]) -> Iterator[tuple[AttachmentRun, str | None]]:
        """Runs as they are done, each with what went wrong, if anything."""
        asked = [(self.data[run.setting.language], run, self.path(run)) for run in runs]
        if self.jobs == 1 or len(runs) < 2:
            for data, run, path in asked:
                yield run, _do(data, run, path)
            return
        from joblib.externals.loky import ProcessPoolExecutor, as_completed

        executor = ProcessPoolExecutor(max_workers=self.jobs)
        try:
            with warnings.catch_warnings():  # loky renews processes that have read much, and says so
                warnings.filterwarnings("ignore", "A worker stopped while some jobs")
                waiting = {executor.submit(_do, *one): one[1] for one in asked}
                for future in as_completed(list(waiting)):
                    yield waiting[future], future.result()
        except BaseException:
            kill_processes(executor)
            raise
        executor.shutdown(wait=True)

    def _arrays(self, run: AttachmentRun) -> Mapping[str, Array]:
        """What a run gave; it is done now if it was not before. The run's own error if it failed."""
        path = self.path(run)
        found = _kept(path)
        if found is None and run not in self.failures:
            self.do([run])
            found = _kept(path)
        if found is None:
            raise KaratError(self.failures[run])
        return found

    def pairs(self, setting: Setting) -> KeptPairs:
        """The pairs of a setting."""
        arrays = self._arrays(AttachmentRun(setting, PAIRS))
        columns: dict[str, Any] = {name: arrays[name] for name in _OF_PAIRS}
        documents = arrays["documents"] if len(arrays["documents"]) else None
        names = tuple(map(str, arrays["names"].tolist()))
        pairs = AttachmentPairs(
            np.zeros((len(arrays["sentence"]), 0)), names, **columns, texts=arrays["texts"], documents=documents
        )
        return KeptPairs(
            pairs,
            arrays["measures"],
            tuple(map(str, arrays["rules"].tolist())),
            arrays["rule_uses"],
            arrays["word_edges"],
            arrays["n_gold_edges"],
            arrays["choices"],
            *map(int, arrays["sizes"].tolist()),
        )

    def decisions(self, run: AttachmentRun) -> KeptDecisions:
        """What a classifier decided."""
        arrays = self._arrays(run)
        flags = (arrays[name] for name in ("shares", "pairs", "one_parent", "thresholds"))
        return KeptDecisions(
            Decided(run.classifier, *flags), arrays["is_edge"], arrays["folds"], float(arrays["seconds"][0])
        )

    def signals(self, run: AttachmentRun) -> Mapping[str, Array]:
        """The use of signals."""
        return self._arrays(run)


def _kept(path: str) -> Mapping[str, Array] | None:
    """The arrays in a file; None if it is not there, or damaged."""
    try:
        with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as found:
            return {name: found[name] for name in found.files}
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile):
        return None


def _do(data: PaperData, run: AttachmentRun, path: str) -> str | None:
    """Do a run and keep what it gives; what went wrong with its data comes back."""
    from threadpoolctl import threadpool_limits

    try:
        with threadpool_limits(1):
            arrays = _made(data, run)
    except KaratError as error:
        return str(error)
    made = io.BytesIO()
    np.savez_compressed(made, allow_pickle=False, **arrays)
    replace_file(path, made.getvalue())
    return None


def _made(data: PaperData, run: AttachmentRun) -> dict[str, Array]:
    of = pairs_of_setting(data, run.setting)
    if run.what == PAIRS:
        return _pairs_kept(of)
    seed, pairs = run.setting.seed, of.pairs
    start = time.process_time()
    folds = sentence_folds(pairs, run.n_folds, by=run.by, seed=seed)
    if run.what == SIGNALS:
        return {**signal_use(pairs, folds, seed=seed)}
    if run.is_shuffled:
        pairs = replace(pairs, is_edge=shuffled_edges(pairs, seed))
    columns = columns_of(run.signals, pairs.names)
    decided = cross_validated(pairs, run.classifier, folds, seed=seed, columns=columns, n_train=run.n_train)
    return {
        "shares": decided.shares,
        "pairs": decided.pairs,
        "one_parent": decided.one_parent,
        "thresholds": decided.thresholds,
        "is_edge": pairs.is_edge,
        "folds": folds,
        "seconds": np.array([time.process_time() - start]),
    }


def _pairs_kept(of: SettingPairs) -> dict[str, Array]:
    pairs = of.pairs
    uses = []
    for flags in of.by_rule:
        nearest = nearest_by_rules(replace(pairs, by_rules=flags))
        uses.append([int(one.sum()) for one in (flags, flags & pairs.is_edge, nearest, nearest & pairs.is_edge)])
    word_edges, n_gold = _word_edges(of)
    n_copies = int(of.statistics.columns.n_sentences - len(np.unique(of.statistics.columns.hashes)))
    return {name: getattr(pairs, name) for name in _OF_PAIRS} | {
        "texts": pairs.texts,
        "documents": np.zeros(0, dtype=np.int64) if pairs.documents is None else pairs.documents,
        "names": np.array(pairs.names),
        "measures": pairs.signals[:, _MEASURES],
        "rules": np.array([one.name for one in of.rules.rules]),
        "rule_uses": np.array(uses, dtype=np.int64),
        "word_edges": word_edges,
        "n_gold_edges": n_gold,
        "choices": verb_or_noun(of.found.objects, pairs),
        "sizes": np.array([of.found.corpus.n_words, of.n_counted_words, n_copies]),
    }


def _word_edges(of: SettingPairs) -> tuple[Flags, Indices]:
    """Which pairs' semantic heads are those of an edge between gold groups, and how many edges each sentence has."""
    from karat.systems.groups.syntactic_objects import parents_of_objects

    gold, objects, pairs = of.gold.objects, of.found.objects, of.pairs
    heads = of.gold.corpus.heads
    assert heads is not None
    parents = parents_of_objects(gold, heads)
    children = np.flatnonzero(parents >= 0)
    n = len(gold.words)
    known = gold.semantic.take(parents[children]) * n + gold.semantic.take(children)
    first = objects.offsets[:-1].take(pairs.sentence)
    found = objects.semantic.take(first + pairs.parent) * n + objects.semantic.take(first + pairs.child)
    sentences = np.searchsorted(gold.offsets, children, side="right") - 1
    flags: Flags = np.isin(found, known)
    return flags, np.bincount(sentences, minlength=pairs.n_sentences)


def shuffled_edges(pairs: AttachmentPairs, seed: int) -> Flags:
    """The edges, shuffled over the pairs of each sentence."""
    rng = np.random.default_rng([seed, 1956])
    order = np.lexsort((rng.random(len(pairs)), pairs.sentence))  # pairs stand sentence by sentence
    found: Flags = pairs.is_edge[order]
    return found
