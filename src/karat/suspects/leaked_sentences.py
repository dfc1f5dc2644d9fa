"""Which sentences of a test text are in a training text, and whether they are annotated there in the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices
from karat._numbering import numbered_keys
from karat._ragged import offsets_of, owners_of, stretches
from karat.corpus import Corpus
from karat.gold.repeats.running_text import joint_codes
from karat.suspects.near_duplicates import near_duplicates
from karat.suspects.same_sentences import numbered_sentences

Kind = Literal["exact", "case", "near"]
KINDS: tuple[Kind, ...] = get_args(Kind)
COMPARED = ("lemma", "upos", "xpos", "feats", "head", "deprel")  # the annotation
_SAME, _DIFFERENT, _NOT_COMPARED = 1, 0, -1


@dataclass(frozen=True, slots=True)
class AnnotationDifference:
    """A word, `token` is its number from 1, that has another value in the test text than in the training text."""

    token: int
    column: str
    test: str
    train: str


@dataclass(frozen=True, slots=True, eq=False)
class LeakedSentences:
    """The sentences of a test text that are in the training text, in the order of the test; numbers are from 0.

    Of row i, sentence `test[i]` is `train[i]`, of the kind `KINDS[kind[i]]`; `share[i]` of its shingles are there.
    So many training sentences are like it: `n_train[i]`. Those with fewer words than were asked for are `short`:
    everybody says *thank you*. `columns` is the annotation that was compared, `annotated` whether it is the same (1),
    another (0), or was not compared (-1), as that of near ones.
    """

    texts: tuple[Corpus, Corpus]  # train, test
    columns: tuple[str, ...]
    test: Indices
    train: Indices
    kind: Indices
    share: Floats
    n_train: Indices
    annotated: Indices
    short: Flags

    def __len__(self) -> int:
        return len(self.test)

    @property
    def is_leaked(self) -> Flags:
        """Whether each sentence of the test text is a leak; short ones are none."""
        found = np.zeros(self.texts[1].n_sentences, dtype=np.bool_)
        found[self.test[~self.short]] = True
        return found

    @property
    def differs(self) -> Flags:
        """Which rows are known to be annotated differently."""
        found: Flags = self.annotated == _DIFFERENT
        return found

    def same_annotation(self, row: int) -> bool | None:
        """Whether a row's sentence is annotated as in the training text; None if that was not compared."""
        return None if self.annotated[row] == _NOT_COMPARED else bool(self.annotated[row] == _SAME)

    def of_kind(self, kind: Kind) -> Flags:
        """Which rows are of a kind, without the short ones."""
        found: Flags = (self.kind == KINDS.index(kind)) & ~self.short
        return found

    def n_words(self, rows: Flags) -> int:
        """How many words of the test text these rows have."""
        return int(np.diff(self.texts[1].sentence_offsets)[self.test[rows]].sum())

    def differences(self) -> dict[int, list[AnnotationDifference]]:
        """Where rows that are annotated differently differ, word by word and column by column."""
        rows = np.flatnonzero(self.differs)
        train, test = self.texts
        sizes = np.diff(test.sentence_offsets)[self.test[rows]]
        ours = stretches(test.sentence_offsets[self.test[rows]], sizes)
        theirs = stretches(train.sentence_offsets[self.train[rows]], sizes)
        row, token = rows[owners_of(sizes)], stretches(1, sizes)
        found: dict[int, list[AnnotationDifference]] = {one: [] for one in rows.tolist()}
        for column in self.columns:
            codes, names = joint_codes(self.texts, column)
            one, other = codes[train.n_words + ours], codes[theirs]
            for at in np.flatnonzero(one != other).tolist():
                values = names[int(one[at])], names[int(other[at])]
                found[int(row[at])].append(AnnotationDifference(int(token[at]), column, *values))
        return {one: sorted(several, key=lambda each: each.token) for one, several in found.items()}


