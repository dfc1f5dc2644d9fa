"""What a demo found, beside what is true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from karat import __version__
from karat.result import Cell, Result, Table, attributes, plain
from karat.signature import signature

SCHEMA = "karat/demo/1"
OPEN = "open"


@dataclass(frozen=True, slots=True)
class DemoInterval:
    """An interval around a value, which bounds do not have; `inside` says whether the true value lies in it."""

    value: float | None
    lower: float
    upper: float
    inside: bool


@dataclass(frozen=True, slots=True)
class DemoSystem:
    """A tagger: its true accuracy, what the gold with errors shows, what it can be, and what a check says it is."""

    name: str
    true_accuracy: float
    observed: DemoInterval
    bounds: DemoInterval
    adjudicated: DemoInterval


@dataclass(frozen=True, slots=True)
class DemoBetter:
    """The better of two taggers: in truth, by the gold with errors, by the bounds, after the check; or `open`."""

    truth: str
    compare: str
    bounds: str
    adjudicated: str

    @property
    def is_right(self) -> bool:
        """Whether the check found the better one."""
        return self.adjudicated == self.truth

    @property
    def is_never_wrong(self) -> bool:
        """Whether the worse tagger was never called better."""
        return {self.compare, self.bounds, self.adjudicated} <= {self.truth, OPEN}


@dataclass(frozen=True, slots=True)
class DemoSuspects:
    """How many errors were planted in the gold, how many suspects were found, and planted ones among the first."""

    planted: int
    suspects: int
    first_10: int
    first_50: int


@dataclass(frozen=True, slots=True)
class DemoStep:
    """A step: what it does, how long it took, the results that it wrote, and the commands that repeat it."""

    name: str
    what: str
    seconds: float
    results: tuple[str, ...]
    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class DemoResult(Result):
    """What was true, what karat concluded, and whether that is right.

    `corpus_error` is the share of the gold's tags that are wrong. Differences are those of the second tagger and the
    first. `rows_judged` counts rows of all worklists, `words_judged` different words in them.
    """

    folder: str
    seed: int
    n_tokens: int
    n_sentences: int
    n_documents: int
    corpus_error: float
    systems: tuple[DemoSystem, ...]
    better: DemoBetter
    true_difference: float
    difference: DemoInterval
    suspects: DemoSuspects
    rows_judged: int
    words_judged: int
    level: float
    steps: tuple[DemoStep, ...]

    @property
    def signature(self) -> str:
        """What it all depends on."""
        return signature("demo", [("tokens", str(self.n_tokens)), ("seed", str(self.seed))], [])

    @property
    def seconds(self) -> float:
        """How long all steps took."""
        return sum(one.seconds for one in self.steps)

    @property
    def by_accuracy(self) -> list[DemoSystem]:
        """The taggers, the one that is better in truth first."""
        return sorted(self.systems, key=lambda one: -one.true_accuracy)

    def to_dict(self) -> dict[str, Any]:
        """The demo as plain data, in the schema karat/demo/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "version": __version__,
            **attributes(self, "folder seed"),
            "text": {
                "tokens": self.n_tokens,
                "sentences": self.n_sentences,
                "documents": self.n_documents,
                "corpus_error": self.corpus_error,
            },
            **attributes(self, "systems"),
            "better": {
                **plain(self.better),
                "right": self.better.is_right,
                "never_wrong": self.better.is_never_wrong,
            },
            "difference": {"true": self.true_difference, "adjudicated": plain(self.difference)},
            **attributes(self, "suspects rows_judged words_judged level seconds steps"),
        }

    def records(self) -> Table:
        """One row for each tagger."""
        rows: list[list[Cell]] = []
        for one in self.systems:
            found = one.adjudicated
            rows.append([one.name, one.true_accuracy, one.observed.value, one.bounds.lower, one.bounds.upper])
            rows[-1] += [found.value, found.lower, found.upper, str(found.inside).lower()]
        names = "system true_accuracy observed bounds_lower bounds_upper adjudicated lower upper inside"
        return Table(names.split(), rows)
