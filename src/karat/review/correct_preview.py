"""What `karat correct` would do with a verdict on one row, in words: the changes are those that it would make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from karat.corpus.open_verdicts import TYPO
from karat.corpus.spreadsheet_tables import plain
from karat.corpus.worklist import WorklistRow
from karat.errors import DataError, Problem
from karat.gold.correction_places import word_change
from karat.gold.correction_results import Change, Refusal
from karat.gold.judged_changes import MergedRows, judged_changes
from karat.gold.judged_words import ERROR, JudgedWord
from karat.gold.repeats.judged_repeats import judged_row
from karat.gold.typos import MisspelledWord, with_typos
from karat.review.item_places import PlacesOfRepeats
from karat.review.named_corpora import NamedCorpora, ReviewCorpus

_TREE = ("head", "deprel")
TOKENISATION = "karat correct counts the verdict; correct the words by hand."


class CorrectPreview:
    """The previews of a list's rows, from the corpora that it was made from."""

    def __init__(self, corpora: NamedCorpora, places: PlacesOfRepeats) -> None:
        self._corpora, self._places = corpora, places

    def of(self, row: WorklistRow, verdict: str, label: str = "") -> str | None:
        """What becomes of a row with this verdict alone; None where `karat correct` does not apply its kind."""
        said = replace(row, verdict=verdict, label=label)
        try:
            found = self._of_repeat(said) if row.kind == "repeat" else self._of_suspect(said)
        except DataError as error:
            return f"karat correct would refuse it: {error.problems[0].message}"
        return None if found is None else changes_in_words(*found)

    def _of_repeat(self, row: WorklistRow) -> tuple[Sequence[Change], Sequence[Refusal]] | None:
        made, settings = judged_row("", row), self._places.settings
        if made is None or settings is None or not self._places.texts or settings.of == "tokenisation":
            return None
        changes: list[Change] = []
        refused: list[Refusal] = []
        for corpus, places in self._places.texts:
            found = judged_changes(corpus.corpus, [MergedRows(settings, [made])], lambda _, one=places: one)  # type: ignore[misc]
            changes += _with_typos(corpus, list(found.changes.values()), found.misspelled)
            refused += found.refused
        return changes, refused

    def _of_suspect(self, row: WorklistRow) -> tuple[Sequence[Change], Sequence[Refusal]] | None:
        corpus, columns = self._corpora.of_role("corpus"), self._corpora.columns
        number = int(row.id[1:]) - 1 if row.kind == "suspect" and row.id[1:].isdecimal() else -1
        if corpus is None or len(columns) != 1 or not corpus.has(columns) or not 0 <= number < corpus.corpus.n_words:
            return None
        if plain(corpus.label(number, columns)) != row.label_here:
            return None
        said = JudgedWord("", 0, row.id, number, row.word, row.label_here, row.verdict, row.label, "")
        changes = [word_change(corpus.corpus, number, columns[0], row.label, said)] if row.verdict == ERROR else []
        misspelled = [MisspelledWord(number, row.label, said)] if row.verdict == TYPO else []
        return _with_typos(corpus, changes, misspelled), []


def _with_typos(
    corpus: ReviewCorpus, changes: Sequence[Change], misspelled: Sequence[MisspelledWord]
) -> Sequence[Change]:
    problems: list[Problem] = []
    found = with_typos(corpus.corpus, changes, misspelled, problems)
    if problems:
        raise DataError(problems)
    return found


def changes_in_words(changes: Sequence[Change], refused: Sequence[Refusal]) -> str:
    """What changes, and what does not although it should."""
    fields = Counter(f"{one.column.upper()} {one.shown}" for one in changes if one.column not in _TREE)
    parts = [f"{shown} at {_places(n)}" for shown, n in fields.items()]
    if n_arcs := len({(one.path, one.word) for one in changes if one.column in _TREE}):
        parts.append(f"another head or relation at {_places(n_arcs)}")
    reasons = Counter(one.reason for one in refused)
    parts += [f"{_places(n)} left for you to correct by hand ({reason})" for reason, n in reasons.items()]
    return "; ".join(parts) or "nothing changes"


def _places(n: int) -> str:
    return "1 place" if n == 1 else f"{n:,} places"
