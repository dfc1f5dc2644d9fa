"""What `karat.noise_bounds` returns: what scores can mean under a noisy gold, and every pair of systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from karat.errors import Problem
from karat.noise.decision_rules import simulated_rates
from karat.noise.priors import Better
from karat.result import Cell, Result, Table, attributes, plain
from karat.signature import signature

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
    """All words, of which a share is ambiguous; from files also how many there are, and confidence intervals.

    `other_error` is the share of the gold's tags that are wrong among words that are not ambiguous. `bounds` and
    `whole_confidence` are of the real accuracy on all words, `confidence` is of that on ambiguous ones; None from
    numbers, and where nothing varies between clusters.
    """

    ambiguous_share: float
    other_error: float
    observed: float
    bounds: Ends
    n_words: int | None = None
    n_ambiguous: int | None = None
    confidence: Ends | None = None
    whole_confidence: Ends | None = None

    def to_dict(self) -> dict[str, Any]:
        """All words as plain data."""
        return {
            **attributes(self, "n_words ambiguous_share other_error observed"),
            **_ends_dict(self.bounds),
            "confidence": _ends_dict(self.whole_confidence),
        }


@dataclass(frozen=True, slots=True)
class AtP:
    """The bounds of the real accuracy for one p: the reasonable ones [§4] and those that assume nothing [eqs. 6, 7].

    None where the numbers cannot all be true for this p.
    """

    p: float
    ends: Ends | None
    free: Ends | None


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

    `intervals` are those for each p; `envelope` is over all p that are possible, None where there is none. `free`
    assumes nothing, for p from 0 to 1. `t` and `u` are the bounds of the tagger's accuracy where the gold is right and
    where it is wrong; `p` and `reasonable_p` are those of p, with nothing assumed [eq. 4] and if errors are reasonable.
    `at_p` is the one p that was given, if it was: then `bounds` are for that, and not over all p. `why` says why there
    are none. `naive` is the normal interval of what is observed, with independent words and a perfect gold, where their
    number was given. `evaluations` are for each p, where u was given.
    """

    name: str
    observed: float
    corpus_error: float
    ambiguity: float
    intervals: tuple[AtP, ...]
    envelope: Ends | None
    free: Ends
    t: Ends
    u: Ends | None
    p: Ends
    reasonable_p: Ends | None
    why: str
    at_p: float | None = None
    naive: Ends | None = None
    whole: Whole | None = None
    evaluations: tuple[Evaluation, ...] = ()

    @property
    def bounds(self) -> Ends | None:
        """Between what the real accuracy lies: at the p given, or over all p."""
        return self.envelope if self.at_p is None else self.intervals[0].ends

    @property
    def with_sampling_error(self) -> Ends | None:
        """The bounds with sampling error, where that is known."""
        return None if self.whole is None else self.whole.confidence

    @property
    def is_clipped(self) -> bool:
        """Whether no more is observed than the gold has errors, so that bounds stop at 0."""
        return self.observed <= self.corpus_error

    def to_dict(self) -> dict[str, Any]:
        """The system as plain data."""
        found: dict[str, Any] = {
            **attributes(self, "name observed corpus_error ambiguity"),
            "intervals": [{"p": one.p, **_ends_dict(one.ends), "free": _ends_dict(one.free)} for one in self.intervals],
            "envelope": _ends_dict(self.envelope),
            "free": _ends_dict(self.free),
            "bounds": {"p": self.at_p, **_ends_dict(self.bounds)},
            "feasible": self.bounds is not None,
            "why": self.why or None,
            **{name: _ends_dict(getattr(self, name)) for name in ("t", "u", "p", "reasonable_p")},
        }
        if self.naive is not None:
            found["naive"] = _ends_dict(self.naive)
        if self.evaluations:
            found["evaluations"] = plain(self.evaluations)
        if self.whole is not None:
            if self.whole.n_ambiguous is not None:
                found["confidence"] = _ends_dict(self.whole.confidence)
                found["n_ambiguous"] = self.whole.n_ambiguous
            found["overall"] = self.whole.to_dict()
        return found


