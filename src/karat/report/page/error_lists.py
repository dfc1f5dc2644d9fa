"""The lists that numbers lead to: which sentences have the errors that a number counts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from karat._arrays import Flags, Indices
from karat.measures.splits import WordGroups, groups_by
from karat.measures.words.comparison import Comparison, at
from karat.measures.words.confusion import CONFUSABLE, spread
from karat.report.page.evidence import PageEvidence, SystemEvidence
from karat.report.shown import counted

_OF_EACH = 3  # sentences that are embedded of every list, if there is room
_LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class ErrorList:
    """What goes wrong in words, how many units of it there are, and the sentences that have them."""

    id: str
    words: str
    n_units: int
    sentences: Indices


def anchor(*names: str) -> str:
    """A name for a place in the page that is the same for the same names, whatever is in them.

    >>> anchor("errors", "ada", "LAS"), anchor("errors", "<b>", "LAS")
    ('errors-ada-LAS', 'errors-_b_.507ca5-LAS')
    """
    return "-".join(map(_safe, names))


def _safe(name: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9_.]+", "_", name)
    if plain == name and len(name) <= _LONGEST_NAME:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{plain[:_LONGEST_NAME]}.{digest[:6]}"


@dataclass(slots=True)
class ErrorLists:
    """The lists of one gold, made as tables ask for them."""

    evidence: PageEvidence
    prefix: str = ""
    lists: dict[str, ErrorList] = field(default_factory=dict)

    def errors(self, system: str, measure: str) -> str:
        """The list of what a system has wrong by a measure; its name, empty where there is none."""
        found = self._units(system, measure)
        if found is None:
            return ""
        rows, wrong = found
        return self._list(f"{system}: {measure} wrong", rows[wrong], "errors", system, measure)

    def in_group(self, system: str, measure: str, split: str, group: str) -> str:
        """The list of what a system has wrong in a group of a split."""
        one, found = self._system(system), self._units(system, measure)
        units = one.units(measure) if one else None
        if one is None or found is None or units is None:
            return ""
        chosen = self.evidence.in_group(one, split, group, units)
        if chosen is None:
            return ""
        rows, wrong = found
        words = f"{system}: {measure} wrong, {split} {group}"
        return self._list(words, rows[wrong & chosen], "group", system, measure, split, group)

    def confusion(self, system: str, column: str, gold: str, given: str) -> str:
        """The list of words that have one label in the gold and another one from the system."""
        one = self._system(system)
        if one is None or not isinstance(one.pair, Comparison) or column not in CONFUSABLE:
            return ""
        groups = groups_by(column, one.pair)
        if not isinstance(groups, WordGroups) or gold not in groups.names or given not in groups.names:
            return ""
        alignment = one.pair.alignment
        ours = at(groups.gold, alignment.gold_words) == groups.names.index(gold)
        theirs = at(groups.system, alignment.system_words) == groups.names.index(given)
        rows = one.pair.matching_rows[ours & theirs]
        return self._list(f"{system}: {given} for {gold}", rows, "confusion", system, column, gold, given)

    def only_one_right(self, right: str, wrong: str, measure: str) -> str:
        """The list of what one system has right and another one wrong."""
        first, second = self._units(right, measure), self._units(wrong, measure)
        if first is None or second is None or len(first[0]) != len(second[0]):
            return ""
        words = f"{measure}: {right} right, {wrong} wrong"
        return self._list(words, first[0][~first[1] & second[1]], "pair", measure, right, wrong)

    def places(self, words: str, sentences: Sequence[int], *names: str) -> str:
        """A list of these sentences, by their numbers from 0, one for each place in them."""
        return self._list(words, np.array(sentences, dtype=np.intp), *names)

    def size(self, name: str) -> int:
        """How many units a list has; 0 if there is none."""
        return self.lists[name].n_units if name in self.lists else 0

    def sentences(self, most: int) -> list[int]:
        """The sentences to embed: some of every list, then more of those that come first, spread over the text."""
        chosen: dict[int, None] = {}
        for n in (_OF_EACH, most):
            for one in self.lists.values():
                for sentence in spread(one.sentences, n).tolist():
                    if len(chosen) >= most:
                        return sorted(chosen)
                    chosen[sentence] = None
        return sorted(chosen)

    def words_of(self, name: str) -> str:
        """What a list has, with its size."""
        one = self.lists[name]
        return f"{one.words}: {one.n_units:,} in {counted(len(one.sentences), 'sentence')}"

    def __iter__(self) -> Iterator[ErrorList]:
        return iter(self.lists.values())

    def _list(self, words: str, rows: Indices, *names: str) -> str:
        if not len(rows):
            return ""
        name = f"{self.prefix}{anchor(*names)}"
        if name not in self.lists:
            self.lists[name] = ErrorList(name, words, len(rows), np.unique(rows))
        return name

    def _system(self, name: str) -> SystemEvidence | None:
        return next((one for one in self.evidence.systems if one.name == name), None)

    def _units(self, system: str, measure: str) -> tuple[Indices, Flags] | None:
        """The sentence of every unit of the gold, and whether the system has it wrong."""
        one = self._system(system)
        units = one.units(measure) if one and measure in self.evidence.measures else None
        return None if units is None else (units.rows, ~units.right)
