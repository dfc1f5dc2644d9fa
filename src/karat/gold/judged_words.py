"""Verdicts on single words, as lists of suspects have them: which label of which word is wrong, and what is right."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from karat.corpus import Corpus
from karat.corpus.open_verdicts import OPEN_VERDICTS, TYPO, UNCLEAR
from karat.corpus.spreadsheet_tables import plain
from karat.corpus.worklist import Worklist
from karat.errors import DataError, Problem

SUSPECT = "suspect"  # the kind of their rows
ERROR, RIGHT, AMBIGUITY = "error", "right", "ambiguity"
SUSPECT_VERDICTS: Mapping[str, Sequence[str]] = {SUSPECT: (ERROR, RIGHT, AMBIGUITY, *OPEN_VERDICTS)}
MISSING_FORM = "the word is misspelled, but its right form is not given"
CHANGE_VERDICTS: Mapping[str, Sequence[str]] = {"change": ("new", "old", "other", AMBIGUITY, *OPEN_VERDICTS)}
_ID = re.compile(r"[rs]([1-9][0-9]*)", re.ASCII)
_CORPUS = re.compile(r"\|corpus:[^|]*@sha256:([0-9a-f]{8,64})")
_COLUMN = re.compile(r"\|column:([^|]*)")


@dataclass(frozen=True, slots=True)
class JudgedWord:
    """A row about one word: the word's number in the corpus, from 0, its label, and what the judge says."""

    path: str
    line: int
    id: str
    word: int
    form: str
    old: str
    verdict: str
    label: str
    judge: str

    def problem(self, code: str, message: str, hint: str = "") -> Problem:
        """Something that is wrong with the row."""
        return Problem(code, message, self.path, self.line, hint=hint)


def is_about_words(worklist: Worklist) -> bool:
    """Whether a list is one of suspects."""
    return SUSPECT in worklist.column("kind")


def column_of(worklist: Worklist) -> str:
    """The column whose labels were judged."""
    found = next((match[1] for line in worklist.head if (match := _COLUMN.search(line))), None)
    return found or "upos"


def judged_words(worklist: Worklist, corpus: Corpus) -> list[JudgedWord]:
    """The rows of a list of suspects; a `DataError` if it was made from another corpus, or a row was changed."""
    digests = [match[1] for line in worklist.head for match in _CORPUS.finditer(line)]
    if not any(corpus.source.sha256().startswith(one) for one in digests):
        message = f"this worklist was not made from {corpus.path} as it is now"
        hint = "its first lines name the file it was made from; for other or corrected files, make a new worklist"
        raise DataError(Problem("K740", message, worklist.path, hint=hint))
    labels = corpus.column(column_of(worklist))
    found, problems = [], []
    for row in worklist.rows:
        match = _ID.fullmatch(row.id)
        number = int(match[1]) - 1 if match else -1
        one = JudgedWord(
            worklist.path, row.line, row.id, number, row.word, row.label_here, row.verdict, row.label, row.judge
        )
        known = labels.vocabulary[int(labels.ids[number])] if 0 <= number < corpus.n_words else None
        if known is None or plain(known) != row.label_here:
            hint = "do not change id and label_here: they say which word and label were judged"
            problems.append(one.problem("K741", "the id does not belong to the label shown", hint))
        elif row.verdict == ERROR and not row.label:
            problems.append(
                one.problem("K742", "the label is wrong, but the right one is not given", "see column label")
            )
        elif row.verdict == ERROR and row.label == row.label_here:
            problems.append(one.problem("K742", f"{row.label!r} is judged both wrong and right"))
        elif row.verdict == TYPO and not row.label:
            problems.append(one.problem("K742", MISSING_FORM, "see column label"))
        elif row.label and row.verdict not in (ERROR, TYPO):
            what = f"with the verdict {row.verdict}" if row.verdict else "without a verdict"
            hint = f"a label needs the verdict {ERROR} or {TYPO}"
            problems.append(one.problem("K742", f"the right label {row.label!r} {what}", hint))
        found.append(one)
    if problems:
        raise DataError(problems)
    return found


def words_to_correct(rows: Iterable[JudgedWord]) -> tuple[list[JudgedWord], int]:
    """What most judges say of each word that is wrong, or misspelled, and how many words have no majority.

    Judges to whom the guideline is not clear have no vote.
    A `DataError` for a word that one judge gives two right labels, in the list and in its random sample.
    """
    by_word: dict[int, list[JudgedWord]] = {}
    for row in rows:
        if row.verdict and row.verdict != UNCLEAR:
            by_word.setdefault(row.word, []).append(row)
    found, problems, n_ties = [], [], 0
    for several in by_word.values():
        votes = Counter((one.verdict, one.label) for one in several).most_common(2)
        of_judges = Counter((one.path, one.judge) for one in several)
        if len(votes) == 2 and len(of_judges) == 1:
            first, second = several[0], several[-1]
            where = f"{first.path}:{first.line}"
            problems.append(second.problem("K744", f"{second.form!r} is judged otherwise here than at {where}"))
        elif len(votes) == 2 and votes[0][1] == votes[1][1]:
            n_ties += 1
        elif votes[0][0][0] in (ERROR, TYPO):
            found.append(next(one for one in several if (one.verdict, one.label) == votes[0][0]))
    if problems:
        raise DataError(problems)
    return sorted(found, key=lambda one: one.word), n_ties
