"""What scores mean under a noisy gold, as tables for people."""

from __future__ import annotations

from karat.noise.decision_rules import CHECK, KINDS, RATES, RULES, SETTING
from karat.noise.results import NoiseResult, NoisySystem, span
from karat.report.shown import counted, listed, percent, shown_ci, shown_clusters, shown_interval, shown_share
from karat.result import Cell, Report, Table


def noise_report(result: NoiseResult, *, details: bool = False) -> Report:
    """What the real accuracies can be; with details for each p, and every pair by every rule."""
    tables = [_bounds_table(result)]
    if any(one.evaluations for one in result.systems):
        tables.append(_evaluations_table(result))
    if details:
        tables += [_by_p_table(result), _parameters_table(result)]
    if result.pairs and details:
        tables.append(_pairs_table(result))
        tables += [_rules_table(result)] if any(pair.rules for pair in result.pairs) else []
    caption = f"Observed and real accuracy in %, {result.given(result.systems)}."
    return Report(_verdict(result), tables, _notes(result), caption)


# ---- the verdict -----------------------------------------------------------------------------------------------------


def _verdict(result: NoiseResult) -> list[str]:
    """Who is better, or what the one system is worth."""
    if not result.pairs:
        return [_of_one(result, result.systems[0])]
    if len(result.pairs) == 1:
        return [result.in_words(result.pairs[0])]
    return [_of_several(result)]


def _of_one(result: NoiseResult, one: NoisySystem) -> str:
    if one.bounds is None:
        return f"The numbers of {one.name} cannot all be true."
    free = one.intervals[0].free if one.at_p is not None and not one.with_sampling_error else None
    unless = f", or {span(free)} if nothing is assumed" if free else ""
    real = one.with_sampling_error or one.bounds
    sampled = f" ({shown_ci(result.level)})" if one.with_sampling_error else ""
    on = " on ambiguous words" if one.whole else ""
    text = f"{one.name}: {100 * one.observed:.1f} % observed{on}, {span(real)} in reality{sampled}, "
    text += f"{result.given([one])}{unless}."
    if one.whole:
        whole = one.whole
        text += f" On all words: {100 * whole.observed:.1f} % observed, {span(whole.whole_confidence or whole.bounds)}."
    return text


def _of_several(result: NoiseResult) -> str:
    """All clear winners, and how many pairs have none."""
    possible = [one for one in result.pairs if one.overlap is not None]
    given, n = result.given(result.systems), counted(len(possible), "pair")
    if not possible:
        return "No two systems can be compared: their numbers cannot all be true."
    worse: dict[str, list[str]] = {}
    for one in possible:
        if one.better:
            worse.setdefault(one.better, []).append(one.a if one.better == one.b else one.b)
    n_open = len(possible) - sum(map(len, worse.values()))
    if not worse:
        return f"No clear winner in any of {n} of systems: {given}, their real accuracies could be equal."
    better: dict[str, list[str]] = {}
    for name, others in worse.items():
        better.setdefault(listed(others), []).append(name)
    clear = "; ".join(
        f"{listed(names)} {'is' if len(names) == 1 else 'are'} better than {others}" for others, names in better.items()
    )
    rest = f" No clear winner in {counted(n_open, 'other pair')}." if n_open else ""
    return f"Even {given}, {clear}, if the assumptions hold.{rest}"


