"""Suspicious repeats for people to judge: the rows they are shown, and what they said.

A row is a suspicious repeat, one of its words, and two of the labels which that word has there: side A is the one whose
first place comes first in the text, side B the other. A verdict on a side is about all its places. A row says all that
is needed to find them again in any of the corpora: its id has a hash of the words, how many they are, which of them is
labelled in two ways, whether the repeat is disjoint (d) and whether an inner word differs (i), a hash of the places
with the rarer label, and one of the word and the labels in `shown`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from karat._arrays import Array, Ids, Indices
from karat.corpus import Corpus
from karat.corpus.carried_verdicts import Question
from karat.corpus.open_verdicts import OPEN_VERDICTS, TYPO, UNCLEAR
from karat.corpus.spreadsheet_tables import plain
from karat.corpus.worklist import Worklist, WorklistRow
from karat.errors import DataError, Problem, shortened
from karat.gold.repeats.marked import without_marked
from karat.gold.repeats.running_text import RunningText, running_text
from karat.gold.repeats.suspicious import SuspiciousRepeats
from karat.signature import signature

MIXED = "mixed"
ERRORS = ("error-in-a", "error-in-b", "error-in-both", MIXED)
AMBIGUITY = "ambiguity"
REPEAT_VERDICTS: Mapping[str, Sequence[str]] = {"repeat": (*ERRORS, AMBIGUITY, *OPEN_VERDICTS)}
NO_LABEL = "(nothing)"

_VERB = "repeats"
_ID = re.compile(r"r([0-9a-f]{16})\.([1-9][0-9]*)\.([1-9][0-9]*)(d?)(i?)\.([0-9a-f]{8})\.([0-9a-f]{8})", re.ASCII)
_SHOWN = re.compile(r"(.+?)  A\) (.+?), ([0-9]+) places?  B\) (.+?), ([0-9]+) places?(?:  B in .*)?")
_SIGNED = re.compile(rf"karat:[^|]*\|verb:{_VERB}\|")
_BASE = 0x9E3779B97F4A7C15  # odd, so that it has an inverse modulo 2**64
_INVERSE = pow(_BASE, -1, 1 << 64)
_HEAD = (
    "The same words are annotated in two ways: the word in brackets has the label A) at some places, B) at others. "
    "text is the first place of A, shown ends in the first of B. Which label is wrong here? Write into the column "
    "verdict: error-in-a, error-in-b, error-in-both, ambiguity (none is wrong), or mixed (some places of a side are "
    "wrong, others are not).",
    "A verdict is about all places of its side. The right label is the other side's; if it is another, write it into "
    "the column label. What is left empty is not judged, unless another row about the same places is. "
    f"With {MIXED}, the column label may say what is right at single places, by sentence and number of the word, as in "
    "NOUN @ s1 3; ADJ @ s4 1 (of several corpora NOUN @ news.conllu:s1 3); all other places stay as they are. "
    f"{TYPO}: the word is misspelled at the only place of a side, its right form is in the column label; for other "
    f"places write {MIXED}, and typo:FORM @ s1 3 into the column label. {UNCLEAR}: the guideline does not decide.",
)
_OF_DEPENDENCIES = (
    "A label is a relation and how many words before (-) or after (+) the word its head stands. outside: the head is "
    "not one of the repeated words; if that is right, karat correct does not know the head: correct it by hand. In "
    "the column label, root: the word is the root.",
)
_OF_TOKENISATION = ("karat correct counts these verdicts, but does not apply them: correct the words by hand.",)


def repeat_worklist(
    found: SuspiciousRepeats,
    *,
    scores: Sequence[float] = (),
    words: str = "form",
    fold_case: bool = False,
    settings: Iterable[tuple[str, str]] = (),
) -> Worklist:
    """The rows that ask about suspicious repeats, in the order of these (as `ranked` puts them): see the module.

    Of each word that is labelled in more than one way, every other label is set against the commonest. `scores` are
    those of the repeats, for people to sort by, if there are any. `words` and
    `fold_case` are those of the running text, `settings` what else the repeats were found with: all of it goes into the
    head, with the names and hashes of the corpora.
    """
    rows = {row.id: row for row in _rows(found, scores)}  # places that overlap may have a question twice
    text = found.all_repeats.text
    how = [("of", found.labels.of), ("words", words), ("fold-case", "yes" if fold_case else "no")]
    how += [("punctuation", "yes" if text.words is None or found.labels.of == "tokenisation" else "no"), *settings]
    inputs = [("corpus", corpus.path, corpus.source.sha256()) for corpus in text.corpora]
    more = {"dependencies": _OF_DEPENDENCIES, "tokenisation": _OF_TOKENISATION}.get(found.labels.of, ())
    return Worklist(tuple(rows.values()), (*_HEAD, *more, signature(_VERB, how, inputs)))


def shown_word(word: str) -> str:
    """A word as rows show it: very long ones cut, control characters replaced."""
    return plain(shortened(word))


def repeat_question(row: WorklistRow) -> Question | None:
    """What a row asks: which of two labels of a word of a repeat is wrong, seen in these two sentences."""
    parts, shown = _ID.fullmatch(row.id), _SHOWN.fullmatch(row.shown)
    if parts is None or shown is None:
        return None
    word, a, _, b, _ = shown.groups()
    in_b = row.shown.rpartition("  B in ")[2].partition(": ")[2]
    meanings = {"error-in-a": ("error", a), "error-in-b": ("error", b)}
    meanings |= {verdict: (verdict, "") for verdict in ("error-in-both", MIXED, AMBIGUITY, *OPEN_VERDICTS)}
    return Question((parts[1], parts[2], parts[3], word, frozenset([(a, row.text), (b, in_b)])), meanings)


class _LabelledSide(NamedTuple):
    """One label of a word of a repeat, and the places where the repeat begins that have it."""

    label: str
    places: Ids


def _rows(found: SuspiciousRepeats, scores: Sequence[float]) -> Iterator[WorklistRow]:
    text = found.all_repeats.text
    offsets, places, labelling = found.labelled_places()
    lengths = found.length
    hashes = StretchHashes(text).of(places[offsets[:-1]], lengths).tolist() if len(found) else []
    for row, length in enumerate(lengths.tolist()):
        of_it = slice(int(offsets[row]), int(offsets[row + 1]))
        flags = ("d" if found.disjoint[row] else "") + ("i" if found.non_fringe[row] else "")
        units = found.words(row)
        for position, one, other in _sides(found, length, places[of_it], labelling[of_it]):
            rarer = text.words_at(other.places + position)
            one, other = sorted((one, other), key=lambda side: int(side.places[0]))
            parts = [f"r{hashes[row]:016x}", str(length), f"{position + 1}{flags}", _digest(rarer.astype("<i8"))]
            word = shown_word(units[position])
            parts.append(_pattern_digest(word, one.label, other.label))
            made = _row(text, ".".join(parts), word, position, length, one, other)
            yield replace(made, score=f"{scores[row]:.1f}") if len(scores) else made


def _sides(
    found: SuspiciousRepeats, length: int, places: Ids, labelling: Ids
) -> Iterator[tuple[int, _LabelledSide, _LabelledSide]]:
    """For each word that has several labels its number, the commonest label and another one."""
    _, first, counts = np.unique(labelling, return_index=True, return_counts=True)
    ways = [found.labels.strings(place, length) for place in places[first].tolist()]
    for position, labels in enumerate(zip(*ways, strict=True)):
        n_places: dict[str, int] = {}
        for label, count in zip(labels, counts.tolist(), strict=True):
            n_places[label] = n_places.get(label, 0) + count
        if len(n_places) == 1:
            continue
        sides = {}
        for label in n_places:
            has_it = np.array([one == label for one in labels])
            sides[label] = _LabelledSide(plain(label) or NO_LABEL, places[has_it[labelling]])
        main = max(n_places, key=lambda label: n_places[label])
        yield from ((position, sides[main], sides[label]) for label in n_places if label != main)


def _row(
    text: RunningText, name: str, word: str, position: int, length: int, a: _LabelledSide, b: _LabelledSide
) -> WorklistRow:
    span = text.span(int(a.places[0]), length)
    corpus = text.corpora[span.corpus]
    where_b, marked_b = _in_context(text, int(b.places[0]) + position)
    where_a, marked_a = _in_context(text, int(a.places[0]) + position)
    other = text.corpora[text.span(int(b.places[0]), 1).corpus]
    in_other = f" of {other.path}" if other is not corpus else ""
    shown = f"{word}  A) {_counted(a)}  B) {_counted(b)}  B in {where_b}{in_other}: {marked_b}"
    start, end = min(span.words) + 1, max(span.words) + 1
    row = WorklistRow(name, "repeat", corpus.path, where_a, start, end, marked_a, shown)
    return replace(row, word=word, label_here=a.label, label_there=b.label)


def _counted(side: _LabelledSide) -> str:
    return f"{side.label}, {len(side.places)} place{'s' if len(side.places) > 1 else ''}"


def _in_context(text: RunningText, place: int) -> tuple[str, str]:
    """The name of a place's sentence, and the sentence with the word in brackets."""
    span = text.span(place, 1)
    corpus = text.corpora[span.corpus]
    every = map(shortened, corpus.words_of(span.sentence))
    words = [f"[{word}]" if at in span.words else word for at, word in enumerate(every)]
    return corpus.sent_id(span.sentence) or f"sentence {span.sentence + 1}", " ".join(words)


