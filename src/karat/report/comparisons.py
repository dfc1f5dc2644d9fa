"""Comparisons as tables for people."""

from __future__ import annotations

from karat.evaluation.comparison_results import Compared, Estimate, PairExample, PairResult, Ranked
from karat.evaluation.plain_words import points
from karat.inference.label_wins import are_complementary
from karat.report.how_sure import how_sure_table
from karat.report.shown import gold_size, method_notes, p_cell, shown_clusters, shown_interval, skipped_notes
from karat.result import Cell, Table

__all__ = ["comparison_tables"]

_MOST_LABELS = 15
_SHORT = {
    "exact permutation": "exact",
    "studentised randomisation": "random",
    "studentised randomisation, tilted tail": "tail",
    "cluster-robust t": "t",
}


def comparison_tables(compared: Compared, *, with_units: bool = False, details: bool = False) -> list[Table]:
    """The tables a person wants to read: the ranking where there are several systems, differences, units, examples.

    Of more than two systems, what is said of units is shown only `with_units`; `details` asks for what most readers
    skip.
    """
    n_systems = len({name for one in compared.pairs for name in (one.a, one.b)})
    ranked = n_systems > 2 or any(one.n_runs > 1 for one in compared.ranking)
    tables = [_ranking_table(compared, measure) for measure in compared.measures()] if ranked else []
    tables.append(_pairs_table(compared, n_systems))
    if any(one.planning and one.planning.effect for one in compared.pairs):
        tables.append(_planning_table(compared))
    if any(one.counts for one in compared.pairs) and (with_units or n_systems == 2):
        tables += [_units_table(compared), _independent_table(compared)]
    tables += [_labels_table(one) for one in _with_labels(compared)]
    tables += [_examples_table(one) for one in compared.pairs if one.examples]
    if details:
        tables += how_sure_table((f"{one.a}, {one.b}", one.measure or "units", one.interval) for one in compared.pairs)
    return tables


def _pairs_table(compared: Compared, n_systems: int) -> Table:
    level = f"{100 * compared.level:.10g} % interval"
    is_adjusted = any(one.n_compared > 1 for one in compared.pairs)
    is_mixed = len({one.test for one in compared.pairs}) > 1
    columns = ["measure", "a", "b", "a %", "b %"] if n_systems > 2 else ["measure", *_names(compared)]
    columns += ["Δ", level, "p", "mid-p", *(["adjusted p"] if is_adjusted else []), *(["test"] if is_mixed else [])]
    columns += ["deff", "detectable"]
    rows: list[list[Cell]] = []
    for one in compared.pairs:
        bound = one.p_is_upper_bound
        row: list[Cell] = [one.measure or "units", *([one.a, one.b] if n_systems > 2 else [])]
        row += [one.factor * one.value_a, one.factor * one.value_b, points(one.factor * one.difference)]
        row += [shown_interval(one.interval, signed=True, factor=one.factor), p_cell(one.p, bound)]
        row.append(None if one.mid_p is None else p_cell(one.mid_p, bound))
        row += [p_cell(one.p_adjusted, bound and one.p_adjusted == one.p)] if is_adjusted else []
        row += [_SHORT[one.test]] if is_mixed else []
        row.append(None if one.design_effect is None else f"{one.design_effect:.2f}")
        row.append(None if one.planning is None else f"{one.factor * one.planning.minimum_detectable:.2f}")
        rows.append(row)
    title = "from counts" if compared.gold is None else gold_size(compared.gold)
    return Table(columns, rows, title, [*compared.words, "", *_pair_notes(compared)])


def _names(compared: Compared) -> list[str]:
    first = compared.pairs[0]
    return [first.a, first.b]


