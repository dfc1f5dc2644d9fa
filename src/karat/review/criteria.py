"""What a list asks, in words for the page: the heads of lists are written for spreadsheets, with columns to fill in."""

from __future__ import annotations

from collections.abc import Sequence

from karat.noise.token_worklist import HEAD as OF_TOKENS
from karat.suspects.judged import HEAD as OF_SUSPECTS

_FURTHER = "typo: the word is misspelled. unclear: the guideline does not decide. Estimates take both for blank."
_ON_PAGE = {
    OF_TOKENS[0]: (
        "Which tag is right for the marked word, here, in this tagset? Tags are in random order, so you cannot know "
        "whose they are. none of these: you may then write the right one."
    ),
    OF_TOKENS[1]: f"Go from top to bottom. unsure: you cannot decide, and the word counts as blank. {_FURTHER}",
    OF_SUSPECTS: (
        "Is the label of the marked word wrong? An error needs the right label. ambiguity: the word can have either "
        "label there. Rows of the random sample give the error rate of the corpus: judge them in order, and leave none "
        f"out. {_FURTHER}"
    ),
}


def shown_criterion(head: Sequence[str]) -> list[str]:
    """The lines of a list's head that say what to decide, as the page shows them; those of people stay as they are."""
    return [_ON_PAGE.get(line, line) for line in head]
