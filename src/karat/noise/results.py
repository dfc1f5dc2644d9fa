"""What `karat.noise_bounds` returns: what scores can mean under a noisy gold, and every pair of systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from karat.errors import Problem
from karat.noise.decision_rules import simulated_rates
from karat.noise.priors import Better
from karat.result import Cell, Result, Table
from karat.signature import signature

__all__ = ["Ends", "Evaluation", "InputsRead", "NoiseResult", "NoisyPair", "NoisySystem", "Whole"]

SCHEMA = "karat/noise/1"


@dataclass(frozen=True, slots=True)
class InputsRead:
    """As what inputs were read, what is odd about them, and what is wrong with sentences that were skipped."""

    formats: tuple[tuple[str, str], ...] = ()
    oddities: tuple[Problem, ...] = ()
    skipped: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Ends:
    """The ends of an interval."""

    lower: float
    upper: float

    def overlap(self, other: Ends) -> float:
        """The length of what two intervals share; 0 if nothing, or a single point."""
        return max(0.0, min(self.upper, other.upper) - max(self.lower, other.lower))

    def touches(self, other: Ends) -> bool:
        return self.lower <= other.upper and other.lower <= self.upper

    def shared_with(self, other: Ends) -> float:
        """What two intervals share, as a part of the shorter one."""
        shorter = min(one.upper - one.lower for one in (self, other))
        return self.overlap(other) / shorter if shorter else float(self.touches(other))


@dataclass(frozen=True, slots=True)
class Whole:
    """What files say beyond numbers: all words, of which some are ambiguous, and confidence intervals.

    `bounds` and `whole_confidence` are of the real accuracy on all words, `confidence` is of that on ambiguous ones;
    None where nothing varies between clusters.
    """

    n_words: int
    n_ambiguous: int
    observed: float
    bounds: Ends
    confidence: Ends | None
    whole_confidence: Ends | None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What is so if u and p are: the t and the real accuracy that are left, and the cases of Table 1.

    `cells` are None where there is no such t.
    """

    p: float
    u: float
    t: float
    real: float
    cells: Mapping[str, float] | None


@dataclass(frozen=True, slots=True)
class NoisySystem:
    """What a system's observed accuracy can mean.

    `intervals` are the reasonable ones for each p, None where the numbers cannot all be true for it; `envelope` is over
    all p that are possible, None where there is none, and then `why` says why. `free` assumes nothing, for p from 0 to
    1. `t` and `u` are the bounds of the tagger's accuracy where the gold is right and where it is wrong. `naive` is the
    normal interval of what is observed, with independent words and a perfect gold, where their number was given.
    `evaluations` are for each p, where u was given.
    """

    name: str
    observed: float
    corpus_error: float
    ambiguity: float
    intervals: tuple[tuple[float, Ends | None], ...]
    envelope: Ends | None
    free: Ends
    t: Ends
    u: Ends | None
    why: str
    naive: Ends | None = None
    whole: Whole | None = None
    evaluations: tuple[Evaluation, ...] = ()

    @property
    def with_sampling_error(self) -> Ends | None:
        """The envelope with sampling error, where that is known."""
        return None if self.whole is None else self.whole.confidence

    @property
    def is_clipped(self) -> bool:
        """Whether no more is observed than the gold has errors, so that bounds stop at 0."""
        return self.observed <= self.corpus_error

    def to_dict(self) -> dict[str, Any]:
        """The system as plain data."""
        found: dict[str, Any] = {
            "name": self.name,
            "observed": self.observed,
            "corpus_error": self.corpus_error,
            "ambiguity": self.ambiguity,
            "intervals": [{"p": p, **_ends_dict(ends)} for p, ends in self.intervals],
            "envelope": _ends_dict(self.envelope),
            "free": _ends_dict(self.free),
            "feasible": self.envelope is not None,
            "why": self.why or None,
            "t": _ends_dict(self.t),
            "u": _ends_dict(self.u),
        }
        if self.naive is not None:
            found["naive"] = _ends_dict(self.naive)
        if self.evaluations:
            found["evaluations"] = [asdict(one) for one in self.evaluations]
        if self.whole is not None:
            found["confidence"] = _ends_dict(self.whole.confidence)
            found["n_ambiguous"] = self.whole.n_ambiguous
            found["overall"] = {
                "n_words": self.whole.n_words,
                "observed": self.whole.observed,
                **_ends_dict(self.whole.bounds),
                "confidence": _ends_dict(self.whole.whole_confidence),
            }
        return found