def _pair_notes(compared: Compared) -> list[str]:
    first = compared.pairs[0]
    names = {"f1": "F1", "aligned_accuracy": "aligned accuracy", "value": "All"}
    others = list(dict.fromkeys(one.measure for one in compared.pairs if not one.measured.in_percent and one.measure))
    but = f", but {', '.join(others)}" if others else ""
    notes = [f"{names.get(compared.statistic, compared.statistic)} in %{but}; Δ: second less first, in points."]
    lower = list(dict.fromkeys(one.measure for one in compared.pairs if one.measured.lower_is_better and one.measure))
    if lower:
        notes.append(f"Lower is better: {', '.join(lower)}.")
    tests = ", ".join(dict.fromkeys(one.test for one in compared.pairs))
    over = "" if first.n_clusters is None else f" over {shown_clusters(first.n_clusters, compared.cluster)}"
    notes.append(f"Test: {tests}{over}, two-sided.")
    made = [(one.measure or "", one.interval) for one in compared.pairs if one.interval and not one.interval.note]
    notes += method_notes(made, compared.cluster, compared.gold)
    n = max(one.n_compared for one in compared.pairs)
    if n > 1:
        family = "all pairs and measures" if compared.adjust == "holm-all" else "the pairs of each measure"
        notes.append(f"Adjusted p: Holm over {family} ({n}); intervals are not adjusted.")
    wanted = next((one.planning.wanted_power for one in compared.pairs if one.planning), None)
    deff = "deff: design effect, how many times the variance of independent units" if compared.gold else ""
    if wanted is not None:
        found = f"detectable: the smallest true difference found with a power of {100 * wanted:g} %"
        notes.append("; ".join(part for part in (deff, found) if part) + ".")
    if compared.missing:
        lacking = dict.fromkeys(
            f"{column.upper()} in a {side}" for both in compared.missing.values() for side, column in both
        )
        notes.append(f"Not compared, for want of {', '.join(lacking)}: {', '.join(compared.missing)}.")
    return notes + skipped_notes(compared.skipped.gold, compared.skipped.system)


def _ranking_table(compared: Compared, measure: str | None) -> Table:
    rows: list[list[Cell]] = []
    for one in compared.ranking:
        if one.measure == measure:
            between = f"{one.rank_lower}–{one.rank_upper}"
            factor = one.measured.factor
            scatter = [f"{one.n_runs} ± {factor * one.run_deviation:.2f}" if one.run_deviation is not None else "1"]
            row: list[Cell] = [one.rank, one.name, factor * one.value, shown_interval(one.interval, factor=factor)]
            row += [between, one.group]
            row.append(_like(compared, one))
            rows.append([*row, *(scatter if any(other.n_runs > 1 for other in compared.ranking) else [])])
    level = f"{100 * compared.level:g} %"
    columns = ["rank", "system", measure or "", f"{level} interval", f"{level} ranks", "group", "like"]
    columns += ["runs"] if any(one.n_runs > 1 for one in compared.ranking) else []
    note = "A new group begins where every system above is told apart from every system below; like: the ranks of the "
    note += "systems that it is not told apart from."
    return Table(columns, rows, f"ranking by {measure}", [note])


def _like(compared: Compared, ranked: Ranked) -> str | None:
    """The ranks of the systems that one is not told apart from."""
    found = [
        one.rank for one in compared.ranking if one.measure == ranked.measure and one.name in ranked.not_told_apart
    ]
    return f"{min(found)}–{max(found)}" if found else None


def _planning_table(compared: Compared) -> Table:
    rows: list[list[Cell]] = []
    for one in compared.pairs:
        plan = one.planning
        if plan is not None and plan.effect is not None and plan.power is not None:
            row: list[Cell] = [one.measure or "units", one.a, one.b, one.factor * plan.effect]
            rows.append([*row, f"{100 * plan.power:.0f} %", plan.sentences_needed, plan.units_needed])
    wanted = next(one.planning.wanted_power for one in compared.pairs if one.planning)
    notes = [
        f"needed: for a power of {100 * wanted:g} %, on text like this, for systems that disagree as these do; – where "
        "no number of sentences does (runs scatter too much) or their number is not known."
    ]
    columns = ["measure", "a", "b", "effect", "power here", "sentences needed", "units needed"]
    return Table(columns, rows, "planning", notes)


def _units_table(compared: Compared) -> Table:
    columns = ["measure", "a", "b", "YY", "YN", "NY", "NN", "NY/YN", "its interval", "errors less", "its interval"]
    columns += ["oracle", "a mends", "b mends"]
    rows: list[list[Cell]] = []
    for one in compared.pairs:
        counts = one.counts
        if counts is None:
            continue
        row: list[Cell] = [one.measure or "units", one.a, one.b, counts.yy, counts.yn, counts.ny, counts.nn]
        row += [counts.odds_ratio, _ends(one.odds_ratio, 1, ".2f")]
        row += [_percent(one.error_reduction.value, "+.1f"), _ends(one.error_reduction, 100, "+.1f")]
        row += [_percent(share, ".1f") for share in (counts.oracle, counts.a_mends, counts.b_mends)]
        rows.append(row)
    notes = [
        "YY, YN, NY, NN: units of the gold that both, only a, only b and neither have right. Errors less: the share of "
        "a's errors that b is without. Oracle: units that a or b has right. Mends: the share of the other's errors."
    ]
    return Table(columns, rows, "unit by unit", notes)


