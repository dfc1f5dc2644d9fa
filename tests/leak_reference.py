"""Leaks by comparing all pairs of sentences: short, slow and obviously right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Found", "Word", "reference_leaks", "shingles"]


class Word(NamedTuple):
    """A word and its annotation."""

    form: str
    annotation: tuple[str, ...] = ()


@dataclass(frozen=True)
class Found:
    """A test sentence that is in the training text; sentences are counted from 1."""

    sentence: int
    kind: str
    share: float
    train_sentence: int
    train_count: int
    same_annotation: bool | None
    short: bool


def shingles(sentence: list[Word]) -> set[tuple[str, ...]]:
    forms = [word.form.casefold() for word in sentence]
    return {tuple(forms[at : at + 3]) for at in range(len(forms) - 2)}


def reference_leaks(train: list[list[Word]], test: list[list[Word]], near: float, min_words: int) -> list[Found]:
    """All test sentences that are in the training text."""
    every = [_found(number, sentence, train, near, min_words) for number, sentence in enumerate(test, start=1)]
    return [one for one in every if one is not None]


def _found(number: int, sentence: list[Word], train: list[list[Word]], near: float, min_words: int) -> Found | None:
    is_short = len(sentence) < min_words
    for kind in ("exact", "case"):
        ours = _forms(sentence, kind)
        same = [at for at, other in enumerate(train) if _forms(other, kind) == ours]
        if same:
            annotation = [word.annotation for word in sentence]
            alike = [at for at in same if [word.annotation for word in train[at]] == annotation]
            return Found(number, kind, 1.0, (alike or same)[0] + 1, len(same), bool(alike), is_short)
    wanted = shingles(sentence)
    if is_short or not wanted:
        return None
    shares = [(len(wanted & shingles(other)) / len(wanted), len(other), at) for at, other in enumerate(train)]
    close = [(-share, length, at) for share, length, at in shares if share >= near]
    if not close:
        return None
    share, _, best = min(close)
    return Found(number, "near", -share, best + 1, len(close), None, False)


def _forms(sentence: list[Word], kind: str) -> list[str]:
    return [word.form if kind == "exact" else word.form.casefold() for word in sentence]
