"""The check of tokens by people: what they are shown, and what they said.

A judge sees the sentence with the word marked and the tags that gold and systems give it, shuffled and without saying
whose they are, and writes down the letter of the right one, or `none`.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import eq
from typing import Any

import numpy as np

from karat._arrays import Array, Floats, Ids, Indices
from karat._numbering import numbered_values
from karat.align import Alignment
from karat.corpus import Corpus
from karat.corpus.carried_verdicts import Question
from karat.corpus.open_verdicts import OPEN_HEAD, OPEN_VERDICTS, estimated
from karat.corpus.worklist import Worklist, WorklistRow
from karat.errors import DataError, Problem, shortened
from karat.noise.complete_lists import list_entry
from karat.noise.token_sampling import NONE_SHOWN, NOT_JUDGED

_LETTERS = "abcdefgh"
TOKEN_VERDICTS: Mapping[str, Sequence[str]] = {"token": (*_LETTERS, "none", *OPEN_VERDICTS)}
_A_FEW = 0.02  # of the rows: so many blanks at the end were left, not still to be reached
_BY_CHANCE = math.log(10_000)  # one order of fewer may be that of chance
NO_WORD = -1  # what a system has for a gold word that it did not find
_ID = re.compile(r"w[1-9][0-9]{0,9}", re.ASCII)
_IDS = re.compile(r"(?:w[1-9][0-9]{0,9} )++", re.ASCII)
_OPTION = re.compile(rf"([{_LETTERS}])\) (.+?)(?=  [{_LETTERS}]\) |$)")  # a lemma may have spaces in it
HEAD = (
    "Which tag is right for the word in brackets, here, in this tagset? Write the letter of the tag into the column "
    "verdict, or none if no tag shown is right (the right one may then go into the column label).",
    "Tags are shuffled, so you cannot know whose they are. Go from top to bottom: a row left empty counts as one that "
    "you could not decide, rows after your last verdict as not reached yet. " + OPEN_HEAD,
)


@dataclass(frozen=True, slots=True, eq=False)
class TokenTags:
    """The tags of every gold word, the gold's and each system's, as numbers of `names`; NO_WORD where there is none."""

    names: tuple[str, ...]
    gold: Ids
    systems: Mapping[str, Ids]


def token_tags(gold: Corpus, systems: Mapping[str, Alignment], column: str) -> TokenTags:
    """The tags of all sides, word by word of the gold, with which each system is aligned."""
    names: dict[str, int] = {}

    def numbered(corpus: Corpus) -> Ids:
        values = corpus.column(column)
        return numbered_values(values.vocabulary.strings, names).take(values.ids)

    ours = numbered(gold)
    found = {}
    for name, alignment in systems.items():
        tags = np.full(gold.n_words, NO_WORD, dtype=np.int32)
        tags[alignment.gold_words] = numbered(alignment.system).take(alignment.system_words)
        found[name] = tags
    return TokenTags(tuple(names), ours, found)


def token_worklist(
    gold: Corpus, tags: TokenTags, words: Indices, weights: Floats, rng: np.random.Generator
) -> Worklist:
    """The rows that ask about these words, in random order: who stops half-way has judged a random half."""
    order = rng.permutation(len(words))
    rows = []
    for word, weight in zip(words[order].tolist(), weights[order].tolist(), strict=True):
        sentence = int(gold.words_sentence[word])
        first = int(gold.sentence_offsets[sentence])
        number = word - first + 1
        shown = list(dict.fromkeys(int(side[word]) for side in (tags.gold, *tags.systems.values()) if side[word] >= 0))
        rng.shuffle(shown)
        options = "  ".join(f"{letter}) {tags.names[tag]}" for letter, tag in zip(_LETTERS, shown, strict=False))
        forms = [
            f"[{form}]" if place == number else form
            for place, form in enumerate(map(shortened, gold.words_of(sentence)), start=1)
        ]
        sent_id = gold.sent_id(sentence) or f"sentence {sentence + 1}"
        rows.append(
            WorklistRow(
                f"w{word + 1}", "token", gold.path, sent_id, number, number, " ".join(forms), options, float(weight)
            )
        )
    return Worklist(tuple(rows), HEAD)


def permanent_numbers(gold: Corpus, seed: int) -> Array:
    """A random number of every gold word, which it keeps while its sentence is the same, whatever else is edited.

    It follows from the seed, the sentence's words, which of the sentences with these words it is, and the word's place.
    """
    seen: Counter[str] = Counter()
    of_sentence = np.empty(gold.n_sentences, dtype=np.uint64)
    for sentence in range(gold.n_sentences):
        text = " ".join(gold.words_of(sentence))
        key = f"{seed} {seen[text]} {text}".encode("utf-8", "replace")
        of_sentence[sentence] = int.from_bytes(hashlib.blake2b(key, digest_size=8).digest(), "little")
        seen[text] += 1
    place = np.arange(gold.n_words) - gold.sentence_offsets[gold.words_sentence]
    mixed = of_sentence[gold.words_sentence] + place.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):  # SplitMix64's finaliser
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    numbers: Array = mixed ^ (mixed >> np.uint64(31))
    return numbers


def token_question(row: WorklistRow) -> Question:
    """What a row asks: which of these tags, in whatever order, the word in brackets has."""
    tags = dict(_OPTION.findall(row.shown))
    others = {verdict: (verdict,) for verdict in OPEN_VERDICTS}
    return Question((row.text, frozenset(tags.values())), {**tags, "none": "none of them", **others})


def dealt_out(worklist: Worklist, judges: Sequence[str], overlap: int, rng: np.random.Generator) -> dict[str, Worklist]:
    """A worklist for each judge: `overlap` random rows go to all, the others in turn to one; each in random order."""
    rows = worklist.rows
    found = {}
    for number, judge in enumerate(judges):
        own = [*range(min(overlap, len(rows))), *range(overlap + number, len(rows), len(judges))]
        entry = list_entry(judge, judges, len(own), len(rows))
        head = (*worklist.head, f"For judge {judge}: please decide on your own. Some rows go to all judges.", entry)
        found[judge] = replace(worklist, rows=tuple(rows[place] for place in rng.permutation(own).tolist()), head=head)
    return found


def n_not_reached(worklist: Worklist) -> int:
    """How many rows at the end nobody has come to: rows are in random order, so what is missing is random too.

    A few may have been left on purpose; so may any number where somebody has sorted the rows: then it is none.
    """
    verdicts = worklist.column("verdict")
    n = _n_after_the_last(verdicts)
    if n <= _A_FEW * len(verdicts) or (n < len(verdicts) and _is_sorted(worklist)):
        return 0
    return n


def out_of_order(worklists: Sequence[Worklist]) -> list[str]:
    """A warning for each list whose rows without a verdict may be those that nobody has come to, and count as blank.

    They do where the list is sorted, or where too many of them follow each other for rows that were left on purpose.
    """
    found = []
    for worklist in worklists:
        verdicts = worklist.column("verdict")
        reached = [bool(verdict) for verdict in verdicts[: len(verdicts) - n_not_reached(worklist)]]
        n_blank = reached.count(False)
        if n_blank > _A_FEW * len(verdicts) and (_is_sorted(worklist) or _has_long_gap(reached)):
            found.append(
                f"{worklist.path} looks sorted, or was not judged from top to bottom: its {n_blank:,} rows without a "
                "verdict count as left blank; put the rows back in the order of the plan, or judge them"
            )
    return found


def _n_after_the_last(verdicts: Sequence[str]) -> int:
    return next((place for place, verdict in enumerate(reversed(verdicts)) if verdict), len(verdicts))


def _has_long_gap(reached: Sequence[bool]) -> bool:
    """Whether more rows in a row are blank than chance would make, if so many of them are."""
    longest = max(len(list(run)) for is_judged, run in groupby(reached) if not is_judged)
    share = reached.count(False) / len(reached)
    return math.log(len(reached)) + longest * math.log(share) < -_BY_CHANCE


def _is_sorted(worklist: Worklist) -> bool:
    """Whether rows are in the order of some column, up or down, as after sorting in a spreadsheet.

    That of verdicts is seen in the rows that have one: empty cells may come first or last.
    """
    columns: list[list[Any]] = [list(worklist.column(name)) for name in ("id", "sent_id", "text", "shown")]
    columns.append(_numbers_in(columns[0]).tolist())
    n = len(worklist.rows) - _n_after_the_last(worklist.column("verdict"))
    columns.append(list(worklist.column("verdict")[:n]))
    return any(
        _log_orders(column) > _BY_CHANCE and column in (sorted(column), sorted(column, reverse=True))
        for column in columns
    )


def _log_orders(values: Sequence[Any]) -> float:
    """The logarithm of the number of orders that these values can have."""
    return math.lgamma(len(values) + 1) - sum(math.lgamma(n + 1) for n in Counter(values).values())


def judged_twice(worklists: Sequence[Worklist]) -> list[str]:
    """A warning for each person who has judged the same rows in several lists, by the column judge."""
    people = Counter(name for one in worklists for name in {judge.casefold() for judge in set(one.column("judge"))})
    found = []
    for person in sorted(name for name, n_lists in people.items() if name and n_lists > 1):
        judged: dict[str, list[str]] = {}  # the lists of each row
        names = []
        for one in worklists:
            for row, judge, verdict in zip(*map(one.column, ("id", "judge", "verdict")), strict=True):
                if verdict and judge.casefold() == person:
                    judged.setdefault(row, []).append(one.path)
                    names.append(judge)
        twice = [paths for paths in judged.values() if len(paths) > 1]
        if twice:
            *first, last = dict.fromkeys(path for paths in twice for path in paths)
            rows = "1 row" if len(twice) == 1 else f"{len(twice):,} rows"
            found.append(
                f"{names[0]} has judged {rows} twice, in {', '.join(first)} and {last}, which count as independent "
                "judges: keep these verdicts in one file only, or have another person judge the rows"
            )
    return found


def token_verdicts(worklist: Worklist, gold: Corpus, tags: TokenTags) -> tuple[Indices, Ids]:
    """The gold words of a worklist, and the number of the right tag of each, NONE_SHOWN or NOT_JUDGED.

    A `DataError` with the line for rows that fit no word of the gold.
    """
    numbers = {name: number for number, name in enumerate(tags.names)}
    words = _words(worklist, gold)
    judged = list(zip(worklist.column("shown"), worklist.column("verdict"), strict=True))
    known = {one: _right(*one, numbers) for one in set(judged)}
    right = [known[one] for one in judged]
    if (words >= 0).all() and None not in known.values():
        return words, np.array(right, dtype=np.int32)
    problems: list[Problem] = []
    for row, word, tag in zip(worklist.rows, words.tolist(), right, strict=True):
        if word < 0:
            hint = "use the same gold that the worklist was made from"
            problems.append(
                Problem("K736", f"{row.id!r} does not match any word of the gold", worklist.path, row.line, hint=hint)
            )
        elif tag is None:
            option = dict(_OPTION.findall(row.shown)).get(row.verdict)
            message = f"this row has no option {row.verdict!r}"
            hint = f"options are {row.shown!r}"
            if option is not None:
                message = f"the tag {option!r} of this row is in none of the files"
                hint = "was the worklist made from another column?"
            problems.append(Problem("K738", message, worklist.path, row.line, hint=hint))
    raise DataError(problems)


def _right(shown: str, verdict: str, numbers: Mapping[str, int]) -> int | None:
    """What a verdict on these options says; None if it names none of them."""
    if not estimated(verdict):
        return NOT_JUDGED
    if verdict == "none":
        return NONE_SHOWN
    return numbers.get(dict(_OPTION.findall(shown)).get(verdict, ""))


def _words(worklist: Worklist, gold: Corpus) -> Indices:
    """The gold words that rows are about; -1 where there is none, or where the row has another place for it."""
    words = _numbers_in(worklist.column("id")) - 1
    words[words >= gold.n_words] = -1
    sentences = gold.words_sentence.take(words, mode="clip")
    numbers = words - gold.sentence_offsets.take(sentences) + 1
    names = {one: gold.sent_id(one) or f"sentence {one + 1}" for one in np.unique(sentences).tolist()}
    start, end = (np.array(worklist.column(name), dtype=np.intp) for name in ("start", "end"))
    is_named = map(eq, worklist.column("sent_id"), map(names.__getitem__, sentences.tolist()))
    is_there = (start == end) & (start == numbers) & np.fromiter(is_named, np.bool_, len(words))
    return np.where(is_there, words, -1)


def _numbers_in(ids: Sequence[str]) -> Indices:
    """The numbers that ids have behind a w, 0 where they are none: all at once where all are ids."""
    together = " ".join(ids) + " "
    if _IDS.fullmatch(together):
        return np.fromstring(together.replace("w", ""), dtype=np.intp, sep=" ")
    return np.array([int(one[1:]) if _ID.fullmatch(one) else 0 for one in ids], dtype=np.intp)
