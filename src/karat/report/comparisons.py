"""Comparisons as tables for people."""

from __future__ import annotations

from collections.abc import Sequence

from karat.evaluation.comparison_results import Compared, Estimate, PairExample, PairResult
from karat.evaluation.plain_words import points, verdict, why_too_few
from karat.inference.label_wins import are_complementary
from karat.inference.paired_units import LARGE_DESIGN_EFFECT
from karat.inference.real_test import SMALL_REAL_TEST
from karat.report.group_differences import group_tables, group_verdicts
from karat.report.how_sure import how_sure_table
from karat.report.shown import (
    HEADLINES,
    MOST_NOTES,
    difference_of,
    gold_size,
    listed,
    method_notes,
    p_cell,
    shown_clusters,
    shown_interval,
    skipped_notes,
)
from karat.result import Best, Cell, Report, Table

__all__ = ["comparison_report"]

_MOST_LABELS = 15
_SHORT = {
    "exact permutation": "exact",
    "studentised randomisation": "random",
    "studentised randomisation, tilted tail": "tail",
    "cluster-robust t": "t",
}


def comparison_report(
    compared: Compared,
    *,
    with_units: bool = False,
    details: bool = False,
    for_paper: bool = False,
    always_ranked: bool = False,
) -> Report:
    """What a person wants to read: the verdict; differences, or the ranking of several systems; what was asked for.

    `details` asks for what most readers skip, `with_units` for what is said of single units; `for_paper` for systems in
    rows and measures in columns, as papers have them.
    """
    systems = list(dict.fromkeys(one.name for one in compared.ranking)) or _names(compared)
    is_ranked = always_ranked or len(systems) > 2 or any(one.n_runs > 1 for one in compared.ranking)
    measures = [name for name in compared.measures() if name is not None]
    if for_paper and compared.ranking:
        tables = [_paper_table(compared, systems)]
        tables += [_ranking_table(compared, measure) for measure in measures] if is_ranked and details else []
    elif is_ranked and len(measures) > 1 and not details and not compared.baseline:
        tables = [_letters_table(compared, measures)]
    elif is_ranked:
        tables = [_ranking_table(compared, measure) for measure in measures]
    else:
        tables = [_pairs_table(compared, details=details)]
    tables += group_tables(compared, details=details)
    if details and is_ranked:
        tables.append(_pairs_table(compared, details=True))
    if any(one.planning and one.planning.effect for one in compared.pairs):
        tables.append(_planning_table(compared))
    if any(one.counts for one in compared.pairs) and (with_units or details):
        tables += [_units_table(compared), _independent_table(compared)]
        of_brackets = [one for one in compared.pairs if one.measured.family == "brackets" or one.measure is None]
        if details and any(one.real_test is not None and one.real_test.fitting for one in of_brackets):
            tables.append(_real_test_table(of_brackets))
    tables += [_labels_table(one) for one in _with_labels(compared)] if details else []
    tables += [_examples_table(one) for one in compared.pairs if one.examples]
    if details:
        tables += how_sure_table((f"{one.a}, {one.b}", one.measure or "units", one.interval) for one in compared.pairs)
    notes = _notes(compared, is_ranked=is_ranked, details=details)
    caption = _caption(compared) if compared.ranking else ""
    verdicts = [*_verdict(compared, systems), *group_verdicts(compared)]
    return Report(verdicts, tables, notes if details else notes[:MOST_NOTES], caption)


# ---- the verdict -----------------------------------------------------------------------------------------------------


def _verdict(compared: Compared, systems: Sequence[str]) -> list[str]:
    """What to conclude, in a sentence or two."""
    if len(systems) > 2:
        measures = [name for name in compared.measures() if name is not None]
        first = [name for name in HEADLINES if name in measures] or measures
        return [_on_leaders(compared, name) for name in first[:2]]
    if len(compared.pairs) <= 2:
        return compared.words
    found: dict[str, list[PairResult]] = {}
    for one in compared.pairs:
        found.setdefault(_outcome(one, compared.level), []).append(one)
    sentences = []
    for winner in _names(compared):
        won = found.get(winner, [])
        loser = next((name for name in _names(compared) if name != winner), "")
        if won:
            sentences.append(f"{winner} is better than {loser} on {listed([_with_size(one) for one in won])}.")
    for outcome, words in _OUTCOMES.items():
        if outcome in found:
            names = listed([one.measure or "" for one in found[outcome]])
            sentences.append(words.format(names=names, a=systems[0], b=systems[1]))
    why: dict[str, list[str]] = {}
    for one in found.get("too few", []):
        why.setdefault(why_too_few(one, compared.level), []).append(one.measure or "")
    return sentences + [f"{listed(names)}: {reason}." for reason, names in why.items()]


