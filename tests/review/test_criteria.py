"""What the page says is to be decided, beside what a list says to people with a spreadsheet."""

from __future__ import annotations

import pytest

from karat.noise.token_worklist import HEAD as OF_TOKENS
from karat.review.criteria import shown_criterion
from karat.suspects.judged import HEAD as OF_SUSPECTS


@pytest.mark.parametrize("head", [OF_TOKENS, (OF_SUSPECTS,)], ids=["tokens", "suspects"])
def test_the_page_speaks_of_no_columns_brackets_or_letters(head: tuple[str, ...]) -> None:
    for_spreadsheets = ("column", "brackets", "letter of", "left empty")
    assert any(word in line for line in head for word in for_spreadsheets)
    said = shown_criterion(head)
    assert len(said) == len(head)
    assert "marked word" in said[0]
    assert not any(word in line for line in said for word in for_spreadsheets)


def test_lines_that_people_have_written_stay() -> None:
    assert shown_criterion(["Our guideline, section 4."]) == ["Our guideline, section 4."]