def leaked_sentences(train: Corpus, test: Corpus, *, near: float, min_words: int) -> LeakedSentences:
    """The sentences of a test text that are in the training text, as they are or nearly so.

    exact: a training sentence has the same words. case: it has them but for upper and lower case. near: the share
    `near` of its shingles, without regard to case, is in one training sentence; not looked for below `min_words`.
    Of several training sentences the first that is annotated in the same way stands for all, else the first.
    """
    texts, n_train = (train, test), train.n_sentences
    offsets = np.append(train.sentence_offsets, train.n_words + test.sentence_offsets[1:])
    folded, _ = joint_codes(texts, "form", str.casefold)
    columns = tuple(name for name in COMPARED if train.has(name) and test.has(name))
    found = _FoundSoFar(test.n_sentences)
    same = _SameWords(_same_but_for_case(folded, offsets, train), offsets, n_train)
    wordings: dict[Kind, Ids] = {"exact": joint_codes(texts, "form")[0], "case": folded}
    annotation = [joint_codes(texts, column)[0] for column in columns]
    for kind, codes in wordings.items():
        rows, first, count = same.by([codes])
        is_new = found.kind[rows] < 0
        found.put(rows[is_new], kind, first[is_new], 1.0, count[is_new])
        if columns:
            alike, first_alike, _ = same.by([codes, *annotation])
            found.put_annotation(rows[is_new], alike, first_alike)
    is_short = np.diff(test.sentence_offsets) < min_words
    asked = n_train + np.flatnonzero((found.kind < 0) & ~is_short)
    nearest = near_duplicates(folded, offsets, asked=asked, among=np.arange(n_train), least=near)
    found.put(nearest.sentence - n_train, "near", nearest.other, nearest.share, nearest.n_others)
    rows = np.flatnonzero(found.kind >= 0)
    train_of, kinds, shares = found.train[rows], found.kind[rows], found.share[rows]
    counts, annotated = found.n_train[rows], found.annotated[rows]
    return LeakedSentences(texts, columns, rows, train_of, kinds, shares, counts, annotated, is_short[rows])


class _FoundSoFar:
    """What is known of each test sentence so far; of those that are not in the training text the kind is -1."""

    def __init__(self, n: int) -> None:
        self.train, self.kind, self.n_train = (np.full(n, value, dtype=np.intp) for value in (-1, -1, 0))
        self.share = np.zeros(n)
        self.annotated = np.full(n, _NOT_COMPARED, dtype=np.intp)

    def put(self, rows: Indices, kind: Kind, train: Indices, share: Floats | float, n_train: Indices) -> None:
        """Note the training sentence of some rows."""
        self.kind[rows] = KINDS.index(kind)
        self.train[rows], self.share[rows], self.n_train[rows] = train, share, n_train

    def put_annotation(self, rows: Indices, alike: Indices, train: Indices) -> None:
        """Note that of some rows those that are `alike` are annotated as in these training sentences, others not."""
        self.annotated[rows] = _DIFFERENT
        is_asked = np.isin(alike, rows)
        self.annotated[alike[is_asked]] = _SAME
        self.train[alike[is_asked]] = train[is_asked]


def _same_but_for_case(folded: Ids, offsets: Indices, train: Corpus) -> Indices:
    """The training sentences that are in the test text, and those of the test text that are in the training text.

    A training sentence with a word that the test text does not have cannot be in it: few are left to be looked at.
    """
    n_train = train.n_sentences
    is_there = np.zeros(int(folded.max(initial=0)) + 1, dtype=np.bool_)
    is_there[folded[train.n_words :]] = True
    n_before = offsets_of(~is_there[folded])
    sentences = np.flatnonzero(n_before[offsets[1:]] == n_before[offsets[:-1]])
    numbers = _numbers([folded], offsets, sentences)
    is_test = sentences >= n_train
    in_both = np.isin(numbers, numbers[is_test]) & np.isin(numbers, numbers[~is_test])
    return sentences[in_both]


@dataclass(frozen=True, slots=True, eq=False)
class _SameWords:
    """Sentences, counted through both texts, each of which is in the other text, too, but for case."""

    sentences: Indices
    offsets: Indices
    n_train: int

    def by(self, columns: Sequence[Ids]) -> tuple[Indices, Indices, Indices]:
        """The test sentences that have the same columns as a training sentence, the first such, and how many."""
        numbers = _numbers(columns, self.offsets, self.sentences)
        is_test = self.sentences >= self.n_train
        theirs, ours = numbers[~is_test], numbers[is_test]
        count = np.bincount(theirs, minlength=int(numbers.max(initial=-1)) + 1)
        first = np.zeros(len(count), dtype=np.intp)
        first[theirs[::-1]] = self.sentences[~is_test][::-1]
        is_there = count[ours] > 0
        chosen = ours[is_there]
        return self.sentences[is_test][is_there] - self.n_train, first[chosen], count[chosen]


def _numbers(columns: Sequence[Ids], offsets: Indices, sentences: Indices) -> Indices:
    """A number for each of some sentences, the same where all of these columns are the same."""
    sizes = np.diff(offsets)[sentences]
    places = stretches(offsets[:-1][sentences], sizes)
    joined = columns[0][places].astype(np.intp)
    for column in columns[1:]:
        joined = numbered_keys(joined * (int(column.max(initial=0)) + 1) + column[places])[1]
    return numbered_sentences(joined, sizes)
