"""Charts of sentences: the best parse, the number of parses, and how likely brackets are over all parses."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat._arrays import Array, Floats, Ids
from karat.systems.pcfg import _compiled_chart as compiled
from karat.systems.pcfg._layouts import Cells, Chains, Entries, Lefts, Rights, Rules, Sums
from karat.systems.pcfg.grammar import TreebankGrammar

MOST_BYTES = 2 << 30  # that the table of left children may take
_ENTRIES_AT_FIRST = 1 << 14


@dataclass(frozen=True, slots=True, eq=False)
class PossibleTags:
    """The tags that a word can have, as symbols of the grammar, each with log P(word | tag)."""

    symbols: Ids
    scores: Floats


@dataclass(frozen=True, slots=True, eq=False)
class BestParse:
    """The phrases of a parse in the order in which they open, and the logarithm of its probability.

    `symbols` are those of the grammar, the one around the whole first; `start` and `stop` their words; `parents` the
    phrase above, or -1. `tags` are the symbols of the words' tags.
    """

    symbols: Ids
    start: Ids
    stop: Ids
    parents: Ids
    tags: Ids
    score: float


class TooSlowError(Exception):
    """A sentence takes longer than it may, or more memory than there is for it."""


class Deadline:
    """Until when a sentence may be worked on."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def left(self) -> float | None:
        """How many seconds there are left; None: as many as it takes."""
        return None if self._end is None else max(self._end - time.monotonic(), 0.0)

    def check(self) -> None:
        """A `TooSlowError` once the time is up."""
        if self._end is not None and time.monotonic() > self._end:
            raise TooSlowError


def _refuse_large(grammar: TreebankGrammar, n_words: int) -> None:
    if 8 * n_words * (n_words + 1) * grammar.n_closed > MOST_BYTES:
        raise TooSlowError


# ---- the best parse --------------------------------------------------------------------------------------------------


class _BestChart:
    """The chart of one sentence with the best way to make each symbol."""

    def __init__(
        self, grammar: TreebankGrammar, words: Sequence[PossibleTags], beam: float, deadline: Deadline
    ) -> None:
        _refuse_large(grammar, len(words))
        self.grammar, self.n_words = grammar, len(words)
        n, n_symbols = len(words), grammar.n_symbols
        self.entries: Entries = (*_room(np.int32, np.float64, np.int32, np.int32),)  # type: ignore[assignment]
        self.cells: Cells = _no_cells(n)
        lefts, rights = _tables(grammar, n)
        numbers = np.zeros((5, n_symbols), dtype=np.int32)
        work = (
            np.full(n_symbols, -np.inf), numbers[0], numbers[1], np.full(n_symbols, -np.inf), *numbers[2:],
        )  # fmt: skip
        n_entries = 0
        for end, word in enumerate(words, start=1):
            deadline.check()
            self.entries = _with_room(self.entries, n_entries + end * n_symbols)  # type: ignore[assignment]
            n_entries = compiled.best_column(
                end,
                n,
                word.symbols,
                word.scores,
                grammar.best_rules,
                grammar.best_chains,
                grammar.n_closed,
                self.entries,
                n_entries,
                self.cells,
                lefts,
                rights,
                work,
                (grammar.priors, beam),
            )

    def entry(self, begin: int, end: int, symbol: int) -> int:
        """The entry of a symbol in a cell; -1 if it has none."""
        cell = begin * (self.n_words + 1) + end
        first, last = int(self.cells[0][cell]), int(self.cells[1][cell])
        found = np.flatnonzero(self.entries[0][first:last] == symbol)
        return first + int(found[0]) if len(found) else -1

    def parse(self) -> BestParse | None:
        """The best parse of the whole sentence; None if there is none."""
        grammar, (_, scores, froms, splits) = self.grammar, self.entries
        top = self.entry(0, self.n_words, grammar.start)
        if top < 0:
            return None
        phrases: list[tuple[int, int, int, int]] = []  # symbol, begin, end, parent
        tags = np.zeros(self.n_words, dtype=np.int32)
        todo = [(0, self.n_words, grammar.start, -1)]
        while todo:
            begin, end, symbol, parent = todo.pop()
            entry = self.entry(begin, end, symbol)
            source, split = int(froms[entry]), int(splits[entry])
            if source == -1:
                tags[begin] = symbol
                continue
            if source <= -2:
                for one in grammar.chain_symbols(-2 - source):
                    phrases.append((one, begin, end, parent))
                    parent = len(phrases) - 1
                todo.append((begin, end, split, parent))
                continue
            if symbol < grammar.n_closed:
                phrases.append((symbol, begin, end, parent))
                parent = len(phrases) - 1
            todo.append((split, end, int(grammar.best_rules[1][source]), parent))
            todo.append((begin, split, int(grammar.pair_lefts[source]), parent))
        columns = np.array(phrases, dtype=np.int32).reshape(-1, 4).T
        return BestParse(columns[0], columns[1], columns[2], columns[3], tags, float(scores[top]))