_OUTCOMES = {
    "none": "No clear winner between {a} and {b} on {names}.",
    "border": "Borderline on {names}: test and CI disagree.",
    "alone only": "On {names} the difference is not significant once adjusted for the number of comparisons.",
    "same": "{a} and {b} score the same on {names}.",
}


def _outcome(one: PairResult, level: float) -> str:
    """The winner's name, or what else is said."""
    found = verdict(one, level)
    if found == "different" and not one.measured.is_neutral:
        return one.b if one.b_is_ahead else one.a
    return found if found in ("too few", "border", "alone only", "same") else "none"


def _with_size(one: PairResult) -> str:
    return f"{one.measure} ({points(one.factor * one.difference)})"


def _on_leaders(compared: Compared, measure: str) -> str:
    """Who leads by a measure, and whether the lead is real."""
    ranked = [one for one in compared.ranking if one.measure == measure]
    first, others = ranked[0], ranked[1:]
    tied = [one.name for one in others if one.name in first.not_told_apart]
    digits = 1 if first.measured.in_percent else 2
    value = f"{measure} {first.measured.factor * first.value:.{digits}f}"
    pairs = [one for one in compared.pairs if one.measure == measure]
    if all(one.value == first.value for one in others):
        return f"All {len(ranked)} systems score the same on {measure} ({value.rpartition(' ')[2]})."
    if any(verdict(one, compared.level) == "too few" for one in pairs) and len(tied) == len(others):
        few = next(one for one in pairs if verdict(one, compared.level) == "too few")
        return f"{first.name} is ahead ({value}), but {why_too_few(few, compared.level)}."
    level = [one.name for one in ranked if one.value == first.value]
    if len(level) > 1:
        below = len(ranked) - len(level)
        alike = [name for name in tied if name not in level]
        doubt = f", not significantly better than {listed(alike[:3], len(alike) - 3)}" if alike else ""
        sure = f", significantly better than the other {below if below > 1 else 'system'}" if not alike else ""
        return f"{listed(level[:3], len(level) - 3)} tie for first ({value}){doubt}{sure}."
    if not tied:
        return f"{first.name} is the best ({value}), significantly better than {_all(len(others))}."
    if len(tied) == len(others):
        return f"No clear winner: {first.name} is ahead ({value}), but not significantly better than any other system."
    n_worse = len(others) - len(tied)
    return (
        f"{first.name} is ahead ({value}), not significantly better than {listed(tied[:3], len(tied) - 3)}; "
        f"it is better than the other {n_worse if n_worse > 1 else 'system'}."
    )


def _all(n: int) -> str:
    return f"all {n} others" if n > 1 else "the other"


# ---- pairs -----------------------------------------------------------------------------------------------------------


def _pairs_table(compared: Compared, *, details: bool) -> Table:
    n_systems = len({name for one in compared.pairs for name in (one.a, one.b)})
    level = f"{100 * compared.level:.10g} % CI"
    is_adjusted = any(one.n_compared > 1 for one in compared.pairs)
    is_mixed = details and len({one.test for one in compared.pairs}) > 1
    columns = ["measure", "A", "B", "A %", "B %"] if n_systems > 2 else ["measure", *_names(compared)]
    columns += [
        "B − A" if n_systems > 2 else difference_of(*_names(compared)),
        level,
        "p",
        *(["adj. p"] if is_adjusted else []),
        *(["test"] if is_mixed else []),
    ]
    columns += ["mid-p", "deff", "detectable"] if details else []
    rows: list[list[Cell]] = []
    for one in compared.pairs:
        bound = one.p_is_upper_bound
        row: list[Cell] = [one.measure or "units", *([one.a, one.b] if n_systems > 2 else [])]
        a, b = one.factor * one.value_a, one.factor * one.value_b
        is_known = verdict(one, compared.level) == "different" and not one.measured.is_neutral
        row += [Best(f"{a:.2f}") if is_known and not one.b_is_ahead else a]
        row += [Best(f"{b:.2f}") if is_known and one.b_is_ahead else b]
        row += [points(one.factor * one.difference)]
        row += [shown_interval(one.interval, signed=True, factor=one.factor), p_cell(one.p, bound)]
        row += [p_cell(one.p_adjusted, bound and one.p_adjusted == one.p)] if is_adjusted else []
        row += [_SHORT[one.test]] if is_mixed else []
        if details:
            row.append(None if one.mid_p is None else p_cell(one.mid_p, bound))
            row.append(None if one.design_effect is None else f"{one.design_effect:.2f}")
            row.append(None if one.planning is None else f"{one.factor * one.planning.minimum_detectable:.2f}")
        rows.append(row)
    title = "all pairs" if n_systems > 2 else ""
    notes = []
    if details:
        deff = "deff: design effect, the variance relative to independent units; " if compared.gold else ""
        wanted = next((one.planning.wanted_power for one in compared.pairs if one.planning), 0.8)
        notes = [f"{deff}detectable: smallest difference found with {100 * wanted:g} % power."]
    return Table(columns, rows, title, notes, optional=("detectable", "deff", "mid-p"))


