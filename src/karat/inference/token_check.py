"""The check of tokens by people: what they are shown, and what they said.

A judge sees the sentence with the word marked and the tags that gold and systems give it, shuffled and without saying
whose they are, and writes down the letter of the right one, or `none`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Floats, Ids, Indices
from karat.align import align
from karat.corpus import Bad, Corpus
from karat.corpus.worklist import Worklist, WorklistRow
from karat.errors import DataError, Problem

__all__ = ["NONE_OF_THEM", "NOT_JUDGED", "TOKEN_VERDICTS", "TokenTags", "Verdicts", "token_tags", "token_verdicts"]
__all__ += ["token_worklist"]

_LETTERS = "abcdefgh"
TOKEN_VERDICTS: Mapping[str, Sequence[str]] = {"token": (*_LETTERS, "none")}
NONE_OF_THEM, NOT_JUDGED = -1, -2
NO_WORD = -1  # what a system has for a gold word that it did not find
_OPTION = re.compile(rf"([{_LETTERS}])\) (\S+)")
_HEAD = (
    "Which tag is right for the word in brackets, here, in this tagset? Write the letter of the tag into the column "
    "verdict, or none if no tag shown is right (the right one may then go into the column label).",
    "Tags are shuffled: nothing tells whose they are. What is left empty counts as not looked at.",
)


@dataclass(frozen=True, slots=True, eq=False)
class TokenTags:
    """The tags of every gold word, the gold's and each system's, as numbers of `names`; NO_WORD where there is none."""

    names: tuple[str, ...]
    gold: Ids
    systems: Mapping[str, Ids]


def token_tags(gold: Corpus, systems: Mapping[str, Corpus], column: str, bad: Bad = "raise") -> TokenTags:
    """The tags of all sides, word by word of the gold."""
    names: dict[str, int] = {}

    def numbered(corpus: Corpus) -> Ids:
        values = corpus.column(column)
        of_value = [names.setdefault(text, len(names)) for text in values.vocabulary.strings]
        found: Ids = np.array(of_value, dtype=np.int32).take(values.ids)
        return found

    ours = numbered(gold)
    found = {}
    for name, system in systems.items():
        alignment = align(gold, system, bad=bad)
        tags = np.full(gold.n_words, NO_WORD, dtype=np.int32)
        tags[alignment.gold_words] = numbered(system).take(alignment.system_words)
        found[name] = tags
    return TokenTags(tuple(names), ours, found)


def token_worklist(
    gold: Corpus, tags: TokenTags, words: Indices, weights: Floats, rng: np.random.Generator
) -> Worklist:
    """The rows that ask about these words, in the order of the text."""
    order = np.argsort(words, kind="stable")
    rows = []
    for word, weight in zip(words[order].tolist(), weights[order].tolist(), strict=True):
        sentence = int(gold.words_sentence[word])
        first = int(gold.sentence_offsets[sentence])
        number = word - first + 1
        shown = list(dict.fromkeys(int(side[word]) for side in (tags.gold, *tags.systems.values()) if side[word] >= 0))
        rng.shuffle(shown)
        options = "  ".join(f"{letter}) {tags.names[tag]}" for letter, tag in zip(_LETTERS, shown, strict=False))
        forms = [
            f"[{form}]" if place == number else form for place, form in enumerate(gold.words_of(sentence), start=1)
        ]
        sent_id = gold.sent_id(sentence) or f"sentence {sentence + 1}"
        rows.append(
            WorklistRow(
                f"w{word + 1}", "token", gold.path, sent_id, number, number, " ".join(forms), options, float(weight)
            )
        )
    return Worklist(tuple(rows), _HEAD)


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """What was said of gold words: the number of the right tag, NONE_OF_THEM or NOT_JUDGED; and their weights."""

    words: Indices
    right: Ids
    weights: Floats


def token_verdicts(worklist: Worklist, gold: Corpus, tags: TokenTags) -> Verdicts:
    """The verdicts of a worklist; a `DataError` with the line for rows that fit no word of the gold."""
    numbers = {name: number for number, name in enumerate(tags.names)}
    problems: list[Problem] = []
    words, right = [], []
    for row in worklist.rows:
        word = _word(row, gold)
        if word is None:
            hint = "a worklist goes with the gold that it was made from"
            problems.append(Problem("K736", f"{row.id!r} fits no word of the gold", worklist.path, row.line, hint=hint))
            continue
        options = dict(_OPTION.findall(row.shown))
        if row.verdict and row.verdict != "none" and numbers.get(options.get(row.verdict, ""), -1) < 0:
            message = f"there is no option {row.verdict!r} in this row"
            problems.append(Problem("K738", message, worklist.path, row.line, hint=f"options are {row.shown!r}"))
            continue
        words.append(word)
        right.append(_right(row, options, numbers))
    if problems:
        raise DataError(problems)
    weights = np.array([row.weight for row in worklist.rows])
    return Verdicts(np.array(words, dtype=np.intp), np.array(right, dtype=np.int32), weights)


def _right(row: WorklistRow, options: Mapping[str, str], numbers: Mapping[str, int]) -> int:
    if not row.verdict:
        return NOT_JUDGED
    return NONE_OF_THEM if row.verdict == "none" else numbers[options[row.verdict]]


def _word(row: WorklistRow, gold: Corpus) -> int | None:
    """The gold word that a row is about, if there is one and it is where the row says."""
    if not re.fullmatch(r"w[1-9][0-9]{0,9}", row.id):
        return None
    word = int(row.id[1:]) - 1
    if word >= gold.n_words:
        return None
    sentence = int(gold.words_sentence[word])
    number = word - int(gold.sentence_offsets[sentence]) + 1
    is_there = row.start == row.end == number
    return word if is_there and row.sent_id == (gold.sent_id(sentence) or f"sentence {sentence + 1}") else None