def _percent(value: float | None, how: str) -> str | None:
    return None if value is None else f"{100 * value:{how}} %"


def _ends(estimate: Estimate | None, factor: float, how: str) -> str | None:
    """The interval of an estimate; … alone on a side without bound."""
    interval = estimate and estimate.interval
    if not interval or (interval.lower is None and interval.upper is None):
        return None
    low, high = ("" if end is None else f"{factor * end:{how}}" for end in (interval.lower, interval.upper))
    return f"{low} … {high}".strip()


def _independent_table(compared: Compared) -> Table:
    columns = ["measure", "a", "b", "McNemar z", "p", "mid-p", "unpaired z", "real test", "its z", "E(YY)", "z"]
    columns += ["E(NN)", "z"]
    rows: list[list[Cell]] = []
    for one in compared.pairs:
        counts, real = one.counts, one.real_test
        if counts is None or real is None:
            continue
        row: list[Cell] = [one.measure or "units", one.a, one.b, counts.mcnemar_z]
        row += [p_cell(counts.mcnemar_p), p_cell(counts.mcnemar_mid_p), counts.unpaired_z]
        lower, upper = (None if z is None else f"{z:.2f}" for z in (real.z_lower, real.z_upper))
        row += [f"{real.size:.0f}", f"{lower} … {upper}" if lower and upper and lower != upper else lower or upper]
        for expected in (counts.expected_both_right(), counts.expected_both_wrong()):
            row += [f"{expected.value:.0f}", None if expected.z is None else f"{expected.z:.1f}"]
        rows.append(row)
    notes = [
        "Descriptive only: McNemar's test and z take units for independent, as does the real test (Hogenhout & "
        "Matsumoto 1996: what is left without units too easy or too hard). E: what independent systems would have."
    ]
    return Table(columns, rows, "as if units were independent", notes)


def _with_labels(compared: Compared) -> list[PairResult]:
    """The pairs that complement each other, each once for the measures that look at the same brackets."""
    found: dict[tuple[object, ...], PairResult] = {}
    for one in compared.pairs:
        if one.labels and one.counts and are_complementary(one.counts):
            found.setdefault((one.a, one.b, one.labels), one)
    return list(found.values())


def _labels_table(pair: PairResult) -> Table:
    """The labels that each system wins, those first on which the other is ahead than over all."""
    rows: list[list[Cell]] = []
    for one in pair.labels[:_MOST_LABELS]:
        winner = pair.b if one.ny > one.yn else pair.a if one.yn > one.ny else None
        flips = "flips" if one.flips else None
        rows.append([one.label, one.gold, one.yn, one.ny, winner, flips, p_cell(one.p_adjusted)])
    notes = [
        f"Brackets that only {pair.a} (YN) and only {pair.b} (NY) has are both many: the systems complement each "
        "other, and the whole hides the parts (Hogenhout & Matsumoto 1996). Flips: another is ahead than over all. "
        "p: exact over clusters, Holm over the labels."
    ]
    left = len(pair.labels) - len(rows)
    notes += [f"{left} more with --json."] if left else []
    title = f"labels on which {pair.a} and {pair.b} differ by {pair.measure}"
    return Table(["label", "gold", "YN", "NY", "ahead", "sign", "adjusted p"], rows, title, notes)


def _examples_table(pair: PairResult) -> Table:
    rows: list[list[Cell]] = [
        [one.right, one.n_units, one.sent_id or f"line {one.line}", _marked(one)] for one in pair.examples
    ]
    title = f"where one of {pair.a} and {pair.b} is right and the other wrong by {pair.measure}"
    return Table(["right", "units", "sentence", "words"], rows, title)


def _marked(example: PairExample) -> str:
    """The sentence with the words on which one system is right and the other wrong in brackets."""
    marked = set(example.marked)
    return " ".join(f"[{word}]" if n in marked else word for n, word in enumerate(example.words, start=1))