def best_parse(
    grammar: TreebankGrammar,
    words: Sequence[PossibleTags],
    *,
    beam: float = math.inf,
    seconds: float | None = None,
) -> BestParse | None:
    """The likeliest parse of a sentence [CKY]; None if the grammar has none.

    With a beam, symbols of a cell are left out that are, with how frequent they are, that many times (as a logarithm)
    less likely than its best, unless a chain of unary rules that stays is made of them. A `TooSlowError` after so many
    `seconds`, or for a sentence of too many words.
    """
    return _BestChart(grammar, words, beam, Deadline(seconds)).parse() if len(words) else None


# ---- sums over all parses --------------------------------------------------------------------------------------------


class _SummedChart:
    """The chart of one sentence with sums over all ways to make each symbol."""

    def __init__(
        self, grammar: TreebankGrammar, words: Sequence[PossibleTags], rules: Rules, chains: Chains, deadline: Deadline
    ) -> None:
        _refuse_large(grammar, len(words))
        self.grammar, self.n_words, self.rules, self.chains = grammar, len(words), rules, chains
        n, n_symbols = len(words), grammar.n_symbols
        self.sums: Sums = (*_room(np.int32, np.float64, np.float64, np.float64),)  # type: ignore[assignment]
        self.cells: Cells = _no_cells(n)
        self.scales = np.full((n + 1) * (n + 1), -np.inf)
        self.lefts, self.rights = _tables(grammar, n)
        work = np.zeros(n_symbols), np.zeros(n_symbols), np.zeros(n + 1), np.zeros(n_symbols, dtype=np.int32)
        n_entries = 0
        for end, word in enumerate(words, start=1):
            deadline.check()
            self.sums = _with_room(self.sums, n_entries + end * n_symbols)  # type: ignore[assignment]
            scale = float(word.scores.max()) if len(word.scores) else 0.0
            n_entries = compiled.summed_column(
                end,
                n,
                word.symbols,
                np.exp(word.scores - scale),
                scale,
                rules,
                chains,
                grammar.n_closed,
                self.sums,
                n_entries,
                self.cells,
                self.scales,
                self.lefts,
                self.rights,
                work,
            )

    def log_total(self) -> float:
        """The logarithm of the sum over all parses; −∞ if there is none."""
        whole = self._cell(0, self.n_words)
        of_start = self.sums[2][whole][self.sums[0][whole] == self.grammar.start]
        return math.log(float(of_start[0])) + float(self.scales[self.n_words]) if len(of_start) else -math.inf

    def _cell(self, begin: int, end: int) -> slice:
        cell = begin * (self.n_words + 1) + end
        return slice(int(self.cells[0][cell]), int(self.cells[1][cell]))

    def fill_outside(self, deadline: Deadline) -> None:
        """Find what is outside of all entries."""
        grammar, n = self.grammar, self.n_words
        left_outside, right_outside = np.zeros_like(self.lefts[0]), np.zeros_like(self.rights[0])
        work = np.zeros(grammar.n_symbols), np.zeros(grammar.n_symbols), np.zeros(n + 1)
        for end in range(n, 0, -1):
            deadline.check()
            compiled.outside_column(
                end,
                n,
                grammar.start,
                self.rules,
                self.chains,
                grammar.n_closed,
                self.sums,
                self.cells,
                self.scales,
                self.lefts,
                left_outside,
                self.rights,
                right_outside,
                work,
            )

    def label_probabilities(self, begin: int, end: int) -> Floats:
        """How many phrases of each label a parse has around these words on average [labels]; tags are labels too."""
        here = self._cell(begin, end)
        symbols, _, whole, outside = self.sums
        closed = symbols[here] < self.grammar.n_closed
        labels = self.grammar.label_of.take(symbols[here][closed])
        found = np.zeros(len(self.grammar.labels))
        np.add.at(found, labels, (whole[here] * outside[here])[closed])
        return found