def _notes(result: NoiseResult) -> list[str]:
    """What is assumed, and what to do next."""
    wholes = [one.whole for one in result.systems if one.whole]
    is_sampled = any(one.confidence for one in wholes)
    notes = [
        "In %. Assumes that where the gold is wrong, a system is right at least as often as by chance and no more "
        f"often than elsewhere (Padró & Màrquez 1998).{_on_p(result.at_p)}"
        f"{'' if is_sampled else ' No sampling error included.'}"
    ]
    if is_sampled:
        over = shown_clusters(result.n_clusters, result.cluster)
        notes.append(
            f"CI: sampling error over {over} (Imbens & Manski 2004). Nothing is assumed about words that are not "
            "ambiguous in the lexicon."
        )
    elif wholes and result.cluster:
        notes.append("Nothing is assumed about words that are not ambiguous in the lexicon.")
    elif wholes:
        shares = " and ".join(dict.fromkeys(f"{100 * one.ambiguous_share:.3g} %" for one in wholes))
        error = wholes[0].other_error
        others = (
            f"the same in gold and output, {100 * error:.3g} % of them wrong" if error else "right in gold and output"
        )
        notes.append(f"All words: {shares} are ambiguous; the others are assumed {others}.")
    if any(one.overlap is not None and one.better is None for one in result.pairs):
        notes.append("Only a human check can settle it: karat noise plan.")
    return notes


def _on_p(p: float | None) -> str:
    """What it means that p is given."""
    if p is None:
        return ""
    makes = {0.0: "never makes the gold's own error", 1.0: "always makes the gold's own error"}.get(
        p, f"makes the gold's own error in {100 * p:.3g} % of cases"
    )
    return f" p = {p:.3g}: where both are wrong, it {makes}. Nothing assumed: eqs. 6 and 7 at this p."


# ---- tables ----------------------------------------------------------------------------------------------------------


def _bounds_table(result: NoiseResult) -> Table:
    """What is observed, and between what the real accuracy lies, on ambiguous words and on all."""
    level = shown_ci(result.level)
    has_whole = any(one.whole for one in result.systems)
    has_counts = any(one.whole and one.whole.n_words is not None for one in result.systems)
    at_p = "" if result.at_p is None else f", p = {result.at_p:.3g}"
    shown = {
        "system": True,
        "words": has_whole,
        "number": has_counts,
        "observed": True,
        f"naive {level}": any(one.naive for one in result.systems),
        f"real accuracy{at_p}": True,
        level: has_counts,
        "nothing assumed": result.at_p is not None,
        "gold errors": True,
        "tags per word": True,
    }
    every: list[list[Cell]] = []
    for one in result.systems:
        whole = one.whole
        free = one.intervals[0].free if one.at_p is not None else None
        row: list[Cell] = [one.name, "ambiguous", whole.n_ambiguous if whole else None, 100 * one.observed]
        row += map(shown_interval, (one.naive, one.bounds, one.with_sampling_error, free))
        every.append([*row, 100 * one.corpus_error, f"{one.ambiguity:.3g}"])
        if whole:
            row = [one.name, "all", whole.n_words, 100 * whole.observed, None]
            row += map(shown_interval, (whole.bounds, whole.whole_confidence))
            share = whole.ambiguous_share
            every.append([*row, None, 100 * (share * one.corpus_error + (1 - share) * whole.other_error), None])
    rows = [[cell for cell, is_shown in zip(row, shown.values(), strict=True) if is_shown] for row in every]
    columns = [name for name, is_shown in shown.items() if is_shown]
    return Table(columns, rows, optional=["tags per word", "gold errors", "number", "nothing assumed"])


def _by_p_table(result: NoiseResult) -> Table:
    """The reasonable bounds of each system for each p and over all p, and those that assume nothing."""
    rows: list[list[Cell]] = []
    for one in result.systems:
        rows += [[one.name, f"{each.p:.3g}", *map(shown_interval, (each.ends, each.free))] for each in one.intervals]
        rows.append([one.name, "all", *map(shown_interval, (one.envelope, one.free))])
    notes = ["In %, on ambiguous words. Nothing assumed: eqs. 6 and 7 of the paper (all p: from 0 to 1)."]
    return Table(["system", "p", "real accuracy", "nothing assumed"], rows, "the real accuracy, by p", notes)


