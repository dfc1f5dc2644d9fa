"""Sense keys: tags of instances, several of them and with probabilities [Melamed & Resnik 2000]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Floats
from karat.corpus import Corpus, Source, read_source
from karat.corpus.constituency_trees import Trees
from karat.corpus.formats import Readable
from karat.corpus.readers.key import Keys, key_from_source
from karat.errors import DataError, Problem, UsageError
from karat.evaluation.results import MeasureScore, Skipped, SystemScores
from karat.evaluation.task import Asked, Task
from karat.evaluation.words import tags_in_hierarchy
from karat.measures.catalogue import measures_named
from karat.measures.hierarchical.leaf_probability import AnswerPairs
from karat.measures.hierarchical.options import HierarchyOptions
from karat.measures.hierarchical.scores import HierarchicalScore, default_scores, hierarchical_scores
from karat.measures.hierarchical.tags_in_hierarchy import Instances, TagsInHierarchy
from karat.measures.splits import Groups, SentenceGroups, grouped, rows_by_group

KEY_SPLITS = ("type",)


@dataclass(frozen=True, slots=True, eq=False)
class KeyPair:
    """The answers of gold and system, instance by instance."""

    gold: Keys
    system: Keys
    pairs: AnswerPairs
    instances: Instances
    notes: list[str]


@dataclass(frozen=True, slots=True, eq=False)
class KeyTask(Task[Keys, KeyPair]):
    """How sense keys are scored."""

    measures: Sequence[HierarchicalScore]
    asked: Asked
    tags: TagsInHierarchy
    by: tuple[str, ...] = ()

    def read_gold(self, readable: Readable) -> Keys:
        if isinstance(readable, Keys):
            return readable
        if isinstance(readable, (Corpus, Trees)):
            raise UsageError("sense keys can only be scored against sense keys")
        return key_from_source(readable if isinstance(readable, Source) else read_source(readable), bad=self.asked.bad)

    def paired(self, gold: Keys, system: Keys) -> KeyPair:
        found = KeyPair(gold, system, *self.tags.pairs_of_keys(gold, system))
        if not found.pairs.in_test.any():
            raise DataError(Problem("K502", "no gold instance is left to score", gold.path))
        return found

    def scores(self, pair: KeyPair, name: str) -> SystemScores:
        gold, system, pairs = pair.gold, pair.system, pair.pairs
        counts = self._counts(pairs, ~gold.bad)
        units = ((one.name, one.right_units(pairs)) for one in self.measures if self.asked.is_comparison)
        return SystemScores(
            name,
            system.path,
            {
                one.name: MeasureScore.from_counts(one, counts[one.name].sum(axis=0), one.range_of(pairs))
                for one in self.measures
            },
            counts,
            Skipped(int(gold.bad.sum()), int(system.bad.sum()), (*gold.problems, *system.problems)),
            system.source,
            system.format,
            warnings=system.warnings,
            units={name: found for name, found in units if found is not None},
            groups={split: self._by_type(counts, gold) for split in self.by},
            notes=tuple(pair.notes),
            instances=pair.instances,
        )

    def settings(self, systems: Sequence[SystemScores]) -> list[tuple[str, str]]:
        names = [measure.name for measure in self.measures]
        settings = [("like", "karat"), ("measures", ",".join(names)), *self.tags.signed(names)]
        settings += [("by", ",".join(self.by))] if self.by else []
        return settings + ([("bad", "skipped")] if self.asked.skip_bad else [])

    def _counts(self, pairs: AnswerPairs, is_good: Flags) -> dict[str, Floats]:
        """The counts of every good gold instance; those of hP, hR and hF are the same."""
        made: dict[bool | str, Floats] = {}
        found = {}
        for one in self.measures:
            key = one.name if one.extras else True
            if key not in made:
                counts = one.tallied(pairs, pairs.rows, pairs.system_rows, pairs.n_rows)
                made[key] = counts if is_good.all() else counts[is_good]
            found[one.name] = made[key]
        return found

    def _by_type(self, counts: Mapping[str, Floats], gold: Keys) -> Groups:
        """The counts of each word type, in the order of the gold."""
        types = SentenceGroups(gold.types, gold.type_of[~gold.bad].astype(np.intp))
        return grouped(types.names, [rows_by_group(one, counts[one.name], types) for one in self.measures])


def key_task(asked: Asked) -> KeyTask:
    """The task that is asked for; a `UsageError` for what does not exist."""
    tags = tags_in_hierarchy(asked) or TagsInHierarchy(HierarchyOptions())
    every = hierarchical_scores()
    names = every if asked.is_all else asked.measure_names or default_scores(asked.is_comparison, asked.statistic)
    return KeyTask(measures_named(names, every), asked, tags, asked.splits(KEY_SPLITS, " of sense keys"))
