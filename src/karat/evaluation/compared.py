"""What `karat.compare` returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import karat
from karat.corpus import Annotated, Source
from karat.errors import Problem
from karat.evaluation.results import Skipped
from karat.inference.intervals import Interval
from karat.inference.label_wins import LabelWin
from karat.inference.pairs import PairCounts
from karat.inference.real_test import RealTest
from karat.signature import signature

__all__ = ["Compared", "DocumentView", "Equivalence", "Estimate", "PairExample", "PairResult", "Planning", "Ranked"]
__all__ += ["RunSpread", "Selection", "TTest"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and how sure we are of it; None where it is not defined."""

    value: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class TTest:
    """The cluster-robust t test: the difference over the jackknife's standard error."""

    t: float | None
    df: float
    p: float
    error: float


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether two systems differ by less than a margin: p of two one-sided tests, and whether it holds at the level."""

    margin: float
    p: float
    holds: bool


@dataclass(frozen=True, slots=True)
class Planning:
    """What this test set can show of these two systems, and how many sentences like its own it would take.

    `minimum_detectable` is the smallest true difference that is found with `wanted_power`. With an `effect`: `power` to
    find it here and the number of sentences, clusters and units that finds it with `wanted_power`; None where no number
    does, because runs scatter too much.
    """

    wanted_power: float
    minimum_detectable: float
    effect: float | None = None
    power: float | None = None
    sentences_needed: int | None = None
    clusters_needed: int | None = None
    units_needed: int | None = None


@dataclass(frozen=True, slots=True)
class DocumentView:
    """How a comparison over sentences looks over documents that are too few to be the default."""

    n_documents: int
    design_effect: float | None
    p: float


@dataclass(frozen=True, slots=True)
class RunSpread:
    """How far the runs of the two systems scatter, and whether the difference exceeds that.

    `deviation_a` and `deviation_b` are standard deviations between runs (None for one run); `exceeded` says whether the
    difference is larger than the scatter of runs alone explains at the level.
    """

    n_a: int
    n_b: int
    deviation_a: float | None
    deviation_b: float | None
    run_error: float
    cluster_error: float
    exceeded: bool


@dataclass(frozen=True, slots=True)
class PairExample:
    """A sentence in which one system is right where the other is wrong; `marked` are the words' places from 1."""

    right: str
    sent_id: str | None
    line: int
    n_units: int
    words: tuple[str, ...]
    marked: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PairResult:
    """Two systems by one measure. `difference` is b − a.

    `p` is that of `test`; `p_adjusted` allows for the number of pairs. What `counts` says, with McNemar's test, z of
    two proportions and the real test, takes units for independent. What cannot be known is None: without files
    (`compare_counts`) the measure, clusters and the design effect; with several runs a system the units. `labels` say
    which labels each system wins, where units are brackets.
    """

    a: str
    b: str
    measure: str | None
    value_a: float
    value_b: float
    difference: float
    interval: Interval | None
    test: str
    p: float
    mid_p: float | None
    p_is_upper_bound: bool
    p_adjusted: float
    n_differing: int | None
    cluster: str | None
    n_clusters: int | None
    t_test: TTest | None
    design_effect: float | None
    counts: PairCounts | None
    real_test: RealTest | None
    odds_ratio: Estimate | None
    error_reduction: Estimate
    equivalence: Equivalence | None
    planning: Planning | None
    documents: DocumentView | None
    runs: RunSpread | None
    examples: tuple[PairExample, ...] = ()
    labels: tuple[LabelWin, ...] = ()
    lower_is_better: bool = False
    in_percent: bool = True
    is_neutral: bool = False

    @property
    def factor(self) -> int:
        """What values are multiplied with to be shown."""
        return 100 if self.in_percent else 1

    @property
    def b_is_ahead(self) -> bool:
        """Whether B is better, or the two are equal."""
        return self.difference <= 0 if self.lower_is_better else self.difference >= 0