def _names(compared: Compared) -> list[str]:
    first = compared.pairs[0]
    return [first.a, first.b]


def _notes(compared: Compared, *, is_ranked: bool, details: bool) -> list[str]:
    """What was left out; what the numbers are and how they were tested."""
    notes = [] if compared.left_out else skipped_notes(compared.skipped.gold, compared.skipped.system)
    notes += _evalb_notes(compared) + _undecided_notes(compared)
    unjudged = [name for name, both in compared.missing.items() if any(side == "judgements" for side, _ in both)]
    if unjudged:
        notes.append(f"Needs human judgements (--judgements): {', '.join(unjudged)}.")
    if len(compared.missing) > len(unjudged):
        others = {name: both for name, both in compared.missing.items() if name not in unjudged}
        lacking = dict.fromkeys(f"{column.upper()} in a {side}" for both in others.values() for side, column in both)
        notes.append(f"Not compared ({', '.join(lacking)} missing): {', '.join(others)}.")
    notes.append(" ".join([_unit_note(compared), *_test_notes(compared)]))
    made = [(one.measure or "", one.interval) for one in compared.pairs if one.interval and not one.interval.note]
    how = method_notes(made, compared.cluster, compared.gold)
    if is_ranked:
        notes.append(
            "Systems that share a letter do not differ significantly. Ranks: simultaneous, from the same tests."
        )
    lower = list(dict.fromkeys(one.measure for one in compared.pairs if one.measured.lower_is_better and one.measure))
    notes += [f"Lower is better: {', '.join(lower)}."] if lower else []
    return notes + (["--details shows more."] if not details else []) + how


def _evalb_notes(compared: Compared) -> list[str]:
    """How many sentences EVALB leaves out, where its figures are compared."""
    if not compared.left_out:
        return []
    if not any(compared.left_out.values()):
        return ["As EVALB counts; it leaves out no sentence."]
    numbers = listed([f"{n:,} of {name}" for name, n in compared.left_out.items()])
    return [f"As EVALB counts, which leaves out sentences without a parse or with other words: {numbers}."]


def _undecided_notes(compared: Compared) -> list[str]:
    """Which measures are not compared for want of verdicts, and between which values they are."""
    found = []
    for one in compared.undecided:
        factor = one.measured.factor
        ends = [
            f"{name} {factor * least:.2f}" + (f" to {factor * most:.2f}" if most != least else "")
            for name, (least, most) in one.ends.items()
        ]
        found.append(f"{one.measured.name} ({', '.join(ends)})")
    notes = [f"Not compared, as verdicts are missing: {'; '.join(found)}."] if found else []
    return notes + (["Only a sample was judged: soft measures are estimated from it."] if compared.is_estimate else [])


def _unit_note(compared: Compared) -> str:
    names = {"f1": "F1", "aligned_accuracy": "Aligned accuracy", "value": "All values"}
    others = list(dict.fromkeys(one.measure for one in compared.pairs if not one.measured.in_percent and one.measure))
    but = f", except {', '.join(others)}" if others else ""
    of = names.get(compared.statistic, compared.statistic.replace("_", " ").capitalize())
    return f"{of} in %{but}."


