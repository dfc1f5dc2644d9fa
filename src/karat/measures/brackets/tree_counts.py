"""What bracket measures are computed from: counts of every tree, by name.

The items of Hogenhout & Matsumoto 1996 under their own names, labelled or not; what a person accepted and rejected
where someone looked; labelled and unlabelled brackets of the gold, of the system and right ones, whole trees and tags
for PARSEVAL's measures [Black et al. 1991].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from karat._arrays import Flags, Floats
from karat.corpus.interning import interned_together
from karat.measures.brackets.items import BracketComparison
from karat.measures.brackets.options import BracketOptions
from karat.measures.brackets.paired_trees import TreePair
from karat.measures.brackets.preparation import Brackets, Preparation, prepared
from karat.measures.measure import GoldUnits


@dataclass(frozen=True, eq=False)
class TreeComparison:
    """A pair of trees compared; `judged` has what people accepted and rejected, by item and tree."""

    pair: TreePair
    options: BracketOptions
    judged: Mapping[str, Floats] = field(default_factory=dict)

    @cached_property
    def unlabelled(self) -> BracketComparison:
        return self._compared(labelled=False)

    @cached_property
    def labelled(self) -> BracketComparison:
        return self._compared(labelled=True)

    @property
    def main(self) -> BracketComparison:
        """The comparison that the items are counted by."""
        return self.labelled if self.options.compares_labels else self.unlabelled

    def _compared(self, *, labelled: bool) -> BracketComparison:
        chosen = self.options
        how = Preparation(
            drop_empty=not chosen.keep_empty,
            merge_doubled=not chosen.keep_doubled,
            drop_one_word=not chosen.keep_one_word,
            labelled=labelled,
        )
        gold = prepared(self.pair.gold, self.pair.gold_dropped, how)
        system = prepared(self.pair.system, self.pair.system_dropped, how)
        is_parent = chosen.inheritance == "literal"
        return BracketComparison(gold, self._of_comparable(system).over(gold.word_offsets), labelled, is_parent)

    def _of_comparable(self, brackets: Brackets) -> Brackets:
        """The brackets of comparable trees; only where empty ones are kept do others have any."""
        kept = self.pair.comparable.take(brackets.trees)
        return brackets if kept.all() else brackets.only(kept)

    @cached_property
    def items(self) -> dict[str, Floats]:
        """The items of every tree, of the brackets whose label is wanted; without judgements EMA is EM."""
        counted = self.main.items_of(self.options.is_wanted) if self.options.label else self.main.items()
        found = {item: counts.astype(np.float64) for item, counts in counted.items()}
        return {**found, "EMA": found["EM"], "EMR": np.zeros_like(found["EM"]), **self.judged}

    @cached_property
    def values(self) -> dict[str, Floats]:
        """All counts of every tree, by name."""
        found = {**self.items, "sentences": np.ones(self.pair.gold.n_trees)}
        found["parsed"] = self.pair.comparable.astype(np.float64)
        labelled = self.labelled.items_of(self.options.is_wanted)
        kinds = {"labelled": labelled, "unlabelled": {} if self.options.label else self.unlabelled.items()}
        for kind, items in kinds.items():
            for name, item in (("gold", "TTB"), ("system", "TPB"), ("correct", "EM")):
                if item in items:
                    found[f"{kind} {name}"] = items[item].astype(np.float64)
        if not self.options.label:
            found |= self._of_sentences()
        return found

    @property
    def complete(self) -> Flags:
        """The trees that are parsed and have the gold's labelled brackets and no others."""
        items = self.labelled.items()
        found: Flags = self.pair.comparable & (items["EM"] == items["TTB"]) & (items["EM"] == items["TPB"])
        return found

    def crosses_at_most(self, n: int) -> Flags:
        """The trees that are parsed and have no more than so many crossing brackets."""
        return self.pair.comparable & (self.items["CE"] <= n)

    def _of_sentences(self) -> dict[str, Floats]:
        gold, system = self.pair.gold, self.pair.system
        flags = {"complete": self.complete, "no crossing": self.crosses_at_most(0)}
        flags["two or fewer crossing"] = self.crosses_at_most(2)
        counts = {
            "words": gold.tally_words(~self.pair.gold_dropped),
            "system words": system.tally_words(~self.pair.system_dropped),
            "right tags": gold.tally_words(self.right_tags),
        }
        return {name: counted.astype(np.float64) for name, counted in (*flags.items(), *counts.items())}

    @cached_property
    def right_tags(self) -> Flags:
        """The gold words that count and whose tag the system has."""
        ours, theirs = self.pair.kept_words()
        our_tags, their_tags = interned_together(self.pair.gold.tags[ours], self.pair.system.tags[theirs])
        right = np.zeros(self.pair.gold.n_words, dtype=np.bool_)
        right[ours] = our_tags == their_tags
        return right

    @property
    def n_words(self) -> Floats:
        """The length of every gold tree: its words with punctuation, without traces."""
        return self.pair.gold.tally_words(~self.pair.gold_traces).astype(np.float64)

    # the units of the gold by which two systems are compared

    def bracket_units(self, compared: BracketComparison) -> GoldUnits:
        """The gold brackets, and whether the system has them."""
        side, found = compared.gold, compared.found
        kept = np.array([self.options.is_wanted(name) for name in side.names], dtype=np.bool_).take(side.labels)
        return GoldUnits(side.trees[kept], found[kept], None, side.labels[kept], side.names)

    def word_units(self) -> GoldUnits:
        """The gold words that count, and whether the system has their tag."""
        words = np.flatnonzero(~self.pair.gold_dropped)
        return GoldUnits(self.pair.gold.word_trees.take(words), self.right_tags.take(words), words)

    def sentence_units(self, right: Flags) -> GoldUnits:
        """The trees."""
        return GoldUnits(np.arange(self.pair.gold.n_trees), right)