# ---- finding words again ---------------------------------------------------------------------------------------------


class StretchHashes:
    """Hashes of stretches of a text, which are the same in every text: Σ h(unit i) · base^i modulo 2**64.

    They are differences of prefix sums, divided by base^place.
    """

    def __init__(self, text: RunningText) -> None:
        of_unit = [int.from_bytes(_blake(unit.encode("utf-8", "replace"), 8), "little") for unit in text.vocabulary]
        values = np.array([*of_unit, int.from_bytes(_blake(b"\0boundary", 8), "little")], dtype=np.uint64)
        n = len(text.codes)
        self._sums = np.zeros(n + 1, dtype=np.uint64)
        np.cumsum(values[text.codes] * _powers(_BASE, n), out=self._sums[1:])  # BOUNDARY, -1, is the last
        self._divisors = _powers(_INVERSE, n)

    def of(self, places: Ids | Indices, lengths: Ids | Indices | int) -> Array:
        """The hashes of the stretches that begin at these places."""
        at = places.astype(np.intp)
        hashes: Array = (self._sums[at + lengths] - self._sums[at]) * self._divisors[at]
        return hashes


def _powers(base: int, n: int) -> Array:
    factors = np.full(n, base, dtype=np.uint64)
    factors[:1] = 1
    powers: Array = np.cumprod(factors)
    return powers


