"""The tables of a comparison: pairs, rankings, what a paper has, planning, labels, examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from karat.evaluation.comparison_results import Compared, Estimate, PairResult, Ranked
from karat.evaluation.plain_words import points
from karat.inference.label_wins import are_complementary
from karat.inference.paired_units import LARGE_DESIGN_EFFECT
from karat.inference.real_test import SMALL_REAL_TEST
from karat.report.columns import Column, table_of
from karat.report.group_differences import group_tables
from karat.report.shown import (
    SIGNIFICANT,
    adjusted_p,
    best_marked,
    difference_of,
    headlines,
    how_sure_table,
    marked_words,
    p_cell,
    shown_between,
    shown_ci,
    shown_difference,
    shown_interval,
    shown_share,
    shown_value,
    unadjusted_notes,
)
from karat.result import Best, Cell, Table

_MOST_LABELS = 15
_MOST_WITH_INTERVALS = 3  # measures beside each other on a page
_SHORT = {
    "exact permutation": "exact",
    "studentised randomisation": "random",
    "studentised randomisation, tilted tail": "tail",
    "cluster-robust t": "t",
}


def comparison_tables(
    compared: Compared, systems: Sequence[str], *, is_ranked: bool, with_units: bool, details: bool, for_paper: bool
) -> list[Table]:
    """Differences, or the ranking of several systems, the table that matters first; then what was asked for."""
    measures = [name for name in compared.measures() if name is not None]
    rankings = [_ranking_table(compared, measure) for measure in measures] if is_ranked else []
    if for_paper and compared.ranking:
        tables = [_paper_table(compared, systems, measures), *(rankings if details else [])]
    elif is_ranked and len(measures) > 1 and not details and not compared.baseline:
        tables = [_letters_table(compared, measures)]
    else:
        tables = rankings or [_pairs_table(compared, details=details)]
    tables += group_tables(compared, details=details, for_paper=for_paper)
    if details and is_ranked:
        tables.append(_pairs_table(compared, details=True))
    if any(one.planning and one.planning.effect for one in compared.pairs):
        tables.append(_planning_table(compared))
    if any(one.counts for one in compared.pairs) and (with_units or details):
        tables += _unit_tables(compared, details=details)
    if details:
        tables += _labels_tables(compared)
    tables += [_examples_table(one) for one in compared.pairs if one.examples]
    if details:
        tables += how_sure_table((f"{one.a}, {one.b}", one.measure or "units", one.interval) for one in compared.pairs)
    return tables


# ---- pairs -----------------------------------------------------------------------------------------------------------


def _pair_cells(pair: PairResult) -> list[Cell]:
    """Which measure and which two systems."""
    return [pair.measure or "units", pair.a, pair.b]


def _pairs_table(compared: Compared, *, details: bool) -> Table:
    """Every pair by every measure: both values, the difference, its interval and p."""
    first, level = compared.pairs[0], compared.level
    several = len({name for one in compared.pairs for name in (one.a, one.b)}) > 2
    columns: list[Column[PairResult]] = [("measure", lambda one: one.measure or "units")]
    if several:
        columns += [("A", lambda one: one.a), ("B", lambda one: one.b)]
    columns += [
        ("A %" if several else first.a, lambda one: shown_value(one, one.a, level)),
        ("B %" if several else first.b, lambda one: shown_value(one, one.b, level)),
        ("B − A" if several else difference_of(first.a, first.b), shown_difference),
        (shown_ci(level), shown_between),
        ("p", lambda one: p_cell(one.p, one.p_is_upper_bound)),
    ]
    if any(one.n_compared > 1 for one in compared.pairs):
        columns.append(("adj. p", adjusted_p))
    notes = unadjusted_notes(compared.pairs, level)
    if details:
        if len({one.test for one in compared.pairs}) > 1:
            columns.append(("test", lambda one: _SHORT[one.test]))
        columns += [
            ("mid-p", lambda one: None if one.mid_p is None else p_cell(one.mid_p, one.p_is_upper_bound)),
            ("deff", lambda one: one.design_effect),
            ("detectable", lambda one: one.factor * one.planning.minimum_detectable if one.planning else None),
        ]
        deff = "deff: design effect, the variance relative to independent units; " if compared.gold else ""
        wanted = next((one.planning.wanted_power for one in compared.pairs if one.planning), 0.8)
        notes += [f"{deff}detectable: smallest difference found with {100 * wanted:g} % power."]
    optional = ("detectable", "deff", "mid-p")
    title, n_keys = ("all pairs", 3) if several else ("", 1)
    return table_of(compared.pairs, columns, title, notes, optional=optional, n_keys=n_keys)


# ---- rankings --------------------------------------------------------------------------------------------------------


def _ranking_table(compared: Compared, measure: str) -> Table:
    """The systems from the best, each with its distance from the baseline, or from the first."""
    ranked = [one for one in compared.ranking if one.measure == measure]
    other = next(one for one in ranked if one.name == (compared.baseline or ranked[0].name))
    factor = other.measured.factor
    to_other = {
        name: pair
        for pair in compared.pairs
        if pair.measure == measure and other.name in (pair.a, pair.b)
        for name in (pair.a, pair.b)
        if name != other.name
    }
    level = shown_ci(compared.level)
    columns: list[Column[Ranked]] = [
        ("rank", lambda one: one.rank),
        ("system", lambda one: one.name),
        (measure, lambda one: factor * one.value),
        (level, lambda one: shown_interval(one.interval, factor=factor)),
        (
            f"vs. {compared.baseline or 'first'}",
            lambda one: points(factor * (one.value - other.value)) if one.name in to_other else None,
        ),
        ("adj. p", lambda one: adjusted_p(to_other[one.name]) if one.name in to_other else None),
        ("ranks", lambda one: f"{one.rank_lower}–{one.rank_upper}"),
        ("letters", lambda one: one.letters),
    ]
    if any(one.n_runs > 1 for one in compared.ranking):
        columns.append(("runs", lambda one: _runs(one)))
    title = f"ranking by {measure}" if len(compared.measures()) > 1 else ""
    return table_of(ranked, columns, title, optional=("runs", level))


def _runs(one: Ranked) -> str:
    scatter = one.run_deviation
    return "1" if scatter is None else f"{one.n_runs} ± {one.measured.factor * scatter:.2f}"


def _letters_table(compared: Compared, measures: Sequence[str]) -> Table:
    """Systems in rows, in the order of the first measure; by each measure the value and the letters."""
    best = _best(compared)

    def shown(one: Ranked) -> Cell:
        text = f"{one.measured.factor * one.value:.2f} {one.letters}"
        return Best(text) if (one.name, one.measure) in best else text

    order = [one.name for one in compared.ranking if one.measure == headlines(measures)[0]]
    return Table(["system", *measures], _by_system(compared, order, measures, shown))


def _best(compared: Compared) -> set[tuple[str, str]]:
    """The systems, each with a measure, whose values are marked as the best: as `best_marked` has it."""
    found = set()
    for measure in dict.fromkeys(one.measured for one in compared.ranking):
        ranked = [one for one in compared.ranking if one.measured is measure]
        marked = best_marked([measure.factor * one.value for one in ranked], measure)
        found |= {(one.name, one.measure) for one, cell in zip(ranked, marked, strict=True) if isinstance(cell, Best)}
    return found


def _by_system(
    compared: Compared, systems: Sequence[str], measures: Sequence[str], shown: Callable[[Ranked], Cell]
) -> list[list[Cell]]:
    """Systems in rows, measures in columns."""
    found = {(one.name, one.measure): one for one in compared.ranking}
    return [[name, *(shown(found[name, measure]) for measure in measures)] for name in systems]


def _paper_table(compared: Compared, systems: Sequence[str], measures: Sequence[str]) -> Table:
    """Systems in rows, measures in columns: the best bold, a mark where one differs from it, or from the baseline."""
    ranked, baseline = compared.ranking, compared.baseline
    other = {one.measure: one for one in reversed(ranked) if (one.name == baseline if baseline else one.rank == 1)}
    best = _best(compared)

    def shown(one: Ranked) -> Cell:
        compared_with = other[one.measure]
        differs = one.name != compared_with.name and one.name not in compared_with.not_told_apart
        text = f"{one.measured.factor * one.value:.2f}{SIGNIFICANT * differs}"
        return Best(text) if (one.name, one.measure) in best else text

    rows = _by_system(compared, systems, measures, shown)
    if len(systems) == 2:
        rows.append(["Δ", *map(shown_difference, compared.pairs)])
        if len(measures) <= _MOST_WITH_INTERVALS:
            rows.append([shown_ci(compared.level), *map(shown_between, compared.pairs)])
    return Table(["system", *measures], rows)


# ---- single units ----------------------------------------------------------------------------------------------------


def _unit_tables(compared: Compared, *, details: bool) -> list[Table]:
    """What both, one and neither get right, and tests that treat units as independent; with details the real tests."""
    tables = [_units_table(compared), _independent_table(compared)]
    of_brackets = [one for one in compared.pairs if one.measured.family == "brackets" or one.measure is None]
    if details and any(one.real_test is not None and one.real_test.fitting for one in of_brackets):
        tables.append(_real_test_table(of_brackets))
    return tables


def _units_table(compared: Compared) -> Table:
    columns = ["measure", "A", "B", "YY", "YN", "NY", "NN", "NY/YN", "CI", "error reduction", "CI "]
    columns += ["oracle", "A fixes", "B fixes"]
    rows: list[list[Cell]] = []
    for one in compared.pairs:
        counts = one.counts
        if counts is None:
            continue
        row = [*_pair_cells(one), counts.yy, counts.yn, counts.ny, counts.nn]
        row += [counts.odds_ratio, _ends(one.odds_ratio, 1, ".2f")]
        row += [shown_share(one.error_reduction.value, "+.1f"), _ends(one.error_reduction, 100, "+.1f")]
        row += [shown_share(share, ".1f") for share in (counts.oracle, counts.a_mends, counts.b_mends)]
        rows.append(row)
    notes = [
        "YY, YN, NY, NN: gold units that both, only A, only B and neither get right. Error reduction: from A to B. "
        "Oracle: units that A or B gets right. A fixes: the share of B's errors that A gets right, and vice versa."
    ]
    return Table(columns, rows, "by unit", notes, n_keys=3)


def _ends(estimate: Estimate | None, factor: float, how: str) -> str | None:
    """The interval of an estimate; … alone on a side without bound."""
    interval = estimate and estimate.interval
    if not interval or (interval.lower is None and interval.upper is None):
        return None
    low, high = ("" if end is None else f"{factor * end:{how}}" for end in (interval.lower, interval.upper))
    return f"{low} … {high}".strip().replace("-", "−")


def _independent_table(compared: Compared) -> Table:
    columns = [
        "measure",
        "A",
        "B",
        "McNemar z",
        "p",
        "mid-p",
        "unpaired z",
        "real test",
        "real test z",
        "E(YY)",
        "z(YY)",
    ]
    columns += ["E(NN)", "z(NN)"]
    rows: list[list[Cell]] = []
    for one in compared.pairs:
        counts, real = one.counts, one.real_test
        if counts is None or real is None:
            continue
        row = [*_pair_cells(one), counts.mcnemar_z]
        row += [p_cell(counts.mcnemar_p), p_cell(counts.mcnemar_mid_p), counts.unpaired_z]
        lower, upper = (None if z is None else f"{z:.2f}".replace("-", "−") for z in (real.z_lower, real.z_upper))
        row += [f"{real.size:.0f}", f"{lower} … {upper}" if lower and upper and lower != upper else lower or upper]
        for expected in (counts.expected_both_right(), counts.expected_both_wrong()):
            row += [f"{expected.value:.0f}", None if expected.z is None else f"{expected.z:.1f}"]
        rows.append(row)
    notes = [
        "Descriptive only: these treat units as independent, which overstates significance. Real test: units that are "
        "neither too easy nor too hard (Hogenhout & Matsumoto 1996). E: expected for independent systems."
    ]
    effects = [one.design_effect for one in compared.pairs if one.design_effect is not None]
    if effects and max(effects) > LARGE_DESIGN_EFFECT:
        notes.append(f"Errors cluster (design effect up to {max(effects):.1f}).")
    small = [one.real_test.size for one in compared.pairs if one.real_test is not None and one.real_test.is_small]
    if small:
        notes.append(f"Few units distinguish the systems: a real test has {min(small):.0f}, below {SMALL_REAL_TEST}.")
    return Table(columns, rows, "treating units as independent", notes, n_keys=3)


def _real_test_table(pairs: Sequence[PairResult]) -> Table:
    """M1 against M2: the real tests that fit, from no hard unit set aside to no easy one."""
    rows: list[list[Cell]] = []
    for pair in pairs:
        for one in pair.real_test.fitting if pair.real_test is not None else ():
            sizes = (f"{number:,.0f}" for number in (one.always_right, one.never_right, one.size))
            rows.append([*_pair_cells(pair), one.name, *sizes, one.z])
    notes = [
        "M1: units set aside because both systems always get them right; M2: because they never do. M1 and M2 fit if "
        "(YY − M1)(NN − M2) = YN × NY; --svg plots them (Hogenhout & Matsumoto 1996, section 6)."
    ]
    columns = ["measure", "A", "B", "set aside", "M1", "M2", "real test", "z"]
    return Table(columns, rows, "the real tests that fit: M1 against M2", notes, n_keys=3)


# ---- planning, labels, examples --------------------------------------------------------------------------------------


def _planning_table(compared: Compared) -> Table:
    """The power that a test of this size has, and the size that it would need."""
    rows: list[list[Cell]] = []
    for one in compared.pairs:
        plan = one.planning
        if plan is not None and plan.effect is not None and plan.power is not None:
            row = [*_pair_cells(one), one.factor * plan.effect, f"{100 * plan.power:.0f} %"]
            rows.append([*row, plan.sentences_needed, plan.units_needed])
    wanted = next(one.planning.wanted_power for one in compared.pairs if one.planning)
    notes = [
        f"Needed for {100 * wanted:g} % power, on similar text, with systems that disagree as these do; – if no number "
        "of sentences suffices (runs vary too much) or it is unknown."
    ]
    columns = ["measure", "A", "B", "effect", "power of this test", "sentences", "units"]
    return Table(columns, rows, "planning", notes, n_keys=3)


def _labels_tables(compared: Compared) -> list[Table]:
    """The pairs that complement each other, each once for the measures that look at the same brackets."""
    found: dict[tuple[object, ...], PairResult] = {}
    for one in compared.pairs:
        if one.labels and one.counts and are_complementary(one.counts):
            found.setdefault((one.a, one.b, one.labels), one)
    return [_labels_table(one) for one in found.values()]


def _labels_table(pair: PairResult) -> Table:
    """The labels that each system wins, those first on which the other is ahead than over all."""
    rows: list[list[Cell]] = []
    for one in pair.labels[:_MOST_LABELS]:
        ahead = pair.b if one.ny > one.yn else pair.a if one.yn > one.ny else None
        rows.append(
            [one.label, one.gold, one.yn, one.ny, ahead, "flips" if one.flips else None, p_cell(one.p_adjusted)]
        )
    notes = [
        f"{pair.a} and {pair.b} complement each other: many brackets are found by only one of them (YN, NY), so the "
        "total hides differences by label (Hogenhout & Matsumoto 1996). Flips: the other system is ahead here. "
        "p: exact, Holm-adjusted over labels."
    ]
    left = len(pair.labels) - len(rows)
    notes += [f"{left} more with --json."] if left else []
    title = f"labels on which {pair.a} and {pair.b} differ by {pair.measure}"
    return Table(["label", "gold", "YN", "NY", "ahead", "sign", "adjusted p"], rows, title, notes)


def _examples_table(pair: PairResult) -> Table:
    """Sentences with the words on which one system is right and the other wrong in brackets."""
    rows: list[list[Cell]] = []
    for one in pair.examples:
        words = marked_words(one.words, [place - 1 for place in one.marked])
        rows.append([one.right, one.n_units, one.sent_id or f"line {one.line}", words])
    title = f"{pair.measure}: sentences where only one of {pair.a} and {pair.b} is right"
    return Table(["right", "units", "sentence", "words"], rows, title)
