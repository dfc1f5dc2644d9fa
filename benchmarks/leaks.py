"""Test sentences in the training text: EWT of UD 2.3, and the scores of two systems with and without them.

Beside it the plain way in Python: a set of three-word sequences for each sentence, a dictionary from each to the
training sentences that have it, and a count of what each test sentence has in common with each of these. No peer does
this for treebanks.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

from _measuring import EWT, KARAT, cold, comparison_table, corrupted_copy, measured, time_line, warm

TRAIN, TEST = EWT / "en_ewt-ud-train.conllu", EWT / "en_ewt-ud-test.conllu"
MOST_SECONDS = 3.0
NEAR, MIN_WORDS = 0.8, 5


def karat_leaks() -> object:
    """Both texts read, and the leaks found."""
    import karat

    leaks = karat.leaks(TRAIN, TEST)
    return len(leaks), len(leaks.short)


def plain_leaks() -> object:
    """The same with sets and dictionaries."""
    from karat.corpus import read

    train, test = (
        [[word.casefold() for word in words[first:stop]] for first, stop in pairwise(corpus.sentence_offsets.tolist())]
        for corpus in (read(TRAIN, trees=False), read(TEST, trees=False))
        for words in [corpus.column("form").strings()]
    )
    known = {tuple(one) for one in train}
    having: dict[tuple[str, ...], list[int]] = {}
    for number, one in enumerate(train):
        for three in _threes(one):
            having.setdefault(three, []).append(number)
    n_leaks = n_short = 0
    for one in test:
        wanted = _threes(one)
        if tuple(one) in known:
            n_short += len(one) < MIN_WORDS
            n_leaks += len(one) >= MIN_WORDS
        elif len(one) >= MIN_WORDS:
            common = Counter(number for three in wanted for number in having.get(three, ()))
            n_leaks += max(common.values(), default=0) >= NEAR * len(wanted)
    return n_leaks, n_short


def _threes(words: list[str]) -> set[tuple[str, ...]]:
    return set(zip(words, words[1:], words[2:], strict=False))


TASKS = (karat_leaks, plain_leaks)


def tables(folder: Path) -> list[str]:
    assert karat_leaks() == plain_leaks()
    systems = [corrupted_copy(TEST, folder, seed) for seed in (1, 2)]
    commands = [
        cold("karat leaks", *KARAT, "leaks", EWT, EWT),
        cold("karat leaks, two systems", *KARAT, "leaks", EWT, EWT, *systems),
    ]
    alone, with_systems = measured(commands, 4)
    sides = [warm("karat", karat_leaks, 4), warm("sets in Python", plain_leaks, 2)]
    what = "EWT's test part in its training part, process start included"
    return [
        *time_line(f"`karat leaks`: {what}", alone, MOST_SECONDS),
        *time_line(f"`karat leaks` with the scores of two systems: {what}", with_systems, MOST_SECONDS),
        *comparison_table("Leaks of EWT, read and found, warm", measured(sides, 3)),
    ]