def _blake(data: bytes, size: int) -> bytes:
    return hashlib.blake2b(data, digest_size=size).digest()


def _digest(values: Array) -> str:
    return _blake(values.tobytes(), 4).hex()


def _pattern_digest(word: str, a: str, b: str) -> str:
    return _blake("\0".join((word, a, b)).encode("utf-8", "replace"), 4).hex()


def places_of_words(text: RunningText, hashes_of: StretchHashes, wanted: Sequence[tuple[int, int]]) -> list[Indices]:
    """For each hash and number of units, all places of the text where such a stretch begins."""
    found: list[Indices] = [np.zeros(0, dtype=np.intp)] * len(wanted)
    by_length: dict[int, list[int]] = {}
    for number, (_, length) in enumerate(wanted):
        by_length.setdefault(length, []).append(number)
    for length, numbers in by_length.items():
        places = np.arange(max(len(text.codes) - length + 1, 0))
        if not len(places):
            continue
        hashes = hashes_of.of(places, length)
        known, which = np.unique(np.array([wanted[number][0] for number in numbers], np.uint64), return_inverse=True)
        nearest = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
        hits = np.flatnonzero(known[nearest] == hashes)
        for number, key in zip(numbers, which.tolist(), strict=True):
            found[number] = hits[nearest[hits] == key]
    return found