def _test_notes(compared: Compared) -> list[str]:
    """The test, what it is over, and what p is adjusted for."""
    first = compared.pairs[0]
    tests = ", ".join(dict.fromkeys(one.test for one in compared.pairs))
    over = "" if first.n_clusters is None else f" over {shown_clusters(first.n_clusters, compared.cluster)}"
    n = max(one.n_compared for one in compared.pairs)
    family = "all pairs and measures" if compared.adjust == "holm-all" else "the pairs of each measure"
    adjusted = f", Holm-adjusted over {family} ({n})" if n > 1 else ""
    return [f"p: {tests}{over}, two-sided{adjusted}."]


# ---- rankings --------------------------------------------------------------------------------------------------------


def _ranking_table(compared: Compared, measure: str) -> Table:
    """The systems from the best, each with its distance from the baseline, or from the first."""
    ranked = [one for one in compared.ranking if one.measure == measure]
    has_runs = any(one.n_runs > 1 for one in compared.ranking)
    other = compared.baseline or ranked[0].name
    of_other = next(one.value for one in ranked if one.name == other)
    to_other = {
        name: one
        for one in compared.pairs
        if one.measure == measure and other in (one.a, one.b)
        for name in (one.a, one.b)
        if name != other
    }
    rows: list[list[Cell]] = []
    for one in ranked:
        factor = one.measured.factor
        row: list[Cell] = [one.rank, one.name, factor * one.value, shown_interval(one.interval, factor=factor)]
        pair = to_other.get(one.name)
        row += [None, None] if pair is None else [points(factor * (one.value - of_other)), p_cell(pair.p_adjusted)]
        row += [f"{one.rank_lower}–{one.rank_upper}", one.letters]
        runs = f"{one.n_runs} ± {factor * one.run_deviation:.2f}" if one.run_deviation is not None else "1"
        rows.append([*row, *([runs] if has_runs else [])])
    level = f"{100 * compared.level:g} %"
    columns = [
        "rank",
        "system",
        measure,
        f"{level} CI",
        f"vs. {compared.baseline or 'first'}",
        "p",
        "ranks",
        "group",
        *(["runs"] if has_runs else []),
    ]
    return Table(
        columns, rows, f"ranking by {measure}" if len(compared.measures()) > 1 else "", (), ("runs", f"{level} CI")
    )


def _letters_table(compared: Compared, measures: Sequence[str]) -> Table:
    """Systems in rows, in the order of the first measure; by each measure the value and the letters."""
    headline = next((name for name in HEADLINES if name in measures), measures[0])
    order = [one.name for one in compared.ranking if one.measure == headline]
    found = {(one.name, one.measure): one for one in compared.ranking}
    rows: list[list[Cell]] = []
    for name in order:
        row: list[Cell] = [name]
        for measure in measures:
            one = found[name, measure]
            shown = f"{one.measured.factor * one.value:.2f} {one.letters}"
            row.append(Best(shown) if one.rank == 1 else shown)
        rows.append(row)
    return Table(["system", *measures], rows)


# ---- for papers ------------------------------------------------------------------------------------------------------


def _paper_table(compared: Compared, systems: Sequence[str]) -> Table:
    """Systems in rows, measures in columns: the best bold, a mark on those that are significantly worse than it."""
    measures = [name for name in compared.measures() if name is not None]
    found = {(one.name, one.measure): one for one in compared.ranking}
    best = {one.measure: one for one in reversed(compared.ranking) if one.rank == 1}
    rows: list[list[Cell]] = []
    for name in systems:
        row: list[Cell] = [name]
        for measure in measures:
            one, first = found[name, measure], best[measure]
            value = f"{one.measured.factor * one.value:.2f}"
            is_worse = one.name != first.name and one.name not in first.not_told_apart
            row.append(Best(value) if one.value == first.value else f"{value}{_WORSE if is_worse else ''}")
        rows.append(row)
    if len(systems) == 2:
        rows.append(["Δ", *(points(one.factor * one.difference) for one in compared.pairs)])
        if len(measures) <= _MOST_WITH_INTERVALS:
            ends = [shown_interval(one.interval, signed=True, factor=one.factor) for one in compared.pairs]
            rows.append([f"{100 * compared.level:g} % CI", *ends])
    return Table(["system", *measures], rows)


_WORSE = "†"
_MOST_WITH_INTERVALS = 3  # measures beside each other on a page


