"""The pairs of a treebank: its groups, their signals, what rules accept, and the edges of its trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from karat._arrays import Flags, Indices
from karat.corpus import Corpus
from karat.errors import NO_LINE, DataError, Problem
from karat.systems.attachment.decision_rules import DecisionRules
from karat.systems.attachment.object_columns import columns_of_objects
from karat.systems.attachment.pair_data import AttachmentPairs
from karat.systems.attachment.signals import signals
from karat.systems.attachment.statistics import CooccurrenceStatistics
from karat.systems.groups.syntactic_objects import SyntacticObjects, parents_of_objects

RULES = "rules"  # the name of the signal


def pairs_of_treebank(
    corpus: Corpus, objects: SyntacticObjects, statistics: CooccurrenceStatistics, rules: DecisionRules
) -> tuple[AttachmentPairs, Flags]:
    """The pairs of a corpus with trees, and which of them each rule accepts [rules × pairs]."""
    if corpus.heads is None or not (corpus.heads > 0).any():
        hint = "CoNLL-U with HEAD was expected; statistics alone need no trees (karat attach stats)"
        raise DataError(Problem("K104", "there are no trees to learn attachment from", corpus.path, NO_LINE, hint=hint))
    found, by_rule = pairs_of_text(objects, statistics, rules)
    first = objects.offsets[:-1].take(found.sentence)
    edges = parents_of_objects(objects, corpus.heads).take(first + found.child) == first + found.parent
    documents = corpus.sentence_document if corpus.has_documents else None
    return replace(found, is_edge=edges, documents=documents), by_rule


def pairs_of_text(
    objects: SyntacticObjects,
    statistics: CooccurrenceStatistics,
    rules: DecisionRules,
    *,
    leave_own_out: bool = True,
) -> tuple[AttachmentPairs, Flags]:
    """The pairs of a text without trees, none of which is an edge, and which of them each rule accepts."""
    made = signals(statistics, objects, leave_own_out=leave_own_out)
    by_rule = rules.accepted(objects, made.left, made.right)
    accepted: Flags = np.asarray(by_rule.any(axis=0))
    first = objects.offsets[:-1].take(made.sentences)
    known = _in_wordnet(objects, statistics)
    return AttachmentPairs(
        np.column_stack([made.matrix, accepted]).astype(np.float32, copy=False),
        (*made.names, RULES),
        made.sentences.astype(np.int32),
        (made.left - first).astype(np.int32),
        (made.right - first).astype(np.int32),
        np.diff(objects.offsets).astype(np.int32),
        np.zeros(len(made), dtype=np.bool_),
        accepted,
        known.take(made.left) & known.take(made.right),
        known.take(made.right),
        _texts(objects),
    ), by_rule


def _in_wordnet(objects: SyntacticObjects, statistics: CooccurrenceStatistics) -> Flags:
    """Which objects' semantic heads have a synset; none where there is no wordnet."""
    if statistics.wordnet is None:
        return np.zeros(len(objects), dtype=np.bool_)
    words = objects.words
    n_pos = len(words.pos.names) + 1
    lemma, pos = words.lemmas.ids.take(objects.semantic), words.pos.ids.take(objects.semantic)
    keys, numbers = np.unique(lemma.astype(np.int64) * n_pos + pos + 1, return_inverse=True)
    different: Sequence[tuple[str | None, str | None]] = [
        (words.lemmas.names[key // n_pos], words.pos.names[key % n_pos - 1] if key % n_pos else None)
        for key in keys.tolist()
    ]
    has: Flags = np.asarray(statistics.wordnet.hypernyms(different, words.tagset).sizes > 0)
    flags: Flags = np.asarray(has.take(numbers))
    return flags


def _texts(objects: SyntacticObjects) -> Indices:
    """A number for each sentence, the same for those of the same word forms."""
    _, numbers = np.unique(columns_of_objects(objects).hashes, return_inverse=True)
    return numbers