@dataclass(frozen=True, slots=True)
class Ranked:
    """A system in the ranking by one measure, from the best.

    A new `group` begins where the adjusted tests tell every system before from every system after. `not_told_apart` are
    the systems that they do not tell from this one. `rank_lower` and `rank_upper` are the ranks between which it lies
    in bootstrap resamples; None without resamples. `run_values` are the scores of its runs.
    """

    measure: str
    name: str
    rank: int
    rank_lower: int | None
    rank_upper: int | None
    group: int
    value: float
    interval: Interval | None
    n_runs: int
    run_deviation: float | None
    run_values: tuple[float, ...]
    not_told_apart: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """The best of several systems by one measure, and how much too good the choice is expected to make it look."""

    measure: str
    best: str
    n_systems: int
    value: float
    optimism: float


@dataclass(frozen=True, eq=False)
class Compared:
    """The comparison of systems on one gold: every pair by every measure, and the ranking.

    `problems` are oddities of the inputs, `skipped` what could not be scored, `missing` the measures that were left out
    and the columns for want of which they were, `warnings` what must not be overlooked.
    """

    gold: Annotated | None
    level: float
    statistic: str
    adjust: str
    cluster: str
    pairs: tuple[PairResult, ...]
    ranking: tuple[Ranked, ...]
    selections: tuple[Selection, ...]
    settings: tuple[tuple[str, str], ...]
    sources: tuple[tuple[str, Source], ...] = ()
    formats: tuple[tuple[str, str], ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    missing: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    skipped: Skipped = field(default_factory=lambda: Skipped(0, 0, ()))

    @cached_property
    def signature(self) -> str:
        """What was compared, how and on which inputs."""
        inputs = [(role, source.path, source.sha256()) for role, source in self.sources]
        return signature(karat.__version__, "compare", self.settings, inputs)

    def pair(self, a: str, b: str, measure: str) -> PairResult:
        """The comparison of two systems, in the order in which they were given, by a measure."""
        for one in self.pairs:
            if (one.a, one.b, one.measure) == (a, b, measure):
                return one
        raise KeyError(f"no comparison of {a!r} and {b!r} by {measure!r}; there are {self._shown_pairs()}")

    def _shown_pairs(self) -> str:
        return ", ".join(f"{one.a}–{one.b} by {one.measure}" for one in self.pairs)

    @cached_property
    def words(self) -> list[str]:
        """What each pair's comparison says, in plain words."""
        from karat.evaluation.plain_words import in_words

        of = "" if self.statistic in ("f1", "value") else self.statistic.replace("_", " ")
        return [in_words(one, self.level, self.n_comparisons(one), of) for one in self.pairs]

    def n_comparisons(self, pair: PairResult) -> int:
        """The number of comparisons that a pair's p is adjusted for."""
        if self.adjust == "none":
            return 1
        return sum(self.adjust == "holm-all" or one.measure == pair.measure for one in self.pairs)

    def measures(self) -> Sequence[str | None]:
        """The measures by which systems were compared."""
        return list(dict.fromkeys(one.measure for one in self.pairs))

    def _repr_html_(self) -> str:
        """The table that Jupyter shows."""
        from html import escape

        rows = []
        for one in self.pairs:
            ends = (None, None) if one.interval is None else (one.interval.lower, one.interval.upper)
            low, high = (None if end is None else f"{one.factor * end:+.2f}" for end in ends)
            between = "–" if low is None or high is None else f"{low} … {high}"
            sign = "&lt; " if one.p_is_upper_bound else ""
            numbers = (f"{one.factor * one.difference:+.2f}", between, f"{sign}{one.p:.2g}", f"{one.p_adjusted:.2g}")
            names = "".join(f"<td>{escape(name)}</td>" for name in (one.measure or "units", one.a, one.b))
            rows.append(f"<tr>{names}{''.join(f'<td>{number}</td>' for number in numbers)}</tr>")
        level = f"{100 * self.level:g} % interval"
        head = "".join(f"<th>{name}</th>" for name in ("measure", "a", "b", "Δ", level, "p", "adjusted p"))
        body = "".join(rows)
        return f"<table><tr>{head}</tr>{body}</table><small><code>{escape(self.signature)}</code></small>"

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{one.a}–{one.b} {one.measure or 'units'} {100 * one.difference:+.2f} (p = {one.p:.2g})"
            for one in self.pairs[:3]
        )
        more = f" and {len(self.pairs) - 3} more" if len(self.pairs) > 3 else ""
        return f"<Compared: {shown}{more}>"
