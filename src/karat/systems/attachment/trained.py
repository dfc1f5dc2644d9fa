"""`karat.train_attachment` and `karat.attach`: a model of attachment in one file, and text that gets its edges."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from karat._arrays import Floats, Indices
from karat.corpus import Corpus, PathLike, read
from karat.corpus.files import compressed, write_beside
from karat.errors import DataError, Problem, UsageError
from karat.result import Cell, Result, Table
from karat.signature import signature
from karat.systems.attachment.attached_text import text_attached, words_attached
from karat.systems.attachment.classifiers import BALANCED_FOREST, refuse_missing_packages
from karat.systems.attachment.cross_validation import trained_with_thresholds
from karat.systems.attachment.decision_rules import (
    DecisionRules,
    decision_rules_from_text,
    read_decision_rules,
    refuse_rules_of_another_tagset,
)
from karat.systems.attachment.decisions import one_parent_each
from karat.systems.attachment.evaluation import groups_of_treebank, lemmas_lacking
from karat.systems.attachment.kept_forest import KeptForest, kept_forest, tops_of_trees
from karat.systems.attachment.signals import signal_names
from karat.systems.attachment.statistics import CooccurrenceStatistics
from karat.systems.attachment.statistics_file import (
    SYSTEM as STATISTICS,
    load_attachment_statistics,
    statistics_from_model,
    statistics_model,
)
from karat.systems.attachment.treebank_pairs import RULES, pairs_of_text, pairs_of_treebank
from karat.systems.groups.found_groups import FoundGroups, find_groups
from karat.systems.groups.patterns import GroupCascade
from karat.systems.model_file import Model, model_bytes, model_digest, read_model
from karat.tagsets import TagMap

SYSTEM = "attachment"
_PREFIX = "statistics."
_N_TOPS = 10  # signals that are shown


@dataclass(frozen=True, slots=True, eq=False)
class AttachmentModel:
    """A forest, the statistics and rules that its signals come from, and the threshold of edges of forests."""

    forest: KeptForest
    statistics: CooccurrenceStatistics
    rules: DecisionRules
    threshold: float
    signature: str

    @property
    def signals(self) -> tuple[str, ...]:
        """The names of the signals."""
        return (*signal_names(self.statistics.features), RULES)

    def parents(self, found: FoundGroups) -> tuple[Indices, Floats]:
        """The object that each object of a text is attached to, -1 for none, and how likely that edge is."""
        pairs, _ = pairs_of_text(found.objects, self.statistics, self.rules)
        shares = self.forest.probabilities(pairs.signals)
        chosen = np.flatnonzero(one_parent_each(pairs, np.arange(len(pairs)), shares, self.threshold))
        first = found.objects.offsets[:-1].take(pairs.sentence[chosen])
        parents, likely = np.full(len(found.objects), -1), np.zeros(len(found.objects))
        parents[first + pairs.child[chosen]] = first + pairs.parent[chosen]
        likely[first + pairs.child[chosen]] = shares[chosen]
        return parents, likely

    def kept(self) -> bytes:
        """The model's file."""
        statistics = statistics_model(self.statistics)
        header = {
            "statistics": dict(statistics.header),
            "rules": {"name": self.rules.name, "signed": self.rules.signed, "text": self.rules.text},
            "threshold": self.threshold,
            "signature": self.signature,
        }
        arrays = self.forest.parts() | {f"{_PREFIX}{name}": one for name, one in statistics.arrays.items()}
        return model_bytes(Model(SYSTEM, header, arrays, {}))


def load_attachment(path: PathLike) -> AttachmentModel:
    """The model in a file; a `DataError` if it is none, damaged, or made by a newer karat."""
    model = read_model(path)
    if model.system != SYSTEM:
        raise model.not_what_is_asked_for("a model of attachment", "karat attach train")
    arrays = {name.removeprefix(_PREFIX): one for name, one in model.arrays.items() if name.startswith(_PREFIX)}
    statistics = statistics_from_model(Model(STATISTICS, model.value("statistics", dict), arrays, {}, model.path))
    rules = model.value("rules", dict)
    if not all(isinstance(rules.get(name), str) for name in ("name", "signed", "text")):
        raise model.problem("its rules are missing or of another kind")
    threshold = model.value("threshold", float)
    if not 0 <= threshold <= 1:
        raise model.problem("its threshold is no probability")
    n_signals = len(signal_names(statistics.features)) + 1
    return AttachmentModel(
        KeptForest.from_model(model, n_signals),
        statistics,
        decision_rules_from_text(rules["text"], rules["name"], rules["signed"]),
        threshold,
        model.value("signature", str),
    )


