"""`karat.evaluate_attachment`: classifiers tried on a treebank in folds, beside the nearest neighbour by rules [§3]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from karat._arrays import Flags
from karat.corpus import Corpus, PathLike, read
from karat.corpus.chosen_sentences import chosen_sentences
from karat.corpus.documents_from_comments import document_comment, with_documents
from karat.errors import NO_LINE, DataError, Problem, UsageError
from karat.inference.clusters import Clusters, each_by_itself
from karat.inference.options import InferenceOptions
from karat.inference.resampling import Progress
from karat.result import Cell, Result, Table
from karat.signature import signature
from karat.systems.attachment.classifiers import BALANCED_FOREST, classifiers_named, refuse_missing_packages
from karat.systems.attachment.cross_validation import Decided, cross_validated, sentence_folds
from karat.systems.attachment.decision_rules import DecisionRules, read_decision_rules, refuse_rules_of_another_tagset
from karat.systems.attachment.decisions import nearest_by_rules
from karat.systems.attachment.edge_scores import EdgeDifference, EdgeScores, edge_scores, f1_difference
from karat.systems.attachment.pair_data import AttachmentPairs
from karat.systems.attachment.statistics import CooccurrenceStatistics
from karat.systems.attachment.statistics_file import load_attachment_statistics
from karat.systems.attachment.thresholds import precision_recall_curve, recall_at_precision
from karat.systems.attachment.treebank_pairs import pairs_of_treebank
from karat.systems.groups.found_groups import FoundGroups, find_groups
from karat.systems.groups.patterns import GroupCascade
from karat.systems.model_file import model_digest
from karat.tagsets import TagMap

SCHEMA = "karat/attach-evaluate/1"
PAPER_PRECISION = 0.89
_WAYS = ("pairs", "one_parent")


@dataclass(frozen=True, slots=True, eq=False)
class RulePrecision:
    """What a handwritten rule accepts: pairs, and nearest neighbours; and how many of these are edges."""

    name: str
    accepted: int
    edges: int
    nearest: int
    nearest_edges: int

    def to_dict(self) -> dict[str, Any]:
        """The rule as plain data."""
        return {
            "rule": self.name,
            "accepted": self.accepted,
            "precision": self.edges / self.accepted if self.accepted else None,
            "nearest": self.nearest,
            "nearest_precision": self.nearest_edges / self.nearest if self.nearest else None,
        }


@dataclass(frozen=True, slots=True, eq=False)
class ClassifierScores:
    """How good a classifier's edges are: pair by pair, and with one parent each; and against the baseline.

    `in_wordnet` are the scores over pairs of which both semantic heads have a synset, `child_in_wordnet` those of which
    the child's has; None without a wordnet.
    """

    decided: Decided
    scores: Mapping[str, EdgeScores]
    in_wordnet: Mapping[str, EdgeScores] | None
    child_in_wordnet: Mapping[str, EdgeScores] | None
    beyond_baseline: Mapping[str, EdgeDifference]
    recall_at_precision: float | None
    curve: Sequence[tuple[float, float, float]]

    def to_dict(self) -> dict[str, Any]:
        """The scores as plain data."""
        data: dict[str, Any] = {way: self.scores[way].to_dict() for way in _WAYS}
        for way in _WAYS:
            data[way]["beyond_baseline"] = self.beyond_baseline[way].to_dict()
        for name, of in (("in_wordnet", self.in_wordnet), ("child_in_wordnet", self.child_in_wordnet)):
            data[name] = None if of is None else {way: of[way].to_dict() for way in _WAYS}
        data["recall_at_precision"] = {"precision": PAPER_PRECISION, "recall": self.recall_at_precision}
        data["thresholds"] = {way: self.decided.thresholds[:, i].tolist() for i, way in enumerate(_WAYS)}
        data["curve"] = [dict(zip(("threshold", "precision", "recall"), one, strict=True)) for one in self.curve]
        return data


@dataclass(frozen=True, eq=False, repr=False)
class EvaluatedAttachment(Result):
    """Classifiers of attachment on a treebank, in folds, beside the baseline."""

    path: str
    pairs: AttachmentPairs
    n_words: int
    n_folds: int
    by: str
    clusters: Clusters
    classifiers: Mapping[str, ClassifierScores]
    baseline: EdgeScores
    rules: Sequence[RulePrecision]
    has_wordnet: bool
    inference: InferenceOptions
    settings: tuple[tuple[str, str], ...]
    inputs: tuple[tuple[str, str, str], ...]
    formats: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...] = ()

    @cached_property
    def signature(self) -> str:
        """What was evaluated, how and on what."""
        return signature("attach-evaluate", self.settings, self.inputs)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, in the schema karat/attach-evaluate/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "treebank": self.path,
            "sentences": self.pairs.n_sentences,
            "words": self.n_words,
            "objects": int(self.pairs.n_objects.sum()),
            "pairs": len(self.pairs),
            "edges": int(self.pairs.is_edge.sum()),
            "signals": len(self.pairs.names),
            "wordnet": self.has_wordnet,
            "folds": self.n_folds,
            "by": self.by,
            "cluster": self.clusters.kind,
            "clusters": self.clusters.n,
            "classifiers": {name: one.to_dict() for name, one in self.classifiers.items()},
            "baseline": self.baseline.to_dict(),
            "rules": [one.to_dict() for one in self.rules],
            "warnings": list(self.warnings),
        }

    def records(self) -> Table:
        """A row for each classifier and way to decide, and the baseline."""
        columns = ["classifier", "edges", "precision", "recall", "f1", "f1_lower", "f1_upper", "tp", "fp", "fn", "tn"]
        rows = [_record("baseline", "nearest_neighbour", self.baseline)]
        rows += [_record(name, way, one.scores[way]) for name, one in self.classifiers.items() for way in _WAYS]
        return Table(columns, rows)


def _record(name: str, way: str, scores: EdgeScores) -> list[Cell]:
    data = scores.to_dict()
    row: list[Cell] = [name, way, *(data[one] for one in ("precision", "recall", "f1", "f1_lower", "f1_upper"))]
    return [*row, *data["counts"].values()]


def evaluate_attachment(
    treebank: Corpus | PathLike | Sequence[PathLike],
    statistics: CooccurrenceStatistics | PathLike,
    *,
    folds: int = 10,
    by: str = "sentence",
    max_words: int | None = None,
    sentences: int | None = None,
    document_from: str | None = None,
    document_pattern: str | None = None,
    classifiers: str | list[str] = BALANCED_FOREST,
    rules: PathLike | None = None,
    groups: PathLike | GroupCascade | None = None,
    tagset: str | None = None,
    map: PathLike | Mapping[str, str] | TagMap | None = None,
    input: str | None = None,
    inference: InferenceOptions | None = None,
    progress: Progress | None = None,
) -> EvaluatedAttachment:
    """How well classifiers find the edges between groups, from co-occurrence; in folds, `by` sentence or document.

    Sentences of more than `max_words` words are left out; so many `sentences` are drawn at random (the seed is that of
    `inference`). Documents are those that the treebank marks, or that a comment of its sentences names
    (`document_from`, and a `document_pattern`). Each sentence is left out of the statistics, with all its copies.
    """
    refuse_missing_packages()
    inference = inference or InferenceOptions()
    names = classifiers_named(classifiers)
    path = None if isinstance(statistics, CooccurrenceStatistics) else statistics
    counts = statistics if isinstance(statistics, CooccurrenceStatistics) else load_attachment_statistics(statistics)
    comment = document_comment(document_from, document_pattern)
    corpus = treebank if isinstance(treebank, Corpus) else read(treebank, input=input, tag="xpos")
    corpus = with_documents(corpus, comment)
    found = groups_of_treebank(corpus, counts, groups, tagset, map, max_words, sentences, inference.seed)
    own_rules = read_decision_rules(rules if rules is not None else counts.tagset)
    refuse_rules_of_another_tagset(own_rules, counts.tagset)
    pairs, by_rule = pairs_of_treebank(found.corpus, found.objects, counts, own_rules)
    if not pairs.is_edge.any():
        raise DataError(Problem("K104", "no two groups are connected by its trees", found.corpus.path, NO_LINE))
    fold_of_sentence = sentence_folds(pairs, folds, by=by, seed=inference.seed)
    clusters = _clusters(pairs, inference)
    nearest = nearest_by_rules(pairs)
    baseline = edge_scores(pairs, nearest, clusters, inference)
    scores = {}
    for number, name in enumerate(names):
        decided = cross_validated(
            pairs,
            name,
            fold_of_sentence,
            seed=inference.seed,
            jobs=inference.jobs,
            progress=None if progress is None else _nth(progress, number, len(names)),
        )
        scores[name] = _scores(pairs, decided, baseline, clusters, inference, has_wordnet=counts.wordnet is not None)
    source = found.corpus.source
    inputs = [("treebank", source.path, source.sha256())]
    inputs += [("statistics", str(path), model_digest(path))] if path is not None else []
    settings = [*found.settings, ("rules", own_rules.signed), ("classifiers", ",".join(names)), ("folds", str(folds))]
    settings += [("by", by)] + ([("max-words", str(max_words))] if max_words is not None else [])
    settings += [("sentences", str(sentences))] if sentences is not None else []
    settings += comment.signed() if comment is not None else []
    return EvaluatedAttachment(
        found.corpus.path,
        pairs,
        found.corpus.n_words,
        folds,
        by,
        clusters,
        scores,
        baseline,
        _rule_precisions(own_rules, pairs, by_rule),
        counts.wordnet is not None,
        inference,
        (*settings, ("cluster", clusters.signed), *inference.signed()),
        tuple(inputs),
        found.formats,
        (*clusters.warnings(), *found.warnings, *lemmas_lacking(found, counts)),
    )


def lemmas_lacking(found: FoundGroups, statistics: CooccurrenceStatistics) -> list[str]:
    """What is to be known where statistics are of lemmas and the text has none."""
    if found.objects.words.has_lemmas or not statistics.has_lemmas:
        return []
    return ["the statistics are of lemmas, which this text lacks: its forms are looked up among them"]


def groups_of_treebank(
    corpus: Corpus,
    counts: CooccurrenceStatistics,
    groups: PathLike | GroupCascade | None,
    tagset: str | None,
    map: PathLike | Mapping[str, str] | TagMap | None,
    max_words: int | None,
    sentences: int | None,
    seed: int,
) -> FoundGroups:
    """The groups of the sentences that are evaluated."""
    chosen = np.arange(corpus.n_sentences)
    if max_words is not None:
        chosen = chosen[np.diff(corpus.sentence_offsets) <= max_words]
    if sentences is not None and sentences < len(chosen):
        chosen = np.sort(np.random.default_rng([seed, 963]).permutation(chosen)[:sentences])
    if not len(chosen):
        raise DataError(Problem("K104", "there is no sentence to evaluate", corpus.path, NO_LINE))
    if len(chosen) < corpus.n_sentences:
        corpus = chosen_sentences(corpus, chosen)
    found = find_groups(corpus, groups=groups, tagset=tagset or counts.tagset, map=map, limit=1)
    if found.cascade.signed != counts.groups:
        raise UsageError(
            f"the statistics were counted over groups of {counts.groups}, these are of {found.cascade.signed}: "
            "give the same `groups`"
        )
    return found


def _clusters(pairs: AttachmentPairs, inference: InferenceOptions) -> Clusters:
    """Documents where they are marked, else sentences."""
    if inference.cluster not in (None, "sentence", "document"):
        raise UsageError("clusters are sentences or documents here")
    if inference.cluster == "document" and pairs.documents is None:
        raise UsageError("the treebank marks no documents: `cluster` can only be sentence")
    if pairs.documents is not None and inference.cluster != "sentence":
        distinct, numbers = np.unique(pairs.documents, return_inverse=True)
        if len(distinct) > 1:
            return Clusters("document", "document", numbers.reshape(-1), len(distinct), n_documents=len(distinct))
    return replace(each_by_itself(pairs.n_sentences), kind="sentence", signed="sentence")


def _scores(
    pairs: AttachmentPairs,
    decided: Decided,
    baseline: EdgeScores,
    clusters: Clusters,
    inference: InferenceOptions,
    *,
    has_wordnet: bool,
) -> ClassifierScores:
    found: Mapping[str, Flags] = {"pairs": decided.pairs, "one_parent": decided.one_parent}

    def scored(kept: Flags | None) -> dict[str, EdgeScores]:
        return {way: edge_scores(pairs, flags, clusters, inference, kept) for way, flags in found.items()}

    whole = scored(None)
    return ClassifierScores(
        decided,
        whole,
        scored(pairs.in_wordnet) if has_wordnet else None,
        scored(pairs.child_in_wordnet) if has_wordnet else None,
        {way: f1_difference(baseline, one, clusters, inference) for way, one in whole.items()},
        recall_at_precision(decided.shares, pairs.is_edge, PAPER_PRECISION),
        precision_recall_curve(decided.shares, pairs.is_edge),
    )


def _rule_precisions(rules: DecisionRules, pairs: AttachmentPairs, by_rule: Flags) -> list[RulePrecision]:
    """How often each rule is right, over all pairs and over nearest neighbours that it accepts by itself."""

    found = []
    for rule, flags in zip(rules.rules, by_rule, strict=True):
        nearest = nearest_by_rules(replace(pairs, by_rules=flags))
        counts = [int(one.sum()) for one in (flags, flags & pairs.is_edge, nearest, nearest & pairs.is_edge)]
        found.append(RulePrecision(rule.name, *counts))
    return found


def _nth(progress: Progress, number: int, of: int) -> Progress:
    return lambda share: progress((number + share) / of)
