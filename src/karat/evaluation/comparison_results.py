"""What `karat.compare` returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from karat.corpus import Annotated, Source
from karat.errors import Problem, UsageError
from karat.evaluation.plain_words import in_words, verdict
from karat.evaluation.results import Skipped, gold_dict
from karat.inference.distributions import SMALLEST_P
from karat.inference.intervals import Interval, interval_dict
from karat.inference.label_wins import LabelWin
from karat.inference.paired_units import PairCounts
from karat.inference.planning import Equivalence, Planning
from karat.inference.real_test import RealTest, real_test
from karat.measures.measure import Measure
from karat.result import Cell, Result, Table, attributes, plain
from karat.signature import signature

SCHEMA = "karat/compare/1"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and how sure we are of it; None where it is not defined."""

    value: float | None
    interval: Interval | None

    def to_dict(self) -> dict[str, Any]:
        """The number and its interval as plain data."""
        return {"value": self.value, **interval_dict(self.interval, "lower", "upper", "method")}


@dataclass(frozen=True, slots=True)
class TTest:
    """The cluster-robust t test: the difference over the jackknife's standard error."""

    t: float | None
    df: float
    p: float
    error: float


@dataclass(frozen=True, slots=True)
class DocumentView:
    """How a comparison over sentences, where these were asked for, looks over documents."""

    n_documents: int
    design_effect: float | None
    p: float


@dataclass(frozen=True, slots=True)
class RunSpread:
    """How far the runs of the two systems scatter.

    `deviation_a` and `deviation_b` are standard deviations between runs (None for one run); `run_error` and
    `cluster_error` are the parts of the difference's standard error. A system with one run borrows the others' variance
    where `borrowed`. With two runs, or with one and nothing to borrow from, runs are `too_few` to tell.
    """

    n_a: int
    n_b: int
    deviation_a: float | None
    deviation_b: float | None
    run_error: float
    cluster_error: float
    borrowed: bool
    too_few: bool


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

    `measured` is what was compared, `measure` its name. `p` is that of `test`; `p_adjusted` allows for the number of
    pairs. What `counts` says, with McNemar's test, z of two proportions and the real test, takes units for independent.
    What cannot be known is None: without files (`compare_counts`) the measure, clusters and the design effect; with
    several runs a system the units. `labels` say which labels each system wins, where units are brackets. `n_compared`
    is how many comparisons p is adjusted for. `few_carry_it` warns that few clusters carry most of what is said.
    """

    a: str
    b: str
    measured: Measure
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
    error_reduction: Estimate
    counts: PairCounts | None = None
    odds_ratio: Estimate | None = None
    n_differing: int | None = None
    cluster: str | None = None
    n_clusters: int | None = None
    t_test: TTest | None = None
    design_effect: float | None = None
    equivalence: Equivalence | None = None
    planning: Planning | None = None
    documents: DocumentView | None = None
    runs: RunSpread | None = None
    examples: tuple[PairExample, ...] = ()
    labels: tuple[LabelWin, ...] = ()
    n_compared: int = 1
    few_carry_it: bool = False

    @property
    def real_test(self) -> RealTest | None:
        counts = self.counts
        return None if counts is None else real_test(counts.yy, counts.yn, counts.ny, counts.nn)

    @property
    def factor(self) -> int:
        """What values are multiplied with to be shown."""
        return self.measured.factor

    @property
    def lower_is_better(self) -> bool:
        return self.measured.lower_is_better

    @property
    def b_is_ahead(self) -> bool:
        """Whether B is better, or the two are equal."""
        return self.difference <= 0 if self.lower_is_better else self.difference >= 0

    def to_dict(self) -> dict[str, Any]:
        """The comparison of two systems as plain data."""
        real, t = self.real_test, self.t_test
        of_interval = ("lower", "upper", "method", "resamples", "note", "effective_clusters")
        found: dict[str, Any] = {
            **attributes(self, "a b measure value_a value_b difference lower_is_better"),
            **interval_dict(self.interval, *of_interval),
            **attributes(self, "test p mid_p p_is_upper_bound p_adjusted n_differing cluster n_clusters design_effect"),
            "cluster_t": t and {"t": t.t, "df": t.df, "p": _floored(t.p), "standard_error": t.error},
            **_units_dict(self.counts),
            "real_test": real
            and {
                **attributes(real, "size always_right never_right"),
                "z": {"lower": real.z_lower, "upper": real.z_upper},
                "fitting": plain(real.fitting),
            },
            **attributes(self, "odds_ratio error_reduction"),
            "equivalence": self.equivalence and {**plain(self.equivalence), "p": _floored(self.equivalence.p)},
            **attributes(self, "planning documents runs few_carry_it"),
        }
        if self.labels:
            found["labels"] = [{**plain(one), "p_adjusted": _floored(one.p_adjusted)} for one in self.labels]
        return found | (attributes(self, "examples") if self.examples else {})


def _floored(p: float) -> float:
    return max(p, SMALLEST_P)


def _units_dict(counts: PairCounts | None) -> dict[str, Any]:
    """What is said of single units as plain data; all null where there are none."""
    if counts is None:
        names = ("counts", "mcnemar_z", "mcnemar_p", "mcnemar_mid_p", "unpaired_z", "unpaired_p")
        return dict.fromkeys((*names, "independence", "oracle", "complementarity"))
    return {
        "counts": {"YY": counts.yy, "YN": counts.yn, "NY": counts.ny, "NN": counts.nn},
        "mcnemar_z": counts.mcnemar_z,
        "mcnemar_p": _floored(counts.mcnemar_p),
        "mcnemar_mid_p": _floored(counts.mcnemar_mid_p),
        "unpaired_z": counts.unpaired_z,
        "unpaired_p": None if counts.unpaired_p is None else _floored(counts.unpaired_p),
        "independence": {"YY": plain(counts.expected_both_right()), "NN": plain(counts.expected_both_wrong())},
        "oracle": counts.oracle,
        "complementarity": attributes(counts, "a_mends b_mends"),
    }


@dataclass(frozen=True, slots=True, eq=False)
class GroupDifference:
    """Two systems by one measure on one group of a split, as `upos` splits words.

    `n_gold` is how many units the gold has there (None where the measure has no units of the gold), `share` how much of
    the whole value rests on the group. p of the pair is adjusted over the groups in which the two systems differ.
    """

    split: str
    group: str
    n_gold: int | None
    share: float
    pair: PairResult

    @property
    def contribution(self) -> float:
        """How much of the difference of the whole is due to the group: the group's own difference times its share."""
        return self.share * self.pair.difference

    def to_dict(self, level: float) -> dict[str, Any]:
        """The difference as plain data."""
        own = attributes(self, "group share contribution") | {"gold": self.n_gold}
        data = self.pair.to_dict() | own | {"n_compared": self.pair.n_compared, "verdict": verdict(self.pair, level)}
        return {name: data[name] for name in _GROUP_FIELDS}


