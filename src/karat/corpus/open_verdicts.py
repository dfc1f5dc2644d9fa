"""Verdicts that say nothing of a label: the word is misspelled, or the guideline does not decide.

Kinds of rows allow them beside their own. They are decisions, so that nobody is asked again, but every estimate takes
them for blank verdicts.
"""

from __future__ import annotations

TYPO, UNCLEAR = "typo", "unclear"
OPEN_VERDICTS = (TYPO, UNCLEAR)
OPEN_HEAD = (
    f"Further verdicts: {TYPO} (the word is misspelled; its right form goes into the column label) and {UNCLEAR} (the "
    "guideline does not decide); estimates take both for blank."
)


def estimated(verdict: str) -> str:
    """A verdict as estimates take it: blank if it says nothing of a label.

    >>> estimated("error"), estimated("unclear")
    ('error', '')
    """
    return "" if verdict in OPEN_VERDICTS else verdict
