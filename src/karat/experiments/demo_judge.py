"""A judge who knows the truth, and fills in a worklist of tokens as a person would."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from karat.corpus.worklist import Worklist, WorklistRow
from karat.noise.token_worklist import token_question


def judged_by_truth(worklist: Worklist, true_tags: Sequence[str]) -> Worklist:
    """The worklist with the letter of the true tag in every row, or `none` where no tag shown is the true one.

    `true_tags` are those of all words of the corpus, in its order.
    """
    return replace(worklist, rows=tuple(_judged(row, true_tags) for row in worklist.rows))


def _judged(row: WorklistRow, true_tags: Sequence[str]) -> WorklistRow:
    true_tag = true_tags[int(row.id.removeprefix("w")) - 1]
    letters = {tag: letter for letter, tag in token_question(row).meanings.items() if letter != "none"}
    return replace(row, verdict=letters.get(true_tag, "none"), judge="truth")
