"""Error rates with the gold's own contradictions set aside [Wisniewski & Yvon 2019, §5, §6 and eq. 1].

A tagger that does as its training text did is called wrong where the test text is annotated otherwise. Such places can
be seen without the tagger: they are in suspicious repeats, word sequences that training and test text share and that
are not annotated in the same way everywhere. The rates themselves are measures: `karat.measures.words.error_rates`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args, overload

import numpy as np

from karat._arrays import Flags, Floats, Ids, Indices
from karat._ragged import offsets_of
from karat.corpus import Corpus, Source, corpus_from_source, read_source
from karat.corpus.constituency_trees import Trees
from karat.corpus.formats import Readable
from karat.corpus.readers.key import Keys
from karat.errors import DataError, Problem, UsageError
from karat.evaluation.gold_clusters import clusters_of
from karat.evaluation.results import MeasureScore, SystemScores
from karat.evaluation.score import with_intervals
from karat.evaluation.task import Asked, Systems, named_systems
from karat.evaluation.words import WordTask
from karat.gold.repeats.shared_with_training import (
    FollowedLabelling,
    SharedRepeats,
    followed_labellings,
    shared_repeats,
)
from karat.gold.repeats.suspicious import SuspiciousRepeats
from karat.inference.intervals import interval_dict
from karat.inference.options import InferenceOptions
from karat.inference.resampling import Progress
from karat.measures.words.comparison import Comparison
from karat.measures.words.error_rates import COVERED, ERRORS, SET_ASIDE, WORDS, ErrorRate, error_rates
from karat.result import Cell, Result, Table

Heuristic = Literal["minsize", "disjoint", "all"]
HEURISTICS: tuple[Heuristic, ...] = get_args(Heuristic)
_MIN_SIZE = 3  # words: the paper's text has both "more than three" and "three and more"; its Table 4 is of the latter


@dataclass(frozen=True, slots=True)
class LengthShare:
    """The suspicious repeats of one length, and how many of them hold an error somewhere in the gold [Figure 2]."""

    length: int
    repeats: int
    with_error: int

    @property
    def share(self) -> float:
        return self.with_error / self.repeats


@dataclass(frozen=True, slots=True)
class SuspiciousError:
    """An error in a suspicious repeat; `sentence` and `token`, a word of it, are those of the gold, from 1.

    `system` is None where the system has no such word. `repeat` is in the training text `train_places` times, and
    `follows` is its commonest labelling there that has the system's label on this word. Of several repeats around a
    word, it is the longest that has one; if none has, `follows` is None, and it is the longest of all.
    """

    sentence: int
    sent_id: str | None
    token: int
    word: str
    gold: str
    system: str | None
    repeat: tuple[str, ...]
    train_places: int
    follows: FollowedLabelling | None

    def to_dict(self) -> dict[str, Any]:
        """The error as plain data."""
        follows = self.follows
        return {
            "sentence": self.sentence,
            "sent_id": self.sent_id,
            "token": self.token,
            "word": self.word,
            "gold": self.gold,
            "system": self.system,
            "repeat": list(self.repeat),
            "length": len(self.repeat),
            "train_places": self.train_places,
            "follows": follows and {"labels": list(follows.labels), "count": follows.count},
        }


@dataclass(frozen=True, slots=True, eq=False)
class SuspiciousErrors(Sequence[SuspiciousError]):
    """The errors of a system in suspicious repeats, in the order of the text; columns, and rows when asked for.

    Error i is on the gold's word `words[i]`, in the repeat `repeats[i]` of those found, and follows labelling
    `followed[i]`, or none (-1).
    """

    words: Indices
    repeats: Indices
    followed: Indices
    system_words: Indices
    system: Corpus
    found: SharedRepeats
    column: str

    def __len__(self) -> int:
        return len(self.words)

    @property
    def n_following(self) -> int:
        """How many do as the training text does somewhere."""
        return int((self.followed >= 0).sum())

    @overload
    def __getitem__(self, number: int) -> SuspiciousError: ...
    @overload
    def __getitem__(self, number: slice) -> list[SuspiciousError]: ...
    def __getitem__(self, number: int | slice) -> SuspiciousError | list[SuspiciousError]:
        if isinstance(number, slice):
            return [self[one] for one in range(*number.indices(len(self)))]
        word, repeat, other = int(self.words[number]), int(self.repeats[number]), int(self.system_words[number])
        gold, found = self.found.gold, self.found
        sentence = int(gold.words_sentence[word])
        return SuspiciousError(
            sentence + 1,
            gold.sent_id(sentence),
            word - int(gold.sentence_offsets[sentence]) + 1,
            _value(gold, "form", word),
            _value(gold, self.column, word),
            None if other < 0 else _value(self.system, self.column, other),
            found.suspicious.words(repeat),
            int(found.train_places[repeat]),
            found.labelling(repeat, int(self.followed[number])),
        )

    def by_evidence(self, n: int) -> list[SuspiciousError]:
        """The n errors most likely learnt: the longest repeats first, then the labellings that are there most often."""
        count = np.where(self.followed < 0, 0, self.found.train_counts[self.followed])
        order = np.lexsort((-count, -self.found.suspicious.length[self.repeats], self.followed < 0))
        return [self[one] for one in order[:n].tolist()]


@dataclass(frozen=True, slots=True, eq=False)
class SystemErrors:
    """One system's error rates.

    `full` is ε_full, `ignoring` ε_ignoring, and `outside` the error rate on the words outside of suspicious repeats,
    None where there are none. `counts` has, for each gold sentence in the test, its words, errors, errors set aside and
    words in such repeats.
    """

    name: str
    full: MeasureScore
    ignoring: MeasureScore
    outside: MeasureScore | None
    by_length: tuple[LengthShare, ...]
    errors: SuspiciousErrors
    counts: Floats

    @property
    def rates(self) -> tuple[MeasureScore | None, ...]:
        return self.full, self.ignoring, self.outside

    @property
    def n_words(self) -> int:
        return int(self.counts[:, WORDS].sum())

    @property
    def n_errors(self) -> int:
        return int(self.counts[:, ERRORS].sum())

    @property
    def n_set_aside(self) -> int:
        return int(self.counts[:, SET_ASIDE].sum())

    @property
    def n_covered(self) -> int:
        return int(self.counts[:, COVERED].sum())

    @property
    def n_with_error(self) -> int:
        """How many of the suspicious repeats hold an error."""
        return sum(one.with_error for one in self.by_length)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ErrorsSetAside(Result):
    """The error rates of systems, with and without the errors in suspicious repeats of the training text and the gold.

    `cluster` is what was resampled for intervals (empty without).
    """

    heuristic: Heuristic
    column: str
    gold: Corpus
    train: Corpus
    suspicious: SuspiciousRepeats
    systems: tuple[SystemErrors, ...]
    cluster: str = ""
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """What is set aside of each system as plain data."""
        return {"systems": [{"name": one.name, "ignoring": self.of_system(one)} for one in self.systems]}

    def of_system(self, system: SystemErrors) -> dict[str, Any]:
        """What is set aside of one system as plain data: `ignoring` of the schema karat/score/1."""
        n_repeats = len(self.suspicious)
        return {
            "heuristic": self.heuristic,
            "column": self.column,
            "train": {"path": self.train.path, "sha256": self.train.source.sha256()},
            **{
                name: {"error": rate and rate.value, **interval_dict(rate.interval if rate else None)}
                for name, rate in zip(("full", "ignoring", "outside"), system.rates, strict=True)
            },
            "tokens": system.n_words,
            "wrong": system.n_errors,
            "set_aside": system.n_set_aside,
            "following": system.errors.n_following,
            "covered": system.n_covered,
            "suspicious": {
                "repeats": n_repeats,
                "with_error": system.n_with_error,
                "share": system.n_with_error / n_repeats if n_repeats else None,
            },
            "by_length": [
                {"length": one.length, "repeats": one.repeats, "with_error": one.with_error, "share": one.share}
                for one in system.by_length
            ],
            "errors": [one.to_dict() for one in system.errors],
        }

    def records(self) -> Table:
        """One row for each system and error rate."""
        rows: list[list[Cell]] = [
            [one.name, rate.name, rate.value, rate.lower, rate.upper]
            for one in self.systems
            for rate in one.rates
            if rate is not None
        ]
        return Table(["name", "measure", "value", "lower", "upper"], rows)

    def system(self, name: str) -> SystemErrors:
        """The system of this name."""
        for one in self.systems:
            if one.name == name:
                return one
        raise KeyError(f"no system {name!r}; choose from {', '.join(one.name for one in self.systems)}")


def errors_set_aside(
    gold: Readable,
    systems: Systems,
    train: Readable,
    *,
    heuristic: Heuristic = "disjoint",
    column: str = "upos",
    input: str | None = None,
    skip_bad: bool = False,
    trees: bool = False,
    intervals: bool = True,
    inference: InferenceOptions | None = None,
    progress: Progress | None = None,
) -> ErrorsSetAside:
    """ε_full and ε_ignoring of systems on a gold, given the text that they were trained on.

    [Wisniewski & Yvon 2019, eq. 1]: ε_ignoring = (#errors - #errors in suspicious repeats) / #words. Set aside is an
    error on *any* word of a suspicious repeat, also on one whose label is the same everywhere, and *all* words stay in
    the denominator: it is the error rate of a tagger that gets all suspicious repeats right. Since that falls the more,
    the more of the text is repeated, `outside` takes the words of these repeats out of the denominator, too.

    A repeat is a maximal one of one word or more that is in both texts, and suspicious if its places in the two
    together have at least two labellings. `heuristic` says which count: "all"; "minsize", those of 3 words and more;
    "disjoint", those of which the two texts have no labelling in common. All is as in the paper's Table 4: forms as
    they are written, punctuation included.

    The label is a word's value in `column`. A gold word that the system has no match for counts as an error. With
    `skip_bad`, bad sentences of gold and training text are left out, bad ones of a system are wholly wrong; with
    `trees`, a sentence of gold or system is bad, too, if its heads are no tree. Intervals resample sentences or
    documents with the same repeats throughout: they are about other sentences, not about other training text.
    """
    if heuristic not in HEURISTICS:
        raise UsageError(f"unknown heuristic {heuristic!r}; choose from {', '.join(HEURISTICS)}")
    inference = inference or InferenceOptions()
    rates = error_rates(column)
    task = WordTask(rates, Asked(input=input, skip_bad=skip_bad), column=column)
    problems: list[Problem] = []

    def opened(readable: Readable, trees: bool = trees) -> Corpus | None:
        try:
            return _labelled_corpus(readable, task, trees=trees)
        except DataError as error:
            problems.extend(error.problems)
            return None

    ours, learnt = opened(gold), opened(train, trees=False)
    theirs = {name: opened(one) for name, one in named_systems(systems).items()}
    if problems or ours is None or learnt is None:
        raise DataError(problems)
    min_words = _MIN_SIZE if heuristic == "minsize" else 1
    found = shared_repeats(learnt, ours, column, min_words=min_words, disjoint=heuristic == "disjoint")
    task = replace(task, measures=error_rates(column, found.covered()))
    pairs = {name: task.paired(ours, one) for name, one in theirs.items() if one is not None}
    scored = [task.scores(pair, name) for name, pair in pairs.items()]
    cluster = ""
    if intervals and inference.n_resamples:
        clusters = clusters_of(ours, inference.cluster)
        scored, cluster = with_intervals(scored, clusters, inference, progress), clusters.kind
    errors = tuple(_system_errors(one, pairs[one.name], found, column) for one in scored)
    return ErrorsSetAside(heuristic, column, ours, learnt, found.suspicious, errors, cluster, _warnings(learnt, ours))


# ---- what a system does there ----------------------------------------------------------------------------------------


def _system_errors(scores: SystemScores, pair: Comparison, found: SharedRepeats, column: str) -> SystemErrors:
    """A system's error rates, and the errors that are set aside."""
    gold, system, alignment = pair.gold, pair.system, pair.alignment
    full, ignoring, outside = scores.measures.values()
    assert isinstance(full.measure, ErrorRate)
    counts = scores.counts[full.name]
    is_wrong = full.measure.wrong(pair)
    words = np.flatnonzero(is_wrong & found.covered())
    system_words = np.full(gold.n_words, -1)
    system_words[alignment.gold_words] = alignment.system_words
    labels = np.append(_codes(system, column, found.suspicious.labels.names), np.int32(-1))[system_words[words]]
    errors = SuspiciousErrors(
        words, *followed_labellings(found, words, labels), system_words[words], system, found, column
    )
    is_defined = outside.measure.is_defined(counts)
    by_length = _by_length(found, is_wrong)
    return SystemErrors(scores.name, full, ignoring, outside if is_defined else None, by_length, errors, counts)


def _codes(system: Corpus, column: str, names: Sequence[str]) -> Ids:
    """The system's labels by the numbers that the two texts' labels have; -1 for others."""
    numbers = {name: number for number, name in enumerate(names)}
    values = system.column(column)
    return np.array([numbers.get(text, -1) for text in values.vocabulary.strings], dtype=np.int32).take(values.ids)


def _by_length(found: SharedRepeats, is_wrong: Flags) -> tuple[LengthShare, ...]:
    n_before = offsets_of(is_wrong)
    has_error = n_before[found.stop] > n_before[found.first]
    with_error = np.bincount(found.repeat[has_error], minlength=len(found.suspicious)) > 0
    repeats = np.bincount(found.suspicious.length)
    wrong = np.bincount(found.suspicious.length[with_error], minlength=len(repeats))
    return tuple(
        LengthShare(length, int(repeats[length]), int(wrong[length])) for length in np.flatnonzero(repeats).tolist()
    )


# ---- reading ---------------------------------------------------------------------------------------------------------


def _labelled_corpus(readable: Readable, task: WordTask, *, trees: bool) -> Corpus:
    """The corpus, with labels in the column."""
    if isinstance(readable, (Trees, Keys)):
        raise UsageError("errors can be set aside in CoNLL-U and tagged text, not in bracketed trees or sense keys")
    if isinstance(readable, Corpus):
        corpus = readable
    else:
        source = readable if isinstance(readable, Source) else read_source(readable)
        corpus = corpus_from_source(source, input=task.asked.input, tag=task.column, trees=trees, bad=task.asked.bad)
    if not corpus.has(task.column):
        message = f"error rates of {task.column.upper()} need this column, and the file does not have it"
        raise DataError(Problem("K501", message, corpus.path, hint="give the column that has the labels"))
    return corpus


def _warnings(train: Corpus, gold: Corpus) -> tuple[str, ...]:
    if train.source.sha256() == gold.source.sha256():
        return (f"{train.path} is the gold itself: give the training data instead",)
    return ()


def _value(corpus: Corpus, column: str, word: int) -> str:
    values = corpus.column(column)
    return values.vocabulary.strings[int(values.ids[word])]
