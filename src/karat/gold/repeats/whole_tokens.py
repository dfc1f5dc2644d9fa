"""Which repeats of characters show that a text is cut into tokens in two ways."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np

from karat._arrays import Flags, Ids
from karat.gold.repeats.suspicious import SuspiciousRepeats
from karat.gold.repeats.tokenisation import SPLITS, is_boundary


def cut_in_two_ways(found: SuspiciousRepeats) -> Flags:
    """The suspicious repeats over characters with whole tokens at two places that are not the same.

    A repeat may begin or end inside a token at one place and not at another (*au* in *aux*), which proves nothing. So
    of two places only what is between two boundaries that both have is compared: the characters there are the same,
    and so must be the boundaries between them, and the words that multiword tokens stand for.
    """
    boundaries, codes = is_boundary(found.labels), found.labels.codes
    offsets, places, labelling = found.labelled_places()
    is_cut = np.zeros(len(found), dtype=np.bool_)
    for row, ((start, stop), length) in enumerate(zip(pairwise(offsets.tolist()), found.length.tolist(), strict=True)):
        its = places[start:stop]
        kinds = np.stack([labelling[start:stop], boundaries[its], boundaries[its + length]])
        _, first = np.unique(kinds, axis=1, return_index=True)
        ways = [(boundaries[one : one + length + 1], codes[one : one + length]) for one in its[first].tolist()]
        is_cut[row] = any(_differ(*one, *other) for one, other in combinations(ways, 2))
    return is_cut


def _differ(one: Flags, codes: Ids, other: Flags, other_codes: Ids) -> bool:
    """Whether the same characters are cut in two ways between boundaries that both have."""
    common = np.flatnonzero(one & other)
    if len(common) < 2:
        return False
    first, last = int(common[0]), int(common[-1])
    if (one[first:last] != other[first:last]).any():
        return True
    is_split = (codes >= SPLITS) | (other_codes >= SPLITS)  # at the last character of a token, which then is inside
    return bool((is_split & (codes != other_codes))[first:last].any())
