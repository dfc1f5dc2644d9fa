"""`karat.find_suspects`: the words of a corpus whose labels are likeliest wrong, with what speaks against each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np

from karat._arrays import Flags, Floats, Indices
from karat.corpus import Corpus, PathLike, corpus_from_source, read_source
from karat.errors import DataError, Problem, UsageError
from karat.gold.treebank_folders import treebank_whole
from karat.inference.resampling import Progress
from karat.result import Cell, Result, Table
from karat.signature import signature
from karat.suspects.doubts import doubts_from_file, doubts_of_taggers
from karat.suspects.evidence import NAMES, NOWHERE, WEIGHTS, Evidence, evidence
from karat.systems.folds import FoldBy
from karat.systems.options import Options, settings_of, system_from_text

SCHEMA = "karat/suspects/1"
COLUMNS = ("upos", "xpos", "feats", "lemma", "deprel")
Rank = Literal["combined", "tagger", "repeats"]
RANKS: tuple[Rank, ...] = get_args(Rank)
N_TAGGERS = 3
_DEFAULT_SYSTEM = "perceptron"


@dataclass(frozen=True, slots=True)
class LikePlaces:
    """The repeat that speaks against a label: its words, and how many places have the commonest other label."""

    words: tuple[str, ...]
    label: str
    with_label: int
    places: int


@dataclass(frozen=True, slots=True)
class Suspect:
    """A word whose label may be wrong; `token` is its ID in the sentence, `word` its number in the corpus, from 0.

    `suggested` is what it may be instead, None where nothing is suggested. `probability` and `suggested_probability`
    are the tagger's, `repeat` is the repeat that speaks against the label, None where there is none.
    """

    word: int
    sentence: int
    sent_id: str | None
    token: int
    form: str
    label: str
    suggested: str | None
    score: float
    probability: float | None
    suggested_probability: float | None
    repeat: LikePlaces | None
    evidence: dict[str, float]

    @property
    def in_words(self) -> str:
        """The evidence in a line: `NOUN 1 %, VERB 97 %; 5 of 6 like places have VERB`."""
        parts = []
        if self.probability is not None:
            shown = f"{self.label} {100 * self.probability:.0f} %"
            other = f", {self.suggested} {100 * (self.suggested_probability or 0):.0f} %" if self.suggested else ""
            parts.append(shown + other)
        if self.repeat is not None:
            of = self.repeat
            parts.append(f"{of.with_label:,} of {of.places:,} like places have {of.label}")
        tree, columns = self.evidence.get("tree", 0), self.evidence.get("columns", 0)
        if tree >= 1:
            parts.append(f"1 in {10**tree:,.0f} in its place in the tree")
        if columns >= 1:
            parts.append(f"1 in {10**columns:,.0f} beside its other tag")
        return "; ".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """The suspect as plain data."""
        of = self.repeat
        return {
            "sent_id": self.sent_id,
            "sentence": self.sentence + 1,
            "token": self.token,
            "form": self.form,
            "label": self.label,
            "suggested": self.suggested,
            "score": self.score,
            "probability": self.probability,
            "suggested_probability": self.suggested_probability,
            "repeat": of and {
                "words": list(of.words), "label": of.label, "with_label": of.with_label, "places": of.places,
            },
            "evidence": self.evidence,
            "in_words": self.in_words,
        }  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class Suspects(Result):
    """The suspects of a corpus, likeliest first: numbers of words in `words`, each with its score.

    `n_known` suspects were in a baseline, or are acknowledged exceptions, and are left out.
    """

    corpus: Corpus
    column: str
    rank: Rank
    found: Evidence
    words: Indices
    scores: Floats
    settings: tuple[tuple[str, str], ...]
    inputs: tuple[tuple[str, str, str], ...]
    n_known: int = 0
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def signature(self) -> str:
        """What was searched, how, and in which text."""
        return signature("suspects", self.settings, self.inputs)

    @property
    def formats(self) -> tuple[tuple[str, str], ...]:
        return ((self.corpus.path, self.corpus.format),)

    def only(self, keep: Flags) -> Suspects:
        """Some of the suspects, in their order."""
        return replace(self, words=self.words[keep], scores=self.scores[keep])

    def suspect(self, number: int) -> Suspect:
        """A suspect, by its place in the list."""
        return self.of_word(int(self.words[number]), float(self.scores[number]))

    def of_word(self, word: int, score: float) -> Suspect:
        """What speaks against the label of any word."""
        corpus, found = self.corpus, self.found
        sentence = int(corpus.words_sentence[word])
        like = self._like_places(word)
        doubts = found.doubts
        label = self._label(word)
        other = (doubts.other[word] or None) if doubts else None
        suggested = like.label if like is not None and (other is None or self.rank == "repeats") else other
        return Suspect(
            word,
            sentence,
            corpus.sent_id(sentence),
            word - int(corpus.sentence_offsets[sentence]) + 1,
            _text(corpus, "form", word),
            label,
            suggested,
            score,
            float(doubts.probability[word]) if doubts else None,
            float(doubts.other_probability[word]) if doubts else None,
            like,
            {name: round(float(value), 4) for name, value in zip(NAMES, found.values[word], strict=True)},
        )

    def _label(self, word: int) -> str:
        return _text(self.corpus, self.column, word)

    def _like_places(self, word: int) -> LikePlaces | None:
        """The repeat in which the label is least expected, and what most of its other places have."""
        label, with_label, places = (int(column[word]) for column in self._places_alike)
        if label == NOWHERE:
            return None
        found = self.found.repeats.found
        words = found.words(int(self.found.repeats.row[word]))
        return LikePlaces(words, found.labels.names[label], with_label, places)

    @cached_property
    def _places_alike(self) -> tuple[Indices, Indices, Indices]:
        own = self.found.labels.codes[np.arange(self.corpus.n_words) + self.corpus.words_sentence]
        return self.found.repeats.like_places(own)

    def items(self, n: int | None = None) -> Iterator[Suspect]:
        """The first suspects, or all."""
        for number in range(len(self) if n is None else min(n, len(self))):
            yield self.suspect(number)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, in the schema karat/suspects/1: every suspect, one entry for each word."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "corpus": self.corpus.path,
            "column": self.column,
            "rank": self.rank,
            "words": self.corpus.n_words,
            "known": self.n_known,
            "suspects": [one.to_dict() for one in self.items()],
            "warnings": list(self.warnings),
        }

    def records(self) -> Table:
        """One row for each suspect."""
        names = ["sent_id", "token", "form", "label", "suggested", "score", "probability", "in_words"]
        rows: list[list[Cell]] = [[getattr(one, name) for name in names] for one in self.items()]
        return Table(names, rows)


def find_suspects(
    corpus: Corpus | PathLike | Sequence[PathLike],
    *,
    column: str = "upos",
    system: str | tuple[str, Options] = _DEFAULT_SYSTEM,
    probabilities_from: PathLike | None = None,
    against: Sequence[Corpus | PathLike | Sequence[PathLike]] = (),
    rank: Rank = "combined",
    folds: int = 10,
    fold_by: FoldBy | None = None,
    taggers: int = N_TAGGERS,
    seed: int = 0,
    jobs: int = 1,
    input: str | None = None,
    progress: Progress | None = None,
) -> Suspects:
    """The words whose label in a column is likeliest wrong, by a tagger that has not seen them and by repeats.

    A treebank's folder is one text of all its parts. `system` is trained on all folds but the one that it tags, as many
    times as there are `taggers`, with different seeds and folds; or `probabilities_from` names a file with the
    probabilities of any tagger, as `karat tag --probabilities` writes it. Repeats are looked for in the corpus and in
    those `against`. By `rank`, all evidence counts (`karat.suspects.evidence` says how), or that of the tagger or of
    repeats alone. Words that are marked as wrong in the text (Typo, goeswith, CorrectForm) are left out.
    """
    if column not in COLUMNS:
        raise UsageError(f"no suspects in the column {column!r}; choose from {', '.join(COLUMNS)}")
    if rank not in RANKS:
        raise UsageError(f"unknown rank {rank!r}; choose from {', '.join(RANKS)}")
    if taggers < 1:
        raise UsageError(f"{taggers} taggers: at least one is needed")
    text = corpus if isinstance(corpus, Corpus) else _read(corpus, column, input)
    others = [one if isinstance(one, Corpus) else _read(one, column, input) for one in against]
    for one in (text, *others):
        if not one.has(column):
            raise DataError(Problem("K501", f"there is no {column.upper()} to look at", one.path))
    settings = [("column", column), ("rank", rank)]
    inputs = [("corpus", text.path, text.source.sha256())]
    inputs += [("against", one.path, one.source.sha256()) for one in others]
    doubts = None
    if probabilities_from is not None:
        doubts = doubts_from_file(probabilities_from, text, column)
        inputs.append(("probabilities", str(probabilities_from), read_source(probabilities_from).sha256()))
    elif rank != "repeats":
        name, options = system_from_text(system) if isinstance(system, str) else system
        doubts = doubts_of_taggers(
            text, column, options, folds=folds, fold_by=fold_by, n_taggers=taggers, seed=seed, jobs=jobs,
            progress=progress,
        )  # fmt: skip
        settings += [("system", name), *settings_of(options), ("folds", str(folds)), ("fold-by", fold_by or "auto")]
        settings += [("taggers", str(taggers)), ("seed", str(seed))]
    found = evidence(text, column, doubts, others)
    scores = found.scores(weights_of(rank))
    words = np.flatnonzero(scores > 0)
    words = words[np.argsort(-scores[words], kind="stable")]
    return Suspects(text, column, rank, found, words, scores[words], tuple(settings), tuple(inputs))


def weights_of(rank: Rank) -> Floats:
    """What counts, and how much."""
    if rank == "combined":
        return WEIGHTS
    alone = {"tagger": ("tagger",), "repeats": ("repeats", "longer_repeats")}[rank]
    return np.array([float(name in alone) for name in NAMES])


def _read(given: PathLike | Sequence[PathLike], column: str, input: str | None) -> Corpus:
    whole = treebank_whole(given)
    assert not isinstance(whole, Corpus)
    return corpus_from_source(read_source(whole), input=input, tag=column, trees=False)


def _text(corpus: Corpus, column: str, word: int) -> str:
    values = corpus.column(column)
    return values.vocabulary[int(values.ids[word])]