def log_n_parses(grammar: TreebankGrammar, words: Sequence[PossibleTags], *, seconds: float | None = None) -> float:
    """The logarithm of the number of parses in which no label comes twice in a chain of unary rules; −∞: none.

    Without that condition cycles of unary rules would make it infinite.
    """
    if not len(words):
        return -math.inf
    once = [PossibleTags(word.symbols, np.zeros(len(word.symbols))) for word in words]
    chart = _SummedChart(grammar, once, grammar.counted_rules, grammar.counted_chains, Deadline(seconds))
    return chart.log_total()


def log_sentence_probability(
    grammar: TreebankGrammar, words: Sequence[PossibleTags], *, seconds: float | None = None
) -> float:
    """The logarithm of the sum of the probabilities of all parses; −∞ if there is none."""
    if not len(words):
        return -math.inf
    return _SummedChart(grammar, words, grammar.summed_rules, grammar.summed_chains, Deadline(seconds)).log_total()


def bracket_probabilities(
    grammar: TreebankGrammar, words: Sequence[PossibleTags], parse: BestParse, *, seconds: float | None = None
) -> Floats:
    """How likely each phrase of a parse is: the share of all parses, by probability, that have its label there.

    By inside and outside probabilities. Where a label can come twice in a chain of unary rules, the expected number,
    at most 1.
    """
    deadline = Deadline(seconds)
    chart = _SummedChart(grammar, words, grammar.summed_rules, grammar.summed_chains, deadline)
    chart.fill_outside(deadline)
    labels = grammar.label_of.take(parse.symbols).tolist()
    spans = zip(parse.start.tolist(), parse.stop.tolist(), labels, strict=True)
    found = [chart.label_probabilities(begin, end)[label] for begin, end, label in spans]
    shares: Floats = np.minimum(np.array(found), 1.0)
    return shares


# ---- arrays of a chart -----------------------------------------------------------------------------------------------


def _no_cells(n_words: int) -> Cells:
    n_cells = (n_words + 1) * (n_words + 1)
    return np.zeros(n_cells, dtype=np.intp), np.zeros(n_cells, dtype=np.intp)


def _tables(grammar: TreebankGrammar, n_words: int) -> tuple[Lefts, Rights]:
    shape = n_words, grammar.n_closed
    lefts = np.empty((*shape, n_words + 1)), np.full(shape, n_words + 1, np.int32), np.zeros(shape, np.int32)
    n = grammar.n_symbols
    return lefts, (np.empty((n, n_words + 1)), np.zeros(n, np.int32), np.zeros(n, np.int32))


def _room(*kinds: type) -> list[Array]:
    return [np.empty(_ENTRIES_AT_FIRST, dtype=kind) for kind in kinds]


def _with_room(columns: Sequence[Array], n: int) -> tuple[Array, ...]:
    """The columns, longer if they have no room for n entries."""
    if n <= len(columns[0]):
        return tuple(columns)
    longer = []
    for column in columns:
        new = np.empty(max(n, 2 * len(column)), dtype=column.dtype)
        new[: len(column)] = column
        longer.append(new)
    return tuple(longer)