@dataclass(frozen=True, slots=True)
class NoisyPair:
    """Two systems: how far their envelopes overlap, and who is better by the paper's rule.

    `overlap` is the length of what the envelopes share, `share` that over the length of the shorter one; `better` is a
    name, or None where that is open; the naive intervals' answer is beside it. `probability` is that of b being better
    under stated beliefs. `rules` has the answer of each rule that needs no check by people. From files, sampling error
    is in all of these but the overlap, and `better_overall` is the paper's rule on all words, not only ambiguous ones.
    """

    a: str
    b: str
    overlap: float | None
    share: float | None
    better: str | None
    naive_better: str | None = None
    probability: Better | None = None
    rules: Mapping[str, str | None] = field(default_factory=dict)
    better_overall: str | None = None


@dataclass(frozen=True, eq=False, repr=False)
class NoiseResult(Result):
    """Systems under a noisy gold, and every pair of them; `priors` are the beliefs taken, `read` is of files only."""

    systems: tuple[NoisySystem, ...]
    pairs: tuple[NoisyPair, ...]
    settings: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...] = ()
    inputs: tuple[tuple[str, str, str], ...] = ()
    cluster: str = ""
    n_clusters: int = 0
    priors: Mapping[str, str] = field(default_factory=dict)
    read: InputsRead = field(default_factory=InputsRead)

    @cached_property
    def signature(self) -> str:
        """What was computed, and from what."""
        return signature("noise", self.settings, self.inputs)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, in the schema karat/noise/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "systems": [one.to_dict() for one in self.systems],
            "pairs": [self._pair_dict(one) for one in self.pairs],
            "priors": dict(self.priors),
            "warnings": list(self.warnings),
        }

    def _pair_dict(self, pair: NoisyPair) -> dict[str, Any]:
        found: dict[str, Any] = {
            "a": pair.a,
            "b": pair.b,
            "overlap": pair.overlap,
            "overlap_share": pair.share,
            "probability": None if pair.probability is None else asdict(pair.probability),
            "verdict": "impossible" if pair.overlap is None else pair.better or "open",
            "rules": [
                {"rule": rule, "verdict": better or "open", "simulated": simulated_rates(rule)}
                for rule, better in pair.rules.items()
            ],
        }
        if any(one.naive for one in self.systems):
            found["naive_verdict"] = pair.naive_better or "open"
        if any(one.whole for one in self.systems):
            found["verdict_overall"] = pair.better_overall or "open"
        return {**found, "words": self.in_words(pair)}

    def records(self) -> Table:
        """One row for each system and p."""
        rows: list[list[Cell]] = []
        for one in self.systems:
            named: list[Cell] = [one.name, one.observed, one.corpus_error, one.ambiguity]
            rows += [[*named, p, *_ends_dict(ends).values()] for p, ends in one.intervals]
            rows.append([*named, "all", *_ends_dict(one.envelope).values()])
        return Table(["name", "observed", "corpus_error", "ambiguity", "p", "lower", "upper"], rows)

    def view(self) -> Table:
        """Systems in rows: what is observed, and in which interval the real accuracy lies."""
        rows: list[list[Cell]] = [
            [one.name, f"{100 * one.observed:.2f}", _shown(one.envelope), _shown(one.with_sampling_error)]
            for one in self.systems
        ]
        columns = ["system", "observed", "real accuracy", "with sampling error"]
        notes = ["In %, on ambiguous words.", *map(self.in_words, self.pairs)]
        return Table(columns, rows, "the real accuracy", notes)

    def in_words(self, pair: NoisyPair) -> str:
        """What the paper's rule says of a pair, in plain words, and what the naive intervals would have said."""
        if pair.overlap is None:
            return f"{pair.a} and {pair.b} cannot be compared: their numbers cannot all be true."
        is_sampled = any(one.with_sampling_error for one in self.systems)
        intervals = "intervals with sampling error" if is_sampled else "intervals"
        if pair.better is None:
            text = (
                f"{pair.a} and {pair.b} cannot be told apart: their real accuracies may be the same, for all the "
                f"gold says (their {intervals} overlap)."
            )
        else:
            worse = pair.a if pair.better == pair.b else pair.b
            holds = f"if what is assumed holds: their {intervals} do not overlap"
            text = f"{pair.better} is really better than {worse}, {holds}."
        if is_sampled:
            overall = f"{pair.better_overall} is better" if pair.better_overall else "neither can be called better"
            text = f"On ambiguous words, {text} On all words, {overall}."
        if not any(one.naive for one in self.systems):
            return text
        naive = "do not tell them apart" if pair.naive_better is None else f"call {pair.naive_better} better"
        return f"{text} The naive intervals, which trust the gold, {naive}."


def _ends_dict(ends: Ends | None) -> dict[str, float | None]:
    return {"lower": None, "upper": None} if ends is None else {"lower": ends.lower, "upper": ends.upper}


def _shown(ends: Ends | None) -> str | None:
    return None if ends is None else f"{100 * ends.lower:.2f}–{100 * ends.upper:.2f}"