# ---- what was said ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListSettings:
    """What the head of a worklist says of the repeats in it; `hashes` are the first digits of its corpora's.

    `names` are those of the corpora: copies of files have others, which makes no difference.
    """

    of: str
    words: str
    fold_case: bool
    punctuation: bool
    marked: bool
    min_words: int | None
    hashes: tuple[str, ...]
    names: tuple[str, ...] = field(default=(), compare=False)

    def has(self, corpus: Corpus) -> bool:
        """Whether the list was made from this corpus."""
        digest = corpus.source.sha256()
        return any(digest.startswith(one) for one in self.hashes)

    def text(self, corpus: Corpus) -> RunningText:
        """The text of words in which the repeats were found."""
        text = running_text([corpus], column=self.words, fold_case=self.fold_case, punctuation=self.punctuation)
        return text if self.marked else without_marked(text)


def list_settings(worklist: Worklist) -> ListSettings:
    """What a worklist was made from; a `DataError` if its head does not say."""
    signed = next((line for line in worklist.head if _SIGNED.match(line)), None)
    parts = [part.partition(":") for part in signed.split("|")] if signed else []
    values = {key: value for key, _, value in parts if key != "corpus"}
    hashes = tuple(value.rpartition("@sha256:")[2] for key, _, value in parts if key == "corpus")
    if "of" not in values or not hashes or not all(re.fullmatch("[0-9a-f]{8,64}", one) for one in hashes):
        message = "the first lines of this worklist do not name the files and columns it was made from"
        hint = "do not change the lines that start with #"
        raise DataError(Problem("K740", message, worklist.path, hint=hint))
    min_words = values.get("min-words", "")
    return ListSettings(
        values["of"],
        values.get("words", "form"),
        values.get("fold-case") == "yes",
        values.get("punctuation") != "no",
        values.get("marked") != "no",
        int(min_words) if min_words.isdecimal() else None,
        hashes,
        tuple(value.rpartition("@sha256:")[0].replace("%7C", "|") for key, _, value in parts if key == "corpus"),
    )


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A row of a worklist and what its id says; `verdict` is empty while nobody has decided.

    `words_hash` and `n_words` are the repeat's, `position` is that of the word, from 0; `same_places` is equal for rows
    about the same places and labels. `n_a` and `n_b` are how many places each side has.
    """

    path: str
    line: int
    id: str
    words_hash: int
    n_words: int
    position: int
    disjoint: bool
    non_fringe: bool
    same_places: str
    word: str
    a: str
    b: str
    verdict: str
    label: str
    judge: str
    n_a: int
    n_b: int

    @property
    def repeat(self) -> tuple[int, int]:
        """The repeat that the row is about."""
        return self.words_hash, self.n_words

    @property
    def pattern(self) -> tuple[str, frozenset[str]]:
        """The word and its two labels, whichever is which."""
        return self.word, frozenset((self.a, self.b))

    def problem(self, code: str, message: str, hint: str = "") -> Problem:
        """Something that is wrong with the row."""
        return Problem(code, message, self.path, self.line, hint=hint)


def judged_rows(worklist: Worklist) -> list[JudgedRow]:
    """The rows of a worklist; a `DataError` for those whose id or labels are not as karat wrote them."""
    found, problems = [], []
    for row in worklist.rows:
        made = judged_row(worklist.path, row)
        if made is None:
            what = "the id" if _ID.fullmatch(row.id) is None else "what is shown"
            hint = "do not change id and shown: they say which words and labels were judged"
            problems.append(Problem("K741", f"{what} is not as karat wrote it", worklist.path, row.line, hint=hint))
        else:
            found.append(made)
    if problems:
        raise DataError(problems)
    return found


def judged_row(path: str, row: WorklistRow) -> JudgedRow | None:
    """A row of the list in a file and what its id says; None if id or labels are not as karat wrote them."""
    parts, shown = _ID.fullmatch(row.id), _SHOWN.fullmatch(row.shown)
    if parts is None or shown is None:
        return None
    word, a, n_a, b, n_b = shown.groups()
    if parts[7] != _pattern_digest(word, a, b):
        return None
    of_repeat = int(parts[1], 16), int(parts[2]), int(parts[3]) - 1, bool(parts[4]), bool(parts[5])
    said = row.verdict, row.label, row.judge
    same_places = f"{parts[6]}.{parts[7]}"
    return JudgedRow(path, row.line, row.id, *of_repeat, same_places, word, a, b, *said, int(n_a), int(n_b))
