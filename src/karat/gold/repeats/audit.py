"""Where gold contradicts itself, or other gold: the audit that `karat repeats` prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from karat._arrays import Array, Ids, Indices
from karat.corpus import Corpus, PathLike
from karat.errors import DataError, Problem, UsageError
from karat.gold.repeats.labels import Labels, column_labels, dependency_labels
from karat.gold.repeats.maximal import Repeats, maximal_repeats
from karat.gold.repeats.options import RepeatOptions
from karat.gold.repeats.patterns import (
    Pattern,
    cut_in_two_ways,
    cut_text,
    patterns_of_change,
    patterns_of_cuts,
    without_outside,
)
from karat.gold.repeats.ranking import Ranking, ranked
from karat.gold.repeats.running_text import RunningText, running_text
from karat.gold.repeats.suspicious import suspicious_repeats
from karat.gold.repeats.tokenisation import characters
from karat.gold.treebank_folders import Readable, named, read_all, treebank_whole
from karat.result import Cell, Result, Table
from karat.signature import signature

if TYPE_CHECKING:
    from karat.gold.repeats.baseline import Baseline

__all__ = ["SCHEMA", "Audit", "AuditItem", "ItemLabelling", "repeats"]

SCHEMA = "karat/repeats/1"
_N_SHOWN = 20  # suspicious repeats in a notebook
_BLOCK = 1 << 18  # places that are made into items together


@dataclass(frozen=True, slots=True)
class ItemLabelling:
    """One way in which a repeat is annotated; of each of its places the corpus, the sentence and the first word."""

    labels: tuple[str, ...]
    corpora: list[int]
    sentences: list[int]
    tokens: list[int]
    places: list[int]

    @property
    def count(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True, slots=True)
class AuditItem:
    """A suspicious repeat; `positions` are the words that differ, from 0, `position` the one with the oddest label."""

    words: tuple[str, ...]
    positions: tuple[int, ...]
    labellings: tuple[ItemLabelling, ...]
    disjoint: bool
    non_fringe: bool
    majority_share: float
    score: float
    position: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Audit(Result):
    """The suspicious repeats of corpora, the likeliest errors first, and their patterns of change.

    `n_suspicious` is how many there were before `only` chose some. Beside a baseline there is only what is new, and
    `n_gone` is how many of the baseline are no longer there; without one it is None.
    """

    names: tuple[str, ...]
    options: RepeatOptions
    n_repeats: int
    n_suspicious: int
    ranking: Ranking
    pattern_of: str
    patterns: tuple[Pattern, ...]
    signature: str
    warnings: tuple[str, ...] = ()
    n_gone: int | None = None

    @property
    def text(self) -> RunningText:
        return self.ranking.found.all_repeats.text

    @property
    def n_tokens(self) -> int:
        """All words of the corpora."""
        return int(self.text.sentence_words[-1])

    @property
    def formats(self) -> tuple[tuple[str, str], ...]:
        return tuple((corpus.path, corpus.format) for corpus in self.text.corpora)

    def __len__(self) -> int:
        return len(self.ranking)

    def only(self, rows: Array) -> Audit:
        """Some of the suspicious repeats, with their patterns."""
        found = self.ranking.found.chosen(rows)
        ranking = Ranking(found, self.ranking.score[rows], self.ranking.position[rows], self.ranking.is_new[rows])
        return replace(self, ranking=ranking, patterns=_patterns(ranking, self.pattern_of, self.options, self.text))

    def sent_id(self, corpus: int, sentence: int) -> str | None:
        """The `# sent_id` of a corpus's sentence."""
        return self.text.corpora[corpus].sent_id(sentence)

    def to_dict(self) -> dict[str, Any]:
        """The audit as plain data, in the schema karat/repeats/1."""
        return {**self.counts_dict(), "items": list(self.item_dicts()), "patterns": list(self.pattern_dicts())}

    def counts_dict(self) -> dict[str, Any]:
        """What of the plain data is no list of findings: what was searched, and how much was found."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "corpora": list(self.names),
            "tokens": self.n_tokens,
            "repeats": self.n_repeats,
            "suspicious": self.n_suspicious,
            "new": None if self.n_gone is None else len(self),
        }

    def item_dicts(self) -> Iterator[dict[str, Any]]:
        """The suspicious repeats as plain data, one after the other: there may be many."""
        for item in self.items():
            ways = item.labellings
            yield {
                "words": list(item.words),
                "positions": list(item.positions),
                "labellings": [
                    {"labels": list(way.labels), "count": way.count, "places": self._place_dicts(way)} for way in ways
                ],
                "disjoint": item.disjoint,
                "non_fringe": item.non_fringe,
                "majority_share": round(item.majority_share, 6),
                "score": round(item.score, 4),
            }

    def _place_dicts(self, way: ItemLabelling) -> list[dict[str, Any]]:
        return [
            {
                "corpus": self.names[corpus],
                "sent_id": self.sent_id(corpus, sentence),
                "sentence": sentence + 1,
                "token": token,
            }
            for corpus, sentence, token in zip(way.corpora, way.sentences, way.tokens, strict=True)
        ]

    def pattern_dicts(self) -> Iterator[dict[str, Any]]:
        """The patterns of change as plain data."""
        for one in self.patterns:
            yield {
                "by": self.pattern_of,
                "word": one.word,
                "from": one.label,
                "to": one.becomes,
                "count": one.count,
                "repeats": one.n_repeats,
            }

    def records(self) -> Table:
        """One row for each place of each suspicious repeat."""
        columns = ["item", "score", "words", "positions", "labels", "count", "majority_share", "disjoint", "non_fringe"]
        columns += ["corpus", "sent_id", "sentence", "token"]
        rows: list[list[Cell]] = []
        for number, item in enumerate(self.items(), start=1):
            positions = ",".join(map(str, item.positions))
            kinds: list[Cell] = ["yes" if flag else "no" for flag in (item.disjoint, item.non_fringe)]
            for way in item.labellings:
                start: list[Cell] = [number, round(item.score, 4), self._joined(item.words), positions]
                start += [self._joined_labels(item, way), way.count, round(item.majority_share, 6), *kinds]
                rows += [[*start, *place.values()] for place in self._place_dicts(way)]
        return Table(columns, rows)

    def view(self) -> Table:
        """The likeliest errors: a row for each way in which a repeat is labelled."""
        rows: list[list[Cell]] = [
            [f"{item.score:.1f}", self._joined(item.words), self._joined_labels(item, way), way.count]
            for item in self.items(_N_SHOWN)
            for way in item.labellings
        ]
        title = f"{self.n_suspicious:,} of {self.n_repeats:,} repeats in {', '.join(self.names)} are suspicious"
        return Table(["score", "repeat", "labels", "places"], rows, title)

    def _joined(self, words: Sequence[str]) -> str:
        return ("" if self.options.tokenisation else " ").join(words)

    def _joined_labels(self, item: AuditItem, way: ItemLabelling) -> str:
        return cut_text(item.words, way.labels) if self.options.tokenisation else " / ".join(way.labels)

    def items(self, n: int | None = None) -> Iterator[AuditItem]:
        """The first n suspicious repeats, or all."""
        found, n = self.ranking.found, len(self) if n is None else min(n, len(self))
        ends = np.cumsum(found.n_places[:n].astype(np.int64))
        edges = np.searchsorted(ends, np.arange(0, ends[-1] if n else 0, _BLOCK)[1:])
        for rows in np.split(np.arange(n), edges):
            yield from self._items(rows)

    def _items(self, rows: Indices) -> Iterator[AuditItem]:
        found, text = self.ranking.found, self.text
        offsets, places, labelling = found.labelled_places(rows)
        sentence = text.sentences[places].astype(np.intp)
        corpus = text.corpora_at(places)
        columns = [corpus, sentence - text.corpus_sentences[corpus], text.words_at(places)]
        columns[2] = columns[2] - text.sentence_words[sentence] + 1
        length = found.length
        for row, start, stop in zip(rows.tolist(), offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
            labellings = self._labellings(int(length[row]), start, stop, labelling, [*columns, places])
            ways = zip(*(one.labels for one in labellings), strict=True)
            yield AuditItem(
                text.strings(int(places[start]), int(length[row])),
                tuple(at for at, labels in enumerate(ways) if len(set(labels)) > 1),
                labellings,
                bool(found.disjoint[row]),
                bool(found.non_fringe[row]),
                max(way.count for way in labellings) / (stop - start),
                float(self.ranking.score[row]),
                int(self.ranking.position[row]),
            )

    def _labellings(
        self, length: int, start: int, stop: int, labelling: Ids, columns: Sequence[Array]
    ) -> tuple[ItemLabelling, ...]:
        """All labellings of a repeat, the commonest first, of equal ones the first to come in the text."""
        numbers = labelling[start:stop]
        order = np.argsort(numbers, kind="stable")
        ends = np.cumsum(np.bincount(numbers)).tolist()
        lists = [column[start:stop][order].tolist() for column in columns]
        found: dict[tuple[str, ...], ItemLabelling] = {}
        for first, end in pairwise([0, *ends]):
            labels = self.ranking.found.labels.strings(lists[3][first], length)
            labels = without_outside(labels) if self.options.tokenisation else labels
            parts = [column[first:end] for column in lists]
            if labels in found:  # differs in nothing but what is outside
                old = found[labels]
                columns_of_old = (old.places, old.corpora, old.sentences, old.tokens)
                its = zip(*columns_of_old, strict=True), zip(parts[3], *parts[:3], strict=True)
                both = sorted(chain(*its))
                parts[3], *parts[:3] = (list(column) for column in zip(*both, strict=True))
            found[labels] = ItemLabelling(labels, *parts)
        return tuple(sorted(found.values(), key=lambda one: -one.count))


def repeats(
    corpora: Mapping[str, Readable] | Sequence[PathLike] | PathLike,
    *,
    against: Mapping[str, Readable] | Sequence[PathLike] | PathLike = (),
    options: RepeatOptions | None = None,
    baseline: Baseline | PathLike | None = None,
    input: str | None = None,
    progress: Callable[[float], None] | None = None,
) -> Audit:
    """The suspicious repeats of corpora: words that are repeated, and annotated in more than one way.

    A corpus is a file, several files as one, or a treebank's folder, whose train, dev and test parts are one corpus.
    With `against`, these corpora are searched, too, and only repeats that are in one of the first are kept: new
    sentences against a treebank. With a `baseline`, a former audit's JSON, only what is new beside it.
    """
    options = RepeatOptions() if options is None else options
    tell = progress or _tell_nobody
    former = None if baseline is None else _baseline(baseline)
    new, old = named(corpora), named(against)
    if options.between and (old or len(new) < 2):
        raise UsageError("repeats between corpora need two of them at least, and nothing to set them against")
    if options.disjoint and len(new) + len(old) < 2:
        raise UsageError("disjoint labellings are those of two corpora: give another one")
    if new.keys() & old.keys():
        raise UsageError(f"two corpora are called {min(new.keys() & old.keys())!r}; give them other names")
    by_name = {**new, **old}
    found = read_all([treebank_whole(one) for one in by_name.values()], input=input, tag=options.columns[0])
    _refuse_missing_columns(found, options)
    tell(0.3)
    text, labels = _labelled_text(found, options)
    tell(0.4)
    every = maximal_repeats(
        text,
        min_words=options.fewest,
        max_words=options.max_words,
        two_sentences=not options.same_sentence,
        between=options.between,
    )
    every = _touching_first(every, len(new)) if old else every
    tell(0.6)
    filters = {"disjoint": options.disjoint, "non_fringe": options.non_fringe}
    suspicious = suspicious_repeats(every, labels, min_majority=options.min_majority, **filters)
    ranking = ranked(suspicious.chosen(cut_in_two_ways(suspicious)) if options.tokenisation else suspicious)
    tell(0.9)
    by = _pattern_of(found, options)
    roles = ["corpus"] * len(new) + ["against"] * len(old)
    inputs = [(role, one.path, one.source.sha256()) for role, one in zip(roles, found, strict=True)]
    signed = signature("repeats", options.settings(), inputs)
    patterns = _patterns(ranking, by, options, text)
    tell(1.0)
    warnings = _same_text(tuple(by_name), found)
    audit = Audit(tuple(by_name), options, len(every), len(ranking), ranking, by, patterns, signed, warnings)
    return audit if former is None else former.beside(audit)


def _baseline(given: Baseline | PathLike) -> Baseline:
    from karat.gold.repeats.baseline import Baseline, read_baseline  # which knows audits

    return given if isinstance(given, Baseline) else read_baseline(given)


def _tell_nobody(share: float) -> None:
    """Progress that nobody asked for."""


def _labelled_text(corpora: Sequence[Corpus], options: RepeatOptions) -> tuple[RunningText, Labels]:
    if options.tokenisation:
        return characters(corpora)
    text = running_text(
        corpora, column=options.words, fold_case=options.fold_case, punctuation=not options.no_punctuation
    )
    return text, dependency_labels(text) if options.dependencies else column_labels(text, options.columns)


def _touching_first(found: Repeats, n_corpora: int) -> Repeats:
    """The repeats that are in one of the first corpora."""
    is_new = found.text.sentences[found.suffixes] < found.text.corpus_sentences[n_corpora]
    n_before = np.zeros(len(is_new) + 1, dtype=np.int32)
    np.cumsum(is_new, out=n_before[1:])
    return found.chosen(n_before[found.stop] > n_before[found.start])


def _refuse_missing_columns(corpora: Sequence[Corpus], options: RepeatOptions) -> None:
    wanted: dict[str, str] = {options.words: "words may be compared by form, which needs none"}
    if options.tokenisation:
        wanted["misc"] = "tokenisation is that of CoNLL-U: multiword tokens, and SpaceAfter in MISC"
    elif options.dependencies:
        wanted |= dict.fromkeys(("head", "deprel"), "dependencies are those of CoNLL-U")
    else:
        wanted |= dict.fromkeys(options.columns, "give the column that is to be compared")
    problems = [
        Problem("K501", f"{column.upper()} is needed, and there is none", corpus.path, hint=hint)
        for corpus in corpora
        for column, hint in wanted.items()
        if not (column in corpus.names if column == "misc" else corpus.has(column))  # nobody need have MISC
    ]
    if problems:
        raise DataError(problems)


def _pattern_of(corpora: Sequence[Corpus], options: RepeatOptions) -> str:
    """What patterns of change are counted by: characters' are text, others' the repeated words, or lemmas."""
    if options.tokenisation:
        return "text"
    if options.patterns == "word" or options.words == "lemma":
        return "word" if options.words == "form" else "lemma"
    has_lemmas = all(corpus.has("lemma") for corpus in corpora)
    if options.patterns == "lemma" and not has_lemmas:
        raise UsageError("patterns by lemma need a corpus with lemmas")
    is_compared = "lemma" in options.columns and not options.dependencies
    return "lemma" if has_lemmas and (options.patterns == "lemma" or not is_compared) else "word"


def _patterns(ranking: Ranking, by: str, options: RepeatOptions, text: RunningText) -> tuple[Pattern, ...]:
    a_to_b = options.between and len(text.corpora) == 2
    if options.tokenisation:
        return patterns_of_cuts(ranking.found, a_to_b=a_to_b)
    column = "lemma" if by == "lemma" and options.words == "form" else None
    return patterns_of_change(ranking.found, by=column, a_to_b=a_to_b)


def _same_text(names: Sequence[str], corpora: Sequence[Corpus]) -> tuple[str, ...]:
    """Warnings about corpora that are the same: all that they have is repeated."""
    first: dict[str, str] = {}
    found = []
    for name, corpus in zip(names, corpora, strict=True):
        other = first.setdefault(corpus.source.sha256(), name)
        if other is not name:
            found.append(f"{other} and {name} are the same text: every word of it counts as repeated")
    return tuple(found)