@dataclass(frozen=True, eq=False, repr=False)
class TrainedAttachment(Result):
    """A model of attachment, and what it learnt from."""

    model: AttachmentModel
    path: str
    n_sentences: int
    n_pairs: int
    n_edges: int
    formats: tuple[tuple[str, str], ...]
    inputs: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    written: str | None = None

    @property
    def signature(self) -> str:
        """What was trained, how and on what."""
        return self.model.signature

    @cached_property
    def file(self) -> bytes:
        """The model's file."""
        return self.model.kept()

    @cached_property
    def tops(self) -> tuple[tuple[str, float], ...]:
        """The signals that stand most often at the tops of trees, in their first three levels, with their shares."""
        names = self.model.signals
        shares = tops_of_trees(self.model.forest, len(names)).mean(axis=0)
        return tuple((names[one], float(shares[one])) for one in np.argsort(-shares, kind="stable")[:_N_TOPS].tolist())

    def save(self, path: PathLike) -> TrainedAttachment:
        """Write the model into one file; the same result comes back, with the file's name. Inputs are kept."""
        write_beside(self.inputs, path, self.file)
        return replace(self, written=os.fspath(path))

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, in the schema karat/attach-train/1."""
        return {
            "schema": "karat/attach-train/1",
            "signature": self.signature,
            "written": self.written,
            "treebank": self.path,
            "sentences": self.n_sentences,
            "pairs": self.n_pairs,
            "edges": self.n_edges,
            "signals": len(self.model.signals),
            "trees": self.model.forest.n_trees,
            "threshold": self.model.threshold,
            "tops": [{"signal": name, "share": share} for name, share in self.tops],
            "bytes": len(self.file),
            "warnings": list(self.warnings),
        }

    def records(self) -> Table:
        """The signals at the tops of trees."""
        return Table(["signal", "share"], [[name, share] for name, share in self.tops])


def train_attachment(
    treebank: Corpus | PathLike | Sequence[PathLike],
    statistics: CooccurrenceStatistics | PathLike,
    *,
    max_words: int | None = None,
    rules: PathLike | None = None,
    groups: PathLike | GroupCascade | None = None,
    tagset: str | None = None,
    map: PathLike | Mapping[str, str] | TagMap | None = None,
    input: str | None = None,
    seed: int = 0,
    jobs: int = 1,
) -> TrainedAttachment:
    """A balanced random forest that has learnt from a treebank which groups are connected, with all that it needs."""
    refuse_missing_packages()
    path = None if isinstance(statistics, CooccurrenceStatistics) else os.fspath(statistics)
    counts = statistics if isinstance(statistics, CooccurrenceStatistics) else load_attachment_statistics(statistics)
    corpus = treebank if isinstance(treebank, Corpus) else read(treebank, input=input, tag="xpos")
    found = groups_of_treebank(corpus, counts, groups, tagset, map, max_words, None, seed)
    own_rules = read_decision_rules(rules if rules is not None else counts.tagset)
    refuse_rules_of_another_tagset(own_rules, counts.tagset)
    pairs, _ = pairs_of_treebank(found.corpus, found.objects, counts, own_rules)
    everything = np.ones(pairs.n_sentences, dtype=np.bool_)
    forest, thresholds = trained_with_thresholds(
        pairs, pairs.signals, BALANCED_FOREST, everything, seed=seed, jobs=jobs
    )
    source = found.corpus.source
    inputs = [("treebank", source.path, source.sha256())]
    inputs += [("statistics", path, model_digest(path))] if path is not None else []
    settings = [*found.settings, ("rules", own_rules.signed), ("classifier", BALANCED_FOREST), ("seed", str(seed))]
    settings += [("max-words", str(max_words))] if max_words is not None else []
    return TrainedAttachment(
        AttachmentModel(
            kept_forest(forest), counts, own_rules, thresholds[1], signature("attach-train", settings, inputs)
        ),
        found.corpus.path,
        pairs.n_sentences,
        len(pairs),
        int(pairs.is_edge.sum()),
        found.formats,
        (*(part.path for part in source.parts), *([path] if path is not None else [])),
        (*found.warnings, *lemmas_lacking(found, counts)),
    )


@dataclass(frozen=True, eq=False, repr=False)
class AttachedText(Result):
    """A text whose objects have parents: how many, and the text in CoNLL-U."""

    found: FoundGroups
    parents: Indices
    shares: Floats
    settings: tuple[tuple[str, str], ...]
    inputs: tuple[tuple[str, str, str], ...]
    warnings: tuple[str, ...] = ()
    written: str | None = None

    @cached_property
    def signature(self) -> str:
        """What was attached, by which model."""
        return signature("attach-apply", self.settings, self.inputs)

    @property
    def formats(self) -> tuple[tuple[str, str], ...]:
        return self.found.formats

    @property
    def n_attached(self) -> int:
        """How many objects have a parent."""
        return int((self.parents >= 0).sum())

    @cached_property
    def file(self) -> bytes:
        """The text in CoNLL-U."""
        return text_attached(self.found.corpus, *words_attached(self.found.objects, self.parents))

    def write(self, path: PathLike) -> AttachedText:
        """Write the text; the same result comes back, with the file's name. Inputs are kept."""
        inputs = [*(part.path for part in self.found.corpus.source.parts), *(one for _, one, _ in self.inputs)]
        write_beside(inputs, path, compressed(self.file, os.fspath(path)))
        return replace(self, written=os.fspath(path))

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, in the schema karat/attach-apply/1."""
        attached = self.parents >= 0
        return {
            "schema": "karat/attach-apply/1",
            "signature": self.signature,
            "written": self.written,
            "sentences": self.found.corpus.n_sentences,
            "words": self.found.corpus.n_words,
            "objects": len(self.found.objects),
            "attached": self.n_attached,
            "mean_probability": float(self.shares[attached].mean()) if attached.any() else None,
            "warnings": list(self.warnings),
        }

    def records(self) -> Table:
        """One row."""
        data = self.to_dict()
        names = [name for name in data if name not in ("schema", "signature", "warnings")]
        row: list[Cell] = [data[name] for name in names]
        return Table(names, [row])


def attach(
    model: AttachmentModel | TrainedAttachment | PathLike,
    text: Corpus | PathLike | Sequence[PathLike],
    *,
    groups: PathLike | GroupCascade | None = None,
    map: PathLike | Mapping[str, str] | TagMap | None = None,
    input: str | None = None,
) -> AttachedText:
    """Tagged text with its groups attached to each other: at most one parent each, no cycle."""
    path = None if isinstance(model, (AttachmentModel, TrainedAttachment)) else os.fspath(model)
    ours = model.model if isinstance(model, TrainedAttachment) else model
    loaded = ours if isinstance(ours, AttachmentModel) else load_attachment(ours)
    found = find_groups(text, groups=groups, tagset=loaded.statistics.tagset, map=map, limit=1, input=input)
    if found.cascade.signed != loaded.statistics.groups:
        raise UsageError(f"the model has groups of {loaded.statistics.groups}: give the same `groups`")
    if found.corpus.format == "conllu" and len(found.corpus.source.parts) > 1:
        raise DataError(Problem("K104", "several files: give one text at a time", found.corpus.path))
    parents, shares = loaded.parents(found)
    source = found.corpus.source
    inputs = [("model", path, model_digest(path))] if path is not None else []
    return AttachedText(
        found,
        parents,
        shares,
        tuple(found.settings),
        (*inputs, ("text", source.path, source.sha256())),
        (*found.warnings, *lemmas_lacking(found, loaded.statistics)),
    )
