"""Learning transformations: again and again the rule that corrects most, until none corrects enough [Brill 1995].

Of rules with the same gain the one that spoils fewer words comes first, then the one whose template, action and values
come first. A rule is applied to the whole text at once: what it changes at one place does not matter for it at another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from karat._arrays import Array, Ids, Indices
from karat._ragged import Ragged, offsets_of
from karat.inference.resampling import Progress
from karat.systems.transformations import REACH, Rules, TransformationGrammar

if TYPE_CHECKING:
    from karat.systems._compiled_transformation_learning import Counts
    from karat.systems._compiled_transformations import Places, Words

_FEWEST_RULES = 1 << 16
_N_ACTIONS = 1 << 16  # slots for whether rules with an action and its values were counted
_VERY_MANY = 1 << 40  # edges, so that none looks for rules by them
_EVERYTHING = 1 << REACH  # as if the word's own tag changed


@dataclass(frozen=True, slots=True, eq=False)
class TagState:
    """A text that is being tagged: tags, candidates and features of words, with edges between sentences.

    `places` has where each word of the text stands, `several` the places of words with several candidates.
    """

    tags: Ids
    offsets: Indices
    candidates: Ids
    features: Ids
    places: Indices
    several: Indices

    def words(self, gold: Ids | None = None) -> Words:
        """The text as kernels have it; edges and words that have no right tag have -1."""
        padded = np.full(len(self.tags), -1, dtype=np.int32)
        if gold is not None:
            padded[self.places] = gold
        return self.tags, padded, self.offsets, self.candidates, self.features


def tag_state(sentence_offsets: Indices, tags: Ids, candidates: Ragged, features: Ids, n_labels: int) -> TagState:
    """Tags, candidates and features [features × words] of sentences, with `REACH` edges around each."""
    n_sentences, n_words = len(sentence_offsets) - 1, len(tags)
    sentence = np.repeat(np.arange(n_sentences), np.diff(sentence_offsets))
    places = np.arange(n_words) + REACH * (sentence + 1)
    n = n_words + REACH * (n_sentences + 1)
    padded = np.full(n, n_labels, dtype=np.int32)
    padded[places] = tags
    sizes = np.zeros(n, dtype=np.int64)
    sizes[places] = candidates.sizes
    columns = np.full((max(len(features), 1), n), -1, dtype=np.int32)
    columns[: len(features), places] = features
    several = np.flatnonzero(sizes > 1).astype(np.int64)
    offsets = offsets_of(sizes).astype(np.int64)
    return TagState(padded, offsets, candidates.values.astype(np.int32), columns, places, several)


def learnt_rules(
    state: TagState, gold: Ids, grammar: TransformationGrammar, threshold: int, progress: Progress | None = None
) -> Rules:
    """The rules that make a text's tags more like the right ones; the tags of the state change as they say.

    Learning ends when no rule corrects `threshold` words more than it spoils.
    """
    from karat.systems import _compiled_transformation_learning as learning, _compiled_transformations as compiled

    words, arrays, places = state.words(gold), grammar.arrays, _places_of(state, len(grammar.tags.labels))
    table = _RuleCounts(_FEWEST_RULES, grammar, threshold)
    wrong = state.several[(words[0] != words[1])[state.several] & (words[1][state.several] >= 0)]
    table.count(wrong, np.full(len(wrong), _EVERYTHING), 1, words)
    where, targets = np.zeros(len(state.several), dtype=np.int64), np.zeros(len(state.several), dtype=np.int32)
    marks, near = np.zeros(len(state.tags), dtype=np.int64), np.zeros(len(state.tags), dtype=np.int64)
    changed = np.zeros(len(state.tags), dtype=np.int64)
    keys, good, bad = [], [], []
    first_gain = 0
    while True:
        best = learning.best_rule(threshold, words, arrays, table.counts, places, where, targets)
        if best < 0:
            break
        rule = table.counts[1][best].copy()
        numbers = table.counts[2][best]
        keys.append(rule)
        good.append(int(numbers[learning.GOOD]))
        bad.append(int(numbers[learning.BAD]))
        n = compiled.changes(rule, words, arrays, places, where, targets, compiled.EVERY)
        n_near = learning.around(where, n, marks, words, near, changed)
        table.count(near[:n_near], changed[:n_near], -1, words)
        compiled.change(where, targets, n, words, places)
        table.count(near[:n_near], changed[:n_near], 1, words)
        if progress is not None:
            first_gain = first_gain or good[0] - bad[0]
            progress(_share_done(first_gain, good[-1] - bad[-1], threshold))
    every = np.array(keys, dtype=np.int64).reshape(-1, 2)
    return Rules(every, np.array(good, dtype=np.int32), np.array(bad, dtype=np.int32))


def _share_done(first: int, now: int, threshold: int) -> float:
    """Gains fall about as 1/rank: how far the last one is on its way from the first to the threshold."""
    done, every = 1 / max(now, 1) - 1 / first, 1 / threshold - 1 / first
    return min(max(done / every, 0.0), 1.0) if every > 0 else 1.0


def _places_of(state: TagState, n_labels: int, n_values: int = 0) -> Places:
    """The words chained by the tags that they have, and by the values of their features, so many at least."""
    from karat.systems import _compiled_transformations as compiled

    heads, behind, before = (np.full(n, -1, dtype=np.int64) for n in (n_labels + 1, len(state.tags), len(state.tags)))
    compiled.chain_words(state.places.astype(np.int64), state.words(), heads, behind, before)
    n_with = np.bincount(state.tags, minlength=n_labels + 1).astype(np.int64)
    n_with[n_labels] = _VERY_MANY
    n_values = max(int(state.features.max(initial=0)) + 1, n_values)
    starts = np.zeros((len(state.features), n_values + 1), dtype=np.int64)
    with_feature = np.zeros((len(state.features), len(state.places)), dtype=np.int64)
    for row, column in enumerate(state.features):
        some = np.flatnonzero(column >= 0)
        starts[row] = offsets_of(np.bincount(column[some], minlength=n_values))
        with_feature[row, : len(some)] = some[np.argsort(column[some], kind="stable")]
    return heads, behind, before, n_with, starts, with_feature


class _RuleCounts:
    """The counts of all rules that were ever good for something, in a hash table that grows."""

    def __init__(self, n_rules: int, grammar: TransformationGrammar, threshold: int) -> None:
        self.grammar, self.threshold = grammar, threshold
        self.counts: Counts = _empty(n_rules + 2 * grammar.most_contexts * len(grammar.notation.actions))

    def count(self, where: Indices, changed: Indices, sign: int, words: Words) -> None:
        """Count words for and against rules (+1), or take back that they were counted (-1)."""
        from karat.systems import _compiled_transformation_learning as learning

        done, arrays, most = 0, self.grammar.arrays, self.grammar.most_contexts
        while True:
            done = learning.count_words(where, changed, done, sign, self.threshold, words, arrays, self.counts, most)
            if done == len(where):
                return
            self._grow()

    def _grow(self) -> None:
        from karat.systems import _compiled_transformation_learning as learning

        _, keys, numbers, active, n_all, is_counted = self.counts
        larger = _empty(2 * len(keys))
        for old, new in zip((keys, numbers, active), larger[1:4], strict=True):
            new[: len(old)] = old
        larger[4][:], larger[5][:] = n_all, is_counted
        learning.rehashed(larger[0], larger[1], int(n_all[0]))
        self.counts = larger


def _empty(n_rules: int) -> Counts:
    """Room for so many rules."""
    n_slots = 1 << (2 * n_rules - 1).bit_length()
    keys: Array = np.zeros((n_rules, 2), dtype=np.int64)
    return (
        np.full(n_slots, -1, dtype=np.int32),
        keys,
        np.zeros((n_rules, 4), dtype=np.int32),
        np.zeros(n_rules, dtype=np.int32),
        np.zeros(2, dtype=np.int64),
        np.zeros(_N_ACTIONS, dtype=np.uint8),
    )


def apply_rules(state: TagState, rules: Rules, grammar: TransformationGrammar) -> None:
    """Change the tags of a text as rules say, one rule after the other."""
    from karat.systems import _compiled_transformations as compiled

    fields = rules.fields(len(grammar.notation.actions))
    n_values = int(fields[:, 4:].max(initial=0)) + 1  # rules may ask for forms that this text does not have
    places = _places_of(state, len(grammar.tags.labels), n_values)
    compiled.apply_rules(rules.keys, state.words(), grammar.arrays, places, len(state.several))
