"""Where two texts differ, and where they go on together: for going on behind a difference.

Two texts run together up to the first character that differs. From there the beginning of one of the next gold
sentences is sought in the system's text, where a token begins; what lies between has no counterpart on the other side.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from karat._arrays import Indices
from karat.align._tokens import Surface

_PROBE = 40  # characters of the gold that must come again: enough not to be found by chance
_SHORTEST_PROBE = 12  # less is believed only if both texts end with it
_WINDOW = 4000  # how much more text than the gold the system may have put in
_MOST_SENTENCES = 200  # how many gold sentences to try before giving up on the rest


@dataclass(frozen=True, slots=True)
class Difference:
    """Characters of gold and system that have no counterpart, and the first of them that really differ."""

    our_start: int
    our_stop: int
    their_start: int
    their_stop: int
    our_place: int
    their_place: int


def common_length(ours: str, theirs: str, i: int = 0, j: int = 0) -> int:
    """How many characters two strings have in common from the given places on."""
    same, size = 0, 64
    while size:
        a, b = ours[i + same : i + same + size], theirs[j + same : j + same + size]
        if a == b and len(a) == size:
            same, size = same + size, 2 * size
        else:
            size = min(size // 2, max(len(a), len(b)))
    return same


def differing_sentences(ours: Surface, theirs: Surface, our_bounds: Indices, their_bounds: Indices) -> list[Difference]:
    """The sentences whose characters differ, where both sides have as many: each is compared with its twin."""
    found = []
    for (our_start, our_stop), (their_start, their_stop) in zip(
        pairwise(our_bounds.tolist()), pairwise(their_bounds.tolist()), strict=True
    ):
        our_text, their_text = ours.text[our_start:our_stop], theirs.text[their_start:their_stop]
        if our_text != their_text:
            same = common_length(our_text, their_text)
            place = our_start + same, their_start + same
            found.append(Difference(our_start, our_stop, their_start, their_stop, *place))
    return found


def differences(ours: Surface, theirs: Surface, our_bounds: Indices) -> list[Difference]:
    """The stretches in which a system's text is not the gold's; they begin and end with gold sentences.

    `our_bounds` are the characters at which gold sentences begin, and the number of characters; how the system cut its
    text into sentences does not matter.
    """
    bounds, token_starts = our_bounds.tolist(), set(theirs.start.tolist()) | {len(theirs.text)}
    found: list[Difference] = []
    i = j = sentence = 0  # the texts are together here, and a gold sentence begins
    while True:
        same = common_length(ours.text, theirs.text, i, j)
        our_place, their_place = i + same, j + same
        if our_place == len(ours.text) and their_place == len(theirs.text):
            return found
        first = sentence
        while first + 2 < len(bounds) and bounds[first + 1] <= our_place:
            first += 1
        while first > sentence and j + bounds[first] - i not in token_starts:
            first -= 1  # a token of the system reaches over this boundary
        our_start, their_start = bounds[first], j + bounds[first] - i
        sentence, their_stop = _together_again(ours.text, theirs.text, bounds, token_starts, first, their_start)
        i, j = bounds[sentence], their_stop
        found.append(Difference(our_start, i, their_start, j, our_place, their_place))


def _together_again(
    ours: str, theirs: str, bounds: list[int], token_starts: set[int], first: int, their_start: int
) -> tuple[int, int]:
    """The next gold sentence that the system's text has too, and where in it; both ends where there is none."""
    for sentence in range(first + 1, min(first + _MOST_SENTENCES, len(bounds) - 1)):
        probe = ours[bounds[sentence] : bounds[sentence] + _PROBE]
        latest = their_start + bounds[sentence] - bounds[first] + _WINDOW
        place = theirs.find(probe, their_start, latest)
        while place >= 0:
            ends_with_it = len(theirs) - place == len(ours) - bounds[sentence]
            if place in token_starts and (len(probe) >= _SHORTEST_PROBE or ends_with_it):
                return sentence, place
            place = theirs.find(probe, place + 1, latest)
    return len(bounds) - 1, len(theirs)
