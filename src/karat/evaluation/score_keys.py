"""Scoring sense keys: every score of tags in a hierarchy of every system against one gold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Flags, Floats
from karat.corpus import Bad, Corpus, Source, read_source
from karat.corpus.constituency_trees import Trees
from karat.corpus.formats import Readable
from karat.corpus.readers.key import Keys, key_from_source
from karat.errors import DataError, Problem, UsageError
from karat.evaluation.results import MeasureScore, Skipped, SystemScores
from karat.evaluation.word_scores import several
from karat.inference.options import InferenceOptions
from karat.measures import GoldUnits, measures_named
from karat.measures.hierarchical.answer_pairs import AnswerPairs
from karat.measures.hierarchical.options import DEFAULT_HIERARCHICAL, HierarchyOptions
from karat.measures.hierarchical.scores import HierarchicalScore, hierarchical_scores

__all__ = ["KEY_SPLITS", "KeyPlan", "key_plan"]

KEY_SPLITS = ("type",)


@dataclass(frozen=True, slots=True, eq=False)
class KeyPlan:
    """What is to be scored of sense keys, checked once for all systems."""

    measures: Sequence[HierarchicalScore]
    options: HierarchyOptions
    by: tuple[str, ...]
    bad: Bad
    intervals: bool
    inference: InferenceOptions
    keeps_units: bool = False

    def keys(self, readable: Readable) -> Keys:
        """The keys in what is to be scored."""
        if isinstance(readable, Keys):
            return readable
        if isinstance(readable, (Corpus, Trees)):
            raise UsageError("sense keys are scored against sense keys")
        return key_from_source(readable if isinstance(readable, Source) else read_source(readable), bad=self.bad)

    def score_each(self, gold: Readable, systems: Sequence[tuple[str, Readable]]) -> tuple[Keys, list[SystemScores]]:
        """The gold and the scores of each system, without intervals; a `DataError` with the problems of all inputs."""
        problems: list[Problem] = []
        ours: Keys | None = None
        try:
            ours = self.keys(gold)
        except DataError as error:
            problems += error.problems
        found = []
        for name, one in systems:
            try:
                theirs = self.keys(one)
                if ours is not None:
                    found.append(self._scores(ours, theirs, name))
            except DataError as error:  # the others may have problems too
                problems += [problem for problem in error.problems if problem not in problems]
        if problems or ours is None:
            raise DataError(problems)
        return ours, found

    def _scores(self, gold: Keys, system: Keys, name: str) -> SystemScores:
        pairs, instances, notes = self.options.pairs_of_keys(gold, system)
        if not pairs.in_test.any():
            raise DataError(Problem("K502", "no gold instance is left to score", gold.path))
        counts = self._counts(pairs, ~gold.bad)
        return SystemScores(
            name,
            system.path,
            {
                one.name: MeasureScore.from_counts(one, counts[one.name].sum(axis=0), one.said_of(pairs))
                for one in self.measures
            },
            counts,
            {split: self._by_type(pairs, gold) for split in self.by},
            {},
            Skipped(int(gold.bad.sum()), int(system.bad.sum()), (*gold.problems, *system.problems)),
            {},
            system.source,
            system.format,
            system.warnings,
            _units(self.measures, pairs) if self.keeps_units else {},
            notes=tuple(notes),
            instances=instances,
        )

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

    def _by_type(self, pairs: AnswerPairs, gold: Keys) -> dict[str, dict[str, MeasureScore]]:
        """The scores of each word type, in the order of the gold."""
        n = len(gold.types)
        rows = np.append(gold.type_of, n).astype(np.intp)  # the last: of what is not in the test
        of_type = [one.tallied(pairs, rows[pairs.rows], rows[pairs.system_rows], n) for one in self.measures]
        return {
            name: {
                one.name: MeasureScore.from_counts(one, counts[number])
                for one, counts in zip(self.measures, of_type, strict=True)
            }
            for number, name in enumerate(gold.types)
            if any(counts[number].any() for counts in of_type)
        }

    def warnings(self, systems: Sequence[SystemScores]) -> list[str]:
        """What must not be overlooked of the systems."""
        every = [(one.name, note) for one in systems for note in one.notes]
        return [note if len(systems) == 1 else f"{name}: {note}" for name, note in every]

    def settings(self, _: Sequence[SystemScores], cluster: str | None = None) -> tuple[tuple[str, str], ...]:
        """The settings that a signature names; where intervals were made, also how and with which clusters."""
        names = [measure.name for measure in self.measures]
        settings = [("like", "karat"), ("measures", ",".join(names)), *self.options.signed(names)]
        if self.by:
            settings.append(("by", ",".join(self.by)))
        if self.bad == "keep":
            settings.append(("bad", "skipped"))
        if cluster is not None:
            settings += [("cluster", cluster), *self.inference.signed()]
        return tuple(settings)


def _units(measures: Sequence[HierarchicalScore], pairs: AnswerPairs) -> dict[str, GoldUnits]:
    found = ((one.name, one.right_units(pairs)) for one in measures)
    return {name: units for name, units in found if units is not None}


def key_plan(
    *,
    measures: str | Iterable[str] | None = None,
    hierarchy: HierarchyOptions | None = None,
    by: str | Iterable[str] = (),
    skip_bad: bool = False,
    intervals: bool | None = None,
    inference: InferenceOptions | None = None,
    default: Sequence[str] = DEFAULT_HIERARCHICAL,
    keeps_units: bool = False,
) -> KeyPlan:
    """The plan that the options of `score` ask for; a `UsageError` for what does not exist."""
    names = several(measures or ())
    if measures is not None and not names:
        raise UsageError("no measure was named")
    splits = several(by)
    for split in splits:
        if split not in KEY_SPLITS:
            raise UsageError(f"no split of sense keys by {split!r}; there is {', '.join(KEY_SPLITS)}")
    inference = inference or InferenceOptions()
    return KeyPlan(
        measures_named(names or default, hierarchical_scores()),
        hierarchy or HierarchyOptions(),
        splits,
        "keep" if skip_bad else "raise",
        (True if intervals is None else intervals) and inference.n_resamples > 0,
        inference,
        keeps_units,
    )
