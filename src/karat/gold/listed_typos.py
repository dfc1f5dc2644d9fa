"""Misspelled words in lists that ask something else of `karat`: tokens under noise, disagreements, changes.

Of these lists, `karat correct` applies the verdict `typo` alone: what else was judged is for the verbs that made them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from karat.agreement.adjudication_worklist import KIND as ADJUDICATION, adjudication_verdicts, list_head
from karat.corpus import Corpus, Source
from karat.corpus.open_verdicts import TYPO, UNCLEAR
from karat.corpus.spreadsheet_tables import plain
from karat.corpus.worklist import Worklist, WorklistRow
from karat.errors import DataError, Problem, shortened
from karat.gold.judged_words import CHANGE_VERDICTS, MISSING_FORM, JudgedWord
from karat.noise.token_worklist import TOKEN_VERDICTS

_DIGEST = re.compile(r"@sha256:([0-9a-f]{8,64})")


def other_verdicts(source: Source) -> Mapping[str, Sequence[str]]:
    """The verdicts of kinds of which only typos are applied; of annotators' disagreements if the list may be one."""
    known = {**TOKEN_VERDICTS, **CHANGE_VERDICTS}
    if ADJUDICATION.encode() in source.buffer.tobytes():
        try:
            known |= adjudication_verdicts(list_head(source).names)
        except DataError:  # the word stands in a sentence
            return known
    return known


def has_typos_only(worklist: Worklist) -> bool:
    """Whether a list is of a kind of which only typos are applied."""
    return bool({*worklist.column("kind")} & {*TOKEN_VERDICTS, *CHANGE_VERDICTS, ADJUDICATION})


def listed_words(worklist: Worklist, corpus: Corpus) -> list[JudgedWord]:
    """The rows of a list about single words; a `DataError` if it was made from other files, or a row was changed."""
    digests = [digest for line in worklist.head for digest in _DIGEST.findall(line)]
    if not any(corpus.source.sha256().startswith(one) for one in digests):
        message = f"this worklist was not made from {corpus.path} as it is now"
        hint = "its first lines name the files it was made from; for other or corrected files, make a new worklist"
        raise DataError(Problem("K740", message, worklist.path, hint=hint))
    sentences = {plain(corpus.sent_id(n) or f"sentence {n + 1}"): n for n in reversed(range(corpus.n_sentences))}
    found: list[JudgedWord] = []
    problems: list[Problem] = []
    for row in worklist.rows:
        one = _judged_word(worklist.path, row, corpus, sentences)
        if row.verdict != TYPO:
            found.append(one)
        elif _is_annotator(row):
            found.append(replace(one, verdict=f"the annotator {TYPO}"))
        elif one.word < 0:
            hint = "a typo must be in the corpus that is corrected; do not change sent_id, start, end and text"
            problems.append(one.problem("K741", "the row does not belong to a word of the corpus", hint))
        elif not row.label:
            problems.append(one.problem("K742", MISSING_FORM, "see column label"))
        else:
            found.append(one)
    if problems:
        raise DataError(problems)
    return found


def _is_annotator(row: WorklistRow) -> bool:
    """Whether the verdict is the name of an annotator, as rows show them."""
    return row.kind == ADJUDICATION and f"  {row.verdict}) " in f"  {row.shown}"


def _judged_word(path: str, row: WorklistRow, corpus: Corpus, sentences: Mapping[str, int]) -> JudgedWord:
    """A row and the number of its word; -1 if it is about none, or several."""
    sentence = sentences.get(row.sent_id)
    word = -1
    if sentence is not None and row.start == row.end:
        first, stop = corpus.sentence_offsets[sentence : sentence + 2].tolist()
        form = corpus.column("form")
        at = first + row.start - 1
        if at < stop and f"[{plain(shortened(form.vocabulary[int(form.ids[at])]))}]" in row.text:
            word = at
    return JudgedWord(path, row.line, row.id, word, row.word, "", row.verdict, row.label, row.judge)


def misspelled_by_most(rows: Iterable[JudgedWord]) -> tuple[list[JudgedWord], int]:
    """The rows that most judges call a typo of the same form, and how many rows have a tie with one."""
    by_row: dict[str, list[JudgedWord]] = {}
    for row in rows:
        if row.verdict and row.verdict != UNCLEAR:
            by_row.setdefault(row.id, []).append(row)
    found, n_ties = [], 0
    for several in by_row.values():
        votes = Counter((one.verdict, one.label) for one in several).most_common(2)
        is_tied = len(votes) == 2 and votes[0][1] == votes[1][1]
        if is_tied:
            n_ties += any(one.verdict == TYPO for one in several)
        elif votes[0][0][0] == TYPO:
            found.append(next(one for one in several if (one.verdict, one.label) == votes[0][0]))
    return found, n_ties