@dataclass(frozen=True, slots=True)
class Ranked:
    """A system in the ranking by one measure, from the best.

    All follows from which pairs are `different`: a new `group` begins where every system before is told from every
    system after; `not_told_apart` are the systems that this one is not told from, with all of which it has one of its
    `letters` in common; `rank_lower` and `rank_upper` are the ranks that are left to it. `run_values` are the scores of
    its runs.
    """

    measured: Measure
    name: str
    rank: int
    rank_lower: int
    rank_upper: int
    group: int
    value: float
    interval: Interval | None
    n_runs: int
    run_deviation: float | None
    run_values: tuple[float, ...]
    not_told_apart: tuple[str, ...] = ()
    letters: str = ""

    @property
    def measure(self) -> str:
        return self.measured.name

    def to_dict(self) -> dict[str, Any]:
        """The place as plain data."""
        return {
            **attributes(self, "measure rank name value"),
            **interval_dict(self.interval),
            **attributes(self, "rank_lower rank_upper group"),
            "runs": self.n_runs,
            **attributes(self, "run_deviation run_values not_told_apart letters"),
        }


@dataclass(frozen=True, slots=True, eq=False)
class UndecidedMeasure:
    """A measure that is not compared because verdicts are missing: the least and most value of each system."""

    measured: Measure
    ends: Mapping[str, tuple[float, float]]

    def to_dict(self) -> dict[str, Any]:
        """What is known of it as plain data."""
        systems = [{"name": name, "least": least, "most": most} for name, (least, most) in self.ends.items()]
        return {"measure": self.measured.name, "systems": systems}


