"""Choosing among the possible tags of words."""

from __future__ import annotations

import numpy as np

from karat._arrays import Array, Ids
from karat.simulation._language import Language


def other_tags(
    spoken: Language, words: Ids, tags: Array, rng: np.random.Generator, *, also_not: Array | None = None
) -> Array:
    """For each word one of its possible tags that is not the given one (nor that of `also_not`), all equally likely.

    Each word must have such a tag.
    """
    taken = [spoken.place_of_tag[words, tags]]
    if also_not is not None:
        second = spoken.place_of_tag[words, also_not]
        taken = [np.minimum(taken[0], second), np.maximum(taken[0], second)]
    n_left = spoken.n_candidates[words] - len(taken)
    if len(n_left) and n_left.min() < 1:
        raise ValueError("a word has no other tag")
    place = (rng.random(len(words)) * n_left).astype(np.int8)
    for one in taken:  # in rising order, so that the free places are counted past each
        place += place >= one
    chosen: Array = spoken.candidates[words, place]
    return chosen