def _parameters_table(result: NoiseResult) -> Table:
    rows: list[list[Cell]] = [
        [
            one.name,
            *map(shown_interval, (one.t, one.u)),
            *(shown_interval(ends, factor=1) for ends in (one.p, one.reasonable_p)),
        ]
        for one in result.systems
    ]
    notes = [
        "t, u: accuracy in % where the gold is right (nothing assumed, eq. 5) and where it is wrong (if reasonable); "
        "p: how often a system makes the gold's own error (nothing assumed, eq. 4; and if reasonable)."
    ]
    return Table(["system", "t", "u", "p", "p if reasonable"], rows, "what t, u and p can be", notes)


def _pairs_table(result: NoiseResult) -> Table:
    rows: list[list[Cell]] = []
    for one in result.pairs:
        sure = one.probability
        believed = (sure.independent, sure.shared) if sure else (None, None)
        better = "impossible" if one.overlap is None else one.better or "open"
        row: list[Cell] = [one.a, one.b, better, percent(one.overlap), shown_share(one.share, ".0f")]
        rows.append([*row, *(shown_share(p, ".1f") for p in believed)])
    priors = ", ".join(f"{symbol} ~ {belief}" for symbol, belief in result.priors.items())
    notes = [
        "Overlap of the intervals in points, and as a share of the shorter one.",
        f"P(B better) if {priors}, and u at most t: with separate u and p for each system, or shared ones.",
    ]
    columns = ["A", "B", "better", "overlap", "share", "P(B better)", "if shared"]
    title = "pairs, on ambiguous words" if any(one.whole for one in result.systems) else "pairs"
    return Table(columns, rows, title, notes)


def _rules_table(result: NoiseResult) -> Table:
    rows: list[list[Cell]] = []
    pairs = [pair for pair in result.pairs if pair.rules]
    for pair in pairs:
        names: list[Cell] = [pair.a, pair.b] if len(pairs) > 1 else []
        for rule in RULES:
            says = "after a check" if rule == CHECK else pair.rules[rule] or "open"
            rows.append([*names, rule, says, *(f"{right:.1f} / {wrong:.1f}" for right, wrong in RATES[rule])])
    notes = [f"{rule}: {what}." for rule, what in RULES.items()]
    over = "" if result.at_p is None else " over all p"
    notes.append(f"Right / wrong verdicts{over} in % of simulated pairs, {SETTING} (docs/noise-coverage.md):")
    notes.append("; ".join(f"{kind}: {what}" for kind, what in KINDS.items()) + ".")
    columns = [*(["A", "B"] if len(pairs) > 1 else []), "rule", "better", *KINDS]
    return Table(columns, rows, "decision rules", notes)


_CASES = {
    "true_positive": "true pos.",
    "false_positive": "false pos.",
    "false_negative": "false neg.",
    "true_negative": "true neg.",
    "both_wrong_differently": "both wrong",
}


def _evaluations_table(result: NoiseResult) -> Table:
    """The cases of the evaluation itself [Padró & Màrquez 1998, Table 1], for the u given and each p."""
    rows: list[list[Cell]] = []
    notes = ["In %. true/false pos.: the score says right; both wrong: gold and system differ, and both are wrong."]
    for one in result.systems:
        for each in one.evaluations:
            cells = each.cells or {}
            shares = [percent(cells.get(case)) for case in _CASES]
            rows.append([one.name, f"{each.p:.3g}", *shares, 100 * each.real if cells else None, 100 * each.t])
            at = f"{one.name}, p = {each.p:.3g}"
            if not cells:
                notes.append(f"{at}: impossible, t would be {each.t:.4g}.")
            elif not 1 / one.ambiguity <= each.u <= each.t:
                notes.append(f"{at}: not reasonable, as u is below chance (1/a) or above t.")
    u = next(each.u for one in result.systems for each in one.evaluations)
    columns = ["system", "p", *_CASES.values(), "real", "t"]
    return Table(columns, rows, f"how the evaluation errs if u = {u:.3g}", notes, optional=["t"])
