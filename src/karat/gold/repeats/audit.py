"""Where gold contradicts itself, or other gold: the audit that `karat repeats` prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Any

import numpy as np

from karat._arrays import Array, Ids, Indices
from karat.errors import Problem
from karat.gold.repeats.alike import RepeatGroups, grouped
from karat.gold.repeats.options import RepeatOptions
from karat.gold.repeats.patterns import (
    Pattern,
    WordsBy,
    cut_text,
    patterns_of_change,
    patterns_of_cuts,
    without_outside,
    words_by,
)
from karat.gold.repeats.ranking import Ranking
from karat.gold.repeats.running_text import RunningText
from karat.result import Cell, Result, Table

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
    """A suspicious repeat; `positions` are the words that differ, from 0, `position` the one with the oddest label.

    `group` is the number, from 1, of the repeats that are alike.
    """

    words: tuple[str, ...]
    positions: tuple[int, ...]
    labellings: tuple[ItemLabelling, ...]
    disjoint: bool
    non_fringe: bool
    majority_share: float
    score: float
    position: int
    group: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Audit(Result):
    """The suspicious repeats of corpora, the likeliest errors first, and their patterns of change.

    Repeats that are alike, by one convention that is followed in two ways, are a group: the best of each group comes
    first, in the order of the groups, then all others. `n_suspicious` is how many there were before `only` chose some.
    Beside a baseline there is only what is new, and `n_gone` is how many of the baseline are no longer there; without
    one it is None. Acknowledged exceptions are left out, too: `n_acknowledged` of them, None if none were given; the
    lines of the `stale` ones are no longer about any suspicious repeat.
    """

    names: tuple[str, ...]
    options: RepeatOptions
    n_repeats: int
    n_suspicious: int
    ranking: Ranking
    groups: RepeatGroups
    pattern_of: str
    patterns: tuple[Pattern, ...]
    signature: str
    warnings: tuple[str, ...] = ()
    n_gone: int | None = None
    n_acknowledged: int | None = None
    stale: tuple[Problem, ...] = ()

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
        by = words_of(self.text, self.pattern_of, self.options)
        ranking, groups = grouped(self.ranking.chosen(rows), by)
        patterns = patterns_in(ranking, by, self.options, self.text)
        return replace(self, ranking=ranking, groups=groups, patterns=patterns)

    def sent_id(self, corpus: int, sentence: int) -> str | None:
        """The `# sent_id` of a corpus's sentence."""
        return self.text.corpora[corpus].sent_id(sentence)

    def to_dict(self) -> dict[str, Any]:
        """The audit as plain data, in the schema karat/repeats/1."""
        lists = {"items": self.item_dicts(), "groups": self.group_dicts(), "patterns": self.pattern_dicts()}
        return {**self.counts_dict(), **{name: list(one) for name, one in lists.items()}}

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
            "acknowledged": self.n_acknowledged,
            "stale_exceptions": [{"line": one.line, "message": one.message} for one in self.stale],
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
                "group": item.group,
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

    def group_dicts(self) -> Iterator[dict[str, Any]]:
        """The groups of repeats that are alike as plain data, the first row of each with its number."""
        groups = self.groups
        columns = groups.words, groups.labels, groups.n_repeats.tolist(), groups.score.tolist()
        for word, labels, n_repeats, score in zip(*columns, strict=True):
            yield {
                "by": self.pattern_of,
                "word": word,
                "labels": list(labels),
                "repeats": n_repeats,
                "score": round(score, 4),
            }

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
        columns += ["corpus", "sent_id", "sentence", "token", "group"]
        rows: list[list[Cell]] = []
        for number, item in enumerate(self.items(), start=1):
            positions = ",".join(map(str, item.positions))
            kinds: list[Cell] = ["yes" if flag else "no" for flag in (item.disjoint, item.non_fringe)]
            for way in item.labellings:
                start: list[Cell] = [number, round(item.score, 4), self._joined(item.words), positions]
                start += [self._joined_labels(item, way), way.count, round(item.majority_share, 6), *kinds]
                rows += [[*start, *place.values(), item.group] for place in self._place_dicts(way)]
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
                int(self.groups.of_row[row]) + 1,
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


def words_of(text: RunningText, by: str, options: RepeatOptions) -> WordsBy:
    """The words that patterns and groups are counted by, as `Audit.pattern_of` names them."""
    return words_by(text, "lemma" if by == "lemma" and options.words == "form" else None)


def patterns_in(ranking: Ranking, by: WordsBy, options: RepeatOptions, text: RunningText) -> tuple[Pattern, ...]:
    """The patterns of change of these repeats, the most frequent first; of tokenisation, the ways words are cut."""
    a_to_b = options.between and len(text.corpora) == 2
    if options.tokenisation:
        return patterns_of_cuts(ranking.found, a_to_b=a_to_b)
    return patterns_of_change(ranking.found, by=by, a_to_b=a_to_b)