def _caption(compared: Compared) -> str:
    """What the marks mean: test, clusters and number of sentences, so that the table stands alone."""
    first = compared.pairs[0]
    test = " and ".join(dict.fromkeys(one.test for one in compared.pairs))
    over = "" if first.n_clusters is None else f" over {shown_clusters(first.n_clusters, compared.cluster)}"
    n = max(one.n_compared for one in compared.pairs)
    adjusted = f", Holm-adjusted for {n} pairs" if n > 1 else ""
    size = "" if compared.gold is None else f" Test set: {gold_size(compared.gold)}."
    lower = list(dict.fromkeys(one.measure for one in compared.pairs if one.measured.lower_is_better and one.measure))
    also = f" Lower is better: {', '.join(lower)}." if lower else ""
    if len(compared.pairs) and len({name for one in compared.pairs for name in (one.a, one.b)}) == 2:
        also += f" Δ: {first.b} − {first.a}."
    alpha = f"{1 - compared.level:.3g}"
    mark = f"{_WORSE} significantly worse than the best (p < {alpha}, two-sided {test} test{over}{adjusted})."
    return f"{_unit_note(compared)} Best in bold; {mark}{also}{size}"


# ---- planning, units, examples ---------------------------------------------------------------------------------------


def _planning_table(compared: Compared) -> Table:
    rows: list[list[Cell]] = []
    for one in compared.pairs:
        plan = one.planning
        if plan is not None and plan.effect is not None and plan.power is not None:
            row: list[Cell] = [one.measure or "units", one.a, one.b, one.factor * plan.effect]
            rows.append([*row, f"{100 * plan.power:.0f} %", plan.sentences_needed, plan.units_needed])
    wanted = next(one.planning.wanted_power for one in compared.pairs if one.planning)
    notes = [
        f"Needed for {100 * wanted:g} % power, on similar text, with systems that disagree as these do; – if no number "
        "of sentences suffices (runs vary too much) or it is unknown."
    ]
    columns = ["measure", "A", "B", "effect", "power here", "sentences", "units"]
    return Table(columns, rows, "planning", notes)


def _units_table(compared: Compared) -> Table:
    columns = ["measure", "A", "B", "YY", "YN", "NY", "NN", "NY/YN", "CI", "error reduction", "CI "]
    columns += ["oracle", "A fixes", "B fixes"]
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
        "YY, YN, NY, NN: gold units that both, only A, only B and neither get right. Error reduction: from A to B. "
        "Oracle: units that A or B gets right. A fixes: the share of B's errors that A gets right, and vice versa."
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
    columns = ["measure", "A", "B", "McNemar z", "p", "mid-p", "unpaired z", "real test", "its z", "E(YY)", "z(YY)"]
    columns += ["E(NN)", "z(NN)"]
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
        "Descriptive only: these treat units as independent, which overstates significance. Real test: units that are "
        "neither too easy nor too hard (Hogenhout & Matsumoto 1996). E: expected of independent systems."
    ]
    effects = [one.design_effect for one in compared.pairs if one.design_effect is not None]
    if effects and max(effects) > LARGE_DESIGN_EFFECT:
        notes.append(f"Errors cluster (design effect up to {max(effects):.1f}).")
    small = [one.real_test.size for one in compared.pairs if one.real_test is not None and one.real_test.is_small]
    if small:
        notes.append(f"Few units distinguish the systems: a real test has {min(small):.0f}, below {SMALL_REAL_TEST}.")
    return Table(columns, rows, "treating units as independent", notes)


def _real_test_table(pairs: Sequence[PairResult]) -> Table:
    """M1 against M2: the real tests that fit, from no hard unit set aside to no easy one."""
    rows: list[list[Cell]] = []
    for pair in pairs:
        for one in pair.real_test.fitting if pair.real_test is not None else ():
            row: list[Cell] = [pair.measure or "units", pair.a, pair.b, one.name]
            rows.append([*row, *(f"{number:,.0f}" for number in (one.always_right, one.never_right, one.size)), one.z])
    notes = [
        "M1: units set aside because both systems always get them right; M2: because they never do. All M1 and M2 fit "
        "for which (YY − M1)(NN − M2) = YN × NY; --svg draws them (Hogenhout & Matsumoto 1996, section 6)."
    ]
    columns = ["measure", "A", "B", "set aside", "M1", "M2", "real test", "z"]
    return Table(columns, rows, "the real tests that fit: M1 against M2", notes)


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
        f"{pair.a} and {pair.b} complement each other: many brackets are found by one of them only (YN, NY), so the "
        "total hides differences by label (Hogenhout & Matsumoto 1996). Flips: the other system is ahead here. "
        "p: exact, Holm-adjusted over labels."
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
