"""Suspects that people judge: the list, what verdicts say of the rest, and how many of the gold's labels are wrong.

The list has two parts. One is the likeliest suspects, which people judge to find errors. The other is a random sample
of all words, in no order, kept aside: its verdicts never change the ranking, so that whatever was judged in the first
part, the sample says what the rest of the corpus is like. With J words judged in the first part, of which E are errors,
and n words of the sample among the other N − J, of which e are errors, the error rate is (E + (N − J)·e/n) / N.

Its interval is that of e among the words that nobody judged, drawn with Jeffreys' prior: what is judged is known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from karat._arrays import Flags, Floats, Indices
from karat.corpus import PathLike
from karat.corpus.carried_verdicts import Question
from karat.corpus.open_verdicts import OPEN_HEAD, estimated
from karat.corpus.spreadsheet_tables import plain
from karat.corpus.worklist import Worklist, WorklistRow, read_worklist
from karat.errors import DataError, Problem, UsageError
from karat.gold.judged_words import ERROR, SUSPECT, SUSPECT_VERDICTS
from karat.suspects.learning import learnt_weights
from karat.suspects.search import Suspects

KIND, VERDICTS = SUSPECT, SUSPECT_VERDICTS
N_RANDOM = 300  # words of the sample, if nothing else is said
_RANDOM, _RANKED = "r", "s"  # what ids begin with
_ID = re.compile(rf"([{_RANDOM}{_RANKED}])([0-9]+)", re.ASCII)
_SIGNED = re.compile(r"\|corpus:[^|]*@sha256:([0-9a-f]{8,64})")
_AROUND = 12  # words on both sides that are shown
_N_DRAWS = 20_000
HEAD = (
    "Is the label of the word in brackets wrong? Write into the column verdict error, right, or ambiguity (the word "
    "can have either label there), and for an error the right label into the column label. Rows whose id begins with "
    "r are a random sample, for the error rate of the corpus: judge them in their order, and leave none out. "
    + OPEN_HEAD
)


@dataclass(frozen=True, slots=True)
class CorpusErrorRate:
    """The share of a corpus's labels that are wrong, with interval; None while no word of the sample is judged.

    `n_judged` words of the list and `n_sampled` of the sample were judged, with so many errors in each.
    """

    value: float | None
    lower: float | None
    upper: float | None
    level: float
    n_words: int
    n_judged: int
    n_errors: int
    n_sampled: int
    n_sampled_errors: int
    n_sample: int

    def to_dict(self) -> dict[str, Any]:
        """The rate as plain data."""
        return {
            "value": self.value,
            "lower": self.lower,
            "upper": self.upper,
            "level": self.level,
            "words": self.n_words,
            "judged": self.n_judged,
            "errors": self.n_errors,
            "sampled": self.n_sampled,
            "sampled_errors": self.n_sampled_errors,
            "sample": self.n_sample,
        }


# ---- the list --------------------------------------------------------------------------------------------------------


def random_words(found: Suspects, n: int) -> Indices:
    """A random sample of the words, by permanent random numbers: of an edited corpus it is mostly the same.

    A word's number depends on its sentence and its place there alone.
    """
    corpus = found.corpus
    names = [corpus.sent_id(number) or f"#{number}" for number in range(corpus.n_sentences)]
    seeds = np.array([_hash(name) for name in names], dtype=np.uint64)
    place = np.arange(corpus.n_words) - corpus.sentence_offsets[corpus.words_sentence]
    numbers = _mixed(seeds[corpus.words_sentence] + _mixed(place.astype(np.uint64)))
    can_be = ~found.found.is_marked
    order = np.argsort(np.where(can_be, numbers >> np.uint64(1), np.iinfo(np.int64).max), kind="stable")
    return np.sort(order[: min(n, int(can_be.sum()))])


def _hash(text: str) -> int:
    import hashlib

    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _mixed(numbers: Any) -> Any:
    """Numbers of 64 bits, each made random [splitmix64, Steele et al. 2014]."""
    with np.errstate(over="ignore"):
        z = numbers + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def suspect_worklist(found: Suspects, *, top: int | None = None, n_random: int = N_RANDOM) -> Worklist:
    """The first suspects as rows to judge, likeliest first, then the random sample; a word of both has two rows."""
    first = found.words if top is None else found.words[:top]
    ranked = [_row(found, int(word), float(score), _RANKED) for word, score in zip(first, found.scores, strict=False)]
    sample = random_words(found, n_random)
    scores = found.found.scores()
    shuffled = np.random.default_rng([len(sample), 41]).permutation(sample)
    kept = [_row(found, word, float(scores[word]), _RANDOM) for word in shuffled.tolist()]
    return Worklist((*ranked, *kept), (HEAD, found.signature))


def _row(found: Suspects, word: int, score: float, part: str) -> WorklistRow:
    one = found.of_word(word, score)
    is_random = part == _RANDOM  # what speaks against its label would sway the judge
    return WorklistRow(
        f"{part}{word + 1}",
        KIND,
        found.corpus.path,
        one.sent_id or "",
        one.token,
        one.token,
        _shown(found, word),
        one.label if is_random else f"{one.label}  ({one.in_words})",
        1.0,
        word=one.form,
        label_here=one.label,
        label_there="" if is_random else one.suggested or "",
        score="" if is_random else f"{score:.2f}",
    )


def _shown(found: Suspects, word: int) -> str:
    corpus = found.corpus
    sentence = int(corpus.words_sentence[word])
    words = corpus.words_of(sentence)
    at = word - int(corpus.sentence_offsets[sentence])
    first, stop = max(at - _AROUND, 0), at + _AROUND + 1
    shown = [f"[{one}]" if place == at else one for place, one in enumerate(words)][first:stop]
    return " ".join(["…"] * (first > 0) + shown + ["…"] * (stop < len(words)))


def suspect_question(row: WorklistRow) -> Question | None:
    """What a row asks, whatever else was edited: the same word with the same label in the same words."""
    match = _ID.fullmatch(row.id)
    if match is None:
        return None
    return Question((match[1], row.sent_id, row.text, row.label_here), {one: one for one in VERDICTS[KIND]})


# ---- verdicts --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class JudgedWords:
    """Words and whether their labels are errors: those that were judged because they are suspects, and of the sample.

    `n_sample` is how many words the sample has, judged or not.
    """

    ranked: Indices
    ranked_errors: Flags
    sampled: Indices
    sampled_errors: Flags
    n_sample: int


def judged_words(found: Suspects, lists: Sequence[Worklist]) -> JudgedWords:
    """The verdicts of lists; a `DataError` for rows that are about another text."""
    problems: list[Problem] = []
    verdicts: dict[str, dict[int, str]] = {_RANKED: {}, _RANDOM: {}}
    sample: set[int] = set()
    for one in lists:
        if problem := _of_another_text(found, one):
            problems.append(problem)
            continue
        for row in one.rows:
            match = _ID.fullmatch(row.id)
            word = int(match[2]) - 1 if match else -1
            if match is None or not _is_about(found, word, row):
                message = f"{row.id}: no such word in {found.corpus.path} any more"
                hint = "make the list again (`carry` takes over the verdicts on what is the same)"
                problems.append(Problem("K951", message, one.path, row.line, hint=hint))
                continue
            sample |= {word} if match[1] == _RANDOM else set()
            if estimated(row.verdict):
                verdicts[match[1]].setdefault(word, row.verdict)
                if any(of.get(word, row.verdict) != row.verdict for of in verdicts.values()):
                    problems.append(Problem("K952", f"{row.id} has two verdicts", one.path, row.line))
    if problems:
        raise DataError(problems)
    return JudgedWords(*_columns(verdicts[_RANKED]), *_columns(verdicts[_RANDOM]), len(sample))


def _of_another_text(found: Suspects, one: Worklist) -> Problem | None:
    """What is wrong with a list that was made from another text: its sample is not one of this text."""
    made = [match[1] for line in one.head if (match := _SIGNED.search(line))]
    if not made or found.corpus.source.sha256().startswith(made[0]):
        return None
    message = f"this list was made from another text than {found.corpus.path}, or before it was edited"
    hint = "make a new list (`carry` takes over the verdicts on what is the same)"
    return Problem("K951", message, one.path, hint=hint)


def _columns(verdicts: Mapping[int, str]) -> tuple[Indices, Flags]:
    words = np.array(sorted(verdicts), dtype=np.intp)
    return words, np.array([verdicts[word] == ERROR for word in words.tolist()], dtype=np.bool_)


def _is_about(found: Suspects, word: int, row: WorklistRow) -> bool:
    if not 0 <= word < found.corpus.n_words:
        return False
    one = found.of_word(word, 0.0)
    is_label = not row.label_here or row.label_here == one.label
    return row.start == one.token and row.sent_id == plain(one.sent_id or "") and is_label


def read_judgements(found: Suspects, paths: Sequence[PathLike]) -> JudgedWords:
    """The verdicts in files."""
    return judged_words(found, [read_worklist(path, kinds=VERDICTS) for path in paths])


def reranked(found: Suspects, judged: JudgedWords) -> Suspects:
    """What is left to judge, in the order that the verdicts on suspects, not those of the sample, suggest.

    While there are few verdicts the order changes little.
    """
    if found.rank != "combined":
        raise UsageError("verdicts can only change the combined ranking")
    weights = learnt_weights(found.found.values[judged.ranked], judged.ranked_errors)
    scores = found.found.scores(weights)[found.words]
    order = np.argsort(-scores, kind="stable")
    left = order[~np.isin(found.words[order], judged.ranked)]
    return replace(found, words=found.words[left], scores=scores[left])


def error_rate(
    judged: JudgedWords, n_words: int, *, level: float = 0.95, rng: np.random.Generator | None = None
) -> CorpusErrorRate:
    """The share of labels that are wrong, of all words that are not marked, with its interval."""
    if not 0.5 <= level < 1:
        raise UsageError(f"level {level}: it must lie between 0.5 and 1, as in 0.95")
    if rng is None:
        rng = np.random.default_rng(43)
    in_rest = ~np.isin(judged.sampled, judged.ranked)
    n, e = int(in_rest.sum()), int(judged.sampled_errors[in_rest].sum())
    n_known, n_errors = len(judged.ranked), int(judged.ranked_errors.sum())
    rest = n_words - n_known
    counts = (level, n_words, n_known, n_errors, len(judged.sampled), int(judged.sampled_errors.sum()), judged.n_sample)
    if not n:
        return CorpusErrorRate(None, None, None, *counts)
    value = (n_errors + rest * e / n) / n_words
    drawn = _drawn_errors(e, n, rest, rng)
    lower, upper = np.quantile((n_errors + drawn) / n_words, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return CorpusErrorRate(value, min(lower, value), max(upper, value), *counts)


def _drawn_errors(e: int, n: int, rest: int, rng: np.random.Generator) -> Floats:
    """Draws of the errors among the words that were not judged as suspects, of which n are known to have e."""
    share = rng.beta(e + 0.5, n - e + 0.5, _N_DRAWS)
    drawn: Floats = e + rng.binomial(max(rest - n, 0), share).astype(np.float64)
    return drawn
