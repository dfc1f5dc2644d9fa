"""Comparisons as reports for people."""

from __future__ import annotations

from dataclasses import replace

from karat.evaluation.comparison_results import Compared
from karat.report.comparison_tables import comparison_tables
from karat.report.comparison_verdict import comparison_verdict
from karat.report.group_differences import group_verdicts
from karat.report.shown import (
    MOST_NOTES,
    SIGNIFICANT,
    in_caption,
    lacking_in_words,
    listed,
    lower_notes,
    marks_in_words,
    method_notes,
    quoted,
    shown_clusters,
    skipped_notes,
    tests_made,
)
from karat.result import Best, Report, Table


def comparison_report(
    compared: Compared,
    *,
    with_units: bool = False,
    details: bool = False,
    for_paper: bool = False,
    always_ranked: bool = False,
    measures_named: bool = True,
) -> Report:
    """What a person wants to read: the verdict; differences, or the ranking of several systems; what was asked for.

    If measures were not named, those that people quote are shown, with `details` all. `details` also asks for what most
    readers skip, `with_units` for what is known of single units; `for_paper` for systems in rows and measures in
    columns, as papers have them.
    """
    compared = compared if measures_named or details else _quoted(compared)
    systems = list(dict.fromkeys(one.name for one in compared.ranking)) or [compared.pairs[0].a, compared.pairs[0].b]
    is_ranked = always_ranked or len(systems) > 2 or any(one.n_runs > 1 for one in compared.ranking)
    tables = comparison_tables(
        compared, systems, is_ranked=is_ranked, with_units=with_units, details=details, for_paper=for_paper
    )
    of_paper = for_paper and bool(compared.ranking)
    notes = _left_out_notes(compared) + (_paper_notes if of_paper else _reading_notes)(compared, tables[0])
    if not details:
        notes = notes[:MOST_NOTES]
        notes[-1:] = notes[-1:] if of_paper else [f"{notes[-1]} --details shows more."]
    caption = _caption(compared, tables[0]) if of_paper else ""
    verdicts = [*comparison_verdict(compared, systems), *group_verdicts(compared)]
    return Report(verdicts, tables, notes, caption)


def _quoted(compared: Compared) -> Compared:
    """The comparison by those measures that people quote, as scores show them."""
    measures = {one.measure: one.measured for one in compared.pairs if one.measure is not None}
    names = {*quoted(measures, list(measures)), None}
    return replace(
        compared,
        pairs=tuple(one for one in compared.pairs if one.measure in names),
        ranking=tuple(one for one in compared.ranking if one.measure in names),
    )


def _left_out_notes(compared: Compared) -> list[str]:
    """What was skipped, and what could not be compared."""
    notes = [] if compared.left_out else skipped_notes(compared.skipped.gold, compared.skipped.system)
    return notes + _evalb_notes(compared) + _undecided_notes(compared) + _missing_notes(compared)


def _reading_notes(compared: Compared, table: Table) -> list[str]:
    """How to read the first table: what its numbers are and how they were tested."""
    has_intervals = any(name.endswith("% CI") for name in table.columns)
    is_of_pairs = has_intervals and "ranks" not in table.columns
    marks = marks_in_words(table, compared.pairs[0].a, compared.pairs[0].b) if is_of_pairs else []
    notes = [" ".join([_unit_note(compared), *marks, _test_note(compared)])]
    if "letters" in table.columns:
        notes.append("Systems that share a letter do not differ significantly. Ranks: where a system may really stand.")
    elif not has_intervals:
        best = " * best." if any(isinstance(cell, Best) for row in table.rows for cell in row) else ""
        notes.append(f"Systems that share a letter do not differ significantly.{best}")
    notes += lower_notes(one.measured for one in compared.pairs)
    return notes + (_interval_notes(compared) if has_intervals else [])


def _paper_notes(compared: Compared, table: Table) -> list[str]:
    """What the caption does not say: how intervals were made, if there are any."""
    return _interval_notes(compared) if any(str(row[0]).endswith("% CI") for row in table.rows) else []


def _interval_notes(compared: Compared) -> list[str]:
    made = [(one.measure or "", one.interval) for one in compared.pairs if one.interval and not one.interval.note]
    return method_notes(made, compared.cluster, compared.gold)


def _missing_notes(compared: Compared) -> list[str]:
    """Which measures are left out because there are no judgements, or no such columns."""
    unjudged = [name for name, both in compared.missing.items() if any(side == "judgements" for side, _ in both)]
    notes = [f"Needs human judgements (--judgements): {', '.join(unjudged)}."] if unjudged else []
    others = {name: both for name, both in compared.missing.items() if name not in unjudged}
    return notes + ([f"Not compared: {lacking_in_words(others)}."] if others else [])


def _evalb_notes(compared: Compared) -> list[str]:
    """How many sentences EVALB leaves out, where its figures are compared."""
    if not compared.left_out:
        return []
    if not any(compared.left_out.values()):
        return ["As EVALB counts; it leaves out no sentence."]
    numbers = listed([f"{n:,} of {name}" for name, n in compared.left_out.items()])
    return [f"As EVALB counts, which leaves out sentences without a parse or with other words: {numbers}."]


def _undecided_notes(compared: Compared) -> list[str]:
    """Which measures are not compared because verdicts are missing, and between which values they are."""
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


def _test_note(compared: Compared) -> str:
    """The test, what it is over, and what p is adjusted for."""
    tests = tests_made(compared.pairs)
    n = max(one.n_compared for one in compared.pairs)
    family = "all pairs and measures" if compared.adjust == "holm-all" else "the pairs of each measure"
    adjusted = f", Holm-adjusted over {family} ({n})" if n > 1 else ""
    return f"{'Tests' if len(tests) > 1 else 'Test'}: {listed(tests)}{_over(compared)}, two-sided{adjusted}."


def _over(compared: Compared) -> str:
    n = compared.pairs[0].n_clusters
    return "" if n is None else f" over {shown_clusters(n, compared.cluster)}"


def _caption(compared: Compared, table: Table) -> str:
    """What the marks mean: test, clusters and number of sentences, so that the table stands alone."""
    first = compared.pairs[0]
    parts = [
        _unit_note(compared),
        _marks_in_words(compared, table),
        *lower_notes(one.measured for one in compared.pairs),
    ]
    if len({name for one in compared.pairs for name in (one.a, one.b)}) == 2:
        parts.append(f"Δ: {first.b} − {first.a}.")
    if compared.gold is not None:
        parts.append(in_caption(compared.gold))
    return " ".join(filter(None, parts))


def _marks_in_words(compared: Compared, table: Table) -> str:
    """What bold and the mark mean, if the table has them, and how it was tested."""
    n = max(one.n_compared for one in compared.pairs)
    adjusted = f", Holm-adjusted for {n} pairs" if n > 1 else ""
    tested = f"two-sided {listed(tests_made(compared.pairs))} test{_over(compared)}{adjusted}"
    cells = [cell for row in table.rows for cell in row[1:]]
    bold = ["best in bold"] if any(isinstance(cell, Best) for cell in cells) else []
    limit, other = f"{1 - compared.level:.3g}", compared.baseline or "the best"
    if any(SIGNIFICANT in str(cell) for cell in cells):
        than = f"different from {other}" if compared.baseline else f"worse than {other}"
        found = [*bold, f"{SIGNIFICANT} significantly {than} (p < {limit}, {tested})"]
    else:
        found = [*bold, f"no significant difference from {other} (p ≥ {limit}, {tested})"]
    sentence = "; ".join(found)
    return f"{sentence[0].upper()}{sentence[1:]}."
