"""Which categories of rich tags go wrong: by part of speech, category and value, with examples.

Of a word whose tags are not all right, the pair of a gold tag and a system tag that are most alike tells what is wrong:
the part of speech, or values of categories that both have, or, where the part of speech is right, a category that only
one has (`–` on the other side).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat._numbering import numbered_pairs
from karat.measures.positional.accuracy import score_table
from karat.measures.positional.several_tags import GradedTags
from karat.measures.words.comparison import Comparison, at
from karat.measures.words.confusion import Example, example_at, spread
from karat.tagsets import Tag
from karat.tagsets._tagset import POS

NO_VALUE = "–"


@dataclass(frozen=True, slots=True)
class TagErrorCount:
    """In a gold tag of this part of speech a category has one value, in the system's another, on `count` words.

    `weight` is that of the category, None where there is none.
    """

    pos: str
    category: str
    gold: str
    system: str
    count: int
    weight: float | None
    examples: tuple[Example, ...]


def tag_errors(
    comparison: Comparison, measure: GradedTags, *, n_top: int = 10, n_examples: int = 2
) -> list[TagErrorCount]:
    """What goes wrong in tags, the commonest first."""
    ours, theirs = measure.sides(comparison)
    our_tags, their_tags, _ = measure.parsed(comparison)
    same = np.array([[text == other for other in theirs.texts] for text in ours.texts], dtype=np.bool_)
    same = same.reshape(len(ours.texts), len(theirs.texts))
    scores = score_table(our_tags, their_tags, same, measure.how, "PA").score
    alignment = comparison.alignment
    kept = alignment.kept.take(comparison.matching_rows)
    gold, system = at(ours.sets, alignment.gold_words), at(theirs.sets, alignment.system_words)
    our_sets, their_sets, pair_of_word = numbered_pairs(gold, system, len(ours.sizes), len(theirs.sizes))
    found: dict[tuple[str, str, str, str], list[int]] = {}
    for number, (our_set, their_set) in enumerate(zip(our_sets.tolist(), their_sets.tolist(), strict=True)):
        mine = ours.members.row(our_set)
        other = theirs.members.row(their_set)
        if not len(mine) or not len(other):
            continue
        best = int(scores[np.ix_(mine, other)].argmax())
        pair = our_tags[mine[best // len(other)]], their_tags[other[best % len(other)]]
        for what in tag_differences(*pair, measure.how.ignored):
            found.setdefault(what, []).append(number)
    n_of_pair = np.bincount(pair_of_word[kept], minlength=len(our_sets))
    counted = {what: int(n_of_pair[numbers].sum()) for what, numbers in found.items()}
    ranked = sorted((what for what in counted if counted[what]), key=lambda what: (-counted[what], what))[:n_top]
    weights = measure.how.weights.absolute if measure.how.weights else {}
    errors = []
    for what in ranked:
        places = np.flatnonzero(kept & np.isin(pair_of_word, found[what]))
        words = alignment.gold_words[spread(places, n_examples)].tolist()
        examples = tuple(example_at(comparison, word) for word in words)
        errors.append(TagErrorCount(*what, counted[what], weights.get(what[1]), examples))
    return errors


def tag_differences(gold: Tag | None, system: Tag | None, ignored: frozenset[str]) -> list[tuple[str, str, str, str]]:
    """Part of speech of the gold, category, gold value and system value of all that differs."""
    if gold is None or system is None:
        return []
    found = [] if gold.pos == system.pos or POS in ignored else [(gold.pos, POS, gold.pos, system.pos)]
    for category in dict.fromkeys((*gold.values, *system.values)):
        mine, other = gold.values.get(category, ()), system.values.get(category, ())
        is_known = gold.pos == system.pos or (
            mine and other
        )  # what another part of speech lacks is no error of its own
        if mine != other and is_known and category not in ignored:
            found.append((gold.pos, category, _shown(mine), _shown(other)))
    return found


def _shown(values: Sequence[str]) -> str:
    return ".".join(values) or NO_VALUE