@dataclass(frozen=True, slots=True)
class NoisyPair:
    """Two systems: how far their bounds overlap, and who is better by the paper's rule.

    `overlap` is the length of what the bounds share, `share` that over the length of the shorter one; `better` is a
    name, or None where that is open; the naive intervals' answer is beside it. `probability` is that of b being better
    under stated beliefs. `rules` has the answer of each rule that needs no check by people. From files, sampling error
    is in all of these but the overlap. `better_overall` is the paper's rule on all words, not only ambiguous ones.
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
    """Systems under a noisy gold, and every pair of them.

    `p` are the probabilities that were asked for: if it is one, all bounds and verdicts are for it. `priors` are the
    beliefs taken, `read` is of files only.
    """

    systems: tuple[NoisySystem, ...]
    pairs: tuple[NoisyPair, ...]
    settings: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...] = ()
    inputs: tuple[tuple[str, str, str], ...] = ()
    cluster: str = ""
    n_clusters: int = 0
    priors: Mapping[str, str] = field(default_factory=dict)
    read: InputsRead = field(default_factory=InputsRead)
    p: tuple[float, ...] = ()
    level: float = 0.95

    @property
    def at_p(self) -> float | None:
        """The one p that bounds and verdicts are for; None if they are for all p."""
        return only_p(self.p)

    @cached_property
    def signature(self) -> str:
        """What was computed, and from what."""
        return signature("noise", self.settings, self.inputs)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, in the schema karat/noise/1."""
        return {
            "schema": SCHEMA,
            **attributes(self, "signature systems"),
            "pairs": [self._pair_dict(one) for one in self.pairs],
            **attributes(self, "at_p priors warnings"),
        }

    def _pair_dict(self, pair: NoisyPair) -> dict[str, Any]:
        found: dict[str, Any] = {
            **attributes(pair, "a b overlap"),
            "overlap_share": pair.share,
            "probability": plain(pair.probability),
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
        """One row for each system and p, and one over all p; all words beside the bounds that verdicts are by."""
        rows: list[list[Cell]] = []
        has_whole = any(one.whole for one in self.systems)
        for one in self.systems:
            by_p: list[tuple[float | str, Ends | None]] = [(each.p, each.ends) for each in one.intervals]
            for p, ends in [*by_p, ("all", one.envelope)]:
                row: list[Cell] = [one.name, one.observed, one.corpus_error, one.ambiguity, p]
                row += _ends_dict(ends).values()
                whole = one.whole if p == ("all" if self.at_p is None else self.at_p) else None
                if has_whole:
                    row += [whole.observed, *_ends_dict(whole.bounds).values()] if whole else [None] * 3
                rows.append(row)
        columns = ["name", "observed", "corpus_error", "ambiguity", "p", "lower", "upper"]
        columns += ["overall_observed", "overall_lower", "overall_upper"] if has_whole else []
        return Table(columns, rows)

    def view(self) -> Table:
        """Systems in rows: what is observed, and in which interval the real accuracy lies."""
        rows: list[list[Cell]] = [
            [one.name, f"{100 * one.observed:.2f}", _shown(one.bounds), _shown(one.with_sampling_error)]
            for one in self.systems
        ]
        columns = ["system", "observed", "real accuracy", "with sampling error"]
        notes = ["In %, on ambiguous words.", *map(self.in_words, self.pairs)]
        return Table(columns, rows, "the real accuracy", notes)

    def in_words(self, pair: NoisyPair) -> str:
        """What the paper's rule says of a pair, in plain words, and what the naive intervals would have said."""
        a, b = (next(one for one in self.systems if one.name == name) for name in (pair.a, pair.b))
        if pair.overlap is None:
            names = " and ".join(one.name for one in (a, b) if one.bounds is None)
            return f"{a.name} and {b.name} cannot be compared: the numbers of {names} cannot all be true."
        parts = [self._on_ambiguous(pair, a, b), *self._on_all(pair, a, b)]
        if a.naive and b.naive:
            says = f"would call {pair.naive_better} better" if pair.naive_better else "would not decide"
            either = " either" if not (pair.naive_better or pair.better) else ""
            parts.append(f"Confidence intervals that trust the gold {says}{either}.")
        return " ".join(parts)

    def _on_ambiguous(self, pair: NoisyPair, a: NoisySystem, b: NoisySystem) -> str:
        first, second = _spans(a.with_sampling_error or a.bounds, b.with_sampling_error or b.bounds)
        sampled = f", {100 * self.level:.10g} % CIs" if a.with_sampling_error and b.with_sampling_error else ""
        given = self.given([a, b])
        on = " on ambiguous words" if a.whole and b.whole else ""
        if pair.better is None:
            return (
                f"No clear winner between {a.name} and {b.name}{on}: {given}, their real accuracies could be equal "
                f"({first} and {second}{sampled})."
            )
        best, worst = (first, second) if pair.better == a.name else (second, first)
        worse = b.name if pair.better == a.name else a.name
        return (
            f"{pair.better} is better than {worse}{on}, even {given}: {best} against {worst} in reality{sampled}, if "
            "the assumptions hold."
        )

    def _on_all(self, pair: NoisyPair, a: NoisySystem, b: NoisySystem) -> list[str]:
        if a.whole is None or b.whole is None:
            return []
        first, second = _spans(*(one.whole_confidence or one.bounds for one in (a.whole, b.whole)))
        if pair.better_overall is None:
            either = " either" if pair.better is None else ""
            return [f"On all words there is no clear winner{either} ({first} and {second})."]
        too = " too" if pair.better == pair.better_overall else ""
        best, worst = (first, second) if pair.better_overall == a.name else (second, first)
        return [f"On all words, {pair.better_overall} is better{too} ({best} against {worst})."]

    def given(self, systems: Sequence[NoisySystem]) -> str:
        """How wrong the gold is, and for which p."""
        p = "" if self.at_p is None else f" and p = {self.at_p:.3g}"
        if not any(one.corpus_error for one in systems):
            return f"if none of the gold is wrong{p}"
        errors = " and ".join(dict.fromkeys(f"{100 * one.corpus_error:.3g} %" for one in systems))
        return f"with {errors} of the gold wrong{p}"


def only_p(p: Sequence[float]) -> float | None:
    """The p that is meant where just one is given."""
    return p[0] if len(p) == 1 else None


def span(ends: Ends, digits: int = 1) -> str:
    """An interval in percent, as a sentence has it."""
    return f"{100 * ends.lower:.{digits}f}–{100 * ends.upper:.{digits}f} %"


def _spans(first: Ends | None, second: Ends | None) -> tuple[str, str]:
    """Two intervals in percent, with as many digits as it takes to see that they do not overlap."""
    assert first is not None
    assert second is not None
    low, high = max(first.lower, second.lower), min(first.upper, second.upper)
    digits = next((n for n in (1, 2, 3) if low <= high or f"{100 * low:.{n}f}" != f"{100 * high:.{n}f}"), 4)
    return span(first, digits), span(second, digits)


def _ends_dict(ends: Ends | None) -> dict[str, float | None]:
    return {"lower": None, "upper": None} if ends is None else {"lower": ends.lower, "upper": ends.upper}


def _shown(ends: Ends | None) -> str | None:
    return None if ends is None else f"{100 * ends.lower:.2f}–{100 * ends.upper:.2f}"