@dataclass(frozen=True, eq=False)
class Compared(Result):
    """The comparison of systems on one gold: every pair by every measure, and the ranking.

    `problems` are oddities of the inputs, `skipped` what could not be scored, `missing` the measures that were left out
    and the columns for want of which they were, `warnings` what must not be overlooked. `undecided` are the measures
    for which verdicts are missing; where people judged a sample, what follows from their verdicts `is_estimate`.
    `left_out` has how many sentences EVALB leaves out of each system, where its figures are compared. `baseline`
    names the system that reports compare the others with. `by` has, for each split asked for, the pairs by each group,
    those first that matter.
    """

    gold: Annotated | None
    level: float
    statistic: str
    adjust: str
    cluster: str
    pairs: tuple[PairResult, ...]
    ranking: tuple[Ranked, ...]
    settings: tuple[tuple[str, str], ...]
    sources: tuple[tuple[str, Source], ...] = ()
    formats: tuple[tuple[str, str], ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    missing: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    skipped: Skipped = field(default_factory=lambda: Skipped(0, 0, ()))
    effective_clusters: float | None = None
    undecided: tuple[UndecidedMeasure, ...] = ()
    is_estimate: bool = False
    left_out: Mapping[str, int] = field(default_factory=dict)
    baseline: str | None = None
    by: Mapping[str, tuple[GroupDifference, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = {name for one in self.pairs for name in (one.a, one.b)}
        if self.baseline is not None and self.baseline not in names:
            raise UsageError(f"no system {self.baseline!r} to compare with; choose from {', '.join(sorted(names))}")

    @cached_property
    def signature(self) -> str:
        """What was compared, how and on which inputs."""
        inputs = [(role, source.path, source.sha256()) for role, source in self.sources]
        return signature("compare", self.settings, inputs)

    def pair(self, a: str, b: str, measure: str) -> PairResult:
        """The comparison of two systems, in the order in which they were given, by a measure."""
        for one in self.pairs:
            if (one.a, one.b, one.measure) == (a, b, measure):
                return one
        there = ", ".join(f"{one.a}–{one.b} by {one.measure}" for one in self.pairs)
        raise KeyError(f"no comparison of {a!r} and {b!r} by {measure!r}; available: {there}")

    @cached_property
    def words(self) -> list[str]:
        """What each pair's comparison says, in plain words."""
        of = "" if self.statistic in ("f1", "value") else self.statistic.replace("_", " ")
        return [in_words(one, self.level, of) for one in self.pairs]

    def measures(self) -> Sequence[str | None]:
        """The measures by which systems were compared."""
        return list(dict.fromkeys(one.measure for one in self.pairs))

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain data, in the schema karat/compare/1."""
        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "gold": None if self.gold is None else gold_dict(self.gold),
            **attributes(self, "level statistic adjust baseline effective_clusters"),
            "skipped": {"gold": self.skipped.gold, "systems": self.skipped.system},
            "not_measured": {name: sorted({column for _, column in both}) for name, both in self.missing.items()},
            **(attributes(self, "undecided") if self.undecided else {}),
            **(attributes(self, "left_out") if self.left_out else {}),
            "pairs": [
                {**one.to_dict(), "verdict": verdict(one, self.level), "words": words}
                for one, words in zip(self.pairs, self.words, strict=True)
            ],
            "ranking": plain(self.ranking),
            **({"by": self._by_dict()} if self.by else {}),
            "warnings": list(self.warnings),
        }

    def _by_dict(self) -> dict[str, Any]:
        return {split: [one.to_dict(self.level) for one in groups] for split, groups in self.by.items()}

    def records(self) -> Table:
        """One row for each pair and measure, and for each group where there are splits."""
        every = []
        for one in self.pairs:
            data = {**one.to_dict(), "verdict": verdict(one, self.level)}
            data |= data["counts"] or dict.fromkeys(("YY", "YN", "NY", "NN"))
            data["real_test_size"] = data["real_test"] and data["real_test"]["size"]
            data["error_reduction"] = data["error_reduction"]["value"]
            every.append(data)
        for split, groups in self._by_dict().items():
            every += [{**one, "split": split, "cluster": self.cluster} for one in groups]
        columns = [*(_OF_GROUPS if self.by else ()), *_RECORDED]
        return Table(columns, [[data.get(column) for column in columns] for data in every])

    def view(self) -> Table:
        """Every pair by every measure, and what that says."""
        rows: list[list[Cell]] = []
        for one, words in zip(self.pairs, self.words, strict=True):
            ends = None if one.interval is None else one.interval.ends
            between = ends and " … ".join(f"{one.factor * end:+.2f}" for end in ends)
            sign = "< " if one.p_is_upper_bound else ""
            row = [one.measure or "units", one.a, one.b, f"{one.factor * one.difference:+.2f}", between]
            rows.append([*row, f"{sign}{one.p:.2g}", f"{one.p_adjusted:.2g}", words])
        level = f"{100 * self.level:g} % interval"
        return Table(["measure", "a", "b", "Δ", level, "p", "adjusted p", ""], rows)

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{one.a}–{one.b} {one.measure or 'units'} {one.factor * one.difference:+.2f} (p = {one.p:.2g})"
            for one in self.pairs[:3]
        )
        more = f" and {len(self.pairs) - 3} more" if len(self.pairs) > 3 else ""
        return f"<Compared: {shown}{more}>"


_GROUP_FIELDS = (
    "group measure a b gold share value_a value_b difference contribution lower_is_better lower upper method note "
    "effective_clusters test p p_is_upper_bound p_adjusted n_compared n_differing n_clusters few_carry_it verdict"
).split()
_OF_GROUPS = ("split", "group", "gold", "share", "contribution")
_RECORDED = (
    "measure a b value_a value_b difference lower upper method test p mid_p p_is_upper_bound p_adjusted cluster "
    "n_clusters design_effect YY YN NY NN mcnemar_z unpaired_z real_test_size error_reduction verdict"
).split()
